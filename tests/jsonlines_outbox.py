"""An outbox in a file of JSON lines: a second implementation of the protocol, for tests that start processes.

`outbox.jsonl` has a line per change, `[number, document or key]`; what should be in the index follows from it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hiddenweb.index.protocol import IndexDocument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "tests.jsonlines_outbox:open_outbox"


class JsonLinesOutbox:
    def __init__(self, state: Path) -> None:
        self._path = state / "outbox.jsonl"
        self._first = state / "outbox.first"
        self._size = -1
        self._rows: list[tuple[int, IndexDocument | str]] = []

    def put(self, *changes: IndexDocument | str) -> None:
        """Add changes at the end."""
        number = self.last()
        with self._path.open("a", encoding="utf-8") as file:
            for change in changes:
                number += 1
                said = change if isinstance(change, str) else asdict(change)
                file.write(json.dumps([number, said]) + "\n")

    def trim(self, position: int) -> None:
        """Forget the rows up to a number; what should be in the index stays."""
        self._first.write_text(str(position))

    def read_after(self, position: int, limit: int) -> list[tuple[int, IndexDocument | str]]:
        first = max(position, int(self._first.read_text()) if self._first.exists() else 0)
        return [row for row in self._read() if row[0] > first][:limit]

    def last(self) -> int:
        rows = self._read()
        return rows[-1][0] if rows else 0

    def documents(self) -> Iterator[IndexDocument]:
        latest = {change if isinstance(change, str) else change.key: change for _, change in self._read()}
        yield from (change for change in latest.values() if not isinstance(change, str))

    def close(self) -> None:
        pass

    def _read(self) -> list[tuple[int, IndexDocument | str]]:
        size = self._path.stat().st_size if self._path.exists() else 0
        if size != self._size:
            lines = self._path.read_bytes().split(b"\n")[:-1] if size else []
            said = [json.loads(line) for line in lines]
            self._rows = [
                (number, change if isinstance(change, str) else _document(change)) for number, change in said
            ]
            self._size = size
        return self._rows


def _document(said: dict[str, Any]) -> IndexDocument:
    attributes = tuple((name, value) for name, value in said.pop("attributes"))
    return IndexDocument(**said, attributes=attributes)


def open_outbox(state: Path) -> JsonLinesOutbox:
    return JsonLinesOutbox(state)


def broken_outbox(state: Path) -> JsonLinesOutbox:
    raise RuntimeError(f"{state}: the store is broken")


def page(
    key: str,
    text: str = "",
    *,
    title: str = "",
    language: str = "en",
    at: float | None = None,
    **values: object,
) -> IndexDocument:
    """Return a document of a page, or of what the values say."""
    address = key if "://" in key else f"https://{key}"
    made: dict[str, object] = {
        "key": address,
        "url": address,
        "site": address.split("/")[2],
        "title": title or f"Title of {key}",
        "text": text,
        "language": language,
        "kind": "page",
        "behind_form": False,
        "fetched_at": 1_700_000_000.0 if at is None else at,
        "hash": hashlib.sha256(f"{title}\n{text}".encode("utf-8", "replace")).hexdigest()[:16],
    }
    return IndexDocument(**(made | values))  # type: ignore[arg-type]
