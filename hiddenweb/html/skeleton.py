"""The skeleton of a page: its layout elements without their texts.

The paper on bar-trees (see `hiddenweb.extraction.bartree`) removes text and tags that only format text from a page before it compares
layouts. So does this: `b`, `i`, `font`, `br` and the like are left out and their contents belong to the element around them; scripts, styles
and other invisible elements, or those visible only in a control (`option`), are left out with their contents. `span` and `a` stay, since
modern pages use them for layout, and they have classes.

A node is a number, and nodes are numbered in the order of the document, so the elements before a node are its ancestors and those that were
closed before it. Making a skeleton takes time linear in the size of the page; the limits are those of `hiddenweb.html.reader`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.html.node_table import node_table
from hiddenweb.html.tags import COMMENT, TEXT
from hiddenweb.language.tokens import word_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborHTMLParser

    from hiddenweb.html.node_table import NodeTable


MOST_NODES = 50_000
"""Most nodes of a skeleton; elements after them in the page are left out."""

_FORMATTING_NAMES = (
    "abbr acronym b basefont bdi bdo big blink br cite code del dfn em font i ins kbd mark nobr q s samp small "
    "strike strong sub sup tt u var wbr"
)
_UNSEEN_NAMES = "base link meta noscript optgroup option param script source style template title track"

FORMATTING = frozenset(_FORMATTING_NAMES.split())
"""Tags that format text: their contents belong to the element around them."""

UNSEEN = frozenset(_UNSEEN_NAMES.split())
"""Tags that are left out with their contents."""

_NO_ELEMENTS = frozenset((TEXT, COMMENT))
_LAYOUT, _FORMATTING, _UNSEEN = range(3)
_LONGEST_NAME = 300  # characters; a limit of taste
_LONGEST_CLASS = 200  # characters of the classes of an element; a limit of taste


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
        """Return the deepest node that holds all of these; -1 if there are none."""
        if not nodes:
            return -1
        first, last = min(nodes), max(nodes)
        while self.ends[first] <= last:
            first = self.parents[first]
        return first


def skeleton_of(tree: LexborHTMLParser, *, most_nodes: int = MOST_NODES) -> Skeleton:
    """Return the skeleton of a parsed page."""
    return skeleton_of_table(node_table(tree.root), most_nodes=most_nodes)[0]


def skeleton_and_nodes(
    tree: LexborHTMLParser, *, most_nodes: int = MOST_NODES
) -> tuple[Skeleton, dict[int, int]]:
    """Return the skeleton of a parsed page, and the node of each element by the parser's number for it.

    An element that is no node has the nearest node around it; an element that is left out has none.
    """
    table = node_table(tree.root, with_numbers=True)
    skeleton, nodes = skeleton_of_table(table, most_nodes=most_nodes)
    found = {
        number: node
        for number, node, tag in zip(table.numbers, nodes, table.tags, strict=True)
        if node >= 0 and tag not in _NO_ELEMENTS
    }
    return skeleton, found


def skeleton_of_table(table: NodeTable, *, most_nodes: int = MOST_NODES) -> tuple[Skeleton, list[int]]:
    """Return the skeleton of a page, and for each node of its table the node of the skeleton that it is or is in; -1 if it is left out."""
    tags: list[str] = []
    classes: list[str] = []
    parents: list[int] = []
    nodes: list[int] = []
    kinds = {number: _kind(name) for number, name in table.names.items()}
    filled = table.filled
    left_out = 0  # the end of the part that is left out
    for place, (number, around) in enumerate(zip(table.tags, table.parents, strict=True)):
        node = nodes[around] if around >= 0 else -1
        if place < left_out or number in _NO_ELEMENTS:
            nodes.append(node)
            continue
        kind = kinds[number]
        if kind == _UNSEEN:
            left_out = table.ends[place]
            node = -1
        elif kind == _LAYOUT and len(tags) < most_nodes:
            parents.append(node)
            node = len(tags)
            tags.append(table.names[number])
            attributes = filled.get(place)
            classes.append(_classes(attributes.get("class")) if attributes else "")
        nodes.append(node)
    is_cut = len(tags) >= most_nodes
    return build_skeleton(tags, classes, parents, name_of(table.title), is_cut=is_cut), nodes


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


def _kind(tag: str) -> int:
    return _UNSEEN if tag in UNSEEN else _FORMATTING if tag in FORMATTING else _LAYOUT


@lru_cache(maxsize=8192)
def _classes(value: str | None) -> str:
    if not value:
        return ""
    if len(value) > _LONGEST_CLASS:
        value = value[:_LONGEST_CLASS]
    return " ".join(sorted(set(value.split()))) if " " in value or not value.isalnum() else value


def name_of(title: str) -> frozenset[str]:
    """Return the words of a page's title that could be in a class.

    >>> sorted(name_of("The Big Sleep, by R. Chandler"))
    ['chandler', 'sleep']
    """
    return frozenset(word for word in word_runs(title[:_LONGEST_NAME].lower()) if len(word) > 3)
