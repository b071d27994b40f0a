from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler
from twisted.python.failure import Failure

from hiddenweb.fetch.errors import Refused, Unreachable
from hiddenweb.fetch.host_rules import HostRules, RobotsAnswer
from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.open_hosts import MOST_FAILURES
from hiddenweb.middlewares.ledger import LedgerMiddleware
from hiddenweb.model import Fetched, FetchFailure, Field, Form, HttpQuery, PlannedQuery, TaskSeed, Verdict
from hiddenweb.scheduler import FrontierScheduler
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.database import Store
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.model import CrawlTask

FORM = Form("https://a.example/", "https://a.example/find", "POST", (Field("q", "text"),))


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Desk:
    """A scheduler at work, without an engine."""

    def __init__(self, state: Store, pace: HostPace, hosts: int = 10) -> None:
        self.clock = Clock()
        self.stopped: list[str] = []
        self.state = state
        self.frontier = BreadthFirstFrontier(state, now=self.clock)
        self.frontier.open("test", self.clock())
        self.stats = MemoryStatsCollector(get_crawler())
        self.rules = HostRules(state.sites, agent="hiddenweb", retry=600.0, retries=2)
        for home in ("https://a.example", "http://a.example", "https://b.example"):
            self.allow(home)
        self.scheduler = FrontierScheduler(
            self.frontier,
            self.rules,
            pace,
            self.stats,
            hosts=hosts,
            post_hosts={"a.example"},
            wake=lambda: None,
            stop=self.stopped.append,
            now=self.clock,
        )
        # There is no event loop here, and the tests move the clock.
        self.scheduler._set_alarm = self._no_alarm  # type: ignore[method-assign]

    def _no_alarm(self, now: float) -> None: ...

    def allow(self, place: str) -> None:
        """Let a host allow everything, for longer than any test lasts."""
        self.rules.save_answer(place, RobotsAnswer(404), 1e9)

    def seed(self, *urls: str) -> None:
        for url in urls:
            self.scheduler.enqueue_request(Request(url))

    def next(self) -> CrawlTask | None:
        request = self.scheduler.next_request()
        return request.meta["hiddenweb"] if request else None

    def answer(self, task: CrawlTask) -> None:
        self.state.frontier.finish(task)
        self.scheduler.end_task(Fetched(task, task.url, 200, self.clock()))

    def all(self) -> list[str]:
        urls = []
        while task := self.next():
            urls.append(task.url)
            self.answer(task)
        return urls


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as state:
        yield Desk(state, HostPace(delay=0))


def test_seeds_are_requested_once(desk: Desk) -> None:
    desk.seed("https://a.example/", "https://b.example/", "https://a.example/")

    assert desk.all() == ["https://a.example/", "https://b.example/"]


def test_links_added_by_pipelines_are_found_without_being_announced(desk: Desk) -> None:
    desk.seed("https://a.example/")
    task = desk.next()
    assert task is not None
    desk.state.frontier.add([TaskSeed("https://a.example/1"), TaskSeed("https://a.example/2")])
    desk.answer(task)

    assert desk.all() == ["https://a.example/1", "https://a.example/2"]


def test_there_is_something_pending_as_long_as_links_wait_or_are_under_way(desk: Desk) -> None:
    desk.seed("https://a.example/")
    assert desk.scheduler.has_pending_requests()
    task = desk.next()
    assert task is not None
    assert desk.next() is None

    desk.answer(task)
    desk.next()

    assert not desk.scheduler.has_pending_requests()


def test_paused_host_keeps_the_crawl_open(desk: Desk) -> None:
    desk.seed("https://a.example/")
    task = desk.next()
    assert task is not None
    missed = FetchFailure(task, "status 503", desk.clock(), retry_in=120, host_pause=120)
    desk.state.frontier.fail(missed)
    desk.scheduler.end_task(missed)

    assert desk.next() is None
    assert desk.scheduler.has_pending_requests()
    desk.clock.time += 121
    assert desk.next() == replace(task, attempts=1)


def test_more_hosts_than_may_be_open_all_get_their_turn(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        desk = Desk(state, HostPace(delay=0), hosts=3)
        urls = [f"https://h{n}.example/{page}" for page in range(2) for n in range(20)]
        for url in urls:
            desk.allow(origin(url))
        desk.seed(*urls)

        assert sorted(desk.all()) == sorted(urls)
        assert not desk.scheduler.has_pending_requests()


def test_crawl_delay_of_a_host_is_obeyed(desk: Desk) -> None:
    desk.seed("https://a.example/1", "https://a.example/2")
    first = desk.next()
    assert first is not None
    desk.rules.save_answer("https://a.example", RobotsAnswer(200, b"User-agent: *\nCrawl-delay: 5"), 1e9)
    desk.answer(first)

    assert desk.next() is None
    desk.clock.time += 5
    assert desk.next() is not None


def test_two_ports_of_one_name_are_two_hosts_and_two_schemes_are_one(desk: Desk) -> None:
    assert desk.scheduler.pace_of("https://a.example") is desk.scheduler.pace_of("http://a.example")
    assert desk.scheduler.pace_of("https://a.example:8443") is not desk.scheduler.pace_of("https://a.example")


def test_site_that_was_left_gets_no_more_requests(desk: Desk) -> None:
    desk.seed("https://a.example/1", "https://a.example/2")
    task = desk.next()
    assert task is not None
    desk.state.sites.leave(task.site, "its budget is spent")
    desk.answer(task)

    assert desk.next() is None
    assert not desk.scheduler.has_pending_requests()
    assert desk.state.counts()["pending"] == 1  # a later run with a larger budget continues


def test_similar_pages_are_refused_without_a_request(desk: Desk) -> None:
    desk.seed("https://a.example/")
    site = desk.state.sites.want("https://a.example/")
    desk.state.sites.close_shape(site, "https://a.example/list/0")
    desk.state.frontier.add(TaskSeed(f"https://a.example/list/{n}?x=1") for n in range(50))
    desk.state.frontier.add([TaskSeed("https://a.example/other")])

    assert sorted(desk.all()) == ["https://a.example/", "https://a.example/other"]
    assert desk.stats.get_value("hiddenweb/frontier/refused") == 50


def test_post_is_written_into_the_ledger_before_it_is_sent(desk: Desk) -> None:
    site = desk.state.sites.want("https://a.example/")
    form = desk.state.forms.save(site, FORM, Verdict(True, "search"), 0.0)
    query = HttpQuery((("q", "x"),), "x", "POST", FORM.action, b"q=x", "application/x-www-form-urlencoded")
    desk.frontier.add([PlannedQuery(form, query)])

    request = desk.scheduler.next_request()

    assert request is not None
    assert (request.method, request.body) == ("POST", b"q=x")
    assert request.headers["Content-Type"] == b"application/x-www-form-urlencoded"
    assert desk.state.rows("SELECT state FROM submissions") == [("planned",)]
    LedgerMiddleware(desk.state, desk.clock).process_request(request)
    assert not desk.state.db.in_transaction
    assert desk.state.rows("SELECT state, sent FROM submissions") == [("sent", desk.clock())]


def test_post_that_was_planned_while_its_host_allowed_it_is_not_sent_when_it_no_longer_does(
    desk: Desk,
) -> None:
    site = desk.state.sites.want("https://b.example/")
    form = replace(FORM, page_url="https://b.example/", action="https://b.example/find")
    number = desk.state.forms.save(site, form, Verdict(True, "search"), 0.0)
    query = HttpQuery((("q", "x"),), "x", "POST", form.action, b"q=x", "application/x-www-form-urlencoded")
    desk.frontier.add([PlannedQuery(number, query)])

    assert desk.scheduler.next_request() is None
    ((state, why),) = desk.state.rows("SELECT state, why FROM submissions")
    assert state == "failed"
    assert why == "it is sent by POST, which is no longer allowed for its host"
    assert desk.state.rows("SELECT state, why FROM links WHERE submission IS NOT NULL") == [(4, why)]
    assert desk.stats.get_value("hiddenweb/queries/not_allowed") == 1


def test_error_of_ours_costs_one_page(desk: Desk) -> None:
    desk.seed("https://a.example/1", "https://a.example/2")
    task = desk.next()
    assert task is not None

    desk.scheduler._fail(task, "reading it failed: ValueError()")

    assert desk.state.rows("SELECT state, why FROM links WHERE id = ?", [task.link]) == [
        (3, "reading it failed: ValueError()")
    ]
    assert desk.stats.get_value("hiddenweb/frontier/crashed") == 1
    desk.clock.time += 60
    assert desk.next() is not None


def test_requests_of_other_spiders_wait_in_memory_and_are_counted(desk: Desk) -> None:
    request = Request("https://a.example/", callback=print, cb_kwargs={"x": 1})

    assert desk.scheduler.enqueue_request(request)

    assert desk.scheduler.next_request() is request
    assert desk.stats.get_value("hiddenweb/frontier/in_memory") == 1


def test_unsent_tasks_wait_again_after_closing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    desk = Desk(store, HostPace(delay=0))
    desk.seed(*(f"https://a.example/{n}" for n in range(5)))
    desk.next()

    class Loop:
        def stop(self) -> None: ...

    desk.scheduler._committing = Loop()  # type: ignore[assignment]
    desk.scheduler.close("shutdown")

    with Store(tmp_path, write=False) as state:
        assert (state.counts()["pending"], state.counts()["leased"]) == (4, 1)
        assert state.rows("SELECT reason FROM runs") == [("shutdown",)]
    store.close()


def test_http_and_https_of_one_name_share_a_pace_and_both_are_read(desk: Desk) -> None:
    urls = [f"{scheme}://a.example/{n}" for n in range(4) for scheme in ("http", "https")]
    desk.seed(*urls)

    assert sorted(desk.all()) == sorted(urls)
    assert not desk.scheduler.has_pending_requests()


def test_crawl_does_not_end_while_a_link_waits_to_be_tried_again(desk: Desk) -> None:
    desk.seed(*(f"https://a.example/{n}" for n in range(4)))
    first = desk.next()
    assert first is not None
    missed = FetchFailure(first, "status 500", desk.clock(), retry_in=100)
    desk.state.frontier.fail(missed)
    desk.scheduler.end_task(missed)
    desk.clock.time += 60
    assert len(desk.all()) == 3

    assert desk.scheduler.has_pending_requests()
    desk.clock.time += 100
    assert desk.all() == [first.url]


def test_host_that_never_answers_is_left_for_this_run_and_its_links_wait(desk: Desk) -> None:
    desk.seed(*(f"https://a.example/{n}" for n in range(40)), "https://b.example/")
    failures = 0
    while task := desk.next():
        if "b.example" in task.url:
            desk.answer(task)
            continue
        missed = FetchFailure(task, "no connection", desk.clock(), retry_in=1)
        desk.state.frontier.fail(missed)
        desk.scheduler.end_task(missed)
        desk.clock.time += 10_000
        failures += 1

    assert failures == MOST_FAILURES
    assert not desk.scheduler.has_pending_requests()
    assert desk.state.counts()["pending"] == 40
    assert desk.stats.get_value("hiddenweb/hosts/given_up") == 1


def test_seed_that_was_refused_is_tried_again_by_the_next_run(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        desk = Desk(state, HostPace(delay=0))
        desk.seed("https://a.example/")
        task = desk.next()
        assert task is not None
        state.frontier.refuse(task, "not a public address")
        state.runs.end(1, "finished", desk.clock())

        again = Desk(state, HostPace(delay=0))
        again.seed("https://a.example/")

        assert again.all() == ["https://a.example/"]


def test_site_that_was_left_and_is_wanted_again_is_resumed(desk: Desk) -> None:
    desk.seed("https://a.example/1", "https://a.example/2", "https://a.example/3")
    task = desk.next()
    assert task is not None
    desk.state.sites.leave(task.site, "its budget is spent")
    desk.answer(task)
    assert desk.next() is None

    desk.state.sites.want("https://a.example/")

    assert desk.all() == ["https://a.example/2", "https://a.example/3"]


# robots.txt

UNKNOWN = "https://c.example/"


def robots_of(request: Request | None) -> CrawlTask:
    assert request is not None
    task: CrawlTask = request.meta["hiddenweb"]
    assert task.kind == "robots"
    return task


def answer_robots(request: Request, response: Response) -> None:
    assert request.callback is not None
    response.request = request
    request.callback(response)


def miss_robots(request: Request, error: Exception) -> None:
    assert request.errback is not None
    request.errback(Failure(error))  # type: ignore[no-untyped-call]


def test_robots_txt_of_a_host_goes_before_its_tasks_which_wait_unchanged(desk: Desk) -> None:
    desk.seed(UNKNOWN, f"{UNKNOWN}more")
    request = desk.scheduler.next_request()
    assert robots_of(request).url == f"{UNKNOWN}robots.txt"
    assert request is not None

    assert desk.next() is None
    assert desk.scheduler.has_pending_requests()
    answer_robots(request, Response(f"{UNKNOWN}robots.txt", 404))

    assert desk.all() == [UNKNOWN, f"{UNKNOWN}more"]
    assert desk.state.rows("SELECT DISTINCT state, attempts, not_before, why FROM links") == [
        (2, 0, 0.0, None)
    ]
    assert desk.stats.get_value("hiddenweb/robots/requested") == 1


def test_robots_txt_is_not_requested_for_a_task_that_is_not_sent(desk: Desk) -> None:
    desk.seed(UNKNOWN)
    desk.state.sites.close_shape(desk.state.sites.want(UNKNOWN), UNKNOWN)

    assert desk.next() is None
    assert desk.stats.get_value("hiddenweb/robots/requested") is None


def test_rules_that_end_while_tasks_wait_are_fetched_again_before_the_next_one(desk: Desk) -> None:
    desk.rules.save_answer("https://c.example", RobotsAnswer(404), desk.clock() - 86_390.0)
    desk.seed(UNKNOWN, f"{UNKNOWN}more")
    first = desk.next()
    assert first is not None
    assert first.url == UNKNOWN
    desk.clock.time += 20

    desk.answer(first)

    robots_of(desk.scheduler.next_request())


def test_delay_and_crawl_delay_lie_between_robots_txt_and_the_first_task(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        desk = Desk(state, HostPace(delay=2.0))
        desk.seed(UNKNOWN, "https://d.example/")
        for name in ("c", "d"):
            request = desk.scheduler.next_request()
            assert request is not None
            text = b"User-agent: *\nCrawl-delay: 7" if name == "d" else b""
            answer_robots(request, Response(request.url, 200, body=text))
        times = {}
        for _ in range(9):
            if task := desk.next():
                times[task.url] = desk.clock() - 1000
                desk.answer(task)
            desk.clock.time += 1

    assert times == {UNKNOWN: 2.0, "https://d.example/": 7.0}


def test_crawl_delay_that_an_earlier_crawl_read_is_waited_for_before_the_first_task(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        state.sites.want(UNKNOWN)
        state.sites.find_host(UNKNOWN)
        text = RobotsAnswer(200, b"User-agent: *\nCrawl-delay: 7")
        HostRules(state.sites, agent="hiddenweb").save_answer("https://c.example", text, 1000.0)
        desk = Desk(state, HostPace(delay=0))
        desk.seed(UNKNOWN)

        assert desk.next() is None
        desk.clock.time += 7
        assert desk.next() is not None


def test_host_without_available_rules_is_paused_and_then_given_up_with_its_tasks_waiting(desk: Desk) -> None:
    desk.seed(UNKNOWN)
    for turn in range(3):
        request = desk.scheduler.next_request()
        assert robots_of(request).attempts == turn
        assert request is not None
        if turn:
            miss_robots(request, Unreachable("no connection"))
        else:
            answer_robots(request, Response(request.url, 503, {"Retry-After": "30"}))
        assert desk.scheduler.next_request() is None
        desk.clock.time += 29
        assert desk.scheduler.next_request() is None
        desk.clock.time += 600

    assert not desk.scheduler.has_pending_requests()
    assert desk.state.rows("SELECT state, attempts, why FROM links") == [(0, 0, None)]
    assert desk.state.rows("SELECT paused_why FROM hosts") == [("no answer: no connection",)]
    assert desk.stats.get_value("hiddenweb/robots/unavailable") == 3
    assert desk.stats.get_value("hiddenweb/hosts/given_up") == 1


def test_host_that_the_guard_refuses_gets_its_tasks_refused_one_by_one(desk: Desk) -> None:
    desk.seed(UNKNOWN)
    request = desk.scheduler.next_request()
    assert request is not None

    miss_robots(request, Refused("it is this machine"))

    task = desk.next()
    assert task is not None
    assert task.url == UNKNOWN
    assert desk.rules.reason_refused("https://c.example") == "it is this machine"
    assert desk.stats.get_value("hiddenweb/robots/unavailable") is None


def test_robots_txt_that_is_being_fetched_is_waited_for(desk: Desk) -> None:
    desk.rules.begin("https://c.example")
    desk.seed(UNKNOWN)
    assert desk.next() is None
    assert desk.scheduler.has_pending_requests()

    desk.rules.save_answer("https://c.example", RobotsAnswer(404), desk.clock())

    assert desk.all() == [UNKNOWN]
    assert desk.stats.get_value("hiddenweb/robots/requested") is None


def test_crawl_that_is_killed_while_robots_txt_is_fetched_requests_it_again_and_loses_nothing(
    tmp_path: Path,
) -> None:
    with Store(tmp_path) as state:
        desk = Desk(state, HostPace(delay=0))
        desk.seed(UNKNOWN)
        robots_of(desk.scheduler.next_request())
        state.commit()

    with Store(tmp_path) as state:
        again = Desk(state, HostPace(delay=0))
        again.seed(UNKNOWN)
        request = again.scheduler.next_request()

        assert robots_of(request).url == f"{UNKNOWN}robots.txt"
        assert request is not None
        answer_robots(request, Response(request.url, 404))
        assert again.all() == [UNKNOWN]


def test_error_of_ours_in_reading_robots_txt_pauses_the_host(desk: Desk) -> None:
    desk.seed(UNKNOWN)
    request = desk.scheduler.next_request()
    assert request is not None
    response = Response(request.url, request=request)

    desk.scheduler.note_spider_error(Failure(ValueError()), response)  # type: ignore[no-untyped-call]

    assert desk.next() is None
    assert desk.stats.get_value("hiddenweb/robots/unavailable") == 1
