"""Turning forms into questions, and answers into the next question.

A form that may be asked gets one question at a time. When the answer has been read, with as many of its pages as we
follow, the next question is chosen from what the records taught. So what is asked depends on what was answered, and
after a kill there is at most one question per form to take up again. What a form has beside its box for words, or instead of
one, is filled in by plan (`hiddenweb.querying.plan`) from the labelled values, which learn from every form and every answer.

The first answers also show whether the form searches at all (`hiddenweb.querying.decoy_test`); a decoy is asked no more.

A page of an answer that the site owes us because of an outage is asked for again when the site has answered something else, or when nothing else
is left to ask, and otherwise by the next crawl. Until it has come, nothing is concluded from its absence, and the form is not done.

Everything needed for that is in the state before the page of the answer counts as done; a page that is fetched twice
because of a kill finds its question asked already.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter, deque
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request

from hiddenweb.answers.cases import AnswerVerdict, EarlierAnswers, after, judge_answer, sent_on
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.forms.multi_step import (
    ENOUGH,
    are_twins,
    are_variants,
    as_step,
    reason_to_leave,
    reason_to_leave_twin,
)
from hiddenweb.forms.stored_form import form_hash
from hiddenweb.forms.submission import UnreadableForm, as_sent, submission
from hiddenweb.forms.verdict import NOFOLLOW, judge, overruled, repeats, same_search
from hiddenweb.frontier.scope import (
    ASKED,
    LAST,
    ONLY_LINKS,
    STRICT,
    FrontierScope,
    nofollow_policy,
    reason_to_ignore,
)
from hiddenweb.html.reader import read_page
from hiddenweb.language.words import written_in
from hiddenweb.model import Fetched, FetchFailure, Page, PlannedQuery, PostSeed, RetriedTask, TaskSeed
from hiddenweb.querying.controls import choices_in, filling_of
from hiddenweb.querying.conversation import FormKnowledgeBase
from hiddenweb.querying.decoy_test import is_nonsense, said_besides
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.mirrors import shows_again, titles_to_compare
from hiddenweb.querying.plan import fillings, uses
from hiddenweb.querying.policies.registry import DEFAULT
from hiddenweb.querying.record_words import RecordWords
from hiddenweb.querying.session import FormSessions
from hiddenweb.querying.strategy import LEAST_NEW
from hiddenweb.querying.wide_queries import asks_for_words
from hiddenweb.records.records import records_in
from hiddenweb.store.detail_pages import DetailPages
from hiddenweb.store.submissions import MissingAnswerPage
from hiddenweb.store.versions import PageSource
from hiddenweb.urls import host, text_hash

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.focused.topic_crawl import TopicCrawl
    from hiddenweb.forms.stored_form import StoredForm, Submission
    from hiddenweb.model import CrawlTask, Form, HttpQuery, Verdict
    from hiddenweb.querying.conversation import LearnedAboutForm
    from hiddenweb.querying.decoy_test import DecoyTest
    from hiddenweb.querying.plan import Filling, QueryPlan
    from hiddenweb.querying.query import QueryProposal
    from hiddenweb.store.chosen_forms import ChosenForms
    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

VALUES = "values"
"""The part of the knowledge that holds the labelled values."""

FORMS_REMEMBERED = 20_000

BLOCKED_PAUSE = 600.0
"""Seconds in which a host is left in peace that took us for a robot it does not want."""

LONGEST_WAIT = 120.0
"""Seconds that a site may ask us to wait before the next question."""

MOST_WAITS = 3
"""How often one question is put off because of that."""

MOST_IN_VAIN = 2
"""Questions that were put off as often, after which a site is asked as any other."""

MOST_MISSING = 2
"""Answers in a row that say that there is no such page, after which the form leads nowhere."""

HTTP_ERROR = 400
"""Statuses from which on an answer is an error."""

MOST_TRIES = 20
"""Words tried for one question, should their addresses be taken."""

MOST_AGAIN = 2
"""How often a page of an answer is asked for again in one crawl, after all its retries."""

FEWEST_QUERIES = 5
"""Questions before a form is given up because it finds what others found."""


class FormSubmissionMiddleware:
    """Judges the forms of every page, asks those that may be asked, and reads the answers."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        context = CrawlContext.open(crawler)
        return cls(
            context.store,
            crawler.stats,
            submit=settings.getbool("HIDDENWEB_SUBMIT"),
            queries=settings.getint("HIDDENWEB_QUERIES_PER_FORM"),
            pages=settings.getint("HIDDENWEB_PAGES_PER_ANSWER") or sys.maxsize,
            post_hosts=frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
            values_file=settings.get("HIDDENWEB_VALUES") or None,
            policy=settings.get("HIDDENWEB_POLICY"),
            least_new=settings.getfloat("HIDDENWEB_MIN_NEW_RECORDS"),
            seed=settings.getint("HIDDENWEB_RANDOM_SEED"),
            on_topic=context.topic,
            chosen=context.chosen_forms,
            details=context.detail_pages,
            nofollow=nofollow_policy(
                settings["HIDDENWEB_NOFOLLOW"], user_named_site=not settings.getbool("HIDDENWEB_FOLLOW_SITES")
            ),
        )

    def __init__(
        self,
        state: Store,
        stats: StatsCollector,
        *,
        submit: bool,
        queries: int,
        pages: int,
        post_hosts: frozenset[str] = frozenset(),
        values_file: str | None = None,
        policy: str = DEFAULT,
        least_new: float = LEAST_NEW,
        seed: int = 0,
        on_topic: TopicCrawl | None = None,
        chosen: ChosenForms | None = None,
        details: DetailPages | None = None,
        nofollow: str = ONLY_LINKS,
    ) -> None:
        self._is_strict = nofollow == STRICT
        self._on_topic = on_topic
        self._details = details or DetailPages(state)
        self._chosen = chosen
        self._state = state
        self._stats = stats
        self._submit = submit
        self._queries = queries
        self._pages = pages
        self._post_hosts = post_hosts
        self._values = LabelledValueSet.from_rows(state.knowledge.load_all(VALUES), datetime.now(UTC).date())
        if values_file is not None:
            self._values.load_user_file(Path(values_file))
        self._sessions = FormSessions(state)
        self._rules = FrontierScope()
        self._knowledge = FormKnowledgeBase(
            state, self._values, policy=policy, least_new=least_new, seed=seed
        )
        self._met: set[tuple[int, int]] = set()
        self._by_hand: set[int] = set()  # forms asked in this crawl though their verdict was overruled
        self._busy: dict[int, int] = {}  # sites, and the form of each that is asked now
        self._intervals: dict[int, float] = {}  # seconds between two questions that sites asked for
        self._in_vain: Counter[int] = Counter()  # questions for which so much time was not enough, by site
        self._asked_at: dict[int, float] = {}  # when a site got its last question
        self._owed: dict[int, MissingAnswerPage] = {}  # pages of answers that did not come, by their links
        self._again: dict[int, deque[int]] = {}  # forms, and those of their pages that are asked for again
        self._times_again: Counter[int] = Counter()  # by link
        self._just_missed: int | None = None
        self._counted_missed: set[int] = set()  # links, as long as they are
        self._resumed: set[int | None] = set()  # questions of which such a page has come

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item in start:
            yield item
        if self._submit:
            self._judge_again()
            self._know_what_is_owed()
            sites = [known.site for known in self._state.forms.find_open(self._queries)]
            for site in dict.fromkeys((*sites, *(page.site for page in self._owed.values()))):
                for request in self._next_form(site):
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
        if isinstance(item, Fetched):
            if item.errand.kind in ("answer", "paging"):
                answered = yield from self._answered(item)
                item = answered if isinstance(answered, Fetched) else (yield from self._missed(answered))
            elif (page := item.page or item.form_page) is not None and page.forms:
                item = yield from self._found(item, page)
        elif isinstance(item, FetchFailure) and item.errand.kind in ("answer", "paging"):
            item = yield from self._missed(item)
        yield item

    def _missed(self, missed: FetchFailure) -> Generator[object, None, FetchFailure]:
        """Yield what follows from a question without an answer, and return what becomes of it."""
        missed = self._never_sent_again(missed)
        if missed.retry_in is None:
            missed = yield from self._after_silence(missed)
        return missed

    def _never_sent_again(self, missed: FetchFailure) -> FetchFailure:
        """Return what became of a question; one that was sent by POST is not tried again."""
        asked, _ = self._asked(missed)
        was_sent = asked.state == "sent" or self._was_sent_for_page(missed.errand)
        return replace(missed, retry_in=None) if was_sent else missed

    def _was_sent_for_page(self, errand: CrawlTask) -> bool:
        post = self._state.frontier.load_post(errand)
        return post is not None and post.sent is not None

    # Forms

    def _found(self, visit: Fetched, page: Page) -> Generator[object, None, Fetched]:
        """Yield the first questions to the forms of a page, and return the visit with what its forms are worth.

        Those that the crawl met before are worth nothing: another page gave them.
        """
        not_met = [form for form in page.forms if (visit.errand.site, form_hash(form)) not in self._met]
        for form in not_met:
            yield from self._met_form(visit, page, form)
        if self._on_topic is None:
            return visit
        given = [known for form in not_met if (known := self._given_by(visit, form))]
        on_topic = sum(self._state.forms.is_relevant(known.id, self._on_topic.topic.name) for known in given)
        return replace(visit, forms_given=len(given), forms_on_topic=on_topic)

    def _given_by(self, visit: Fetched, form: Form) -> StoredForm | None:
        """Return a search form that the page of a visit was the first to have, also when it is read again after a kill."""
        known = self._state.forms.find(visit.errand.site, form)
        if known is None or not known.verdict.searchable or known.form.page_url != form.page_url:
            return None
        return known

    def _met_form(self, visit: Fetched, page: Page, form: Form) -> Iterator[Request]:
        site = visit.errand.site
        met = (site, form_hash(form))
        if met in self._met:
            return
        known = self._state.forms.find(site, form) or self._judged(site, form, nofollow=self._forbids(page))
        wanted = self._is_wanted(known, page)
        if self._forbids(page):
            return  # it may stand on another page too
        if known.verdict.refusals == (NOFOLLOW,):
            known = self._kept(site, form)
        if (
            self._submit
            and wanted
            and known.verdict.ask
            and known.state == "found"
            and site not in self._busy
        ):
            page_now = PageSource(visit.body, visit.content_type)
            if page.nofollow:
                self._stats.inc_value("hiddenweb/nofollow/forms")
            yield from self._asked_now(known, self._first_question(known, page_now, visit.url))
        elif visit.page is None and known.verdict.ask and known.state == "found":
            self._keep_what_is_said(known, page)
        if len(self._met) >= FORMS_REMEMBERED:
            self._met.clear()
        self._met.add(met)

    def _keep_what_is_said(self, known: StoredForm, page: Page) -> None:
        """Keep what an error page says for the time when its form is asked: the page itself is not stored."""
        self._state.forms.save_conversation_state(known.id, self._knowledge.begin(known, page).to_json())

    def _forbids(self, page: Page) -> bool:
        """Say whether a page's nofollow keeps us from its forms, from further pages of an answer and from its records."""
        return page.nofollow and self._is_strict

    def _met_step(
        self, visit: Fetched, page: Page, form: Form, asked: Submission, known: StoredForm
    ) -> Iterator[Request]:
        """Yield the first question to a form that came in an answer, unless there were enough like it."""
        step = as_step(form, known.form, asked.query, asked.id, has_session=self._sessions.has(known))
        if any(ENOUGH in other.verdict.refusals for other in self._variants(known.site, step)):
            self._stats.inc_value("hiddenweb/forms/steps_ignored")
            return
        yield from self._met_form(visit, page, step)
        if (found := self._state.forms.find(known.site, step)) is not None and found.verdict.ask:
            self._sessions.hand_over(known, found)

    def _variants(self, site: int, step: Form) -> list[StoredForm]:
        return [other for other in self._state.forms.load_site(site) if are_variants(other.form, step)]

    def _unless_a_step_too_far(self, site: int, form: Form, verdict: Verdict) -> Verdict:
        """Leave a form alone that is one step too many, or one variant or twin too many."""
        if form.step == 1:
            why = self._reason_to_leave_twin(site, form) if verdict.ask else ""
            return replace(verdict, ask=False, refusals=(*verdict.refusals, why)) if why else verdict
        others = [other for other in self._variants(site, form) if form_hash(other.form) != form_hash(form)]
        ended = [other.records for other in others if other.state in ("asked", "done")]
        why = reason_to_leave(form, ended, len(others))
        return replace(verdict, ask=False, refusals=(*verdict.refusals, why)) if why else verdict

    def _reason_to_leave_twin(self, site: int, form: Form) -> str:
        ended = [
            other.records
            for other in self._state.forms.load_site(site)
            if other.state in ("asked", "done")
            and are_twins(other.form, form)
            and form_hash(other.form) != form_hash(form)
        ]
        return reason_to_leave_twin(ended)

    def _is_wanted(self, known: StoredForm, page: Page) -> bool:
        """Say whether a form is one that this crawl is about, and keep how far it is on topic."""
        if self._chosen is not None:
            return known.id in self._chosen.numbers
        if self._on_topic is None:
            return True
        if not known.verdict.searchable:
            return False
        near, relevant = self._on_topic.relevance(known.form, page)
        topic = self._on_topic.topic.name
        if relevant or not self._state.forms.is_relevant(known.id, topic):
            self._state.forms.save_relevance(known.id, topic, near, relevant=relevant)
        return relevant

    def _judged(self, site: int, form: Form, *, nofollow: bool) -> StoredForm:
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

    def _kept(self, site: int, form: Form, *, nofollow: bool = False) -> StoredForm:
        """Judge a form, and keep it with the verdict."""
        verdict = judge(form, post_hosts=self._post_hosts, nofollow=nofollow)
        verdict = self._unless_asked_already(site, form, verdict)
        verdict = self._unless_a_step_too_far(site, form, verdict)
        if (before := self._state.forms.find(site, form)) is not None:
            verdict = overruled(verdict, form, before.verdict.by_hand, post_hosts=self._post_hosts)
        known = self._state.forms.load(self._state.forms.save(site, form, verdict, time.time()))
        assert known is not None
        return known

    def _unless_asked_already(self, site: int, form: Form, verdict: Verdict) -> Verdict:
        """Leave a search alone that a page declares in other words, or repeats, and that stands on the site as a form, too."""
        if not verdict.ask:
            return verdict
        for other in self._state.forms.load_site(site):
            is_itself = form_hash(other.form) == form_hash(form)
            if other.verdict.ask and not is_itself and _asks_the_same(form, verdict, other):
                why = f"the form on {other.form.page_url} asks the same"
                return replace(verdict, ask=False, refusals=(*verdict.refusals, why))
        return verdict

    def _judge_again(self) -> None:
        """Judge forms anew on which the verdict may be another by now."""
        for known in self._state.forms.find_to_judge_again(self._post_hosts, nofollow=not self._is_strict):
            self._kept(
                known.site, known.form, nofollow=self._is_strict and NOFOLLOW in known.verdict.refusals
            )

    def _next_form(self, site: int, *, last: int | None = None) -> Iterator[Request]:
        """Yield the next question to the site, to the first of its forms that has one, and to one of them only if no other has.

        Two forms of a site most often ask the same database: what the first has found need not be found by the second.
        """
        self._busy.pop(site, None)
        for known in sorted(self._forms_to_ask(site), key=lambda form: form.id == last):
            if self._chosen is not None and known.id not in self._chosen.numbers:
                continue
            if self._on_topic is not None and not self._state.forms.is_relevant(
                known.id, self._on_topic.topic.name
            ):
                continue
            if self._state.submissions.has_open(known.id):
                self._busy[site] = known.id
                return
            if known.state == "found" and self._has_enough_like(known):
                continue
            yield from self._asked_now(known, self._take_up(known))
            if site in self._busy:
                return

    def _has_enough_like(self, known: StoredForm) -> bool:
        """Say whether forms like one that was never asked brought nothing meanwhile; then it is left."""
        if known.form.step == 1 and not self._reason_to_leave_twin(known.site, known.form):
            return False
        return not self._kept(known.site, known.form).verdict.ask

    def _forms_to_ask(self, site: int) -> Iterator[StoredForm]:
        """Yield the forms of a site that have questions left, and then those that only have answers left to come."""
        asked = set()
        for known in self._state.forms.find_open(self._queries, site):
            asked.add(known.id)
            yield known
        for form in [page.form for page in self._owed.values() if page.site == site]:
            if form not in asked and form in self._again:
                asked.add(form)
                if (other := self._state.forms.load(form)) is not None and other.verdict.ask:
                    yield other

    def _asked_now(self, known: StoredForm, asked: Iterator[Request]) -> list[Request]:
        """Return the next request for a form; one that cannot be asked costs that form, not the crawl."""
        try:
            requests = list(asked)
        except (ValueError, ArithmeticError, LookupError) as error:
            why = f"asking it failed: {type(error).__name__}: {error}"
            logger.warning("%s: its form %d: %s", known.form.page_url, known.id, why)
            self._stats.inc_value("hiddenweb/forms/failed")
            self._state.forms.end(known.id, why)
            return []
        if requests:
            self._busy[known.site] = known.id
            self._say_if_by_hand(known)
        return requests

    def _say_if_by_hand(self, known: StoredForm) -> None:
        """Count a form that is asked because the user has overruled its verdict, and say so, once a crawl."""
        if known.verdict.by_hand != "allow" or known.id in self._by_hand:
            return
        self._by_hand.add(known.id)
        self._stats.inc_value("hiddenweb/forms/allowed_by_hand")
        logger.warning("%s: its form %d is %s", known.form.page_url, known.id, known.verdict.summary)

    def _take_up(self, known: StoredForm) -> Iterator[Request]:
        """Go on with a form that an earlier crawl found, or was asking."""
        if self._knowledge.of(known) is not None:
            yield from self._question(known)
            return
        source = self._state.pages.load_source(known.form.page_url)
        if known.form.asked_by is not None:
            source = self._state.pages.load_answer_source(known.form.asked_by)
        if source is not None:
            yield from self._first_question(known, source, known.form.page_url)
            return
        self._known(known)  # begins with what the form itself says: error pages are not in the store
        yield from self._question(known)

    # Questions

    def _first_question(self, known: StoredForm, source: PageSource, url: str) -> Iterator[Request]:
        if known.form.source == "opensearch":
            page = Page(url, text=known.form.text, language=known.form.language)
        else:
            page = read_page(source.body, url, content_type=source.content_type, want_blocks=True)
        if self._forbids(page):
            self._kept(known.site, known.form, nofollow=True)
            return
        self._knowledge.begin(known, page)
        yield from self._question(known)

    def _question(self, known: StoredForm, *, is_answering: bool = True) -> Iterator[Request]:
        """Yield the next question to a form, or note that it has been asked enough; is_answering: its site did a moment ago."""
        if is_answering and (again := self._asked_for_again(known)) is not None:
            yield again
            return
        if known.state == "done":
            return
        knowledge = self._known(known)
        if why := self._reason_to_end(known, knowledge):
            self._state.forms.end(known.id, why)
            return
        if known.queries >= self._queries:
            yield from self._ended(known, f"asked {known.queries} times", for_now=True)
            return
        planned = self._knowledge.planned(known)
        if not planned.can_be_filled:
            self._state.forms.end(known.id, f"it cannot be filled in: {'; '.join(planned.obstacles)}")
            return
        try:
            request = self._probe(known, knowledge, planned) or self._wanted(known, knowledge, planned)
        except UnreadableForm as error:
            self._state.forms.end(known.id, str(error))
            return
        if request is None:
            yield from self._ended(known, knowledge.asking.why_not or "nothing left to ask")
            return
        yield request

    def _ended(self, known: StoredForm, why: str, *, for_now: bool = False) -> Iterator[Request]:
        """Yield the request for a page that an answer lacks, if there is one; else note why the form is not asked any more, as long as that holds."""
        if (again := self._asked_for_again(known)) is not None:
            yield again
            return
        if owed := sum(page.form == known.id for page in self._owed.values()):
            why = f"{why}; {owed} {'page' if owed == 1 else 'pages'} of its answers did not come"
        self._state.forms.end(known.id, why, for_now=for_now or owed > 0)

    def _reason_to_end(self, known: StoredForm, knowledge: LearnedAboutForm) -> str:
        """Return why a form is not asked any more, or nothing."""
        if knowledge.confirmation.stage == "decoy":
            return f"it does not search: {knowledge.confirmation.why}"
        if knowledge.missing >= MOST_MISSING:
            return f"its last {knowledge.missing} answers say that there is no such page"
        if knowledge.finds_what_is_known and known.queries >= FEWEST_QUERIES:
            return "it finds what other forms of its site found before"
        return ""

    def _probe(self, known: StoredForm, knowledge: LearnedAboutForm, planned: QueryPlan) -> Request | None:
        """Return a question for a word that does not exist, where there is a doubt."""
        probe = knowledge.confirmation.next_probe
        if not probe or known.verdict.query_box is None or known.id in self._again:
            return None  # what did not come may be the answer to it
        for filled in islice(fillings(planned, probe), 1):
            query = self._filled_in(known, probe, filled)
            if self._can_be_asked(known, query):
                self._stats.inc_value("hiddenweb/queries/probes")
                return self._planned(known, knowledge, query, f"in doubt: {knowledge.confirmation.why}")
        self._unanswered(known, probe)
        return None

    def _wanted(self, known: StoredForm, knowledge: LearnedAboutForm, planned: QueryPlan) -> Request | None:
        """Return the best question whose address may be asked for; most often it is the first."""
        for _ in range(MOST_TRIES):
            wanted = knowledge.asking.next()
            if wanted is None:
                return None
            for filled in self._ways(known, wanted, planned):
                word = self._as_written(known, wanted.words) or _in_words(known.form, filled)
                query = self._filled_in(known, word, filled)
                knowledge.asking.asks(wanted._replace(choices=choices_in(planned, query.values)))
                if wanted.goes_on:
                    if request := self._going_on(known, knowledge, query):
                        return request
                    knowledge.asking.failed()
                elif self._can_be_asked(known, query):
                    return self._planned(known, knowledge, query, wanted.why)
            knowledge.asking.failed()
        return None

    def _ways(self, known: StoredForm, wanted: QueryProposal, planned: QueryPlan) -> Iterator[Filling]:
        """Yield how a question can be filled in, the best way first.

        Where something else must be chosen and nobody says what, the choices take turns: each hides the records of the others.
        """
        word = self._as_written(known, wanted.words)
        if wanted.choices or known.verdict.query_box is None:
            yield filling_of(planned, (word,) if word else (), wanted.choices)
        elif ways := list(fillings(planned, word, most=MOST_TRIES)):
            turn = known.queries % len(ways)
            yield from (*ways[turn:], *ways[:turn])

    def _as_written(self, known: StoredForm, terms: Sequence[str]) -> str:
        """Return words as a record of the form has them, for sites to which case matters."""
        holding = self._known(known).asking.policy.example(terms)
        text = self._state.records.load_text(known.site, holding) if holding is not None else ""
        written = dict(written_in(text))
        return " ".join(written.get(term, term) for term in terms)

    def _filled_in(self, known: StoredForm, word: str, filled: Filling) -> HttpQuery:
        query = submission(known.form, filled, submitter=known.button)
        return replace(query, keyword=word, values=_in_pairs(filled))

    def _can_be_asked(self, known: StoredForm, query: HttpQuery) -> bool:
        return self._state.submissions.can_plan(query) and not self._state.submissions.has(known.id, query)

    def _planned(self, known: StoredForm, knowledge: LearnedAboutForm, query: HttpQuery, why: str) -> Request:
        self._stats.inc_value("hiddenweb/queries/planned")
        question = PlannedQuery(known.id, query, knowledge.to_json(), why, self._not_before(known.site))
        return Request(query.url, meta={"hiddenweb": question}, dont_filter=True)

    def _going_on(self, known: StoredForm, knowledge: LearnedAboutForm, query: HttpQuery) -> Request | None:
        """Return the request for the page at which the reading of an answer was left."""
        left = self._state.submissions.find_unfinished(known.id, query)
        if left is None or not self._state.frontier.can_continue_answer(left.url, left.submission):
            return None
        self._state.submissions.save_unfinished(left.submission, None)
        self._state.forms.save_conversation_state(known.id, knowledge.to_json())
        self._stats.inc_value("hiddenweb/answers/taken_up")
        return _request(
            TaskSeed(left.url, "paging", ASKED, submission=left.submission, page_number=left.page)
        )

    # Answers

    def _answered(self, visit: Fetched) -> Generator[object, None, Fetched | FetchFailure]:
        """Yield what follows from a page of an answer, and return the visit with what it brought."""
        asked, known = self._asked(visit)
        self._owe_no_more(visit.errand)
        if visit.errand.kind == "answer" and not visit.errand.redirects:
            self._asked_at[visit.errand.site] = visit.at
        if visit.page is None and (again := self._asked_once_more(visit, known, asked)) is not None:
            return again
        if visit.redirect is not None:
            return (yield from self._redirected(visit, visit.redirect, asked, known))
        if visit.page is None:
            self._unanswered(known, asked.query.keyword)
            self._broken_off(visit, asked, known)
            yield from self._next_question(visit, known)
            return replace(visit, outcome="error", outcome_why=visit.why)
        before = self._known(known).but(visit.errand.link)
        answer = judge_answer(
            visit.page, visit.status, form=known.form, query=asked.query,
            earlier=self._with_seen(before, visit, visit.page), number=visit.errand.page_number,
            made_up=is_nonsense(asked.query.keyword),
        )  # fmt: skip
        if (target := sent_on(visit.page, answer)) is not None:
            self._stats.inc_value("hiddenweb/answers/sent_on")
            return (
                yield from self._redirected(replace(visit, page=None, redirect=target), target, asked, known)
            )
        if (later := self._to_be_asked_later(visit, known, asked, answer)) is not None:
            return later
        seen = self._state.records.find_known(visit.errand.site, [record.key for record in answer.records])
        if (mirrored := self._mirrored(visit, known, answer, seen)) is not None:
            why = f"it shows the records of form {mirrored} again, under other addresses"
            self._stats.inc_value("hiddenweb/forms/mirrors")
            self._known(known).asking.failed()
            refused = replace(known.verdict, ask=False, refusals=(*known.verdict.refusals, why))
            self._state.forms.save(known.site, known.form, refused, visit.at)
            yield from self._next_form(known.site)
            return replace(visit, outcome="duplicate", outcome_why=why)
        # Whatever is yielded gives others their turn, and with them another page of the same answer: nothing is yielded in between.
        self._learn(known, asked, visit, answer, seen)
        following = self._following(visit, asked, known, answer)
        if answer.form is not None:
            yield from self._met_step(visit, visit.page, answer.form, asked, known)
        yield from self._record_links(visit, answer, seen)
        if following is not None:
            if answer.next is None and answer.case != "duplicate":  # it is asked for by POST
                answer = replace(
                    answer, case="paged", why=f"{len(answer.records)} records, and more on the next page"
                )
            yield following
        else:
            yield from self._next_question(visit, known)
        self._state.forms.save_conversation_state(known.id, self._known(known).to_json())
        if (
            visit.status >= HTTP_ERROR
        ):  # it was read for what it says of the question, and is none of the site's pages
            visit = replace(visit, page=None)
        return replace(
            visit, outcome=answer.case, outcome_why=answer.why, records=answer.records, total=answer.total
        )

    def _asked_once_more(
        self, visit: Fetched, known: StoredForm, asked: Submission, answer: AnswerVerdict | None = None
    ) -> FetchFailure | None:
        """Return a question that was refused for its hidden values or cookies, if it is asked once more with fresh ones."""
        again = self._sessions.heard(visit, known, asked, answer)
        if again is not None:
            self._stats.inc_value("hiddenweb/queries/asked_again")
        return again

    def _to_be_asked_later(
        self, visit: Fetched, known: StoredForm, asked: Submission, answer: AnswerVerdict
    ) -> FetchFailure | None:
        """Return a question that got no answer as missed, if it may get one another time."""
        if answer.case == "blocked":
            return self._blocked(visit, answer)
        return self._asked_too_soon(visit, answer) or self._asked_once_more(visit, known, asked, answer)

    def _blocked(self, visit: Fetched, answer: AnswerVerdict) -> FetchFailure:
        """Return a page that wants to know whether we are human as a question that got no answer; it is asked once more, later."""
        self._stats.inc_value(f"hiddenweb/answers/{answer.case}")
        again = BLOCKED_PAUSE if visit.errand.attempts == 0 else None
        return FetchFailure(
            visit.errand, answer.why, visit.at, again, host_pause=BLOCKED_PAUSE, status=visit.status
        )

    def _asked_too_soon(self, visit: Fetched, answer: AnswerVerdict) -> FetchFailure | None:
        """Return a question as missed for now if its site wants to be left in peace for a while before it; further ones wait as long.

        Whoever explores the site may search as well, so it may be too soon several times. A site that never answers after that means something else.
        """
        errand, wait = visit.errand, answer.wait
        if wait is None or wait.seconds > LONGEST_WAIT or self._in_vain[errand.site] >= MOST_IN_VAIN:
            return None
        if errand.attempts >= MOST_WAITS:
            self._in_vain[errand.site] += 1
            if self._in_vain[errand.site] >= MOST_IN_VAIN:
                self._intervals.pop(errand.site, None)
                return None
        self._stats.inc_value("hiddenweb/answers/too_soon")
        self._intervals[errand.site] = min(wait.interval, LONGEST_WAIT) + 1
        later = wait.seconds + 1 if errand.attempts < MOST_WAITS else None
        return FetchFailure(errand, answer.why, visit.at, later, status=visit.status)

    def _not_before(self, site: int) -> float:
        """Return when a site may be asked again, if it said how much time it wants between two questions."""
        return self._asked_at.get(site, 0.0) + self._intervals[site] if site in self._intervals else 0.0

    def _asked(self, item: Fetched | FetchFailure) -> tuple[Submission, StoredForm]:
        assert item.errand.submission is not None
        asked = self._state.submissions.load(item.errand.submission)
        assert asked is not None
        known = self._state.forms.load(asked.form)
        assert known is not None
        return asked, known

    def _redirected(
        self, visit: Fetched, target: str, asked: Submission, known: StoredForm
    ) -> Generator[object, None, Fetched]:
        if self._state.sites.find_host(target) is None:
            why = f"leads to another site: {target}"
        elif not self._state.frontier.can_become_answer(target, asked.id):
            why = f"leads to a page that is known: {target}"
        elif reason_to_ignore(target, self._rules) or visit.errand.redirects >= self._rules.max_redirects:
            why = f"leads to where we do not go: {target}"
        else:
            return visit
        if is_nonsense(asked.query.keyword):
            self._confirm(known, asked, AnswerVerdict("error", why))
        self._broken_off(visit, asked, known)
        yield from self._next_question(visit, known)
        return replace(visit, outcome="duplicate", outcome_why=why)

    def _with_seen(self, before: EarlierAnswers, visit: Fetched, page: Page) -> EarlierAnswers:
        keys = [record.key for record in records_in(page)]
        return replace(before, keys=frozenset(self._state.records.find_known(visit.errand.site, keys)))

    def _mirrored(
        self, visit: Fetched, known: StoredForm, answer: AnswerVerdict, seen: set[str]
    ) -> int | None:
        """Return the form whose records the first answer of another one shows again, if there is one."""
        if self._known(known).met or visit.errand.page_number > 1 or known.verdict.by_hand == "allow":
            return None
        new = [record for record in answer.records if record.key not in seen]
        titles = titles_to_compare(new)
        if len(new) < len(answer.records) / 2 or not titles:
            return None
        others = self._state.records.find_in_other_forms(known.site, known.id, titles)
        return next((form for form, told in others.items() if shows_again(new, told)), None)

    def _learn(
        self, known: StoredForm, asked: Submission, visit: Fetched, answer: AnswerVerdict, seen: set[str]
    ) -> None:
        knowledge = self._known(known)
        is_first = visit.errand.page_number == 1
        is_wide = known.verdict.query_box is not None and not asks_for_words(
            known.form, known.verdict.query_box, asked.query.values
        )
        if is_first and not is_wide:  # whether a form searches is shown by its answers to words
            self._confirm(known, asked, answer)
            knowledge.missing = knowledge.missing + 1 if answer.missing else 0
        if not is_nonsense(asked.query.keyword):
            question = self._knowledge.asked(known, asked.query.keyword, asked.query.values)
            knowledge.asking.reads(*question, further_page=not is_first)
            self._learn_records(knowledge, answer, seen)
        if is_first and answer.suggestion:
            knowledge.asking.suggest(answer.suggestion)
        self._learn_values(known, asked, answer, is_first=is_first)
        assert visit.page is not None
        knowledge.before = replace(after(knowledge.before, visit.page, answer), keys=frozenset())
        if answer.has_records:
            knowledge.remember_answer(answer.signature, visit.errand.link)

    def _learn_records(self, knowledge: LearnedAboutForm, answer: AnswerVerdict, seen: set[str]) -> None:
        language = knowledge.asking.language
        records = [
            (
                text_hash(record.key),
                RecordWords(record.title, record.text, record.attributes, language=language),
            )
            for record in answer.records
        ]
        knowledge.met += knowledge.asking.read(records, answer.total)
        knowledge.new_to_site += sum(record.key not in seen for record in answer.records)

    def _confirm(self, known: StoredForm, asked: Submission, answer: AnswerVerdict) -> None:
        """Learn from the first page of an answer whether the form searches at all."""
        word, keys = asked.query.keyword, [record.key for record in answer.records]
        # a form that comes again because it found too much searches, and wants no more than another word
        case = (
            "nothing_found"
            if answer.case == "form_again" and (answer.total or answer.too_many)
            else answer.case
        )
        if answer.form is not None and judge(answer.form, post_hosts=self._post_hosts).ask:
            case = "nothing_found"  # a first step has no records, and searches all the same
        with self._counted(known) as confirmation:
            if known.verdict.query_box is None:
                confirmation.chosen(word, case, keys)
            else:
                said = said_besides(word, (record.text for record in answer.records))
                confirmation.answered(word, case, keys, answer.holding, signature=answer.signature, said=said)

    def _unanswered(self, known: StoredForm, word: str) -> None:
        """Note that a question got no answer: if it was to settle a doubt, something else has to."""
        with self._counted(known) as confirmation:
            confirmation.unanswered(word)

    @contextmanager
    def _counted(self, known: StoredForm) -> Iterator[DecoyTest]:
        """Give the confirmation of a form to learn from, and count what came of it; a form that is confirmed twice counts once."""
        confirmation = self._known(known).confirmation
        before, held, insisted = confirmation.stage, confirmation.held, confirmation.insists
        yield confirmation
        if confirmation.insists and not insisted:
            self._knowledge.plan_again(known)
        if confirmation.stage == before:
            return
        if confirmation.stage == "confirmed" and not held:
            self._stats.inc_value("hiddenweb/forms/confirmed")
        elif confirmation.stage == "decoy":
            self._stats.inc_value("hiddenweb/forms/decoy")

    def _learn_values(
        self, known: StoredForm, asked: Submission, answer: AnswerVerdict, *, is_first: bool
    ) -> None:
        """Tell the labelled values what became of those that were filled in, and what records say of themselves."""
        pairs = (pair for record in answer.records for pair in record.pairs)
        self._values.learn_pairs(pairs, known.domain, language=known.form.language)
        if is_first:
            planned = self._knowledge.planned(known)
            for label, value in uses(planned, dict(asked.query.values)):
                (self._values.succeeded if answer.records else self._values.failed)(label, value)
        self._keep_values()

    def _keep_values(self) -> None:
        for subject, row in self._values.changes():
            self._state.knowledge.put(VALUES, subject, row)

    def _record_links(self, visit: Fetched, answer: AnswerVerdict, seen: set[str]) -> Iterator[Request]:
        """Yield a request for the page of every new record, if such pages say more than answers do.

        Its address may carry the question, its key does not.
        """
        asked = (
            self._state.submissions.load(visit.errand.submission)
            if visit.errand.submission is not None
            else None
        )
        assert visit.page is not None
        assert asked is not None
        if self._forbids(visit.page):
            return
        are_wanted = self._details.are_wanted(asked.form)
        unwanted = {link.url for link in visit.page.links if link.nofollow} if self._is_strict else ()
        for record in answer.records:
            if record.url is None or record.url == visit.url or record.url in unwanted:
                continue
            if record.key in seen or reason_to_ignore(record.url, self._rules):
                continue
            if not are_wanted:
                self._stats.inc_value("hiddenweb/details/spared")
                continue
            if record.key.startswith("http") and self._state.frontier.is_known(record.key):
                if self._chosen is not None:
                    self._details.adopt(record.key, asked.id)
                continue
            link = TaskSeed(
                record.url, "record", self._details.bucket(asked.form), visit.errand.hops + 1, parent=visit.errand.link,
                submission=visit.errand.submission,
            )  # fmt: skip
            if visit.page.nofollow:
                self._stats.inc_value("hiddenweb/nofollow/records")
            yield _request(link)

    def _following(
        self, visit: Fetched, asked: Submission, known: StoredForm, answer: AnswerVerdict
    ) -> Request | None:
        """Return the request for the next page of an answer, if there is one that is worth it; else the answer is over."""
        if is_nonsense(asked.query.keyword):
            return None
        asking = self._known(known).asking
        if answer.case in ("error", "another_form"):
            self._broken_off(visit, asked, known)
            return None
        following = self._next_page(visit, answer) or self._next_page_by_post(visit, answer)
        if following is None:
            asking.ended(cut=answer.case in ("part", "paged", "form_again"))
        elif visit.errand.page_number % self._pages and self._goes_on(visit, known, answer):
            if answer.next is None:
                self._stats.inc_value("hiddenweb/queries/pages_by_post")
            self._note_coverage(known)
            return following
        else:
            self._stats.inc_value("hiddenweb/answers/left")
            if answer.next is not None:
                self._state.submissions.save_unfinished(
                    asked.id, (answer.next.url, visit.errand.page_number + 1)
                )
            asking.ended(had_more=True)
        self._note_coverage(known)
        return None

    def _goes_on(self, visit: Fetched, known: StoredForm, answer: AnswerVerdict) -> bool:
        """Say whether the next page of an answer is worth a request now: answers that an outage interrupted come first."""
        can_return = answer.next is not None
        is_interrupted = visit.errand.submission in self._resumed
        if can_return and known.id in self._again and not is_interrupted:
            return False
        return self._known(known).asking.worth_turning(can_return=can_return)

    def _next_page(self, visit: Fetched, answer: AnswerVerdict) -> Request | None:
        """Return the request for the next page of an answer, if a link leads there that we follow."""
        errand, link = visit.errand, answer.next
        if link is None or not self._state.frontier.can_continue_answer(link.url, errand.submission):
            return None
        if self._state.sites.find_host(link.url) is None or reason_to_ignore(link.url, self._rules):
            return None
        if link.nofollow or (visit.page is not None and visit.page.nofollow):
            if self._is_strict:
                return None
            self._stats.inc_value("hiddenweb/nofollow/answer_pages")
        return _request(_further(errand, link.url))

    def _broken_off(self, item: Fetched | FetchFailure, asked: Submission, known: StoredForm) -> None:
        """Take note that a page of an answer cannot be had: without its first page a question got no answer."""
        if is_nonsense(asked.query.keyword):
            return
        asking = self._known(known).asking
        if isinstance(item, FetchFailure) and not item.refused:
            asking.interrupted()
        elif item.errand.page_number == 1:
            asking.failed()
        else:
            asking.ended(cut=True)

    def _note_coverage(self, known: StoredForm) -> None:
        estimate = self._known(known).asking.estimate()
        if estimate is not None:
            self._state.forms.save_coverage(known.id, estimate.to_json())

    def _next_page_by_post(self, visit: Fetched, answer: AnswerVerdict) -> Request | None:
        """Return the request for the next page of an answer that is asked for by POST, where that is allowed."""
        errand, page = visit.errand, visit.page
        if answer.posting is None or page is None or self._forbids(page):
            return None
        try:
            query = submission(answer.posting.form, submitter=answer.posting.button)
        except UnreadableForm:
            return None
        if (
            query.method != "POST"
            or host(query.url) not in self._post_hosts
            or self._state.sites.find_host(query.url) is None
        ):
            return None
        post = PostSeed(_further(errand, query.url), query.body, query.content_type)
        return Request(query.url, meta={"hiddenweb": post}, dont_filter=True)

    def _next_question(self, item: Fetched | FetchFailure, known: StoredForm) -> Iterator[Request]:
        known = self._state.forms.load(known.id) or known  # the answer may have renewed its hidden values
        if not self._submit or self._state.submissions.has_open(known.id, but=item.errand):
            return
        # one that had its questions for now goes on as well: an answer of its that was left is taken up
        is_open = known.state in ("asking", "asked") or known.id in self._again
        if isinstance(item, Fetched) and is_open and self._gives_way(known):
            yield from self._next_form(known.site, last=known.id)
            return
        question = self._question(known, is_answering=isinstance(item, Fetched))
        if is_open and (requests := self._asked_now(known, question)):
            yield from requests
        else:
            yield from self._next_form(known.site)

    def _gives_way(self, known: StoredForm) -> bool:
        """Say whether a form whose last words brought nothing waits for one of its site that was never asked: that may have more.

        If there is none, a page of the site is explored before its next question: it may have one.
        """
        if known.id in self._again or not self._known(known).asking.is_barren:
            return False
        if self._on_topic is None and self._chosen is None:
            self._state.frontier.explore_next(known.site, LAST)
        return any(other.state == "found" for other in self._state.forms.find_open(self._queries, known.site))

    def _after_silence(self, missed: FetchFailure) -> Generator[object, None, FetchFailure]:
        """Go on after a page of an answer that did not come, and return what becomes of it.

        A form that robots.txt forbids to ask is asked no more; where it allowed an earlier question, it is this one that it forbids: an empty
        query may lead to a list that is closed. Others go on: whether the next question is answered tells an outage from a page that never comes.
        """
        asked, known = self._asked(missed)
        errand = missed.errand
        is_first = not self._known(known).before.answers
        if missed.refused and errand.kind == "answer" and is_first:
            self._state.forms.end(known.id, missed.why)
            yield from self._next_form(known.site)
            return missed
        is_asked_again = self._owe(missed, asked, known)
        if errand.kind == "answer" and not is_asked_again:
            self._unanswered(known, asked.query.keyword)
        self._broken_off(missed, asked, known)
        self._note_coverage(known)
        self._state.forms.save_conversation_state(known.id, self._known(known).to_json())
        self._just_missed = errand.link
        requests = list(self._next_question(missed, known))
        self._just_missed = None
        yield from requests
        if not is_asked_again or requests:
            self._counted_missed.add(errand.link)
            return missed
        self._take_from_waiting(known.id, errand.link)
        return replace(missed, retry_in=0.0)  # its host is paused for longer with every failure

    # What the site owes us

    def _know_what_is_owed(self) -> None:
        """Take up the pages of answers that did not come in earlier crawls."""
        for page in self._state.submissions.find_missing_pages():
            if not self._state.sites.is_left(page.site):
                self._owed[page.link] = page
                self._again.setdefault(page.form, deque()).append(page.link)

    def _owe(self, missed: FetchFailure, asked: Submission, known: StoredForm) -> bool:
        """Note that a page of an answer did not come; say whether it is asked for again in this crawl."""
        errand = missed.errand
        if missed.refused:
            return False
        if asked.state == "sent" or self._was_sent_for_page(errand):
            self._stats.inc_value("hiddenweb/answers/lost")
            return False
        if errand.link not in self._owed:
            self._stats.inc_value("hiddenweb/answers/interrupted")
        self._owed[errand.link] = MissingAnswerPage(errand.link, known.id, known.site)
        self._count_owed()
        is_asked_again = missed.may_pass and self._times_again[errand.link] < MOST_AGAIN
        if is_asked_again:
            self._again.setdefault(known.id, deque()).append(errand.link)
        return is_asked_again

    def _owe_no_more(self, errand: CrawlTask) -> None:
        if self._owed.pop(errand.link, None) is not None:
            self._resumed.add(errand.submission)
            if errand.link in self._counted_missed:
                self._counted_missed.discard(errand.link)
                self._stats.inc_value("hiddenweb/frontier/missed", -1)
            self._stats.inc_value("hiddenweb/answers/resumed")
            self._count_owed()

    def _asked_for_again(self, known: StoredForm) -> Request | None:
        """Return the request for a page that an answer of the form lacks, if there is one that may come now."""
        waiting = self._again.get(known.id, ())
        link = next((link for link in waiting if link != self._just_missed), None)
        if link is None:
            return None
        self._take_from_waiting(known.id, link)
        return Request(known.form.action, meta={"hiddenweb": RetriedTask(link)}, dont_filter=True)

    def _take_from_waiting(self, form: int, link: int) -> None:
        self._again[form].remove(link)
        if not self._again[form]:
            del self._again[form]
        self._times_again[link] += 1
        self._stats.inc_value("hiddenweb/answers/asked_again")

    def _count_owed(self) -> None:
        self._stats.set_value("hiddenweb/answers/not_come", len(self._owed))

    def _known(self, known: StoredForm) -> LearnedAboutForm:
        """Return what is known of a form; one that an earlier version asked is known from its page, its ledger and its records."""
        knowledge = self._knowledge.of(known)
        if knowledge is not None:
            return knowledge
        source, url = self._state.pages.load_source(known.form.page_url), known.form.page_url
        if source is None:
            return self._knowledge.begin(known, Page(url, text=known.form.text, language=known.form.language))
        return self._knowledge.begin(
            known, read_page(source.body, url, content_type=source.content_type, want_blocks=True)
        )


def _further(errand: CrawlTask, url: str) -> TaskSeed:
    """Return the link to the page of an answer that follows one."""
    return TaskSeed(
        url, "paging", ASKED, errand.hops, parent=errand.link, submission=errand.submission,
        page_number=errand.page_number + 1,
    )  # fmt: skip


def _request(link: TaskSeed) -> Request:
    return Request(link.url, meta={"hiddenweb": link}, dont_filter=True)


def _asks_the_same(form: Form, verdict: Verdict, other: StoredForm) -> bool:
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
