"""Parquet, as pyarrow reads it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from hypothesis import given, settings
from pyarrow import parquet
from record_states import Attributes, export_of, states

from hiddenweb.exports import parquet_file
from hiddenweb.reports.records import RecordTable
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    import pytest


@settings(max_examples=30)
@given(states)
def test_every_value_comes_back(records: list[tuple[str, Attributes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        read = parquet.read_table(export_of(folder, "r.parquet", records))
        with Store(folder / "data", write=False) as store:
            table = RecordTable(store)
            expected = [list(row.cells) for row in table.rows()]

    assert read.schema.names == [column.name for column in table.columns]
    assert [list(row.values()) for row in read.to_pylist()] == expected


def test_columns_have_types(tmp_path: Path) -> None:
    schema = parquet.read_schema(export_of(tmp_path, "r.parquet"))

    types = dict(zip(schema.names, schema.types, strict=True))
    assert types["author"] == pa.list_(pa.string())
    assert types["price"] == pa.float64()
    assert types["price currency"] == pa.string()
    assert types["year"] == pa.int64()
    assert types["published"] == pa.date32()
    assert pa.types.is_timestamp(types["found_at"])


def test_rows_are_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_file, "_MOST_ROWS", 2)

    path = export_of(tmp_path, "r.parquet")

    assert parquet.ParquetFile(path).num_row_groups == 2
    assert parquet.read_table(path).column("title").to_pylist() == ["Amber", "Stone", "The River"]
