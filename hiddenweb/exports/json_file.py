"""Records as JSON Lines: an object for each, with the columns that it fills."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenweb.exports.cells import plain_value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from hiddenweb.exports.formats import WriteRow
    from hiddenweb.reports.records import Cell, RecordRow, RecordTable


@contextmanager
def open_writer(file: BinaryIO, table: RecordTable, *_: object) -> Iterator[WriteRow]:
    """Begin a file; each row is a line."""
    names = [column.name for column in table.columns]
    yield lambda row: file.write(json_of_row(names, row) + b"\n")


def json_of_row(names: list[str], row: RecordRow) -> bytes:
    """Return a row as a JSON object; what it does not fill is left out."""
    facts = {
        name: _value(cell) for name, cell in zip(names, row.cells, strict=True) if cell not in (None, "")
    }
    return json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace")


def _value(cell: Cell) -> object:
    if cell is None:
        return None
    return [plain_value(each) for each in cell] if isinstance(cell, list) else plain_value(cell)
