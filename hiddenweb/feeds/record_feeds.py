"""Feeds of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter

from hiddenweb.signals import record_found

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class RecordFeeds(FeedExporter):
    """Writes records into feeds as they are found; without feeds it is not active."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        feeds = cls(crawler)
        crawler.signals.connect(feeds.open_spider, signals.spider_opened)
        crawler.signals.connect(feeds.write, record_found)
        crawler.signals.connect(feeds.close_spider, signals.spider_closed)
        return feeds

    def write(self, row: dict[str, Any]) -> None:
        """Write a record into every feed that accepts it."""
        assert self.crawler.spider is not None
        self.item_scraped(row, self.crawler.spider)
        self.crawler.stats.inc_value("hiddenweb/feeds/records")
