"""The texts of repeated items, each in a place of its own.

A record is a tree of elements, but people read lines: a block or a cell begins a new one. A line is one text, or several: "Jane Smith
1999 12.50" may be a sentence or three values. The markup of the line in all records decides. An inline element is a place of its own if

- its source says what it is (microdata, RDFa), or
- only commas, dots and words that are the same in all records stand between it and the others (`by <a>Jane</a>, <a>John</a>`), or
- it begins or ends the line in nearly every record (`<span>Jane, 1999</span> The story of ...`), or
- it is a label: it ends with a colon, or has the same few texts in all records (`<b>Price</b> 12.50 <b>Year</b> 1999`).

Words that are only highlighted, such as the submitted words in a snippet, are none of these. Links and headings are never divided, and
a sign that touches its neighbour (`<span>£</span>12.00`) belongs to it.

Places of one kind have the same path below their record, with tags and classes. Paths are stored as numbers, each made from the number
of the parent, so that depth costs nothing; each element and each text is read a fixed number of times.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.html.tags import BLOCKS, CELLS, NUMBERS, numbers_of
from hiddenweb.html.tree_walk import NUMBER

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.html.page_parts import Element, TextSpan
    from hiddenweb.html.tree_walk import TreeWalk

_DIVIDING = BLOCKS | CELLS
_WHOLE = numbers_of("a h1 h2 h3 h4 h5 h6 button sub sup q code label")  # never divided
_RAISED = numbers_of("sub sup")
_STRIPES = frozenset({"odd", "even", "alt", "first", "last", "active", "current", "selected", "striped"})
_BREAK = re.compile(r"[\t\n]")
_MEANING = re.compile(r"\w")
_LETTERS = re.compile(r"[^\W\d_]{2}|[^\W\d_a-zA-Z]")
_LISTED = re.compile(r"\s+[|•·‧∙●]\s+")
_SIGN = re.compile(r"[\s$€£¥₹₽₺₩฿₫₴₪¢#@%°+]+")
_MOST, _NEARLY = 0.8, 0.9  # of the records
_DEEPEST = 12  # inline elements around a text; a limit of taste
_MOST_BREAKS = 50  # line breaks of a cell; a limit of taste
_LONGEST_LABEL = 40
"""Characters of a text that may be a label between values; a limit of taste."""

_MOST_PIECES = 200  # of one record; a limit of taste
_MOST_TEXTS = 20_000  # of one page; a limit of taste
_LONGEST_SIGN = 3  # characters of a sign that belongs to its neighbour; a limit of taste

Path = int


class CellMember(NamedTuple):
    """A repeated item: its elements, and where its text begins and ends."""

    roots: tuple[int, ...]
    start: int
    end: int


class LineItem(NamedTuple):
    """An inline element of a line with all that is in it, or a text between them."""

    place: int  # of the element; -1: a text
    path: Path  # 0: a text
    start: int
    end: int


class CellLine(NamedTuple):
    """The text between two breaks, or an inline element of it."""

    place: int  # the innermost element around all of it
    kind: tuple[Path, int]  # its path, and how many breaks stand before
    items: tuple[LineItem, ...]
    inner: dict[int, CellLine]  # its elements that have several items themselves, by their places


@dataclass(slots=True)
class CellText:
    """A text in a place of its own."""

    record: int
    kind: tuple[int, ...]  # equal for the same place in other records
    place: int  # the innermost element around it
    text: str
    start: int
    end: int
    line: int  # its number among the lines of the record
    is_label: bool = False
    is_text: bool = False  # of a divided line, outside of its elements
    is_word: bool = False  # a text of its line that is the same in all records
    is_left_out: bool = False
    name: str = ""
    is_shown: bool = False  # the name is one that the page shows
    is_declared: bool = False  # the name is one in the source of the page that says what the value is


class CellPaths:
    """Numbers for paths below a record, by tag and classes."""

    def __init__(self, elements: Sequence[Element], shared_classes: Container[str] = ()) -> None:
        self._elements = elements
        self._shared_classes = shared_classes  # classes with digits that several records have
        self._numbers: dict[tuple[Path, int, str], Path] = {}
        self._styles: dict[str, str] = {}
        self.of: dict[int, Path] = {}  # of places

    def add(self, place: int, outer: Path, column: int | None = None) -> Path:
        """Return the path of an element, and remember it; the path of a cell has its column in it."""
        element = self._elements[place]
        if column is not None:
            style = f"#{column}"
        elif outer:
            style = self._style(element.style)
        else:
            style = ""  # a record's own class may name its subject
        key = outer, element.tag, style
        number = self.of[place] = self._numbers.setdefault(key, len(self._numbers) + 1)
        return number

    def _style(self, style: str) -> str:
        bare = self._styles.get(style)
        if bare is None:
            classes = (
                name if name in self._shared_classes else NUMBER.sub("", name) for name in style.split()
            )
            bare = self._styles[style] = " ".join(sorted({name.lower() for name in classes} - _STRIPES))
        return bare


def pieces_of(
    walk: TreeWalk, flat: str, members: Sequence[CellMember], columns: Mapping[int, int] | None = None
) -> list[list[CellText]]:
    """Return the texts of all members in their order, each in a place of its own; `columns` are the columns of cells, by their places."""
    elements = walk.elements or []
    reading = _CellReader(elements, flat, _merge_spans(walk.hidden), columns or {}, members)
    lines: list[list[CellLine]] = []
    left = _MOST_TEXTS
    for member in members:
        lines.append(reading.lines(member) if left > 0 else [])
        left -= sum(len(line.items) for line in lines[-1])
    marked_places = frozenset(each.place for each in walk.marked_properties if each.place >= 0)
    divisions = _divisions(lines, flat, elements, marked_places)
    pieces = [_pieces(number, each, divisions, flat) for number, each in enumerate(lines)]
    return _split_lists(pieces, elements)


def has_content(text: str) -> bool:
    """Return whether a text has any letter or digit."""
    return _MEANING.search(text) is not None


def has_words(text: str) -> bool:
    """Return whether a text has letters that make a word."""
    return _LETTERS.search(text) is not None


def subtree(elements: Sequence[Element], root: int) -> Iterator[int]:
    """Yield the places of an element and of all in it."""
    yield root
    for place in range(root + 1, len(elements)):
        if elements[place].parent < root:
            return
        yield place


def _merge_spans(spans: Iterable[TextSpan]) -> list[tuple[int, int]]:
    """Return spans of a text in their order, with overlapping ones merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans if span.end > span.start):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _find_shared_classes(elements: Sequence[Element], members: Sequence[CellMember]) -> set[str]:
    """Return the classes with digits that several records have; a class of one record only is the number of something."""
    first: dict[str, int] = {}
    several: set[str] = set()
    for number, member in enumerate(members):
        for root in member.roots:
            for place in subtree(elements, root):
                style = elements[place].style
                if style and place != root and NUMBER.search(style):
                    several.update(name for name in style.split() if first.setdefault(name, number) != number)
    return several


# Lines


class _CellReader:
    """Reads the elements of each record once."""

    def __init__(
        self,
        elements: Sequence[Element],
        flat: str,
        hidden: list[tuple[int, int]],
        columns: Mapping[int, int],
        members: Sequence[CellMember],
    ) -> None:
        self.elements = elements
        self.columns = columns
        self.flat = flat
        self.hidden = hidden
        self.paths = CellPaths(elements, _find_shared_classes(elements, members))
        self.starts = [element.span.start for element in elements]
        self.chains: dict[int, tuple[int, ...]] = {
            -1: ()
        }  # the inline elements around a place, the outermost first
        self.holders: dict[int, int] = {-1: -1}  # the block around a place

    def lines(self, member: CellMember) -> list[CellLine]:
        """Return the lines of a record."""
        lines: list[CellLine] = []
        breaks: Counter[int] = Counter()
        tokens: list[_Token] = []
        for start, end, owner in self._tokens(member):
            if owner is not None:
                tokens.append((start, end, owner))
            elif tokens:
                lines.append(self._line(tokens, breaks))
                tokens = []
        if tokens:
            lines.append(self._line(tokens, breaks))
        return lines

    def _tokens(self, member: CellMember) -> Iterator[tuple[int, int, int | None]]:
        """Yield the texts of a record with the innermost element around each; without one it is a break."""
        stack: list[int] = []
        at = member.start
        for place in self._places(member):
            element = self.elements[place]
            while stack and stack[-1] != element.parent:
                top = stack.pop()
                yield from self._texts(at, self.elements[top].span.end, top)
                at = max(at, self.elements[top].span.end)
            outer = stack[-1] if stack else -1
            yield from self._texts(at, element.span.start, outer)
            at = max(at, element.span.start)
            self._enter(place, outer)
            stack.append(place)
        while stack:
            top = stack.pop()
            yield from self._texts(at, self.elements[top].span.end, top)
            at = max(at, self.elements[top].span.end)
        yield from self._texts(at, member.end, -1)

    def _places(self, member: CellMember) -> Iterator[int]:
        if member.roots:
            for root in member.roots:
                yield from subtree(self.elements, root)
            return
        for place in range(bisect_left(self.starts, member.start), len(self.elements)):
            if self.starts[place] >= member.end:
                return
            if self.elements[place].span.end <= member.end:
                yield place

    def _enter(self, place: int, outer: int) -> None:
        self.paths.add(place, self.paths.of.get(outer, 0), self.columns.get(place))
        if self.elements[place].tag in _DIVIDING:
            self.chains[place], self.holders[place] = (), place
        else:
            chain = self.chains[outer]
            self.chains[place] = (*chain, place) if len(chain) < _DEEPEST else chain
            self.holders[place] = self.holders[outer]

    def _texts(self, start: int, end: int, owner: int) -> Iterator[tuple[int, int, int | None]]:
        while start < end:
            found = _BREAK.search(self.flat, start, end)
            stop = found.start() if found else end
            if stop > start and not self.flat[start:stop].isspace() and not self._is_hidden(start):
                yield start, stop, owner
            if found:
                yield stop, stop, None
            start = stop + 1 if found else end

    def _is_hidden(self, start: int) -> bool:
        if not self.hidden:
            return False
        at = bisect_right(self.hidden, (start, len(self.flat))) - 1
        return at >= 0 and start < self.hidden[at][1]

    def _line(self, tokens: list[_Token], breaks: Counter[int]) -> CellLine:
        holder = self.holders[tokens[0][2]]
        turn = breaks[holder]
        breaks[holder] += 1
        if len(tokens) == 1:  # as most are
            return self._whole(tokens[0], holder, min(turn, _MOST_BREAKS))
        chains = [self.chains[owner] for _, _, owner in tokens]
        return self._divide_line(tokens, chains, 0, holder, min(turn, _MOST_BREAKS))

    def _whole(self, token: _Token, holder: int, turn: int) -> CellLine:
        """Return a line of one text."""
        start, end, owner = token
        chain = self.chains[owner]
        place = chain[-1] if chain else holder
        return CellLine(
            place,
            (self.paths.of.get(place, 0), 0 if chain else turn),
            (LineItem(-1, 0, start, end),),
            _NONE_INSIDE,
        )

    def _divide_line(
        self, tokens: list[_Token], chains: list[tuple[int, ...]], least: int, holder: int, turn: int
    ) -> CellLine:
        """Return a line of some texts, with the lines within its elements."""
        shared = _length_shared(chains, least)
        place = chains[0][shared - 1] if shared else holder
        items: list[LineItem] = []
        inside: dict[int, tuple[list[_Token], list[tuple[int, ...]]]] = {}
        for token, chain in zip(tokens, chains, strict=True):
            start, end, _ = token
            own = chain[shared] if len(chain) > shared else -1
            if own >= 0:
                within = inside.setdefault(own, ([], []))
                within[0].append(token)
                within[1].append(chain)
            if items and own >= 0 and items[-1].place == own:
                items[-1] = items[-1]._replace(end=end)
            else:
                items.append(LineItem(own, self.paths.of[own] if own >= 0 else 0, start, end))
        inner = {
            own: self._divide_line(*within, shared + 1, holder, 0)
            for own, within in inside.items()
            if len(within[0]) > 1 and len(items) > 1
        }
        return CellLine(place, (self.paths.of.get(place, 0), 0 if shared else turn), tuple(items), inner)


_NONE_INSIDE: dict[int, CellLine] = {}
_Token = tuple[int, int, int]  # start, end, and the innermost element around it


def _length_shared(chains: list[tuple[int, ...]], least: int) -> int:
    """Return how many inline elements all texts of a line have around them."""
    first = chains[0]
    shared = len(first)
    for chain in chains[1:]:
        shared = min(shared, len(chain))
        while shared > least and chain[shared - 1] != first[shared - 1]:
            shared -= 1
    return shared


# Places within lines


@dataclass(slots=True)
class _Division:
    """How lines of one kind are divided."""

    whole: bool = False  # at all of its elements
    paths: frozenset[Path] = frozenset()  # at these
    words: frozenset[str] = frozenset()  # texts that are the same in all of them


def _divisions(
    records: Sequence[Sequence[CellLine]],
    flat: str,
    elements: Sequence[Element],
    marked_places: frozenset[int],
) -> dict[tuple[Path, int], _Division]:
    kinds: dict[tuple[Path, int], list[CellLine]] = {}
    for lines in records:
        waiting = list(lines)
        while waiting:
            line = waiting.pop()
            kinds.setdefault(line.kind, []).append(line)
            waiting += line.inner.values()
    return {
        kind: _division(lines, flat, elements, marked_places, is_alone=len(records) == 1)
        for kind, lines in kinds.items()
        if any(len(line.items) > 1 for line in lines)
    }


def _division(
    lines: list[CellLine],
    flat: str,
    elements: Sequence[Element],
    marked_places: frozenset[int],
    *,
    is_alone: bool,
) -> _Division:
    marked_paths = frozenset(
        item.path for line in lines for item in line.items if item.place in marked_places
    )
    tag = elements[lines[0].place].tag if lines[0].place >= 0 else 0
    between = Counter(_item_text(flat, item) for line in lines for item in line.items if not item.path)
    several = sum(len(line.items) > 1 for line in lines)
    words = frozenset(
        text for text, times in between.items() if times >= max(2, several / 2) and len(text) <= _LONGEST_LABEL and has_words(text)
    )  # fmt: skip
    apart = sum(
        all(
            item.path or not has_content(_item_text(flat, item)) or _item_text(flat, item) in words
            for item in line.items
        )
        for line in lines
    )
    is_apart = apart >= _MOST * len(lines)
    if tag in _WHOLE:
        kinds = {item.path for line in lines for item in line.items}
        is_card = tag == NUMBERS["a"] and is_apart and not words and len(kinds - {0}) > 1
        return _Division(whole=is_card, paths=marked_paths)
    if is_apart:
        return _Division(whole=True, paths=marked_paths, words=words)
    return _Division(paths=marked_paths | _edge_paths(lines, flat, elements, is_alone=is_alone), words=words)


def _edge_paths(
    lines: list[CellLine], flat: str, elements: Sequence[Element], *, is_alone: bool
) -> frozenset[Path]:
    """Return the elements that begin or end nearly all lines of a kind, or begin them and are labels.

    Of a record that is alone, return the elements with a class that begin a line.
    """
    first: Counter[Path] = Counter()
    only: Counter[Path] = Counter()  # at the beginning or at the end, and once
    labels: dict[Path, Counter[str]] = {}
    for line in lines:
        paths = Counter(item.path for item in line.items if item.path)
        begin, end = line.items[0].path, line.items[-1].path
        first[begin] += 1
        only.update({path for path in (begin, end) if path and paths[path] == 1})
        for item in line.items:
            if item.path and elements[item.place].tag not in _RAISED:
                labels.setdefault(item.path, Counter())[_item_text(flat, item)] += 1
    least = _MOST * len(lines)
    found = {path for path, times in only.items() if times >= least and path in labels and len(lines) > 1}
    if (
        is_alone
        and (item := lines[0].items[0]).path in labels
        and only[item.path]
        and elements[item.place].style
    ):
        found.add(item.path)
    found |= {path for path, texts in labels.items() if first[path] >= least and _are_labels(texts)}
    return frozenset(found)


def _are_labels(texts: Counter[str]) -> bool:
    """Return whether texts are labels: they end with a colon, or nearly all are repeated."""
    total = texts.total()
    with_colon = sum(times for text, times in texts.items() if text.endswith((":", "：")))
    again = sum(
        times
        for text, times in texts.items()
        if times > 1 and has_words(text) and len(text) <= _LONGEST_LABEL
    )
    return with_colon >= _MOST * total or again >= _NEARLY * total


def _item_text(flat: str, item: LineItem) -> str:
    return " ".join(flat[item.start : item.end].split())


def _pieces(
    number: int, lines: Sequence[CellLine], divisions: dict[tuple[Path, int], _Division], flat: str
) -> list[CellText]:
    pieces: list[CellText] = []
    for at, line in enumerate(lines):
        pieces += _pieces_of_line(number, at, line, divisions, flat)
        if len(pieces) >= _MOST_PIECES:
            break
    return pieces[:_MOST_PIECES]


def _pieces_of_line(
    number: int, at: int, line: CellLine, divisions: dict[tuple[Path, int], _Division], flat: str
) -> Iterator[CellText]:
    kind: tuple[int, ...]
    if len(line.items) == 1 and not line.items[0].path:
        kind = line.kind if line.kind[1] else line.kind[:1]
        _, _, start, end = line.items[0]
        yield CellText(number, kind, line.place, " ".join(flat[start:end].split()), start, end, at)
        return
    division = divisions.get(line.kind, _UNDIVIDED)
    before = 0
    for run in _runs(line, division, flat):
        text = " ".join(flat[run[0].start : run[-1].end].split())
        is_all = len(run) == len(line.items)
        is_element = len(run) == 1 and run[0].path > 0
        if is_element and run[0].place in line.inner:
            yield from _pieces_of_line(number, at, line.inner[run[0].place], divisions, flat)
        elif has_content(text) or is_all:
            if is_element:
                kind = (run[0].path,)
                place = run[0].place
            elif is_all:
                kind, place = line.kind if line.kind[1] else line.kind[:1], line.place
            else:
                kind, place = (*line.kind, before), line.place
            is_word = not is_all and len(run) == 1 and not is_element and text in division.words
            is_text = not (is_all or is_element or is_word)
            yield CellText(
                number, kind, place, text, run[0].start, run[-1].end, at, is_text=is_text, is_word=is_word
            )
        before = run[-1].path


_UNDIVIDED = _Division()


def _runs(line: CellLine, division: _Division, flat: str) -> Iterator[list[LineItem]]:
    """Yield the items of a line in the runs it is divided into."""
    run = [line.items[0]]
    for item in line.items[1:]:
        last = run[-1]
        is_cut = division.whole or item.path in division.paths or last.path in division.paths
        if is_cut and not _has_sign(last, item, flat):
            yield run
            run = [item]
        else:
            run.append(item)
    yield run


def _has_sign(one: LineItem, other: LineItem, flat: str) -> bool:
    """Return whether one of two items is a sign that belongs to the other."""
    return any(
        each.end - each.start <= _LONGEST_SIGN and _SIGN.fullmatch(flat, each.start, each.end)
        for each in (one, other)
    )


def _split_lists(records: list[list[CellText]], elements: Sequence[Element]) -> list[list[CellText]]:
    """Return the pieces; those that in most records are several texts with signs between them are split."""
    signs: dict[tuple[int, ...], list[int]] = {}
    for pieces in records:
        for piece in pieces:
            if piece.place < 0 or elements[piece.place].tag not in _WHOLE:
                signs.setdefault(piece.kind, []).append(len(_LISTED.findall(piece.text)))
    several = {kind for kind, found in signs.items() if 2 * sum(map(bool, found)) > len(found)}
    if not several:
        return records
    same = {kind for kind in several if len(set(signs[kind])) == 1}
    return [[part for piece in pieces for part in _parts(piece, several, same)] for pieces in records]


def _parts(piece: CellText, several: set[tuple[int, ...]], same: set[tuple[int, ...]]) -> Iterator[CellText]:
    if piece.kind not in several or (piece.place < 0 and not piece.kind):
        yield piece
        return
    for number, text in enumerate(_LISTED.split(piece.text)):
        if has_content(text):
            kind = (*piece.kind, -1, number) if piece.kind in same else piece.kind
            yield replace(piece, kind=kind, text=text.strip())
