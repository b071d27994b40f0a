"""Rows of records, and what writes them: for tests of formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.feeds.rows import row_of

if TYPE_CHECKING:
    from hiddenweb.feeds.csv_exporter import RecordCsvExporter
    from hiddenweb.feeds.xml_exporter import RecordXmlExporter

RIVER = row_of(
    "a.example",
    "http://a.example/1",
    'The River, or: "Home"',
    [("author", "Jane Smith"), ("author", "John Doe"), ("Date of birth", "1950")],
    source="books",
)
STONE = row_of("b.example", "http://b.example/1", "石\nstone", [("2nd <price>", "12.50 & more\x00")])
PLAIN = row_of("c.example", "http://c.example/1", "Plain", [])
COLUMNS = ["site", "url", "title", "extractor", "found_at", "kind", "attributes"]


def export_rows(exporter: RecordCsvExporter | RecordXmlExporter, rows: list[dict[str, Any]]) -> None:
    exporter.start_exporting()
    for row in rows:
        exporter.export_item(row)
    exporter.finish_exporting()
