"""Records as Parquet: columns with types, several values of a record as a list; in row groups, so memory does not grow with the rows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import parquet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from hiddenweb.exports.formats import WriteRow
    from hiddenweb.reports.records import Cell, RecordRow, RecordTable, TableColumn

_MOST_ROWS = 20_000  # of a row group; a limit of taste
_MOST_CELLS = 500_000
"""Cells that are in memory at once: some 50 MB. So a table with thousands of columns has smaller row groups."""

_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "date": pa.date32(),
    "time": pa.timestamp("s", tz="UTC"),
}


class ParquetTableWriter:
    """Collects rows, and writes them as a row group when there are enough."""

    def __init__(self, file: BinaryIO, table: RecordTable) -> None:
        self._schema = pa.schema([(column.name, _type_of(column)) for column in table.columns])
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._columns: list[list[Cell]] = [[] for _ in table.columns]
        self._rows = 0
        self._enough = max(1, min(_MOST_ROWS, _MOST_CELLS // max(1, len(table.columns))))

    def write(self, row: RecordRow) -> None:
        for column, cell in zip(self._columns, row.cells, strict=True):
            column.append(cell)
        self._rows += 1
        if self._rows == self._enough:
            self._write_group()

    def finish(self) -> None:
        if self._rows:
            self._write_group()
        self._writer.close()

    def abandon(self) -> None:
        """Write nothing more, and no end: half a table shall not look like a whole one."""
        self._writer.is_open = (
            False  # else pyarrow closes it when it is collected, in a file that is closed by then
        )

    def _write_group(self) -> None:
        arrays = [
            pa.array(column, each.type) for column, each in zip(self._columns, self._schema, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows = 0
        for column in self._columns:
            column.clear()


@contextmanager
def open_writer(file: BinaryIO, table: RecordTable, *_: object) -> Iterator[WriteRow]:
    """Begin a file; rows are written in groups."""
    writer = ParquetTableWriter(file, table)
    try:
        yield writer.write
        writer.finish()
    except BaseException:
        writer.abandon()
        raise


def _type_of(column: TableColumn) -> pa.DataType:
    found = _TYPES[column.type]
    return pa.list_(found) if column.is_list else found
