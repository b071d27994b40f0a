"""The file of a store: its lock, its connection and its transactions.

**It is fast** because many pages share one transaction (`commit` is called a few times a second), and because rows are only appended.

**One writer.** A lock file belongs to the crawl; the indexing process and all commands read only. WAL lets them.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from hiddenweb.store.errors import ForeignState, NoState, StateError, StateInUse
from hiddenweb.store.migration import (
    APPLICATION_ID,
    check_ours,
    create,
    last_version,
    load_migrations,
    migrate,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from hiddenweb.store.recent_rows import RecentRows

FILE = "state.sqlite"

LOCK = "crawl.lock"

CACHE_KIB = 16_000
"""KiB of the file that SQLite keeps in memory; the rest is in the cache of the system. With 64,000 a crawl grew by 14 MB for every 100,000 links until
it was full; with 16,000 putting 1.5 million links into the frontier costs a tenth more CPU."""

LONGEST_REASON = 500
"""Letters of a reason that are stored: servers may say anything. A limit of taste."""


class SqliteFile:
    """An open file. `write=False` opens it for reading beside a running crawl."""

    def __init__(self, folder: Path, *, write: bool = True) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._lock = _take_lock(folder) if write else None
        try:
            self.db = connect(self.path, write=write)
        except BaseException:
            self._unlock()
            raise
        self.recent_rows: list[RecentRows[Any]] = []
        self.before_commit: list[
            Callable[[], None]
        ] = []  # parts that write what they learnt with each commit

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_writer(self) -> bool:
        """Whether this is the one process that writes the file."""
        return self._lock is not None

    def commit(self) -> None:
        """Commit all changes since the last commit, with those that other parts hold back until then."""
        for write in self.before_commit:
            write()
        if self.db.in_transaction:
            try:
                self.db.execute("COMMIT")
            except sqlite3.Error as error:
                raise StateError(f"{self.path}: cannot be written: {error}") from error

    def close(self) -> None:
        """Commit and close the file."""
        self.commit()
        self.db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def begin(self) -> sqlite3.Connection:
        if not self.db.in_transaction:
            self.db.execute("BEGIN IMMEDIATE")
        return self.db

    def write_durably(self, sql: str, values: Sequence[object]) -> None:
        """Write so that not even a power cut loses it."""
        self.commit()
        self.db.execute("PRAGMA synchronous = FULL")
        self.begin().execute(sql, values)
        self.commit()
        self.db.execute("PRAGMA synchronous = NORMAL")

    def write(self, sql: str, values: Sequence[object] = ()) -> int:
        """Execute SQL that writes; return how many rows it changed."""
        return self.begin().execute(sql, values).rowcount

    def write_returning(self, sql: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        """Write with SQL that returns the rows it changed."""
        return self.begin().execute(sql, values).fetchall()

    def write_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Write many rows with one statement."""
        self.begin().executemany(sql, rows)

    def rows(
        self, sql: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> list[tuple[object, ...]]:
        """Return what a query finds; for status, benchmarks and tests."""
        return self.db.execute(sql, values).fetchall()


def _take_lock(folder: Path) -> int:
    """Take the lock of a state, making the folder; the lock ends with the process, however that ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StateError(f"{folder}: cannot be used for the state: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(handle, 100, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise StateInUse(
            f"{folder}: another crawl (process {owner}) is using this state; wait for it, or choose another folder"
            " with -s HIDDENWEB_STATE=FOLDER"
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open the file of a store, which is made if it may be written and is not there, and brought up to date."""
    if not write and not path.exists():
        raise NoState(f"{path}: there is no state yet; a crawl makes it: scrapy crawl explore -a sites=URL")
    if not write:
        _bring_up_to_date(path)
    new = not path.exists()
    try:
        if new:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        mode = "rw" if write else "ro"
        db = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=30
        )
    except (OSError, sqlite3.OperationalError) as error:
        raise StateError(f"{path}: cannot be opened: {error}") from error
    try:
        _prepare(db, path, new=new or path.stat().st_size == 0, write=write)
    except sqlite3.DatabaseError as error:
        db.close()
        raise ForeignState(f"{path}: is not a readable SQLite file: {error}") from error
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, path: Path, *, new: bool, write: bool) -> None:
    if write:
        if new:
            db.execute("PRAGMA page_size = 8192")
        else:
            check_ours(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 4000")
        db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if new:
            create(db)
        else:
            migrate(db, path, load_migrations())
    else:
        check_ours(db, path)
    db.execute("PRAGMA trusted_schema = OFF")


def _bring_up_to_date(path: Path) -> None:
    """Bring a state that an earlier version wrote up to date, so that readers find its tables as they expect them."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    except sqlite3.Error:
        return  # opening it will say what is wrong
    if ours and version < last_version():
        SqliteFile(path.parent).close()
