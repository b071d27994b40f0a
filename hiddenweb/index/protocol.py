"""Finding again: what an index takes and can do, what the store has to tell it, and how the two are compared.

The store and the index do not know each other. Between them stands the outbox, an append-only log of documents
to index and keys to delete, with increasing numbers. One process reads it and writes the index; how far it has come it
writes down beside the index, after the index is safe on disk. So the database has one writer, the crawl, and a process that is
killed between the two reads a few rows twice, which is harmless: a document replaces the one with its key.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import xxhash

from hiddenweb.model import IndexDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = [
    "ForeignIndex",
    "Index",
    "IndexDifferences",
    "IndexDocument",
    "IndexInUse",
    "IndexKind",
    "IndexProblem",
    "NoIndex",
    "NoStore",
    "OldIndex",
    "Outbox",
    "content_hash",
    "differences",
    "load_named",
    "open_outbox",
]


class Outbox(Protocol):
    """What the store has to tell the index."""

    def read_after(self, position: int, limit: int) -> list[tuple[int, IndexDocument | str]]:
        """Return what follows a number, in order: documents to index, keys to delete."""

    def last(self) -> int:
        """Return the highest number, 0 when nothing was ever written."""

    def documents(self) -> Iterator[IndexDocument]:
        """Yield every document that should be in the index."""

    def close(self) -> None:
        """Let go of the store."""


class Index(Protocol):
    """An index that one process writes and many read."""

    def update(self, changes: Sequence[IndexDocument | str]) -> list[str]:
        """Index the documents and delete the keys, the later of one key wins; return the keys of bad documents."""

    def merge(self, *, idle: bool, keep_going: Callable[[], bool]) -> bool:
        """Make one step towards fewer segments where it pays; say whether there was one to make."""

    def segments(self) -> list[int]:
        """Return how many documents each segment has, deleted ones included."""

    def hashes(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the hash of every document."""

    def count(self) -> int:
        """Return the number of documents."""

    def close(self) -> None:
        """Let go of all files."""


class IndexKind(Protocol):
    """A technology for indexes."""

    def __call__(self, folder: Path) -> Index:
        """Open the index in a folder."""

    def create(self, folder: Path) -> Index:
        """Make an empty index in an empty folder."""


class IndexProblem(Exception):
    """Something is wrong with an index; the message says what, and what to do."""


class NoIndex(IndexProblem):
    """There is no index yet."""


class OldIndex(NoIndex):
    """The index was made here, by an earlier version; there is none that this version can read."""


class ForeignIndex(IndexProblem):
    """There is something where the index should be, and it was not made here."""


class NoStore(IndexProblem):
    """The store cannot be read."""


class IndexInUse(IndexProblem):
    """Another process is writing the index."""


@dataclass(frozen=True, slots=True)
class IndexDifferences:
    """How an index and a store differ, as keys."""

    missing: tuple[str, ...] = ()  # in the store only
    surplus: tuple[str, ...] = ()  # in the index only
    changed: tuple[str, ...] = ()  # in both, with different hashes
    repeated: tuple[str, ...] = ()  # more than once in the index
    compared: int = 0  # documents of the store

    def __bool__(self) -> bool:
        return bool(self.missing or self.surplus or self.changed or self.repeated)


def differences(index: Index, documents: Iterable[IndexDocument]) -> IndexDifferences:
    """Compare an index with the documents that should be in it."""
    found: dict[str, str] = {}
    repeated = []
    for key, digest in index.hashes():
        if key in found:
            repeated.append(key)
        found[key] = digest
    missing, changed, compared = [], [], 0
    for document in documents:
        compared += 1
        digest = found.pop(document.key, "")
        if not digest:
            missing.append(document.key)
        elif digest != content_hash(document):
            changed.append(document.key)
    return IndexDifferences(tuple(missing), tuple(found), tuple(changed), tuple(repeated), compared)


def content_hash(document: IndexDocument) -> str:
    """Return what is equal for documents that say the same, attributes included."""
    if not document.attributes:
        return document.hash
    said = json.dumps(document.attributes, ensure_ascii=False).encode("utf-8", "replace")
    return f"{document.hash}{xxhash.xxh3_64_hexdigest(said)}"


def open_outbox(state: Path, name: str) -> Outbox:
    """Open the outbox of a state folder with the function of that name, or raise NoStore, which says what is wrong."""
    try:
        outbox: Outbox = load_named(name)(state)
    except RuntimeError as problem:  # what stores raise is theirs to define, above this
        raise NoStore(str(problem)) from problem
    return outbox


def load_named(name: str) -> Any:
    """Return what `package.module:name` names, so that layers that may not import each other can be put together."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
