"""The texts of a repeated item, taken from those of its page.

Their paths begin at the item, so that each item can be read like a page about one record.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.html.path_numbers import FACTOR, MASK, PLACES, WHOLE, stable_hash, step_number
from hiddenweb.html.tags import NUMBERS
from hiddenweb.html.texts import PageText, PageTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.extraction.item_pattern import ItemSpan
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.html.skeleton import Skeleton

_MOST_IN_LINE = 64
"""Pieces of a line whose places are distinguished; a limit of taste: a line of a record has fewer."""

_ROOT = 0xA24BAED4963EE407
"""The step of an item itself, whatever its tag and classes: a number that no other step is likely to have."""


def texts_of_spans(layout: PageLayout, spans: Sequence[ItemSpan], *, is_run: bool) -> list[PageTexts]:
    """Return the texts of each item like those of a page: their paths begin at the item."""
    wholes: defaultdict[int, list[PageText]] = defaultdict(list)
    for whole in layout.texts.wholes:
        wholes[whole.first].append(whole)
    breaks = sorted({piece for piece, _, _ in layout.texts.breaks}) if is_run else None
    return [_texts(layout, span, wholes, breaks) for span in spans]


def _texts(
    layout: PageLayout, span: ItemSpan, wholes: dict[int, list[PageText]], breaks: Sequence[int] | None
) -> PageTexts:
    """Return the texts of an item; `breaks` are where lines of the page begin, if the item is a run."""
    skeleton = layout.skeleton
    is_run = breaks is not None
    paths = _paths(skeleton, span, is_run=is_run)
    top = 0 if is_run else _step_of_node(skeleton.tags[span.start], skeleton.classes[span.start])
    pieces = tuple(
        _rebase_text(piece, span, paths, top, skeleton, breaks)
        for piece in layout.texts.pieces[span.first : span.last]
    )
    inside = tuple(
        _rebase_text(whole, span, paths, top, skeleton, breaks)
        for at in range(span.first, span.last)
        for whole in wholes.get(at, ())
        if whole.last < span.last and whole.node in paths and whole.node >= span.start
    )
    return PageTexts(pieces, inside)


def _paths(skeleton: Skeleton, span: ItemSpan, *, is_run: bool) -> dict[int, tuple[int, int, int]]:
    """Return the path from an item to each node in it: with positions, with tags, with classes."""
    root = span.parent if is_run else span.start
    paths = {root: (0, 0, 0)}
    counts: Counter[tuple[int, str]] = Counter()
    for node in range(span.start + (not is_run), span.end):
        parent, tag = skeleton.parents[node], skeleton.tags[node]
        exact, tags, classes = paths[parent]
        number = _number_of(tag)
        nth = counts[parent, tag] = counts[parent, tag] + 1
        paths[node] = (
            (exact * FACTOR + number + nth) & MASK,
            (tags * FACTOR + number) & MASK,
            (classes * FACTOR + _step_of_node(tag, skeleton.classes[node])) & MASK,
        )
    return paths


def _rebase_text(
    text: PageText,
    span: ItemSpan,
    paths: dict[int, tuple[int, int, int]],
    top: int,
    skeleton: Skeleton,
    breaks: Sequence[int] | None,
) -> PageText:
    """Return a text with its place relative to its item; a loose text in a run gets its place in the lines."""
    steps = _steps_below(text.steps, top)
    node = text.node
    own_step = steps[0] if text.steps[0] != _step_of_node(skeleton.tags[node], skeleton.classes[node]) else 0
    exact, tags, classes = paths.get(node, (0, 0, 0))
    is_loose = not own_step and node == span.parent and text.first == text.last
    position = (
        text.position if breaks is None or not is_loose else _place_in_line(text.first, span.first, breaks)
    )
    rebased = PageText.__new__(PageText)
    rebased.text, rebased.folded, rebased.key = text.text, text.folded, text.key
    rebased.first, rebased.last = text.first - span.first, text.last - span.first
    rebased.exact = (exact * PLACES + own_step + (position & MASK)) & MASK
    rebased.tags = (tags * PLACES + own_step) & MASK
    rebased.classes = (classes * PLACES + own_step) & MASK
    rebased.steps, rebased.names = steps, text.names
    rebased.below_id, rebased.position, rebased.link = text.below_id, position, text.link
    rebased.left, rebased.above, rebased.heading, rebased.node = text.left, text.above, text.heading, node
    return rebased


def _place_in_line(piece: int, first: int, breaks: Sequence[int]) -> int:
    """Return a number for the line of a piece in its item and its index in the line."""
    line = bisect_right(breaks, piece)
    start = max(first, breaks[line - 1]) if line else first
    return (line - bisect_right(breaks, first)) * _MOST_IN_LINE + piece - start


def _steps_below(steps: tuple[int, int, int], top: int) -> tuple[int, int, int]:
    """Return the steps of a text below its item; the item and its ancestors get neutral steps."""
    below = []
    for step in steps:
        if step in (top, (top + WHOLE) & MASK):
            below.append(_ROOT if step == top else (_ROOT + WHOLE) & MASK)
            break
        below.append(step)
    below += [0] * (3 - len(below))
    return below[0], below[1], below[2]


@lru_cache(maxsize=1_024)
def _number_of(tag: str) -> int:
    return stable_hash(tag) & ~0xFFFF


@lru_cache(maxsize=8_192)
def _step_of_node(tag: str, classes: str) -> int:
    return step_number(NUMBERS.get(tag, 0), classes)
