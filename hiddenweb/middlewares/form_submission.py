"""Turning forms into questions, and answers into the next question.

A form that may be asked gets one question at a time. When the answer has been read, with as many of its pages as we
follow, the next question is chosen from what the records taught. So what is asked depends on what was answered, and
after a kill there is at most one question per form to take up again. What a form has beside its box for words, or instead of
one, is filled in by plan (`hiddenweb.forms.planning`) from the labelled values, which learn from every form and every answer.

The first answers also show whether the form searches at all (`hiddenweb.forms.confirmation`); a decoy is asked no more.

Everything needed for that is in the state before the page of the answer counts as done; a page that is fetched twice
because of a kill finds its question asked already.
"""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals

from hiddenweb.exploring.frontier import ASKED, Rules, reason_to_ignore
from hiddenweb.forms.confirmation import Confirmation, is_nonsense, nonsense, said_besides
from hiddenweb.forms.judging import NOFOLLOW, judge, repeats, same_search
from hiddenweb.forms.keywords import KeywordChooser
from hiddenweb.forms.planning import fillings, plan, questions, uses
from hiddenweb.forms.submission import UnreadableForm, as_sent, submission
from hiddenweb.forms.values import ValueSet
from hiddenweb.items import Missed, NewLink, Page, Question, Visit
from hiddenweb.on_topic import topic_crawl
from hiddenweb.page import read_page
from hiddenweb.results.answers import Answer, Earlier, after, earlier, judge_answer
from hiddenweb.results.records import records_in
from hiddenweb.storage.sqlite import Source, filled_as_json, form_hash, give_back, share

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.forms.planning import Filling, Plan
    from hiddenweb.items import Form, Query, Verdict
    from hiddenweb.on_topic import TopicCrawl
    from hiddenweb.storage.sqlite import KnownForm, State, Submission

logger = logging.getLogger(__name__)

VALUES = "values"
"""The part of the knowledge that holds the labelled values."""

HELD = 512
"""Forms whose keywords are held in memory."""

FORMS_REMEMBERED = 20_000

LOOK_UP_EVERY = 100
"""Forms between two looks at what was worth asking elsewhere."""

BLOCKED_PAUSE = 600.0
"""Seconds in which a host is left in peace that took us for a robot it does not want."""

MOST_MISSING = 2
"""Answers in a row that say that there is no such page, after which the form leads nowhere."""

MOST_TRIES = 20
"""Words tried for one question, should their addresses be taken."""


class FormSubmissionMiddleware:
    """Judges the forms of every page, asks those that may be asked, and reads the answers."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        state = share(Path(settings["HIDDENWEB_STATE"]))
        middleware = cls(
            state,
            crawler.stats,
            submit=settings.getbool("HIDDENWEB_SUBMIT"),
            queries=settings.getint("HIDDENWEB_QUERIES_PER_FORM"),
            pages=settings.getint("HIDDENWEB_PAGES_PER_ANSWER"),
            post_hosts=frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
            values_file=settings.get("HIDDENWEB_VALUES") or None,
            on_topic=topic_crawl(state, settings),
        )
        crawler.signals.connect(middleware.close, signals.spider_closed)
        return middleware

    def __init__(
        self,
        state: State,
        stats: StatsCollector,
        *,
        submit: bool,
        queries: int,
        pages: int,
        post_hosts: frozenset[str] = frozenset(),
        values_file: str | None = None,
        on_topic: TopicCrawl | None = None,
    ) -> None:
        self._on_topic = on_topic
        self._state = state
        self._stats = stats
        self._submit = submit
        self._queries = queries
        self._pages = pages
        self._post_hosts = post_hosts
        self._values = ValueSet.from_rows(state.all_known(VALUES), datetime.now(UTC).date())
        if values_file is not None:
            self._values.load_user_file(Path(values_file))
        self._rules = Rules()
        self._good_words: list[str] = []
        self._asked_for_words = 0
        self._held: OrderedDict[int, Knowledge] = OrderedDict()
        self._met: set[tuple[int, int]] = set()

    def close(self) -> None:
        """Let go of the state."""
        give_back(self._state)

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item in start:
            yield item
        if self._submit:
            self._judge_again()
            for known in self._state.open_forms(self._queries):
                if self._on_topic is not None and not self._state.is_relevant(
                    known.id, self._on_topic.topic.name
                ):
                    continue
                for request in self._taken_up(known):
                    yield request

    async def process_spider_output(
        self,
        response: Response,  # noqa: ARG002  Scrapy passes it
        result: AsyncIterator[Any],
    ) -> AsyncIterator[Any]:
        async for item in result:
            for each in self._with_questions(item):
                yield each

    def _with_questions(self, item: object) -> Iterator[object]:
        """Yield the questions that follow from an item, then the item: so they are written before it is done."""
        if isinstance(item, Visit):
            if item.errand.submission is not None:
                answered = yield from self._answered(item)
                item = answered if isinstance(answered, Visit) else (yield from self._missed(answered))
            elif item.page is not None and item.page.forms:
                item = yield from self._found(item, item.page)
        elif isinstance(item, Missed) and item.errand.submission is not None:
            item = yield from self._missed(item)
        yield item

    def _missed(self, missed: Missed) -> Generator[object, None, Missed]:
        """Yield what follows from a question without an answer, and return what becomes of it."""
        missed = self._never_sent_again(missed)
        if missed.retry_in is None:
            yield from self._after_silence(missed)
        return missed

    def _never_sent_again(self, missed: Missed) -> Missed:
        """Return what became of a question; one that was sent by POST is not tried again."""
        asked, _ = self._asked(missed)
        return replace(missed, retry_in=None) if asked.state == "sent" else missed

    # Forms

    def _found(self, visit: Visit, page: Page) -> Generator[object, None, Visit]:
        """Yield the first questions to the forms of a page, and return the visit with what its forms are worth.

        Those that the crawl met before are worth nothing: another page gave them.
        """
        not_met = [form for form in page.forms if (visit.errand.site, form_hash(form)) not in self._met]
        for form in not_met:
            yield from self._met_form(visit, page, form)
        if self._on_topic is None:
            return visit
        given = [known for form in not_met if (known := self._given_by(visit, form))]
        on_topic = sum(self._state.is_relevant(known.id, self._on_topic.topic.name) for known in given)
        return replace(visit, forms_given=len(given), forms_on_topic=on_topic)

    def _given_by(self, visit: Visit, form: Form) -> KnownForm | None:
        """Return a search form that the page of a visit was the first to have, also when it is read again after a kill."""
        known = self._state.find_form(visit.errand.site, form)
        if known is None or not known.verdict.searchable or known.form.page_url != form.page_url:
            return None
        return known

    def _met_form(self, visit: Visit, page: Page, form: Form) -> Iterator[Request]:
        site = visit.errand.site
        met = (site, form_hash(form))
        if met in self._met:
            return
        known = self._state.find_form(site, form) or self._judged(site, form, nofollow=page.nofollow)
        wanted = self._is_wanted(known, page)
        if page.nofollow:
            return  # it may stand on another page too
        if known.verdict.refusals == (NOFOLLOW,):
            known = self._kept(site, form)
        if self._submit and wanted and known.verdict.ask and known.state == "found":
            yield from self._first_question(known, Source(visit.body, visit.content_type), visit.url)
        if len(self._met) >= FORMS_REMEMBERED:
            self._met.clear()
        self._met.add(met)

    def _is_wanted(self, known: KnownForm, page: Page) -> bool:
        """Say whether a form is one that this crawl is about, and keep how far it is on topic."""
        if self._on_topic is None:
            return True
        if not known.verdict.searchable:
            return False
        near, relevant = self._on_topic.relevance(known.form, page)
        topic = self._on_topic.topic.name
        if relevant or not self._state.is_relevant(known.id, topic):
            self._state.keep_relevance(known.id, topic, near, relevant=relevant)
        return relevant

    def _judged(self, site: int, form: Form, *, nofollow: bool) -> KnownForm:
        """Judge a form that nobody has met before."""
        self._stats.inc_value("hiddenweb/forms/found")
        known = self._kept(site, form, nofollow=nofollow)
        self._stats.inc_value(
            "hiddenweb/forms/askable" if known.verdict.ask else "hiddenweb/forms/left_alone"
        )
        self._stats.inc_value(f"hiddenweb/forms/kind/{known.verdict.kind}")
        self._values.learn_form(form, known.domain)
        self._keep_values()
        return known

    def _kept(self, site: int, form: Form, *, nofollow: bool = False) -> KnownForm:
        """Judge a form, and keep it with the verdict."""
        verdict = judge(form, post_hosts=self._post_hosts, nofollow=nofollow)
        verdict = self._unless_asked_already(site, form, verdict)
        known = self._state.form(self._state.keep_form(site, form, verdict, time.time()))
        assert known is not None
        return known

    def _unless_asked_already(self, site: int, form: Form, verdict: Verdict) -> Verdict:
        """Leave a search alone that a page declares in other words, or repeats, and that stands on the site as a form, too."""
        if not verdict.ask:
            return verdict
        for other in self._state.forms_of_site(site):
            is_itself = form_hash(other.form) == form_hash(form)
            if other.verdict.ask and not is_itself and _asks_the_same(form, verdict, other):
                why = f"the form on {other.form.page_url} asks the same"
                return replace(verdict, ask=False, refusals=(*verdict.refusals, why))
        return verdict

    def _judge_again(self) -> None:
        """Judge forms anew on which the verdict may be another by now."""
        for known in self._state.forms_to_judge_again(self._post_hosts):
            self._kept(known.site, known.form, nofollow=NOFOLLOW in known.verdict.refusals)

    def _taken_up(self, known: KnownForm) -> list[Request]:
        """Return the next request for a form; one that cannot be asked costs that form, not the crawl."""
        try:
            return list(self._take_up(known))
        except (ValueError, ArithmeticError, LookupError) as error:
            why = f"asking it failed: {type(error).__name__}: {error}"
            logger.warning("%s: its form %d: %s", known.form.page_url, known.id, why)
            self._stats.inc_value("hiddenweb/forms/failed")
            self._state.end_form(known.id, why)
            return []

    def _take_up(self, known: KnownForm) -> Iterator[Request]:
        """Go on with a form that an earlier crawl found, or was asking."""
        if self._state.is_being_asked(known.id):
            return
        if known.chooser:
            yield from self._question(known)
            return
        source = self._state.source_of(known.form.page_url)
        if source is None:
            logger.warning("%s: its form %d cannot be asked, the page is gone", known.form.page_url, known.id)
            return
        yield from self._first_question(known, source, known.form.page_url)

    # Questions

    def _first_question(self, known: KnownForm, source: Source, url: str) -> Iterator[Request]:
        if known.form.source == "opensearch":
            page = Page(url, text=known.form.text, language=known.form.language)
        else:
            page = read_page(source.body, url, content_type=source.content_type, want_blocks=True)
        if page.nofollow:
            self._kept(known.site, known.form, nofollow=True)
            return
        chooser = KeywordChooser(page.language, repository=self._repository())
        chooser.learn(page.text)
        self._hold(known.id, Knowledge(chooser, earlier(page), Confirmation(nonsense(known.id))))
        yield from self._question(known)

    def _question(self, known: KnownForm) -> Iterator[Request]:
        """Yield the next question to a form, or note that it has been asked enough."""
        if known.queries >= self._queries:
            self._state.end_form(known.id, f"asked {known.queries} times", for_now=True)
            return
        knowledge = self._knowledge(known)
        if knowledge.confirmation.stage == "decoy":
            self._state.end_form(known.id, f"it does not search: {knowledge.confirmation.why}")
            return
        if knowledge.missing >= MOST_MISSING:
            self._state.end_form(
                known.id, f"its last {knowledge.missing} answers say that there is no such page"
            )
            return
        insists = knowledge.confirmation.insists
        planned = plan(known.form, known.verdict.query_box, self._values, insists=insists)
        if not planned.can_be_filled:
            self._state.end_form(known.id, f"it cannot be filled in: {'; '.join(planned.obstacles)}")
            return
        probe = knowledge.confirmation.next_probe
        try:
            query = self._next_query(known, knowledge, planned)
        except UnreadableForm as error:
            self._state.end_form(known.id, str(error))
            return
        if query is None:
            self._state.end_form(known.id, "nothing left to ask")
            return
        if probe and query.keyword == probe:
            self._stats.inc_value("hiddenweb/queries/probes")
        elif probe:
            self._unanswered(known, probe)
        self._stats.inc_value("hiddenweb/queries/planned")
        question = Question(known.id, query, _written(knowledge))
        yield Request(query.url, meta={"hiddenweb": question}, dont_filter=True)

    def _next_query(self, known: KnownForm, knowledge: Knowledge, planned: Plan) -> Query | None:
        """Return the best query whose address may be asked for; most often it is the first."""
        if known.verdict.query_box is not None:
            ways = self._with_words(known, knowledge, planned)
        else:
            ways = self._with_choices(known, planned)
        for word, filled in islice(ways, MOST_TRIES):
            query = submission(known.form, filled, submitter=known.button)
            query = replace(query, keyword=word, values=_in_pairs(filled))
            if self._state.can_be_asked(query):
                return query
        return None

    def _with_words(
        self, known: KnownForm, knowledge: Knowledge, planned: Plan
    ) -> Iterator[tuple[str, Filling]]:
        """Yield words and what the form is filled in with to ask for them; a word that does not exist if there is a doubt.

        Where something else must be chosen, the choices take turns: each hides the records of the others.
        """
        if probe := knowledge.confirmation.next_probe:
            for filled in islice(fillings(planned, probe), 1):
                yield probe, filled
        while (word := knowledge.chooser.next()) is not None:
            if ways := list(fillings(planned, word, most=MOST_TRIES)):
                yield word, ways[known.queries % len(ways)]

    def _with_choices(self, known: KnownForm, planned: Plan) -> Iterator[tuple[str, Filling]]:
        """Yield choices of a form that takes no words, and what it is filled in with, less those asked before."""
        asked = self._state.asked_fillings(known.id)
        for filled in questions(planned):
            if filled_as_json(_in_pairs(filled)) not in asked:
                yield _in_words(known.form, filled), filled

    # Answers

    def _answered(self, visit: Visit) -> Generator[object, None, Visit | Missed]:
        """Yield what follows from a page of an answer, and return the visit with what it brought."""
        asked, known = self._asked(visit)
        if visit.redirect is not None:
            return (yield from self._redirected(visit, visit.redirect, asked, known))
        if visit.page is None:
            self._unanswered(known, asked.query.keyword)
            yield from self._next_question(visit, known)
            return replace(visit, outcome="error", outcome_why=visit.why)
        before = self._knowledge(known).but(visit.errand.link)
        answer = judge_answer(
            visit.page, visit.status, form=known.form, query=asked.query,
            earlier=self._with_seen(before, visit, visit.page), number=visit.errand.page_number,
            made_up=is_nonsense(asked.query.keyword),
        )  # fmt: skip
        if answer.case == "blocked":
            return self._blocked(visit, answer)
        seen = self._state.known_records(visit.errand.site, [record.key for record in answer.records])
        self._learn(known, asked, visit, answer, seen)
        if answer.form is not None:
            yield from self._met_form(visit, visit.page, answer.form)
        yield from self._record_links(visit, answer, seen)
        following = self._following(visit, answer)
        if following is not None:
            yield following
        else:
            yield from self._next_question(visit, known)
        return replace(
            visit, outcome=answer.case, outcome_why=answer.why, records=answer.records, total=answer.total
        )

    def _blocked(self, visit: Visit, answer: Answer) -> Missed:
        """Return a page that wants to know whether we are human as a question that got no answer; it is asked once more, later."""
        self._stats.inc_value(f"hiddenweb/answers/{answer.case}")
        again = BLOCKED_PAUSE if visit.errand.attempts == 0 else None
        return Missed(
            visit.errand, answer.why, visit.at, again, host_pause=BLOCKED_PAUSE, status=visit.status
        )

    def _asked(self, item: Visit | Missed) -> tuple[Submission, KnownForm]:
        assert item.errand.submission is not None
        asked = self._state.submission(item.errand.submission)
        assert asked is not None
        known = self._state.form(asked.form)
        assert known is not None
        return asked, known

    def _redirected(
        self, visit: Visit, target: str, asked: Submission, known: KnownForm
    ) -> Generator[object, None, Visit]:
        if self._state.host_of(target) is None:
            why = f"leads to another site: {target}"
        elif self._state.is_known(target):
            why = f"leads to a page that is known: {target}"
        elif reason_to_ignore(target, self._rules) or visit.errand.redirects >= self._rules.max_redirects:
            why = f"leads to where we do not go: {target}"
        else:
            return visit
        if is_nonsense(asked.query.keyword):
            self._confirm(known, asked, Answer("error", why))
        yield from self._next_question(visit, known)
        return replace(visit, outcome="duplicate", outcome_why=why)

    def _with_seen(self, before: Earlier, visit: Visit, page: Page) -> Earlier:
        keys = [record.key for record in records_in(page)]
        return replace(before, keys=frozenset(self._state.known_records(visit.errand.site, keys)))

    def _learn(
        self, known: KnownForm, asked: Submission, visit: Visit, answer: Answer, seen: set[str]
    ) -> None:
        knowledge = self._knowledge(known)
        is_first = visit.errand.page_number == 1
        if is_first:
            self._confirm(known, asked, answer)
            knowledge.missing = knowledge.missing + 1 if answer.missing else 0
        if answer.records:
            knowledge.chooser.learn_records(
                record.text for record in answer.records if record.key not in seen
            )
        elif is_first:
            knowledge.chooser.refused(asked.query.keyword)
        self._learn_values(known, asked, answer, is_first=is_first)
        assert visit.page is not None
        knowledge.before = replace(after(knowledge.before, visit.page, answer), keys=frozenset())
        if answer.has_records:
            knowledge.brought.setdefault(answer.signature, visit.errand.link)
        self._state.keep_chooser(known.id, _written(knowledge))

    def _confirm(self, known: KnownForm, asked: Submission, answer: Answer) -> None:
        """Learn from the first page of an answer whether the form searches at all."""
        word, keys = asked.query.keyword, [record.key for record in answer.records]
        # a form that comes again because it found too much searches, and wants no more than another word
        case = "nothing_found" if answer.case == "form_again" and answer.total else answer.case
        with self._counted(known) as confirmation:
            if known.verdict.query_box is None:
                confirmation.chosen(word, case, keys)
            else:
                said = said_besides(word, (record.text for record in answer.records))
                confirmation.answered(word, case, keys, answer.holding, signature=answer.signature, said=said)

    def _unanswered(self, known: KnownForm, word: str) -> None:
        """Note that a question got no answer: if it was to settle a doubt, something else has to."""
        with self._counted(known) as confirmation:
            confirmation.unanswered(word)

    @contextmanager
    def _counted(self, known: KnownForm) -> Iterator[Confirmation]:
        """Give the confirmation of a form to learn from, and count what came of it; a form that is confirmed twice counts once."""
        confirmation = self._knowledge(known).confirmation
        before, held = confirmation.stage, confirmation.held
        yield confirmation
        if confirmation.stage == before:
            return
        if confirmation.stage == "confirmed" and not held:
            self._stats.inc_value("hiddenweb/forms/confirmed")
        elif confirmation.stage == "decoy":
            self._stats.inc_value("hiddenweb/forms/decoy")

    def _learn_values(self, known: KnownForm, asked: Submission, answer: Answer, *, is_first: bool) -> None:
        """Tell the labelled values what became of those that were filled in, and what records say of themselves."""
        pairs = (pair for record in answer.records for pair in record.pairs)
        self._values.learn_pairs(pairs, known.domain, language=known.form.language)
        if is_first:
            planned = plan(known.form, known.verdict.query_box, self._values)
            for label, value in uses(planned, dict(asked.query.values)):
                (self._values.succeeded if answer.records else self._values.failed)(label, value)
        self._keep_values()

    def _keep_values(self) -> None:
        for subject, row in self._values.changes():
            self._state.learn(VALUES, subject, row)

    def _record_links(self, visit: Visit, answer: Answer, seen: set[str]) -> Iterator[Request]:
        """Yield a request for the page of every new record; its address may carry the question, its key does not."""
        assert visit.page is not None
        if visit.page.nofollow:
            return
        unwanted = {link.url for link in visit.page.links if link.nofollow}
        for record in answer.records:
            if record.url is None or record.url == visit.url or record.url in unwanted:
                continue
            if reason_to_ignore(record.url, self._rules):
                continue
            if record.key in seen or (record.key.startswith("http") and self._state.is_known(record.key)):
                continue
            link = NewLink(record.url, "record", ASKED, visit.errand.hops + 1, parent=visit.errand.link)
            yield Request(record.url, meta={"hiddenweb": link}, dont_filter=True)

    def _following(self, visit: Visit, answer: Answer) -> Request | None:
        """Return the request for the next page of an answer, if there is one that we follow."""
        errand = visit.errand
        if answer.next is None or errand.page_number >= self._pages or self._state.is_known(answer.next.url):
            return None
        if self._state.host_of(answer.next.url) is None or reason_to_ignore(answer.next.url, self._rules):
            return None
        if answer.next.nofollow or (visit.page is not None and visit.page.nofollow):
            return None
        link = NewLink(
            answer.next.url, "paging", ASKED, errand.hops, parent=errand.link, submission=errand.submission,
            page_number=errand.page_number + 1,
        )  # fmt: skip
        return Request(answer.next.url, meta={"hiddenweb": link}, dont_filter=True)

    def _next_question(self, item: Visit | Missed, known: KnownForm) -> Iterator[Request]:
        if (
            self._submit
            and known.state == "asking"
            and not self._state.is_being_asked(known.id, but=item.errand)
        ):
            yield from self._question(known)

    def _after_silence(self, missed: Missed) -> Iterator[object]:
        """Go on after a question that got no answer; a form that robots.txt forbids to ask is asked no more."""
        asked, known = self._asked(missed)
        if missed.refused and missed.errand.kind == "answer":
            self._state.end_form(known.id, missed.why)
            return
        if missed.errand.kind == "answer":
            self._unanswered(known, asked.query.keyword)
        yield from self._next_question(missed, known)

    # Knowledge

    def _repository(self) -> list[str]:
        """Return words that brought records elsewhere; they are looked up once in a while."""
        if self._asked_for_words % LOOK_UP_EVERY == 0:
            self._good_words = [word for word in self._state.good_keywords() if not is_nonsense(word)]
        self._asked_for_words += 1
        return self._good_words

    def _knowledge(self, known: KnownForm) -> Knowledge:
        if known.id not in self._held:
            self._hold(known.id, _read(known, self._repository()))
        self._held.move_to_end(known.id)
        return self._held[known.id]

    def _hold(self, form: int, knowledge: Knowledge) -> None:
        self._held[form] = knowledge
        self._held.move_to_end(form)
        if len(self._held) > HELD:
            self._held.popitem(last=False)


def _asks_the_same(form: Form, verdict: Verdict, other: KnownForm) -> bool:
    if form.template:
        return same_search(form, other.as_sent)
    button = form.fields[verdict.button] if verdict.button is not None else None
    return repeats(as_sent(form, button), verdict.query_box, other.as_sent, other.verdict.query_box)


def _in_pairs(filled: Filling) -> tuple[tuple[str, str], ...]:
    """Return what a form is filled in with, name by name and value by value."""
    return tuple(
        (name, value)
        for name, given in filled.items()
        for value in ((given,) if isinstance(given, str) else given)
    )


def _in_words(form: Form, filled: Filling) -> str:
    """Return what is asked as people read it: the texts of choices, and what is written into boxes."""
    texts = {
        (field.name, value): text
        for field in form.fields
        for value, text in (
            *((option.value, option.text) for option in field.options),
            *([(field.value, field.label)] if field.kind in ("radio", "checkbox") else []),
        )
    }
    return ", ".join(texts.get(pair) or pair[1] for pair in _in_pairs(filled))


@dataclass(slots=True)
class Knowledge:
    """What was learnt about a form: what to ask next, and what its answers were."""

    chooser: KeywordChooser
    before: Earlier
    confirmation: Confirmation
    brought: dict[int, int] = field(
        default_factory=dict
    )  # the signature of an answer: the link that brought it
    missing: int = 0  # answers in a row that say that there is no such page

    def but(self, link: int) -> Earlier:
        """Return what was known before the page of a link, which a kill may have us read twice: it does not repeat itself."""
        own = {signature for signature, by in self.brought.items() if by == link}
        return replace(self.before, answers=self.before.answers - own)


_KEPT = ("page_blocks", "page_forms", "page_links", "shapes", "empty")
"""What is written down of the sets of an Earlier; the keys of records are in the store, the answers in `brought`."""


def _written(knowledge: Knowledge) -> str:
    before = knowledge.before
    known = {name: sorted(getattr(before, name)) for name in _KEPT}
    fingerprint = before.page_fingerprint
    return json.dumps(
        [
            knowledge.chooser.to_json(), list(knowledge.brought.items()), fingerprint, known,
            knowledge.confirmation.to_json(), knowledge.missing,
        ],
        ensure_ascii=False,
    )  # fmt: skip


def _read(form: KnownForm, repository: list[str]) -> Knowledge:
    chooser, brought, fingerprint, known, *later = json.loads(form.chooser)
    sets = {name: frozenset(known[name]) for name in _KEPT}
    before = Earlier(
        answers=frozenset(signature for signature, _ in brought), page_fingerprint=fingerprint, **sets
    )
    confirmation = (
        Confirmation.from_json(later[0]) if later else Confirmation(nonsense(form.id))
    )  # version 1 had none
    return Knowledge(
        KeywordChooser.from_json(chooser, repository=repository), before, confirmation, dict(brought),
        missing=later[1] if len(later) > 1 else 0,
    )  # fmt: skip
