"""JSON Lines."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from record_states import Attributes, export_of, states

from hiddenweb.exports.cells import plain_value
from hiddenweb.reports.records import RecordTable
from hiddenweb.store.database import Store


@settings(max_examples=40)
@given(states)
def test_every_value_comes_back_in_both_formats_of_json(records: list[tuple[str, Attributes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = export_of(folder, "r.jsonl", records).read_bytes().decode()
        listed = json.loads(export_of(folder, "r.json", records).read_text(encoding="utf-8"))
        with Store(folder / "data", write=False) as store:
            table = RecordTable(store)
            expected = [
                {
                    column.name: [plain_value(each) for each in cell]
                    if isinstance(cell, list)
                    else plain_value(cell)
                    for column, cell in zip(table.columns, row.cells, strict=True)
                    if cell not in (None, "")
                }
                for row in table.rows()
            ]

    assert [json.loads(line) for line in text.split("\n")[:-1]] == expected
    assert listed == expected


def test_a_column_in_which_a_record_has_several_values_has_lists(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in export_of(tmp_path, "r.jsonl").read_text().splitlines()]

    assert {row["title"]: row["author"] for row in rows} == {
        "Amber": ["Bo Ray"],
        "Stone": ["Ann Lee"],
        "The River": ["Jane Smith", "John Doe"],
    }
