"""Conversations in memory: for tests, benchmarks, and queries to a form without a crawl.

In addition to the store of a conversation this is also its frontier: it leases the waiting tasks, best first, and takes their results.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from hiddenweb.forms.stored_form import (
    PagePost,
    StoredForm,
    Submission,
    form_hash,
    query_hash,
    values_as_json,
)
from hiddenweb.forms.verdict import NOFOLLOW, is_outside, refuse_outside
from hiddenweb.frontier.address_scope import EVERYWHERE
from hiddenweb.frontier.scope import FIRST, LAST, QUERIES
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, TaskSeed
from hiddenweb.querying.conversation_store import (
    KnownRecord,
    MissingAnswerPage,
    SubmissionLine,
    UnfinishedAnswer,
)
from hiddenweb.urls import canonical_url, host, registered_domain, text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.model import Form, HttpQuery, PlannedQuery, PostSeed, Record, Verdict
    from hiddenweb.querying.conversation_store import PageSource

GOOD_KEYWORDS = 50
"""The most keywords in `list_good_keywords`: as many as in the store of a crawl; a limit of taste."""

_ANSWERS = ("answer", "paging")
_OPEN = ("waiting", "leased")


@dataclass(slots=True)
class _Link:
    """A task, and its state: waiting, leased, done or missed."""

    task: CrawlTask
    bucket: int
    state: str = "waiting"
    post: PagePost | None = None  # what is sent for a further page of an answer, if it is not fetched by GET


@dataclass(slots=True)
class _LedgerRow:
    """A submission, and its results."""

    submission: Submission
    outcome: str = ""
    new: int = 0
    known: int = 0  # records
    total: int | None = None
    left: tuple[str, int] | None = None


@dataclass(slots=True)
class _RecordRow:
    """A record, the form that was the first to find it, and how often it was shown."""

    record: Record
    form: int
    times: int = 1


class MemoryForms:
    """The FormKeeper in memory."""

    def __init__(self) -> None:
        self._sites: dict[str, int] = {}
        self._forms: dict[int, StoredForm] = {}
        self._relevant: dict[tuple[int, str], bool] = {}

    def add_site(self, url: str) -> int:
        """Add a site to the crawl; return its number."""
        return self._sites.setdefault(registered_domain(url), len(self._sites) + 1)

    def load_form(self, number: int) -> StoredForm | None:
        return self._forms.get(number)

    def find_form(self, site: int, form: Form) -> StoredForm | None:
        identity = form_hash(form)
        return next((stored for stored in self.list_forms(site) if form_hash(stored.form) == identity), None)

    def list_forms(self, site: int) -> list[StoredForm]:
        return [stored for stored in self._forms.values() if stored.site == site]

    def list_open_forms(self, queries: int, site: int | None = None) -> list[StoredForm]:
        found = [
            stored
            for stored in self._forms.values()
            if stored.verdict.may_submit
            and site in (None, stored.site)
            and (
                stored.state in ("found", "querying")
                or (stored.state == "queried" and stored.queries < queries)
            )
        ]
        return sorted(found, key=lambda stored: (stored.state != "querying", stored.id))

    def list_forms_to_judge(
        self, post_hosts: Collection[str], *, nofollow: bool, scope: AddressScope = EVERYWHERE
    ) -> list[StoredForm]:
        return [
            stored
            for stored in self._forms.values()
            if not stored.verdict.why
            or (nofollow and NOFOLLOW in stored.verdict.refusals)
            or is_outside(stored.verdict)
            or is_outside(refuse_outside(stored.form, stored.verdict, scope))
            or (
                stored.as_sent.method == "POST"
                and stored.verdict.may_submit != (host(stored.as_sent.action) in post_hosts)
            )
        ]

    def save_form(self, site: int, form: Form, verdict: Verdict, at: float) -> StoredForm:
        stored = self.find_form(site, form)
        if stored is None:
            domain = next(name for name, number in self._sites.items() if number == site)
            state = "found" if verdict.may_submit else "left"
            stored = StoredForm(len(self._forms) + 1, site, form, verdict, state, "", domain=domain, found=at)
        state = "left" if not verdict.may_submit else "found" if stored.state == "left" else stored.state
        return self._update(stored, form=form, verdict=verdict, why=verdict.summary, state=state)

    def renew_form(self, number: int, form: Form) -> None:
        self._update(self._forms[number], form=form)

    def end_form(self, number: int, why: str, *, for_now: bool = False) -> None:
        self._update(self._forms[number], state="queried" if for_now else "done", why=why)

    def save_conversation(self, form: int, state: str) -> None:
        self._update(self._forms[form], conversation_state=state)

    def save_coverage(self, form: int, coverage: str) -> None:
        self._update(self._forms[form], coverage=coverage)

    def _update(self, stored: StoredForm, **values: object) -> StoredForm:
        self._forms[stored.id] = replace(stored, **values)  # type: ignore[arg-type]
        return self._forms[stored.id]

    def is_relevant(self, form: int, topic: str) -> bool:
        return self._relevant.get((form, topic), False)

    def save_relevance(self, form: int, topic: str, near: float, *, relevant: bool) -> None:  # noqa: ARG002
        self._relevant[form, topic] = relevant


class MemoryConversationStore(MemoryForms):
    """The ConversationStore in memory, and the frontier that goes with it."""

    def __init__(self) -> None:
        super().__init__()
        self._links: dict[int, _Link] = {}  # by the identity of a request
        self._numbers = count(1)
        self._ledger: dict[int, _LedgerRow] = {}
        self._records: dict[tuple[int, int], _RecordRow] = {}
        self._pages: dict[int, PageSource] = {}  # by the identity of a request
        self._knowledge: dict[tuple[str, str], str] = {}

    # The frontier

    def lease(self, kinds: Collection[str] = ("page", "answer", "paging", "record")) -> CrawlTask | None:
        """Lease the best waiting task of some kinds; None if none waits."""
        waiting = [
            link for link in self._links.values() if link.state == "waiting" and link.task.kind in kinds
        ]
        if not waiting:
            return None
        first = min(waiting, key=lambda link: (link.bucket, link.task.link))
        first.state = "leased"
        return self._attach_query(first)

    def _attach_query(self, link: _Link) -> CrawlTask:
        """Return a task with the query that led to it, which whoever fetches it has to send."""
        if link.task.submission is None:
            return link.task
        submission, post = self._ledger[link.task.submission].submission, link.post
        query = submission.query
        if link.task.kind == "paging":
            method, body, content_type = ("POST", post.body, post.content_type) if post else ("GET", b"", "")
            query = replace(query, method=method, url=link.task.url, body=body, content_type=content_type)
        return replace(link.task, form=submission.form, query=query)

    def finish(self, result: Fetched | FetchFailure) -> None:
        """Store the result of a task, as the pipelines of a crawl do: its page, its records, and how its submission was answered."""
        identity, link = next(
            (identity, link) for identity, link in self._links.items() if link.task.link == result.task.link
        )
        row = self._ledger.get(result.task.submission or 0)
        if isinstance(result, FetchFailure):
            link.state = "waiting" if result.retry_in is not None else "missed"
            link.task = replace(link.task, attempts=link.task.attempts + result.counts)
            if row is not None and result.task.kind == "answer" and link.state == "missed":
                row.submission = replace(row.submission, state="failed")
            return
        link.state = "done"
        if result.redirect is not None and not result.outcome:
            self._follow_redirect(result.task, result.redirect)
        elif result.page is not None:
            self._pages[identity] = (result.body, result.content_type)
        if row is not None and result.outcome:
            self._note_answer(row, result)

    def _follow_redirect(self, task: CrawlTask, target: str) -> None:
        self.add_task(
            TaskSeed(
                target, task.kind, QUERIES, task.hops, task.redirects + 1, task.link, task.submission, task.page_number
            )
        )  # fmt: skip

    def _note_answer(self, row: _LedgerRow, result: Fetched) -> None:
        row.outcome = row.outcome or result.outcome
        row.total = result.total if row.total is None else row.total
        row.submission = replace(row.submission, state="answered")
        new_before = row.new
        for record in result.records:
            key = (result.task.site, text_hash(record.key))
            if key in self._records:
                self._records[key].times += 1
                row.known += 1
            else:
                self._records[key] = _RecordRow(record, row.submission.form)
                row.new += 1
        stored = self._forms[row.submission.form]
        self._update(stored, records=stored.records + row.new - new_before)

    # Submissions

    def load_submission(self, number: int) -> Submission | None:
        row = self._ledger.get(number)
        return row.submission if row is not None else None

    def plan_query(self, planned: PlannedQuery) -> bool:
        if self.was_submitted(planned.form, planned.query):
            return False
        number = len(self._ledger) + 1
        self._ledger[number] = _LedgerRow(Submission(number, planned.form, planned.query, "planned"))
        stored = self._forms[planned.form]
        self._update(stored, state="querying", queries=stored.queries + 1)
        seed = TaskSeed(planned.query.url, "answer", QUERIES, submission=number)
        self._links.pop(query_hash(planned.query), None)  # a link there is read as an answer from now on
        return self._add(query_hash(planned.query), seed)

    def was_submitted(self, form: int, query: HttpQuery) -> bool:
        return self._find_row(form, query) is not None

    def _find_row(self, form: int, query: HttpQuery) -> _LedgerRow | None:
        identity = (form, query.keyword, values_as_json(query.values))
        for row in self._ledger.values():
            submission = row.submission
            if (
                submission.form,
                submission.query.keyword,
                values_as_json(submission.query.values),
            ) == identity:
                return row
        return None

    def is_in_conversation(self, form: int, but: CrawlTask | None = None) -> bool:
        submissions = {row.submission.id for row in self._ledger.values() if row.submission.form == form}
        if any(
            self._ledger[number].submission.state in ("planned", "sent")
            for number in submissions
            if but is None or number != but.submission
        ):
            return True
        return any(
            link.task.submission in submissions
            and link.state in _OPEN
            and link.task.kind in _ANSWERS
            and (but is None or link.task.link != but.link)
            for link in self._links.values()
        )

    def list_submissions(self, form: int) -> list[SubmissionLine]:
        lines = []
        for number, row in self._ledger.items():
            submission = row.submission
            if submission.form == form and submission.state in ("answered", "failed", "unknown"):
                is_left = row.left is not None or any(
                    link.task.submission == number and link.task.kind == "paging" and link.state == "missed"
                    for link in self._links.values()
                )
                lines.append(
                    SubmissionLine(
                        submission.query.keyword, submission.query.values, row.outcome, row.new + row.known, row.new, row.total,
                        is_left, submission.state == "answered",
                    )
                )  # fmt: skip
        return lines

    def find_unfinished(self, form: int, query: HttpQuery) -> UnfinishedAnswer | None:
        row = self._find_row(form, query)
        return UnfinishedAnswer(row.submission.id, *row.left) if row is not None and row.left else None

    def save_unfinished(self, submission: int, place: tuple[str, int] | None) -> None:
        self._ledger[submission].left = place

    def list_good_keywords(self) -> list[str]:
        new_records: Counter[str] = Counter()
        for row in self._ledger.values():
            new_records[row.submission.query.keyword] += row.new
        ranked = sorted((-new, keyword) for keyword, new in new_records.items() if new)
        return [keyword for _, keyword in ranked[:GOOD_KEYWORDS]]

    def list_missing_pages(self) -> list[MissingAnswerPage]:
        missed = [link.task for link in self._links.values() if link.state == "missed"]
        found = [
            (task, self._ledger[task.submission or 0].submission) for task in missed if task.kind in _ANSWERS
        ]
        return [
            MissingAnswerPage(task.link, submission.form, task.site)
            for task, submission in found
            if task.kind == "paging" or submission.query.method == "GET"
        ]

    # Tasks

    def add_task(self, seed: TaskSeed) -> bool:
        return self._add(self._identify(seed.url, seed.kind, seed.submission), seed)

    def _add(self, identity: int, seed: TaskSeed, post: PagePost | None = None) -> bool:
        if identity in self._links or not self.is_inside(seed.url):
            return False
        site = self._sites[registered_domain(seed.url)]
        task = CrawlTask(
            next(self._numbers), site, site, seed.url, seed.kind, seed.hops, seed.redirects,
            submission=seed.submission, page_number=seed.page_number,
        )  # fmt: skip
        self._links[identity] = _Link(task, seed.bucket, post=post)
        return True

    def _identify(self, url: str, kind: str, submission: int | None) -> int:
        """Return the number that identifies a request; the same address is another request if it answers another query."""
        number = url_hash(url)
        other = self._links.get(number)
        if kind not in _ANSWERS or other is None or other.task.kind not in _ANSWERS:
            return number
        if other.task.submission == submission or other.task.url == url:
            return number
        return text_hash(f"{canonical_url(url)} {submission}")

    def add_post(self, seed: PostSeed) -> bool:
        identity = text_hash(f"POST {seed.link.url} {seed.body.hex()} {seed.link.submission}")
        return self._add(identity, seed.link, PagePost(seed.body, seed.content_type))

    def retry_task(self, link: int) -> bool:
        for each in self._links.values():
            if each.task.link == link and each.state == "missed":
                each.state = "waiting"
                self._reopen(each.task.submission or 0)
                return True
        return False

    def _reopen(self, submission: int) -> None:
        """Let a failed submission wait for its answer again."""
        row = self._ledger.get(submission)
        if row is not None and row.submission.state == "failed":
            row.submission = replace(row.submission, state="planned")

    def load_post(self, task: CrawlTask) -> PagePost | None:
        return next((link.post for link in self._links.values() if link.task.link == task.link), None)

    def hasten_page(self, site: int) -> None:
        waiting = [
            link
            for link in self._links.values()
            if link.state == "waiting"
            and link.task.site == site
            and link.task.kind in ("page", "sitemap")
            and FIRST <= link.bucket < LAST
        ]
        if waiting:
            min(waiting, key=lambda link: (link.bucket, link.task.link)).bucket = QUERIES

    def is_inside(self, url: str) -> bool:
        return registered_domain(url) in self._sites

    def is_site_left(self, site: int) -> bool:  # noqa: ARG002
        return False

    def is_known(self, url: str) -> bool:
        return url_hash(url) in self._links

    def can_submit(self, query: HttpQuery) -> bool:
        if not self.is_inside(query.url):
            return False
        link = self._links.get(query_hash(query))
        return link is None or (link.state != "missed" and link.task.kind not in _ANSWERS)

    def can_continue(self, url: str, submission: int | None) -> bool:
        link = self._links.get(self._identify(url, "paging", submission))
        return link is None or link.task.kind == "page"

    def can_redirect(self, url: str, submission: int) -> bool:
        return self._identify(url, "answer", submission) not in self._links

    # Records, pages and what was learnt

    def find_records(self, site: int, keys: Sequence[str]) -> set[str]:
        return {key for key in keys if (site, text_hash(key)) in self._records}

    def list_records(self, form: int) -> list[KnownRecord]:
        return [
            KnownRecord(number, row.record.title, row.record.text, tuple(row.record.attributes), row.times)
            for (_, number), row in self._records.items()
            if row.form == form
        ]

    def list_records_of_others(
        self, site: int, form: int, titles: Sequence[str]
    ) -> dict[int, list[tuple[str, str]]]:
        found: dict[int, list[tuple[str, str]]] = {}
        for (place, _), row in self._records.items():
            if place == site and row.form != form and row.record.title in titles:
                found.setdefault(row.form, []).append((row.record.title, row.record.text))
        return found

    def load_record_text(self, site: int, number: int) -> str:
        row = self._records.get((site, number))
        if row is None:
            return ""
        title, text = row.record.title, row.record.text
        return text if title in text else f"{title}\n{text}"

    def load_page(self, url: str) -> PageSource | None:
        return self._pages.get(url_hash(url))

    def load_answer_page(self, submission: int) -> PageSource | None:
        found = [
            self._pages[identity]
            for identity, link in self._links.items()
            if link.task.kind == "answer" and link.task.submission == submission and identity in self._pages
        ]
        return found[-1] if found else None

    def load_knowledge(self, part: str, subject: str) -> str | None:
        return self._knowledge.get((part, subject))

    def list_knowledge(self, part: str) -> list[tuple[str, str]]:
        return sorted((subject, value) for (of, subject), value in self._knowledge.items() if of == part)

    def save_knowledge(self, part: str, subject: str, value: str) -> None:
        self._knowledge[part, subject] = value
        if not value:
            del self._knowledge[part, subject]


class NoRecordPages:
    """The RecordPages for reading answers only."""

    def are_wanted(self, form: int) -> bool:  # noqa: ARG002
        return False

    def choose_bucket(self, form: int) -> int:  # noqa: ARG002
        return QUERIES

    def adopt(self, url: str, submission: int) -> None:
        """Do nothing: there is no exploration."""


class CountedStats:
    """The Stats without a crawl."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}

    def inc_value(self, key: str, count: int = 1) -> None:
        self.values[key] = self.values.get(key, 0) + count

    def set_value(self, key: str, value: float) -> None:
        self.values[key] = value
