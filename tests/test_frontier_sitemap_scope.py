"""Which pages of a sitemap are followed, and in which order."""

from __future__ import annotations

from collections import Counter

import pytest

from hiddenweb.frontier.scope import FIRST, LAST, FrontierScope
from hiddenweb.frontier.sitemap_scope import SITEMAPS, names_search, pages_to_follow
from hiddenweb.model import CrawlTask

HOME = "http://a.example"
SITEMAP = CrawlTask(1, 1, 1, f"{HOME}/sitemap.xml", hops=1)


def test_all_kinds_of_addresses_have_their_share_and_those_near_the_root_come_first() -> None:
    urls = [f"{HOME}/goods/of/ours/{n}.html" for n in range(1_000)] + [f"{HOME}/about/{n}" for n in range(3)]
    followed = pages_to_follow([*urls, f"{HOME}/contact"], SITEMAP, FrontierScope(), 20)

    kinds = Counter(link.url.split("/")[3] for link in followed)
    assert kinds == {"goods": 16, "about": 3, "contact": 1}
    assert followed[0].url == f"{HOME}/contact"
    assert {(link.bucket, link.hops, link.parent) for link in followed} == {(SITEMAPS, 2, 1)}


def test_names_of_searches_come_soon_and_other_views_come_last() -> None:
    urls = [
        f"{HOME}/suche.php",
        f"{HOME}/page/1",
        f"{HOME}/page/1/print",
        f"{HOME}/a.pdf",
        f"{HOME}/a/logout",
    ]
    followed = pages_to_follow(urls, SITEMAP, FrontierScope(), 10)

    assert {link.url: link.bucket for link in followed} == {
        f"{HOME}/suche.php": FIRST + 1,
        f"{HOME}/page/1": SITEMAPS,
        f"{HOME}/page/1/print": LAST,
    }


@pytest.mark.parametrize(
    ("path", "is_search"),
    [
        ("/search", True),
        ("/en/advanced_search/", True),
        ("/recherche-avancee.html", True),
        ("/%E6%A4%9C%E7%B4%A2", True),
        ("/research/", False),
        ("/search/the-book-of-bees", False),
        ("/paramaribo", False),
    ],
)
def test_an_address_names_a_search_by_its_last_part(path: str, is_search: bool) -> None:
    assert names_search(HOME + path) is is_search
