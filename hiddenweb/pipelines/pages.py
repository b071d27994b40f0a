"""Keeping what a page says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenweb.items import Visit
from hiddenweb.storage.sqlite import give_back, share

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.storage.sqlite import State


class PagesPipeline:
    """Puts pages and their versions into the store."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(share(Path(crawler.settings["HIDDENWEB_STATE"])), crawler.stats)

    def __init__(self, state: State, stats: StatsCollector) -> None:
        self.state = state
        self.stats = stats

    def close_spider(self) -> None:
        give_back(self.state)

    def process_item(self, item: object) -> object:
        if not isinstance(item, Visit) or item.page is None:
            return item
        self.stats.inc_value("hiddenweb/pages/read")
        for mark in item.page.marks:
            self.stats.inc_value(f"hiddenweb/pages/marked/{mark}")
        return replace(item, kept_as=self.state.keep_page(item, item.page))
