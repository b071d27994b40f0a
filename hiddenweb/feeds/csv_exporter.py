"""Records as CSV, with a column for each attribute.

Which attributes there are is known when the last record has come. So records wait in a temporary file, and the lines are written when the feed, or its batch, ends:
first the columns that every record has, between them the attributes that most records have first. If fields are named, these are the columns, and lines are written
at once. A file that is appended to keeps its first line, and with it its columns; what has none is left out, and a warning names it.

Cells that a spreadsheet would take for formulas get an apostrophe, as in `hiddenweb.exports.csv_file`.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import logging
import lzma
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scrapy.exporters import CsvItemExporter

from hiddenweb.exports.cells import defuse
from hiddenweb.records.attribute_names import fold_name
from hiddenweb.reports.records import ColumnUse, free_name
from hiddenweb.signals import ATTRIBUTES, RECORD_COLUMNS, TYPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from io import BytesIO
    from typing import IO

logger = logging.getLogger(__name__)

_BEFORE, _BEHIND = RECORD_COLUMNS[:3], RECORD_COLUMNS[3:]
_FOLDED = frozenset(map(fold_name, RECORD_COLUMNS))

_LONGEST_HEAD = 1_000_000  # bytes of a first line; a limit of taste
_MOST_NAMED = 5  # columns in a warning; a limit of taste


class RecordCsvExporter(CsvItemExporter):
    """Writes a line for each record, below real columns."""

    def __init__(
        self,
        file: BytesIO,
        include_headers_line: bool = True,
        join_multivalued: str = "; ",
        *,
        fields_to_export: Mapping[str, str] | Iterable[str] | None = None,
        keep_formulas: bool = False,
        **options: Any,
    ) -> None:
        head = _head_of(file)
        super().__init__(
            file,
            include_headers_line and not head,
            join_multivalued,
            fields_to_export=fields_to_export,
            **options,
        )
        self._keep_formulas = keep_formulas
        self._head = head
        self._left_out: dict[str, None] = {}
        self._waiting = None if fields_to_export else tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end
        self._uses: dict[str, ColumnUse] = {}

    def export_item(self, item: dict[str, Any]) -> None:
        if self._waiting is None:
            further = {name: value for name, value in item.items() if name not in RECORD_COLUMNS}
            super().export_item(item | {ATTRIBUTES: _to_json(further) if further else ""})
            return
        for name in item.keys() - {*RECORD_COLUMNS, TYPED}:
            self._uses.setdefault(_key(name), ColumnUse()).spellings[name] += 1
        self._waiting.write(_to_json(item).encode("utf-8", "replace") + b"\n")

    def finish_exporting(self) -> None:
        if self._waiting is not None:
            columns = self._choose_columns()
            self._waiting.seek(0)
            for line in self._waiting:
                super().export_item(self._by_columns(json.loads(line), columns))
            if self._headers_not_written and self.include_headers_line:
                self._write_headers_and_set_fields_to_export({})  # a feed without records
            self._waiting.close()
        if self._left_out:
            names = list(self._left_out)
            logger.warning(
                "CSV: the first line of the file that is appended to has no column for %d attributes, which were left out: %s%s;"
                " -O writes the file anew, scrapy records -o FILE.csv exports all",
                len(names), ", ".join(names[:_MOST_NAMED]), " ..." if len(names) > _MOST_NAMED else "",
            )  # fmt: skip
        super().finish_exporting()

    def _choose_columns(self) -> dict[str, str]:
        """Choose the columns of this file; return those of attributes by their folded names."""
        if self._head:
            self.fields_to_export = self._head
            return {_key(name): name for name in self._head if name not in RECORD_COLUMNS}
        used = set(RECORD_COLUMNS)
        attributes = sorted(self._uses.items(), key=lambda each: each[1].order)
        columns = {key: free_name(use.name, used) for key, use in attributes}
        self.fields_to_export = [*_BEFORE, *columns.values(), *_BEHIND]
        return columns

    def _by_columns(self, item: dict[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
        """Return a row by the names of columns; what has none is in the column of all attributes, if there is that."""
        row = {name: item[name] for name in RECORD_COLUMNS if name in item}
        further: dict[str, Any] = {}
        for name in item.keys() - {*RECORD_COLUMNS, TYPED}:
            column = columns.get(_key(name))
            (further if column is None else row)[column or name] = item[name]
        if ATTRIBUTES in columns.values():
            row[ATTRIBUTES] = _to_json(further) if further else ""
        else:
            self._left_out |= dict.fromkeys(sorted(further))
        return row

    def _build_row(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in super()._build_row(values):
            yield defuse(value) if isinstance(value, str) and not self._keep_formulas else value


def _key(name: str) -> str:
    """Return what is the same for names that are one column; no attribute is one with a column that every record has."""
    folded = fold_name(name)
    return f"{folded} " if folded in _FOLDED else folded


def _head_of(file: Any) -> list[str]:
    """Return the first line of a file on disk that is appended to; empty if it has none yet."""
    on_disk = getattr(file, "file", file)
    if getattr(on_disk, "mode", "") != "ab" or not os.fstat(on_disk.fileno()).st_size:
        return []
    with _open_packed(Path(on_disk.name)) as earlier:
        text = io.StringIO(earlier.read(_LONGEST_HEAD).decode("utf-8-sig", "replace"), newline="")
    return next(csv.reader(text), [])


def _open_packed(path: Path) -> IO[bytes]:
    """Open a file that one of Scrapy's plugins may have packed."""
    with path.open("rb") as file:
        begin = file.read(2)
    if begin == b"\x1f\x8b":
        return cast("IO[bytes]", gzip.open(path))
    if begin == b"BZ":
        return cast("IO[bytes]", bz2.open(path))
    return cast("IO[bytes]", lzma.open(path)) if begin == b"\xfd7" else path.open("rb")


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
