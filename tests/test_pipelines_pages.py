"""Pages are stored with as many versions as the settings allow, and counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler
from stores import NOW, fetch, lease_seeds

from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.pipelines.pages import PagesPipeline, limits_of
from hiddenweb.revisit.history import ALL, HistoryLimits

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.store.database import Store

HOME = "https://a.example/"


def pipeline_of(store: Store, limits: HistoryLimits = ALL) -> PagesPipeline:
    return PagesPipeline(store, MemoryStatsCollector(get_crawler()), limits)


def test_a_page_is_stored_and_its_item_gets_the_number(store: Store) -> None:
    (task,) = lease_seeds(store, HOME)

    item = pipeline_of(store).process_item(fetch(task, "all about bees"))

    assert isinstance(item, Fetched)
    assert store.rows("SELECT id, url FROM pages") == [(item.stored_page, HOME)]


def test_pages_and_their_marks_are_counted(store: Store) -> None:
    pipeline = pipeline_of(store)
    for task, marks in zip(lease_seeds(store, HOME, f"{HOME}2"), ((), ("truncated", "slow")), strict=True):
        fetched = fetch(task, task.url)
        assert fetched.page is not None
        pipeline.process_item(replace(fetched, page=replace(fetched.page, marks=marks)))

    assert pipeline.stats.get_stats() == {
        "hiddenweb/pages/read": 2,
        "hiddenweb/pages/marked/truncated": 1,
        "hiddenweb/pages/marked/slow": 1,
    }


def test_versions_of_a_page_are_limited(store: Store) -> None:
    (task,) = lease_seeds(store, HOME)
    pipeline = pipeline_of(store, HistoryLimits(versions=2))

    for number in range(4):
        pipeline.process_item(replace(fetch(task, f"text {number}"), at=NOW + number))

    assert store.rows("SELECT count(*) FROM versions") == [(2,)]


def test_limit_of_versions_is_a_setting(tmp_path: Path) -> None:
    crawler = get_crawler(
        settings_dict={
            "HIDDENWEB_STATE": str(tmp_path / "state"),
            "HIDDENWEB_MAX_VERSIONS_PER_PAGE": "3",
            "HIDDENWEB_VERSION_MAX_DAYS": "1.5",
        }
    )

    pipeline = PagesPipeline.from_crawler(crawler)

    assert limits_of(crawler.settings) == HistoryLimits(3, 1.5) == pipeline._limits
    pipeline.store.close()


def test_items_without_a_page_pass_untouched(store: Store) -> None:
    (task,) = lease_seeds(store, HOME)
    items = (replace(fetch(task), page=None), FetchFailure(task, "status 503", NOW), "anything")
    pipeline = pipeline_of(store)

    assert all(pipeline.process_item(item) is item for item in items)
    assert store.rows("SELECT count(*) FROM pages") == [(0,)]
