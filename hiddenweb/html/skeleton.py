"""The skeleton of a page: its layout elements, and nothing they say.

The paper on bar-trees (see `hiddenweb.extraction.bartree`) cleans a page of text and of tags that only format text before it looks at
the layout. So does this: `b`, `i`, `font`, `br` and the like are left out and what is inside them belongs to the element around
them; scripts, styles and other things that nobody sees, or sees only in a control (`option`), are left out with all they hold. `span` and `a` stay: pages of our days
lay themselves out with them, and they carry classes.

A node is a number, and nodes are numbered in the order of the document, so the elements before a node are its ancestors and what
was closed before it. Making a skeleton takes time linear in the size of the page, of which no more is read than `hiddenweb.html.reader` reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from hiddenweb.html.charsets import convert_to_utf8
from hiddenweb.html.hardening import harden, shorten_body
from hiddenweb.html.limits import LIMITS, PageLimits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MOST_NODES = 50_000
"""Nodes of a skeleton at most; what comes after them in the page is left out."""

_FORMATTING_NAMES = (
    "abbr acronym b basefont bdi bdo big blink br cite code del dfn em font i ins kbd mark nobr q s samp small "
    "strike strong sub sup tt u var wbr"
)
_UNSEEN_NAMES = "base link meta noscript optgroup option param script source style template title track"

FORMATTING = frozenset(_FORMATTING_NAMES.split())
"""Tags that format text: what is inside them belongs to the element around them."""

UNSEEN = frozenset(_UNSEEN_NAMES.split())
"""Tags that are left out with all they hold."""

_LAYOUT, _FORMATTING, _UNSEEN, _NAMING = range(4)
_NAME = re.compile(r"\w+")
_LONGEST_NAME = 300  # characters
_LONGEST_CLASS = 200


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The layout elements of a page, in the order of the document; the root is node 0, at depth 0."""

    tags: tuple[str, ...]
    classes: tuple[str, ...]  # sorted, with single spaces
    parents: tuple[int, ...]  # -1 of the root
    depths: tuple[int, ...]
    positions: tuple[int, ...]  # among the children of the parent, from 0
    ends: tuple[int, ...]  # the first node that is not inside this one
    name: frozenset[str] = frozenset()  # words of the page's title
    is_cut: bool = False  # the page has more nodes than were read

    def __len__(self) -> int:
        return len(self.tags)

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to a node."""
        nodes = []
        while node >= 0:
            nodes.append(node)
            node = self.parents[node]
        return nodes[::-1]

    def children(self, node: int) -> Iterator[int]:
        """Yield the children of a node, in order."""
        child = node + 1
        while child < self.ends[node]:
            yield child
            child = self.ends[child]

    def common(self, nodes: Sequence[int]) -> int:
        """Return the deepest node that holds all of these; -1 of none."""
        if not nodes:
            return -1
        first, last = min(nodes), max(nodes)
        while self.ends[first] <= last:
            first = self.parents[first]
        return first


def skeleton_of_bytes(body: bytes, *, content_type: str = "", limits: PageLimits = LIMITS) -> Skeleton:
    """Return the skeleton of a page as it came; an empty one if it cannot be parsed. Never raises."""
    marks: list[str] = []
    source, _ = convert_to_utf8(shorten_body(body, limits, marks), content_type, marks)
    try:
        tree = LexborHTMLParser(harden(source, limits, marks))
    except SelectolaxError:
        return build_skeleton([], [], [])
    return skeleton_of(tree)


def skeleton_of(tree: LexborHTMLParser, *, most_nodes: int = MOST_NODES) -> Skeleton:
    """Return the skeleton of a page that is parsed already."""
    return skeleton_and_nodes(tree, most_nodes=most_nodes)[0]


def skeleton_and_nodes(
    tree: LexborHTMLParser, *, most_nodes: int = MOST_NODES
) -> tuple[Skeleton, dict[int, int]]:
    """Return the skeleton of a page that is parsed already, and the node of each element by the parser's number for it.

    An element that is no node has the one that is nearest around it; one that is left out has none.
    """
    tags: list[str] = []
    classes: list[str] = []
    parents: list[int] = []
    named = {element.mem_id: _classes(element.attributes.get("class")) for element in tree.css("[class]")}
    nodes: dict[int, int] = {}
    unseen: set[int] = set()
    known: dict[int, tuple[str, int]] = {}
    title = ""
    for element in tree.css("*"):  # in the order of the document
        here, number = element.mem_id, element.tag_id
        tag, kind = known.get(number) or known.setdefault(number, _kind(element.tag or ""))
        if kind >= _UNSEEN:
            unseen.add(here)
            if kind == _NAMING and not title:
                title = element.text()
            continue
        parent = element.parent
        around = parent.mem_id if parent is not None else 0
        if around in unseen:
            unseen.add(here)
            continue
        node = nodes.get(around, -1)
        if kind == _LAYOUT and len(tags) < most_nodes:
            parents.append(node)
            node = len(tags)
            tags.append(tag)
            classes.append(named.get(here, ""))
        nodes[here] = node
    is_cut = len(tags) >= most_nodes
    return build_skeleton(tags, classes, parents, name_of(title), is_cut=is_cut), nodes


def build_skeleton(
    tags: Sequence[str],
    classes: Sequence[str],
    parents: Sequence[int],
    name: frozenset[str] = frozenset(),
    *,
    is_cut: bool = False,
) -> Skeleton:
    """Return the skeleton of elements in the order of the document, given with their parents.

    >>> build_skeleton(["html", "body", "p", "p"], [""] * 4, [-1, 0, 1, 1]).positions
    (0, 0, 0, 1)
    """
    size = len(tags)
    depths, positions, children = [0] * size, [0] * size, [0] * size
    for node, parent in enumerate(parents):
        if parent >= 0:
            depths[node] = depths[parent] + 1
            positions[node] = children[parent]
            children[parent] += 1
    ends = list(range(1, size + 1))
    for node in range(size - 1, 0, -1):
        parent = parents[node]
        if parent >= 0 and ends[node] > ends[parent]:
            ends[parent] = ends[node]
    return Skeleton(
        tuple(tags),
        tuple(classes),
        tuple(parents),
        tuple(depths),
        tuple(positions),
        tuple(ends),
        name,
        is_cut,
    )


def _kind(tag: str) -> tuple[str, int]:
    if tag in UNSEEN:
        return tag, _NAMING if tag == "title" else _UNSEEN
    return tag, _FORMATTING if tag in FORMATTING else _LAYOUT


@lru_cache(maxsize=8192)
def _classes(value: str | None) -> str:
    if not value:
        return ""
    if len(value) > _LONGEST_CLASS:
        value = value[:_LONGEST_CLASS]
    return " ".join(sorted(set(value.split()))) if " " in value or not value.isalnum() else value


def name_of(title: str) -> frozenset[str]:
    """Return the words of a page's name that could stand in a class.

    >>> sorted(name_of("The Big Sleep, by R. Chandler"))
    ['chandler', 'sleep']
    """
    return frozenset(word for word in _NAME.findall(title[:_LONGEST_NAME].lower()) if len(word) > 3)
