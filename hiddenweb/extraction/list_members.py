"""The members of a repeated structure: the rows of a table, the cards of a grid, the terms of a list, each with its own texts.

A structure is known by the element a member starts with and by those around it, each by its tag and its classes (digits do not count). Classes may differ from
member to member (`odd` and `even`, `first`), so a step knows several sets of them, and a page may bring others: siblings with the same tag are members, too, but
less surely. A member is that one element, or a run: it goes on to the next start (`h3` and `div`, `dt` and `dd`, two rows of a table). Where nothing tells the
start, every second or third sibling is one.

Where there are no elements between members, lines are: an element is cut at its own line breaks and rules. A member is a line, or all lines up to a larger gap (an empty line, a
rule), or up to the next line that starts in the same kind of element.

`structures_around` proposes structures for the nodes in which the values of one record stand. `members_in` finds the members on a page; those that agree in
most of the elements around them come first, in a tier of their own. `texts_of` cuts the texts of a member out of those of the page, with paths that begin at the
member, so that each can be read as if it were a page. All takes time linear to the page: no more than some steps are climbed from any node.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hiddenweb.html.tags import BLOCKS, NUMBERS
from hiddenweb.html.texts import PageText, PageTexts, stable_hash, step_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.html.layout import PageLayout
    from hiddenweb.html.skeleton import Skeleton

    Kind = tuple[str, ...]  # classes, sorted

_T = TypeVar("_T")

_LINES_OF_BLOCK = 3  # what stands before or behind a block is as far from it as from a rule
_FIRST_OF_ALL = 1_000  # lines that stand before the first, as it were
_MOST_IN_LINE = 64  # pieces of a line that are told apart
_MOST_STEPS = 12  # elements around a member that are looked at
_MOST_MEMBERS = 1_000
_MOST_BACK = 6  # siblings before the first value that may be the start of its member
_LONGEST_PERIOD = 5
_PERIODIC = 0.9  # of the siblings that are as those a period before
_DIGITS = re.compile(r"\d+")
_MASK = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15
_WHOLE = 0xD1B54A32D192ED03  # as `hiddenweb.html.texts` marks a text that is put together
_ROOT = 0xA24BAED4963EE407


@dataclass(frozen=True, slots=True)
class MemberStep:
    """An element by its tag and the sets of classes of which it has one."""

    tag: str
    kinds: tuple[Kind, ...]

    def fits(self, skeleton: Skeleton, node: int) -> bool:
        """Say whether a node is such an element."""
        if skeleton.tags[node] != self.tag:
            return False
        classes = set(kind_of(skeleton.classes[node]))
        return any(classes.issuperset(kind) if kind else not classes for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class ItemPattern:
    """How the members of a repeated structure are found on a page."""

    steps: tuple[MemberStep, ...]  # what a member starts with, then what is around it, outwards
    is_run: bool = False  # a member goes on to the next start
    mark: str = ""  # tags inside the start, where tag and classes do not tell it
    period: int = 0  # every how many siblings a member starts, where nothing else tells it
    offset: int = 0
    gap: int = 0  # where lines and not elements are members: line breaks before the first, at the least


@dataclass(frozen=True, slots=True)
class ListMember:
    """A part of a page: nodes from the first to before the last, and pieces of text likewise."""

    start: int
    end: int
    first: int
    last: int
    parent: int
    is_sure: bool  # it has the classes of the others


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of an element: pieces from the first to before the last."""

    first: int
    last: int
    gap: int  # line breaks before it
    mark: str  # the element it starts in


@lru_cache(maxsize=8_192)
def kind_of(classes: str) -> Kind:
    """Return classes as they are compared.

    >>> kind_of("row-12 Odd")
    ('odd', 'row-0')
    """
    return tuple(sorted(set(_DIGITS.sub("0", classes).lower().split())))


# Finding members


def members_in(layout: PageLayout, structure: ItemPattern) -> Iterator[list[ListMember]]:
    """Yield the members of a page, those first of which most elements around them are as they should be."""
    skeleton = layout.skeleton
    if structure.gap:
        yield from _lines_as_members(layout, structure)
        return
    groups: defaultdict[int, list[int]] = defaultdict(list)
    start = structure.steps[0]
    for node, tag in enumerate(skeleton.tags):
        if tag == start.tag:
            groups[skeleton.parents[node]].append(node)
    tiers: defaultdict[int, list[int]] = defaultdict(list)
    for parent in groups:
        fitting = _fitting(skeleton, parent, structure.steps[1:])
        if fitting or len(structure.steps) == 1:
            tiers[fitting].append(parent)
    pieces = _Pieces(layout)
    for fitting in sorted(tiers, reverse=True):
        members: list[ListMember] = []
        for parent in tiers[fitting]:
            nodes = groups[parent][: _MOST_MEMBERS - len(members)]
            members += _members_of(skeleton, pieces, structure, parent, nodes)
            if len(members) >= _MOST_MEMBERS:
                break
        if members:
            yield _outermost(members)[:_MOST_MEMBERS]


def _fitting(skeleton: Skeleton, node: int, steps: Sequence[MemberStep]) -> int:
    """Return how many elements around a member are as they should be, from the nearest on."""
    for count, step in enumerate(steps):
        if node < 0 or not step.fits(skeleton, node):
            return count
        node = skeleton.parents[node]
    return len(steps)


def _members_of(
    skeleton: Skeleton, pieces: _Pieces, structure: ItemPattern, parent: int, nodes: Sequence[int]
) -> list[ListMember]:
    """Return the members among the children of a node; none if none of them is surely one."""
    start = structure.steps[0]
    if not structure.is_run:
        members = [
            ListMember(node, skeleton.ends[node], *pieces.inside(node), parent, start.fits(skeleton, node))
            for node in nodes
        ]
        return members if any(member.is_sure for member in members) else []
    children = list(skeleton.children(parent)) if parent >= 0 else [0]
    starts = _starts(skeleton, structure, children)
    members = []
    for at, end in _runs(starts, len(children))[: len(nodes)]:
        first, last = children[at], children[end - 1]
        texts = pieces.pieces_between(first, last, is_last=at == starts[-1])
        members.append(ListMember(first, skeleton.ends[last], *texts, parent, True))
    return members


def _lines_as_members(layout: PageLayout, structure: ItemPattern) -> Iterator[list[ListMember]]:
    """Yield the members of a page that are lines, those first of which most elements around them are as they should be."""
    gaps, pieces = _gaps_of(layout), _Pieces(layout)
    tiers: defaultdict[int, list[ListMember]] = defaultdict(list)
    for node in gaps:
        fitting = _fitting(layout.skeleton, node, structure.steps)
        if fitting and len(tiers[fitting]) < _MOST_MEMBERS:
            lines = _lines_of(layout, pieces, node, gaps[node])
            children = list(layout.skeleton.children(node))
            tiers[fitting] += [
                _member_of_lines(layout, node, children, lines[at].first, lines[end - 1].last)
                for at, end in _runs_of_lines(structure, lines)
            ]
    for fitting in sorted(tiers, reverse=True):
        yield tiers[fitting][:_MOST_MEMBERS]


def _gaps_of(layout: PageLayout) -> dict[int, Counter[int]]:
    """Return the nodes with line breaks of their own: before which pieces, and how many."""
    found: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for piece, node, lines in layout.texts.breaks:
        found[node][piece] += lines
    return found


def _lines_of(layout: PageLayout, pieces: _Pieces, node: int, breaks: Counter[int]) -> list[_Line]:
    """Return the lines of a node, given where it breaks: there, and around blocks in it."""
    gaps = Counter(breaks)
    for child in layout.skeleton.children(node):
        if NUMBERS.get(layout.skeleton.tags[child]) in BLOCKS:
            for at in set(pieces.inside(child)):
                gaps[at] = max(gaps[at], _LINES_OF_BLOCK)
    first, end = pieces.inside(node)
    cuts = [first, *sorted(at for at in gaps if first < at < end), end]
    return [
        _Line(at, to, gaps[at] if at > first else _FIRST_OF_ALL, str(layout.texts.pieces[at].steps[0]))
        for at, to in pairwise(cuts)
        if to > at
    ]


def _runs_of_lines(structure: ItemPattern, lines: Sequence[_Line]) -> list[tuple[int, int]]:
    """Return from which to which line each member goes: the last up to a gap that is larger than those in the others."""
    starts = [
        at for at, line in enumerate(lines) if line.gap >= structure.gap and structure.mark in ("", line.mark)
    ]
    if not starts:
        return []
    runs = list(pairwise(starts))
    inside = (line.gap for at, end in runs for line in lines[at + 1 : end])
    widest = max(inside, default=max(structure.gap - 1, 1))
    after = range(starts[-1] + 1, len(lines))
    return [*runs, (starts[-1], next((at for at in after if lines[at].gap > widest), len(lines)))]


def _member_of_lines(
    layout: PageLayout, parent: int, children: Sequence[int], first: int, last: int
) -> ListMember:
    """Return a member that has some pieces of a node: it starts with the first child in which they stand, or with the node itself if in none."""
    nodes = [piece.node for piece in layout.texts.pieces[first:last] if piece.node > parent]
    if not nodes:
        return ListMember(parent, parent, first, last, parent, True)
    start, end = (children[bisect_right(children, node) - 1] for node in (min(nodes), max(nodes)))
    return ListMember(start, layout.skeleton.ends[end], first, last, parent, True)


def _starts(skeleton: Skeleton, structure: ItemPattern, children: Sequence[int]) -> list[int]:
    if structure.period:
        return list(range(structure.offset, len(children), structure.period))
    start = structure.steps[0]
    return [
        at
        for at, node in enumerate(children)
        if start.fits(skeleton, node) and (not structure.mark or mark_of(skeleton, node) == structure.mark)
    ]


def _runs(starts: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Return from where to where each run goes: the last no farther than the longest of the others."""
    if not starts:
        return []
    runs = list(pairwise(starts))
    longest = max((end - at for at, end in runs), default=count)
    return [*runs, (starts[-1], min(count, starts[-1] + longest))]


def mark_of(skeleton: Skeleton, node: int) -> str:
    """Return what is inside a node, roughly: its children's tags, each once, and for a row how many cells there are."""
    children = list(skeleton.children(node))[:50]
    inside = {
        f"{skeleton.tags[child]}>{skeleton.tags[below]}"
        for child in children
        for below in list(skeleton.children(child))[:1]
    }
    tags = {skeleton.tags[child] for child in children}
    count = len(children) if skeleton.tags[node] == "tr" else 0
    return " ".join([*sorted(tags | inside), str(count)])


def _outermost(members: list[ListMember]) -> list[ListMember]:
    """Return members in the order of the page, without those inside another."""
    kept: list[ListMember] = []
    for member in sorted(members, key=lambda member: (member.start, -member.end)):
        if not kept or member.start >= kept[-1].end:
            kept.append(member)
    return kept


class _Pieces:
    """Which pieces of text stand in which nodes."""

    def __init__(self, layout: PageLayout) -> None:
        self._ends = layout.skeleton.ends
        nodes = np.array([piece.node for piece in layout.texts.pieces], dtype=np.int64)
        self._order = np.argsort(nodes, kind="stable")
        self._nodes = nodes[self._order]
        later = np.minimum.accumulate(self._order[::-1])[::-1] if len(nodes) else self._order
        self._first_from = np.append(later, len(nodes))

    def inside(self, node: int) -> tuple[int, int]:
        """Return the first piece in a node and the first behind it."""
        return self._pieces_of_nodes(node, self._ends[node])

    def pieces_between(self, first: int, last: int, *, is_last: bool) -> tuple[int, int]:
        """Return the pieces from a node to another, with what stands loose between and behind them."""
        start, end = self._pieces_of_nodes(first, self._ends[last])
        if is_last:
            return start, end
        following = int(self._first_from[int(np.searchsorted(self._nodes, self._ends[last]))])
        return start, max(end, following) if end > start else end

    def _pieces_of_nodes(self, first: int, end: int) -> tuple[int, int]:
        low, high = np.searchsorted(self._nodes, (first, end)).tolist()
        inside = self._order[low:high]
        return (int(inside.min()), int(inside.max()) + 1) if high > low else (0, 0)


# The texts of a member


def texts_of(layout: PageLayout, members: Sequence[ListMember], *, is_run: bool) -> list[PageTexts]:
    """Return the texts of each member, as if it were a page: their paths begin at the member."""
    wholes: defaultdict[int, list[PageText]] = defaultdict(list)
    for whole in layout.texts.wholes:
        wholes[whole.first].append(whole)
    breaks = sorted({piece for piece, _, _ in layout.texts.breaks}) if is_run else None
    return [_texts(layout, member, wholes, breaks) for member in members]


def _texts(
    layout: PageLayout, member: ListMember, wholes: dict[int, list[PageText]], breaks: Sequence[int] | None
) -> PageTexts:
    """Return the texts of a member; `breaks` are where lines of the page begin, if the member is a run."""
    skeleton = layout.skeleton
    is_run = breaks is not None
    paths = _paths(skeleton, member, is_run=is_run)
    top = 0 if is_run else _step_of_node(skeleton.tags[member.start], skeleton.classes[member.start])
    pieces = tuple(
        _rebase_text(piece, member, paths, top, skeleton, breaks)
        for piece in layout.texts.pieces[member.first : member.last]
    )
    inside = tuple(
        _rebase_text(whole, member, paths, top, skeleton, breaks)
        for at in range(member.first, member.last)
        for whole in wholes.get(at, ())
        if whole.last < member.last and whole.node in paths and whole.node >= member.start
    )
    return PageTexts(pieces, inside)


def _paths(skeleton: Skeleton, member: ListMember, *, is_run: bool) -> dict[int, tuple[int, int, int]]:
    """Return the path from a member to each node in it: with positions, with tags, with classes."""
    root = member.parent if is_run else member.start
    paths = {root: (0, 0, 0)}
    counts: Counter[tuple[int, str]] = Counter()
    for node in range(member.start + (not is_run), member.end):
        parent, tag = skeleton.parents[node], skeleton.tags[node]
        exact, tags, classes = paths[parent]
        number = _number_of(tag)
        nth = counts[parent, tag] = counts[parent, tag] + 1
        paths[node] = (
            (exact * _FACTOR + number + nth) & _MASK,
            (tags * _FACTOR + number) & _MASK,
            (classes * _FACTOR + _step_of_node(tag, skeleton.classes[node])) & _MASK,
        )
    return paths


def _rebase_text(
    text: PageText,
    member: ListMember,
    paths: dict[int, tuple[int, int, int]],
    top: int,
    skeleton: Skeleton,
    breaks: Sequence[int] | None,
) -> PageText:
    """Return a text with its place seen from the member it stands in; one that is loose in a run, with its place in the lines."""
    steps = _steps_below(text.steps, top)
    node = text.node
    own = steps[0] if text.steps[0] != _step_of_node(skeleton.tags[node], skeleton.classes[node]) else 0
    exact, tags, classes = paths.get(node, (0, 0, 0))
    is_loose = not own and node == member.parent and text.first == text.last
    position = (
        text.position if breaks is None or not is_loose else _place_in_line(text.first, member.first, breaks)
    )
    moved = PageText.__new__(PageText)
    moved.text, moved.folded, moved.key = text.text, text.folded, text.key
    moved.first, moved.last = text.first - member.first, text.last - member.first
    moved.exact = (exact * 31 + own + (position & _MASK)) & _MASK
    moved.tags = (tags * 31 + own) & _MASK
    moved.classes = (classes * 31 + own) & _MASK
    moved.steps, moved.names = steps, text.names
    moved.below_id, moved.position, moved.link = text.below_id, position, text.link
    moved.left, moved.above, moved.heading, moved.node = text.left, text.above, text.heading, node
    return moved


def _place_in_line(piece: int, first: int, breaks: Sequence[int]) -> int:
    """Return a number for the line of a member in which a piece stands, and for how many stand before it there."""
    line = bisect_right(breaks, piece)
    start = max(first, breaks[line - 1]) if line else first
    return (line - bisect_right(breaks, first)) * _MOST_IN_LINE + piece - start


def _steps_below(steps: tuple[int, int, int], top: int) -> tuple[int, int, int]:
    """Return the steps of a text, that of the member and all around it without what tells members apart."""
    below = []
    for step in steps:
        if step in (top, (top + _WHOLE) & _MASK):
            below.append(_ROOT if step == top else (_ROOT + _WHOLE) & _MASK)
            break
        below.append(step)
    below += [0] * (3 - len(below))
    return below[0], below[1], below[2]


@lru_cache(maxsize=1_024)
def _number_of(tag: str) -> int:
    return stable_hash(tag) & ~0xFFFF


@lru_cache(maxsize=8_192)
def _step_of_node(tag: str, classes: str) -> int:
    return step_of(NUMBERS.get(tag, 0), classes)


# Proposing structures


def structures_around(layout: PageLayout, values: Sequence[Sequence[PageText]]) -> list[ItemPattern]:
    """Return the structures of which one member may hold values that stand in some texts, each in one of several.

    They come in the order in which they should be tried.
    """
    skeleton = layout.skeleton
    holders = [[text.node for text in texts] for texts in values]
    gaps = _gaps_of(layout)
    found: dict[ItemPattern, None] = {}
    unsure: dict[ItemPattern, None] = {}
    for node in _covering(skeleton, holders)[:3]:
        unsure |= dict.fromkeys(_lines_around(layout, gaps, node, values))
        for structure, is_plain in _runs_below(skeleton, node, holders):
            (found if is_plain else unsure)[structure] = None
        for structure in _elements_from(skeleton, node):
            found[structure] = None
    return [*found, *(structure for structure in unsure if structure not in found)]


def _covering(skeleton: Skeleton, holders: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes that hold all values and in which no node does, the smallest first."""
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
    """Return the nearest node around one that holds all values."""
    while skeleton.parents[node] >= 0:
        low, high = node, skeleton.ends[node]
        if all(np.searchsorted(each, low) < np.searchsorted(each, high) for each in places):
            return node
        node = skeleton.parents[node]
    return node


def _elements_from(skeleton: Skeleton, node: int) -> Iterator[ItemPattern]:
    """Yield the structures of which a node or one around it is a member that is one element."""
    for _ in range(_MOST_STEPS):
        parent = skeleton.parents[node]
        if parent < 0:
            return
        alike = _alike(skeleton, parent, node)
        around = _steps_around(skeleton, parent)
        step = MemberStep(skeleton.tags[node], alike)
        if _count(skeleton, parent, step.tag) > 1:
            yield ItemPattern((step, *around))
        if around and skeleton.parents[parent] >= 0:
            kinds = _alike(skeleton, skeleton.parents[parent], parent)
            is_grid = _count(skeleton, skeleton.parents[parent], around[0].tag) > 1
            if is_grid and (kinds != around[0].kinds or _count(skeleton, parent, step.tag) == 1):
                yield ItemPattern((step, MemberStep(around[0].tag, kinds), *around[1:]))
        node = parent


def widen_pattern(structure: ItemPattern, pages: Sequence[PageLayout]) -> ItemPattern:
    """Return a structure that knows what takes turns with the element around its members on other pages: rows of a grid that are striped.

    A page with one row does not show that.
    """
    if structure.is_run or len(structure.steps) < 3:
        return structure
    start, around, *outer = structure.steps
    kinds = dict.fromkeys(around.kinds)
    for skeleton in (page.skeleton for page in pages):
        for parent, rows in _rows_with(skeleton, start, around.tag).items():
            known = next((row for row in rows if around.fits(skeleton, row)), None)
            if known is not None and _fitting(skeleton, parent, outer) == len(outer):
                alike = MemberStep(around.tag, _alike(skeleton, parent, known))
                turns = [row for row in rows if alike.fits(skeleton, row) and not around.fits(skeleton, row)]
                kinds |= dict.fromkeys(kind_of(skeleton.classes[row]) for row in turns)
    return replace(structure, steps=(start, MemberStep(around.tag, tuple(kinds)), *outer))


def _rows_with(skeleton: Skeleton, start: MemberStep, tag: str) -> dict[int, list[int]]:
    """Return the elements with a tag in which members stand, by what they stand in themselves."""
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


def _steps_around(skeleton: Skeleton, node: int) -> tuple[MemberStep, ...]:
    steps: list[MemberStep] = []
    while node >= 0 and len(steps) < _MOST_STEPS:
        steps.append(MemberStep(skeleton.tags[node], (kind_of(skeleton.classes[node]),)))
        node = skeleton.parents[node]
    return tuple(steps)


def _alike(skeleton: Skeleton, parent: int, node: int) -> tuple[Kind, ...]:
    """Return the sets of classes that siblings with the same tag have and that say they are of the same kind.

    Those that share a class are one kind, what they share. Those that take turns with it are other kinds: `odd` and `even`.
    """
    tag, own = skeleton.tags[node], kind_of(skeleton.classes[node])
    places: dict[Kind, list[int]] = {}
    for child in skeleton.children(parent):
        if skeleton.tags[child] == tag:
            places.setdefault(kind_of(skeleton.classes[child]), []).append(child)
    usual = max(own, key=lambda name: sum(len(places[kind]) for kind in places if name in kind), default="")
    sharing = [kind for kind in places if usual in kind] or [own]
    kinds: list[Kind] = [tuple(sorted(set.intersection(*map(set, sharing))))]
    mine = places[own]
    for kind, nodes in places.items():
        if kind in sharing or set(kind) & set(own):
            continue
        is_between = len(mine) > 1 and any(mine[0] < each < mine[-1] for each in nodes)
        is_around = len(nodes) > 1 and nodes[0] < mine[-1] and mine[0] < nodes[-1]
        if is_between or is_around:
            kinds.append(kind)
    if len(mine) == 1 and len(kinds) == 1 and len(sharing) == 1:
        kinds += sorted(places.keys() - {own}, key=lambda kind: -len(places[kind]))[:1]
    return tuple(kinds)


def _runs_below(
    skeleton: Skeleton, node: int, holders: Sequence[Sequence[int]]
) -> Iterator[tuple[ItemPattern, bool]]:
    """Yield the structures of which several children of a node in a row are a member, and whether tag and classes tell the start."""
    children = list(skeleton.children(node))
    window = _window(skeleton, node, children, holders)
    if window is None or window[0] == window[1] or len(children) < 4:
        return
    first, last = window
    around = _steps_around(skeleton, node)
    told = False
    for is_marked in (False, True):
        kinds = [
            (
                skeleton.tags[child],
                kind_of(skeleton.classes[child]),
                mark_of(skeleton, child) if is_marked else "",
            )
            for child in children
        ]
        for tag, classes, mark in _starting(kinds, first, last):
            told = True
            yield ItemPattern((MemberStep(tag, (classes,)), *around), is_run=True, mark=mark), not is_marked
    if told:
        return
    plain = [(skeleton.tags[child], kind_of(skeleton.classes[child])) for child in children]
    for period in range(max(last - first + 1, 2), _LONGEST_PERIOD + 1):
        again = [one == other for one, other in zip(plain, plain[period:], strict=False)]
        if len(children) < 3 * period or sum(again) < _PERIODIC * len(again):
            continue
        step = MemberStep(skeleton.tags[children[first]], (kind_of(skeleton.classes[children[first]]),))
        yield ItemPattern((step, *around), is_run=True, period=period, offset=first % period), False


def _starting(kinds: Sequence[_T], first: int, last: int) -> list[_T]:
    """Return the kinds of siblings with which a member may start that goes from the first to the last, or begins some before."""
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
    """Yield the structures of which some lines are a member, in the nearest node around one that has line breaks."""
    skeleton = layout.skeleton
    for _ in range(_MOST_STEPS):
        if node in gaps or node < 0:
            break
        node = skeleton.parents[node]
    if node not in gaps:
        return
    lines = _lines_of(layout, _Pieces(layout), node, gaps[node])
    starts = [line.first for line in lines]
    held = [
        [
            at
            for text in texts
            for at in [bisect_right(starts, text.first) - 1]
            if at >= 0 and text.last < lines[at].last
        ]
        for texts in values
    ]
    window = _shortest(held)
    if window is None:
        return
    first, last = window
    around = _steps_around(skeleton, node)
    if first == last:
        yield ItemPattern(around, is_run=True, gap=1)
    widest = max((line.gap for line in lines[first + 1 : last + 1]), default=1)
    for gap in sorted({line.gap for line in lines[1:] if line.gap > widest}):
        yield ItemPattern(around, is_run=True, gap=gap)
    for mark in _starting([line.mark for line in lines], first, last):
        yield ItemPattern(around, is_run=True, gap=1, mark=mark)


def _window(
    skeleton: Skeleton, node: int, children: Sequence[int], holders: Sequence[Sequence[int]]
) -> tuple[int, int] | None:
    """Return the first and the last child of the shortest row of them that holds all values."""
    starts = np.array(children, dtype=np.int64)
    held: list[list[int]] = []
    for nodes in holders:
        inside = [each for each in nodes if node < each < skeleton.ends[node]]
        held.append((np.searchsorted(starts, inside, side="right") - 1).tolist())
    return _shortest(held)


def _shortest(places: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """Return from where to where the shortest row goes in which each value has one of its places; None if one has none."""
    held = sorted((at, value) for value, each in enumerate(places) for at in each)
    shortest: tuple[int, int] | None = None
    counts: Counter[int] = Counter()
    low = 0
    for high, value in held:
        counts[value] += 1
        while counts[held[low][1]] > 1:
            counts[held[low][1]] -= 1
            low += 1
        if len(counts) == len(places):
            window = held[low][0], high
            if shortest is None or window[1] - window[0] < shortest[1] - shortest[0]:
                shortest = window
    return shortest
