"""What of a page belongs to an answer."""

from __future__ import annotations

from hiddenweb.answers.earlier_answers import begin_with_page
from hiddenweb.answers.page_parts import (
    find_other_form,
    form_signature,
    has_form,
    holds_keyword,
    new_lines,
    quotes_keyword,
    text_outside_forms,
)
from hiddenweb.model import Field, Form, HttpQuery, Page

FORM = Form(
    "http://a.example/", "http://a.example/find", "GET", (Field("q", "text"),), text="Keywords Search"
)
OTHER = Form("http://a.example/", "http://a.example/more", "GET", (Field("year", "text"),))
START = Page("http://a.example/", text="Library\nWelcome", forms=(FORM,))


def test_lines_of_the_template_are_not_new_whatever_their_numbers() -> None:
    earlier = begin_with_page(Page("http://a.example/", text="Library\nVisitors: 12"))

    assert new_lines(Page("", text="Library\nVisitors: 13\nOld Roads"), earlier) == ["Old Roads"]


def test_a_filled_in_form_is_the_same_form() -> None:
    filled = Form(
        "http://a.example/find", "http://a.example/find", "GET", (Field("q", "text", value="wine"),)
    )

    assert form_signature(filled) == form_signature(FORM)
    assert has_form(Page("", forms=(filled,)), FORM)


def test_another_form_was_not_on_the_page_of_the_form() -> None:
    earlier = begin_with_page(START)

    assert find_other_form(Page("", forms=(FORM, OTHER)), earlier) == OTHER
    assert find_other_form(Page("", forms=(FORM,)), earlier) is None


def test_what_stands_in_forms_is_no_part_of_the_text() -> None:
    assert text_outside_forms(Page("", text="Old Roads Keywords Search", forms=(FORM,))).split() == [
        "Old",
        "Roads",
    ]


def test_a_text_holds_a_keyword_in_another_form_of_it() -> None:
    assert holds_keyword("A history of roads", HttpQuery((("q", "Road"),), "Road"))
    assert not holds_keyword("A history of wine", HttpQuery((("q", "Road"),), "Road"))
    assert quotes_keyword("Results for “wine”", "wine")
