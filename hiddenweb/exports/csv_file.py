"""Records as CSV: UTF-8, quoted as RFC 4180 says, with texts as the pages wrote them.

A spreadsheet runs what begins like a formula, and what pages say may have been written for that. So an apostrophe stands before
cells that begin with = + - @, a tab or a carriage return, unless they are plain numbers; spreadsheets then show a text.
"""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenweb.exports.cells import defuse, text_of_cell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from hiddenweb.exports.formats import ExportNotes, ExportOptions, WriteRow
    from hiddenweb.reports.records import RecordTable


class _Utf8:
    """A file of bytes, written with texts."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(text.encode("utf-8", "replace"))


@contextmanager
def open_writer(
    file: BinaryIO, table: RecordTable, options: ExportOptions, notes: ExportNotes
) -> Iterator[WriteRow]:
    """Begin a file with the names of the columns; each row is a line."""
    lines = csv.writer(_Utf8(file))

    def clean(cell: str) -> str:
        if options.keep_formulas or (harmless := defuse(cell)) == cell:
            return cell
        notes.count("cells that look like formulas and got an apostrophe")
        return harmless

    if options.bom:
        file.write(BOM_UTF8)
    lines.writerow([clean(column.name) for column in table.columns])
    yield lambda row: lines.writerow([clean(text_of_cell(cell)) for cell in row.cells])
