"""`scrapy crawl harvest`: submits search forms, and stores their answers.

With sites (`-a sites=...`) it explores as well; with form numbers (`-a forms=12,15`), or a topic alone (`-a topic=books`), it submits
forms that earlier crawls found, and fetches only the pages of their answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddenweb.config import BUDGETS
from hiddenweb.focused.locating.site_classifier import SiteClassifier
from hiddenweb.focused.topic import read_topic
from hiddenweb.focused.topic_crawl import Relevance
from hiddenweb.forms.verdict import NOFOLLOW, is_outside, judge_form, overrule, refuse_outside
from hiddenweb.frontier.scope import STRICT
from hiddenweb.html.reader import read_page
from hiddenweb.spiders.explore import BadArguments, ExploreSpider, scope_of
from hiddenweb.store.chosen_forms import parse_form_numbers
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.model import Page, Verdict

LOOK_PAGES = 20
"""Pages of a site that a dry run reads: a search stands on the first ones, or can be reached from them. A limit of taste."""

LOOK_TIME = "3m"
"""For which it looks at most. A limit of taste."""

_MAX_PROBLEMS = 10
"""Problems with named forms that one message lists: a limit of taste."""


class HarvestSpider(ExploreSpider):
    """Submits the search forms of the named sites, known ones first, and explores for more; or known forms only."""

    name = "harvest"
    usage = (
        "-a sites=ADDRESSES or FILE, and -a topic=NAME or FILE if only forms on a topic are wanted;"
        " or -a forms=NUMBERS, which scrapy forms shows, to query these forms and explore nothing;"
        " or -a topic=NAME or FILE alone, to query all known forms on it;"
        " -a dry_run=1 submits nothing and says what it will cost;"
        " budgets are -a queries=NUMBER for a form, -a pages=NUMBER for a site and -a time=30m for the crawl;"
        " -a include=PATTERNS and -a exclude=PATTERNS choose addresses"
    )
    budgets: Collection[str] = ("queries", "pages", "time")
    custom_settings = {"HIDDENWEB_SUBMIT": True}  # noqa: RUF012  Scrapy declares it so

    def __init__(
        self, sites: str = "", topic: str = "", forms: str = "", dry_run: str = "", **others: Any
    ) -> None:
        if forms:
            others["forms"] = forms
        if dry_run:
            others["dry_run"] = dry_run
        self.is_dry_run = dry_run == "1"
        self.forms = forms
        self.chosen: Sequence[int] = ()  # numbers of known forms; none if sites are explored
        super().__init__(sites=sites, topic=topic, **others)

    @classmethod
    def check_arguments(
        cls, sites: str = "", topic: str = "", forms: str = "", dry_run: str = "", **others: Any
    ) -> Sequence[str]:
        cls.check_other_arguments(others)
        if dry_run not in ("", "0", "1"):
            raise BadArguments(f"dry_run: {dry_run!r} cannot be used; wanted 1 or 0")
        if forms and (sites or topic):
            raise BadArguments(
                "forms names the forms that are queried, so it goes with neither sites nor topic"
            )
        if forms:
            parse_form_numbers(forms)
            return ()
        if topic and not sites:
            read_topic(topic)
            return ()
        if not sites:
            raise BadArguments(f"{cls.name} needs sites, forms or a topic: it takes {cls.usage}")
        return super().check_arguments(sites=sites, topic=topic)

    @classmethod
    def check_state(
        cls, settings: BaseSettings, sites: str = "", topic: str = "", forms: str = "", **others: Any
    ) -> list[int]:
        """Return the known forms to be submitted, none if sites are explored.

        Raises BadArguments for forms that do not exist or may not be submitted, StateError if there is no state.
        """
        if sites or not (forms or topic):
            return []
        with Store(Path(settings["HIDDENWEB_STATE"]), write=False) as state:
            if not state.forms.count():
                raise BadArguments(
                    f"{state.folder}: no form is known yet; scrapy crawl explore -a sites=URL finds some"
                )
            judge = _JudgeNow(
                frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
                scope_of(settings, others),
                strict=not forms or settings.get("HIDDENWEB_NOFOLLOW") == STRICT,
            )
            if forms:
                return _check_named(state, parse_form_numbers(forms), judge)
            return _find_on_topic(state, topic, settings.getfloat("HIDDENWEB_MIN_RELEVANCE"), judge)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        if not spider.seeds:
            spider.chosen = cls.check_state(
                crawler.settings, topic=spider.topic, forms=spider.forms, **spider.patterns
            )
        return spider

    def argument_settings(self) -> BaseSettings:
        settings = super().argument_settings()
        if self.is_dry_run:
            settings.set("HIDDENWEB_DRY_RUN", True, priority="cmdline")
            settings.set("HIDDENWEB_SUBMIT", False, priority="cmdline")
            for name in BUDGETS["pages"]:
                settings.set(name, LOOK_PAGES, priority="cmdline")
            settings.set("HIDDENWEB_TIME_LIMIT", LOOK_TIME, priority="cmdline")
        if self.chosen:
            settings.set("HIDDENWEB_FORMS", self.chosen, priority="spider")
            if self.topic:  # a crawl found their sites, the user named none of them
                settings.set("HIDDENWEB_NOFOLLOW", STRICT, priority="spider")
        return settings


def _check_named(state: Store, numbers: Sequence[int], judge: _JudgeNow) -> list[int]:
    """Return the numbers of forms; raises BadArguments if one does not exist or may not be submitted."""
    problems = [problem for number in numbers if (problem := _problem_with(state, number, judge))]
    if problems:
        more = (
            [f"forms: ... and {len(problems) - _MAX_PROBLEMS:,} more"]
            if len(problems) > _MAX_PROBLEMS
            else []
        )
        raise BadArguments("\n".join([*problems[:_MAX_PROBLEMS], *more]))
    return list(numbers)


def _problem_with(state: Store, number: int, judge: _JudgeNow) -> str:
    stored = state.forms.load(number)
    if stored is None:
        return f"forms: there is no form {number}; scrapy forms shows all {state.forms.count():,}"
    verdict = judge.judge(stored)
    return "" if verdict.may_submit else f"forms: form {number} may not be submitted: {verdict.summary}"


def _find_on_topic(state: Store, topic: str, relevant: float, judge: _JudgeNow) -> list[int]:
    """Return the forms on a topic that may be submitted; forms that no crawl compared with the topic are compared now."""
    wanted_topic = read_topic(topic)
    is_relevant = state.forms.load_relevances(wanted_topic.name)
    relevance = Relevance(wanted_topic, SiteClassifier(wanted_topic), relevant)
    verdicts = [
        (form.id, judge.judge(form))
        for form in state.forms.load_all()
        if form.verdict.searchable
        and (
            is_relevant[form.id]
            if form.id in is_relevant
            else relevance.judge_form(form.form, _load_page(form, state))[1]
        )
    ]
    if not verdicts:
        raise BadArguments(
            f"topic: no known form is on the topic {topic!r}; scrapy crawl locate -a topic={topic} finds some"
        )
    submittable = [number for number, verdict in verdicts if verdict.may_submit]
    if not submittable:
        number, verdict = verdicts[0]
        raise BadArguments(
            f"topic: none of the {len(verdicts):,} known forms on the topic {topic!r} may be submitted, such as form {number}:"
            f" {verdict.summary}"
        )
    return submittable


def _load_page(stored: StoredForm, state: Store) -> Page | None:
    """Return the page of a form, if it was stored; an OpenSearch description is no page."""
    url = stored.form.page_url
    source = state.pages.load_source(url) if stored.form.source != "opensearch" else None
    return read_page(source.body, url, content_type=source.content_type) if source is not None else None


@dataclass(frozen=True, slots=True)
class _JudgeNow:
    """Judges known forms by the settings of this crawl for POST, nofollow and addresses."""

    post_hosts: Collection[str]
    scope: AddressScope
    strict: bool

    def judge(self, stored: StoredForm) -> Verdict:
        """Return the verdict on a form."""
        verdict = stored.verdict
        has_nofollow = NOFOLLOW in verdict.refusals
        is_old = stored.as_sent.method != "POST" and verdict.why and not is_outside(verdict)
        if not is_old or (has_nofollow and not self.strict):
            verdict = judge_form(
                stored.form, post_hosts=self.post_hosts, nofollow=self.strict and has_nofollow
            )
            verdict = overrule(verdict, stored.form, stored.verdict.by_hand, post_hosts=self.post_hosts)
        return refuse_outside(stored.form, verdict, self.scope)
