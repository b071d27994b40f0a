"""Records as a spreadsheet (XLSX). Texts are cells of text, also those that look like formulas.

Rows are written to disk one by one. What a spreadsheet cannot hold is cut and counted: characters of a cell beyond 32,767, columns beyond 16,384; rows
beyond 1,048,576 go to a further sheet. Times are in UTC. Days before March 1900, which spreadsheets do not know, are texts.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, date, datetime
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError

from hiddenweb.exports.cells import clean_for_xml, text_of_cell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from hiddenweb.exports.formats import ExportNotes, WriteRow
    from hiddenweb.reports.records import Cell, RecordRow, RecordTable

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""Of a sheet, by the format's own limits."""

_FIRST_DAY = date(1900, 3, 1)
"""Before it spreadsheets count a day that never was, 29 February 1900."""

_OPTIONS = {
    "constant_memory": True,
    "strings_to_numbers": False,
    "strings_to_formulas": False,
    "strings_to_urls": False,
}
_CUT = -2  # what XlsxWriter returns for a text that it cut
_WIDTHS = {"text": 24, "integer": 12, "number": 12, "date": 12, "time": 20}  # characters; a choice of taste


class SpreadsheetWriter:
    """Writes a row of a sheet for each row, below the names of the columns."""

    def __init__(self, file: BinaryIO, table: RecordTable, notes: ExportNotes, folder: str) -> None:
        self._book = Workbook(file, {**_OPTIONS, "tmpdir": folder})
        self._head = self._book.add_format({"bold": True})
        self._formats = {
            date: self._book.add_format({"num_format": "yyyy-mm-dd"}),
            datetime: self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        }
        self._columns = table.columns[:MOST_COLUMNS]
        self._notes = notes
        notes.count(
            "columns for which a sheet has no room, which were left out",
            len(table.columns) - len(self._columns),
        )
        self._sheets = 0
        self._begin_sheet()

    def write(self, row: RecordRow) -> None:
        """Write a row, into a further sheet if this one is full."""
        if self._row == MOST_ROWS:
            self._begin_sheet()
        for at, cell in enumerate(row.cells[:MOST_COLUMNS]):
            if cell is not None:
                self._write_cell(at, cell)
        self._row += 1

    def finish(self) -> None:
        """Write the workbook; raises OSError."""
        try:
            self._book.close()
        except FileCreateError as error:
            raise OSError(*error.args[0].args) from error

    def abandon(self) -> None:
        """Close the files of rows; their folder is removed."""
        for sheet in self._book.worksheets():
            sheet.row_data_fh.close()

    def _begin_sheet(self) -> None:
        self._sheets += 1
        self._row = 0
        self._sheet: Any = self._book.add_worksheet(
            "records" if self._sheets == 1 else f"records {self._sheets}"
        )
        self._sheet.freeze_panes(1, 0)
        for at, column in enumerate(self._columns):
            self._sheet.set_column(at, at, _WIDTHS[column.type])
            self._write_text(at, column.name, self._head)
        self._row = 1

    def _write_cell(self, at: int, cell: Cell) -> None:
        if isinstance(cell, list):
            self._write_text(at, text_of_cell(cell))
        elif isinstance(cell, int | float):
            self._sheet.write_number(self._row, at, cell)
        elif isinstance(cell, datetime):
            self._sheet.write_datetime(
                self._row, at, cell.astimezone(UTC).replace(tzinfo=None), self._formats[datetime]
            )
        elif isinstance(cell, date) and cell >= _FIRST_DAY:
            self._sheet.write_datetime(self._row, at, cell, self._formats[date])
        else:
            self._write_text(at, text_of_cell(cell))

    def _write_text(self, at: int, text: str, *style: object) -> None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        clean = clean_for_xml(lines)
        if clean != lines:
            self._notes.count("cells with characters that a sheet does not allow, for which spaces stand")
        if clean and self._sheet.write_string(self._row, at, clean, *style) == _CUT:
            self._notes.count("cells longer than 32,767 characters, which were cut")


@contextmanager
def open_writer(file: BinaryIO, table: RecordTable, _: object, notes: ExportNotes) -> Iterator[WriteRow]:
    """Begin a workbook; each row is a row of a sheet. They are collected in a temporary folder, which is gone afterwards."""
    with TemporaryDirectory(prefix="hiddenweb-") as folder:
        writer = SpreadsheetWriter(file, table, notes, folder)
        try:
            yield writer.write
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
