"""Which link of a repeated item leads to what it is about, where its others lead, and what the item is called."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.html.field_labels import one_line
from hiddenweb.html.tags import HEADINGS
from hiddenweb.records.cells import has_words
from hiddenweb.urls import end_of_host, kind_of_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.html.page_parts import RawLink, TextSpan
    from hiddenweb.html.tree_walk import TreeWalk
    from hiddenweb.records.cells import CellMember


_MOST_LINKS_OF_RESULT = 5
"""Most links of the median result; a limit of taste: sections of a page have more."""

_MUCH_MORE = 2  # times as many characters; a limit of taste


def link_words(link: RawLink, flat: str) -> str:
    """Return what a link says, on one line."""
    return one_line(flat[link.span.start : link.span.end])


def other_addresses(walk: TreeWalk, kinds: dict[str, RawLink], link: RawLink | None) -> Iterator[str]:
    """Yield the addresses of the links of every kind, except those of `link`."""
    for anchor in kinds.values():
        address = walk.resolve(anchor.href) if anchor is not link else None
        if address is not None:
            yield address


def choose_links(
    walk: TreeWalk, anchors: list[list[RawLink]], kinds: list[dict[str, RawLink]]
) -> list[RawLink | None]:
    """Return the link of each item that leads to what the item is about, or None if it has none.

    That is the link of its heading. Without headings it is the link of the kind that differs most from item to item: authors, tags and
    sections are repeated. Of several such kinds it is the first on the site itself, unless another has much longer texts. Of several
    links of the kind it is the first. Records that are filed in several folders are recognised by the position of their link.
    """
    headings = [element.span for element in walk.elements or () if element.tag in HEADINGS]
    of_headings = [_link_in_heading(each, headings) for each in anchors]
    if len(anchors) > 1 and all(of_headings):
        return of_headings
    targets: dict[str, set[str]] = {}
    lengths: Counter[str] = Counter()
    for each in kinds:
        for kind, anchor in each.items():
            targets.setdefault(kind, set()).add(anchor.href)
            lengths[kind] += anchor.span.end - anchor.span.start
    most = max(map(len, targets.values()), default=0)
    equal = [kind for kind in targets if len(targets[kind]) == most]
    site = _site_of(walk.url)
    longest = max((lengths[kind] for kind in equal), default=0)
    long_kinds = [kind for kind in equal if _MUCH_MORE * lengths[kind] >= longest]
    best = next((kind for kind in long_kinds if kind.startswith(f"{site}/")), next(iter(long_kinds), ""))
    links = [each.get(best) or next(iter(each.values()), None) for each in kinds]
    return _links_of_many_folders(walk, anchors, links) or links


def _links_of_many_folders(
    walk: TreeWalk, anchors: list[list[RawLink]], others: list[RawLink | None]
) -> list[RawLink | None]:
    """Return the links that stand at one position of every item and lead to different pages in several folders of the site.

    Records that are filed by subject or day have no kind of address in common (`/music/old-songs`, `/films/the-bridge`), but their authors
    have. Returns none if the other links stand before them or have texts as long.
    """
    places: dict[str, list[RawLink]] = {}
    for each in anchors:
        for path, anchor in {anchor.path: anchor for anchor in reversed(each)}.items():
            places.setdefault(path, []).append(anchor)
    other_length = sum(link.span.end - link.span.start for link in others if link)
    for links in places.values():
        addresses = {address for link in links if (address := walk.resolve(link.href))}
        are_records = len(addresses) == len(links) == len(anchors) > 1
        if not are_records or len(set(map(kind_of_address, addresses))) == 1:
            continue
        if any(_site_of(address) != _site_of(walk.url) for address in addresses):
            continue
        length = sum(link.span.end - link.span.start for link in links)
        stand_before = all(
            other is None or link.span.start <= other.span.start
            for link, other in zip(links, others, strict=True)
        )
        if length > _MUCH_MORE * other_length or (stand_before and _MUCH_MORE * length >= other_length):
            return list(links)
    return []


def _site_of(address: str) -> str:
    return address[: end_of_host(address)]


def _link_in_heading(anchors: list[RawLink], headings: list[TextSpan]) -> RawLink | None:
    """Return the first of some links that stands in a heading, or around one."""
    starts = [span.start for span in headings]
    for anchor in anchors:
        at = bisect_right(starts, anchor.span.start) - 1
        if at >= 0 and anchor.span.end <= headings[at].end:
            return anchor
        if at + 1 < len(headings) and headings[at + 1].end <= anchor.span.end:
            return anchor
    return None


def first_of_kinds(walk: TreeWalk, anchors: list[RawLink]) -> dict[str, RawLink]:
    """Return the first link of every kind of address."""
    first: dict[str, RawLink] = {}
    for anchor in anchors:
        address = walk.resolve(anchor.href)
        first.setdefault(kind_of_address(address) if address else "", anchor)
    return first


def item_title(
    walk: TreeWalk, flat: str, member: CellMember, link: RawLink | None, no_titles: frozenset[str]
) -> str:
    """Return the title of an item: the first text with words among its links, its heading and its first lines."""
    _, start, end = member
    same = [anchor for anchor in walk.links.anchors_in(start, end) if link and anchor.href == link.href]
    of_links = [_heading_of(walk, anchor, flat) or link_words(anchor, flat) for anchor in same]
    pieces = [one_line(piece) for piece in re.split(r"[\t\n]", flat[start:end].strip(), maxsplit=5)]
    titles = [*of_links, one_line(walk.first_title(flat, start, end)), *pieces]
    in_words = (
        title
        for title in titles
        if has_words(title) and title not in no_titles and not title.endswith((":", "："))
    )
    return next(in_words, "") or next(filter(None, titles), "")


def _heading_of(walk: TreeWalk, link: RawLink, flat: str) -> str:
    """Return the heading within a link of several lines, such as a card that is one link as a whole."""
    start, end = link.span.start, link.span.end
    if "\n" not in flat[start:end].strip():
        return ""
    at = bisect_left(walk.headings, start, key=_start)
    inside = walk.headings[at : at + 1]
    return one_line(flat[inside[0].start : inside[0].end]) if inside and inside[0].end <= end else ""


def _start(span: TextSpan) -> int:
    return span.start
