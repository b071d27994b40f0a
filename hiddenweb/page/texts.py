"""The visible texts of a page, each with the place it stands in.

A person sees texts, not tags. `texts_in` walks once through the tree of a page and writes down every piece of text with what can be said about its place: the
path to it (with positions, with classes, below the nearest id), the cell to its left and the head of its column, the heading above it, the link around it. A
text that inline tags divide (`<b>Jane</b> Smith`) is there in pieces and as a whole. Paths are kept as numbers, each made from that of the parent, so that a
page of any depth takes time linear to its size; a page is cut down before it is parsed, as in `hiddenweb.page`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, SelectolaxError
from xxhash import xxh3_64_intdigest

from hiddenweb.page.charsets import as_utf8
from hiddenweb.page.harmless import harmless, shortened
from hiddenweb.page.limits import LIMITS, Limits
from hiddenweb.page.tags import BLOCKS, CELLS, COMMENT, NUMBERS, TEXT, numbers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborNode

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
_LONGEST_WHOLE = 600  # characters of a text that is put together from pieces
_MOST_PIECES = 40
_LONGEST_KEY = 60
_MOST_TEXTS = 20_000
_CLOCK_EVERY = 512
_PLAIN = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": None, "\u200b": None, "\ufeff": None,
    }
)  # fmt: skip


class Text:
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
        "node",
        "position",
        "steps",
        "tags",
        "text",
    )

    def __init__(self, text: str, first: int, last: int) -> None:
        self.text = text
        self.folded, self.key = (
            _folded_and_key(text) if len(text) <= _LONGEST_KEY else _folded_and_key_anew(text)
        )
        self.first = first  # the pieces it is made of: itself, if it is one
        self.last = last
        self.exact = self.classes = self.tags = self.below_id = self.position = self.link = 0
        self.left = self.above = self.heading = 0
        self.node = 0  # of the page's skeleton, if that was made with it
        self.steps: tuple[int, int, int] = (
            0,
            0,
            0,
        )  # tag and class of the elements around it, the nearest first


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a page in their order: the pieces, and those that inline tags divide, put together."""

    pieces: tuple[Text, ...] = ()
    wholes: tuple[Text, ...] = ()
    marks: tuple[str, ...] = field(default=(), compare=False)
    breaks: tuple[tuple[int, int, int], ...] = field(default=(), compare=False)
    """Line breaks and rules: the piece that follows, the node they stand in, and how many lines they are."""

    def all(self) -> tuple[Text, ...]:
        """Return pieces, then wholes."""
        return self.pieces + self.wholes


def read_texts(body: bytes, *, content_type: str = "", limits: Limits = LIMITS) -> Texts:
    """Return the texts of a page as it was sent. Never raises; what was cut is in the marks."""
    marks: list[str] = []
    source, _ = as_utf8(shortened(body, limits, marks), content_type, marks)
    source = harmless(source, limits, marks)
    try:
        root = LexborHTMLParser(source).root
    except SelectolaxError:
        root = None
    if root is None:
        return Texts(marks=(*marks, "not_html"))
    return texts_in(root, limits=limits, marks=marks)


def folded(text: str) -> str:
    """Return a text as it is compared: without differences of case, white space, quotation marks and dashes.

    >>> folded("  Jane’s   BOOK ")
    "jane's book"
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PLAIN)).casefold()
        return " ".join(text.translate(_PLAIN).split())
    return " ".join(text.lower().replace("`", "'").split())


def key_of(folded_text: str) -> int:
    """Return a number that is the same for texts that differ only in their digits, a final colon, or what is far behind."""
    return hashed(_DIGITS.sub("0", folded_text[:_LONGEST_KEY].rstrip(" :：")))


def _folded_and_key_anew(text: str) -> tuple[str, int]:
    said = folded(text)
    return said, key_of(said)


_folded_and_key = lru_cache(maxsize=16_384)(_folded_and_key_anew)  # most texts of a page stand on others, too


def hashed(text: str) -> int:
    """Return a number for a text: the same in every process."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


class _Open:
    """An element that is being read."""

    __slots__ = (
        "above",
        "below_id",
        "cells",
        "children",
        "classes",
        "counts",
        "divided",
        "exact",
        "first",
        "head",
        "left",
        "link",
        "node",
        "pieces",
        "steps",
        "tag",
        "tags",
        "term",
        "texts",
        "whole",
    )

    def __init__(self, node: LexborNode, tag: int) -> None:
        self.node = node
        self.tag = tag
        self.counts: dict[int, int] | None = None  # of the elements in it, by tag
        self.children = self.texts = 0
        self.divided = False  # a block is inside
        self.first = self.pieces = 0
        self.whole = (-1, -1)
        self.exact = self.classes = self.tags = self.below_id = self.link = 0
        self.left = self.above = self.term = 0
        self.cells: list[int] | None = [] if tag == _ROW else None  # of a row: what its cells say
        self.head: list[int] | None = None  # of a table: what the cells of its first row say
        self.steps: tuple[int, int, int] = (0, 0, 0)

    def count(self, tag: int) -> int:
        """Note an element in this one; return how many of its tag there were before."""
        self.children += 1
        counts = self.counts
        if counts is None:
            self.counts = {tag: 1}
            return 0
        before = counts.get(tag, 0)
        counts[tag] = before + 1
        return before


def texts_in(
    root: LexborNode,
    *,
    limits: Limits = LIMITS,
    marks: list[str] | None = None,
    nodes: Mapping[int, int] | None = None,
) -> Texts:
    """Return the texts of a page that is parsed; with the nodes of its skeleton, each knows the one it stands in."""
    return _Reading(limits, marks if marks is not None else [], nodes or {}).through(root)


class _Reading:
    """One way through a page."""

    def __init__(self, limits: Limits, marks: list[str], nodes: Mapping[int, int]) -> None:
        self.limits = limits
        self.nodes = nodes
        self.deadline = limits.clock() + limits.seconds
        self.marks = marks
        self.pieces: list[Text] = []
        self.wholes: list[Text] = []
        self.raw: list[str] = []  # everything that was said, white space too
        self.ends: list[int] = [0]  # characters up to each of them
        self.heading = 0
        self.steps: dict[tuple[int, str | None, str | None], tuple[int, int]] = {}
        self.tables: list[_Open] = []
        self.breaks: list[tuple[int, int, int]] = []

    def through(self, root: LexborNode) -> Texts:
        """Visit every node once, in the order of the document."""
        around = [_Open(root, root.tag_id)]
        node = root.first_child
        countdown = _CLOCK_EVERY
        while node is not None or len(around) > 1:
            if node is None:
                self.leave(around.pop(), around[-1])
                node = self.next_of
                continue
            countdown -= 1
            if not countdown:
                countdown = _CLOCK_EVERY
                if self.limits.clock() > self.deadline or len(self.pieces) > _MOST_TEXTS:
                    self.marks.append("slow" if len(self.pieces) <= _MOST_TEXTS else "many_texts")
                    break
            tag = node.tag_id
            if tag == TEXT:
                self.say(node.text_content or "", around[-1])
            elif tag == _BR:
                self.add_raw(" ")
                around[-1].children += 1
                self.break_line(around[-1], 1)
            elif tag != COMMENT and tag not in _NOT_ENTERED:
                child = node.first_child
                if child is not None:
                    around.append(self.enter(node, tag, around[-1]))
                    node = child
                    continue
                around[-1].count(tag)
                if tag == _HR:
                    self.break_line(around[-1], _LINES_OF_RULE)
            node = node.next
        return Texts(tuple(self.pieces), tuple(self.wholes), tuple(self.marks), tuple(self.breaks))

    next_of: LexborNode | None = None

    def add_raw(self, text: str) -> None:
        self.raw.append(text)
        self.ends.append(self.ends[-1] + len(text))

    def break_line(self, parent: _Open, lines: int) -> None:
        if self.nodes and len(self.breaks) < _MOST_TEXTS:
            self.breaks.append((len(self.pieces), self.nodes.get(parent.node.mem_id, 0), lines))

    def say(self, raw: str, parent: _Open) -> None:
        """Write down a piece of text."""
        self.add_raw(raw)
        shown = " ".join(raw.split())
        if not shown:
            return
        at = len(self.pieces)
        text = Text(shown, at, at)
        self.place(text, parent)
        text.position = parent.children
        parent.children += 1
        text.exact = (parent.exact * 31 + parent.texts) & _MASK
        parent.texts += 1
        self.pieces.append(text)

    def place(self, text: Text, parent: _Open) -> None:
        text.classes = parent.classes
        text.tags = parent.tags
        text.below_id = parent.below_id
        text.steps = parent.steps
        text.link = parent.link
        text.left = parent.left
        text.above = parent.above
        text.heading = self.heading
        text.node = self.nodes.get(parent.node.mem_id, 0) if self.nodes else 0

    def enter(self, node: LexborNode, tag: int, parent: _Open) -> _Open:
        """Begin an element."""
        attributes = node.attributes
        opened = _Open(node, tag)
        style, name = attributes.get("class"), attributes.get("id")
        found = self.steps.get((tag, style, name))
        if found is None:
            found = self.steps[tag, style, name] = step_of(tag, style), _id_of(name)
        step, identity = found
        nth = parent.count(tag)
        opened.exact = (parent.exact * _FACTOR + tag * 8_191 + nth + 1) & _MASK
        opened.tags = (parent.tags * _FACTOR + tag) & _MASK
        opened.classes = (parent.classes * _FACTOR + step) & _MASK
        opened.below_id = identity or (parent.below_id * _FACTOR + step) & _MASK
        opened.steps = (step, parent.steps[0], parent.steps[1])
        opened.left, opened.above, opened.link = parent.left, parent.above, parent.link
        opened.first = len(self.pieces)
        opened.pieces = len(self.raw)
        if tag == _A:
            opened.link = _link_of(attributes.get("href"))
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
        """End an element: what it said may be a whole, a cell or a heading."""
        self.next_of = closed.node.next
        tag = closed.tag
        start, end = closed.first, len(self.pieces)
        if not closed.divided and end - start > 1 and (start, end) != closed.whole:
            self.put_together(closed, start, end)
        if closed.divided or tag in _DIVIDING:
            parent.divided = True
        else:
            parent.whole = (start, end) if end > start else parent.whole
        if tag in CELLS and parent.tag == _ROW:
            assert parent.cells is not None
            parent.cells.append(self.said(start, end))
        elif tag == _ROW and self.tables and self.tables[-1].head is None:
            self.tables[-1].head = closed.cells
        elif tag == _TABLE and self.tables:
            self.tables.pop()
        elif tag == _DT:
            parent.term = self.said(start, end)
        elif tag in _HEADINGS and end > start:
            self.heading = self.said(start, end)

    def said(self, start: int, end: int) -> int:
        """Return the key of what stands in some pieces."""
        if end == start:
            return 0
        if end - start == 1:
            return self.pieces[start].key
        return key_of(" ".join(piece.folded for piece in self.pieces[start : min(end, start + 4)]))

    def put_together(self, closed: _Open, start: int, end: int) -> None:
        count = len(self.raw) - closed.pieces
        if count > _MOST_PIECES or self.ends[-1] - self.ends[closed.pieces] > 2 * _LONGEST_WHOLE:
            return
        shown = " ".join("".join(self.raw[closed.pieces :]).split())
        if len(shown) > _LONGEST_WHOLE:
            return
        text = Text(shown, start, end - 1)
        self.place(text, closed)
        text.exact = (closed.exact * 31 + _WHOLE) & _MASK
        text.classes = (closed.classes + _WHOLE) & _MASK
        text.tags = (closed.tags + _WHOLE) & _MASK
        text.steps = ((closed.steps[0] + _WHOLE) & _MASK, closed.steps[1], closed.steps[2])
        text.position = -1
        self.wholes.append(text)


_MASK = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15
_WHOLE = 0xD1B54A32D192ED03


def step_of(tag: int, style: str | None) -> int:
    """Return a number for a tag and its classes, in whatever order, without the digits in them."""
    classes = " ".join(sorted(_DIGITS.sub("0", style[:400]).lower().split())) if style else ""
    return hashed(f"{tag}.{classes}")


def _id_of(name: str | None) -> int:
    return hashed("#" + _DIGITS.sub("0", name[:200])) if name else 0


def _link_of(href: str | None) -> int:
    """Return a number for where a link leads: its folders, without the last name and all digits."""
    if not href:
        return 0
    path = _DIGITS.sub("0", href[:300].partition("#")[0])
    folders, _, query = path.partition("?")
    names = re.findall(r"[?&;]([^=&;]*)=", f"?{query}") if query else ()
    return hashed(f"{folders.rpartition('/')[0]}?{' '.join(names)}")
