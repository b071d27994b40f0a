"""Queueing new pages for the search index, and keeping its process alive. Records were queued before, by `pipelines.records`."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from scrapy.utils.asyncio import create_looping_call

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.index.location import last_indexed
from hiddenweb.index.process import IndexingProcess
from hiddenweb.model import Fetched
from hiddenweb.reports.summary import last_document
from hiddenweb.urls import canonical_url, text_hash

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.model import Page
    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

CHECK_SECONDS = 2.0
"""Between two checks of the indexing process."""

IN_USE = 3
"""Its exit code while the indexing process of a killed crawl is still running."""

_MAX_COMPLAINT = 500
"""Characters of what the indexing process printed last that a message has; a limit of taste."""

MOST_STARTS = 20
"""Of the indexing process while a crawl runs; after that the rest is indexed at the end. A limit of taste."""


class SearchIndexPipeline:
    """Puts pages into the outbox; a process beside the crawl moves them from there into the index.

    The crawl never waits for the index, except at its end. If the process fails, the next crawl or
    `scrapy reindex` indexes what is in the outbox.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        return cls(
            CrawlContext.open(crawler).store,
            crawler.stats,
            write=settings.getbool("HIDDENWEB_INDEX"),
            patience=settings.getfloat("HIDDENWEB_INDEX_WAIT"),
        )

    def __init__(self, store: Store, stats: StatsCollector, *, write: bool, patience: float) -> None:
        self.store = store
        self.stats = stats
        self._write = write
        self._patience = patience
        self._process: IndexingProcess | None = None
        self._starts = 0
        self._trimmed = 0

    def open_spider(self) -> None:
        if self._write:
            self._watching = create_looping_call(self._check_process)
            self._watching.start(CHECK_SECONDS)

    async def close_spider(self) -> None:
        if self._write:
            self._watching.stop()
            await self._finish()
            self._trim()

    def process_item(self, item: object) -> object:
        if (
            isinstance(item, Fetched)
            and item.page is not None
            and item.stored_page is not None
            and _has_news(item)
        ):
            self._queue(item, item.page, item.stored_page)
        return item

    def _queue(self, fetched: Fetched, page: Page, number: int) -> None:
        if page.noindex:
            self.stats.inc_value("hiddenweb/index/noindex")
        elif self.store.outbox.save_page(
            number,
            canonical_url(fetched.url),
            _digest(page, fetched.attributes),
            behind_form=fetched.behind_form,
            record=fetched.record,
        ):
            self.stats.inc_value("hiddenweb/index/queued")

    # The process

    def _check_process(self) -> None:
        """Start the process if it does not run and there is something to index; trim the outbox."""
        if self._process is None and not self._is_behind():
            return
        code = self._process.exit_code() if self._process else None
        if self._process is None or code is not None:
            self._start(code)
        self._trim()

    def _is_behind(self) -> bool:
        """Say whether the index lacks pages of the outbox: a crawl without pages starts no process."""
        return last_document(self.store) > last_indexed(self.store.folder)

    def _start(self, code: int | None) -> None:
        if self._process is not None:
            if self._starts >= MOST_STARTS:
                return
            if code != IN_USE:
                self.stats.inc_value("hiddenweb/index/process_ended")
                logger.error("%s; it is started again", describe_end(code, self._process.complaints()))
            self._process.stop()
        self._starts += 1
        self._process = IndexingProcess.start(self.store.folder)

    def _trim(self) -> None:
        done = last_indexed(self.store.folder)
        if done > self._trimmed:
            self.store.outbox.trim(done)
            self._trimmed = done

    async def _finish(self) -> None:
        """Wait until all pages of the crawl are indexed, unless it takes too long."""
        self.store.commit()
        if self._process is None and not self._is_behind():
            return
        deadline = time.monotonic() + self._patience
        code: int | None = IN_USE
        while code == IN_USE and time.monotonic() < deadline:
            if self._process is None or self._process.exit_code() is not None:
                self._starts = 0
                self._start(IN_USE)
            assert self._process is not None
            code = await asyncio.to_thread(self._process.finish, max(0.1, deadline - time.monotonic()))
        if self._process is None:
            return
        if code is None:
            logger.warning("The index is not complete yet; the next crawl completes it, or scrapy reindex")
            self._process.stop()
        elif code:
            end = describe_end(code, self._process.complaints())
            logger.error("%s; the next crawl completes the index, or scrapy reindex", end)


def describe_end(code: int | None, printed: str) -> str:
    """Say how the indexing process ended, with the end of what it printed.

    >>> describe_end(-9, "")
    'The indexing process was killed by signal 9'
    >>> describe_end(1, "No space left on device")
    'The indexing process ended with code 1 (No space left on device)'
    """
    how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    complaint = printed[-_MAX_COMPLAINT:].strip()
    return f"The indexing process {how}" + (f" ({complaint})" if complaint else "")


def _has_news(fetched: Fetched) -> bool:
    """Say whether the page itself is to be indexed: of an answer its records are instead."""
    assert fetched.page is not None
    if fetched.duplicate_of is not None or not (fetched.page.text or fetched.page.title):
        return False
    if fetched.task.kind in ("page", "record"):
        return True
    return any(record.url == fetched.url for record in fetched.records)  # redirected to the only match


def _digest(page: Page, attributes: tuple[tuple[str, str], ...] = ()) -> str:
    digest = f"{page.fingerprint & 0xFFFFFFFFFFFFFFFF:016x}{text_hash(page.title) & 0xFFFFFFFF:08x}"
    return f"{digest}{text_hash(repr(attributes)) & 0xFFFFFFFF:08x}" if attributes else digest
