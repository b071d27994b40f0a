"""Rules of robots.txt in the store are obeyed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from hiddenweb.fetch.errors import Disallowed, Postponed, Refused
from hiddenweb.fetch.host_rules import HostRules, RobotsAnswer
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.middlewares.robots import RobotsMiddleware
from hiddenweb.model import CrawlTask
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
PLACE = "https://a.example"
HOME = f"{PLACE}/"


class Desk:
    """A middleware over a store that has rules."""

    def __init__(self, store: Store) -> None:
        store.sites.want(HOME)
        store.sites.find_host(HOME)
        self.store = store
        self.crawler = get_crawler()
        self.crawler.stats = MemoryStatsCollector(self.crawler)
        self.rules = HostRules(store.sites, agent="hiddenweb")
        self.middleware = RobotsMiddleware(self.crawler, self.rules, delay=1.0, now=lambda: NOW)

    def save_rules(self, text: str, status: int = 200, at: float = NOW) -> None:
        rules = RobotsRules.from_answer(status, text.encode(), at)
        self.store.sites.save_robots(PLACE, rules.to_json())

    def request(self, url: str, kind: object = None) -> None:
        asyncio.run(self.middleware.process_request(Request(url, meta={"hiddenweb": kind})))

    def request_task(self, url: str) -> None:
        self.request(url, CrawlTask(1, 1, 1, url))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        yield Desk(store)


def test_what_robots_txt_allows_goes_through_and_the_rest_does_not(desk: Desk) -> None:
    desk.save_rules("User-agent: *\nDisallow: /private")

    for request in (desk.request, desk.request_task):
        request(f"{HOME}public")
        with pytest.raises(Disallowed):
            request(f"{HOME}private/page")
    assert desk.crawler.stats is not None
    assert desk.crawler.stats.get_value("hiddenweb/robots/forbidden") == 2


def test_host_whose_rules_are_unavailable_is_paused(desk: Desk) -> None:
    desk.save_rules("", status=503)

    for request in (desk.request, desk.request_task):
        with pytest.raises(Postponed) as caught:
            request(HOME)
        assert caught.value.whole_host


def test_crawl_delay_of_an_earlier_crawl_is_waited_for(desk: Desk) -> None:
    desk.save_rules("User-agent: *\nCrawl-delay: 7")

    with pytest.raises(Postponed) as caught:  # the crawl before may have sent a request a moment ago
        desk.request(HOME)
    desk.request(HOME)

    assert caught.value.seconds == 7.0


def test_robots_txt_itself_needs_no_permission(desk: Desk) -> None:
    desk.request(f"{HOME}robots.txt", CrawlTask(-1, 1, 1, f"{HOME}robots.txt", "robots"))


def test_task_of_a_host_with_unknown_rules_is_refused_and_nothing_is_fetched(desk: Desk) -> None:
    with pytest.raises(Disallowed):  # there is no engine here that could fetch anything
        desk.request_task(HOME)


def test_task_goes_out_by_rules_that_ended_a_moment_ago(desk: Desk) -> None:
    desk.save_rules("User-agent: *\nDisallow: /private", at=NOW - 86_400.001)

    desk.request_task(HOME)
    with pytest.raises(Disallowed):
        desk.request_task(f"{HOME}private")


def test_refusal_of_robots_txt_by_the_address_guard_holds_for_the_whole_host(desk: Desk) -> None:
    desk.rules.save_refusal(PLACE, "it is this machine", NOW)

    for request in (desk.request, desk.request_task):
        with pytest.raises(Refused, match="it is this machine"):
            request(HOME)


def test_robots_txt_that_is_being_fetched_is_waited_for(desk: Desk) -> None:
    async def request_while_it_is_fetched() -> None:
        desk.rules.begin(PLACE)
        waiting = asyncio.ensure_future(desk.middleware.process_request(Request(HOME)))
        await asyncio.sleep(0)
        desk.rules.save_answer(PLACE, RobotsAnswer(200, b"User-agent: *\nDisallow: /"), NOW)
        await waiting

    with pytest.raises(Disallowed):
        asyncio.run(request_while_it_is_fetched())
