"""Spreadsheets, as another program reads them."""

from __future__ import annotations

import tempfile
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from openpyxl import load_workbook
from record_states import Attributes, export_of, keep_records, states

from hiddenweb.exports import xlsx_file
from hiddenweb.exports.cells import clean_for_xml, text_of_cell
from hiddenweb.exports.export import export_records
from hiddenweb.reports.records import RecordTable
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    import pytest

    from hiddenweb.reports.records import Cell


def rows_in(path: Path, sheet: str = "records") -> list[tuple[object, ...]]:
    book = load_workbook(path, read_only=True)
    try:  # what looks like an escape is escaped itself; openpyxl leaves that as it is
        return [
            tuple(cell.replace("_x005F_", "_") if isinstance(cell, str) else cell for cell in row)
            for row in book[sheet].iter_rows(values_only=True)
        ]
    finally:
        book.close()


def as_sheet(cell: Cell) -> object:
    """What a sheet has for a cell."""
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).replace(tzinfo=None)
    if isinstance(cell, date) and cell >= date(1900, 3, 1):
        return datetime.combine(cell, time())
    if isinstance(cell, int | float) or cell in (None, ""):
        return cell or (cell if isinstance(cell, int | float) else None)
    text = clean_for_xml(text_of_cell(cell).replace("\r\n", "\n").replace("\r", "\n"))
    return text.encode("utf-16-le")[: 2 * 32_767].decode("utf-16-le", "ignore") or None


@settings(max_examples=30)
@given(states)
def test_every_value_comes_back_as_far_as_a_sheet_can_hold_it(records: list[tuple[str, Attributes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        head, *rows = rows_in(export_of(folder, "r.xlsx", records))
        with Store(folder / "data", write=False) as store:
            table = RecordTable(store)
            expected = [[as_sheet(cell) for cell in row.cells] for row in table.rows()]

    assert list(head) == [clean_for_xml(column.name) for column in table.columns]
    assert [[*row, *[None] * (len(head) - len(row))] for row in rows] == expected


def test_what_is_cut_is_counted(tmp_path: Path) -> None:
    keep_records(tmp_path / "data", [("One", [("text", "x" * 40_000), ("sound", "bell\x07")])])

    done = export_records(tmp_path / "data", tmp_path / "r.xlsx")

    assert done.notes == {
        "cells with characters that a sheet does not allow, for which spaces stand": 1,
        "cells longer than 32,767 characters, which were cut": 1,
    }
    head, row = rows_in(tmp_path / "r.xlsx")
    cells = dict(zip(head, row, strict=True))
    assert len(str(cells["text"])) == 32_767
    assert cells["sound"] == "bell "


def test_rows_that_have_no_room_go_to_a_further_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx_file, "MOST_ROWS", 3)

    path = export_of(tmp_path, "r.xlsx")

    assert [row[2] for row in rows_in(path)] == ["title", "Amber", "Stone"]
    assert [row[2] for row in rows_in(path, "records 2")] == ["title", "The River"]


def test_columns_that_have_no_room_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_file, "MOST_COLUMNS", 4)
    keep_records(tmp_path / "data")

    done = export_records(tmp_path / "data", tmp_path / "r.xlsx")

    assert rows_in(tmp_path / "r.xlsx")[0] == ("site", "url", "title", "author")
    assert done.notes == {"columns for which a sheet has no room, which were left out": done.columns - 4}
