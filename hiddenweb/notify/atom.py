"""Atom feeds of changes (RFC 4287), in files that feed readers, or a web server, can read at any time.

A file is replaced as a whole, so nobody reads half of it, and keeps only its newest entries. The id of an entry is made of what changed and when, so readers
see an entry that is written twice only once. The texts of pages are escaped, without the characters that XML does not allow.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from lxml import etree
from xxhash import xxh3_64_hexdigest

from hiddenweb.notify.rules import FEED_KEYS
from hiddenweb.notify.wording import change_id, headline, lines_of, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from hiddenweb.notify.rules import NotificationRule
    from hiddenweb.revisit.change import Change

ENTRIES = 200
"""Changes that a feed keeps. A limit of taste."""

_ATOM = "http://www.w3.org/2005/Atom"
_ENTRY, _ID, _UPDATED = (f"{{{_ATOM}}}{name}" for name in ("entry", "id", "updated"))
_NAMES: Any = {None: _ATOM}
_IN_ADDRESSES = "%/:=&?~#+!$,;'@()*[]"


def feed_of(rule: NotificationRule, change: Change, topic: str) -> tuple[str, str] | None:
    """Return the path and the title of the feed of a change; None if it lacks the topic, site or query in the path."""
    values = dict(zip(FEED_KEYS, (topic, change.site, change.query), strict=True))
    used = [key for key in FEED_KEYS if f"{{{key}}}" in rule.atom]
    if not all(values[key].strip() for key in used):
        return None
    path = rule.atom
    for key in used:
        path = path.replace(f"{{{key}}}", _file_name(values[key]))
    return path, ": ".join([rule.name, *(" ".join(values[key].split()) for key in used)])


def write_feed(path: Path, title: str, changes: Sequence[Change], most: int = ENTRIES) -> None:
    """Add changes to the feed in a file, and make the file if needed; raises OSError."""
    entries = {_text(entry, _ID): entry for change in changes if (entry := _entry(change)) is not None}
    for entry in _entries_in(path):
        entries.setdefault(_text(entry, _ID), entry)
    newest = sorted(entries.values(), key=lambda entry: _text(entry, _UPDATED), reverse=True)[:most]
    write_whole(path, _feed(title, newest))


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file in one step: readers see the old or the new one; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name[:100]}.{os.getpid()}.new")
    try:
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def _feed(title: str, entries: Iterable[etree._Element]) -> bytes:
    entries = list(entries)
    feed = etree.Element(f"{{{_ATOM}}}feed", nsmap=_NAMES)
    _add(feed, "id", uuid5(NAMESPACE_URL, f"hiddenweb feed {printable(title)}").urn)
    _add(feed, "title", title)
    _add(feed, "updated", _text(entries[0], _UPDATED) if entries else _moment(0.0))
    _add(_add(feed, "author", ""), "name", "hiddenweb")
    _add(feed, "generator", "hiddenweb")
    feed.extend(entries)
    etree.indent(feed)
    return etree.tostring(feed, xml_declaration=True, encoding="utf-8")


def _entry(change: Change) -> etree._Element:
    entry = etree.Element(_ENTRY, nsmap=_NAMES)
    _add(entry, "id", change_id(change))
    _add(entry, "title", headline(change))
    _add(entry, "updated", _moment(change.at))
    _add(entry, "link", "", rel="alternate", href=quote(printable(change.url), safe=_IN_ADDRESSES))
    _add(entry, "category", "", term=change.kind)
    _add(entry, "content", "\n".join(lines_of(change)), type="text")
    return entry


def _add(parent: etree._Element, name: str, text: str, **attributes: str) -> etree._Element:
    child = etree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    child.text = printable(text) or None
    return child


def _entries_in(path: Path) -> list[etree._Element]:
    """Return the entries of an existing feed; none if it cannot be read."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_blank_text=True)
    try:
        feed = etree.fromstring(path.read_bytes(), parser)
    except (FileNotFoundError, etree.XMLSyntaxError):
        return []
    return [entry for entry in feed.findall(_ENTRY) if _text(entry, _ID) and _text(entry, _UPDATED)]


def _text(element: etree._Element, name: str) -> str:
    return element.findtext(name) or ""


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _file_name(value: str) -> str:
    """Return a text as a part of a file name: without a path, and different for different texts.

    >>> _file_name("shop.example"), _file_name("../etc")
    ('shop.example', 'etc-9700108f')
    """
    name = re.sub(r"[^\w.-]+", "-", value.lower())[:60].strip("-.")
    return (
        name
        if name == value
        else f"{name}-{xxh3_64_hexdigest(value.encode(errors='replace'))[:8]}".lstrip("-")
    )
