"""The candidates of a crawl on a topic: waiting sites, and pages that may name some."""

from __future__ import annotations

import json
from dataclasses import fields
from math import inf
from typing import TYPE_CHECKING, cast

from hiddenweb.focused.locating.candidates import CONTEXTS, SiteCandidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.store.database import Store

RESTED = 2
"""The queue of resting candidates; the high and the low queue are 0 and 1 in turn."""

_HIGH = "high queue"
_STORED_FIELDS = tuple(field.name for field in fields(SiteCandidate) if field.name != "key")


class SqliteCandidates:
    """The candidates of a topic, as rows."""

    def __init__(self, store: Store, topic: str) -> None:
        self._store = store
        self._topic = topic
        self._high = int(store.knowledge.get(_HIGH, topic) or 1)
        self._count = cast(
            "int", store.rows("SELECT count(*) FROM candidates WHERE topic = ?", (topic,))[0][0]
        )

    def get(self, key: str) -> SiteCandidate | None:
        rows = self._store.rows(
            "SELECT candidate FROM candidates WHERE topic = ? AND key = ?", (self._topic, key)
        )
        return candidate_from_json(key, cast("str", rows[0][0])) if rows else None

    def put(self, candidate: SiteCandidate, rank: float, *, high: bool) -> bool:
        written = candidate_to_json(candidate)
        queue = RESTED if candidate.rested is not None else self._high if high else 1 - self._high
        rows = self._store.write_returning(
            "UPDATE candidates SET queue = iif(queue = ? AND ? <> ?, queue, ?), rank = ?, candidate = ?"
            " WHERE topic = ? AND key = ? RETURNING queue",
            (self._high, queue, RESTED, queue, rank, written, self._topic, candidate.key),
        )
        if rows:
            return rows[0][0] == self._high
        self._count += 1
        self._store.write(
            "INSERT INTO candidates (topic, key, queue, rank, candidate) VALUES (?, ?, ?, ?, ?)",
            (self._topic, candidate.key, queue, rank, written),
        )
        return queue == self._high

    def rank(self, ranks: Sequence[tuple[str, float]]) -> None:
        self._store.write_many(
            "UPDATE candidates SET rank = ? WHERE topic = ? AND key = ?",
            ((rank, self._topic, key) for key, rank in ranks),
        )

    def best(self, limit: int) -> list[tuple[SiteCandidate, float]]:
        return self.list_after((inf, ""), limit)

    def best_rested(self) -> tuple[SiteCandidate, float] | None:
        rows = self._store.rows(
            "SELECT key, candidate, rank FROM candidates WHERE topic = ? AND queue = ? ORDER BY rank DESC, key LIMIT 1",
            (self._topic, RESTED),
        )
        for key, written, rank in cast("list[tuple[str, str, float]]", rows):
            return candidate_from_json(key, written), rank
        return None

    def list_after(self, place: tuple[float, str], limit: int) -> list[tuple[SiteCandidate, float]]:
        rank, after = place
        rows = self._store.rows(
            "SELECT key, candidate, rank FROM candidates WHERE topic = ? AND queue = ? AND rank <= ?"
            " AND (rank < ? OR key > ?) ORDER BY rank DESC, key LIMIT ?",
            (self._topic, self._high, rank, rank, after, limit),
        )
        return [
            (candidate_from_json(key, written), rank)
            for key, written, rank in cast("list[tuple[str, str, float]]", rows)
        ]

    def name_of(self, queue: int) -> str:
        """Return what a queue is at present: high, low, or rested."""
        return "rested" if queue == RESTED else "high" if queue == self._high else "low"

    def remove(self, key: str) -> None:
        self._count -= self._store.write(
            "DELETE FROM candidates WHERE topic = ? AND key = ?", (self._topic, key)
        )

    def raise_low(self) -> bool:
        self._high = 1 - self._high
        self._store.knowledge.put(_HIGH, self._topic, str(self._high))
        return bool(self.best(1))

    def count(self) -> int:
        return self._count

    def clear(self) -> None:
        """Remove all candidates."""
        self._store.write("DELETE FROM candidates WHERE topic = ?", (self._topic,))
        self._count = 0


def candidate_to_json(candidate: SiteCandidate) -> str:
    """Return all of a candidate but its key."""
    values = {name: getattr(candidate, name) for name in _STORED_FIELDS}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def candidate_from_json(key: str, text: str) -> SiteCandidate:
    """Return the candidate that `candidate_to_json` wrote."""
    values = json.loads(text)
    values["bags"] = {context: values["bags"].get(context, {}) for context in CONTEXTS}
    return SiteCandidate(key=key, **values)
