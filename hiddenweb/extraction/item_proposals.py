"""Proposals for patterns of repeated items, given where the values of one record stand."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hiddenweb.extraction.item_lines import gaps_by_node, lines_of_node
from hiddenweb.extraction.item_pattern import ItemPattern, ItemStep, count_fitting, mark_of
from hiddenweb.extraction.node_pieces import NodePieces
from hiddenweb.html.path_numbers import class_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.extraction.item_pattern import Kind
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.html.skeleton import Skeleton
    from hiddenweb.html.texts import PageText

_T = TypeVar("_T")

_MOST_STEPS = 12
"""Elements around an item in its pattern; a limit of taste: beyond them all pages of a site are the same."""

_MOST_BACK = 6
"""Siblings before the first value that may be the start of its item; a limit of taste."""

_LONGEST_PERIOD = 5
"""The most siblings of an item whose start only counting identifies; a limit of taste: longer items have other signs."""

_PERIODIC = 0.9
"""The share of siblings that must equal those one period before; a limit of taste that allows for an advertisement."""


def propose_patterns(layout: PageLayout, values: Sequence[Sequence[PageText]]) -> list[ItemPattern]:
    """Return the patterns with an item that may hold all values, each of which stands in one of several texts.

    They are in the order in which they should be tried.
    """
    skeleton = layout.skeleton
    holders = [[text.node for text in texts] for texts in values]
    gaps = gaps_by_node(layout)
    found: dict[ItemPattern, None] = {}
    unsure: dict[ItemPattern, None] = {}
    for node in _smallest_holders(skeleton, holders)[:3]:
        unsure |= dict.fromkeys(_lines_around(layout, gaps, node, values))
        for pattern, is_plain in _runs_below(skeleton, node, holders):
            (found if is_plain else unsure)[pattern] = None
        for pattern in _single_elements(skeleton, node):
            found[pattern] = None
    return [*found, *(pattern for pattern in unsure if pattern not in found)]


def _smallest_holders(skeleton: Skeleton, holders: Sequence[Sequence[int]]) -> list[int]:
    """Return the innermost nodes that hold all values, the smallest first."""
    places = [np.unique(np.array(nodes, dtype=np.int64)) for nodes in holders]
    rarest = min(places, key=len)
    found = {_climb_to_holder(skeleton, int(node), places) for node in rarest}
    return sorted(
        (node for node in found if not any(node < other < skeleton.ends[node] for other in found)),
        key=lambda node: skeleton.ends[node] - node,
    )


def _climb_to_holder(
    skeleton: Skeleton, node: int, places: Sequence[np.ndarray[tuple[int], np.dtype[np.int64]]]
) -> int:
    """Return the nearest ancestor of a node that holds all values."""
    while skeleton.parents[node] >= 0:
        low, high = node, skeleton.ends[node]
        if all(np.searchsorted(each, low) < np.searchsorted(each, high) for each in places):
            return node
        node = skeleton.parents[node]
    return node


def _single_elements(skeleton: Skeleton, node: int) -> Iterator[ItemPattern]:
    """Yield the patterns whose items are single elements: a node or one of its ancestors."""
    for _ in range(_MOST_STEPS):
        parent = skeleton.parents[node]
        if parent < 0:
            return
        kinds_of_node = _kinds_like(skeleton, parent, node)
        around = _steps_around(skeleton, parent)
        step = ItemStep(skeleton.tags[node], kinds_of_node)
        if _count(skeleton, parent, step.tag) > 1:
            yield ItemPattern((step, *around))
        if around and skeleton.parents[parent] >= 0:
            kinds = _kinds_like(skeleton, skeleton.parents[parent], parent)
            is_grid = _count(skeleton, skeleton.parents[parent], around[0].tag) > 1
            if is_grid and (kinds != around[0].kinds or _count(skeleton, parent, step.tag) == 1):
                yield ItemPattern((step, ItemStep(around[0].tag, kinds), *around[1:]))
        node = parent


def widen_pattern(pattern: ItemPattern, pages: Sequence[PageLayout]) -> ItemPattern:
    """Return a pattern with all classes that alternate in the element around its items on other pages, such as striped rows of a grid.

    A page with one row does not show them.
    """
    if pattern.is_run or len(pattern.steps) < 3:
        return pattern
    start, around, *outer = pattern.steps
    kinds = dict.fromkeys(around.kinds)
    for skeleton in (page.skeleton for page in pages):
        for parent, rows in _rows_with(skeleton, start, around.tag).items():
            known_row = next((row for row in rows if around.fits(skeleton, row)), None)
            if known_row is not None and count_fitting(skeleton, parent, outer) == len(outer):
                similar = ItemStep(around.tag, _kinds_like(skeleton, parent, known_row))
                alternating = [
                    row for row in rows if similar.fits(skeleton, row) and not around.fits(skeleton, row)
                ]
                kinds |= dict.fromkeys(class_names(skeleton.classes[row]) for row in alternating)
    return replace(pattern, steps=(start, ItemStep(around.tag, tuple(kinds)), *outer))


def _rows_with(skeleton: Skeleton, start: ItemStep, tag: str) -> dict[int, list[int]]:
    """Return the elements with a tag that contain items, by their parents."""
    rows = dict.fromkeys(
        skeleton.parents[node]
        for node, name in enumerate(skeleton.tags)
        if name == start.tag and start.fits(skeleton, node)
    )
    found: defaultdict[int, list[int]] = defaultdict(list)
    for row in rows:
        if row > 0 and skeleton.tags[row] == tag:
            found[skeleton.parents[row]].append(row)
    return found


def _count(skeleton: Skeleton, parent: int, tag: str) -> int:
    return sum(1 for child in skeleton.children(parent) if skeleton.tags[child] == tag)


def _steps_around(skeleton: Skeleton, node: int) -> tuple[ItemStep, ...]:
    steps: list[ItemStep] = []
    while node >= 0 and len(steps) < _MOST_STEPS:
        steps.append(ItemStep(skeleton.tags[node], (class_names(skeleton.classes[node]),)))
        node = skeleton.parents[node]
    return tuple(steps)


def _kinds_like(skeleton: Skeleton, parent: int, node: int) -> tuple[Kind, ...]:
    """Return the sets of classes of siblings with the same tag that are items like a node.

    Siblings that share a class are one kind, named by their common classes. Siblings that alternate with them are other kinds: `odd` and `even`.
    """
    tag, own_kind = skeleton.tags[node], class_names(skeleton.classes[node])
    places: dict[Kind, list[int]] = {}
    for child in skeleton.children(parent):
        if skeleton.tags[child] == tag:
            places.setdefault(class_names(skeleton.classes[child]), []).append(child)
    usual = max(
        own_kind, key=lambda name: sum(len(places[kind]) for kind in places if name in kind), default=""
    )
    sharing = [kind for kind in places if usual in kind] or [own_kind]
    kinds: list[Kind] = [tuple(sorted(set.intersection(*map(set, sharing))))]
    own_nodes = places[own_kind]
    for kind, nodes in places.items():
        if kind in sharing or set(kind) & set(own_kind):
            continue
        is_between = len(own_nodes) > 1 and any(own_nodes[0] < each < own_nodes[-1] for each in nodes)
        is_around = len(nodes) > 1 and nodes[0] < own_nodes[-1] and own_nodes[0] < nodes[-1]
        if is_between or is_around:
            kinds.append(kind)
    if len(own_nodes) == 1 and len(kinds) == 1 and len(sharing) == 1:
        kinds += sorted(places.keys() - {own_kind}, key=lambda kind: -len(places[kind]))[:1]
    return tuple(kinds)


def _runs_below(
    skeleton: Skeleton, node: int, holders: Sequence[Sequence[int]]
) -> Iterator[tuple[ItemPattern, bool]]:
    """Yield the patterns whose items are runs of children of a node, and whether tag and classes identify the start."""
    children = list(skeleton.children(node))
    window = _window(skeleton, node, children, holders)
    if window is None or window[0] == window[1] or len(children) < 4:
        return
    first, last = window
    around = _steps_around(skeleton, node)
    has_start = False
    for is_marked in (False, True):
        kinds = [
            (
                skeleton.tags[child],
                class_names(skeleton.classes[child]),
                mark_of(skeleton, child) if is_marked else "",
            )
            for child in children
        ]
        for tag, classes, mark in _kinds_at_start(kinds, first, last):
            has_start = True
            yield ItemPattern((ItemStep(tag, (classes,)), *around), is_run=True, mark=mark), not is_marked
    if has_start:
        return
    plain = [(skeleton.tags[child], class_names(skeleton.classes[child])) for child in children]
    for period in range(max(last - first + 1, 2), _LONGEST_PERIOD + 1):
        repeated = [kind == later for kind, later in zip(plain, plain[period:], strict=False)]
        if len(children) < 3 * period or sum(repeated) < _PERIODIC * len(repeated):
            continue
        step = ItemStep(skeleton.tags[children[first]], (class_names(skeleton.classes[children[first]]),))
        yield ItemPattern((step, *around), is_run=True, period=period, offset=first % period), False


def _kinds_at_start(kinds: Sequence[_T], first: int, last: int) -> list[_T]:
    """Return the kinds of siblings with which an item may start that spans the first to the last, or begins some before."""
    counts = Counter(kinds)
    starts = [
        at
        for at in range(first, max(first - _MOST_BACK, 0) - 1, -1)
        if counts[kinds[at]] > 1
        and kinds[at] not in kinds[at + 1 : last + 1]
        and kinds[last] not in kinds[at:first]
    ]
    return [kinds[at] for at in sorted(starts, key=lambda at: (-counts[kinds[at]], first - at))[:2]]


def _lines_around(
    layout: PageLayout, gaps: dict[int, Counter[int]], node: int, values: Sequence[Sequence[PageText]]
) -> Iterator[ItemPattern]:
    """Yield the patterns whose items are lines, in the nearest ancestor of a node that has line breaks."""
    skeleton = layout.skeleton
    for _ in range(_MOST_STEPS):
        if node in gaps or node < 0:
            break
        node = skeleton.parents[node]
    if node not in gaps:
        return
    lines = lines_of_node(layout, NodePieces(layout), node, gaps[node])
    starts = [line.first for line in lines]
    lines_of_values = [
        [
            at
            for text in texts
            for at in [bisect_right(starts, text.first) - 1]
            if at >= 0 and text.last < lines[at].last
        ]
        for texts in values
    ]
    window = _shortest(lines_of_values)
    if window is None:
        return
    first, last = window
    around = _steps_around(skeleton, node)
    if first == last:
        yield ItemPattern(around, is_run=True, gap=1)
    widest = max((line.gap for line in lines[first + 1 : last + 1]), default=1)
    for gap in sorted({line.gap for line in lines[1:] if line.gap > widest}):
        yield ItemPattern(around, is_run=True, gap=gap)
    for mark in _kinds_at_start([line.mark for line in lines], first, last):
        yield ItemPattern(around, is_run=True, gap=1, mark=mark)


def _window(
    skeleton: Skeleton, node: int, children: Sequence[int], holders: Sequence[Sequence[int]]
) -> tuple[int, int] | None:
    """Return the first and the last child of the shortest run of children that holds all values."""
    starts = np.array(children, dtype=np.int64)
    children_of_values: list[list[int]] = []
    for nodes in holders:
        inside = [each for each in nodes if node < each < skeleton.ends[node]]
        children_of_values.append((np.searchsorted(starts, inside, side="right") - 1).tolist())
    return _shortest(children_of_values)


def _shortest(places: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """Return the shortest range in which each value has one of its places; None if a value has none."""
    sorted_places = sorted((at, value) for value, each in enumerate(places) for at in each)
    shortest: tuple[int, int] | None = None
    counts: Counter[int] = Counter()
    low = 0
    for high, value in sorted_places:
        counts[value] += 1
        while counts[sorted_places[low][1]] > 1:
            counts[sorted_places[low][1]] -= 1
            low += 1
        if len(counts) == len(places):
            window = sorted_places[low][0], high
            if shortest is None or window[1] - window[0] < shortest[1] - shortest[0]:
                shortest = window
    return shortest
