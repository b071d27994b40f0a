"""The visible texts of a page, each with its place.

A person sees texts, not tags. `texts_of_table` goes once through the nodes of a page (`hiddenweb.html.node_table`) and stores every piece of
text with its place: the path to it (with positions, with classes, below the nearest id), the cell to its left and the head of its column,
the heading above it, the link around it. A text that inline tags divide (`<b>Jane</b> Smith`) is stored in pieces and as a whole. Paths
are stored as numbers, each made from the number of the parent, so that any depth takes time linear in the size of the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.node_table import NO_ATTRIBUTES
from hiddenweb.html.path_numbers import FACTOR, MASK, PLACES, WHOLE, stable_hash, step_number
from hiddenweb.html.tags import BLOCKS, CELLS, COMMENT, NAMES, NUMBERS, TEXT, numbers_of
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.html.node_table import NodeTable

_NOT_ENTERED = numbers_of(
    "head script style template title textarea select iframe noembed noframes xmp noscript svg math "
    "datalist audio video canvas object"
)
_BR, _HR = NUMBERS["br"], NUMBERS["hr"]
_LINES_OF_RULE = 3  # a rule divides more than an empty line does
_DIVIDING = (BLOCKS | CELLS) - {_BR}
_HEADINGS = numbers_of("h1 h2 h3 h4 h5 h6 caption legend")
_ROW, _TABLE, _DL, _DT, _DD, _A = (NUMBERS[name] for name in ("tr", "table", "dl", "dt", "dd", "a"))
_DIGITS = re.compile(r"\d+")
_LONGEST_WHOLE = 600  # characters of a text that is joined from pieces; a limit of taste
_MOST_PIECES = 40  # pieces that are joined to one text; a limit of taste
_MOST_PATHS = 20_000
"""Paths that are cached between pages, about 10 MB; a limit of taste: a site has some thousand."""

_LONGEST_KEY = 60
"""Characters of a text that are in its key; a limit of taste: labels are shorter."""

_LONGEST_CLASSES, _LONGEST_ID, _LONGEST_LINK = (
    400,
    200,
    300,
)  # characters of each that are in a path; limits of taste
_MOST_TEXTS = 20_000
"""Most texts of a page; a limit of taste that keeps a page within seconds."""

_CLOCK_EVERY = 512
"""Nodes after which the clock is read: often enough for a deadline of seconds, and too seldom to cost time."""


class PageText:
    """A text of a page, and its place."""

    __slots__ = (
        "above",
        "below_id",
        "classes",
        "exact",
        "first",
        "folded",
        "heading",
        "key",
        "last",
        "left",
        "link",
        "names",
        "node",
        "position",
        "steps",
        "tags",
        "text",
    )

    text: str
    folded: str
    key: int
    first: int  # the pieces it is made of: itself, if it is one
    last: int
    exact: int
    classes: int
    tags: int
    below_id: int
    position: int
    link: int
    left: int
    above: int
    heading: int
    node: int  # of the page's skeleton, if that was made with it
    steps: tuple[int, int, int]  # tag and class of the elements around it, the nearest first
    names: str  # classes, ids and properties of the two nearest elements, and whether they are headings


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The texts of a page in their order: the pieces, and the wholes of those that inline tags divide."""

    pieces: tuple[PageText, ...] = ()
    wholes: tuple[PageText, ...] = ()
    marks: tuple[str, ...] = field(default=(), compare=False)
    breaks: tuple[tuple[int, int, int], ...] = field(default=(), compare=False)
    """Line breaks and rules: the piece that follows, the node they stand in, and how many lines they are."""

    def all(self) -> tuple[PageText, ...]:
        """Return pieces, then wholes."""
        return self.pieces + self.wholes


def key_of(folded_text: str) -> int:
    """Return a number that is equal for texts that differ only in their digits, a final colon, or far behind the beginning."""
    return stable_hash(_DIGITS.sub("0", folded_text[:_LONGEST_KEY].rstrip(" :：")))


def _fold_with_key(text: str) -> tuple[str, int]:
    folded = fold_text(text)
    return folded, key_of(folded)


_cached_fold_with_key = lru_cache(maxsize=16_384)(_fold_with_key)  # most texts are on several pages


_Step = tuple[int, str | None, str | None, str | None]
"""An element as paths know it: its tag, classes, id and property."""


class _Path:
    """The tags, classes and ids from the root to an element; elements that share them share it."""

    __slots__ = ("below", "below_id", "classes", "names", "steps", "tags")

    def __init__(
        self, classes: int, tags: int, below_id: int, steps: tuple[int, int, int], names: tuple[str, str]
    ) -> None:
        self.classes = classes
        self.tags = tags
        self.below_id = below_id
        self.steps = steps
        self.names = names  # of the element, and of it and its parent
        self.below: dict[_Step, _Path] = {}

    def then(self, step: _Step) -> _Path:
        """Return the path to an element in this one."""
        tag, style, name, prop = step
        number = step_number(tag, style[:_LONGEST_CLASSES] if style else "")
        own = " ".join(
            (
                NAMES[tag] if tag in _HEADINGS else "",
                (style or "")[:_LONGEST_CLASSES],
                (name or "")[:_LONGEST_ID],
                (prop or "")[:_LONGEST_ID],
            )
        ).strip()
        return _Path(
            (self.classes * FACTOR + number) & MASK,
            (self.tags * FACTOR + tag) & MASK,
            _id_of(name[:_LONGEST_ID]) if name else (self.below_id * FACTOR + number) & MASK,
            (number, self.steps[0], self.steps[1]),
            (own, f"{own} {self.names[0]}"),
        )


class _KnownPaths:
    """The paths of the last pages: the next page has most of them, too."""

    def __init__(self) -> None:
        self.count = 0
        self._root = _Path(0, 0, 0, (0, 0, 0), ("", ""))

    def root(self) -> _Path:
        """Return the beginning of the paths of a page. If there are too many paths, all are dropped."""
        if self.count >= _MOST_PATHS:
            self.count, self._root = 0, _Path(0, 0, 0, (0, 0, 0), ("", ""))
        return self._root

    def add(self, path: _Path, step: _Step) -> _Path:
        """Return a new path to an element."""
        new = path.then(step)
        _, style, name, prop = step
        is_short = (
            len(style or "") <= _LONGEST_CLASSES and max(len(name or ""), len(prop or "")) <= _LONGEST_ID
        )
        if self.count < _MOST_PATHS and is_short:
            self.count += 1
            path.below[step] = new
        return new


class _Open:
    """An element that is being read."""

    __slots__ = (
        "above", "cells", "characters", "children", "counts", "divided", "end", "exact", "first", "head", "left", "link", "node", "path",
        "raw", "tag", "term", "texts", "whole",
    )  # fmt: skip

    def __init__(self, tag: int, path: _Path, exact: int, node: int, end: int) -> None:
        self.tag = tag
        self.path = path
        self.exact = exact
        self.node = node
        self.end = end  # the first node behind it
        self.counts: dict[int, int] = {}  # of the elements in it, by tag
        self.children = self.texts = 0
        self.divided = False  # a block is inside
        self.first = self.raw = self.characters = 0
        self.whole = (-1, -1)
        self.link = self.left = self.above = self.term = 0
        self.cells: list[int] | None = [] if tag == _ROW else None  # of a row: what its cells say
        self.head: list[int] | None = None  # of a table: what the cells of its first row say

    def count(self, tag: int) -> int:
        """Count an element in this one; return how many of its tag came before."""
        self.children += 1
        before = self.counts.get(tag, 0)
        self.counts[tag] = before + 1
        return before


def texts_of_table(
    table: NodeTable,
    *,
    limits: PageLimits = LIMITS,
    marks: Sequence[str] = (),
    skeleton_nodes: Sequence[int] = (),
) -> PageTexts:
    """Return the texts of a page; with `skeleton_nodes`, each has its node of the skeleton. `marks` are those of the page so far."""
    if not len(table):
        return PageTexts(marks=tuple(marks))
    return _TextReader(table, limits, list(marks), skeleton_nodes).read()


class _TextReader:
    """Reads the nodes of a page once."""

    def __init__(
        self, table: NodeTable, limits: PageLimits, marks: list[str], skeleton_nodes: Sequence[int]
    ) -> None:
        self.table = table
        self.limits = limits
        self.skeleton_nodes = skeleton_nodes
        self.deadline = limits.clock() + limits.seconds
        self.marks = marks
        self.pieces: list[PageText] = []
        self.wholes: list[PageText] = []
        self.raw: list[str] = []  # all texts so far, with their white space
        self.characters = 0  # of it
        self.heading = 0
        self.tables: list[_Open] = []
        self.breaks: list[tuple[int, int, int]] = []

    def read(self) -> PageTexts:
        """Visit every node once, in the order of the document."""
        tags, ends = self.table.tags, self.table.ends
        parent = _Open(tags[0], _KNOWN.root(), 0, 0, len(tags))
        around = [parent]
        place = 1
        countdown = _CLOCK_EVERY
        while True:
            if place >= parent.end:
                if len(around) == 1:
                    break
                closed = around.pop()
                parent = around[-1]
                self.leave(closed, parent)
                continue
            countdown -= 1
            if not countdown:
                countdown = _CLOCK_EVERY
                if self.is_enough():
                    break
            tag = tags[place]
            if tag == TEXT:
                self.take_text(self.table.texts[place], parent)
            elif tag == _BR:
                self.raw.append(" ")
                self.characters += 1
                parent.children += 1
                self.break_line(parent, 1)
            elif tag != COMMENT and tag not in _NOT_ENTERED:
                if ends[place] > place + 1:
                    parent = self.enter(place, tag, parent)
                    around.append(parent)
                    place += 1
                    continue
                parent.count(tag)
                if tag == _HR:
                    self.break_line(parent, _LINES_OF_RULE)
            place = ends[place]
        return PageTexts(tuple(self.pieces), tuple(self.wholes), tuple(self.marks), tuple(self.breaks))

    def is_enough(self) -> bool:
        """Say whether the time for this page is over, or enough of it was read."""
        if len(self.pieces) > _MOST_TEXTS:
            self.marks.append("many_texts")
        elif self.limits.clock() > self.deadline:
            self.marks.append("slow")
        else:
            return False
        return True

    def take_text(self, raw: str, parent: _Open) -> None:
        """Take the text between two tags."""
        self.raw.append(raw)
        self.characters += len(raw)
        if raw and not raw.isspace():
            self.say(" ".join(raw.split()), parent)

    def break_line(self, parent: _Open, lines: int) -> None:
        """Note that a line ends."""
        if self.skeleton_nodes and len(self.breaks) < _MOST_TEXTS:
            self.breaks.append((len(self.pieces), parent.node, lines))

    def say(self, shown: str, parent: _Open) -> None:
        """Write down a piece of text."""
        at = len(self.pieces)
        text = self.text(shown, at, at, parent)
        text.position = parent.children
        parent.children += 1
        text.exact = (parent.exact * PLACES + parent.texts) & MASK
        parent.texts += 1
        self.pieces.append(text)

    def text(self, shown: str, first: int, last: int, parent: _Open) -> PageText:
        """Return a text in an element; its exact place is set later."""
        text = PageText()
        text.text = shown
        text.folded, text.key = (
            _cached_fold_with_key(shown) if len(shown) <= _LONGEST_KEY else _fold_with_key(shown)
        )
        text.first, text.last = first, last
        path = parent.path
        text.classes, text.tags, text.below_id, text.steps = (
            path.classes,
            path.tags,
            path.below_id,
            path.steps,
        )
        text.link, text.left, text.above = parent.link, parent.left, parent.above
        text.names = path.names[1]
        text.heading = self.heading
        text.node = parent.node
        return text

    def enter(self, place: int, tag: int, parent: _Open) -> _Open:
        """Begin an element."""
        attributes = self.table.filled.get(place, NO_ATTRIBUTES)
        step = (tag, attributes.get("class"), attributes.get("id"), attributes.get("itemprop"))
        path = parent.path.below.get(step) or _KNOWN.add(parent.path, step)
        exact = (parent.exact * FACTOR + tag * 8_191 + parent.count(tag) + 1) & MASK
        node = max(self.skeleton_nodes[place], 0) if self.skeleton_nodes else 0
        opened = _Open(tag, path, exact, node, self.table.ends[place])
        opened.left, opened.above, opened.link = parent.left, parent.above, parent.link
        opened.first = len(self.pieces)
        opened.raw, opened.characters = len(self.raw), self.characters
        if tag == _A:
            href = attributes.get("href")
            opened.link = _link_of(href[:_LONGEST_LINK]) if href else 0
        elif tag in CELLS and parent.tag == _ROW:
            cells = parent.cells or ()
            opened.left = cells[-1] if cells else 0
            head = self.tables[-1].head if self.tables else None
            opened.above = head[len(cells)] if head and len(cells) < len(head) else 0
        elif tag == _DD:
            opened.left = parent.term
        elif tag == _TABLE:
            self.tables.append(opened)
        return opened

    def leave(self, closed: _Open, parent: _Open) -> None:
        """End an element: its text may be a whole, a cell or a heading."""
        tag = closed.tag
        start, end = closed.first, len(self.pieces)
        if not closed.divided and end - start > 1 and (start, end) != closed.whole:
            self.add_whole(closed, start, end)
        if closed.divided or tag in _DIVIDING:
            parent.divided = True
        elif end > start:
            parent.whole = (start, end)
        if tag in CELLS and parent.tag == _ROW:
            assert parent.cells is not None
            parent.cells.append(self.key_of_pieces(start, end))
        elif tag == _ROW and self.tables and self.tables[-1].head is None:
            self.tables[-1].head = closed.cells
        elif tag == _TABLE and self.tables:
            self.tables.pop()
        elif tag == _DT:
            parent.term = self.key_of_pieces(start, end)
        elif tag in _HEADINGS and end > start:
            self.heading = self.key_of_pieces(start, end)

    def key_of_pieces(self, start: int, end: int) -> int:
        """Return the key of the text in some pieces."""
        if end == start:
            return 0
        if end - start == 1:
            return self.pieces[start].key
        return key_of(" ".join(piece.folded for piece in self.pieces[start : min(end, start + 4)]))

    def add_whole(self, closed: _Open, start: int, end: int) -> None:
        count = len(self.raw) - closed.raw
        if count > _MOST_PIECES or self.characters - closed.characters > 2 * _LONGEST_WHOLE:
            return
        shown = " ".join("".join(self.raw[closed.raw :]).split())
        if len(shown) > _LONGEST_WHOLE:
            return
        text = self.text(shown, start, end - 1, closed)
        text.exact = (closed.exact * PLACES + WHOLE) & MASK
        text.classes = (text.classes + WHOLE) & MASK
        text.tags = (text.tags + WHOLE) & MASK
        text.steps = ((text.steps[0] + WHOLE) & MASK, text.steps[1], text.steps[2])
        text.position = -1
        self.wholes.append(text)


_KNOWN = _KnownPaths()


@lru_cache(maxsize=4_096)
def _id_of(name: str) -> int:
    return stable_hash("#" + _DIGITS.sub("0", name))


@lru_cache(maxsize=16_384)
def _link_of(href: str) -> int:
    """Return a number for where a link leads: its folders, without the last name and all digits."""
    path = _DIGITS.sub("0", href.partition("#")[0])
    folders, _, query = path.partition("?")
    names = re.findall(r"[?&;]([^=&;]*)=", f"?{query}") if query else ()
    return stable_hash(f"{folders.rpartition('/')[0]}?{' '.join(names)}")
