"""Checks of records that left an incomplete answer: their own pages show whether they are gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.revisit.revisit import PageToRead, body_of, denies_record, shows_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.model import CrawlTask, Fetched, FetchFailure
    from hiddenweb.revisit.answer_walk import AnswerWalks, ReadPage
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.revisit_store import AnswerRecordStore, StoredReading

_MISSING_STATUS = frozenset((404, 410))  # HTTP statuses of a page that is not there


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """The revisit of the own page of a record that an answer no longer shows."""

    change: Change  # to report if the page is gone too
    stored: StoredReading  # of the answer
    task: CrawlTask
    is_whole: bool  # all pages of the answer were read: the record is gone unless its page shows it


class RecordChecks:
    """The checks that wait for a page, and the records that may be gone."""

    def __init__(
        self, store: AnswerRecordStore, draw: Callable[[], bool], read: ReadPage, walks: AnswerWalks
    ) -> None:
        self._store = store
        self._draw = draw  # takes one request from the budget
        self._read = read
        self._walks = walks
        self._waiting: dict[int, RecordCheck] = {}  # by the link of the record's own page
        self.not_seen: set[tuple[int, str]] = set()  # sites and keys of records that may be gone

    def pop(self, link: int) -> RecordCheck | None:
        """Remove and return the check that waits for a page."""
        return self._waiting.pop(link, None)

    def begin(self, check: RecordCheck) -> bool:
        """Plan the revisit of the own page of a record; return whether it was planned."""
        url = self._store.find_detail_page(check.task.site, check.change.key)
        if url is None or not self._draw():
            return False
        link = self._store.plan_detail_page(check.task, url)
        if link is None or self._walks.is_awaited(link):
            return False
        self._waiting[link] = check
        return True

    async def end(self, check: RecordCheck, item: Fetched | FetchFailure) -> bool:
        """Return whether a record is gone: its own page is missing, or says that nothing was found and shows nothing of it."""
        site, key = check.task.site, check.change.key
        is_gone = item.status in _MISSING_STATUS or check.is_whole
        if (body := body_of(item)) is not None:
            read = (await self._read(PageToRead(item.task.url, body))).now
            record = self._store.load_record(site, key)
            is_gone = read is not None and (
                not shows_record(read, *record) if check.is_whole else denies_record(read, *record)
            )
            if not is_gone:
                self.not_seen.discard((site, key))
        if is_gone:
            self._store.mark_gone(site, key, item.at)
            self.not_seen.discard((site, key))
        return is_gone
