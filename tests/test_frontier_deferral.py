"""Which links wait behind everything: by their addresses, and by the worth of similar pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.frontier.deferral import FEWEST, LinkDeferral, leads_to_variant
from hiddenweb.model import Link

if TYPE_CHECKING:
    from collections.abc import Sequence

HOME = "http://a.example"
WORDS = [f"word{number}" for number in range(5_000)]


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/list?q=bee&sort=name", "/list?q=bee"),
        ("/list?sort=year&q=bee", "/list?q=bee&sort=name"),
        ("/list?q=bee&orderBy=price&dir=desc", "/list?q=bee"),
        ("/list?q=bee&per_page=100", "/list?q=bee"),
        ("/?lang=de", "/"),
        ("/git?p=x.git;a=blob;f=src/main;h=12ab", "/git?p=x.git;a=tree"),
        ("/git?p=x.git;a=commitdiff;h=12ab", "/git?p=x.git"),
        ("/git?p=x.git;a=snapshot;h=12ab;sf=tgz", "/git?p=x.git"),
        ("/x/raw/branch/main/COPYING", "/x"),
        ("/x/src/main/run.py", "/x/src/main"),
        ("/books/12/print", "/books/12"),
        ("/seite/Biene/versionen", "/seite/Biene"),
        ("/books/12?format=rss", "/books/12"),
        ("/blog/feed", "/blog"),
        ("/doku?id=bee&do=backlink", "/doku?id=bee"),
        ("/agenda?view=calendar&month=5", "/agenda"),
    ],
)
def test_other_views_of_a_page_can_wait(path: str, page: str) -> None:
    assert leads_to_variant(Link(HOME + path), HOME + page)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/list?q=bee&page=2", "/list?q=bee"),
        ("/list?q=bee&start=20", "/list?q=bee"),
        ("/list?sort=name", "/"),
        ("/?cat=12", "/"),
        ("/history", "/"),
        ("/calendar", "/"),
        ("/history/rome", "/"),
        ("/books?subject=history", "/books"),
        ("/books?q=print", "/books"),
        ("/index.php?page=search", "/index.php?page=home"),
        ("/git?p=x.git;a=search;s=bee", "/git?p=x.git"),
        ("/wiki/Bee", "/wiki/Main"),
        ("/search.php", "/"),
        ("/suche.html", "/"),
        ("/find.cgi", "/"),
    ],
)
def test_pages_of_their_own_do_not_wait(path: str, page: str) -> None:
    assert not leads_to_variant(Link(HOME + path), HOME + page)


def test_alternate_versions_can_wait() -> None:
    assert leads_to_variant(Link(f"{HOME}/de/", rel="alternate"), f"{HOME}/en/")


def read(
    deferring: LinkDeferral, path: str, words: list[str], links: Sequence[str] = (), forms: Sequence[int] = ()
) -> bool:
    """Read a page; say whether others of its kind are to wait from now on."""
    of_page = deferring.links_of(1, HOME + path)
    for link in links:
        of_page.can_wait(Link(HOME + link))
    return deferring.learn(1, HOME + path, " ".join(words), forms, leads_on=of_page.has_new_kind)


def can_wait(deferring: LinkDeferral, path: str, site: int = 1) -> bool:
    return deferring.links_of(site, f"{HOME}/").can_wait(Link(HOME + path))


def test_a_fruitless_kind_waits_until_one_of_its_pages_is_fruitful() -> None:
    deferring = LinkDeferral()
    read(deferring, "/", WORDS[:300], ["/day?on=1"])
    verdicts = [read(deferring, f"/day?on={day}", WORDS[:50], [f"/day?on={day + 1}"]) for day in range(4)]

    assert verdicts == [False] * (FEWEST - 1) + [True] + [False] * (4 - FEWEST)
    assert can_wait(deferring, "/day?on=9")
    assert not can_wait(deferring, "/day?on=9", site=2)
    assert not can_wait(deferring, "/event?id=9")

    read(deferring, "/day?on=9", WORDS[400:500])
    assert not can_wait(deferring, "/day?on=10")


@pytest.mark.parametrize("news", ["words", "a form", "a kind of address"])
def test_a_fruitful_kind_does_not_wait(news: str) -> None:
    deferring = LinkDeferral()
    read(deferring, "/", WORDS[:300])
    for n in range(10):
        words = WORDS[300 + 50 * n : 350 + 50 * n] if news == "words" else WORDS[:50]
        links = [f"/new{chr(97 + n)}/1"] if news == "a kind of address" else []
        read(deferring, f"/item?id={n}", words, links, [n] if news == "a form" else [])

    assert not can_wait(deferring, "/item?id=77")


def test_plain_words_in_parameters_distinguish_kinds() -> None:
    deferring = LinkDeferral()
    read(deferring, "/", WORDS[:300])
    for n in range(5):
        read(deferring, f"/git?a=owner&h={n}", WORDS[:50])
        read(deferring, f"/git?a=commit&h={n}", WORDS[300 + 50 * n : 350 + 50 * n])

    assert can_wait(deferring, "/git?a=owner&h=99")
    assert not can_wait(deferring, "/git?a=commit&h=99")


def test_parameters_form_a_kind_over_all_pages_of_a_folder() -> None:
    deferring = LinkDeferral()
    read(deferring, "/", WORDS[:300])
    for name in ("Bee", "Ant", "Fly"):
        read(deferring, f"/wiki/{name}?tab=2", WORDS[:50])

    assert can_wait(deferring, "/wiki/Wasp?tab=2")
    assert not can_wait(deferring, "/wiki/Wasp")
    assert not can_wait(deferring, "/list/Wasp?tab=2")
