"""CSV has real columns, and loses no attribute."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from typing import TYPE_CHECKING, Any

import pytest
from feed_rows import PLAIN, RIVER, STONE, export_rows, stored
from scrapy.extensions.postprocessing import PostProcessingManager

from hiddenweb.feeds.csv_exporter import RecordCsvExporter
from hiddenweb.feeds.rows import row_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = ["site", "url", "title", "2nd <price>", "author", "Date of birth", "extractor", "found_at", "kind"]


def as_csv(rows: list[dict[str, Any]], **options: Any) -> list[list[str]]:
    file = io.BytesIO()
    export_rows(RecordCsvExporter(file, **options), rows)
    return list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))


def lines_in(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))


def append(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("ab") as file:
        export_rows(RecordCsvExporter(file), rows)  # type: ignore[arg-type]


def test_every_attribute_has_a_column() -> None:
    head, plain, river, stone = as_csv([PLAIN, RIVER, STONE])

    assert head == HEAD
    assert plain[2:6] == ["Plain", "", "", ""]
    assert river[2:6] == ['The River, or: "Home"', "", "Jane Smith; John Doe", "1950"]
    assert stone[2:4] == ["石\nstone", "12.50 & more\x00"]
    assert [line[6] for line in (plain, river, stone)] == ["", "books", ""]


def test_names_that_differ_only_in_spelling_are_one_column_and_most_filled_ones_come_first() -> None:
    rows = [row_of(stored("a.example", "A", pairs)) for pairs in (
        [("Pages", "1"), ("url", "x")], [("pages:", "2")], [("Pages", "3"), ("Found at", "home")],
    )]  # fmt: skip

    head, *lines = as_csv(rows)

    assert head == ["site", "url", "title", "Pages", "Found at", "url_", "extractor", "found_at", "kind"]
    assert [line[3:6] for line in lines] == [["1", "", "x"], ["2", "", ""], ["3", "home", ""]]


def test_a_feed_without_records_has_its_first_line() -> None:
    assert as_csv([]) == [["site", "url", "title", "extractor", "found_at", "kind"]]


def test_csv_has_the_fields_that_are_named() -> None:
    listed = as_csv([PLAIN, RIVER], fields_to_export=["title", "author", "attributes"])
    renamed = as_csv([PLAIN, RIVER], fields_to_export={"title": "name", "Date of birth": "born"})

    assert listed[0] == ["title", "author", "attributes"]
    assert listed[1] == ["Plain", "", ""]
    assert listed[2][:2] == ['The River, or: "Home"', "Jane Smith; John Doe"]
    assert json.loads(listed[2][2]) == {"author": ["Jane Smith", "John Doe"], "Date of birth": "1950"}
    assert renamed == [["name", "born"], ["Plain", ""], ['The River, or: "Home"', "1950"]]


def test_cells_that_look_like_formulas_get_an_apostrophe() -> None:
    row = row_of(stored("a.example", "=1+1", [("change", "-12.5"), ("note", "@home")]))

    _, safe = as_csv([row])
    _, kept = as_csv([row], keep_formulas=True)

    assert safe[2:5] == ["'=1+1", "-12.5", "'@home"]
    assert kept[2:5] == ["=1+1", "-12.5", "@home"]


def test_a_file_that_is_appended_to_keeps_its_first_line_and_what_has_no_column_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    append(tmp_path / "r.csv", [RIVER])
    before = caplog.text
    append(
        tmp_path / "r.csv",
        [row_of(stored("a.example", "New", [("AUTHOR", "Ann"), ("colour", "red")])), PLAIN],
    )

    head, river, new, plain = lines_in(tmp_path / "r.csv")
    assert before == ""
    assert head == ["site", "url", "title", "author", "Date of birth", "extractor", "found_at", "kind"]
    assert [line[3] for line in (river, new, plain)] == ["Jane Smith; John Doe", "Ann", ""]
    assert (
        "has no column for 1 attributes, which were left out: colour; -O writes the file anew" in caplog.text
    )


def test_a_file_of_an_earlier_version_gets_what_has_no_column_as_before(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("site,url,title,extractor,found_at,kind,attributes\r\n", newline="")

    append(tmp_path / "r.csv", [RIVER])

    _, line = lines_in(tmp_path / "r.csv")
    assert json.loads(line[6]) == {"author": ["Jane Smith", "John Doe"], "Date of birth": "1950"}


@pytest.mark.parametrize("plugin", ["GzipPlugin", "Bz2Plugin", "LZMAPlugin"])
def test_a_packed_file_that_is_appended_to_has_one_first_line(tmp_path: Path, plugin: str) -> None:

    path = tmp_path / "records.csv"
    for rows in ([RIVER], [STONE, PLAIN]):
        with path.open("ab") as file:
            target = PostProcessingManager([f"scrapy.extensions.postprocessing.{plugin}"], file, {})
            export_rows(RecordCsvExporter(target), rows)  # type: ignore[arg-type]
            target.close()

    unpack = {"GzipPlugin": gzip.decompress, "Bz2Plugin": bz2.decompress, "LZMAPlugin": lzma.decompress}[
        plugin
    ]
    lines = list(csv.reader(io.StringIO(unpack(path.read_bytes()).decode(), newline="")))
    assert [line[0] for line in lines] == ["site", "a.example", "b.example", "c.example"]
    assert {len(line) for line in lines} == {8}


def test_csv_that_is_written_anew_has_a_head(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("old")
    with path.open("wb") as file:
        export_rows(RecordCsvExporter(file), [PLAIN])  # type: ignore[arg-type]

    assert path.read_text().startswith("site,url,")
