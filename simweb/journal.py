"""What happened: every request served and every effect caused, on disk, with time.

Requests are written in batches; whoever asks sees all of them, for a question flushes first.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BATCH = 2000
_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE requests (
    number INTEGER PRIMARY KEY, time REAL, clock REAL, host TEXT, method TEXT, target TEXT, body TEXT,
    status INTEGER, kind TEXT, bytes INTEGER, agent TEXT, fault TEXT
);
CREATE TABLE effects (
    number INTEGER PRIMARY KEY, clock REAL, host TEXT, form TEXT, purpose TEXT, method TEXT, parameters TEXT
);
"""


@dataclass(frozen=True, slots=True)
class Served:
    """One request that was served. `time` is a monotonic clock in seconds, `clock` the world's.

    The kind is that of the page, or what became of the request: "stranger" for a host that is not there, "refused" for
    what is no request, "crash" where simweb itself failed.
    """

    time: float
    clock: float
    host: str
    method: str
    target: str
    body: str
    status: int
    kind: str
    bytes: int
    agent: str
    fault: str


@dataclass(frozen=True, slots=True)
class Effect:
    """One submission of a form that should have been left alone."""

    clock: float
    host: str
    form: str
    purpose: str
    method: str
    parameters: tuple[tuple[str, str], ...]


class Journal:
    """The record of what was asked of the world."""

    def __init__(self, path: Path) -> None:
        self._rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._rows.executescript(_SCHEMA)
        self._waiting: list[tuple[object, ...]] = []
        self._counts: dict[str, int] = {}

    def next_count(self, host: str) -> int:
        """Return how many requests a host had before this one."""
        count = self._counts.get(host, 0)
        self._counts[host] = count + 1
        return count

    def add(self, row: tuple[object, ...]) -> None:
        """Take note of a request; the row has the fields of `Served` in their order."""
        self._waiting.append(row)
        if len(self._waiting) >= _BATCH:
            self._flush()

    def effect(self, effect: Effect) -> None:
        """Take note of an effect."""
        parameters = json.dumps(effect.parameters, ensure_ascii=False)
        row = (effect.clock, effect.host, effect.form, effect.purpose, effect.method, parameters)
        self._rows.execute(
            "INSERT INTO effects (clock, host, form, purpose, method, parameters) VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )

    def requests(
        self, host: str | None = None, since: int = 0, most: int = -1
    ) -> Iterator[tuple[int, Served]]:
        """Yield the requests served, oldest first, each with its number."""
        self._flush()
        where = "number > ?" + (" AND host = ?" if host else "")
        arguments = (since, host, most) if host else (since, most)
        for number, *row in self._rows.execute(
            f"SELECT * FROM requests WHERE {where} ORDER BY number LIMIT ?", arguments
        ):
            yield number, Served(*row)

    def counts(self) -> dict[str, int]:
        """Return how many requests each host has served; strangers serve none."""
        self._flush()
        return dict(
            self._rows.execute(
                "SELECT host, count(*) FROM requests WHERE kind NOT IN ('stranger', 'refused')"
                " GROUP BY host ORDER BY host"
            )
        )

    def effects(self) -> list[Effect]:
        """Return all effects, oldest first."""
        rows = self._rows.execute(
            "SELECT clock, host, form, purpose, method, parameters FROM effects ORDER BY number"
        )
        return [
            Effect(
                clock, host, form, purpose, method, tuple((name, value) for name, value in json.loads(sent))
            )
            for clock, host, form, purpose, method, sent in rows
        ]

    def clear(self) -> None:
        """Forget everything, for a fresh start of a measurement."""
        self._waiting.clear()
        self._counts.clear()
        self._rows.executescript("DELETE FROM requests; DELETE FROM effects;")

    def close(self) -> None:
        """Write what waits and close the file."""
        self._flush()
        self._rows.close()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._rows.execute("BEGIN")
            self._rows.executemany(
                "INSERT INTO requests (time, clock, host, method, target, body, status, kind, bytes, agent, fault)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                waiting,
            )
            self._rows.execute("COMMIT")
