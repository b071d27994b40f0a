"""The last pipeline puts what a page leads to into the frontier, and ends its task."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from hiddenweb.frontier.scope import FrontierScope
from hiddenweb.frontier.stopping import SiteBudget
from hiddenweb.html.document import document_of
from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, FetchFailure, Field, Form, HttpQuery, PlannedQuery, TaskSeed, Verdict
from hiddenweb.pipelines.frontier import FrontierPipeline
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.model import CrawlTask

NOW = 1_700_000_000.0
HOME = "https://a.example/"
PAGE = b"<title>Home</title><p>All about bees and honey.</p><a href=/one>one</a> <a href=/two>two</a>"
BUDGET = SiteBudget(pages=2, nothing_new=10, explored=10, record_pages=10)


class Desk:
    """A pipeline at work on a frontier."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.frontier = BreadthFirstFrontier(store, BUDGET, now=lambda: NOW)
        self.frontier.open("test", NOW)
        self.frontier.add_seed(HOME)
        self.stats = MemoryStatsCollector(get_crawler())
        self.pipeline = FrontierPipeline(store, self.stats, self.frontier, FrontierScope(), BUDGET)

    def lease(self) -> CrawlTask:
        [task], _ = self.frontier.lease(self.store.sites.find_host(HOME) or 0, 1, NOW)
        return task

    def read(self, task: CrawlTask, **given: object) -> None:
        page = read_page(PAGE, task.url)
        self.pipeline.process_item(Fetched(task, task.url, 200, NOW, **{"page": page, **given}))  # type: ignore[arg-type]

    def state_of(self, task: CrawlTask) -> tuple[object, ...]:
        return self.store.rows("SELECT state, why FROM links WHERE id = ?", (task.link,))[0]

    def waiting(self) -> list[object]:
        return [url for (url,) in self.store.rows("SELECT url FROM links WHERE state = 0 ORDER BY id")]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        yield Desk(store)


def test_links_of_a_page_wait_when_its_task_is_done(desk: Desk) -> None:
    task = desk.lease()

    desk.read(task)

    assert desk.state_of(task) == (2, None)
    assert desk.waiting() == [f"{HOME}one", f"{HOME}two"]
    assert desk.stats.get_value("hiddenweb/links/new") == 2


def test_the_tree_of_a_page_is_released_when_its_task_is_done(desk: Desk) -> None:
    task = desk.lease()
    page = read_page(PAGE, task.url, keep_document=True)
    assert document_of(page) is not None

    desk.read(task, page=page)

    assert document_of(page) is None


def test_site_is_left_when_its_budget_of_pages_is_spent(desk: Desk) -> None:
    desk.read(desk.lease())
    task = desk.lease()

    desk.read(task)

    assert desk.store.sites.is_left(task.site)


def test_sitemap_that_moved_is_still_a_sitemap_whatever_its_address(desk: Desk) -> None:
    desk.store.frontier.add([TaskSeed(f"{HOME}sitemap", "sitemap", bucket=0, hops=1)])
    task = desk.lease()
    assert task.kind == "sitemap"

    desk.read(task, page=None, redirect=f"{HOME}all.xml")

    assert desk.store.rows("SELECT kind, url FROM links WHERE redirects = 1") == [
        ("sitemap", f"{HOME}all.xml")
    ]


def test_page_does_not_move_to_a_file(desk: Desk) -> None:
    task = desk.lease()

    desk.read(task, page=None, redirect=f"{HOME}all.xml")

    assert desk.state_of(task) == (2, f"redirects to {HOME}all.xml, not followed: file")


def test_redirect_waits_in_the_place_of_its_page(desk: Desk) -> None:
    task = desk.lease()

    desk.read(task, page=None, redirect=f"{HOME}home")

    assert desk.state_of(task) == (2, f"redirects to {HOME}home")
    assert desk.waiting() == [f"{HOME}home"]


def test_failed_task_ends_and_pauses_its_host_as_long_as_requested(desk: Desk) -> None:
    task = desk.lease()

    desk.pipeline.process_item(FetchFailure(task, "status 503", NOW, host_pause=60.0))

    assert desk.state_of(task) == (3, "status 503")
    with Store(desk.store.folder, write=False) as reader:  # what a host asked for holds after a kill too
        assert reader.sites.load_host(task.host).paused_until == NOW + 60


def test_refused_task_is_refused_for_good(desk: Desk) -> None:
    task = desk.lease()

    desk.pipeline.process_item(FetchFailure(task, "robots.txt forbids it", NOW, refused=True))

    assert desk.state_of(task) == (4, "robots.txt forbids it")
    assert desk.stats.get_value("hiddenweb/frontier/refused") == 1


def test_a_post_is_committed_at_once(desk: Desk) -> None:
    form = Form(HOME, f"{HOME}find", "POST", (Field("q", "search"),))
    number = desk.store.forms.save(desk.store.sites.want(HOME), form, Verdict(True, "search"), NOW)
    query = HttpQuery((("q", "bee"),), "bee", "POST", f"{HOME}find", b"q=bee", "text/plain")
    desk.frontier.add([PlannedQuery(number, query)])
    task = desk.lease()

    desk.pipeline.process_item(FetchFailure(task, "no connection", NOW))

    assert not desk.store.db.in_transaction
    assert desk.store.rows("SELECT state, why FROM submissions") == [("failed", "no connection")]
