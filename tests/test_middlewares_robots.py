"""What robots.txt says is obeyed, from what the store has of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from hiddenweb.fetch.errors import Disallowed, Postponed
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.middlewares.robots import ROBOTS, RobotsMiddleware
from hiddenweb.signals import host_paced
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
HOME = "https://a.example/"


class Desk:
    """A middleware over a store that has rules."""

    def __init__(self, store: Store) -> None:
        store.sites.want(HOME)
        store.sites.find_host(HOME)
        self.store = store
        self.crawler = get_crawler()
        self.crawler.stats = MemoryStatsCollector(self.crawler)
        self.paces: list[tuple[str, float]] = []
        self.crawler.signals.connect(self.note_pace, host_paced)
        self.middleware = RobotsMiddleware(
            self.crawler, store, agent="hiddenweb", delay=1.0, retry=600.0, now=lambda: NOW
        )

    def note_pace(self, place: str, delay: float) -> None:
        self.paces.append((place, delay))

    def keep(self, text: str, status: int = 200) -> None:
        rules = RobotsRules.from_answer(status, text.encode(), NOW)
        self.store.sites.save_robots("https://a.example", rules.to_json())

    def ask(self, url: str, **meta: object) -> None:
        asyncio.run(self.middleware.process_request(Request(url, meta=dict(meta))))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        yield Desk(store)


def test_what_robots_txt_allows_goes_through_and_the_rest_does_not(desk: Desk) -> None:
    desk.keep("User-agent: *\nDisallow: /private")

    desk.ask(f"{HOME}public")
    with pytest.raises(Disallowed):
        desk.ask(f"{HOME}private/page")


def test_host_whose_rules_cannot_be_had_is_left_in_peace(desk: Desk) -> None:
    desk.keep("", status=503)

    with pytest.raises(Postponed) as caught:
        desk.ask(HOME)

    assert caught.value.whole_host


def test_crawl_delay_is_made_known(desk: Desk) -> None:
    desk.keep("User-agent: *\nCrawl-delay: 7")

    with pytest.raises(Postponed):  # the crawl before may have sent a request a moment ago
        desk.ask(HOME)
    desk.ask(HOME)

    assert desk.paces == [("https://a.example", 7.0)]


def test_robots_txt_itself_needs_no_permission(desk: Desk) -> None:
    desk.ask(f"{HOME}robots.txt", hiddenweb=ROBOTS)
