"""A cache of the rows that were read last.

Only the one process that writes a store has it: for readers beside a running crawl a row may change at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.store.sqlite_file import SqliteFile

MOST_ROWS = 256
"""Rows of one table: a few for each host that is crawled at once; a limit of taste."""

Row = TypeVar("Row")


class RecentRows(Generic[Row]):
    """The rows of a table that were read last, by number."""

    def __init__(self, file: SqliteFile, most: int = MOST_ROWS) -> None:
        self._most = most if file.is_writer else 0
        self._rows: dict[int, Row] = {}
        file.recent_rows.append(self)

    def find(self, number: int) -> Row | None:
        """Return a row, if it is cached."""
        return self._rows.get(number)

    def add(self, number: int, row: Row) -> None:
        """Cache a row that was read; the oldest is dropped."""
        if self._most and number not in self._rows:
            while len(self._rows) >= self._most:
                del self._rows[next(iter(self._rows))]
            self._rows[number] = row

    def change(self, number: int, changed: Callable[[Row], Row]) -> None:
        """Change a cached row as the stored one was changed."""
        if number in self._rows:
            self._rows[number] = changed(self._rows[number])

    def forget(self, number: int) -> None:
        """Drop a row, so that it is read again."""
        self._rows.pop(number, None)

    def clear(self) -> None:
        """Drop all rows."""
        self._rows.clear()
