"""Which site links to which, by all pages read for a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.store.database import Store


class SqliteLinkIndex:
    """Which site links to which, as rows."""

    def __init__(self, store: Store, topic: str) -> None:
        self._store = store
        self._topic = topic

    def note(self, source: str, page: str, targets: Iterable[str]) -> list[str]:
        return [
            target
            for target in dict.fromkeys(targets)
            if self._store.write(
                "INSERT OR IGNORE INTO site_links VALUES (?, ?, ?, ?)", (self._topic, source, target, page)
            )
        ]

    def targets(self, source: str) -> Iterable[str]:
        rows = self._store.rows(
            "SELECT target FROM site_links WHERE topic = ? AND source = ?", (self._topic, source)
        )
        return [cast("str", row[0]) for row in rows]

    def sources(self, target: str) -> Iterable[str]:
        rows = self._store.rows(
            "SELECT source FROM site_links WHERE target = ? AND topic = ?", (target, self._topic)
        )
        return [cast("str", row[0]) for row in rows]
