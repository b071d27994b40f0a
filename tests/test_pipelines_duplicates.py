"""A page that says what another one says is marked, and answers never are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler
from stores import fetch, lease_seeds, save_page

from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.pipelines.duplicates import DuplicatesPipeline

if TYPE_CHECKING:
    from hiddenweb.model import CrawlTask, TaskKind
    from hiddenweb.store.database import Store

WORDS = [f"word{number}" for number in range(400)]
TEXT = " ".join(WORDS)
NEARLY = " ".join([*WORDS[:200], "other", *WORDS[201:]])


class Desk:
    """A pipeline over a store that has one page, and the task of another."""

    def __init__(self, store: Store) -> None:
        self.stats = MemoryStatsCollector(get_crawler())
        self.pipeline = DuplicatesPipeline(store, self.stats)
        first, self.task = lease_seeds(store, "https://a.example/1", "https://a.example/2")
        self.original = save_page(store, fetch(first, TEXT))

    def read(self, text: str, task: CrawlTask | None = None) -> Fetched:
        item = self.pipeline.process_item(fetch(task or self.task, text))
        assert isinstance(item, Fetched)
        return item

    def counted(self) -> dict[str, object]:
        return {name.rpartition("/")[2]: count for name, count in self.stats.get_stats().items()}


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


@pytest.mark.parametrize(("text", "exact"), [(TEXT, True), (NEARLY, False)])
def test_a_page_that_repeats_another_is_marked_with_the_reason_and_counted(
    desk: Desk, text: str, exact: bool
) -> None:
    item = desk.read(text)

    assert (item.duplicate_of, item.exact) == (desk.original, exact)
    assert item.duplicate_why
    assert desk.counted() == {"exact" if exact else "near": 1}


def test_a_page_with_another_text_passes_as_it_is(desk: Desk) -> None:
    item = desk.read("something else")

    assert item.duplicate_of is None
    assert desk.counted() == {}


@pytest.mark.parametrize("kind", ["answer", "paging"])
def test_two_queries_may_have_one_answer(desk: Desk, kind: TaskKind) -> None:
    assert desk.read(TEXT, replace(desk.task, kind=kind)).duplicate_of is None


def test_items_without_a_page_pass_untouched(desk: Desk) -> None:
    items = (replace(fetch(desk.task), page=None), FetchFailure(desk.task, "status 503", 1.0), "anything")

    assert all(desk.pipeline.process_item(item) is item for item in items)
