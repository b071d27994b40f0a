"""Storing pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.model import Fetched
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.revisit.history import ALL, HistoryLimits

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.store.database import Store


def limits_of(settings: BaseSettings) -> HistoryLimits:
    """Return how many versions of a page are stored, and for how long."""
    return HistoryLimits(
        settings.getint("HIDDENWEB_MAX_VERSIONS_PER_PAGE"), settings.getfloat("HIDDENWEB_VERSION_MAX_DAYS")
    )


class PagesPipeline(StatePipeline):
    """Puts pages and their versions into the store."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        return cls(CrawlContext.open(crawler).store, crawler.stats, limits_of(settings))

    def __init__(self, store: Store, stats: StatsCollector, limits: HistoryLimits = ALL) -> None:
        super().__init__(store, stats)
        self._limits = limits

    def process_item(self, item: object) -> object:
        if not isinstance(item, Fetched) or item.page is None:
            return item
        self.stats.inc_value("hiddenweb/pages/read")
        for mark in item.page.marks:
            self.stats.inc_value(f"hiddenweb/pages/marked/{mark}")
        return replace(item, stored_page=self.store.pages.save(item, item.page, self._limits))
