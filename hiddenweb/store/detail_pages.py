"""Records and their own pages: which record a page belongs to, what it adds, and which pages need not be fetched.

A record has the link to its own page. When that page is read, for whatever reason, its text completes the record. What the
pages of a form's first records add decides whether those of the others are fetched (`hiddenweb.answers.detail_pages`); this is
stored as knowledge, by the number of the form.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from hiddenweb.answers.detail_pages import MOST_FAILED, TRIED, DetailPageOffer, compare, own_text
from hiddenweb.frontier.scope import LAST, QUERIES, RECORDS
from hiddenweb.html.document import parse_document
from hiddenweb.records.own_page import read_statements
from hiddenweb.store.frontier import PENDING, REFUSED, SKIPPED
from hiddenweb.store.versions import newest_content, unpack_content
from hiddenweb.urls import canonical_url, text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from hiddenweb.model import CrawlTask
    from hiddenweb.records.own_page import Statement
    from hiddenweb.store.database import Store

AUTO, ALWAYS, NEVER = POLICIES = ("auto", "always", "never")
"""When the pages of records are fetched: if they say more than the answers; all of them; none."""

HELD = 512
"""Forms whose state is held in memory. A limit of taste."""

_DETAILS = "details"


@dataclass(slots=True)
class _FormState:
    """What the pages of a form's records have shown so far."""

    tried: list[int] = field(default_factory=list)  # records, until there are enough
    adding: int | None = None  # of those, the pages that say more; None until there are enough
    template: frozenset[int] = frozenset()  # lines that the pages share
    failed: int = 0  # pages in a row that could not be read
    queued: int = 0  # by this crawl, to be tried at once

    def to_json(self) -> str:
        return json.dumps([self.tried, self.adding, sorted(self.template), self.failed])

    @classmethod
    def from_json(cls, text: str) -> Self:
        tried, adding, template, failed = json.loads(text)
        return cls(tried, adding, frozenset(template), failed)


class DetailPages:
    """The own pages of records. `on_parse` is called for each stored page that is read again."""

    def __init__(
        self, store: Store, policy: str = AUTO, on_parse: Callable[[], object] | None = None
    ) -> None:
        self._store = store
        self._on_parse = on_parse
        self._policy = policy
        self._forms: OrderedDict[int, _FormState] = OrderedDict()

    # Which pages are fetched

    def are_wanted(self, form: int) -> bool:
        """Say whether the pages of a form's records are fetched."""
        if self._policy != AUTO:
            return self._policy == ALWAYS
        state = self._load_form(form)
        return state.adding != 0 and state.failed < MOST_FAILED

    def choose_bucket(self, form: int) -> int:
        """Return the bucket of a record's page: the first few decide whether the others are fetched, and come at once."""
        state = self._load_form(form)
        if state.adding is not None or state.queued >= TRIED:
            return RECORDS
        state.queued += 1
        return QUERIES

    def adopt(self, url: str, submission: int) -> None:
        """Move a page that waits to be explored to the pages of records, since it is one."""
        self._store.write(
            "UPDATE links SET bucket = ?, submission = ? WHERE hash = ? AND state = ? AND kind = 'page' AND submission IS NULL",
            (RECORDS, submission, url_hash(url), PENDING),
        )

    def skip(self, task: CrawlTask) -> bool:
        """Skip the page of a record if it is not wanted; say whether it was skipped. One that other pages link to waits to be explored."""
        if task.kind not in ("page", "record") or task.submission is None:
            return False
        submission = self._store.submissions.load(task.submission)
        if submission is None or self.are_wanted(submission.form):
            return False
        refused = self._store.write(
            "UPDATE links SET state = ?, why = ? WHERE id = ? AND kind = 'record'",
            (REFUSED, SKIPPED, task.link),
        )
        returned = self._store.write(
            "UPDATE links SET state = ?, bucket = ?, submission = NULL WHERE id = ? AND kind = 'page' AND submission = ?",
            (PENDING, LAST, task.link, task.submission),
        )
        return bool(refused or returned)  # neither if its address has become a query

    # What they add

    def find_record(self, task: CrawlTask) -> int | None:
        """Return the record whose own page a task is for; a page of several records belongs to none."""
        rows = self._store.rows("SELECT id FROM records WHERE link = ? LIMIT 2", (task.link,))
        if not rows:
            rows = self._store.write_returning(
                "UPDATE records SET link = ? WHERE site = ? AND hash = ? AND link IS NULL RETURNING id",
                (task.link, task.site, text_hash(canonical_url(task.url))),
            )
        return cast("int", rows[0][0]) if len(rows) == 1 else None

    def find_record_by_key(self, site: int, key: str) -> int | None:
        """Return the record of a site that has a key."""
        rows = self._store.rows("SELECT id FROM records WHERE site = ? AND hash = ?", (site, text_hash(key)))
        return cast("int", rows[0][0]) if rows else None

    def complete(
        self, record: int, page_text: str, statements: Sequence[Statement] = (), *, is_answer: bool = False
    ) -> bool:
        """Complete a record from its own page, with what that states; say whether that is the first time.

        A page that is an answer itself, since its record was the only match, does not show what answers leave out.
        """
        rows = self._store.rows(
            "SELECT detail IS NULL, form FROM records LEFT JOIN submissions s ON s.id = records.submission"
            " WHERE records.id = ?",
            (record,),
        )
        is_new, form = cast("tuple[int, int | None]", rows[0])
        state = self._load_form(form) if form is not None else _FormState()
        self._save_detail(record, own_text(page_text, state.template))
        self._store.record_attributes.add_page(record, form, statements)
        if form is not None and not is_answer:
            failed_before, state.failed = state.failed, 0
            if state.adding is None and record not in state.tried:
                self._count_tried(state, record)
                self._save_form(form, state)
            elif failed_before:
                self._save_form(form, state)
        return bool(is_new)

    def count_failure(self, task: CrawlTask) -> None:
        """Note that the page of a record cannot be read."""
        submission = self._store.submissions.load(task.submission) if task.submission is not None else None
        if submission is not None:
            state = self._load_form(submission.form)
            state.failed += 1
            self._save_form(submission.form, state)

    def complete_from_store(self, record: int) -> bool:
        """Complete a new record whose own page was read before; say whether there is one."""
        rows = self._store.rows(
            f"SELECT {newest_content('pages.id')} FROM pages WHERE pages.link = (SELECT link FROM records WHERE id = ?)",
            (record,),
        )
        if not rows or rows[0][0] is None or self._is_shared(record):
            return False
        text, body = unpack_content(cast("bytes", rows[0][0]))
        return self.complete(
            record, text, read_statements(parse_document(body, on_parse=self._on_parse).nodes)
        )

    def _is_shared(self, record: int) -> bool:
        rows = self._store.rows(
            "SELECT 1 FROM records WHERE link = (SELECT link FROM records WHERE id = ?) LIMIT 2", (record,)
        )
        return len(rows) > 1

    def _count_tried(self, state: _FormState, record: int) -> None:
        """Count a record as tried; when enough are, compare their pages with the answers."""
        state.tried.append(record)
        if len(state.tried) >= TRIED:
            offers = {
                number: DetailPageOffer(answer, page)
                for number, answer, page in self._load_texts(state.tried)
            }
            comparison = compare(list(offers.values()))
            state.tried, state.adding, state.template = [], comparison.adding, comparison.template
            for number, offer in offers.items():
                self._save_detail(number, own_text(offer.page, state.template))
                self._store.record_attributes.merge_again(number)

    def _save_form(self, form: int, state: _FormState) -> None:
        self._store.knowledge.put(_DETAILS, str(form), state.to_json())

    def _load_texts(self, records: list[int]) -> list[tuple[int, str, str]]:
        rows = self._store.rows(
            "SELECT id, title || char(10) || text, coalesce(detail, '') FROM records"
            " WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (json.dumps(records),),
        )
        return cast("list[tuple[int, str, str]]", rows)

    def _save_detail(self, record: int, text: str) -> None:
        self._store.write("UPDATE records SET detail = ? WHERE id = ?", (text, record))

    def _load_form(self, form: int) -> _FormState:
        if form not in self._forms:
            written = self._store.knowledge.get(_DETAILS, str(form))
            self._forms[form] = _FormState.from_json(written) if written is not None else _FormState()
            if len(self._forms) > HELD:
                self._forms.popitem(last=False)
        self._forms.move_to_end(form)
        return self._forms[form]


def record_moved(store: Store, task: CrawlTask, target: str) -> None:
    """Note that the page of a record is at another address."""
    store.write(
        "UPDATE records SET link = (SELECT id FROM links WHERE hash = ?1) WHERE link = ?2"
        " AND EXISTS (SELECT 1 FROM links WHERE hash = ?1)",
        (url_hash(target), task.link),
    )


def policy_named(name: str) -> str:
    """Return the policy for the pages of records; raises ValueError for an unknown one."""
    if name not in POLICIES:
        raise ValueError(f"{name!r} is no way to fetch the pages of records; there are {', '.join(POLICIES)}")
    return name
