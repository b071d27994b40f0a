"""The ledger of queries: which were planned, sent and answered, how many records each found, and where reading its answer stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.forms.stored_form import Submission, query_hash, values_as_json
from hiddenweb.model import HttpQuery, TaskSeed
from hiddenweb.querying.conversation_store import MissingAnswerPage, SubmissionLine, UnfinishedAnswer
from hiddenweb.store.frontier import DONE, LEASED, MISSED, PENDING
from hiddenweb.store.recent_rows import RecentRows
from hiddenweb.store.sqlite_file import LONGEST_REASON

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import CrawlTask
    from hiddenweb.store.forms import FormStore
    from hiddenweb.store.frontier import FrontierStore
    from hiddenweb.store.sites import SiteStore
    from hiddenweb.store.sqlite_file import SqliteFile

_CAN_BE_FETCHED_AGAIN = (
    "(links.kind = 'paging' OR (links.kind = 'answer' AND s.method = 'GET'))"
    " AND links.id NOT IN (SELECT link FROM page_posts WHERE sent IS NOT NULL)"
)


class SubmissionStore:
    """The ledger of a store."""

    def __init__(self, file: SqliteFile, sites: SiteStore, frontier: FrontierStore, forms: FormStore) -> None:
        self._file = file
        self._db = file.db
        self._sites = sites
        self._frontier = frontier
        self._forms = forms
        self._recent: RecentRows[Submission] = RecentRows(file)

    def has_open(self, form: int, but: CrawlTask | None = None) -> bool:
        """Say whether a query to the form, or a further page of an answer, waits or is under way; one task aside."""
        submission, link = (but.submission, but.link) if but else (None, None)
        found = self._db.execute(
            "SELECT 1 FROM submissions WHERE form = ?1 AND state IN ('planned', 'sent') AND id IS NOT ?2"
            " UNION ALL SELECT 1 FROM links JOIN submissions s ON s.id = links.submission"
            " WHERE s.form = ?1 AND links.state IN (0, 1) AND links.id IS NOT ?3 AND links.kind IN ('answer', 'paging')",
            (form, submission, link),
        ).fetchone()
        return found is not None

    def find_good_keywords(self, limit: int = 50) -> list[str]:
        """Return the keywords that found most records so far, in any form."""
        rows = self._db.execute(
            "SELECT keyword FROM submissions WHERE new_records > 0 GROUP BY keyword"
            " ORDER BY sum(new_records) DESC, keyword LIMIT ?",
            (limit,),
        )
        return [row[0] for row in rows]

    def plan(
        self,
        form: int,
        query: HttpQuery,
        conversation_state: str | None,
        at: float,
        *,
        bucket: int = 0,
        reason: str = "",
        not_before: float = 0.0,
    ) -> int | None:
        """Write a query into the ledger and its request, which may have to wait, into the frontier; None if it was submitted before."""
        db = self._file.begin()
        row = db.execute(
            "INSERT OR IGNORE INTO submissions"
            " (form, keyword, filled, method, url, body, content_type, state, planned, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?)",
            (
                form, query.keyword, values_as_json(query.values), query.method, query.url,
                query.body, query.content_type, at, reason[:LONGEST_REASON],
            ),
        )  # fmt: skip
        if row.rowcount < 1:
            return None
        number = int(row.lastrowid or 0)
        self._forms.count_query(form, conversation_state)
        seed = TaskSeed(query.url, "answer", bucket, self._forms.count_hops(form) + 1, submission=number)
        self._frontier.add_query(seed, query_hash(query), not_before)
        return number

    def update_request(self, task: CrawlTask, submission: int, query: HttpQuery) -> None:
        """Give a query that was not sent yet other hidden values; its own values stay the same."""
        db = self._file.begin()
        db.execute(
            "UPDATE submissions SET url = ?, body = ? WHERE id = ? AND state = 'planned'",
            (query.url, query.body, submission),
        )
        db.execute("UPDATE links SET url = ? WHERE id = ?", (query.url, task.link))
        self._recent.forget(submission)

    def can_plan(self, query: HttpQuery) -> bool:
        """Say whether the request of a query can go into the frontier: within the site, not refused or failed."""
        if self._sites.find_host(query.url) is None:
            return False
        link = self._db.execute(
            "SELECT state, kind IN ('page', 'record') FROM links WHERE hash = ?",
            (query_hash(query),),
        ).fetchone()
        return link is None or (link[0] in (PENDING, LEASED, DONE) and bool(link[1]))

    def load(self, number: int) -> Submission | None:
        """Return a query by its number."""
        if (recent := self._recent.find(number)) is not None:
            return recent
        row = self._db.execute(
            "SELECT id, form, filled, keyword, method, url, body, content_type, state"
            " FROM submissions WHERE id = ?",
            (number,),
        ).fetchone()
        if row is None:
            return None
        number, form, filled, keyword, method, url, body, content_type, state = row
        values = tuple((name, value) for name, value in json.loads(filled))
        read = Submission(number, form, HttpQuery(values, keyword, method, url, body, content_type), state)
        self._recent.add(number, read)
        return read

    def attach(self, tasks: Iterable[CrawlTask]) -> list[CrawlTask]:
        """Return tasks, each with the query that led to it: it is read only once, here."""
        return [self._attach(task, task.submission) if task.submission else task for task in tasks]

    def _attach(self, task: CrawlTask, number: int) -> CrawlTask:
        submission = self.load(number)
        if submission is None:
            return task
        query, was_sent = submission.query, submission.state != "planned"
        if task.kind == "paging":
            post = self._frontier.load_post(task)
            method, body, content_type = ("POST", post.body, post.content_type) if post else ("GET", b"", "")
            query = replace(query, method=method, url=task.url, body=body, content_type=content_type)
            was_sent = post is not None and post.sent is not None
        return replace(task, form=submission.form, query=query, was_sent=was_sent)

    def mark_sent(self, submission: int, at: float) -> None:
        """Write into the ledger that a POST is sent, just before it is."""
        self._file.write_durably(
            "UPDATE submissions SET state = 'sent', sent = ? WHERE id = ?", (at, submission)
        )
        self._recent.change(submission, lambda row: replace(row, state="sent"))

    def mark_answered(
        self,
        submission: int,
        outcome: str,
        why: str,
        at: float,
        *,
        total: int | None = None,
    ) -> None:
        """Note how a query was answered; the first page of an answer decides, later ones only count."""
        self._file.begin().execute(
            "UPDATE submissions SET pages = pages + 1, answered = coalesce(answered, ?),"
            " outcome = CASE outcome WHEN '' THEN ? ELSE outcome END, why = CASE why WHEN '' THEN ? ELSE why END,"
            " total = coalesce(total, ?), state = 'answered' WHERE id = ?",
            (at, outcome, why, total, submission),
        )
        self._recent.change(submission, lambda row: replace(row, state="answered"))

    def mark_failed(self, submission: int, why: str) -> None:
        """Note that a query got no answer."""
        self._file.begin().execute(
            "UPDATE submissions SET state = 'failed', why = ? WHERE id = ? AND state IN ('planned', 'sent')",
            (why, submission),
        )
        self._recent.forget(submission)

    def load_lines(self, form: int) -> list[SubmissionLine]:
        """Return the queries of a form, but for the one under way."""
        rows = self._file.rows(
            "SELECT keyword, filled, outcome, new_records, seen_records, total, next_url IS NOT NULL OR EXISTS (SELECT 1 FROM links"
            f" WHERE links.submission = submissions.id AND links.state = {MISSED} AND links.kind = 'paging'), state = 'answered'"
            " FROM submissions WHERE form = ? AND state IN ('answered', 'failed', 'unknown') ORDER BY id",
            (form,),
        )
        return [_ledger_line(cast("tuple[Any, ...]", row)) for row in rows]

    def has(self, form: int, query: HttpQuery) -> bool:
        """Say whether a query is in the ledger."""
        return bool(
            self._file.rows(
                "SELECT 1 FROM submissions WHERE form = ? AND keyword = ? AND filled = ?",
                (form, query.keyword, values_as_json(query.values)),
            )
        )

    def save_unfinished(self, submission: int, place: tuple[str, int] | None) -> None:
        """Store the address and the number of the page at which reading an answer stopped; None: reading continues."""
        url, page = place or (None, None)
        self._file.write(
            "UPDATE submissions SET next_url = ?, next_page = ? WHERE id = ?", (url, page, submission)
        )

    def find_unfinished(self, form: int, query: HttpQuery) -> UnfinishedAnswer | None:
        """Return where reading the answer to a query stopped, if it did."""
        rows = self._file.rows(
            "SELECT id, next_url, next_page FROM submissions"
            " WHERE form = ? AND keyword = ? AND filled = ? AND next_url IS NOT NULL",
            (form, query.keyword, values_as_json(query.values)),
        )
        return UnfinishedAnswer(*cast("tuple[int, str, int]", rows[0])) if rows else None

    def find_missing_pages(self) -> list[MissingAnswerPage]:
        """Return the pages of answers that failed in earlier crawls, but not those sent by POST: these are sent at most once."""
        rows = self._file.rows(
            "SELECT links.id, s.form, hosts.site FROM links JOIN submissions s ON s.id = links.submission"
            f" JOIN hosts ON hosts.id = links.host WHERE links.state = {MISSED} AND {_CAN_BE_FETCHED_AGAIN} ORDER BY links.id"
        )
        return [MissingAnswerPage(*cast("tuple[int, int, int]", row)) for row in rows]

    def retry_page(self, link: int) -> bool:
        """Let a failed page of an answer wait again; say whether it had failed."""
        rows = self._file.write_returning(
            f"UPDATE links SET state = {PENDING}, not_before = 0 WHERE id = ? AND state = {MISSED} RETURNING host, submission",
            (link,),
        )
        for host, submission in cast("list[tuple[int, int]]", rows):
            self._file.write(
                "UPDATE submissions SET state = 'planned', why = '' WHERE id = ? AND state = 'failed'",
                (submission,),
            )
            self._recent.forget(submission)
            self._sites.woken_hosts.add(host)
            self._sites.urgent_hosts.add(host)
        return bool(rows)


def _ledger_line(row: tuple[Any, ...]) -> SubmissionLine:
    keyword, filled, outcome, new, earlier, total, is_unfinished, is_answered = row
    values = tuple((name, value) for name, value in json.loads(filled))
    return SubmissionLine(
        keyword, values, outcome, new + earlier, new, total, bool(is_unfinished), bool(is_answered)
    )
