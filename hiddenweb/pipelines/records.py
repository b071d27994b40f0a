"""Keeping what an answer holds, and completing it with what the pages of its records say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.feeds.rows import tell_record
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.store.detail_pages import record_moved
from hiddenweb.store.outbox import document_key
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.signalmanager import SignalManager
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.model import Page, Record
    from hiddenweb.store.database import Store
    from hiddenweb.store.detail_pages import DetailPages


class RecordsPipeline(StatePipeline):
    """Puts the records of an answer into the store, each once, and lets the index know the new ones.

    A record's own page, for whatever reason it was read, completes the record: the two are one.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context = CrawlContext.open(crawler)
        return cls(
            context.store,
            crawler.stats,
            crawler.signals,
            details=context.detail_pages,
        )

    def __init__(
        self, state: Store, stats: StatsCollector, signals: SignalManager, *, details: DetailPages
    ) -> None:
        super().__init__(state, stats)
        self._signals = signals
        self._details = details

    def process_item(self, item: object) -> object:
        if (
            isinstance(item, Fetched | FetchFailure)
            and item.errand.kind == "record"
            and self._is_without_page(item)
        ):
            self._details.failed(item.errand)
        if not isinstance(item, Fetched):
            return item
        if item.outcome and item.errand.submission is not None:
            self._note_answer(item, item.errand.submission)
            return self._only_match(item)
        if item.errand.kind in ("page", "record"):
            if item.page is not None:
                return self._completed(item, item.page)
            if item.redirect is not None and self.state.frontier.is_known(item.redirect):
                self._moved(item, item.redirect)
        return item

    def _is_without_page(self, item: Fetched | FetchFailure) -> bool:
        """Say whether nothing can be read at an address, or nothing that is not known from elsewhere."""
        if isinstance(item, FetchFailure):
            return item.retry_in is None and not item.may_pass
        if item.redirect is not None:
            return self.state.frontier.is_known(item.redirect)
        return item.page is None

    def _note_answer(self, visit: Fetched, submission: int) -> None:
        self.stats.inc_value(f"hiddenweb/answers/{visit.outcome}")
        self.state.submissions.mark_answered(
            submission, visit.outcome, visit.outcome_why, visit.at, total=visit.total
        )
        new = self.state.records.save(
            visit.errand.site, visit.records, submission=submission, page=visit.kept_as, at=visit.at
        )
        for number, record in new:
            self.state.outbox.save_record(number, document_key(record.key), _digest(record))
            self._complete_from_store(number)
            tell_record(self._signals, visit, record.title, record.url or visit.url, record.attributes)
        self.stats.inc_value("hiddenweb/records/new", len(new))
        self.stats.inc_value("hiddenweb/records/seen", len(visit.records) - len(new))

    def _moved(self, visit: Fetched, target: str) -> None:
        """Complete the record whose own page is elsewhere, if it was read there before."""
        record = self._details.record_at(visit.errand)
        if record is not None:
            record_moved(self.state, visit.errand, target)
            self._complete_from_store(record)

    def _complete_from_store(self, record: int) -> None:
        if self._details.complete_from_store(record):
            self.stats.inc_value("hiddenweb/records/completed")

    def _only_match(self, visit: Fetched) -> Fetched:
        """Complete the record that the site sent us on to: its own page is the answer."""
        for record in visit.records:
            if record.url == visit.url and visit.page is not None:
                number = self._details.record_keyed(visit.errand.site, record.key)
                if number is not None:
                    self._complete(number, visit.page, is_answer=True)
                    return replace(visit, record=number)
        return visit

    def _completed(self, visit: Fetched, page: Page) -> Fetched:
        """Complete the record whose own page this is, if it is one's."""
        record = self._details.record_at(visit.errand)
        if record is None:
            return visit
        self._complete(record, page, is_answer=False)
        return replace(visit, record=record)

    def _complete(self, record: int, page: Page, *, is_answer: bool) -> None:
        if self._details.complete(record, page.text, is_answer=is_answer):
            self.stats.inc_value("hiddenweb/records/completed")


def _digest(record: Record) -> str:
    return f"{text_hash(record.title + chr(0) + record.text) & 0xFFFFFFFFFFFFFFFF:016x}"
