"""Records as a SQLite database, ready for Datasette.

Each source, an extractor or a form, has a table with the columns that its records fill; the primary key is the `id` that a record has in every
export. Each table has a full-text index of its own (FTS5), which Datasette finds by itself. The table `sources` names them all, and the view `records`
has the columns that all records have. Several values of a cell are a JSON array, which Datasette can facet; days and times are ISO 8601.

A table of SQLite has 2,000 columns at most: what a source has beyond is one column with a JSON object.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hiddenweb.exports.cells import plain_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from hiddenweb.exports.formats import ExportNotes, WriteRow
    from hiddenweb.reports.records import Cell, RecordRow, RecordTable

MOST_COLUMNS = 1_900
"""Of a table, with some room below SQLite's own limit of 2,000."""

_MOST_SELECTS = 400
"""Of one compound SELECT: SQLite allows 500."""

_BATCH = 500  # rows of one table that are written at once; a limit of taste
_LONGEST_NAME = 100  # characters of the name of a table; a limit of taste
_FURTHER = "further_attributes"
_OTHER_MEANING = frozenset(("rowid", "oid", "_rowid_", "rank", _FURTHER))
"""Names that mean something else to SQLite, to its full-text index, or here."""

_INDEX_ENDINGS = ("_fts", "_fts_config", "_fts_content", "_fts_data", "_fts_docsize", "_fts_idx")
"""Of the tables of a full-text index."""

_TYPES = {"text": "TEXT", "integer": "INTEGER", "number": "REAL", "date": "TEXT", "time": "TEXT"}


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the database, and its place in the rows; the identity of a record has none."""

    place: int | None
    name: str
    type: str = "TEXT"
    is_list: bool = False
    attribute: str = ""
    is_searched: bool = False


@dataclass(slots=True)
class _SourceTable:
    """The table of a source, and the rows that wait to be written."""

    name: str
    columns: list[_Column]
    further: list[_Column]  # for which there is no room
    insert: str
    waiting: list[list[object]] = field(default_factory=list)
    count: int = 0


class RecordDatabase:
    """A database that is filled row by row."""

    def __init__(self, db: sqlite3.Connection, table: RecordTable, notes: ExportNotes) -> None:
        self._db = db
        self._notes = notes
        self._columns = list(_name_columns(table))
        used = {"sources"}
        self._tables = {
            source: self._create_table(_table_name(source, used), table.sources[source])
            for source in sorted(table.sources)
        }

    def write(self, row: RecordRow) -> None:
        """Take a row, and write those of its source when there are enough."""
        table = self._tables[row.source]
        values = [
            row.id if each.place is None else _value(row.cells[each.place], each) for each in table.columns
        ]
        if table.further:
            cells = {each.name: row.cells[each.place] for each in table.further if each.place is not None}
            values.append(_json({name: _plain(cell) for name, cell in cells.items() if cell is not None}))
        table.waiting.append(values)
        table.count += 1
        if len(table.waiting) == _BATCH:
            self._flush(table)

    def finish(self) -> None:
        """Write what waits, index everything, and describe the sources."""
        for table in self._tables.values():
            self._flush(table)
            self._index(table)
        self._db.execute(
            "CREATE TABLE sources (source TEXT PRIMARY KEY, table_name TEXT NOT NULL, records INTEGER NOT NULL)"
        )
        self._db.executemany(
            "INSERT INTO sources VALUES (?, ?, ?)",
            [(source, table.name, table.count) for source, table in self._tables.items()],
        )
        self._create_view()

    def _create_table(self, name: str, attributes: Iterable[str]) -> _SourceTable:
        filled = frozenset(attributes)
        common = [each for each in self._columns if not each.attribute]
        own = [each for each in self._columns if each.attribute in filled]
        further = own[MOST_COLUMNS - len(common) :]
        left_out = frozenset(each.name for each in further)
        kept = [
            each
            for each in self._columns
            if (not each.attribute or each.attribute in filled) and each.name not in left_out
        ]
        named = [f"{_quote(each.name)} {each.type}" for each in kept]
        named[0] += " PRIMARY KEY"
        if further:
            named.append(f"{_FURTHER} TEXT")
            self._notes.count(f"columns in {_FURTHER}, beyond the {MOST_COLUMNS:,} of a table", len(further))
        self._db.execute(f"CREATE TABLE {_quote(name)} ({', '.join(named)})")
        marks = ", ".join("?" * len(named))
        return _SourceTable(name, kept, further, f"INSERT INTO {_quote(name)} VALUES ({marks})")

    def _flush(self, table: _SourceTable) -> None:
        self._db.executemany(table.insert, table.waiting)
        table.waiting.clear()

    def _index(self, table: _SourceTable) -> None:
        index = f"{table.name}_fts"
        searched = [
            _quote(each.name) for each in table.columns if each.is_searched and each.name.lower() != index
        ]
        if table.further:
            searched.append(_FURTHER)
        if searched:
            self._db.execute(
                f"CREATE VIRTUAL TABLE {_quote(index)} USING fts5({', '.join(searched)}, content={_quote(table.name)},"
                " tokenize='unicode61 remove_diacritics 2')"
            )
            self._db.execute(f"INSERT INTO {_quote(index)} ({_quote(index)}) VALUES ('rebuild')")

    def _create_view(self) -> None:
        """Create the view of all records; of very many sources it is a view of views."""
        common = [_quote(each.name) for each in self._columns if not each.attribute]
        selects = [
            f"SELECT {_literal(source)} AS source, {', '.join(common)} FROM {_quote(table.name)}"
            for source, table in self._tables.items()
        ] or [f"SELECT {', '.join(f'NULL AS {name}' for name in ('source', *common))} WHERE 0"]
        number = 0
        while len(selects) > _MOST_SELECTS:
            parts = [selects[at : at + _MOST_SELECTS] for at in range(0, len(selects), _MOST_SELECTS)]
            selects = []
            for part in parts:
                number += 1
                self._db.execute(f"CREATE VIEW records_{number} AS {' UNION ALL '.join(part)}")
                selects.append(f"SELECT * FROM records_{number}")
        self._db.execute(f"CREATE VIEW records AS {' UNION ALL '.join(selects)}")


@contextmanager
def open_writer(file: BinaryIO, table: RecordTable, _: object, notes: ExportNotes) -> Iterator[WriteRow]:
    """Begin a database; it is made in a folder for temporary files, and copied when it is whole."""
    with TemporaryDirectory(prefix="hiddenweb-") as folder:
        path = Path(folder) / "records.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # what was not finished is thrown away
            db.execute("PRAGMA synchronous = OFF")
            db.execute("BEGIN")
            database = RecordDatabase(db, table, notes)

            def write(row: RecordRow) -> None:
                with _reporting(folder):
                    database.write(row)

            yield write
            with _reporting(folder):
                database.finish()
                db.execute("COMMIT")
        with path.open("rb") as made:
            shutil.copyfileobj(made, file)


@contextmanager
def _reporting(folder: str) -> Iterator[None]:
    """Raise what the disk refuses as OSError, with the folder that is too small: TMPDIR may name another."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(f"{error}, in the temporary folder {folder} (TMPDIR may name another)") from error


def _name_columns(table: RecordTable) -> Iterator[_Column]:
    """Yield the columns of all tables: first the identity, then the others under names that SQLite takes."""
    yield _Column(None, "id")
    used = {"id", *_OTHER_MEANING}
    for place, each in enumerate(table.columns):
        if each.name == "id":
            continue
        name = each.name.replace("\0", " ")
        while name.lower() in used:
            name += "_"
        used.add(name.lower())
        is_searched = each.type == "text" and not each.part and (bool(each.attribute) or each.name == "title")
        type_ = "TEXT" if each.is_list else _TYPES[each.type]
        yield _Column(place, name, type_, each.is_list, each.attribute, is_searched)


def _table_name(source: str, used: set[str]) -> str:
    """Return a name for the table of a source that needs no quotes; it is used from then on.

    >>> _table_name("books.example form 3", set()), _table_name("1 & 2", set()), _table_name("books", {"books"})
    ('books_example_form_3', 't_1_2', 'books_2')
    """
    name = re.sub(r"\W+", "_", source.lower()).strip("_")[:_LONGEST_NAME] or "source"
    if name[0].isdigit() or name.startswith(("records", "sqlite")):
        name = f"t_{name}"
    first, number = name, 1
    while used & {name, *(name + ending for ending in _INDEX_ENDINGS)}:
        number += 1
        name = f"{first}_{number}"
    used |= {name, *(name + ending for ending in _INDEX_ENDINGS)}
    return name


def _value(cell: Cell, column: _Column) -> object:
    if cell is None:
        return None
    return _json(_plain(cell)) if column.is_list else _plain(cell)


def _plain(cell: Cell) -> object:
    if isinstance(cell, list):
        return [_plain(each) for each in cell]
    if isinstance(cell, str):
        return cell.encode("utf-8", "replace").decode()
    return None if cell is None else plain_value(cell)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(value: str) -> str:
    return "'" + value.replace("'", "''").replace("\0", "") + "'"
