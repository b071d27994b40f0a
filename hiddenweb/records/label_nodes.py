"""The nodes of a page, read for what may be a label: texts, marks of labels, controls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.html.tags import BLOCKS, CELLS, NUMBERS, TEXT, numbers_of
from hiddenweb.records.attribute_names import clean
from hiddenweb.records.cells import has_words
from hiddenweb.records.labels import LABEL_CLASS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.html.node_table import NodeTable

LONGEST_LABEL = 40
"""Characters of a label; a limit of taste, as for the labels of answers."""

MOST_INSIDE = 60
"""Nodes of a label or a line; a limit of taste that keeps deep pages from costing squares."""

_MOST_WORDS = 6  # of a label; a limit of taste
_MOST_NODES = 2_000  # nodes of a value that are read; a limit of taste
_DEEPEST = 60  # elements around a node that are looked at; a limit of taste
_TABLE, _BR, _IMG = (NUMBERS[name] for name in ("table", "br", "img"))
EMPHASISED = numbers_of("b strong em i span small label legend h3 h4 h5 h6 u font")
NO_CONTENT = numbers_of(
    "nav footer aside select textarea button input option datalist noscript iframe object svg canvas audio video"
)
CONTROLS = numbers_of("input select textarea button")
DIVIDING = (BLOCKS | CELLS) - {_BR}
COLONS = (":", "：")
_NO_LABEL = re.compile(r"\bhttps?\s*[:：]?$|\d\s?[:：]?$|[.!?…]\s*[:：]?$|[|•·,;]", re.IGNORECASE)
"""Ends of a text that is an address, a time or a sentence, and signs between several things."""


def could_be_label(text: str) -> bool:
    """Say whether a text is short and in words, and no sentence, number or address.

    >>> could_be_label("Date of birth:"), could_be_label("10:30"), could_be_label("He came. Then:")
    (True, False, True)
    """
    bare = text.rstrip(" :：")
    return (
        0 < len(bare) <= LONGEST_LABEL
        and has_words(bare)
        and bare.count(" ") < _MOST_WORDS
        and not _NO_LABEL.search(text)
    )


class LabelNodes:
    """Answers questions about the nodes of one page."""

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.tags, self.ends, self.parents = table.tags, table.ends, table.parents

    def label(self, node: int) -> str:
        """Return the name in a label; empty if it cannot be one."""
        if self.has_control(node) or self.tags[node] == _TABLE:
            return ""
        text = self.text([node]) if self.ends[node] - node <= MOST_INSIDE else ""
        return clean(text) if could_be_label(text) else ""

    def is_marked(self, cell: int) -> bool:
        """Say whether a cell is marked as a label: by a colon, a class, or by being emphasised as a whole."""
        text = self.text([cell])
        if text.endswith(COLONS) or self.has_label_class(cell):
            return True
        inner = next(iter(self.children(cell, texts=False)), None)
        return inner is not None and self.tags[inner] in EMPHASISED and self.text([inner]) == text

    def has_label_class(self, place: int) -> bool:
        """Say whether an element has a class such as `label`."""
        style = self.table.attributes(place).get("class")
        return bool(style) and LABEL_CLASS.search(style or "") is not None

    def has_control(self, place: int) -> bool:
        """Say whether an element holds a control that people see."""
        return any(
            self.tags[inside] in CONTROLS and not self.is_hidden(inside)
            for inside in range(place, self.ends[place])
        )

    def is_hidden(self, control: int) -> bool:
        """Say whether a control is hidden."""
        return self.table.attributes(control).get("type") == "hidden"

    def is_aside(self, place: int) -> bool:
        """Say whether a node lies in what is no content, such as a menu."""
        return any(self.tags[around] in NO_CONTENT for around in self.around(place, _DEEPEST))

    def around(self, place: int, most: int) -> Iterator[int]:
        """Yield the elements around a node, the innermost first."""
        for _ in range(most):
            place = self.parents[place]
            if place < 0:
                return
            yield place

    def children(self, node: int, *, texts: bool = True) -> Iterator[int]:
        """Yield the children of a node."""
        child, end = node + 1, self.ends[node]
        while child < end:
            if texts or self.tags[child] != TEXT:
                yield child
            child = self.ends[child]

    def text(self, nodes: Iterable[int]) -> str:
        """Return the text of some nodes on one line; of a picture alone what it stands for."""
        pieces: list[str] = []
        pictures: list[str] = []
        for node in nodes:
            place = node
            while place < min(self.ends[node], node + _MOST_NODES):
                tag = self.tags[place]
                if tag in NO_CONTENT and place != node:
                    place = self.ends[place]
                    continue
                if tag == TEXT:
                    pieces.append(self.table.texts[place])
                elif tag in DIVIDING or tag == _BR:
                    pieces.append(" ")
                elif tag == _IMG:
                    pictures.append(self.table.attributes(place).get("alt") or "")
                place += 1
        return " ".join("".join(pieces).split()) or " ".join(" ".join(pictures).split())
