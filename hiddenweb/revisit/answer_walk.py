"""The revisit of an answer, page by page, until all its pages were read or there is a reason to stop.

Each next page is planned as a task of its own, before all others. After a crash the answer begins again: its first page is still planned.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hiddenweb.model import Fetched
from hiddenweb.revisit.comparison import raw_hash
from hiddenweb.revisit.revisit import AnswerPages, PageReadings, PageToRead, body_of

if TYPE_CHECKING:
    from hiddenweb.model import FetchFailure, Record
    from hiddenweb.revisit.revisit import PageReading
    from hiddenweb.revisit.revisit_store import AnswerRecordStore, StoredReading

ReadPage = Callable[[PageToRead], Awaitable[PageReadings]]


@dataclass(slots=True)
class AnswerWalk:
    """The running revisit of all pages of an answer."""

    item: Fetched | FetchFailure  # the first page, as fetched
    stored: StoredReading
    to_read: PageToRead
    first: PageReading | None = None
    further: list[PageReading] = field(default_factory=list)
    visited: set[int] = field(default_factory=set)  # links
    max_pages: int | None = None
    was_paged: bool = False  # the crawl that submitted the query read its further pages
    why: str = ""  # what was not revisited, and why
    is_unchanged: bool = False

    @property
    def submission(self) -> int:
        """The number of the submission that the pages answer."""
        assert self.item.task.submission is not None
        return self.item.task.submission

    @property
    def pages(self) -> int:
        """How many pages were read."""
        return 1 + len(self.further)

    def records(self) -> tuple[Record, ...]:
        """Return the records of the pages that were read."""
        reads = (self.first, *self.further)
        return tuple(record for read in reads if read is not None for record in read.records)

    def reader(self, read: ReadPage) -> ReadPage:
        """Return a reader that does not read the first page again."""

        async def read_first(wanted: PageToRead) -> PageReadings:
            if self.first is None:
                return await read(replace(self.to_read, now=wanted.now, before=wanted.before))
            before = None
            if wanted.before is not None:
                before = (await read(replace(self.to_read, before=wanted.before))).before
            return PageReadings(self.first, before)

        return read_first

    def add_further(self, read: PageReading | None) -> bool:
        """Add a further page; return whether it shows anything new."""
        number = self.pages + 1
        if read is None or (read.failed and not read.records):
            self.why = f"page {number} could not be read"
            return False
        if not {record.key for record in read.records} - {record.key for record in self.records()}:
            return False  # a site that has no further page shows the last one again, or an empty one
        self.further.append(read)
        return True


class AnswerWalks:
    """The revisits of answers that wait for their next page."""

    def __init__(
        self, store: AnswerRecordStore, draw: Callable[[], bool], read: ReadPage, max_pages: int
    ) -> None:
        self._store = store
        self._draw = draw  # takes one request from the budget
        self._read = read
        self._max_pages = max_pages
        self._waiting: dict[int, AnswerWalk] = {}  # by the link of the page that is waited for

    def pop(self, link: int) -> AnswerWalk | None:
        """Remove and return the walk that waits for a page."""
        return self._waiting.pop(link, None)

    def is_awaited(self, link: int) -> bool:
        """Return whether a walk waits for a page."""
        return link in self._waiting

    async def begin(self, walk: AnswerWalk) -> bool:
        """Read the first page of an answer; return whether another one follows."""
        item, before = walk.item, walk.stored.known
        walk.visited.add(item.task.link)
        body = body_of(item)
        if not isinstance(item, Fetched) or body is None:
            walk.why = "its first page did not come"
            return False
        if before is not None and before.pages == 1 and before.raw == raw_hash(item.body):
            walk.is_unchanged = True
            return False
        walk.first = (await self._read(replace(walk.to_read, url=item.url, now=body))).now
        return walk.first is not None and self._plan_next(walk, walk.first)

    async def step(self, walk: AnswerWalk, item: Fetched | FetchFailure) -> bool:
        """Read a further page of an answer; return whether another one follows."""
        body = body_of(item)
        number = walk.pages + 1
        if body is None or not isinstance(item, Fetched):
            walk.why = f"page {number} did not come: {item.why or 'it is no page'}"
            return False
        read = (await self._read(replace(walk.to_read, url=item.url, now=body, number=number))).now
        return walk.add_further(read) and read is not None and self._plan_next(walk, read)

    async def pages_of(self, walk: AnswerWalk) -> AnswerPages | None:
        """Return the further pages of an answer, and their stored versions if they were never compared."""
        if walk.is_unchanged or walk.first is None:
            return None
        before, was_whole = await self._read_further_before(walk)
        records = tuple(record for read in walk.further for record in read.records)
        return AnswerPages(records, before, walk.pages, not walk.why, was_whole)

    def _plan_next(self, walk: AnswerWalk, read: PageReading) -> bool:
        """Plan the revisit of the next page of an answer, if there is one that may be fetched."""
        if read.is_part:
            walk.why = "the site shows no more of it, or only by POST"
        if read.next is None:
            return False
        if walk.max_pages is None:
            stored_count = len(self._store.load_further_pages(walk.submission))
            walk.was_paged = bool(stored_count)
            walk.max_pages = max(self._max_pages, 1 + stored_count)
        if walk.pages >= walk.max_pages:
            what = "page is" if walk.pages == 1 else f"{walk.pages} pages are"
            walk.why = f"only its first {what} read"
            return False
        if (read.next.nofollow or read.is_nofollow) and not walk.was_paged:
            walk.why = "its pages say nofollow"
            return False
        link = self._store.plan_page(walk.item.task, read.next.url, walk.pages + 1)
        if link is None:
            walk.why = "it continues at another site"
            return False
        if link in walk.visited or link in self._waiting:
            return False
        if not self._draw():
            self._store.end_page(link)
            walk.why = f"the budget ended before its page {walk.pages + 1}"
            return False
        walk.visited.add(link)
        self._waiting[link] = walk
        return True

    async def _read_further_before(self, walk: AnswerWalk) -> tuple[tuple[Record, ...], bool]:
        """Return the records on the stored further pages of an answer, and whether it was read to its end."""
        if walk.stored.known is not None:
            return (), walk.stored.known.is_whole
        records: list[Record] = []
        last = None
        if walk.stored.body is not None:
            last = (await self._read(replace(walk.to_read, before=walk.stored.body.body))).before
        for page in self._store.load_further_pages(walk.submission):
            wanted = replace(walk.to_read, url=page.url, number=page.number, before=page.body)
            last = (await self._read(wanted)).before
            records += last.records if last is not None else ()
        return tuple(records), last is not None and last.next is None and not last.is_part
