"""Rows of records, and what writes them: for tests of formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.feeds.rows import row_of
from hiddenweb.store.stored_records import StoredRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.feeds.csv_exporter import RecordCsvExporter
    from hiddenweb.feeds.xml_exporter import RecordXmlExporter


def stored(
    site: str,
    title: str,
    attributes: Iterable[tuple[str, str]],
    extractors: tuple[str, ...] = (),
    at: float = 0.0,
) -> StoredRecord:
    """A record with an address."""
    url = f"http://{site}/1"
    return StoredRecord(
        1, "record", site, url, url, title, tuple(attributes), 1, extractors, site, at, None, None
    )


RIVER = row_of(
    stored(
        "a.example",
        'The River, or: "Home"',
        [("author", "Jane Smith"), ("author", "John Doe"), ("Date of birth", "1950")],
        ("books",),
    )
)
STONE = row_of(stored("b.example", "石\nstone", [("2nd <price>", "12.50 & more\x00")]))
PLAIN = row_of(stored("c.example", "Plain", []))


def export_rows(exporter: RecordCsvExporter | RecordXmlExporter, rows: list[dict[str, Any]]) -> None:
    exporter.start_exporting()
    for row in rows:
        exporter.export_item(row)
    exporter.finish_exporting()
