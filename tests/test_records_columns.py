from __future__ import annotations

import pytest
from walked_pages import elements_of, places_of, walk_page

from hiddenweb.records.columns import columns_of


def names_in(html: str, *, skipped: int) -> list[list[str]]:
    """Return the names of the cells of all rows but for the first."""
    walk, flat = walk_page(html)
    rows = places_of(walk, "tr")[skipped:]
    names = columns_of(walk, flat, rows).names
    return [
        [names.get(cell, "-") for cell in places_of(walk, "td th") if elements_of(walk)[cell].parent == row]
        for row in rows
    ]


RECORD = "<tr><td>The River<td>Jane Smith<td>1999"


@pytest.mark.parametrize(
    ("heads", "names"),
    [
        pytest.param("<tr><th>Title<th>Author:<th>Year", ["title", "author", "year"], id="heads"),
        pytest.param("<tr><td>Title<td>Author<td>Year", ["title", "author", "year"], id="plain cells"),
        pytest.param("<tr><th>Title<th><th>Year", ["title", "-", "year"], id="an empty head"),
        pytest.param("<tr><th colspan=2>Book<th>Year", ["book", "book", "year"], id="a wide head"),
        pytest.param(
            "<tr><th rowspan=2>Title<th colspan=2>Edition<tr><th>Author<th>Year",
            ["title", "author", "year"],
            id="two rows of heads",
        ),
        pytest.param(
            "<tr><th>Title<th>Author<th>Year<tr><td colspan=3>New books",
            ["title", "author", "year"],
            id="a plain row below the heads",
        ),
        pytest.param(
            "<tr><th>Title<th>Author<th>Year<tr><th colspan=3>New books",
            ["title", "author", "year"],
            id="a heading over all columns",
        ),
        pytest.param(
            "<tr><th>Title<th>Author<th>Year<tr><td>rising<td>falling<td>no",
            ["title", "author", "year"],
            id="cells below the heads",
        ),
        pytest.param("<tr><th colspan=x>Title<th colspan=0>Author<th colspan=99999>Year", ["title", "author", "year"], id="odd widths"),
    ],
)  # fmt: skip
def test_cells_are_named_by_the_heads_of_their_columns(heads: str, names: list[str]) -> None:
    html = f"<table>{heads}{RECORD}</table>"

    assert names_in(html, skipped=heads.count("<tr>")) == [names]


def test_no_heads_give_no_names_but_the_columns_are_counted() -> None:
    walk, flat = walk_page(f"<table>{RECORD}{RECORD}</table>")

    columns = columns_of(walk, flat, places_of(walk, "tr"))

    assert list(columns.numbers.values()) == [0, 1, 2, 0, 1, 2]
    assert columns.names == {}


def test_a_cell_that_goes_over_several_rows_moves_those_beside_it() -> None:
    heads = "<tr><th>Year<th>Title<th>Author"
    rows = "<tr><td rowspan=3>1999<td>The River<td>Jane<tr><td>Old Roads<td>John<tr><td>Maps<td>Bo<tr><td>2001<td>Winter<td>Ann"

    assert names_in(f"<table>{heads}{rows}</table>", skipped=1) == [
        ["year", "title", "author"],
        ["title", "author"],
        ["title", "author"],
        ["year", "title", "author"],
    ]


def test_each_table_has_heads_of_its_own() -> None:
    one, other = "<tr><th>Title<th>Year<tr><td>a<td>1", "<tr><th>Place<th>Name<tr><td>b<td>c"
    walk, flat = walk_page(f"<table>{one}</table><table>{other}</table>")
    rows = places_of(walk, "tr")

    names = columns_of(walk, flat, [rows[1], rows[3]]).names

    assert list(names.values()) == ["title", "year", "place", "name"]


def test_a_table_in_a_cell_names_nothing_of_the_row_around_it() -> None:
    inner = "<table><tr><th>Inner<th>Other</table>"
    walk, flat = walk_page(f"<table><tr><th>Title<th>More{inner}<tr><td>The River<td>told</table>")
    outer = places_of(walk, "tr")[2]

    assert list(columns_of(walk, flat, [outer]).names.values()) == ["title", "more inner other"]


def test_very_wide_cells_cost_little() -> None:
    walk, flat = walk_page("<table><tr>" + "<td colspan=999 rowspan=999>abc" * 50 + "</table>")

    assert max(columns_of(walk, flat, places_of(walk, "tr")).numbers.values()) < 200
