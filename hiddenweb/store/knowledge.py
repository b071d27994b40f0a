"""What parts of the crawl learnt: values by part and subject, which only that part understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.store.sqlite_file import SqliteFile


class KnowledgeStore:
    """The knowledge of a store."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._db = file.db

    def get(self, part: str, subject: str) -> str | None:
        """Return what a part learnt about a subject."""
        found = self._db.execute(
            "SELECT value FROM knowledge WHERE part = ? AND subject = ?", (part, subject)
        ).fetchone()
        return found[0] if found else None

    def load_all(self, part: str) -> list[tuple[str, str]]:
        """Return all subjects and values of a part."""
        return self._db.execute(
            "SELECT subject, value FROM knowledge WHERE part = ? ORDER BY subject", (part,)
        ).fetchall()

    def put(self, part: str, subject: str, value: str) -> None:
        """Store what a part learnt about a subject; an empty value deletes it."""
        db = self._file.begin()
        if value:
            db.execute("INSERT OR REPLACE INTO knowledge VALUES (?, ?, ?)", (part, subject, value))
        else:
            db.execute("DELETE FROM knowledge WHERE part = ? AND subject = ?", (part, subject))
