"""`scrapy crawl harvest`: asks search forms, and keeps what they answer.

By site (`-a sites=...`) it explores as well; by number (`-a forms=12,15`), or with nothing but a topic (`-a topic=books`), it asks
forms that earlier crawls found, and fetches only what their answers consist of.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddenweb.focused.locating.site_classifier import SiteClassifier
from hiddenweb.focused.topic import read_topic
from hiddenweb.focused.topic_crawl import Relevance
from hiddenweb.forms.verdict import NOFOLLOW, judge_form, overrule
from hiddenweb.frontier.scope import STRICT
from hiddenweb.html.reader import read_page
from hiddenweb.spiders.explore import BadArguments, ExploreSpider
from hiddenweb.store.chosen_forms import parse_form_numbers
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import Page, Verdict

_SHOWN = 10
"""Problems with named forms that one message lists: a limit of taste."""


class HarvestSpider(ExploreSpider):
    """Asks the search forms of the given sites, known ones first, and explores for more; or known forms only."""

    name = "harvest"
    takes = (
        "-a sites=ADDRESSES or FILE, and -a topic=NAME or FILE if only forms on a topic are wanted;"
        " or -a forms=NUMBERS, which scrapy forms shows, to query these forms and explore nothing;"
        " or -a topic=NAME or FILE alone, to query all known forms on it;"
        " budgets are -a queries=NUMBER for a form, -a pages=NUMBER for a site and -a time=30m for the crawl"
    )
    budgets: Collection[str] = ("queries", "pages", "time")
    custom_settings = {"HIDDENWEB_SUBMIT": True}  # noqa: RUF012  Scrapy declares it so

    def __init__(self, sites: str = "", topic: str = "", forms: str = "", **others: Any) -> None:
        if forms:
            others["forms"] = forms
        self.forms = forms
        self.chosen: Sequence[int] = ()  # numbers of known forms; none if sites are explored
        super().__init__(sites=sites, topic=topic, **others)

    @classmethod
    def check_arguments(
        cls, sites: str = "", topic: str = "", forms: str = "", **others: Any
    ) -> Sequence[str]:
        cls.check_others(others)
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
            raise BadArguments(f"{cls.name} needs sites, forms or a topic: it takes {cls.takes}")
        return super().check_arguments(sites=sites, topic=topic)

    @classmethod
    def check_state(
        cls, settings: BaseSettings, sites: str = "", topic: str = "", forms: str = "", **_: Any
    ) -> list[int]:
        """Return the known forms that are asked, none if sites are explored.

        Raises BadArguments for forms that there are not or that may not be asked, StateError if there is no state to look for them.
        """
        if sites or not (forms or topic):
            return []
        with Store(Path(settings["HIDDENWEB_STATE"]), write=False) as state:
            if not state.forms.count():
                raise BadArguments(
                    f"{state.folder}: no form is known yet; scrapy crawl explore -a sites=URL finds some"
                )
            post_hosts = frozenset(settings.getlist("HIDDENWEB_ALLOW_POST"))
            if forms:
                strict = settings.get("HIDDENWEB_NOFOLLOW") == STRICT
                return _named(state, parse_form_numbers(forms), post_hosts, strict=strict)
            return _on_topic(state, topic, settings.getfloat("HIDDENWEB_MIN_RELEVANCE"), post_hosts)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        if not spider.seeds:
            spider.chosen = cls.check_state(crawler.settings, topic=spider.topic, forms=spider.forms)
        return spider

    def argument_settings(self) -> BaseSettings:
        given = super().argument_settings()
        if self.chosen:
            given.set("HIDDENWEB_FORMS", self.chosen, priority="spider")
            if self.topic:  # a crawl found their sites, the user named none of them
                given.set("HIDDENWEB_NOFOLLOW", STRICT, priority="spider")
        return given


def _named(state: Store, numbers: Sequence[int], post_hosts: Collection[str], *, strict: bool) -> list[int]:
    """Return the numbers of forms, if there are such forms and each may be asked."""
    problems = [
        problem for number in numbers if (problem := _problem_with(state, number, post_hosts, strict=strict))
    ]
    if problems:
        more = [f"forms: ... and {len(problems) - _SHOWN:,} more"] if len(problems) > _SHOWN else []
        raise BadArguments("\n".join([*problems[:_SHOWN], *more]))
    return list(numbers)


def _problem_with(state: Store, number: int, post_hosts: Collection[str], *, strict: bool) -> str:
    known = state.forms.load(number)
    if known is None:
        return f"forms: there is no form {number}; scrapy forms shows all {state.forms.count():,}"
    verdict = _verdict_now(known, post_hosts, strict=strict)
    return "" if verdict.may_submit else f"forms: form {number} may not be submitted: {verdict.summary}"


def _on_topic(state: Store, topic: str, relevant: float, post_hosts: Collection[str]) -> list[int]:
    """Return the forms on a topic that may be asked; those that no crawl compared with the topic are compared now."""
    found = read_topic(topic)
    compared = state.forms.load_relevances(found.name)
    relevance = Relevance(found, SiteClassifier(found), relevant)
    judged = [
        (form.id, _verdict_now(form, post_hosts))
        for form in state.forms.load_all()
        if form.verdict.searchable
        and (
            compared[form.id]
            if form.id in compared
            else relevance.judge_form(form.form, _page_of(form, state))[1]
        )
    ]
    if not judged:
        raise BadArguments(
            f"topic: no known form is on the topic {topic!r}; scrapy crawl locate -a topic={topic} finds some"
        )
    asked = [number for number, verdict in judged if verdict.may_submit]
    if not asked:
        number, verdict = judged[0]
        raise BadArguments(
            f"topic: none of the {len(judged):,} known forms on the topic {topic!r} may be submitted, such as form {number}:"
            f" {verdict.summary}"
        )
    return asked


def _page_of(known: StoredForm, state: Store) -> Page | None:
    """Return the page that a form stands on, if it was kept; a description of a search is no page."""
    url = known.form.page_url
    source = state.pages.load_source(url) if known.form.source != "opensearch" else None
    return read_page(source.body, url, content_type=source.content_type) if source is not None else None


def _verdict_now(known: StoredForm, post_hosts: Collection[str], *, strict: bool = True) -> Verdict:
    """Return the verdict on a form by the hosts that may be sent a POST now, and by what nofollow means now."""
    verdict = known.verdict
    is_left = NOFOLLOW in verdict.refusals
    if known.as_sent.method != "POST" and verdict.why and (strict or not is_left):
        return verdict
    found = judge_form(known.form, post_hosts=post_hosts, nofollow=strict and is_left)
    return overrule(found, known.form, verdict.by_hand, post_hosts=post_hosts)
