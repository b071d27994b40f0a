"""CSV that spreadsheets and programs open, whatever pages said."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from record_states import Attributes, export_of, states

from hiddenweb.exports.cells import defuse, text_of_cell
from hiddenweb.exports.formats import ExportOptions
from hiddenweb.reports.records import RecordTable
from hiddenweb.store.database import Store

csv.field_size_limit(1_000_000)


def lines_in(path: Path, encoding: str = "utf-8") -> list[list[str]]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.reader(file))


@settings(max_examples=40)
@given(states)
def test_every_value_comes_back_as_the_page_wrote_it(records: list[tuple[str, Attributes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        head, *lines = lines_in(
            export_of(folder, "r.csv", records, options=ExportOptions(keep_formulas=True))
        )
        with Store(folder / "data", write=False) as store:
            table = RecordTable(store, as_text=True)
            expected = [[text_of_cell(cell) for cell in row.cells] for row in table.rows()]

    assert head == [column.name for column in table.columns]
    assert lines == expected
    assert len({*head}) == len(head)


@settings(max_examples=20)
@given(states)
def test_no_cell_begins_like_a_formula(records: list[tuple[str, Attributes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        lines = lines_in(export_of(Path(name), "r.csv", records))

    for cell in (cell for line in lines for cell in line):
        assert cell == defuse(cell)


def test_a_byte_order_mark_is_there_where_it_is_wanted(tmp_path: Path) -> None:
    with_mark = export_of(tmp_path, "with.csv", options=ExportOptions(bom=True))
    without = export_of(tmp_path, "without.csv")

    assert with_mark.read_bytes().startswith(b"\xef\xbb\xbfsite,")
    assert without.read_bytes().startswith(b"site,")
    assert lines_in(with_mark, "utf-8-sig") == lines_in(without)


@pytest.mark.parametrize("value", ["-12.50", "+4", "1,234.5", "-1.5e10"])
def test_plain_numbers_stay_as_they_are(tmp_path: Path, value: str) -> None:
    head, line = lines_in(export_of(tmp_path, "r.csv", [("One", [("change", value)])]))

    assert dict(zip(head, line, strict=True))["change"] == value
