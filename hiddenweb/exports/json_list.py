"""Records as JSON: one list, an object a line."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenweb.exports.json_file import json_of_row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from hiddenweb.exports.formats import WriteRow
    from hiddenweb.reports.records import RecordRow, RecordTable


@contextmanager
def open_writer(file: BinaryIO, table: RecordTable, *_: object) -> Iterator[WriteRow]:
    """Begin a list; each row is an object in it."""
    names = [column.name for column in table.columns]
    before = b"[\n"

    def write(row: RecordRow) -> None:
        nonlocal before
        file.write(before + json_of_row(names, row))
        before = b",\n"

    yield write
    file.write(b"\n]\n" if before != b"[\n" else b"[]\n")
