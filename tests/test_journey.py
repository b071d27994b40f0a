"""The journey, end to end: a real crawl of simweb, held against the truth."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import pytest
from crawling import Ran, crawl

from hiddenweb.index.location import current_folder
from hiddenweb.index.protocol import differences
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.store.outbox import open_outbox
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

WORLD: dict[str, Any] = {"seed": 11, "sites": 100, "pages_per_site": 25, "largest_database": 300}
ONE_BOX = {"box", "box_selects", "radios", "outside", "semicolon", "charset", "accept_charset"}


@dataclass(frozen=True)
class Crawled:
    """A crawl that is over, and the world it was in."""

    ran: Ran
    web: Simweb
    truth: Truth
    hosts: list[str]

    def pages(self, host: str) -> list[str]:
        """The addresses of a host that were read and kept."""
        pattern = f"http://{host}/%"
        rows = self.ran.rows("SELECT url FROM pages WHERE url LIKE ? AND status = 200", pattern)
        return [row[0] for row in rows]

    def records_seen(self, host: str) -> set[int]:
        """The records that the kept pages of a host show."""
        return {number for url in self.pages(host) for number in shown(self.truth, url)}


def shown(truth: Truth, url: str) -> tuple[int, ...]:
    response = truth._fetch(url)
    return tuple(response.records) if response else ()


def reachable_records(truth: Truth, host: str) -> set[int]:
    """What links lead to on one site, of what robots.txt allows, traps not entered."""
    start = truth.identity(f"http://{host}/")
    waiting, seen, records = deque([start]), {start}, set[int]()
    while waiting:
        url = waiting.popleft()
        response = truth._fetch(url) if truth.is_allowed(url) else None
        if response is None:
            continue
        records.update(response.records)
        for link in response.links:
            target = truth.identity(urljoin(url, link))
            if urlsplit(target).netloc == host and target not in seen and not truth.is_trap(target):
                seen.add(target)
                waiting.append(target)
    return records


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    world = World(**WORLD)
    truth = Truth(world)
    plans = [site.plan for site in truth.sites()]
    hosts = [plan.host for plan in plans if not plan.robots.crawl_delay and not plan.host.startswith("127.")]
    with Simweb.start(**WORLD) as web:
        seeds = [f"http://{host}/" for host in hosts]
        ran = crawl(
            tmp_path_factory.mktemp("journey"),
            seeds,
            {"HIDDENWEB_PROXY": web.proxy, "HIDDENWEB_QUERIES_PER_FORM": 10, "HIDDENWEB_INDEX": True},
        )
        yield Crawled(ran, web, truth, hosts)
    world.close()


def test_crawl_ends_by_itself(crawled: Crawled) -> None:
    assert crawled.ran.code == 0, crawled.ran.output[-3000:]
    assert crawled.ran.rows("SELECT reason FROM runs") == [("finished",)]
    assert crawled.ran.rows("SELECT count(*) FROM links WHERE state IN (0, 1)") == [(0,)]


def test_all_records_that_links_reach_are_found(crawled: Crawled) -> None:
    missing = {
        host: len(lost)
        for host in crawled.hosts
        if (lost := reachable_records(crawled.truth, host) - crawled.records_seen(host))
    }

    assert missing == {}


def test_most_hidden_records_behind_one_box_are_found(crawled: Crawled) -> None:
    found = hidden = 0
    for host in crawled.hosts:
        site = crawled.truth.site(host)
        database = site.plan.database
        if database is None or database.style not in ONE_BOX:
            continue
        if database.behaviour.cap or database.behaviour.too_many:
            continue
        if not crawled.truth.is_allowed(f"http://{host}{database.search_path}"):
            continue
        here = {truth.record.number for truth in crawled.truth.records(host)}
        here -= reachable_records(crawled.truth, host)
        hidden += len(here)
        found += len(here & crawled.records_seen(host))

    print(f"{found} of {hidden} hidden records were found")
    assert hidden > 200
    assert found / hidden >= 0.6


def test_traps_end_within_their_budget(crawled: Crawled) -> None:
    plans = [crawled.truth.site(host).plan for host in crawled.hosts]
    trapped = {plan.host: plan for plan in plans if plan.traps}
    requests = crawled.web.get("counts")

    assert len({trap for plan in trapped.values() for trap in plan.traps}) >= 5
    spent = {host: requests.get(host, 0) for host in trapped}
    assert all(count <= 1_000 for count in spent.values()), spent
    left = crawled.ran.rows("SELECT domain, left FROM sites WHERE left IS NOT NULL")
    assert left == []  # none had to be cut off by the budget of 5,000 pages


def test_nothing_was_done_that_must_not_be_done(crawled: Crawled) -> None:
    assert crawled.web.effects() == []
    assert crawled.web.get("violations") == []


def test_index_holds_what_the_store_holds(crawled: Crawled) -> None:
    outbox = open_outbox(crawled.ran.state)
    index = WhooshIndex(current_folder(crawled.ran.state))

    found = differences(index, outbox.documents())
    index.close()
    outbox.close()

    assert not found, json.dumps([found.missing[:3], found.surplus[:3], found.changed[:3]])
    assert found.compared > 500
