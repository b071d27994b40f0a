"""What happens to what came, in the order of settings.py. The last one ends the errand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hiddenweb.store.database import give_back, share

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
        return cls(share(Path(crawler.settings["HIDDENWEB_STATE"])), crawler.stats)

    def __init__(self, state: Store, stats: StatsCollector) -> None:
        self.state = state
        self.stats = stats

    def close_spider(self) -> None:
        give_back(self.state)
