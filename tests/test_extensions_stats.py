"""Counters are Scrapy's, without the detour."""

from __future__ import annotations

from scrapy.utils.test import get_crawler

from hiddenweb.extensions.stats import PlainStatsCollector
from hiddenweb.journey import CHOSEN


def test_it_counts_and_keeps_the_figures_of_a_spider_as_scrapy_does() -> None:
    crawler = get_crawler(settings_dict={"STATS_CLASS": "hiddenweb.extensions.stats.PlainStatsCollector"})
    stats = PlainStatsCollector(crawler)
    stats.inc_value("pages")
    stats.inc_value("pages", 2)
    stats.max_value("deepest", 3)
    stats.max_value("deepest", 1)

    assert stats.get_stats() == {"pages": 3, "deepest": 3}
    assert stats.get_value("nothing", 7) == 7


def test_crawls_use_it() -> None:
    assert CHOSEN["STATS_CLASS"] == "hiddenweb.extensions.stats.PlainStatsCollector"
