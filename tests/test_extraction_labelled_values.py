"""The example that is made of what the own pages of records state."""

from __future__ import annotations

from bookshop import book, page

from hiddenweb.extraction.extractor_store import RecordPage
from hiddenweb.extraction.labelled_values import make_example
from hiddenweb.html.document import parse_document
from hiddenweb.records.own_page import read_statements


def record_page(number: int, source: str, title: str = "") -> RecordPage:
    document = parse_document(source.encode())
    stated = [(each.name, each.value) for each in read_statements(document.nodes) if each.name]
    return RecordPage(f"http://a.example/{number}", title, stated, document.layout)


def test_the_page_that_says_most_becomes_the_example() -> None:
    pages = [record_page(number, page(number), book(number)["title"]) for number in range(12)]
    pages[0] = record_page(0, page(3).replace("<tr><th>ISBN", "<tr><th>"), book(3)["title"])

    example = make_example(pages, "a.example", "books")

    assert example is not None
    assert dict(example.attributes) == {
        "title": (book(1)["title"],), "price": (book(1)["price"],), "isbn": (book(1)["isbn"],),
    }  # fmt: skip
    assert (example.page, example.name) == ("http://a.example/1", "books")


def test_labels_of_few_pages_and_values_of_all_pages_are_not_in_the_example() -> None:
    sources = [
        f"<p>Tel: 555 1234</p><table><tr><th>Year<td>{1990 + number}<tr><th>Maker<td>Maker {number}</table>"
        for number in range(8)
    ]
    for number in (2, 3, 4):
        sources[number] += f"<p>Remark: sold out {number} times</p>"

    example = make_example([record_page(*each) for each in enumerate(sources)], "a.example", "x")

    assert example is not None
    assert [name for name, _ in example.attributes] == ["year", "maker"]


def test_pages_without_labels_make_no_example() -> None:
    pages = [record_page(number, f"<p>Text number {number}") for number in range(10)]

    assert make_example(pages, "a.example", "x") is None
