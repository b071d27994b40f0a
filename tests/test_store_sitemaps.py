"""What sitemaps say of pages that were read, and how often they were right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from stores import fetch, lease_seeds, save_page

from hiddenweb.store.revisit_plan import RevisitPlanStore
from hiddenweb.store.sitemaps import SitemapStore, StoredSitemap
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from hiddenweb.model import CrawlTask
    from hiddenweb.store.database import Store

URL = "http://shop.example/lamp"
A, B = "http://shop.example/a.xml", "http://shop.example/b.xml"
READ = StoredSitemap(7.0, (), "")


@pytest.fixture
def task(store: Store) -> CrawlTask:
    """The task of a page that was read."""
    [task] = lease_seeds(store, URL)
    save_page(store, fetch(task))
    store.frontier.finish(task)
    return task


@pytest.fixture
def sitemaps(store: Store) -> SitemapStore:
    return SitemapStore(store)


def dated_pages(store: Store) -> list[tuple[float | None, float | None]]:
    """When each page was changed as its sitemap has it, and when that was read."""
    return [(page.modified, page.dated) for page in RevisitPlanStore(store).load_pages()]


def test_hosts_with_pages_that_can_be_revisited_are_listed_the_largest_first(
    store: Store, sitemaps: SitemapStore, task: CrawlTask
) -> None:
    for each in lease_seeds(store, "http://big.example/1", "http://big.example/2", "http://empty.example/"):
        if "empty" not in each.url:
            save_page(store, fetch(each, each.url))

    hosts = sitemaps.load_hosts()

    assert [(host.origin, host.pages) for host in hosts] == [
        ("http://big.example", 2), ("http://shop.example", 1),
    ]  # fmt: skip
    assert [host.number for host in sitemaps.load_hosts(["shop.example"])] == [task.host]
    assert sitemaps.load_hosts(["other.example"]) == []


def test_pages_of_a_host_are_found_by_their_addresses(sitemaps: SitemapStore, task: CrawlTask) -> None:
    assert sitemaps.load_pages(task.host) == {url_hash(URL): task.link}
    assert sitemaps.load_pages(task.host + 1) == {}


def test_a_sitemap_is_stored(sitemaps: SitemapStore, task: CrawlTask) -> None:
    kept = StoredSitemap(7.0, (B,), "it names too many pages")

    sitemaps.save(task.host, A, kept, [])

    assert sitemaps.load(task.host) == {A: kept}
    assert sitemaps.load(task.host + 1) == {}


def test_a_sitemap_that_cannot_be_read_now_dates_pages_as_it_did(
    store: Store, sitemaps: SitemapStore, task: CrawlTask
) -> None:
    sitemaps.save(task.host, A, READ, [(task.link, 300.0)])

    sitemaps.save(task.host, A, READ._replace(asked=8.0, why="status 503"))

    assert dated_pages(store) == [(300.0, 7.0)]
    assert sitemaps.load(task.host) == {A: StoredSitemap(8.0, (), "status 503")}


def test_the_sitemap_that_was_read_last_dates_a_page(
    store: Store, sitemaps: SitemapStore, task: CrawlTask
) -> None:
    sitemaps.save(task.host, A, READ, [(task.link, 300.0)])
    sitemaps.save(task.host, B, READ._replace(asked=9.0), [(task.link, 400.0)])

    sitemaps.save(task.host, A, READ, [])  # it dates nothing any more

    assert dated_pages(store) == [(400.0, 9.0)]


def test_sitemaps_that_are_no_longer_named_are_forgotten(
    store: Store, sitemaps: SitemapStore, task: CrawlTask
) -> None:
    sitemaps.save(task.host, A, READ, [])
    sitemaps.save(task.host, B, READ, [(task.link, 400.0)])
    sitemaps.save(task.host + 1, B, READ, [])

    sitemaps.forget_others(task.host, [A])

    assert dated_pages(store) == [(None, None)]
    assert list(sitemaps.load(task.host)) == [A]
    assert list(sitemaps.load(task.host + 1)) == [B]


def test_counts_of_right_sitemaps_are_stored(sitemaps: SitemapStore, task: CrawlTask) -> None:
    for said, changed in ((1, True), (1, True), (1, False), (-1, False)):
        sitemaps.count_verdict(task.host, said, changed=changed)

    trust = sitemaps.load_trust([99, task.host])

    assert trust.counts.tolist() == [[[0, 0], [0, 0]], [[1, 1], [0, 2]]]
    assert sitemaps.load_trust([]).counts.shape == (0, 2, 2)
