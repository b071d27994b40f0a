"""The counters of a crawl, as Scrapy keeps them, without its check for an argument that nobody passes any more.

Scrapy looks at every access to its collector, also from within, for calls in an old way. A page counts some thirty things: that was a thirtieth of what it costs.
"""

from __future__ import annotations

from scrapy.statscollectors import MemoryStatsCollector


class PlainStatsCollector(MemoryStatsCollector):
    """Scrapy's collector, whose attributes are what they are."""

    __getattribute__ = object.__getattribute__
