"""Feeds of changes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from changes_to_report import NEWS, PRICE
from lxml import etree

from hiddenweb.notify.atom import write_feed

if TYPE_CHECKING:
    from pathlib import Path


ATOM = {"a": "http://www.w3.org/2005/Atom"}


def entries(path: Path) -> list[etree._Element]:
    """Return the entries of a feed, which must have what RFC 4287 asks for."""
    feed = etree.fromstring(path.read_bytes())
    found = feed.findall("a:entry", ATOM)
    for part in (feed, *found):
        for name in ("id", "title", "updated"):
            assert len(part.findall(f"a:{name}", ATOM)) == 1
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", part.findtext("a:id", namespaces=ATOM) or "")
        assert re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", part.findtext("a:updated", namespaces=ATOM) or ""
        )
    assert feed.findtext("a:author/a:name", namespaces=ATOM)
    assert len({entry.findtext("a:id", namespaces=ATOM) for entry in found}) == len(found)
    return found


def test_a_feed_gets_new_entries_first_and_each_once(tmp_path: Path) -> None:
    path = tmp_path / "feeds" / "prices.xml"

    write_feed(path, "prices", [PRICE])
    write_feed(path, "prices", [NEWS, PRICE])

    titles = [entry.findtext("a:title", namespaces=ATOM) for entry in entries(path)]
    assert titles == ["content: News", "Dune: price is 7.99, was 9.99"]
    assert [each.name for each in path.parent.iterdir()] == ["prices.xml"]


def test_a_feed_keeps_the_newest_entries(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    for number in range(7):
        write_feed(path, "t", [replace(PRICE, at=PRICE.at + number, title=str(number))], most=3)

    titles = [entry.findtext("a:title", namespaces=ATOM) for entry in entries(path)]

    assert [title[0] for title in titles if title] == ["6", "5", "4"]


def test_texts_of_pages_cannot_break_a_feed(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    nasty = "</title><script>\x00\x08\x1b]]>&amp;\ud800\ufffe \"'"
    change = replace(
        PRICE, title=nasty, url=f"https://a.example/ä b?{nasty}", after=nasty, query=nasty, attribute=nasty
    )

    write_feed(path, nasty, [change])

    (entry,) = entries(path)
    assert "</title><script>]]>&amp; \"'" in (entry.findtext("a:title", namespaces=ATOM) or "")
    link = entry.find("a:link", ATOM)
    assert link is not None
    assert re.fullmatch(r"https://a\.example/%C3%A4%20b\?[!-~]+", str(link.get("href")))


def test_a_damaged_feed_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_text("<feed")

    write_feed(path, "t", [PRICE])

    assert len(entries(path)) == 1
