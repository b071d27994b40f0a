"""The nodes of a page as a table, made in one walk through its tree. The layout is read from its columns, without another walk.

A node is a number, and nodes are numbered in the order of the document: the nodes inside a node are the numbers from the next one up to its
end. Texts and comments are nodes, too; the contents of scripts, styles, templates and titles are left out. The skeleton
(`hiddenweb.html.skeleton`), the texts with their places (`hiddenweb.html.texts`) and the surroundings of sentences
(`hiddenweb.revisit.surroundings`) are derived from it. `hiddenweb.html.tree_walk` does not use it: it visits every page that is read, and
a table would cost it time.

The parser numbers the tags of the standard in the same way in every process, but gives all others the address of their name. These get a
number from their name here, so that paths through them can be stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

from hiddenweb.html.tags import COMMENT, NUMBERS, TEXT, numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

Attributes = dict[str, str | None]

MOST_NODES = 200_000
"""Most nodes of a page, a limit of taste: a page within the limits of size has fewer."""

_STANDARD_TAGS = (
    1_000  # the parser's numbers of standard tags are below 200; all others are addresses in memory
)
_LEFT_OUT = numbers_of("script style template title")
_TITLE = NUMBERS["title"]
NO_ATTRIBUTES: Attributes = {}


@dataclass(slots=True)
class NodeTable:
    """The columns of the table; the root is node 0."""

    tags: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # the first node that is not inside this one
    parents: list[int] = field(default_factory=list)  # -1 of the root
    texts: dict[int, str] = field(default_factory=dict)  # of texts only
    filled: dict[int, Attributes] = field(default_factory=dict)  # of elements that have attributes
    names: dict[int, str] = field(default_factory=dict)  # of the tags that occur
    numbers: list[int] = field(default_factory=list)  # the parser's own of each node, if they were wanted
    title: str = ""

    def __len__(self) -> int:
        return len(self.tags)

    def attributes(self, node: int) -> Attributes:
        """Return the attributes of a node."""
        return self.filled.get(node, NO_ATTRIBUTES)


def node_table(root: LexborNode | None, *, with_numbers: bool = False) -> NodeTable:
    """Return the table of a root and all nodes below it; an empty one without a root."""
    table = NodeTable()
    if root is not None:
        _fill(table, root, with_numbers=with_numbers)
    return table


def _fill(table: NodeTable, root: LexborNode, *, with_numbers: bool) -> None:  # noqa: C901 (a loop over every node: calls cost)
    tags, ends, parents, numbers = table.tags, table.ends, table.parents, table.numbers
    texts, filled, names = table.texts, table.filled, table.names
    stable: dict[int, int] = {}
    around: list[LexborNode] = []
    place, parent, node = 0, -1, root
    while True:
        tag = node.tag_id
        child = None
        if tag == TEXT:
            texts[place] = node.text_content or ""
        elif tag != COMMENT:
            if attributes := node.attributes:
                filled[place] = attributes
            if tag not in names:
                tag = stable.get(tag) or _number_of_tag(tag, node, stable, names)
            if tag == _TITLE and not table.title:
                table.title = node.text()
            if tag not in _LEFT_OUT:
                child = node.first_child
        tags.append(tag)
        parents.append(parent)
        if with_numbers:
            numbers.append(node.mem_id)
        place += 1
        ends.append(place)
        if place >= MOST_NODES:
            break
        if child is not None:
            around.append(node)
            parent, node = place - 1, child
            continue
        following = node.next if around else None
        while following is None and around:
            ends[parent] = place
            parent = parents[parent]
            node = around.pop()
            following = node.next if around else None
        if following is None:
            return
        node = following
    _close(ends, parents, parent)


def _number_of_tag(tag: int, node: LexborNode, stable: dict[int, int], names: dict[int, str]) -> int:
    name = node.tag or ""
    number = (
        tag if tag < _STANDARD_TAGS else _STANDARD_TAGS + xxh3_64_intdigest(name.encode("utf-8", "replace"))
    )
    stable[tag] = number
    names[number] = name
    return number


def _close(ends: list[int], parents: Sequence[int], parent: int) -> None:
    """End all nodes that are open at the place where a table is cut."""
    while parent >= 0:
        ends[parent] = len(ends)
        parent = parents[parent]
