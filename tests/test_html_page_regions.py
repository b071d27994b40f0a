from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import Page

URL = "http://a.example/dir/page.html?x=1"


def page_of(html: str | bytes, *, url: str = URL, content_type: str = "", want_items: bool = False) -> Page:
    body = html.encode() if isinstance(html, str) else html
    read = read_page_with_items if want_items else read_page
    return read(body, url, content_type=content_type)


@pytest.mark.parametrize(
    "boilerplate",
    [
        "<nav>no</nav>",
        "<header>no</header>",
        "<footer>no</footer>",
        "<aside>no</aside>",
        "<div role=navigation>no</div>",
        "<div hidden>no</div>",
        '<div style="color: red; display:none">no</div>',
        "<nav>no<div hidden>no</div>no</nav>",
    ],
)
def test_boilerplate_is_not_in_the_text(boilerplate: str) -> None:
    assert page_of(f"<p>one</p>{boilerplate}<p>two</p>").text == "one\ntwo"


def test_the_head_of_an_article_belongs_to_it() -> None:
    assert page_of("<header>no</header><article><header>yes</header>text</article>").text == "yes\ntext"


def test_a_page_of_navigation_alone_keeps_its_visible_text() -> None:
    assert page_of("<nav>one <a href=x>two</a></nav><div hidden>three</div>").text == "one two"
