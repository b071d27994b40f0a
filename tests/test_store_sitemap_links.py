"""When the sitemaps of a site are requested, and what they bring into the frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from stores import FORM, NOW, lease_all, lease_seeds

from hiddenweb.frontier.scope import FIRST, FrontierScope
from hiddenweb.frontier.sitemap_scope import SITEMAPS
from hiddenweb.model import PageList, TaskSeed, Verdict
from hiddenweb.store.sitemap_links import FIRST_PAGES, MOST_FILES, SitemapLinks

if TYPE_CHECKING:
    from hiddenweb.model import CrawlTask
    from hiddenweb.store.database import Store

HOME = "https://a.example/"
MAP = f"{HOME}map.xml"


@pytest.fixture
def home(store: Store) -> CrawlTask:
    """The task of a homepage, under way."""
    [task] = lease_seeds(store, HOME)
    return task


@pytest.fixture
def sitemaps(store: Store) -> SitemapLinks:
    return SitemapLinks(store, 100, FrontierScope())


def waiting(store: Store) -> dict[str, int]:
    """The addresses that wait, and the bucket of each."""
    rows = cast(
        "list[tuple[str, int]]", store.rows("SELECT url, bucket FROM links WHERE state = 0 ORDER BY id")
    )
    return {url.removeprefix(HOME): bucket for url, bucket in rows}


def add_link(store: Store) -> None:
    store.frontier.add([TaskSeed(f"{HOME}more", bucket=FIRST + 1)])


def test_named_sitemaps_wait_behind_ordinary_links(
    store: Store, home: CrawlTask, sitemaps: SitemapLinks
) -> None:
    add_link(store)

    at_once = sitemaps.add_due(home, [MAP, "/other.xml", MAP, "https://elsewhere.example/map.xml"], 1)

    assert at_once == 0
    assert waiting(store) == {"more": FIRST + 1, "map.xml": SITEMAPS, "other.xml": SITEMAPS}
    assert sitemaps.is_undecided(home.site)
    assert store.rows("SELECT DISTINCT kind FROM links WHERE url LIKE '%.xml'") == [("sitemap",)]


def test_they_come_at_once_when_nothing_else_waits(
    store: Store, home: CrawlTask, sitemaps: SitemapLinks
) -> None:
    assert sitemaps.add_due(home, [MAP], 1) == 1

    assert waiting(store) == {"map.xml": FIRST}
    assert not sitemaps.is_undecided(home.site)


def test_they_come_at_once_when_the_first_pages_have_no_form(
    store: Store, home: CrawlTask, sitemaps: SitemapLinks
) -> None:
    add_link(store)
    assert sitemaps.add_due(home, [MAP], FIRST_PAGES - 1) == 0

    assert sitemaps.add_due(home, [], FIRST_PAGES) == 1  # what robots.txt named is remembered

    assert waiting(store)["map.xml"] == FIRST


def test_nothing_is_hastened_on_a_site_with_a_form_to_submit(
    store: Store, home: CrawlTask, sitemaps: SitemapLinks
) -> None:
    store.forms.save(home.site, FORM, Verdict(True, "search"), NOW)

    assert sitemaps.add_due(home, [MAP], FIRST_PAGES) == 0

    assert waiting(store) == {"map.xml": SITEMAPS}
    assert not sitemaps.is_undecided(home.site)


@pytest.mark.parametrize(("may_guess", "found"), [(True, {"sitemap.xml": FIRST}), (False, {})])
def test_where_none_is_named_the_usual_one_is_tried_if_links_may_be_followed(
    store: Store, home: CrawlTask, sitemaps: SitemapLinks, may_guess: bool, found: dict[str, int]
) -> None:
    assert sitemaps.add_due(home, [], FIRST_PAGES, may_guess=may_guess) == len(found)

    assert waiting(store) == found


def test_so_many_sitemaps_of_one_site_are_requested(
    store: Store, home: CrawlTask, sitemaps: SitemapLinks
) -> None:
    sitemaps.add_due(home, [f"{HOME}{number}.xml" for number in range(3)], FIRST_PAGES)
    [*maps] = lease_all(store)

    sitemaps.add_named(maps[0], PageList(sitemaps=tuple(f"{HOME}part{number}.xml" for number in range(9))))

    assert list(waiting(store)) == [f"part{number}.xml" for number in range(MOST_FILES - 3)]


def test_pages_that_a_sitemap_names_come_in_up_to_a_limit_for_the_site(store: Store, home: CrawlTask) -> None:
    sitemaps = SitemapLinks(store, 3, FrontierScope())
    pages = (f"{HOME}a", "no address", f"{HOME}b", "https://elsewhere.example/c", f"{HOME}file.pdf")

    first = sitemaps.add_named(home, PageList(pages=pages))
    second = sitemaps.add_named(home, PageList(pages=tuple(f"{HOME}d/{name}" for name in "efg")))
    third = sitemaps.add_named(home, PageList(pages=(f"{HOME}h",)))

    assert (first.new, second.new, third.new) == (2, 1, 0)
    assert list(waiting(store)) == ["a", "b", "d/e"]


def test_no_sitemap_decides_anything_in_a_crawl_that_wants_none(store: Store, home: CrawlTask) -> None:
    assert not SitemapLinks(store, 0, FrontierScope()).is_undecided(home.site)
