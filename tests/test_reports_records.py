"""Stored records as a table."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random
from typing import TYPE_CHECKING

import pytest
from record_states import BOOKS, FOUND, Attributes, keep_records

from hiddenweb.reports.records import RecordTable, UnknownColumn
from hiddenweb.store.database import Store
from hiddenweb.store.stored_records import RecordFilter

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.reports.records import Cell


def table_of(
    folder: Path, names: tuple[str, ...] = (), **more: bool
) -> tuple[list[str], list[tuple[Cell, ...]]]:
    with Store(folder, write=False) as store:
        table = RecordTable(store, names=names, **more)  # type: ignore[arg-type]
        return [column.name for column in table.columns], [row.cells for row in table.rows()]


def cells_of(folder: Path, records: list[tuple[str, Attributes]], *names: str) -> list[tuple[Cell, ...]]:
    keep_records(folder, records)
    return table_of(folder, names)[1]


def test_columns_that_most_records_fill_come_first(tmp_path: Path) -> None:
    keep_records(tmp_path)

    head, rows = table_of(tmp_path)

    assert head == [
        "site", "url", "title", "author", "price", "price currency", "year", "published", "form", "found_at", "kind", "id",
    ]  # fmt: skip
    assert rows[0][:8] == (
        "books.example", "https://books.example/amber", "Amber", ["Bo Ray"], 1234.0, "EUR", 2011, date(2011, 5, 1)
    )  # fmt: skip
    assert rows[2][7] is None
    assert rows[0][9] == datetime.fromtimestamp(FOUND, UTC)


def test_the_same_records_are_the_same_table_in_whatever_order_they_were_found(tmp_path: Path) -> None:
    records = [
        (f"Book {number}", [(name, f"{number}") for name in ("Year", "year", "pages") if number % len(name)])
        for number in range(40)
    ]
    tables = []
    for seed in range(3):
        Random(seed).shuffle(records)
        keep_records(tmp_path / str(seed), records)
        tables.append(table_of(tmp_path / str(seed)))

    assert tables[0] == tables[1] == tables[2]


def test_names_that_differ_only_in_case_spaces_and_punctuation_are_one_column(tmp_path: Path) -> None:
    records: list[tuple[str, Attributes]] = [
        ("A", [("Date of birth", "old")]),
        ("B", [("date-of-birth:", "older")]),
        ("C", [("Date of birth", "oldest"), ("DATE OF BIRTH", "oldest")]),
    ]
    keep_records(tmp_path, records)

    head, rows = table_of(tmp_path)

    assert head[3] == "Date of birth"
    assert [row[3] for row in rows] == ["old", "older", "oldest"]


def test_attributes_with_the_name_of_another_column_get_an_underscore(tmp_path: Path) -> None:
    keep_records(
        tmp_path, [("A", [("url", "x"), ("Found at", "y"), ("price", "5 €"), ("Price currency", "z")])]
    )

    head, _ = table_of(tmp_path)

    assert head[3:8] == ["Found at_", "price", "price currency_", "Price currency", "url_"]


def test_a_name_is_on_one_line_and_none_is_empty(tmp_path: Path) -> None:
    keep_records(tmp_path, [("A", [("", "x"), ("date\n of  birth", "y"), ("?", "z")])])

    head, rows = table_of(tmp_path)

    assert dict(zip(head[3:6], rows[0][3:6], strict=True)) == {"?": "z", "date of birth": "y", "value": "x"}


def test_the_attribute_title_is_the_title(tmp_path: Path) -> None:
    rows = cells_of(tmp_path, [("More ...", [("Title", "The real one"), ("x", "y")])], "title", "x")

    assert rows == [("The real one", "y")]


def test_several_titles_are_all_kept(tmp_path: Path) -> None:
    rows = cells_of(tmp_path, [("A", [("title", "One"), ("title", "Two")])], "title", "title_")

    assert rows == [("One", ["One", "Two"])]


def test_values_are_texts_as_the_pages_have_them_where_that_is_wanted(tmp_path: Path) -> None:
    keep_records(tmp_path)

    head, rows = table_of(tmp_path, as_text=True)

    assert "price currency" not in head
    assert [row[head.index("price")] for row in rows] == ["1.234,00 €", "7,99 €", "12.50 €"]


def test_columns_can_be_chosen_in_any_spelling_and_order(tmp_path: Path) -> None:
    keep_records(tmp_path)

    head, rows = table_of(tmp_path, ("YEAR", "title", "gone at", "price-currency"))

    assert head == ["year", "title", "gone_at", "price currency"]
    assert rows[1] == (2004, "Stone", None, "EUR")


def test_a_column_that_no_record_has_is_an_error(tmp_path: Path) -> None:
    keep_records(tmp_path)

    with pytest.raises(UnknownColumn, match="colour"):
        table_of(tmp_path, ("title", "colour"))


def test_each_source_has_the_attributes_that_its_records_fill(tmp_path: Path) -> None:
    keep_records(tmp_path, BOOKS[:1])
    keep_records(tmp_path, [("Chair", [("legs", "4"), ("empty", " ")])], "chairs.example")

    with Store(tmp_path, write=False) as store:
        table = RecordTable(store)
        wanted = RecordTable(store, RecordFilter(site="chairs.example"))

    assert table.sources == {
        "books.example form 1": {"author", "price", "year"},
        "chairs.example form 2": {"legs"},
    }
    assert [column.name for column in wanted.columns if column.attribute] == ["legs"]
    assert len(wanted) == 1
