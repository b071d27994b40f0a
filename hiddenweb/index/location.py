"""Finding again: what an index takes, where it lies, and how it is compared with the store.

The store and the index do not know each other. Between them stands the outbox, an append-only log of documents
to index and keys to delete, with increasing numbers. One process reads it and writes the index; how far it has come it
writes down beside the index, after the index is safe on disk. So the database has one writer, the crawl, and a process that is
killed between the two reads a few rows twice, which is harmless: a document replaces the one with its key.

An index lies in `STATE/index`:

    index.json      the mark that it is ours, and the number of the folder that counts
    lock            held by the one process that writes
    status.json     what that process is doing, for progress displays
    7/              the index itself, with `position`: the last number of the outbox that is in it

Only `index.json` decides which numbered folder counts, and it is replaced in one step; a new index is built in a
new folder and comes into being complete, or not at all.

Whoosh pickles inside its files, and a pickle can run code. So an index is opened only with our mark, and the mark names the
inode of its folder: an index that was copied here, from a backup or from a stranger, is refused. `scrapy reindex` makes a
new one from the store, which holds everything.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import xxhash

from hiddenweb.model import IndexDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

__all__ = [
    "FORMAT",
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
    "acknowledged",
    "content_hash",
    "current_folder",
    "differences",
    "make_current",
    "named",
    "new_folder",
    "open_outbox",
    "position_in",
    "replace",
    "status",
    "sync",
    "write_position",
    "writing",
]

FORMAT = 2
"""The number of the layout of the folder, the schema and the rules for words. An index of a lower number is made anew from the
store by the next crawl, or by `scrapy reindex`; one of a higher number is refused. 2: attributes are fields."""


class Outbox(Protocol):
    """What the store has to tell the index."""

    def after(self, position: int, limit: int) -> list[tuple[int, IndexDocument | str]]:
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


def acknowledged(state: Path) -> int:
    """Return the last number of the outbox that is safe in the index of a state folder, 0 where there is no index."""
    try:
        return position_in(current_folder(state))
    except IndexProblem:
        return 0


def current_folder(state: Path) -> Path:
    """Return the folder of the index that counts, or raise what is wrong with it."""
    home = state / "index"
    mark = home / "index.json"
    if not mark.exists():
        if home.is_dir() and any(
            path.name not in _BESIDES for path in home.iterdir() if not path.name.isdigit()
        ):
            raise ForeignIndex(
                f"{home} was not made by hiddenweb. It is not opened, since an index can carry code."
            )
        raise NoIndex(f"There is no index in {state} yet.")
    said = _read(mark)
    folder = home / str(said.get("folder"))
    if said.get("made_by") != "hiddenweb" or not folder.is_dir():
        raise ForeignIndex(f"{mark} is not what hiddenweb writes.")
    if said.get("inode") != folder.stat().st_ino:
        raise ForeignIndex(
            f"{folder} was copied from elsewhere. It is not opened, since an index can carry code."
        )
    if said.get("format") != FORMAT:
        number = said.get("format")
        kind = OldIndex if isinstance(number, int) and number < FORMAT else ForeignIndex
        raise kind(f"The index in {home} is of format {number}, this version reads {FORMAT}.")
    return folder


def new_folder(state: Path) -> Path:
    """Make an empty folder for a new index, and remove what earlier attempts left. Only for who holds the lock."""
    home = _home(state)
    current = str(_read(home / "index.json").get("folder"))
    numbers = [int(path.name) for path in home.iterdir() if path.name.isdigit()]
    for number in numbers:
        if str(number) != current:
            shutil.rmtree(home / str(number))
    folder = home / str(max(numbers, default=0) + 1)
    folder.mkdir(mode=0o700)
    return folder


def make_current(state: Path, folder: Path) -> None:
    """Let a complete index be the one that counts, in one step, and remove the others."""
    said = {"made_by": "hiddenweb", "format": FORMAT, "folder": folder.name, "inode": folder.stat().st_ino}
    replace(state / "index" / "index.json", json.dumps(said))
    for path in (state / "index").iterdir():
        if path.name.isdigit() and path.name != folder.name:
            shutil.rmtree(path)


def position_in(folder: Path) -> int:
    """Return the last number of the outbox that is in the index of a folder."""
    try:
        return int((folder / "position").read_text())
    except (FileNotFoundError, ValueError):
        return 0


def write_position(folder: Path, position: int) -> None:
    """Write down durably how far the outbox is in the index."""
    replace(folder / "position", str(position))


def replace(path: Path, text: str, *, durable: bool = True) -> None:
    """Replace the text of a small file in one step."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    fresh.replace(path)
    if durable:
        sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def writing(state: Path, who: str) -> Iterator[None]:
    """Be the only one who writes the index, or raise IndexInUse, which says who does."""
    path = _home(state) / "lock"
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise IndexInUse(f"The index in {state} is being written by {holder}.") from None
        file.truncate(0)
        file.write(f"{who} (process {os.getpid()})")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def status(state: Path) -> dict[str, Any]:
    """Return what the indexing process last said about itself; empty where it never ran."""
    return _read(state / "index" / "status.json")


def open_outbox(state: Path, name: str) -> Outbox:
    """Open the outbox of a state folder with the function of that name, or raise NoStore, which says what is wrong."""
    try:
        outbox: Outbox = named(name)(state)
    except RuntimeError as problem:  # what stores raise is theirs to define, above this
        raise NoStore(str(problem)) from problem
    return outbox


def named(name: str) -> Any:
    """Return what `package.module:name` names, so that layers that may not import each other can be put together."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


_BESIDES = frozenset(("lock", "status.json", "status.json.new", "index.json.new", "indexing.log"))


def _home(state: Path) -> Path:
    if not state.is_dir():
        raise NoIndex(f"There is no state folder {state}.")
    home = state / "index"
    home.mkdir(mode=0o700, exist_ok=True)
    return home


def _read(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return cast("dict[str, Any]", said) if isinstance(said, dict) else {}
