from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.html.reader import read_page
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import Page

URL = "http://a.example/dir/page.html?x=1"


def page_of(html: str | bytes, *, url: str = URL, content_type: str = "", want_items: bool = False) -> Page:
    body = html.encode() if isinstance(html, str) else html
    read = read_page_with_items if want_items else read_page
    return read(body, url, content_type=content_type)


def test_canonical_refresh_and_robots_are_read() -> None:
    page = page_of(
        "<link rel='x Canonical' href=/c><meta http-equiv=Refresh content=\"5; URL='/next'\">"
        "<meta name=ROBOTS content='NoIndex,nofollow'>"
    )

    assert (page.canonical, page.refresh) == ("http://a.example/c", "http://a.example/next")
    assert (page.noindex, page.nofollow) == (True, True)


def test_robots_none_means_neither_index_nor_follow() -> None:
    page = page_of("<meta name=robots content=none>")

    assert (page.noindex, page.nofollow) == (True, True)
