"""Contracts without side effects: `scrapy check` opens no state and no connection."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import Settings


class OfflineCheck:
    """While `scrapy check` runs: no state, no network, no progress."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:  # noqa: ARG003
        if os.environ.get("SCRAPY_CHECK") != "true":
            raise NotConfigured
        return cls()

    def update_settings(self, settings: Settings) -> None:
        """Disable the parts that open the state or the network."""
        for name, value in {
            "SCHEDULER": "scrapy.core.scheduler.Scheduler",
            "DOWNLOADER_MIDDLEWARES": {"hiddenweb.contracts.SavedPagesMiddleware": 100},
            "SPIDER_MIDDLEWARES": {},
            "ITEM_PIPELINES": {},
            "EXTENSIONS": {},
            "DOWNLOAD_HANDLERS": dict.fromkeys(settings.getdict("DOWNLOAD_HANDLERS")),
        }.items():
            settings.set(name, value, priority="cmdline")
