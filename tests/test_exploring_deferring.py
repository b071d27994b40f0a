"""Which links wait behind everything: by what their addresses say, and by what their like brought."""

from __future__ import annotations

import pytest

from hiddenweb.exploring.deferring import FEWEST, Deferring, leads_to_variant
from hiddenweb.items import Link, Page

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


def test_what_says_that_it_is_an_alternate_version_can_wait() -> None:
    assert leads_to_variant(Link(f"{HOME}/de/", rel="alternate"), f"{HOME}/en/")


def page(path: str, words: list[str], links: list[str] | None = None) -> Page:
    return Page(HOME + path, text=" ".join(words), links=tuple(Link(HOME + link) for link in links or []))


def read(deferring: Deferring, found: Page, *forms: int) -> bool:
    return deferring.learn(1, found.url, found, forms, is_repeated=False)


def test_a_kind_whose_pages_bring_nothing_waits_until_one_brings_something() -> None:
    deferring = Deferring()
    read(deferring, page("/", WORDS[:300], ["/day?on=1"]))
    told = [read(deferring, page(f"/day?on={day}", WORDS[:50], [f"/day?on={day + 1}"])) for day in range(4)]

    assert told == [False] * (FEWEST - 1) + [True] + [False] * (4 - FEWEST)
    assert deferring.can_wait(1, Link(f"{HOME}/day?on=9"), f"{HOME}/")
    assert not deferring.can_wait(2, Link(f"{HOME}/day?on=9"), f"{HOME}/")
    assert not deferring.can_wait(1, Link(f"{HOME}/event?id=9"), f"{HOME}/")

    read(deferring, page("/day?on=9", WORDS[400:500]))
    assert not deferring.can_wait(1, Link(f"{HOME}/day?on=10"), f"{HOME}/")


@pytest.mark.parametrize("brings", ["words", "a form", "a kind of address"])
def test_a_kind_whose_pages_bring_something_does_not_wait(brings: str) -> None:
    deferring = Deferring()
    read(deferring, page("/", WORDS[:300]))
    for n in range(10):
        words = WORDS[300 + 50 * n : 350 + 50 * n] if brings == "words" else WORDS[:50]
        links = [f"/new{chr(97 + n)}/1"] if brings == "a kind of address" else []
        read(deferring, page(f"/item?id={n}", words, links), *([n] if brings == "a form" else []))

    assert not deferring.can_wait(1, Link(f"{HOME}/item?id=77"), f"{HOME}/")


def test_plain_words_in_parameters_tell_kinds_apart() -> None:
    deferring = Deferring()
    read(deferring, page("/", WORDS[:300]))
    for n in range(5):
        read(deferring, page(f"/git?a=owner&h={n}", WORDS[:50]))
        read(deferring, page(f"/git?a=commit&h={n}", WORDS[300 + 50 * n : 350 + 50 * n]))

    assert deferring.can_wait(1, Link(f"{HOME}/git?a=owner&h=99"), f"{HOME}/")
    assert not deferring.can_wait(1, Link(f"{HOME}/git?a=commit&h=99"), f"{HOME}/")


def test_parameters_say_the_same_of_all_pages_of_a_folder() -> None:
    deferring = Deferring()
    read(deferring, page("/", WORDS[:300]))
    for name in ("Bee", "Ant", "Fly"):
        read(deferring, page(f"/wiki/{name}?tab=2", WORDS[:50]))

    assert deferring.can_wait(1, Link(f"{HOME}/wiki/Wasp?tab=2"), f"{HOME}/")
    assert not deferring.can_wait(1, Link(f"{HOME}/wiki/Wasp"), f"{HOME}/")
    assert not deferring.can_wait(1, Link(f"{HOME}/list/Wasp?tab=2"), f"{HOME}/")
