"""The protocols of the index and the outbox, and how index and store are compared.

The store and the index do not know each other. Between them is the outbox, an append-only log of documents
to index and keys to delete, with increasing numbers. One process reads it and writes the index; it saves its position
next to the index, after the index is safely on disk. So the database has one writer, the crawl, and a process that is
killed between the two writes reads a few rows twice, which is harmless: a document replaces the one with its key.
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
    """The changes of the store that the index has to read."""

    def read_after(self, position: int, limit: int) -> list[tuple[int, IndexDocument | str]]:
        """Return the changes after a number, in order: documents to index, keys to delete."""

    def last(self) -> int:
        """Return the highest number, 0 if nothing was ever written."""

    def documents(self) -> Iterator[IndexDocument]:
        """Yield every document that should be in the index."""

    def close(self) -> None:
        """Close the store."""


class Index(Protocol):
    """An index that one process writes and many read."""

    def update(self, changes: Sequence[IndexDocument | str]) -> list[str]:
        """Index the documents and delete the keys; the last change of a key wins. Return the keys of bad documents."""

    def merge(self, *, idle: bool, keep_going: Callable[[], bool]) -> bool:
        """Merge some segments if it is worth it; return whether there were any to merge."""

    def segments(self) -> list[int]:
        """Return how many documents each segment has, including deleted ones."""

    def hashes(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the hash of every document."""

    def count(self) -> int:
        """Return the number of documents."""

    def close(self) -> None:
        """Close all files."""


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
    """The index was made by an earlier version, and this version cannot read it."""


class ForeignIndex(IndexProblem):
    """The folder of the index has something that was not made here."""


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
    """Return a hash of the content of a document, including its attributes."""
    if not document.attributes:
        return document.hash
    attributes = json.dumps(document.attributes, ensure_ascii=False).encode("utf-8", "replace")
    return f"{document.hash}{xxhash.xxh3_64_hexdigest(attributes)}"


def open_outbox(state: Path, name: str) -> Outbox:
    """Open the outbox of a state folder with the function of that name; raises NoStore."""
    try:
        outbox: Outbox = load_named(name)(state)
    except RuntimeError as problem:  # stores define their own subclasses
        raise NoStore(str(problem)) from problem
    return outbox


def load_named(name: str) -> Any:
    """Return the object that `package.module:name` names, to combine layers that may not import each other."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
