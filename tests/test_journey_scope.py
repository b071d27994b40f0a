"""Patterns of addresses hold for whatever a crawl requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bookshop import book, page
from crawling import Answer, SmallSite, crawl

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*"}


def form(action: str) -> str:
    return f"<form action={action}><label>Search books <input type=search name=q></label><button>Search</button></form>"


def answer(path: str) -> Answer | str | None:
    """A shop with a public and a private search, a private folder, and a redirect into that."""
    if path == "/robots.txt":
        return None
    if path == "/moved":
        return Answer(b"", 302, {"Location": "/private/moved"})
    if path.startswith("/item/"):
        return page(int(path.rpartition("/")[2]))
    if path.startswith(("/find?", "/private/find?")):
        word = path.rpartition("=")[2].lower()
        found = [number for number in range(1, 60) if word in book(number)["title"].lower().split()]
        rows = "".join(
            f"<tr><td><a href=/item/{number}>{book(number)['title']}</a><td>{book(number)['author']}"
            for number in found
        )
        return f"<title>Found</title><h1>Found</h1><p>{len(found)} books found<table>{rows}</table>"
    links = "".join(
        f"<p><a href={to}>{to} and {book(n)['title']}</a>"
        for n, to in enumerate(("/moved", "/private/a", "/b", "/item/7"), 1)
    )
    return f"<title>Books</title><h1>Books {path}</h1>{form('/find')}{form('/private/find')}{links}"


def test_nothing_that_is_excluded_is_requested_until_the_patterns_change(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        ran = crawl(tmp_path, [site.url], SETTINGS, exclude="/private,/item/7", queries=8)
        requested = list(site.requested)
        again = crawl(tmp_path, [site.url], SETTINGS, exclude="/item/7", queries=8)

    assert ran.code == again.code == 0
    assert [path for path in requested if path.startswith("/private") or path == "/item/7"] == []
    assert any(path.startswith("/find?") for path in requested)
    assert any(path.startswith("/item/") for path in requested)
    assert "1 search form was not used: its address is excluded by HIDDENWEB_EXCLUDE" in ran.output
    assert {"/private/a", "/private/moved"} <= set(site.requested)
    assert any(path.startswith("/private/find?") for path in site.requested)
    assert "/item/7" not in site.requested


def test_only_what_is_included_is_requested(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        crawl(tmp_path, [site.url], SETTINGS | {"HIDDENWEB_INCLUDE": f"re:^{site.url}$ /find"}, queries=3)

    assert {path.partition("?")[0] for path in site.requested} - {"/robots.txt", "/sitemap.xml"} == {
        "/",
        "/find",
    }


def test_queries_that_were_planned_are_not_sent_to_an_address_that_is_excluded_now(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        crawl(tmp_path, [site.url], SETTINGS | {"CLOSESPIDER_PAGECOUNT": 1}, queries=5)
        before = len(site.requested)
        ran = crawl(tmp_path, [site.url], SETTINGS, exclude="/find,/private", queries=5)

    assert ran.code == 0
    assert [path for path in site.requested[before:] if path.startswith(("/find", "/private"))] == []


def test_seeds_outside_of_the_patterns_are_an_error_before_anything_is_requested(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        ran = crawl(tmp_path, [site.url], SETTINGS, include="/books")
        bad = crawl(tmp_path, [site.url], SETTINGS, exclude="books")

    assert (ran.code, bad.code, site.requested) == (2, 2, [])
    assert (
        f"sites: {site.url} cannot be crawled: its address is in no pattern of HIDDENWEB_INCLUDE"
        in ran.output
    )
    assert "exclude: 'books' is no pattern; wanted /PATH" in bad.output


def test_patterns_hold_for_a_crawl_on_a_topic_too(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        ran = crawl(tmp_path, [site.url], SETTINGS, spider="explore", topic="books", exclude="/private,/b")

    assert ran.code == 0
    assert [path for path in site.requested if path.startswith(("/private", "/b"))] == []
    assert "/moved" in site.requested


def test_a_named_form_outside_of_the_patterns_is_an_error(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        crawl(tmp_path, [site.url], SETTINGS, spider="explore")
        outside = crawl(tmp_path, [], SETTINGS, forms=2, exclude="/private")
        inside = crawl(tmp_path, [], SETTINGS, forms=1, exclude="/private", queries=1)

    assert (outside.code, inside.code) == (2, 0)
    assert "form 2 may not be submitted: its address is excluded by HIDDENWEB_EXCLUDE" in outside.output
