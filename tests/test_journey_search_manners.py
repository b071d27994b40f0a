"""Manners of real search applications, one for each site of a simweb: a crawl with defaults gets nearly all, each record once, and harms nothing.

The databases differ in their manner, and in their topic.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from crawling import Ran, crawl

from simweb.answers import paging_name
from simweb.manners import MANNERS
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.site import Site

OUTAGE = "outage"  # a plain site that is down for a while
CASES = [*MANNERS, OUTAGE]
WORLD: dict[str, Any] = {
    "seed": 3,
    "sites": 2 * len(CASES),
    "pages_per_site": 6,
    "largest_database": 120,
}
DOWN_AFTER, DOWN_FOR = 6, 5  # requests for the search
ENOUGH = 0.95


@dataclass(frozen=True)
class Crawled:
    """A crawl that is over, the sites by their cases, and what each of them was asked."""

    ran: Ran
    truth: Truth
    sites: dict[str, Site]
    requests: dict[str, list[dict[str, Any]]]
    effects: list[dict[str, Any]]
    violations: list[dict[str, Any]]

    def records(self, case: str) -> list[tuple[int | None, str]]:
        """Return the numbers and the titles of the records that were stored, each as often as it was."""
        site = self.sites[case]
        rows = self.ran.rows(
            "SELECT url, title FROM records JOIN sites ON sites.id = records.site WHERE sites.seed = ?", site.plan.url
        )  # fmt: skip
        return [(site.record_at(target(url)), title) for url, title in rows]


def target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    manners = [case if case in MANNERS else "plain" for case in CASES]
    world = World(**WORLD, manners=manners)
    sites = dict(zip(CASES, world.databases, strict=False))
    with Simweb.start(**WORLD, manners=",".join(manners)) as web:
        down = sites[OUTAGE]
        web.post(
            "fault", kind="503", host=down.plan.host, path=down.search_action, after=DOWN_AFTER, times=DOWN_FOR
        )  # fmt: skip
        seeds = [site.plan.url for site in sites.values()]
        ran = crawl(tmp_path_factory.mktemp("manners"), seeds, {"HIDDENWEB_PROXY": web.proxy})
        requests = {case: web.get("requests", host=site.plan.host) for case, site in sites.items()}
        yield Crawled(ran, Truth(world), sites, requests, web.effects(), web.get("violations"))
    world.close()


def test_the_crawl_ends_by_itself(crawled: Crawled) -> None:
    assert crawled.ran.code == 0, crawled.ran.output[-3000:]
    assert "Traceback" not in crawled.ran.output
    assert crawled.ran.rows("SELECT reason FROM runs") == [("finished",)]


@pytest.mark.parametrize("case", CASES)
def test_nearly_all_records_are_found_each_once_and_nothing_else(crawled: Crawled, case: str) -> None:
    there = {record.record.number: record.record.title for record in crawled.truth.records(crawled.sites[case].plan.host)}  # fmt: skip
    stored = crawled.records(case)
    often = Counter(number for number, _ in stored)

    assert [each for each in stored if each[0] not in there] == []
    assert [(title, there[number]) for number, title in stored if number and title != there[number]] == []
    assert {number: times for number, times in often.items() if times > 1} == {}
    assert len(there) >= 100
    assert len(often) >= ENOUGH * len(there)


@pytest.mark.parametrize(
    ("case", "kind", "status"),
    [
        ("bare_400", "page", 400),
        ("bare_404", "page", 404),
        ("nothing_404", "answer:no_results", 404),
        ("too_many_500", "answer:too_many", 500),
        (OUTAGE, "fault", 503),
    ],
)
def test_the_status_of_the_manner_was_met(crawled: Crawled, case: str, kind: str, status: int) -> None:
    assert (kind, status) in {(request["kind"], request["status"]) for request in crawled.requests[case]}


@pytest.mark.parametrize("case", ["bracketed", "opaque", OUTAGE])
def test_pages_were_turned(crawled: Crawled, case: str) -> None:
    name, _ = paging_name(crawled.sites[case])
    turned = [request for request in crawled.requests[case] if re.search(rf"[?&]{name}=", request["target"])]

    assert len([request for request in turned if request["kind"] == "answer:results"]) > 5
    assert case != OUTAGE or any(request["kind"] == "fault" for request in turned)


def test_an_error_that_says_too_many_is_not_asked_again(crawled: Crawled) -> None:
    refused = [r["target"] for r in crawled.requests["too_many_500"] if r["kind"] == "answer:too_many"]

    assert len(refused) == len(set(refused))


def test_nothing_was_done_that_must_not_be_done(crawled: Crawled) -> None:
    assert crawled.effects == []
    assert crawled.violations == []
    assert {r["kind"] for requests in crawled.requests.values() for r in requests}.isdisjoint({"crash"})
    assert {r["method"] for requests in crawled.requests.values() for r in requests} == {"GET"}
