from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from record_pages import PEOPLE, TITLES, as_table, example_of, page_around, records, rows, texts
from timing import within

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.induction import learn
from hiddenweb.extraction.pattern import AttributePattern
from hiddenweb.html.document import read_layout, read_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.html.texts import PageTexts

    Record = dict[str, list[str]]


RUSSIAN = {"publisher": "Издательство", "price": "Цена", "year": "Год"}
JAPANESE = {"publisher": "出版社", "price": "価格", "year": "発行年"}
ENGLISH = {"publisher": "Publisher", "price": "Price", "year": "Year"}


def as_terms(record: Record) -> str:
    terms = "".join(f"<dt>{label}<dd>{value}" for label, value in rows(record, RUSSIAN))
    return page_around(record, f"<dl>{terms}</dl>")


def as_lines(record: Record) -> str:
    lines = "".join(f"<p>{label}：{value}</p>" for label, value in rows(record, JAPANESE))
    return page_around(record, lines)


def as_bold_lines(record: Record) -> str:
    lines = "".join(f"<b>{label}:</b> {value}<br>" for label, value in rows(record, ENGLISH))
    return page_around(record, f"<div>{lines}</div>")


def as_cards(record: Record) -> str:
    cards = "".join(
        f'<div class="card {name}">{record[name][0].replace("&", "&amp;")}</div>' for name in ENGLISH if record[name]
    )  # fmt: skip
    return page_around(record, cards)


LAYOUTS = [as_table, as_terms, as_lines, as_bold_lines, as_cards]


NAMES = ("title", "publisher", "price", "year")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_attributes_of_one_page_are_found_on_the_others(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [texts(layout(record)) for record in all_records]

    pattern = learn(pages[0], example_of(all_records[0], *NAMES), pages[1:])

    found = [pattern.values(page) for page in pages]
    assert found == [{name: record[name] for name in NAMES} for record in all_records]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_new_page_needs_nothing_but_the_pattern_as_json(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [texts(layout(record)) for record in all_records]
    learnt = learn(pages[0], example_of(all_records[0], *NAMES), pages[1:8])

    pattern = AttributePattern.from_json(learnt.to_json())

    assert pattern == learnt
    assert pattern.values(pages[9]) == {name: all_records[9][name] for name in NAMES}
    assert len(learnt.to_json()) < 10_000


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lists_of_like_texts_give_all_their_values(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [texts(layout(record)) for record in all_records]

    pattern = learn(pages[2], example_of(all_records[2], "author"), pages[:2] + pages[3:])

    assert [pattern.values(page)["author"] for page in pages] == [record["author"] for record in all_records]


def test_values_within_one_text_are_divided_as_the_pasted_ones_were() -> None:
    values = ("Drama, War", "Comedy", "Crime, Drama, Film noir", "Western, War", "Opera")
    pages = [texts(f"<h1>{number}</h1><p>Genre: {each}</p><p>Colour") for number, each in enumerate(values)]

    pattern = learn(pages[0], Example("a", "", (("genre", ("Drama", "War")),)), pages[1:])

    assert [pattern.values(page)["genre"] for page in pages] == [each.split(", ") for each in values]


def test_a_value_that_inline_tags_divide_is_found_whole() -> None:
    people = ("Jane <b>Smith</b>", "Omar <b>Diaz</b>", "Eva <b>Novak</b>", "Li <b>Wei</b>")
    pages = [texts(f"<h1>{at}</h1><p class=who>{each}</p><p>All rights reserved") for at, each in enumerate(people)]  # fmt: skip

    pattern = learn(pages[0], Example("a", "", (("who", ("jane smith",)),)), pages[1:])

    assert [pattern.values(page)["who"] for page in pages] == [["Jane Smith"], ["Omar Diaz"], ["Eva Novak"], ["Li Wei"]]  # fmt: skip


@pytest.mark.parametrize("example_index", [1, 9], ids=["example without tags", "example with tags"])
def test_a_value_that_inline_tags_divide_on_some_pages_is_found_whole_on_all(example_index: int) -> None:
    sources = [*TITLES[:9], "Letters from <i>Rome</i> and back"]
    values = [*TITLES[:9], "Letters from Rome and back"]
    pages = [texts(f"<p>News</p><h1>{each}</h1><p>Written by <b>{at}</b> of us</p>") for at, each in enumerate(sources)]  # fmt: skip
    others = pages[:example_index] + pages[example_index + 1 :]

    pattern = learn(pages[example_index], Example("a", "", (("title", (values[example_index],)),)), others)

    assert [pattern.values(page)["title"] for page in pages] == [[each] for each in values]


def test_a_list_ends_where_another_label_begins() -> None:
    tags = (("frost", "ice"), ("sand",), ("rain", "hail", "fog"), ("wind", "dust"))
    names = (("N-1",), ("N-2", "M-2"), ("N-3",), ("N-4", "M-4"))
    pages = [
        texts(
            f"<h1>Report {at}</h1><dl><dt>Kinds<dd><ul>{listed(kinds)}</ul><dt>Names<dd><ul>{listed(called)}</ul></dl>"
        )
        for at, (kinds, called) in enumerate(zip(tags, names, strict=True))
    ]

    pattern = learn(pages[0], Example("a", "", (("kind", tags[0]),)), pages[1:])

    assert [pattern.values(page)["kind"] for page in pages] == [list(kinds) for kinds in tags]


@pytest.mark.parametrize(
    ("pasted", "found"),
    [("Nikon", "Samsung"), ("NIKON", "SAMSUNG"), ("nikon", "samsung")],
)
def test_of_places_with_the_same_text_the_one_in_the_pasted_case_is_used(pasted: str, found: str) -> None:
    makers = ("Nikon", "Samsung", "Casio", "Canon", "Leica", "Sony", "Pentax", "Ricoh", "Kodak", "Sigma")
    pages = [
        texts(
            f"<h1>Camera {title}</h1><p><b>Maker</b> <span>{maker}</span></p><div><i>{maker.upper()}</i> makes it</div>"
            f"<ul><li>small<li>{maker.lower()}</ul>"
        )
        for title, maker in zip(TITLES, makers, strict=True)
    ]

    pattern = learn(pages[0], Example("a", "", (("maker", (pasted,)),)), pages[1:])

    assert pattern.values(pages[1])["maker"] == [found]


def listed(values: tuple[str, ...]) -> str:
    return "".join(f"<li><a href=/x/{len(value)}>{value}</a></li>" for value in values)


def test_of_several_places_the_one_whose_text_differs_between_pages_is_used() -> None:
    all_records = records()
    all_records[0] = all_records[0] | {
        "publisher": ["Meridian"],
        "year": ["1999"],
    }  # both stand in the menu, too
    pages = [texts(as_cards(record)) for record in all_records]

    pattern = learn(pages[0], example_of(all_records[0], "publisher", "year"), pages[1:])

    assert [pattern.values(page)["year"] for page in pages] == [record["year"] for record in all_records]


def test_the_region_decides_which_place_is_meant() -> None:
    pages = [
        texts(f"<div class=old>Was <b>{was} €</b></div><div class=new>Now <b>{now} €</b></div>")
        for was, now in ((5, 5), (7, 6), (9, 3), (8, 2), (4, 1))
    ]

    old = learn(pages[0], Example("a", "Was 5 €", (("price", ("5 €",)),)), pages[1:])
    new = learn(pages[0], Example("a", "Now 5 €", (("price", ("5 €",)),)), pages[1:])

    assert [old.values(page)["price"] for page in pages[1:]] == [["7 €"], ["9 €"], ["8 €"], ["4 €"]]
    assert [new.values(page)["price"] for page in pages[1:]] == [["6 €"], ["3 €"], ["2 €"], ["1 €"]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_values_have_their_places(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [read_layout(layout(record).encode()) for record in all_records]
    pattern = learn(
        pages[2].texts, example_of(all_records[2], "author", *NAMES), [page.texts for page in pages]
    )

    found = [pattern.find(page.texts) for page in pages]

    for page, values in zip(pages, found, strict=True):
        page_texts = page.texts.all()
        assert pattern.values(page.texts) == {name: [each.value for each in values[name]] for name in values}
        assert all(each.value in page_texts[each.index].text for name in values for each in values[name])
        assert all(each.node == page_texts[each.index].node > 0 for name in values for each in values[name])
        assert [page.skeleton.tags[each.node] for each in values["title"]] == ["h1"]


def test_one_page_alone_teaches_something() -> None:
    all_records = records()
    pages = [texts(as_bold_lines(record)) for record in all_records]

    pattern = learn(pages[0], example_of(all_records[0], "price"), [])

    assert [pattern.values(page)["price"] for page in pages] == [record["price"] for record in all_records]


def test_a_text_that_is_not_on_the_page_is_left_out() -> None:
    pages = [texts(as_table(record)) for record in records()]

    pattern = learn(pages[0], Example("a", "", (("isbn", ("978",)),)), pages[1:])

    assert pattern.attributes == ()
    assert pattern.values(pages[1]) == {}


HOSTILE = {
    "empty": b"",
    "no html": bytes(range(256)) * 20,
    "deep": b"<div class=a><b>x" * 60_000,
    "wide": b"<p>1</p>" * 90_000,
    "inline": b"<p>" + b"<i>a</i>" * 90_000,
    "attributes": b"<p " + b" ".join(b"a%d=1" % number for number in range(40_000)) + b">x</p>",
    "one long text": b"<p>" + b"price: 5 " * 200_000,
    "cells": b"<table>" + b"<tr>" + b"<td>x" * 90_000,
    "classes": b"".join(b"<p class='c%d'>x</p>" % number * 2 for number in range(30_000)),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_cost_little_and_raise_nothing(body: bytes) -> None:
    pages = [texts(as_table(record)) for record in records()]
    pattern = learn(pages[0], example_of(records()[0], *NAMES), [*pages[1:], read_texts(b"")])

    values = within(3, lambda: pattern.values(read_texts(body)))

    assert set(values) == set(NAMES)


def test_a_value_with_a_low_score_is_used_if_it_leads_all_others() -> None:
    def page(number: int, step: str, who: str) -> PageTexts:
        return read_texts(
            f"<div class=m><a href=/>Home</a></div><div class='{step}'><b>Author:</b> <i>{who}</i></div><p>Text {TITLES[number % 10]}".encode()
        )

    draw = Random(7)
    pages = [page(number, "facts", draw.choice(PEOPLE)) for number in range(10)]
    pattern = learn(pages[0], Example("a", "", (("author", (pages[0].pieces[2].text,)),)), pages[1:])

    assert pattern.values(page(11, "other-box", "J. C. van den Berg/Hotek"))["author"] == [
        "J. C. van den Berg/Hotek"
    ]
    assert pattern.values(read_texts(b"<div class=m><a href=/>Home</a></div><p>Text"))["author"] == []
    assert AttributePattern.from_json(pattern.to_json()) == pattern
