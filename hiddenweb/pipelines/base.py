"""What happens to fetched pages and failures, in the order of settings.py. The last pipeline ends the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.store.database import Store


class StatePipeline:
    """A pipeline that writes into the state of the crawl, and counts."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        assert crawler.stats is not None
        return cls(CrawlContext.open(crawler).store, crawler.stats)

    def __init__(self, store: Store, stats: StatsCollector) -> None:
        self.store = store
        self.stats = stats
