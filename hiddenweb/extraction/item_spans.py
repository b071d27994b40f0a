"""Finding the repeated items of a page by their pattern.

Items are grouped in tiers by how many elements around them fit; the best tier comes first. The time is linear in the size of the page: only a few ancestors of each node are visited.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from hiddenweb.extraction.item_lines import gaps_by_node, lines_of_node, runs_of_lines
from hiddenweb.extraction.item_pattern import ItemSpan, count_fitting, mark_of
from hiddenweb.extraction.node_pieces import NodePieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.extraction.item_pattern import ItemPattern
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.html.skeleton import Skeleton

_MOST_ITEMS = 1_000
"""The most items of a page; a limit of taste: few pages list more than some hundred records."""


def find_spans(layout: PageLayout, pattern: ItemPattern) -> Iterator[list[ItemSpan]]:
    """Yield the items of a page in tiers, those with the most fitting elements around them first."""
    skeleton = layout.skeleton
    if pattern.gap:
        yield from _find_lines(layout, pattern)
        return
    groups: defaultdict[int, list[int]] = defaultdict(list)
    start = pattern.steps[0]
    for node, tag in enumerate(skeleton.tags):
        if tag == start.tag:
            groups[skeleton.parents[node]].append(node)
    tiers: defaultdict[int, list[int]] = defaultdict(list)
    for parent in groups:
        fitting = count_fitting(skeleton, parent, pattern.steps[1:])
        if fitting or len(pattern.steps) == 1:
            tiers[fitting].append(parent)
    pieces = NodePieces(layout)
    for fitting in sorted(tiers, reverse=True):
        spans: list[ItemSpan] = []
        for parent in tiers[fitting]:
            nodes = groups[parent][: _MOST_ITEMS - len(spans)]
            spans += _spans_below(skeleton, pieces, pattern, parent, nodes)
            if len(spans) >= _MOST_ITEMS:
                break
        if spans:
            yield _drop_inner(spans)[:_MOST_ITEMS]


def _spans_below(
    skeleton: Skeleton, pieces: NodePieces, pattern: ItemPattern, parent: int, nodes: Sequence[int]
) -> list[ItemSpan]:
    """Return the items among the children of a node; none if no child is surely an item."""
    start = pattern.steps[0]
    if not pattern.is_run:
        spans = [
            ItemSpan(node, skeleton.ends[node], *pieces.inside(node), parent, start.fits(skeleton, node))
            for node in nodes
        ]
        return spans if any(span.is_sure for span in spans) else []
    children = list(skeleton.children(parent)) if parent >= 0 else [0]
    starts = _starts(skeleton, pattern, children)
    spans = []
    for at, end in _runs(starts, len(children))[: len(nodes)]:
        first, last = children[at], children[end - 1]
        texts = pieces.pieces_between(first, last, is_last=at == starts[-1])
        spans.append(ItemSpan(first, skeleton.ends[last], *texts, parent, True))
    return spans


def _find_lines(layout: PageLayout, pattern: ItemPattern) -> Iterator[list[ItemSpan]]:
    """Yield the items of a page that are lines in tiers, those with the most fitting elements around them first."""
    gaps, pieces = gaps_by_node(layout), NodePieces(layout)
    tiers: defaultdict[int, list[ItemSpan]] = defaultdict(list)
    for node in gaps:
        fitting = count_fitting(layout.skeleton, node, pattern.steps)
        if fitting and len(tiers[fitting]) < _MOST_ITEMS:
            lines = lines_of_node(layout, pieces, node, gaps[node])
            children = list(layout.skeleton.children(node))
            tiers[fitting] += [
                _span_of_lines(layout, node, children, lines[at].first, lines[end - 1].last)
                for at, end in runs_of_lines(pattern, lines)
            ]
    for fitting in sorted(tiers, reverse=True):
        yield tiers[fitting][:_MOST_ITEMS]


def _span_of_lines(
    layout: PageLayout, parent: int, children: Sequence[int], first: int, last: int
) -> ItemSpan:
    """Return an item of some pieces of a node: it starts with the first child that has one of them, or else with the node itself."""
    nodes = [piece.node for piece in layout.texts.pieces[first:last] if piece.node > parent]
    if not nodes:
        return ItemSpan(parent, parent, first, last, parent, True)
    start, end = (children[bisect_right(children, node) - 1] for node in (min(nodes), max(nodes)))
    return ItemSpan(start, layout.skeleton.ends[end], first, last, parent, True)


def _starts(skeleton: Skeleton, pattern: ItemPattern, children: Sequence[int]) -> list[int]:
    if pattern.period:
        return list(range(pattern.offset, len(children), pattern.period))
    start = pattern.steps[0]
    return [
        at
        for at, node in enumerate(children)
        if start.fits(skeleton, node) and (not pattern.mark or mark_of(skeleton, node) == pattern.mark)
    ]


def _runs(starts: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Return the range of each run: the last is no longer than the longest of the others."""
    if not starts:
        return []
    runs = list(pairwise(starts))
    longest = max((end - at for at, end in runs), default=count)
    return [*runs, (starts[-1], min(count, starts[-1] + longest))]


def _drop_inner(spans: list[ItemSpan]) -> list[ItemSpan]:
    """Return items in the order of the page, without nested ones."""
    outer: list[ItemSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not outer or span.start >= outer[-1].end:
            outer.append(span)
    return outer
