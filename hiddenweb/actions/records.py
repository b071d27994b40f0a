"""Listing and exporting the records of a state."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import INTERRUPTED, NO_STATE, Action
from hiddenweb.actions.terminal import say, say_error, say_lines
from hiddenweb.actions.times import time_of
from hiddenweb.exports.export import STDOUT, export_records
from hiddenweb.exports.formats import WARC, ExportError, ExportOptions, find_format
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.reports.records import RecordTable, UnknownColumn
from hiddenweb.reports.records_text import describe_columns, lines_of_table
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.store.stored_records import RecordFilter, StoredRecords, UnknownName, read_at_once
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from hiddenweb.exports.export import ExportSummary

NOT_KNOWN = 1
"""The exit code for a site, form or extractor that is not in the state."""

DEFAULT_LIMIT = 20
"""Records that are listed by default. A limit of taste."""

_LINES_EVERY, _UPDATES_EVERY = 10.0, 0.2
"""Seconds between two lines of progress in a file, and between two updates on a terminal. A choice of taste."""


class RecordsAction(Action):
    """Prints a table of records, or writes them into a file."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(f"{clean_text(args[0])!r}: records takes options only", print_help=False)
        folder, wanted, columns = (
            Path(self.settings["HIDDENWEB_STATE"]),
            _filter(opts),
            _columns(opts.columns),
        )
        _check_options(opts)
        try:
            if opts.output is None and opts.format is None:
                self._list(folder, wanted, columns, opts)
            else:
                self._export(folder, wanted, columns, opts)
        except (ExportError, UnknownColumn) as error:
            raise UsageError(clean_text(str(error), 2_000), print_help=False) from None
        except UnknownName as error:
            self._fail(NOT_KNOWN, error)
        except StateError as error:
            self._fail(NO_STATE, error)
        except KeyboardInterrupt:
            self._fail(INTERRUPTED, "stopped; nothing was written")

    def _list(self, folder: Path, wanted: RecordFilter, columns: list[str], opts: argparse.Namespace) -> None:
        shown = wanted if opts.describe else replace(wanted, limit=wanted.limit or DEFAULT_LIMIT)
        with Store(folder, write=False) as store, read_at_once(store):
            table = RecordTable(store, shown, names=columns, as_text=opts.text)
            if opts.describe:
                say_lines(describe_columns(table.columns, len(table)))
                return
            lines = list(
                lines_of_table(
                    table.columns,
                    list(table.rows()),
                    shutil.get_terminal_size().columns,
                    are_chosen=bool(columns),
                )
            )
            every = len(StoredRecords(store, replace(wanted, limit=None)))
        if not every:
            say("No record is stored that fits." if wanted != RecordFilter() else "No record is stored yet.")
            return
        say_lines(lines)
        if every > len(table):
            say(f"{len(table):,} of {quantity(every, 'record')}: --limit shows more, -o FILE exports all.")
        else:
            say(f"{quantity(every, 'record')}.")

    def _export(
        self, folder: Path, wanted: RecordFilter, columns: list[str], opts: argparse.Namespace
    ) -> None:
        path = opts.output or STDOUT
        format_ = find_format(Path(path), opts.format)
        if path == STDOUT and not format_.is_text and sys.stdout.isatty():
            raise ExportError(f"{format_.name} is no text: -o FILE writes it into a file")
        progress = _Progress("pages" if format_ is WARC else "records")
        try:
            done = export_records(
                folder,
                path,
                format_.name,
                wanted,
                columns=columns,
                options=ExportOptions(bom=opts.bom, keep_formulas=opts.keep_formulas, as_text=opts.text),
                on_progress=progress.note,
            )
        except BrokenPipeError:  # the reader has seen enough: scrapy records --format csv | head
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        except OSError as error:
            raise ExportError(f"-o {path}: cannot be written: {error.strerror or error}") from None
        finally:
            progress.end()
        _report(done, sys.stderr.write if path == STDOUT else sys.stdout.write)

    def _fail(self, code: int, error: object) -> None:
        say_error("records", error)
        self.exit_code = code


class _Progress:
    """Says on the error channel how far a long export has come."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + (_UPDATES_EVERY if self._is_terminal else _LINES_EVERY)
        self._is_shown = False

    def note(self, done: int, every: int) -> None:
        """Take note of the work that is done, of all work."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (_UPDATES_EVERY if self._is_terminal else _LINES_EVERY)
        self._is_shown = True
        text = f"Exporting {self._what}: {100 * done // every} %"
        sys.stderr.write(f"\r{text}" if self._is_terminal else f"{text}\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Clear the line of a terminal."""
        if self._is_shown and self._is_terminal:
            sys.stderr.write("\r\x1b[K")


def _report(done: ExportSummary, write: Callable[[str], object]) -> None:
    """Say what was written, and what a format could not hold."""
    what = quantity(done.rows, "page" if done.format == WARC.name else "record")
    columns = f" in {quantity(done.columns, 'column')}" if done.columns else ""
    target = "" if done.path == STDOUT else f" to {clean_text(done.path)}"
    write(f"{what}{columns} written{target}.\n")
    for note, count in done.notes.items():
        write(f"{note[0].upper()}{note[1:]}: {count:,}.\n")


# Arguments


def _filter(opts: argparse.Namespace) -> RecordFilter:
    if opts.limit is not None and opts.limit < 1:
        raise UsageError(f"--limit: {opts.limit} cannot be used; wanted 1 or more", print_help=False)
    now = datetime.now(UTC)
    return RecordFilter(
        _site(opts.site),
        opts.form,
        opts.extractor,
        _time(opts.since, "--since", now),
        _time(opts.until, "--until", now),
        _time(opts.changed_since, "--changed-since", now),
        opts.limit,
    )


def _site(argument: str) -> str:
    """Return the site of a name or an address; every host belongs to the site of its registered domain."""
    if not argument:
        return ""
    name = registered_domain(argument if "://" in argument else f"http://{argument.strip().strip('/')}/")
    if not name or any(map(str.isspace, name)):
        raise UsageError(f"--site: {clean_text(argument)!r} is no site such as example.org", print_help=False)
    return name


def _time(argument: str | None, option: str, now: datetime) -> float | None:
    if argument is None:
        return None
    try:
        return time_of(argument, now).timestamp()
    except (ValueError, OverflowError):
        wanted = "a date such as 2026-11-01, or an age such as 12h, 7d or 2w"
        raise UsageError(f"{option} {clean_text(argument)!r} is not {wanted}", print_help=False) from None


def _columns(argument: str | None) -> list[str]:
    if argument is None:
        return []
    names = [name.strip() for name in argument.split(",")]
    if not all(names):
        raise UsageError(
            "--columns: wanted names with commas between them, such as title,author", print_help=False
        )
    return names


def _check_options(opts: argparse.Namespace) -> None:
    """Refuse options that would change nothing."""
    is_export = opts.output is not None or opts.format is not None
    if opts.describe and is_export:
        raise UsageError("--describe exports nothing: leave out -o and --format", print_help=False)
    if opts.output is not None and not opts.output.strip():
        raise UsageError("-o: an empty name is no file", print_help=False)
    for name, option in (("bom", "--bom"), ("keep_formulas", "--keep-formulas")):
        if getattr(opts, name) and not (is_export and _is_csv(opts)):
            raise UsageError(f"{option} belongs to CSV: -o FILE.csv, or --format csv", print_help=False)


def _is_csv(opts: argparse.Namespace) -> bool:
    return bool(opts.format == "csv" or (opts.format is None and str(opts.output).lower().endswith(".csv")))
