"""Reporting the records of a crawl, each once, when all is known of it: to feeds and other receivers of `signals.record_found`.

What the store has is reported, not what passes by: so a row has what answers, the record's own page and extractors say together. Without receivers nothing
is noted and nothing is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydispatch.dispatcher import getReceivers
from scrapy import signals

from hiddenweb.feeds.rows import row_of
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.signals import record_found
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.store.found_records import FoundRecords
from hiddenweb.store.stored_records import load_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.signalmanager import SignalManager

    from hiddenweb.extraction.extractor import Extractor
    from hiddenweb.store.database import Store
    from hiddenweb.store.stored_records import StoredRecord

EVERY = 20
"""Pages between two looks at the records that wait for their own pages. A limit of taste: a look costs as much as a page of links."""

_NAME = "hiddenweb_record_reports"


class RecordReports:
    """Sends `record_found` for each record that the crawl found or changed."""

    @classmethod
    def connect(cls, crawler: Crawler, store: Store) -> None:
        """Report the records of a crawler."""
        reports = cls(store, crawler.signals)
        setattr(crawler, _NAME, reports)
        crawler.signals.connect(reports.begin, signals.spider_opened)
        crawler.signals.connect(reports.note, signals.item_scraped)
        crawler.signals.connect(reports.finish, signals.spider_closed)

    @classmethod
    def find(cls, crawler: Crawler) -> Self | None:
        """Return the reports of a crawler, if its records are reported."""
        return getattr(crawler, _NAME, None)

    def __init__(self, store: Store, signals: SignalManager) -> None:
        self._store = store
        self._signals = signals
        self._found: FoundRecords | None = None
        self._extractors: dict[str, Extractor | None] = {}
        self._pages = 0

    def begin(self) -> None:
        """Note from now on what is found, if anybody wants to know it."""
        if self._found is None and getReceivers(self._signals.sender, record_found):
            self._found = FoundRecords(self._store)

    def note(self, item: object) -> None:
        """Report the records whose own page this was, and now and then others of which no more is expected."""
        if self._found is None or not isinstance(item, Fetched | FetchFailure):
            return
        self._report(self._found.take_of_link(item.task.link))
        self._pages += 1
        if self._pages % EVERY == 0:
            self.look()

    def look(self) -> None:
        """Report some of the records of which no more is expected."""
        if self._found is not None:
            self._extractors.clear()  # they may have learnt more
            self._report(self._found.take_settled())

    def finish(self) -> None:
        """Report all that is left: no more pages come."""
        if self._found is not None:
            for numbers in self._found.take_rest():
                self._report(numbers)

    def _report(self, numbers: Sequence[int]) -> None:
        for record in load_records(self._store, numbers) if numbers else ():
            self._signals.send_catch_log(record_found, row=row_of(record, self._parse_values(record)))

    def _parse_values(self, record: StoredRecord) -> dict[str, list[object]]:
        """Return the typed values of attributes whose values can all be read, as far as extractors know their types."""
        typed: dict[str, list[object]] = {}
        for extractor in filter(None, map(self._load_extractor, record.extractors)):
            for name in extractor.types:
                read = [
                    extractor.parse_value(name, value) for each, value in record.attributes if each == name
                ]
                if read and None not in read:
                    typed[name] = [each.value for each in read if each is not None]
        return typed

    def _load_extractor(self, name: str) -> Extractor | None:
        if name not in self._extractors:
            found = ExtractorStore(self._store).all(name=name)
            self._extractors[name] = found[0].extractor if found else None
        return self._extractors[name]
