"""Which parts and links of a page are what was found."""

from __future__ import annotations

from hiddenweb.answers.answer_verdict import EarlierAnswers
from hiddenweb.answers.found_records import (
    find_blocks,
    find_links_by_shape,
    find_links_with_keyword,
    find_rest_of_list,
)
from hiddenweb.model import Field, Form, HttpQuery, Link, Page, RepeatedItem
from hiddenweb.records.records import shapes_of

QUERY = HttpQuery((("q", "roads"),), "roads", url="http://a.example/find?q=roads")


def block(url: str, text: str) -> RepeatedItem:
    return RepeatedItem(text, text, url)


MENU = tuple(block(f"http://a.example/{name}", name) for name in ("home", "articles", "help"))


def test_a_menu_that_the_page_of_the_form_has_too_is_no_answer() -> None:
    page = Page("http://a.example/find?q=roads", blocks=MENU, text="home articles help: roads and more")
    earlier = EarlierAnswers(page_links=frozenset(str(each.url) for each in MENU))

    assert find_blocks(page, QUERY, earlier, 1) == ()
    assert len(find_blocks(page, QUERY, EarlierAnswers(), 1)) == 3


def test_a_list_of_records_on_the_page_of_the_form_is_an_answer_if_its_titles_hold_the_words() -> None:
    found = tuple(block(f"http://a.example/book/{n}", f"Old roads, part {n}") for n in range(3))
    earlier = EarlierAnswers(page_links=frozenset(str(each.url) for each in found))

    assert len(find_blocks(Page("http://a.example/find?q=roads", blocks=found), QUERY, earlier, 1)) == 3


def test_rows_that_hold_the_words_in_other_columns_are_an_answer_though_their_links_are_on_the_page_of_the_form() -> (
    None
):
    rows = tuple(
        RepeatedItem(f"{n}", f"{n} The {n}th volume, on roads and on inns", f"http://a.example/kind/{n}")
        for n in range(3)
    )
    earlier = EarlierAnswers(page_links=frozenset(str(each.url) for each in rows))

    assert len(find_blocks(Page("http://a.example/find?q=roads", blocks=rows), QUERY, earlier, 1)) == 3


def test_filters_that_narrow_an_answer_are_no_records() -> None:
    here = "http://a.example/find?q=roads"
    filters = tuple(block(f"{here}&kind={kind}", f"{kind} 12") for kind in ("map", "book", "film"))
    records = tuple(block(f"{here}&id={n}", f"A book about the old roads, number {n}") for n in range(3))

    assert find_blocks(Page(here, blocks=filters), QUERY, EarlierAnswers(), 1) == ()
    assert len(find_blocks(Page(here, blocks=records), QUERY, EarlierAnswers(), 1)) == 3


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


def test_links_with_the_keyword_are_those_of_the_known_kind_if_there_are_some() -> None:
    links = (link(7, "Old Roads"), Link("http://a.example/author/3", anchor="Ann Roads"))
    form = Form("http://a.example/", "http://a.example/find", "GET", (Field("q", "search", value="roads"),))
    page = Page("http://a.example/find?q=roads", links=links, forms=(form,))
    hideable = frozenset(each.url for each in links)
    shapes = shapes_of([f"http://a.example/book/{number}" for number in range(5)], frozenset())

    assert len(find_links_with_keyword(page, QUERY, EarlierAnswers(hideable=hideable))) == 2
    (found,) = find_links_with_keyword(page, QUERY, EarlierAnswers(hideable=hideable, shapes=shapes))
    assert found.url == "http://a.example/book/7"
