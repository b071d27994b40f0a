"""Tables of records on a terminal."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.cells import cell_len

from hiddenweb.reports.records import RecordRow, TableColumn
from hiddenweb.reports.records_text import describe_columns, lines_of_table, text_of

if TYPE_CHECKING:
    from hiddenweb.reports.records import Cell

COLUMNS = [TableColumn(name) for name in ("site", "url", "title", "author", "id")]


def row(*cells: Cell) -> RecordRow:
    return RecordRow("1", "books", cells)


def test_titles_and_attributes_come_before_what_says_little() -> None:
    lines = list(
        lines_of_table(
            COLUMNS, [row("a.example", "http://a.example/1", "The River", ["Ann", "Bo"], "1f")], 60
        )
    )

    assert lines == [
        "title      author   site       url                 id",
        "The River  Ann; Bo  a.example  http://a.example/1  1f",
    ]


def test_columns_for_which_there_is_no_room_are_named() -> None:
    rows = [row("a.example", "http://a.example/1", "x" * 90, "石" * 30, "1f")]

    lines = list(lines_of_table(COLUMNS, rows, 44))

    assert lines[1] == "x" * 39 + "…"
    assert lines[-1] == "Not shown: author, site, url, id"
    assert all(cell_len(line) <= 44 for line in lines)


def test_columns_that_are_chosen_keep_their_order() -> None:
    (head, *_) = lines_of_table(COLUMNS, [row("a", "b", "c", None, "d")], 80, are_chosen=True)

    assert head.split() == ["site", "url", "title", "author", "id"]


def test_cells_are_on_one_line_and_cannot_move_the_cursor() -> None:
    assert text_of("two\nlines\x1b[2J") == "two lines [2J"
    assert text_of([1.5, 2.0, 3]) == "1.5; 2; 3"
    assert text_of(datetime(2026, 1, 2, 3, 4, tzinfo=UTC)) == "2026-01-02 03:04"
    assert text_of(None) == ""


def test_columns_are_described_with_how_many_records_fill_them() -> None:
    columns = [TableColumn("title", filled=1_200), TableColumn("price", "number", is_list=True, filled=3)]

    assert list(describe_columns(columns, 1_200)) == [
        "title  text      1,200 of 1,200",
        "price  numbers   3 of 1,200",
    ]
