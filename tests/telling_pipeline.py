"""A pipeline for tests that start crawls: tells of each record whose page was read what that page would say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from hiddenweb.feeds.rows import report_record
from hiddenweb.model import Fetched

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.signalmanager import SignalManager


class TellingPipeline:
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.signals)

    def __init__(self, signals: SignalManager) -> None:
        self.signals = signals

    def process_item(self, item: object) -> object:
        if isinstance(item, Fetched) and item.page is not None and item.task.kind == "record":
            number = int(item.url.rpartition("/")[2])
            odd = (("Date of birth", f"19{number:02}"),) if number % 2 else ()
            attributes = (("author", f"Author {number}"), ("author", "Jane Smith"), *odd)
            report_record(self.signals, item, item.page.title, item.url, attributes, source="books")
        return item
