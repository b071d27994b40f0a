"""Other people's pipelines behind ours."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.exceptions import DropItem
from scrapy.utils.test import get_crawler

from hiddenweb.model import CrawlTask, FetchFailure
from hiddenweb.pipelines.manager import PipelineManager

if TYPE_CHECKING:
    from collections.abc import Callable

FAILURE = FetchFailure(CrawlTask(1, 1, 1, "https://a.example/"), "no answer", 0.0)


class Pipeline:
    """A pipeline of somebody else."""

    def __init__(self, take: Callable[[Any], Any]) -> None:
        self.process_item = take


def process(item: object, *takes: Callable[[Any], Any]) -> tuple[object, int]:
    """Return what becomes of an item, and how many errors were counted."""
    crawler = get_crawler()
    manager = PipelineManager(*map(Pipeline, takes), crawler=crawler)
    result = asyncio.run(manager.process_item_async(item))
    return result, crawler.stats.get_value("hiddenweb/pipelines/failed", 0)


def read_title(item: Any) -> Any:
    return item["title"]


def drop(_: Any) -> Any:
    raise DropItem("not wanted")


def test_an_error_is_counted_each_time_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        result, failed = process(FAILURE, read_title, lambda item: item)

    assert (result, failed) == (FAILURE, 1)
    (record,) = caplog.records
    assert "cannot take items of hiddenweb" in record.getMessage()


@pytest.mark.parametrize("returned", [None, {"title": "something else"}])
def test_our_items_are_not_replaced_by_anything_else(returned: object) -> None:
    assert process(FAILURE, lambda _: returned) == (FAILURE, 0)


def test_other_items_become_what_pipelines_make_of_them() -> None:
    assert process({"title": "one"}, lambda item: item | {"more": 1}) == ({"title": "one", "more": 1}, 0)


def test_items_can_be_dropped() -> None:
    with pytest.raises(DropItem):
        process(FAILURE, drop)
