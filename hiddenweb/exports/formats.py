"""The formats of exports: their names, the endings of their files, and where they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hiddenweb.reports.records import RecordRow

    WriteRow = Callable[[RecordRow], object]


class ExportError(ValueError):
    """An export is not possible as it was asked for; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How values are written."""

    bom: bool = False  # CSV: begin with a byte order mark, by which Excel knows UTF-8
    keep_formulas: bool = False  # CSV: leave cells as they are that a spreadsheet would take for formulas
    as_text: bool = False  # all attributes as the pages wrote them, no numbers or dates


USUAL = ExportOptions()


@dataclass(slots=True)
class ExportNotes:
    """What a format could not hold, by what it is: how many cells or columns."""

    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str, times: int = 1) -> None:
        """Count something that was changed or left out."""
        if times:
            self.counts[what] = self.counts.get(what, 0) + times


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: its name, the endings of files that have it, and the module that writes it.

    The module of a table has `open_writer(file, table, options, notes)`: a context with what writes a row, and the file is whole at its end.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    extra: str = ""  # of pyproject.toml, that brings what the module imports
    is_text: bool = False  # may be printed on a terminal

    def load(self) -> Any:
        """Return the module that writes it; raises ExportError if a package is missing."""
        try:
            return import_module(f"hiddenweb.exports.{self.module}")
        except ImportError as error:
            if not self.extra:
                raise
            raise ExportError(
                f"{self.name} needs a package that is not installed ({error.name}): pip install 'hiddenweb[{self.extra}]'"
            ) from error


WARC = ExportFormat("warc", (".warc", ".warc.gz"), "warc_file", extra="warc")
"""The pages themselves: no table."""

FORMATS: Mapping[str, ExportFormat] = {
    each.name: each
    for each in (
        ExportFormat("csv", (".csv",), "csv_file", is_text=True),
        ExportFormat("jsonl", (".jsonl", ".jl", ".ndjson"), "json_file", is_text=True),
        ExportFormat("json", (".json",), "json_list", is_text=True),
        ExportFormat("xlsx", (".xlsx",), "xlsx_file", extra="xlsx"),
        ExportFormat("parquet", (".parquet",), "parquet_file", extra="parquet"),
        ExportFormat("sqlite", (".sqlite", ".sqlite3", ".db"), "sqlite_file"),
        WARC,
    )
}


def find_format(path: Path, name: str | None = None) -> ExportFormat:
    """Return the format with a name, or else that of a file by its ending; raises ExportError.

    >>> from pathlib import Path
    >>> find_format(Path("records.XLSX")).name, find_format(Path("records.txt"), "csv").name
    ('xlsx', 'csv')
    """
    if name is not None:
        if name not in FORMATS:
            raise ExportError(f"{name!r} is no format; there are {', '.join(FORMATS)}")
        return FORMATS[name]
    for each in FORMATS.values():
        if path.name.lower().endswith(each.endings):
            return each
    endings = ", ".join(ending for each in FORMATS.values() for ending in each.endings)
    raise ExportError(f"{path}: the ending says no format; wanted {endings}, or --format {'|'.join(FORMATS)}")
