from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import RepeatedItem

PEOPLE = ("Jane Smith", "John Doe", "Ann Lee")


YEARS = ("1999", "2004", "2011")


TOLD = (
    "How the river came to the town and what it took.",
    "A long way to the sea, with many stops.",
    "Nothing is as it was, says the miller.",
)


def blocks_of(html: str) -> tuple[RepeatedItem, ...]:
    return read_page_with_items(html.encode(), "http://a.example/", content_type="text/html").blocks


def attributes_of(html: str) -> list[list[tuple[str, str]]]:
    return [list(block.attributes) for block in blocks_of(html)]


def books(form: str) -> str:
    """Return three records made alike."""
    return "".join(
        form.format(n=n, who=who, year=year, told=told)
        for n, (who, year, told) in enumerate(zip(PEOPLE, YEARS, TOLD, strict=True), 1)
    )


def listed(form: str) -> str:
    return f"<ul>{books('<li><h3><a href=/{n}>Book number {n}</a></h3>' + form + '</li>')}</ul>"


@pytest.mark.parametrize(
    "form",
    [
        "<p>by <a href=/1>{0}</a>, <a href=/2>{1}</a></p>",
        "<dl><dt>By</dt><dd>{0}</dd><dd>{1}</dd></dl>",
        "<p>By: <a href=/1>{0}</a>, <a href=/2>{1}</a></p>",
    ],
    ids=["links in a line", "descriptions", "links behind a label"],
)
def test_several_values_are_several_pairs(form: str) -> None:
    people = (("Jane Smith", "John Doe"), ("Ann Lee", "Cy Fox"), ("Di Orr", "Bo Ray"))
    items = (
        f"<li><h3><a href=/b{n}>Book number {n}</a></h3>{form.format(*each)}</li>"
        for n, each in enumerate(people)
    )

    found = attributes_of(f"<ul>{''.join(items)}</ul>")

    assert found[0] == [("title", "Book number 0"), ("by", "Jane Smith"), ("by", "John Doe")]


def test_a_value_that_is_the_same_in_all_records_is_no_label() -> None:
    html = listed("<div><p class=stock>In stock</p><p class=price>{year} EUR</p></div>")

    assert dict(attributes_of(html)[0]) == {
        "title": "Book number 1",
        "stock": "In stock",
        "price": "1999 EUR",
    }


def series_of(*series: str) -> list[list[tuple[str, str]]]:
    """Return the attributes of books with a linked series and a number in it."""
    items = (
        f"<li><h3><a href=/b{n}>Book number {n}</a></h3><p class=series><a href='/s/{name[0]}'>{name}</a> ({n * n})</p></li>"
        for n, name in enumerate(series, 3)
    )
    return attributes_of(f"<ul>{''.join(items)}</ul>")


def test_a_linked_value_is_no_label_of_the_number_behind_it() -> None:
    names = ["Iron Years", "Sea Songs", "Iron Years", "Sea Songs"]

    found = series_of(*names)

    assert [dict(reversed(pairs))["series"] for pairs in found] == names
    assert {name for pairs in found for name, _ in pairs} == {"title", "series"}


def test_a_linked_value_is_no_label_though_all_records_have_it() -> None:
    found = series_of(*["Sea Songs"] * 4)

    assert {name for pairs in found for name, _ in pairs} == {"title", "series"}


def test_a_label_that_is_a_link_to_an_explanation_is_a_label() -> None:
    rows = books(
        "<li><h3><a href=/{n}>Book number {n}</a></h3><p><a href=/help#a>Author</a> <span>{who}</span></p>"
        "<p><a href=/help#y>Year</a> <span>{year}</span></p></li>"
    )

    found = attributes_of(f"<ul>{rows}</ul>")

    assert [dict(pairs)["author"] for pairs in found] == list(PEOPLE)
    assert [dict(pairs)["year"] for pairs in found] == list(YEARS)
