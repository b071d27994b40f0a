"""Exporting what is stored, with one function.

    export_records("data", "records.csv")
    export_records(store, "books.xlsx", filters=RecordFilter(site="books.example"), columns=["title", "price"])

A file is written beside its place and renamed when it is whole, so a kill leaves the old file or none. Records are read twice, for the columns and for
the rows, and never held: memory does not grow with their number.
"""

from __future__ import annotations

import glob
import os
import sys
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from hiddenweb.exports.formats import USUAL, WARC, ExportError, ExportNotes, find_format
from hiddenweb.reports.records import RecordTable
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE
from hiddenweb.store.stored_pages import StoredPages
from hiddenweb.store.stored_records import EVERY_RECORD, read_at_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hiddenweb.exports.formats import ExportOptions
    from hiddenweb.reports.records import Progress
    from hiddenweb.store.stored_records import RecordFilter

STDOUT = "-"
"""The name of a file that means the standard output."""


PART = ".part-"
"""Behind the name of a file that is being written; the number of the process follows."""

OWN_FILES = frozenset({FILE, f"{FILE}-wal", f"{FILE}-shm", "crawl.lock"})
"""Names of files in a state folder that no export may replace."""


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What an export wrote."""

    path: str
    format: str
    rows: int  # records; of WARC: pages
    columns: int = 0
    notes: Mapping[str, int] = field(default_factory=dict)  # what was changed or left out, and how often


def export_records(
    state: Store | Path | str,
    path: Path | str,
    format: str | None = None,  # noqa: A002 - as in pandas and elsewhere
    filters: RecordFilter = EVERY_RECORD,
    *,
    columns: Sequence[str] = (),
    options: ExportOptions = USUAL,
    on_progress: Progress = lambda *_: None,
) -> ExportSummary:
    """Write the stored records that fit into a file; its ending says the format, unless `format` does. "-" is the standard output.

    `state` is an open store or the folder of one; `on_progress` is called with the work done and all work. Raises ExportError,
    UnknownName, UnknownColumn, StateError and OSError.
    """
    wanted = find_format(Path(path), format)
    if wanted is WARC and columns:
        raise ExportError("warc has pages and no columns: leave out the columns")
    module = wanted.load()  # what is missing is said before anything is read
    check_place(path, state.folder if isinstance(state, Store) else state)
    notes = ExportNotes()
    with ExitStack() as stack:
        store = state if isinstance(state, Store) else stack.enter_context(Store(Path(state), write=False))
        stack.enter_context(read_at_once(store))
        if wanted is WARC:
            pages = StoredPages(store, filters)
            with _open(path) as file:
                module.write_pages(
                    file, pages, is_packed=str(path).lower().endswith(".gz"), on_progress=on_progress
                )
            return ExportSummary(str(path), wanted.name, len(pages))
        table = RecordTable(
            store, filters, names=columns, as_text=options.as_text or wanted.name == "csv", on_progress=on_progress
        )  # fmt: skip
        with _open(path) as file, module.open_writer(file, table, options, notes) as write:
            for row in table.rows():
                write(row)
        return ExportSummary(str(path), wanted.name, len(table), len(table.columns), notes.counts)


def check_place(path: Path | str, state: Path | str) -> None:
    """Raise ExportError if no file can be written there, or if it would replace a part of a state."""
    if str(path) == STDOUT:
        return
    target, folder = Path(path).resolve(), Path(state).resolve()
    if target.name in OWN_FILES or folder / "index" in target.parents:
        raise ExportError(
            f"-o {path}: a file of that name belongs to the state of a crawl, and an export would destroy it; choose another name"
        )
    if target.is_dir():
        raise ExportError(f"-o {path}: is a folder; wanted a file")
    if not target.parent.is_dir():
        raise ExportError(f"-o {path}: there is no folder {target.parent}; make it first")
    if target.exists() and not target.is_file():  # a pipe, a terminal: opening it may wait for a reader
        return
    try:
        with _partial(target).open("wb"):
            pass
        _partial(target).unlink()
    except OSError as error:
        raise ExportError(f"-o {path}: cannot be written: {error.strerror or error}") from None


def _partial(target: Path) -> Path:
    return target.with_name(f"{target.name}{PART}{os.getpid()}")


@contextmanager
def _open(path: Path | str) -> Iterator[BinaryIO]:
    """Open a file that is in its place when all went well, and leaves nothing behind when not."""
    if str(path) == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()  # a link stays a link
    if target.exists() and not target.is_file():  # a pipe, a terminal
        with target.open("wb") as file:
            yield file
        return
    _remove_remains(target)
    partial = _partial(target)
    try:
        with partial.open("w+b") as file:
            with suppress(OSError):  # some network folders know no locks
                flock(file, LOCK_EX | LOCK_NB)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            partial.chmod(target.stat().st_mode & 0o777)
        partial.replace(target)
    finally:
        with suppress(FileNotFoundError):
            partial.unlink()


def _remove_remains(target: Path) -> None:
    """Remove what exports of this file left that were killed: nobody holds its lock any more."""
    for place in target.parent.glob(f"{glob.escape(target.name)}{PART}*"):
        if place.name.rpartition(PART)[2].isdigit():
            with suppress(OSError), place.open("rb") as file:
                flock(file, LOCK_EX | LOCK_NB)
                place.unlink()
