"""Ways to further pages that are no links."""

from __future__ import annotations

import pytest

from hiddenweb.html.load_more import next_in_header
from hiddenweb.html.reader import read_page
from hiddenweb.records.page import read_page_with_items

URL = "http://a.example/find?q=wine"


def paging_links(body: str) -> list[tuple[str, str, str]]:
    page = read_page_with_items(f"<html><body>{body}</body></html>".encode(), URL)
    return [(link.url, link.anchor, link.rel) for link in page.paging_links]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<button data-next='/find?q=wine&amp;page=2'>More</button>", ("http://a.example/find?q=wine&page=2", "More", "next")),
        ("<a href=# data-url='?q=wine&p=2'>Load more</a>", ("http://a.example/find?q=wine&p=2", "Load more", "")),
        ("<div hx-get='/more?q=wine&o=20'>Show</div>", ("http://a.example/more?q=wine&o=20", "Show", "")),
        ("<button data-next-url='http://b.example/x' aria-label=Next></button>", ("http://b.example/x", "Next", "next")),
        (
            "<a href=\"javascript:__doPostBack('Pager','Page$2')\">2</a>",
            ("javascript:__doPostBack('Pager','Page$2')", "2", ""),
        ),
        (
            "<a href=# onclick=\"document.f.page.value='2'; document.f.submit()\">next</a>",
            ("javascript:document.f.page.value='2'; document.f.submit()", "next", ""),
        ),
        ("<a href='?q=wine&p=2'><img src=/i/2.gif></a>", ("http://a.example/find?q=wine&p=2", "2", "")),
        ("<li class='item next'><a href='?q=wine&p=2'>neste</a>", ("http://a.example/find?q=wine&p=2", "next", "")),
        ("<link rel=next href='/find?q=wine&page=2'>", ("http://a.example/find?q=wine&page=2", "", "next")),
    ],
)  # fmt: skip
def test_what_leads_on_is_found(body: str, expected: tuple[str, str, str]) -> None:
    assert paging_links(body) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        "<button data-next=2>More</button>",
        "<button data-url='javascript:alert(1)/'>More</button>",
        "<a href='javascript:void(0)'>More</a>",
        "<a href=/find?q=wine&page=2>2</a>",
        "<link rel=stylesheet href=/x.css>",
        "<a href=/find?q=wine&page=2><img src=2.gif> 2</a>",
        "<a href=/find?q=wine&page=2><img src=2.gif alt=2></a>",
        "<img src=next.gif>",
        f"<div data-url=/x>{'many words ' * 20}</div>",
    ],
)
def test_what_does_not_is_not(body: str) -> None:
    assert paging_links(body) == []


def test_an_image_is_called_after_the_words_of_its_file() -> None:
    found = paging_links(
        "<a href='/find?q=wine&p=2'><span><img alt='' src='/img/btnNext_small.png?v=3'></span></a>"
    )

    assert found == [("http://a.example/find?q=wine&p=2", word, "") for word in ("btn", "next", "small")]


def test_they_are_looked_for_on_answers_only() -> None:
    assert read_page(b"<button data-next='/x?y'>More</button>", URL).paging_links == ()


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ('<http://a.example/find?page=2>; rel="next"', ["http://a.example/find?page=2"]),
        ("</find?a=1,2&page=2>;rel=next;title=x", ["http://a.example/find?a=1,2&page=2"]),
        ('</1>; rel="prev", </3>; title="a, b"; rel="next last"', ["http://a.example/3"]),
        ("</1>; rel=prev", []),
        ("rel=next", []),
        ("<javascript:alert(1)>; rel=next", []),
        ("<" * 5000, []),
    ],
)
def test_the_header_of_an_answer_may_name_the_next_page(header: str, expected: list[str]) -> None:
    assert [link.url for link in next_in_header(header, URL)] == expected
