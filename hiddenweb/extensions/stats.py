"""The counters of a crawl: Scrapy's collector without its check for a deprecated argument.

Scrapy checks every access to its collector, also internal ones, for deprecated calls. A page increments some thirty counters: the check was a thirtieth of its cost.
"""

from __future__ import annotations

from scrapy.statscollectors import MemoryStatsCollector


class PlainStatsCollector(MemoryStatsCollector):
    """Scrapy's collector with plain attribute access."""

    __getattribute__ = object.__getattribute__
