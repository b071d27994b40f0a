"""A POST is in the ledger before it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy import Request

from hiddenweb.middlewares.ledger import LedgerMiddleware
from hiddenweb.model import Field, Form, HttpQuery, PlannedQuery, PostSeed, TaskSeed, Verdict
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.model import CrawlTask

NOW = 1_700_000_000.0
HOME = "https://a.example/"
QUERY = HttpQuery((("q", "x"),), "x", "POST", f"{HOME}find", b"q=x", "text/plain")


class Desk:
    """A store with a planned query, and the middleware."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.frontier = BreadthFirstFrontier(store, now=lambda: NOW)
        self.middleware = LedgerMiddleware(store, lambda: NOW)
        form = Form(HOME, QUERY.url, "POST", (Field("q", "search"),))
        number = store.forms.save(store.sites.want(HOME), form, Verdict(True, "search"), NOW)
        self.frontier.add([PlannedQuery(number, QUERY)])

    def lease(self) -> CrawlTask:
        [task], _ = self.frontier.lease(self.store.sites.find_host(HOME) or 0, 1, NOW)
        return task

    def send(self, task: CrawlTask, method: str = "POST") -> None:
        self.middleware.process_request(Request(task.url, method=method, meta={"hiddenweb": task}))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        yield Desk(store)


def test_post_of_a_query_is_noted_for_good(desk: Desk) -> None:
    desk.send(desk.lease())

    assert desk.store.rows("SELECT state, sent FROM submissions") == [("sent", NOW)]
    assert not desk.store.db.in_transaction


def test_post_of_a_further_page_is_noted_with_the_page(desk: Desk) -> None:
    answer = desk.lease()
    further = TaskSeed(QUERY.url, "paging", submission=answer.submission, page_number=2)
    desk.frontier.add([PostSeed(further, b"page=2", "text/plain")])

    desk.send(desk.lease())

    assert desk.store.rows("SELECT sent FROM page_posts") == [(NOW,)]
    assert desk.store.rows("SELECT state FROM submissions") == [("planned",)]


def test_get_is_not_noted(desk: Desk) -> None:
    desk.send(desk.lease(), "GET")

    assert desk.store.rows("SELECT state FROM submissions") == [("planned",)]
