"""Turning forms into questions, and answers into the next question.

A form that may be asked gets one question at a time. When the answer has been read, with as many of its pages as we
follow, the next question is chosen from what the records taught. So what is asked depends on what was answered, and
after a kill there is at most one question per form to take up again.

Everything needed for that is in the state before the page of the answer counts as done; a page that is fetched twice
because of a kill finds its question asked already.
"""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals

from hiddenweb.exploring.frontier import ASKED, Rules, reason_to_ignore
from hiddenweb.forms.classifier import judge
from hiddenweb.forms.keywords import KeywordChooser
from hiddenweb.forms.submission import UnreadableForm, submission, text_box
from hiddenweb.identity import host
from hiddenweb.items import Missed, NewLink, Question, Visit
from hiddenweb.page import read_page
from hiddenweb.results.answers import Earlier, after, earlier, judge_answer
from hiddenweb.results.records import records_in
from hiddenweb.storage.sqlite import form_hash, give_back, share

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.items import Form, Page, Query
    from hiddenweb.results.answers import Answer
    from hiddenweb.storage.sqlite import KnownForm, State, Submission

logger = logging.getLogger(__name__)

HELD = 512
"""Forms whose keywords are held in memory."""

FORMS_REMEMBERED = 20_000

LOOK_UP_EVERY = 100
"""Forms between two looks at what was worth asking elsewhere."""

MOST_TRIES = 20
"""Words tried for one question, should their addresses be taken."""


class FormSubmissionMiddleware:
    """Judges the forms of every page, asks those that may be asked, and reads the answers."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        middleware = cls(
            share(Path(settings["HIDDENWEB_STATE"])),
            crawler.stats,
            submit=settings.getbool("HIDDENWEB_SUBMIT"),
            queries=settings.getint("HIDDENWEB_QUERIES_PER_FORM"),
            pages=settings.getint("HIDDENWEB_PAGES_PER_ANSWER"),
            post_hosts=frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
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
    ) -> None:
        self._state = state
        self._stats = stats
        self._submit = submit
        self._queries = queries
        self._pages = pages
        self._post_hosts = post_hosts
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
                for request in self._take_up(known):
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
                item = yield from self._answered(item)
            elif item.page is not None and item.page.forms:
                yield from self._found(item, item.page)
        elif isinstance(item, Missed) and item.errand.submission is not None:
            item = self._never_sent_again(item)
            if item.retry_in is None:
                yield from self._after_silence(item)
        yield item

    def _never_sent_again(self, missed: Missed) -> Missed:
        """Return what became of a question; one that was sent by POST is not tried again."""
        asked, _ = self._asked(missed)
        return replace(missed, retry_in=None) if asked.state == "sent" else missed

    # Forms

    def _found(self, visit: Visit, page: Page) -> Iterator[Request]:
        site = visit.errand.site
        for form in page.forms:
            met = (site, form_hash(form))
            if met in self._met:
                continue
            known = self._state.find_form(site, form) or self._judged(site, form, page)
            if self._submit and known.ask and known.state == "found":
                if page.nofollow:
                    continue  # it may stand on another page too
                yield from self._first_question(known, visit.body, visit.url)
            if len(self._met) >= FORMS_REMEMBERED:
                self._met.clear()
            self._met.add(met)

    def _judged(self, site: int, form: Form, page: Page) -> KnownForm:
        verdict = judge(form, page_title=page.title, allow_post=host(form.action) in self._post_hosts)
        self._stats.inc_value("hiddenweb/forms/found")
        self._stats.inc_value("hiddenweb/forms/askable" if verdict.ask else "hiddenweb/forms/left_alone")
        number = self._state.keep_form(
            site, form, ask=verdict.ask, purpose=verdict.purpose, why="; ".join(verdict.why), at=time.time()
        )
        known = self._state.form(number)
        assert known is not None
        return known

    def _judge_again(self) -> None:
        """Judge forms anew that were left alone because they are sent by POST, where that is allowed by now."""
        if not self._post_hosts:
            return
        for known in self._state.left_forms("POST"):
            if host(known.form.action) in self._post_hosts:
                verdict = judge(known.form, allow_post=True)
                self._state.keep_form(
                    known.site, known.form, ask=verdict.ask, purpose=verdict.purpose, why="; ".join(verdict.why),
                    at=time.time(),
                )  # fmt: skip

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

    def _first_question(self, known: KnownForm, source: bytes, url: str) -> Iterator[Request]:
        page = read_page(source, url, want_blocks=True)
        if page.nofollow:
            return
        chooser = KeywordChooser(page.language, repository=self._repository())
        chooser.learn(page.text)
        self._hold(known.id, Knowledge(chooser, earlier(page)))
        yield from self._question(known)

    def _question(self, known: KnownForm) -> Iterator[Request]:
        """Yield the next question to a form, or note that it has been asked enough."""
        if known.queries >= self._queries:
            self._state.end_form(known.id, f"asked {known.queries} times", for_now=True)
            return
        knowledge = self._knowledge(known)
        try:
            query = self._next_query(known, knowledge.chooser)
        except UnreadableForm as error:
            self._state.end_form(known.id, str(error))
            return
        if query is None:
            self._state.end_form(known.id, "nothing left to ask")
            return
        self._stats.inc_value("hiddenweb/queries/planned")
        question = Question(known.id, query, _written(knowledge))
        yield Request(query.url, meta={"hiddenweb": question}, dont_filter=True)

    def _next_query(self, known: KnownForm, chooser: KeywordChooser) -> Query | None:
        """Return the query for the best word whose address may be asked for; most often it is the first."""
        box = text_box(known.form)
        for _ in range(MOST_TRIES if box is not None else 0):
            word = chooser.next()
            if word is None:
                return None
            query = replace(submission(known.form, {box.name: word}), keyword=word) if box else None
            if query is not None and self._state.can_be_asked(query):
                return query
        return None

    # Answers

    def _answered(self, visit: Visit) -> Generator[object, None, Visit]:
        """Yield what follows from a page of an answer, and return the visit with what it brought."""
        asked, known = self._asked(visit)
        if visit.redirect is not None:
            return (yield from self._redirected(visit, visit.redirect, known))
        if visit.page is None:
            yield from self._next_question(visit, known)
            return replace(visit, outcome="error", outcome_why=visit.why)
        before = self._knowledge(known).but(visit.errand.link)
        answer = judge_answer(
            visit.page, visit.status, form=known.form, query=asked.query,
            earlier=self._with_seen(before, visit, visit.page), number=visit.errand.page_number,
        )  # fmt: skip
        seen = self._state.known_records(visit.errand.site, [record.key for record in answer.records])
        self._learn(known, asked, visit, answer, seen)
        yield from self._record_links(visit, answer, seen)
        following = self._following(visit, answer)
        if following is not None:
            yield following
        else:
            yield from self._next_question(visit, known)
        return replace(
            visit, outcome=answer.case, outcome_why=answer.why, records=answer.records, total=answer.total
        )

    def _asked(self, item: Visit | Missed) -> tuple[Submission, KnownForm]:
        assert item.errand.submission is not None
        asked = self._state.submission(item.errand.submission)
        assert asked is not None
        known = self._state.form(asked.form)
        assert known is not None
        return asked, known

    def _redirected(self, visit: Visit, target: str, known: KnownForm) -> Generator[object, None, Visit]:
        if self._state.host_of(target) is None:
            why = f"leads to another site: {target}"
        elif self._state.is_known(target):
            why = f"leads to a page that is known: {target}"
        elif reason_to_ignore(target, self._rules) or visit.errand.redirects >= self._rules.max_redirects:
            why = f"leads to where we do not go: {target}"
        else:
            return visit
        yield from self._next_question(visit, known)
        return replace(visit, outcome="duplicate", outcome_why=why)

    def _with_seen(self, before: Earlier, visit: Visit, page: Page) -> Earlier:
        keys = [record.key for record in records_in(page)]
        return replace(before, keys=frozenset(self._state.known_records(visit.errand.site, keys)))

    def _learn(
        self, known: KnownForm, asked: Submission, visit: Visit, answer: Answer, seen: set[str]
    ) -> None:
        knowledge = self._knowledge(known)
        if answer.records:
            knowledge.chooser.learn_records(
                record.text for record in answer.records if record.key not in seen
            )
        elif visit.errand.page_number == 1:
            knowledge.chooser.refused(asked.query.keyword)
        assert visit.page is not None
        knowledge.before = replace(after(knowledge.before, visit.page, answer), keys=frozenset())
        if answer.has_records:
            knowledge.brought.setdefault(answer.signature, visit.errand.link)
        self._state.keep_chooser(known.id, _written(knowledge))

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
        _, known = self._asked(missed)
        if missed.refused and missed.errand.kind == "answer":
            self._state.end_form(known.id, missed.why)
            return
        yield from self._next_question(missed, known)

    # Knowledge

    def _repository(self) -> list[str]:
        """Return words that brought records elsewhere; they are looked up once in a while."""
        if self._asked_for_words % LOOK_UP_EVERY == 0:
            self._good_words = self._state.good_keywords()
        self._asked_for_words += 1
        return self._good_words

    def _knowledge(self, known: KnownForm) -> Knowledge:
        if known.id not in self._held:
            self._hold(known.id, _read(known.chooser, self._repository()))
        self._held.move_to_end(known.id)
        return self._held[known.id]

    def _hold(self, form: int, knowledge: Knowledge) -> None:
        self._held[form] = knowledge
        self._held.move_to_end(form)
        if len(self._held) > HELD:
            self._held.popitem(last=False)


@dataclass(slots=True)
class Knowledge:
    """What was learnt about a form: what to ask next, and what its answers were."""

    chooser: KeywordChooser
    before: Earlier
    brought: dict[int, int] = field(
        default_factory=dict
    )  # the signature of an answer: the link that brought it

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
        [knowledge.chooser.to_json(), list(knowledge.brought.items()), fingerprint, known], ensure_ascii=False
    )


def _read(written: str, repository: list[str]) -> Knowledge:
    chooser, brought, fingerprint, known = json.loads(written)
    sets = {name: frozenset(known[name]) for name in _KEPT}
    before = Earlier(
        answers=frozenset(signature for signature, _ in brought), page_fingerprint=fingerprint, **sets
    )
    return Knowledge(KeywordChooser.from_json(chooser, repository=repository), before, dict(brought))
