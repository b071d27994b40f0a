"""simweb does what its truth says: a plain link crawl finds what links reach, and nothing that is hidden."""

from __future__ import annotations

from collections import deque
from http.client import HTTPConnection
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from lxml import html

from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = {"seed": 5, "sites": 90, "pages_per_site": 12, "direct": 2, "largest_database": 150}


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(**OPTIONS) as running:
        yield running


@pytest.fixture(scope="module")
def truth(web: Simweb) -> Iterator[Truth]:
    world = World(
        5, 90, pages_per_site=12, direct=2, largest_database=150, port=int(web.proxy.rpartition(":")[2])
    )
    yield Truth(world)
    world.close()


class Fetcher:
    """A connection to the proxy, and one to each address of its own."""

    def __init__(self, web: Simweb) -> None:
        self.proxy = urlsplit(web.proxy).netloc
        self.connections: dict[str, HTTPConnection] = {}

    def get(self, url: str) -> tuple[int, bytes, dict[str, str]]:
        host = urlsplit(url).netloc
        peer = host if host.startswith("127.") else self.proxy
        connection = self.connections.setdefault(peer, HTTPConnection(peer))
        target = url if peer == self.proxy else url.removeprefix(f"http://{host}")
        connection.request("GET", target, headers={"Host": host, "User-Agent": "a plain link crawler"})
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return response.status, response.read(), headers

    def close(self) -> None:
        for connection in self.connections.values():
            connection.close()


def links_in(body: bytes, url: str, headers: dict[str, str]) -> set[str]:
    if "location" in headers:
        return {urljoin(url, headers["location"])}
    if not body:
        return set()
    page = html.document_fromstring(body)
    base = next((str(b.get("href")) for b in page.iter("base")), url)
    hrefs = [str(a.get("href")) for a in page.iter("a") if a.get("href")]
    return {urldefrag(urljoin(base, href))[0] for href in hrefs if not href.startswith(("javascript:", "#"))}


def crawl(web: Simweb, truth: Truth, starts: list[str]) -> set[str]:
    """Follow every link once, by what page it leads to; stay out of the traps."""
    fetcher = Fetcher(web)
    waiting, seen = deque(starts), set(starts)
    while waiting:
        url = waiting.popleft()
        _, body, headers = fetcher.get(url)
        for link in links_in(body, url, headers):
            page = truth.identity(link)
            if page not in seen and not truth.is_trap(page):
                seen.add(page)
                waiting.append(page)
    fetcher.close()
    return seen


@pytest.fixture(scope="module")
def crawled(web: Simweb, truth: Truth) -> set[str]:
    return crawl(web, truth, homepages(truth))


def homepages(truth: Truth) -> list[str]:
    return [truth.world.plan(number).url for number in truth.world.numbers]


def test_a_plain_link_crawl_reaches_exactly_what_the_truth_calls_reachable(
    truth: Truth, crawled: set[str]
) -> None:
    reach = truth.reachable(homepages(truth))

    assert crawled - reach.pages == set()
    assert reach.pages - crawled == set()


def test_every_public_page_is_reachable_by_links(truth: Truth, crawled: set[str]) -> None:
    public = {truth.identity(page) for site in truth.sites() for page in truth.pages(site.plan.host)}

    assert public - crawled == set()


def test_most_records_are_hidden_and_no_hidden_record_is_reached(truth: Truth, crawled: set[str]) -> None:
    reach = truth.reachable(homepages(truth))
    everything = sum(1 for site in truth.sites(databases=True) for _ in truth.records(site.plan.host))
    hidden = [
        record
        for site in truth.sites(databases=True)
        for record in truth.hidden_records(site.plan.host, reach)
    ]

    assert len(hidden) > 0.8 * everything
    assert [record.page for record in hidden if record.page and truth.identity(record.page) in crawled] == []


def test_reach_from_few_seeds_covers_much_of_the_web_but_never_more_than_from_all(truth: Truth) -> None:
    seeds = homepages(truth)[:3]

    from_few, from_all = truth.reachable(seeds), truth.reachable(homepages(truth))

    assert from_few.pages < from_all.pages
    assert len(from_few.pages) > 0.5 * len(from_all.pages)


def test_a_link_crawl_causes_no_effects_and_every_request_is_in_the_journal(
    web: Simweb, crawled: set[str]
) -> None:
    served = {f"http://{row['host']}{row['target']}" for row in web.get("requests", most=10_000_000)}

    assert web.effects() == []
    assert {url for url in crawled if url not in served} == set()


def test_a_form_around_the_whole_page_has_no_other_form_beside_it(truth: Truth) -> None:
    pages: dict[str, list[str]] = {}
    for site in truth.sites():
        for form in truth.forms(site.plan.host):
            if form.depth >= 0:
                pages.setdefault(form.page, []).append(form.form.style)

    around = [styles for styles in pages.values() if "aspnet" in styles]

    assert around
    assert all(styles == ["aspnet"] for styles in around)
