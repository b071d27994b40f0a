"""Storing the records of answers, and completing them from their own pages.

This is the middle of a record's way from an answer page to the index:

1. `querying.answer_learner.AnswerLearner` reads the page (`answers.cases.judge_answer`), and the conversation puts the records on
   `Fetched.records`.
2. `RecordsPipeline`, here, stores each record once (`store.records`) and puts the new ones into the outbox (`store.outbox`), in the same
   transaction.
3. The indexing process (`index.process`) reads the outbox and writes the index.
4. When the record's own page is read, it completes the record (`store.detail_pages`), and the page stands for both in the index.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.feeds.record_reports import RecordReports
from hiddenweb.html.document import document_of
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.records.own_page import read_statements
from hiddenweb.store.detail_pages import record_moved
from hiddenweb.store.outbox import document_key
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.model import Page, Record
    from hiddenweb.store.database import Store
    from hiddenweb.store.detail_pages import DetailPages


class RecordsPipeline(StatePipeline):
    """Puts the records of an answer into the store, each once, and the new ones into the outbox, for the index.

    A record's own page completes the record, for whatever reason it was read.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context = CrawlContext.open(crawler)
        RecordReports.connect(crawler, context.store)
        return cls(context.store, crawler.stats, details=context.detail_pages)

    def __init__(self, store: Store, stats: StatsCollector, *, details: DetailPages) -> None:
        super().__init__(store, stats)
        self._details = details

    def process_item(self, item: object) -> object:
        if (
            isinstance(item, Fetched | FetchFailure)
            and item.task.kind == "record"
            and self._is_without_page(item)
        ):
            self._details.count_failure(item.task)
        if not isinstance(item, Fetched):
            return item
        if item.outcome and item.task.submission is not None:
            self._note_answer(item, item.task.submission)
            return self._complete_only_match(item)
        if item.task.kind in ("page", "record"):
            if item.page is not None:
                return self._complete_from_page(item, item.page)
            if item.redirect is not None and self.store.frontier.is_known(item.redirect):
                self._follow_move(item, item.redirect)
        return item

    def _is_without_page(self, item: Fetched | FetchFailure) -> bool:
        """Say whether an address has no page, or only redirects to a known one."""
        if isinstance(item, FetchFailure):
            return item.retry_in is None and not item.may_be_temporary
        if item.redirect is not None:
            return self.store.frontier.is_known(item.redirect)
        return item.page is None

    def _note_answer(self, fetched: Fetched, submission: int) -> None:
        self.stats.inc_value(f"hiddenweb/answers/{fetched.outcome}")
        self.store.submissions.mark_answered(
            submission, fetched.outcome, fetched.outcome_why, fetched.at, total=fetched.total
        )
        new = self.store.records.save(
            fetched.task.site, fetched.records, submission=submission, page=fetched.stored_page, at=fetched.at
        )
        for number, record in new:
            self.store.outbox.save_record(number, document_key(record.key), _digest(record))
            self._complete_from_store(number)
        self.stats.inc_value("hiddenweb/records/new", len(new))
        self.stats.inc_value("hiddenweb/records/seen", len(fetched.records) - len(new))

    def _follow_move(self, fetched: Fetched, target: str) -> None:
        """Complete the record whose own page has moved, if the page was read before."""
        record = self._details.find_record(fetched.task)
        if record is not None:
            record_moved(self.store, fetched.task, target)
            self._complete_from_store(record)

    def _complete_from_store(self, record: int) -> None:
        if self._details.complete_from_store(record):
            self.stats.inc_value("hiddenweb/records/completed")

    def _complete_only_match(self, fetched: Fetched) -> Fetched:
        """Complete the record to which the site redirected the query: its own page is the answer."""
        for record in fetched.records:
            if record.url == fetched.url and fetched.page is not None:
                number = self._details.find_record_by_key(fetched.task.site, record.key)
                if number is not None:
                    self._complete(number, fetched.page, is_answer=True)
                    return replace(fetched, record=number)
        return fetched

    def _complete_from_page(self, fetched: Fetched, page: Page) -> Fetched:
        """Complete the record whose own page this is, if there is one."""
        record = self._details.find_record(fetched.task)
        if record is None:
            return fetched
        self._complete(record, page, is_answer=False)
        return replace(fetched, record=record)

    def _complete(self, record: int, page: Page, *, is_answer: bool) -> None:
        document = document_of(page)
        statements = read_statements(document.nodes) if document is not None else ()
        if self._details.complete(record, page.text, statements, is_answer=is_answer):
            self.stats.inc_value("hiddenweb/records/completed")


def _digest(record: Record) -> str:
    return f"{text_hash(record.title + chr(0) + record.text) & 0xFFFFFFFFFFFFFFFF:016x}"
