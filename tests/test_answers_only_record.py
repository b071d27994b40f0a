"""The only record of an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.answers.answer_verdict import EarlierAnswers
from hiddenweb.answers.only_record import find_only_record, page_as_record
from hiddenweb.html.reader import read_page
from hiddenweb.model import HttpQuery, Link, Page

QUERY = HttpQuery((("q", "roads"),), "roads", url="http://a.example/find?q=roads")


def test_the_only_new_link_is_the_record_of_a_page_that_says_it_found_one() -> None:
    link = Link("http://a.example/book/1", anchor="Old Roads")
    page = Page("http://a.example/find?q=roads", text="1 result\nOld Roads", links=(link,))

    found = find_only_record(page, QUERY, EarlierAnswers(), 1)

    assert [record.url for record in found] == [link.url]


def test_a_link_that_carries_the_query_on_is_no_record() -> None:
    link = Link("http://a.example/list?q=roads&edit=1", anchor="View and edit the query")
    page = Page("http://a.example/find?q=roads", text="1 result\nView and edit the query", links=(link,))
    record = Link("http://a.example/list?q=roads&id=7", anchor="Old Roads")

    assert find_only_record(page, QUERY, EarlierAnswers(), 1) == ()
    assert find_only_record(replace(page, links=(record,)), QUERY, EarlierAnswers(), 1)


@pytest.mark.parametrize(
    ("title", "heading", "called"),
    [("Old Roads - Books", "Old Roads", "Old Roads"), ("Old Roads - Books", "Welcome", "Old Roads - Books")],
)
def test_the_title_of_a_page_is_no_title_of_a_record_if_its_heading_says_which_part_is(
    title: str, heading: str, called: str
) -> None:
    body = f"<title>{title}</title><h1>{heading}</h1><p>A history of roads</p>"
    page = read_page(body.encode(), "http://a.example/book/1", keep_document=True)

    found = page_as_record(page, QUERY, EarlierAnswers())

    assert found is not None
    assert found.title == called


def test_a_page_that_a_search_was_sent_on_to_is_a_record_if_it_holds_the_keyword() -> None:
    page = Page("http://a.example/book/1", title="Old Roads", text="A history of roads", fingerprint=5)

    found = page_as_record(page, QUERY, EarlierAnswers())

    assert found is not None
    assert found.url == page.url
    assert (
        page_as_record(Page("http://a.example/book/2", title="Wine", fingerprint=6), QUERY, EarlierAnswers())
        is None
    )
