from __future__ import annotations

import pytest

from hiddenweb.html.document import Document, ParseCount, document_of, parse_document, read_layout
from hiddenweb.html.reader import read_page
from hiddenweb.records.page import find_items, read_page_with_items

URL = "http://a.example/"
RESULTS = (
    b"<ol>" + b"".join(b"<li><a href=/%d>Title %d</a> one two three" % (n, n) for n in range(5)) + b"</ol>"
)


def test_all_views_of_a_page_come_from_one_parse() -> None:
    parses = ParseCount()

    page = read_page(RESULTS, URL, keep_document=True, on_parse=parses)
    document = document_of(page)
    whole = find_items(page)

    assert document is not None
    assert whole is not None
    assert document.layout == document.layout
    assert document.layout.skeleton == read_layout(RESULTS).skeleton
    assert len(document.nodes) > 5
    assert [item.url for item in whole.blocks] == [
        item.url for item in read_page_with_items(RESULTS, URL).blocks
    ]
    assert len(whole.blocks) == 5
    assert parses.pages == 1


def test_views_are_made_once() -> None:
    document = parse_document(RESULTS)

    assert document.nodes is document.nodes
    assert document.layout is document.layout


def test_a_page_that_does_not_keep_its_document_has_no_further_views() -> None:
    page = read_page(RESULTS, URL)

    assert document_of(page) is None
    assert find_items(page) is None


@pytest.mark.parametrize("body", [b"", b"\x00\xff\xfe", b"<", b"plain", b"</p></div>"])
def test_anything_is_a_document(body: bytes) -> None:
    assert len(parse_document(body).nodes) >= 1


def test_a_document_without_a_tree_is_no_html_and_has_empty_views() -> None:
    document = Document(None, marks=("truncated",))

    assert document.marks == ("truncated", "not_html")
    assert len(document.nodes) == 0
    assert document.layout.texts.pieces == ()
    assert len(document.layout.skeleton) == 0


def test_a_released_document_has_no_tree_and_counts_as_not_kept() -> None:
    page = read_page(RESULTS, URL, keep_document=True)
    document = document_of(page)
    assert document is not None
    assert len(document.nodes) > 5

    document.release()

    assert document.root is None
    assert document_of(page) is None
    assert find_items(page) is None
