"""Feeds of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter

from hiddenweb.feeds.record_reports import RecordReports
from hiddenweb.signals import record_found

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler


class RecordFeeds(FeedExporter):
    """Writes each record into feeds once, when all is known of it; without feeds it is not active."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        feeds = cls(crawler)
        crawler.signals.connect(feeds.open_spider, signals.spider_opened)
        crawler.signals.connect(feeds.write, record_found)
        crawler.signals.connect(feeds.close_spider, signals.spider_closed)
        return feeds

    async def close_spider(self, spider: Spider) -> None:
        """Write the records that still wait for their pages, and close all files."""
        if (reports := RecordReports.find(self.crawler)) is not None:
            reports.finish()
        await super().close_spider(spider)

    def write(self, row: dict[str, Any]) -> None:
        """Write a record into every feed that accepts it."""
        assert self.crawler.spider is not None
        self.item_scraped(row, self.crawler.spider)
        self.crawler.stats.inc_value("hiddenweb/feeds/records")
