"""Which parts and links of a page are what was found."""

from __future__ import annotations

from hiddenweb.answers.answer_verdict import EarlierAnswers
from hiddenweb.answers.found_records import find_links_by_shape, find_rest_of_list
from hiddenweb.model import HttpQuery, Link, Page
from hiddenweb.records.records import shapes_of

QUERY = HttpQuery((("q", "roads"),), "roads", url="http://a.example/find?q=roads")


def link(number: int, anchor: str) -> Link:
    return Link(f"http://a.example/book/{number}", anchor=anchor)


def test_a_link_whose_address_looks_like_those_of_records_is_one() -> None:
    shapes = shapes_of([f"http://a.example/book/{number}" for number in range(5)], frozenset())
    page = Page("http://a.example/find?q=roads", links=(link(7, "Old Roads"), Link("http://a.example/about")))

    found = find_links_by_shape(page, QUERY, EarlierAnswers(shapes=shapes))

    assert [record.url for record in found] == ["http://a.example/book/7"]
    assert not find_links_by_shape(page, QUERY, EarlierAnswers())


def test_what_a_search_leaves_of_a_list_was_found_if_it_holds_the_keyword() -> None:
    listed = frozenset(f"http://a.example/book/{number}" for number in range(6))
    page = Page("http://a.example/find?q=roads", links=(link(1, "Old Roads"), link(2, "More roads")))

    found = find_rest_of_list(page, QUERY, EarlierAnswers(page_blocks=listed))

    assert len(found) == 2
    assert not find_rest_of_list(
        Page("", links=(link(1, "Wine"),)), QUERY, EarlierAnswers(page_blocks=listed)
    )
