"""The lines of an element, for repeated items that are lines and not elements.

An element is divided at its own line breaks and rules, and around the blocks in it. An item is a line, or all lines up to a larger gap (an empty line, a rule), or up to the next line
that starts in the same kind of element.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hiddenweb.html.tags import BLOCKS, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.extraction.item_pattern import ItemPattern
    from hiddenweb.extraction.node_pieces import NodePieces
    from hiddenweb.html.layout import PageLayout

_LINES_OF_BLOCK = 3
"""Line breaks that the edge of a block counts as, like a rule in `hiddenweb.html.texts`: more than an empty line."""

_FIRST_OF_ALL = 1_000
"""Assumed line breaks before the first line of an element: more than between any two lines."""


@dataclass(frozen=True, slots=True)
class ItemLine:
    """A line of an element: pieces from the first to before the last."""

    first: int
    last: int
    gap: int  # line breaks before it
    mark: str  # the element it starts in


def gaps_by_node(layout: PageLayout) -> dict[int, Counter[int]]:
    """Return the nodes with line breaks of their own: how many before which piece."""
    found: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for piece, node, lines in layout.texts.breaks:
        found[node][piece] += lines
    return found


def lines_of_node(layout: PageLayout, pieces: NodePieces, node: int, breaks: Counter[int]) -> list[ItemLine]:
    """Return the lines of a node: divided at its line breaks, and around blocks in it."""
    gaps = Counter(breaks)
    for child in layout.skeleton.children(node):
        if NUMBERS.get(layout.skeleton.tags[child]) in BLOCKS:
            for at in set(pieces.inside(child)):
                gaps[at] = max(gaps[at], _LINES_OF_BLOCK)
    first, end = pieces.inside(node)
    cuts = [first, *sorted(at for at in gaps if first < at < end), end]
    return [
        ItemLine(at, to, gaps[at] if at > first else _FIRST_OF_ALL, str(layout.texts.pieces[at].steps[0]))
        for at, to in pairwise(cuts)
        if to > at
    ]


def runs_of_lines(pattern: ItemPattern, lines: Sequence[ItemLine]) -> list[tuple[int, int]]:
    """Return the first line and the end of each item: the last ends at a gap larger than those inside the others."""
    starts = [
        at for at, line in enumerate(lines) if line.gap >= pattern.gap and pattern.mark in ("", line.mark)
    ]
    if not starts:
        return []
    runs = list(pairwise(starts))
    inside = (line.gap for at, end in runs for line in lines[at + 1 : end])
    widest = max(inside, default=max(pattern.gap - 1, 1))
    after = range(starts[-1] + 1, len(lines))
    return [*runs, (starts[-1], next((at for at in after if lines[at].gap > widest), len(lines)))]
