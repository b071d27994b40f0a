"""What pages label by themselves, and the region that is made of it."""

from __future__ import annotations

import pytest
from bookshop import book, page

from hiddenweb.extraction.labelled_values import make_example, read_labelled_values
from hiddenweb.html.document import read_texts


@pytest.mark.parametrize(
    ("source", "pairs"),
    [
        ("<table><tr><th>Price<td>12.50<tr><td>Year<td>1999</table>", [("Price", "12.50"), ("Year", "1999")]),
        ("<dl><dt>Author<dd>Jane<dt>Pages<dd>12</dl>", [("Author", "Jane"), ("Pages", "12")]),
        ("<p>Author: Jane Smith</p>", [("Author", "Jane Smith")]),
        ("<p><b>Author:</b> Jane Smith</p>", [("Author", "Jane Smith")]),
        ("<p>著者：紫式部</p>", [("著者", "紫式部")]),
        ("<p>Author:</p><p>Publisher:</p><p>Acme</p>", [("Publisher", "Acme")]),  # one without a value
        ("<p>10:30</p><p>see http://a.example/</p><p>11/12: more</p>", []),  # colons that end no label
        (f"<p>{'A long sentence that goes on ' * 3}: indeed</p>", []),
        ("<p>Note:</p><p>" + "word " * 100, []),  # a text, not a value
        ("", []),
    ],
)
def test_labels_are_found_in_cells_terms_and_before_colons(source: str, pairs: list[tuple[str, str]]) -> None:
    assert read_labelled_values(read_texts(source.encode())) == pairs


def test_the_page_that_says_most_becomes_the_region() -> None:
    pages = [(f"http://a.example/{number}", read_texts(page(number).encode())) for number in range(12)]
    short = page(3).replace("<tr><th>ISBN", "<tr><th>")
    pages[0] = ("http://a.example/0", read_texts(short.encode()))

    region = make_example(pages, "a.example", "books", [book(number)["title"] for number in range(12)])

    assert region is not None
    assert dict(region.attributes) == {
        "title": (book(1)["title"],), "price": (book(1)["price"],), "isbn": (book(1)["isbn"],),
    }  # fmt: skip
    assert (region.page, region.name) == ("http://a.example/1", "books")


def test_labels_of_one_page_and_values_of_all_pages_are_not_about_the_record() -> None:
    sources = [
        f"<p>Tel: 555 1234</p><table><tr><th>Year<td>{1990 + number}<tr><th>Maker<td>Maker {number}</table>"
        for number in range(8)
    ]
    sources[2] += "<p>Remark: sold out</p>"
    pages = [(str(number), read_texts(source.encode())) for number, source in enumerate(sources)]

    region = make_example(pages, "a.example", "x")

    assert region is not None
    assert [name for name, _ in region.attributes] == ["year", "maker"]


def test_pages_without_labels_make_no_region() -> None:
    pages = [(str(number), read_texts(f"<p>Text number {number}".encode())) for number in range(10)]

    assert make_example(pages, "a.example", "x") is None
