"""Contracts without side effects: `scrapy check` opens no state and no connection."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hiddenweb.journey import read_parts

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

BEFORE_ALL = -1_000
"""The place of the middleware that answers with saved pages: before the user's, and before the one that fetches robots.txt."""


def is_checking() -> bool:
    """Say whether `scrapy check` runs."""
    return os.environ.get("SCRAPY_CHECK") == "true"


def keep_offline(settings: BaseSettings) -> None:
    """Disable the parts of a crawl of ours that open the state or the network."""
    for name, value in {
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "DOWNLOADER_MIDDLEWARES": {"hiddenweb.contracts.OfflineMiddleware": 100},
        "SPIDER_MIDDLEWARES": {},
        "ITEM_PIPELINES": {},
        "EXTENSIONS": {},
        "DOWNLOAD_HANDLERS": dict.fromkeys(settings.getdict("DOWNLOAD_HANDLERS_BASE")),
    }.items():
        settings.set(name, value, priority="cmdline")


def offer_saved_pages(settings: BaseSettings) -> None:
    """Let a spider that is not ours have contracts on saved pages beside Scrapy's own."""
    middlewares = {
        **read_parts(settings, "DOWNLOADER_MIDDLEWARES"),
        "hiddenweb.contracts.SavedPagesMiddleware": BEFORE_ALL,
    }
    priority = settings.getpriority("DOWNLOADER_MIDDLEWARES") or 0
    settings.set("DOWNLOADER_MIDDLEWARES", middlewares, priority=priority)
