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


def test_two_columns_that_are_made_differently_are_no_results() -> None:
    left = "<div class=main><h1>All about it</h1><p>One long text without any end or purpose</p></div>"
    right = "<div class=side><p>Something else that has nothing to do with it</p></div>"

    assert page_of(f"<div>{left}{right}</div>", want_items=True).blocks == ()


def test_blocks_are_found_only_on_request() -> None:
    assert page_of("<ul><li>one two three four<li>five six seven eight</ul>").blocks == ()
    assert page_of("<p>" + "no results, only words " * 9, want_items=True).blocks == ()
