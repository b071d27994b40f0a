"""The versions of pages; each content is stored once.

A content is the text of a page and its source, compressed together, and identified by its hash. A page with the content of an earlier version, or of a page
of another site, points to the stored one. Contents are deleted with the last version that needs them.

A version and its content are written within the transaction of their page, so a kill leaves both or neither.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import zstandard
from xxhash import xxh3_128_digest

from hiddenweb.revisit.history import ALL, versions_to_drop
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.model import Fetched, Page
    from hiddenweb.revisit.history import HistoryLimits

_VERSION = (
    "SELECT versions.id, versions.page, versions.at, versions.title, versions.content, links.url,"
    " CASE links.kind WHEN 'answer' THEN links.submission END FROM versions JOIN pages ON pages.id = versions.page JOIN links ON links.id = pages.link"
)


@dataclass(frozen=True, slots=True)
class PageSource:
    """The body and the type of a response: enough to read a page again."""

    body: bytes
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version of a page, without its content."""

    number: int
    page: int
    at: float  # when it was first seen
    title: str  # empty too if an earlier hiddenweb stored it
    content: int  # the same for equal versions
    url: str
    submission: int | None = None  # of an answer: the query
    changes: tuple[int, ...] = ()  # that led to it


class VersionStore:
    """The versions of a state."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._compressor = zstandard.ZstdCompressor(level=1)

    # Writing

    def add(
        self,
        page: int,
        fetched: Fetched,
        content: Page,
        limits: HistoryLimits = ALL,
        *,
        is_first: bool = False,
    ) -> None:
        """Store a new version of a page, and delete those beyond the limits."""
        self._db.execute(
            "INSERT INTO versions (page, at, fingerprint, content, content_type, title) VALUES (?, ?, ?, ?, ?, ?)",
            (
                page, fetched.at, content.fingerprint, self._save_content(pack_content(content.text, fetched.body)), fetched.content_type,
                content.title,
            ),
        )  # fmt: skip
        if not is_first and limits != ALL:
            self._prune(page, fetched.at, limits)

    def _save_content(self, content: bytes) -> int:
        """Return the number of a content, which is compressed and written only if it is new."""
        name = xxh3_128_digest(content)
        stored = self._db.execute("SELECT id FROM contents WHERE hash = ?", (name,)).fetchone()
        if stored:
            return int(stored[0])
        row = self._db.execute(
            "INSERT INTO contents (hash, content) VALUES (?, ?)", (name, self._compressor.compress(content))
        )
        return int(row.lastrowid or 0)

    def _prune(self, page: int, now: float, limits: HistoryLimits) -> None:
        versions = self._db.execute(
            "SELECT id, at, content FROM versions WHERE page = ? ORDER BY id", (page,)
        ).fetchall()
        places = versions_to_drop([at for _, at, _ in versions], limits, now)
        self._db.executemany("DELETE FROM versions WHERE id = ?", [(versions[place][0],) for place in places])
        self._delete_unused(dict.fromkeys(versions[place][2] for place in places))

    def _delete_unused(self, contents: Iterable[int]) -> None:
        """Delete contents that no version has any more."""
        self._db.executemany(
            "DELETE FROM contents WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM versions WHERE content = ?1)",
            [(content,) for content in contents],
        )

    # Reading

    def load_all(self, url: str) -> list[StoredVersion]:
        """Return the versions of an address, the oldest first, with the changes that led to them."""
        rows = self._db.execute(f"{_VERSION} WHERE links.hash = ? ORDER BY versions.id", (url_hash(url),))
        versions = [StoredVersion(*row) for row in rows]
        return [
            replace(version, changes=changes)
            for version, changes in zip(versions, self._group_changes(versions), strict=True)
        ]

    def _group_changes(self, versions: Sequence[StoredVersion]) -> Iterator[tuple[int, ...]]:
        """Yield the changes that led to each of the versions of a page."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for page in {version.page for version in versions}:
            for change, new in self._db.execute("SELECT id, new FROM changes WHERE page = ?", (page,)):
                found[new].append(change)
        return (tuple(found[version.number]) for version in versions)

    def find_original(self, url: str) -> str | None:
        """Return the address of the original of a duplicate page."""
        found = self._db.execute(
            "SELECT other.url FROM links JOIN pages ON pages.link = links.id JOIN pages other ON other.id = pages.duplicate_of"
            " WHERE links.hash = ?",
            (url_hash(url),),
        ).fetchone()
        return str(found[0]) if found else None

    def load(self, number: int) -> StoredVersion | None:
        """Return a version by its number, if it is still stored."""
        rows = self._db.execute(f"{_VERSION} WHERE versions.id = ?", (number,))
        return next((StoredVersion(*row) for row in rows), None)

    def has(self, number: int) -> bool:
        """Say whether a version is still stored."""
        return self._db.execute("SELECT 1 FROM versions WHERE id = ?", (number,)).fetchone() is not None

    def load_source(self, number: int) -> PageSource | None:
        """Return the source of a version."""
        found = self._db.execute(
            "SELECT contents.content, content_type FROM versions JOIN contents ON contents.id = versions.content"
            " WHERE versions.id = ?",
            (number,),
        ).fetchone()
        return PageSource(unpack_content(found[0])[1], found[1]) if found else None

    def load_text(self, page: int) -> str:
        """Return the newest stored text of a page."""
        found = self._db.execute(f"SELECT {newest_content('?')}", (page,)).fetchone()[0]
        return text_of_content(found) if found else ""


def newest_content(page: str) -> str:
    """Return SQL for the newest stored content of a page."""
    return (
        "(SELECT contents.content FROM versions JOIN contents ON contents.id = versions.content"
        f" WHERE versions.page = {page} ORDER BY versions.id DESC LIMIT 1)"
    )


# Contents


def pack_content(text: str, body: bytes) -> bytes:
    """Return the text and the source of a page as one."""
    # Most of the text stands in the source too: together they compress to little more than the source alone.
    encoded = text.encode("utf-8", "surrogatepass")
    return struct.pack("<I", len(encoded)) + encoded + body


def unpack_content(blob: bytes) -> tuple[str, bytes]:
    """Return the text and the source of a version."""
    data = zstandard.ZstdDecompressor().decompress(blob)
    (length,) = struct.unpack_from("<I", data)
    return data[4 : 4 + length].decode("utf-8", "surrogatepass"), data[4 + length :]


def text_of_content(blob: bytes) -> str:
    """Return the text of a version, which comes first, without unpacking the source."""
    with zstandard.ZstdDecompressor().stream_reader(blob) as content:
        (length,) = struct.unpack("<I", content.read(4))
        return content.read(length).decode("utf-8", "surrogatepass")


def hash_of_content(blob: bytes) -> bytes:
    """Return the hash of a compressed content; a damaged one gets a hash of its own."""
    try:
        return xxh3_128_digest(zstandard.ZstdDecompressor().decompress(blob))
    except zstandard.ZstdError:
        return xxh3_128_digest(blob)
