"""Records in the formats of feeds."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.extensions.postprocessing import PostProcessingManager
from scrapy.utils.test import get_crawler

from hiddenweb import settings
from hiddenweb.feeds.csv_exporter import RecordCsvExporter
from hiddenweb.feeds.record_feeds import RecordFeeds
from hiddenweb.feeds.rows import row_of
from hiddenweb.feeds.xml_exporter import RecordXmlExporter

if TYPE_CHECKING:
    from pathlib import Path

RIVER = row_of(
    "a.example",
    "http://a.example/1",
    'The River, or: "Home"',
    [("author", "Jane Smith"), ("author", "John Doe"), ("Date of birth", "1950")],
    source="books",
)
STONE = row_of("b.example", "http://b.example/1", "石\nstone", [("2nd <price>", "12.50 & more\x00")])
PLAIN = row_of("c.example", "http://c.example/1", "Plain", [])
COLUMNS = ["site", "url", "title", "source", "found_at", "kind", "attributes"]


def as_csv(rows: list[dict[str, Any]], **options: Any) -> list[list[str]]:
    file = io.BytesIO()
    exported(RecordCsvExporter(file, **options), rows)
    return list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))


def exported(exporter: RecordCsvExporter | RecordXmlExporter, rows: list[dict[str, Any]]) -> None:
    exporter.start_exporting()
    for row in rows:
        exporter.export_item(row)
    exporter.finish_exporting()


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
def test_csv_that_is_gone_on_with_has_one_head(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "records.csv"
    for rows in ([PLAIN], [RIVER, STONE]):
        with path.open("ab") as file:
            plugins = ["scrapy.extensions.postprocessing.GzipPlugin"] if packed else []
            target = PostProcessingManager(plugins, file, {}) if packed else file
            exported(RecordCsvExporter(target), rows)  # type: ignore[arg-type]
            target.close()

    said = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
    lines = list(csv.reader(io.StringIO(said.decode(), newline="")))
    assert [line[0] for line in lines] == ["site", "c.example", "a.example", "b.example"]


def test_csv_that_is_written_anew_has_a_head(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("old")
    with path.open("wb") as file:
        exported(RecordCsvExporter(file), [PLAIN])  # type: ignore[arg-type]

    assert path.read_text().startswith("site,url,")


@pytest.mark.parametrize("indent", [None, 0, 4])
def test_xml_can_be_read_whatever_names_and_values_are(indent: int | None) -> None:
    file = io.BytesIO()
    exported(RecordXmlExporter(file, indent=indent), [RIVER, STONE, PLAIN])

    river, stone, plain = ET.fromstring(file.getvalue().decode())
    assert river.findtext("title") == 'The River, or: "Home"'
    assert [(part.get("name"), part.text) for part in river.iter("attribute")] == [
        ("author", "Jane Smith"),
        ("author", "John Doe"),
        ("Date of birth", "1950"),
    ]
    assert [(part.get("name"), part.text) for part in stone.iter("attribute")] == [
        ("2nd <price>", "12.50 & more ")
    ]
    assert [part.tag for part in plain] == ["site", "url", "title", "source", "found_at", "kind"]


def test_without_feeds_there_is_nobody_who_listens() -> None:
    with pytest.raises(NotConfigured):
        RecordFeeds.from_crawler(get_crawler())


def test_feeds_of_records_take_the_place_of_scrapys_own() -> None:
    extensions: dict[str, int | None] = settings.EXTENSIONS

    assert extensions["scrapy.extensions.feedexport.FeedExporter"] is None
    assert extensions["hiddenweb.feeds.record_feeds.RecordFeeds"] == 0
