"""Sitemaps: the pages that a host lists, and when it says that they changed (sitemaps.org, protocol 0.9).

A sitemap lists pages, or further sitemaps; then it is an index. Both are untrusted. They are read with expat in one pass, without a tree,
and reading stops at a document type: without one there are no entities to expand and no files to load. The entries before the place
where reading ends are valid, so one stray `&` does not lose them.

Dates follow W3C: a day, or a moment with its offset from UTC. A day counts as its last moment, since a page that changed at any time of the day
has it; a moment without an offset is in UTC. Other texts are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple
from xml.parsers import expat

from hiddenweb.fetch.content_decoding import decoder_for
from hiddenweb.fetch.errors import BrokenAnswer
from hiddenweb.urls import normalise_url

MAX_ENTRIES = 50_000
"""The limit of the protocol for one file."""

MAX_BYTES = 50 * 1024 * 1024
"""The limit of the protocol for one unpacked file."""

_GZIP = b"\x1f\x8b"
_LONGEST_WORDS = 2_048  # characters of an address, by the protocol
_DEEPEST = 20  # elements inside each other: a limit of taste
_ENTRY_DEPTH = 2  # urlset, url
_CHUNK = 1 << 16  # bytes that are parsed at once, so that reading can end early: a limit of taste
_START = 2_048  # bytes in which a sitemap names itself: a limit of taste
_ROOTS = {"urlset": "url", "sitemapindex": "sitemap"}


class SitemapEntry(NamedTuple):
    """An address in a sitemap."""

    url: str
    modified: float | None  # latest possible time; None: not given


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The entries of a sitemap."""

    pages: tuple[SitemapEntry, ...] = ()
    parts: tuple[SitemapEntry, ...] = ()  # further sitemaps
    why: str = ""  # why it was not read to its end


def read_sitemap(body: bytes, url: str, most: int = MAX_ENTRIES) -> Sitemap:
    """Return the entries of a sitemap, at most so many; it may be packed by gzip."""
    why = ""
    if body.startswith(_GZIP):
        body, why = _unpack(body)
    reading = _SitemapParser(url, most)
    try:
        reading.read(body.lstrip())  # an XML declaration has to be the very first, and often is not
    except _EndOfSitemap as ended:
        why = str(ended)
    except expat.ExpatError as error:
        why = why or f"not XML: {error}"
    except (ValueError, LookupError) as error:  # an unknown encoding
        why = f"cannot be read: {error}"
    entries = tuple(reading.entries)
    return Sitemap((), entries, why) if reading.root == "sitemapindex" else Sitemap(entries, (), why)


def may_be_sitemap(body: bytes) -> bool:
    """Return whether a body begins like a sitemap, or is packed by gzip.

    >>> may_be_sitemap(b"<?xml version='1.0'?><urlset>"), may_be_sitemap(b"<!doctype html><p>sitemap")
    (True, False)
    """
    start = body[:_START]
    return start.startswith(_GZIP) or b"<urlset" in start or b"<sitemapindex" in start


def parse_w3c_date(words: str) -> float | None:
    """Return the last moment of a W3C date; None for other texts.

    >>> parse_w3c_date("1970-01-02T00:00:00+01:00"), parse_w3c_date("1970-01-01"), parse_w3c_date("yesterday")
    (82800.0, 86399.0, None)
    """
    found = _W3C.fullmatch(words.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    try:
        moment = datetime(
            int(year), int(month), int(day), int(hour or 23), int(minute or 59), int(second or 59),
            int(((fraction or "") + "000000")[:6]), tzinfo=_zone(offset),
        )  # fmt: skip
        return moment.timestamp()
    except (ValueError, OverflowError):
        return None


def _zone(offset: str | None) -> timezone:
    if offset is None or offset == "Z":
        return UTC
    sign = -1 if offset[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(offset[1:3]), minutes=int(offset[-2:])))


def _unpack(body: bytes) -> tuple[bytes, str]:
    decoder, _ = decoder_for(b"gzip")
    assert decoder is not None
    try:
        unpacked = decoder.feed(body, MAX_BYTES)
    except BrokenAnswer as error:
        return b"", str(error)
    if len(unpacked) == MAX_BYTES:
        return unpacked, f"more than {MAX_BYTES:,} bytes"
    return unpacked, "" if decoder.is_complete else "it ends too early"


class _EndOfSitemap(Exception):
    """Reading has to stop."""


class _SitemapParser:
    def __init__(self, url: str, most: int) -> None:
        self.root = ""
        self.entries: list[SitemapEntry] = []
        self._url = url
        self._most = most
        self._depth = 0
        self._entry = ""  # the name of the open entry element, as written
        self._words: list[str] | None = None
        self._length = 0
        self._address = self._date = ""

    def read(self, body: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._has_doctype
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._take_text
        for start in range(0, len(body), _CHUNK):
            parser.Parse(body[start : start + _CHUNK])
        parser.Parse(b"", True)

    def _has_doctype(self, *_: object) -> None:
        raise _EndOfSitemap("it has a document type")

    def _start_element(self, name: str, _: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _EndOfSitemap("too deep")
        if self._depth == 1:
            self.root = _local(name)
            if self.root not in _ROOTS:
                raise _EndOfSitemap(f"<{name[:40]}> is no sitemap")
        elif self._depth == _ENTRY_DEPTH:
            self._entry, self._address, self._date = name, "", ""
        elif self._depth == _ENTRY_DEPTH + 1 and _prefix(name) == _prefix(self._entry):
            # elements of images and news have other prefixes
            self._words, self._length = [], 0

    def _take_text(self, words: str) -> None:
        if self._words is not None and self._length <= _LONGEST_WORDS:
            self._words.append(words)
            self._length += len(words)

    def _end_element(self, name: str) -> None:
        if self._depth == _ENTRY_DEPTH + 1 and self._words is not None:
            words = "".join(self._words).strip() if self._length <= _LONGEST_WORDS else ""
            match _local(name):
                case "loc":
                    self._address = words
                case "lastmod":
                    self._date = words
            self._words = None
        elif self._depth == _ENTRY_DEPTH and _local(name) == _ROOTS[self.root]:
            self._add_entry()
        self._depth -= 1

    def _add_entry(self) -> None:
        if len(self.entries) >= self._most:
            raise _EndOfSitemap(f"more than {self._most:,} entries")
        address = normalise_url(self._address, self._url) if self._address else None
        if address is not None:
            self.entries.append(SitemapEntry(address, parse_w3c_date(self._date) if self._date else None))


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _prefix(name: str) -> str:
    return name.rpartition(":")[0]


_W3C = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
