"""What the frontier of a usual crawl sends, refuses and puts back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.frontier.protocol import Admission
from hiddenweb.frontier.stopping import SiteBudget
from hiddenweb.model import CrawlTask, Field, Form, HttpQuery, PlannedQuery, TaskSeed, Verdict
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.database import Store
from hiddenweb.store.detail_pages import NEVER, DetailPages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
HOME = "https://a.example/"
BUDGET = SiteBudget(pages=3, nothing_new=10, explored=2, record_pages=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def begin(store: Store, **given: object) -> BreadthFirstFrontier:
    frontier = BreadthFirstFrontier(store, BUDGET, **given)  # type: ignore[arg-type]
    frontier.open("test", NOW)
    frontier.add_seed(HOME)
    return frontier


def lease(store: Store, frontier: BreadthFirstFrontier, count: int = 1) -> list[CrawlTask]:
    return frontier.lease(store.sites.find_host(HOME) or 0, count, NOW)[0]


def plan(store: Store, frontier: BreadthFirstFrontier) -> None:
    form = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))
    number = store.forms.save(store.sites.want(HOME), form, Verdict(True, "search"), NOW)
    frontier.add([PlannedQuery(number, HttpQuery((("q", "x"),), "x", url=f"{HOME}find?q=x"))])


def test_host_of_a_site_that_has_had_its_pages_is_not_opened(store: Store) -> None:
    frontier = begin(store)
    for _ in range(BUDGET.pages):
        store.sites.count_page(store.sites.want(HOME), new=True, kind="answer")

    assert frontier.open_host(store.sites.find_host(HOME) or 0) is None


def test_pages_wait_for_another_crawl_when_enough_were_explored_and_queries_do_not(store: Store) -> None:
    frontier = begin(store)
    [task] = lease(store, frontier)
    for _ in range(BUDGET.explored):
        store.sites.count_page(task.site, new=True)
    frontier.open_host(task.host)
    plan(store, frontier)

    assert frontier.admit(task) is Admission.RELEASE
    [query] = lease(store, frontier)
    assert (query.kind, frontier.admit(query)) == ("answer", Admission.SEND)


def test_addresses_of_a_closed_shape_are_refused(store: Store) -> None:
    frontier = begin(store)
    [task] = lease(store, frontier)
    frontier.add([TaskSeed(f"{HOME}list/7")])
    [alike] = lease(store, frontier)

    store.sites.close_shape(task.site, f"{HOME}list/0")

    assert frontier.admit(alike) is Admission.REFUSE
    assert frontier.admit(task) is Admission.SEND


def test_page_of_a_record_that_is_not_wanted_is_skipped(store: Store) -> None:
    frontier = begin(store, detail_pages=DetailPages(store, NEVER))
    plan(store, frontier)
    [query] = lease(store, frontier)
    frontier.finish(query)
    [page] = lease(store, frontier)
    frontier.finish(page)
    frontier.add([TaskSeed(f"{HOME}book/1", "record", submission=query.submission)])

    [task] = lease(store, frontier)

    assert task.form == query.form
    assert frontier.admit(task) is Admission.SKIP
    assert lease(store, frontier) == []


def test_queries_wait_for_another_crawl_where_nothing_is_submitted(store: Store) -> None:
    frontier = begin(store, submits=False)
    plan(store, frontier)

    assert [task.kind for task in lease(store, frontier, 16)] == ["page"]


def test_refused_query_has_failed(store: Store) -> None:
    frontier = begin(store)
    plan(store, frontier)
    [query] = lease(store, frontier)

    frontier.refuse(query, "a POST is sent at most once")

    assert store.rows("SELECT state, why FROM submissions") == [("failed", "a POST is sent at most once")]
