"""CSV has the same columns for all records, and loses no attribute."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from feed_rows import COLUMNS, PLAIN, RIVER, STONE, export_rows
from scrapy.extensions.postprocessing import PostProcessingManager

from hiddenweb.feeds.csv_exporter import RecordCsvExporter

if TYPE_CHECKING:
    from pathlib import Path


def as_csv(rows: list[dict[str, Any]], **options: Any) -> list[list[str]]:
    file = io.BytesIO()
    export_rows(RecordCsvExporter(file, **options), rows)
    return list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))


def test_csv_has_the_same_columns_for_all_and_loses_no_attribute() -> None:
    head, *lines = as_csv([PLAIN, RIVER, STONE])

    assert head == COLUMNS
    assert [line[2] for line in lines] == ["Plain", 'The River, or: "Home"', "石\nstone"]
    assert lines[0][6] == ""
    assert json.loads(lines[1][6]) == {"author": ["Jane Smith", "John Doe"], "Date of birth": "1950"}
    assert json.loads(lines[2][6]) == {"2nd <price>": "12.50 & more\x00"}


def test_csv_has_the_fields_that_are_named() -> None:
    listed = as_csv([PLAIN, RIVER], fields_to_export=["title", "author", "attributes"])
    renamed = as_csv([PLAIN, RIVER], fields_to_export={"title": "name", "Date of birth": "born"})

    assert listed[0] == ["title", "author", "attributes"]
    assert listed[1] == ["Plain", "", ""]
    assert listed[2][:2] == ['The River, or: "Home"', "Jane Smith; John Doe"]
    assert renamed == [["name", "born"], ["Plain", ""], ['The River, or: "Home"', "1950"]]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "compressed"])
def test_csv_that_is_appended_to_has_one_head(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "records.csv"
    for rows in ([PLAIN], [RIVER, STONE]):
        with path.open("ab") as file:
            plugins = ["scrapy.extensions.postprocessing.GzipPlugin"] if packed else []
            target = PostProcessingManager(plugins, file, {}) if packed else file
            export_rows(RecordCsvExporter(target), rows)  # type: ignore[arg-type]
            target.close()

    content = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
    lines = list(csv.reader(io.StringIO(content.decode(), newline="")))
    assert [line[0] for line in lines] == ["site", "c.example", "a.example", "b.example"]


def test_csv_that_is_written_anew_has_a_head(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("old")
    with path.open("wb") as file:
        export_rows(RecordCsvExporter(file), [PLAIN])  # type: ignore[arg-type]

    assert path.read_text().startswith("site,url,")
