"""Which pages are of one kind."""

from __future__ import annotations

from bookshop import page

from hiddenweb.extraction.extractor import (
    find_page_group,
)
from hiddenweb.html.document import read_layout

SITE = "http://shop.example"


HOME = "<html><body><div class=head><ul><li>Home<li>Books</ul></div><div class=all><p>Welcome</p></div></body></html>"


def url(number: int) -> str:
    return f"{SITE}/item/{number}"


def test_pages_of_another_kind_are_not_learnt_from() -> None:
    pages = [(url(number), read_layout(page(number).encode())) for number in range(2, 8)]
    homes = [(f"{SITE}/about/{number}", read_layout(HOME.encode())) for number in range(5)]

    group = find_page_group(url(1), read_layout(page(1).encode()), [*homes, *pages])

    assert {address for address, _ in group} == {address for address, _ in pages}
