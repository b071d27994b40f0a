"""Records as rows of feeds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hiddenweb.reports.records import title_of, values_of
from hiddenweb.signals import ATTRIBUTES, RECORD_COLUMNS, TYPED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddenweb.store.stored_records import StoredRecord

    Row = dict[str, object]

_RESERVED = frozenset((*RECORD_COLUMNS, ATTRIBUTES, TYPED))


def row_of(record: StoredRecord, typed: Mapping[str, list[object]] | None = None) -> Row:
    """Return a record as a row of feeds.

    The attribute `title` is the title; an attribute with the name of another column gets an underscore.
    """
    row: Row = {"site": record.site, "url": record.url, "title": title_of(record)}
    for name, values in values_of(record).values():
        column = name
        while column in _RESERVED or column in row:
            column += "_"
        row[column] = values if len(values) > 1 else values[0]
    found_at = datetime.fromtimestamp(record.found_at, UTC).isoformat(timespec="seconds")
    row |= {"extractor": ", ".join(record.extractors), "found_at": found_at, "kind": record.kind}
    if typed:
        row[TYPED] = {name: each[0] if len(each) == 1 else each for name, each in typed.items()}
    return row
