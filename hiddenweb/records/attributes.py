"""The attributes of the records of an answer, found without a person.

Every record of a page is cut into pieces, texts in places of their own (`hiddenweb.records.cells`). Pieces in the same place have the
same name. The name is found from all records of the page, never from one record alone. A piece is named by the first of these that exists:

1. a label: the term before a description, the head cell of its row, a text that ends with a colon, a text that is repeated in other
   records while the text behind it differs (`<span>Author</span> <span>Jane</span>`, also where labels and values look alike and
   alternate), or the text before a colon within the piece,
2. the head of its column, if records are rows of a table,
3. a name in its source: microdata (`itemprop`), RDFa (`property`), `data-label` and the like,
4. a word of its line that is the same in all records (`by <a>Jane</a>`),
5. `title`, if it is the title of the record,
6. a class of its element, or of one around it: `product-price` is "price". Classes for layout (`col-md-3`, `text-muted`) and generated
   classes (`css-1x2y`) are no names,
7. `summary` or `text` for the longest, `text 2` and so on for the others.

JSON-LD of the page adds the attributes of an item with the record's address or name. Links and buttons that are the same in all records
("Details", "Add to cart") and numbers that only count the records are left out. Values stay as they are written; several values of
one attribute are several pairs. A place without a name that lists short things with commas has several values, too; a list among
them (`hiddenweb.records.delimited`) stays one value.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.html.tags import NAMES, NUMBERS
from hiddenweb.records.attribute_names import clean, from_class
from hiddenweb.records.cells import has_content, has_words, pieces_of
from hiddenweb.records.columns import columns_of
from hiddenweb.records.delimited import PARTS, columns_around_list, parts_around_list
from hiddenweb.records.json_ld import items_in, statements_about
from hiddenweb.records.labels import leave_out, name_by_labels, name_values
from hiddenweb.records.markup_names import LONGEST_VALUE, MOST_ATTRIBUTES, name_by_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hiddenweb.html.page_parts import Element
    from hiddenweb.html.tree_walk import TreeWalk
    from hiddenweb.records.cells import CellMember, CellText
    from hiddenweb.records.delimited import DelimitedColumns

    Kind = tuple[int, ...]
    Pairs = tuple[tuple[str, str], ...]

_DT, _DD, _TR, _TH, _A, _BUTTON = (NUMBERS[name] for name in ("dt", "dd", "tr", "th", "a", "button"))
_NAMES_OF_LISTS = frozenset(
    "meta info byline facts values props details data tags keywords subjects categories labels attributes features subline text summary".split()  # noqa: SIM905
)
_SENTENCE = re.compile(r"[。！？!?]|\w{3}\.\s")
_LONGEST_PART, _LONGEST_LIST, _FEWEST_PARTS = (
    60,
    360,
    3,
)  # characters of a part and of a list, and its parts; limits of taste
_LEVELS = 4  # elements around a piece whose class may name it; a limit of taste
_SHORTEST_TEXT = 25  # characters of a record's longest text, or it is not its text
_CUT_OFF = re.compile(r"(?:\.\.\.|…|\[…\])\s*$")


class NamedValues(NamedTuple):
    """The attributes of a record."""

    pairs: Pairs
    shown: tuple[str, ...]  # the names among them that the page itself gives


def attributes_of(
    walk: TreeWalk,
    flat: str,
    members: Sequence[CellMember],
    titles: Sequence[str],
    addresses: Sequence[str | None],
) -> list[NamedValues]:
    """Return the names and values of each record, in the order of the page, and which names the page itself gives."""
    page = RecordPieces(walk, flat, members, titles)
    name_by_labels(page)
    page.leave_out_action_links()
    page.name_by_columns()
    name_by_source(page)
    page.name_by_words()
    page.leave_out_meaningless()
    page.name_titles()
    page.separate_places()
    page.name_by_classes()
    page.name_remaining()
    items = items_in(walk)
    found = []
    for number, (title, address) in enumerate(zip(titles, addresses, strict=True)):
        declared = statements_about(items, title, address)
        shown = dict.fromkeys([*page.names_shown(number), *(name for name, _ in declared)])
        found.append(NamedValues(_limit_pairs([*page.pairs(number), *declared], title), tuple(shown)))
    return found


def _limit_pairs(pairs: Iterable[tuple[str, str]], title: str) -> Pairs:
    """Return each pair once, within limits; with the title, if no value has it."""
    once = dict.fromkeys((name, value[:LONGEST_VALUE]) for name, value in pairs if name and value)
    if title and not any(title in value or value in title for _, value in once):
        once = dict.fromkeys([("title", title[:LONGEST_VALUE]), *once])
    return tuple(once)[:MOST_ATTRIBUTES]


class RecordPieces:
    """The pieces of all records of a page, and the names they get step by step."""

    def __init__(
        self, walk: TreeWalk, flat: str, members: Sequence[CellMember], titles: Sequence[str]
    ) -> None:
        self.walk = walk
        self.flat = flat
        self.elements: Sequence[Element] = walk.elements or ()
        self.has_buttons = any(element.tag == _BUTTON for element in self.elements)
        self.members = members
        self.rows = bool(members) and all(self._is_row(member) for member in members)
        rows = [member.roots[0] for member in members] if self.rows else []
        self.columns = columns_of(walk, flat, rows)
        self.records = pieces_of(walk, flat, members, self.columns.numbers)
        self.pieces = [piece for pieces in self.records for piece in pieces]
        self.title_of = [
            _title_piece(pieces, title) for pieces, title in zip(self.records, titles, strict=True)
        ]
        self.titles = {id(piece) for piece in self.title_of if piece}
        self.empty: list[list[tuple[str, str]]] = [[] for _ in members]  # attributes of elements without text

    def _is_row(self, member: CellMember) -> bool:
        return len(member.roots) == 1 and self.elements[member.roots[0]].tag == _TR

    def pairs(self, number: int) -> Iterator[tuple[str, str]]:
        """Yield names and values of a record."""
        yield from self.empty[number]
        for piece in self.records[number]:
            if piece.name and not piece.is_left_out and not piece.is_label:
                yield piece.name, piece.text

    def names_shown(self, number: int) -> Iterator[str]:
        """Yield the names that the page gives values of a record: labels, heads of columns, names in its source."""
        yield from (name for name, _ in self.empty[number])
        for piece in self.records[number]:
            if (
                piece.name
                and not piece.is_left_out
                and not piece.is_label
                and (piece.is_shown or piece.is_declared)
            ):
                yield piece.name

    def group_unnamed(self) -> dict[Kind, list[CellText]]:
        """Return the pieces that have no name yet, by their kind."""
        kinds: dict[Kind, list[CellText]] = {}
        for piece in self.pieces:
            if not piece.name and not piece.is_label and not piece.is_left_out:
                kinds.setdefault(piece.kind, []).append(piece)
        return kinds

    # Labels

    def top_of(self, piece: CellText) -> int:
        """Return the outermost element that holds a piece and nothing else."""
        place = piece.place
        for _ in range(_LEVELS):
            outer = self.elements[place].parent
            if outer < 0 or self.elements[outer].tag == _TR or piece.start < self.elements[place].span.start:
                break
            span = self.elements[outer].span
            if span.end - span.start > piece.end - piece.start + 4:
                break
            if self.flat[span.start : piece.start].strip() or self.flat[piece.end : span.end].strip():
                break
            place = outer
        return place

    def place_behind(self, place: int) -> int | None:
        """Return the next sibling of an element."""
        parent, at = self.elements[place].parent, place + 1
        while at < len(self.elements) and self.elements[at].parent >= place:
            at += 1
        return at if at < len(self.elements) and self.elements[at].parent == parent else None

    # Columns, source, words

    def name_by_columns(self) -> None:
        """Name the cells of rows by the heads of their columns."""
        names = self.columns.names
        for pieces in self.records if names else ():
            cells: dict[int, list[CellText]] = {}
            for piece in pieces:
                if (
                    not piece.name
                    and not piece.is_label
                    and not piece.is_left_out
                    and (cell := self._cell(piece)) in names
                ):
                    cells.setdefault(cell, []).append(piece)
            for cell, inside in cells.items():
                name_values(inside, names[cell], self.flat)

    def _cell(self, piece: CellText) -> int:
        """Return the cell of a record's own row in which a piece stands."""
        row, place = self.members[piece.record].roots[0], piece.place
        while place > row and self.elements[place].parent != row:
            place = self.elements[place].parent
        return place

    def places_around(self, piece: CellText) -> Iterator[int]:
        """Yield the elements around a piece, up to its record."""
        roots, place = self.members[piece.record].roots, piece.place
        least = roots[0] if roots else -1
        for _ in range(_LEVELS * 3):
            if place < max(least, 0):
                return
            yield place
            if place in roots:
                return
            place = self.elements[place].parent

    def name_by_words(self) -> None:
        """Name pieces by the word before them, if that is the same in all records."""
        for pieces in self.records:
            word: CellText | None = None
            first: CellText | None = None
            for piece in pieces:
                if word and piece.line != word.line:
                    word = None
                if piece.is_word and not piece.name:
                    word, first = piece, None
                elif (
                    word
                    and not piece.name
                    and id(piece) not in self.titles
                    and (not first or piece.kind == first.kind)
                ):
                    piece.name, first = clean(word.text), piece

    # What is left

    def leave_out_action_links(self) -> None:
        """Leave out buttons, and links that have the same text in all records and different targets: "Details", "Reserve"."""
        for pieces in self.group_unnamed().values():
            is_same = len({piece.text for piece in pieces}) == 1 and 1 < len(pieces) >= len(self.records) / 2
            targets = {self.target_of(piece) for piece in pieces} if is_same else set()
            if None not in targets and len(targets) > 1:
                leave_out(piece for piece in pieces if id(piece) not in self.titles)
            if self.has_buttons:
                leave_out(piece for piece in pieces if self._is_button(piece))

    def leave_out_meaningless(self) -> None:
        """Leave out links with the same text in all records, words that are part of their line, numbers that count records, and signs."""
        for pieces in self.group_unnamed().values():
            is_same = len({piece.text for piece in pieces}) == 1 and 1 < len(pieces) >= len(self.records) / 2
            counts = [piece.text.strip("#.()[] ") for piece in pieces]
            is_count = len(pieces) == len(self.records) > 2 and _count_up(counts)
            for piece in pieces:
                if id(piece) not in self.titles and (
                    is_count
                    or not has_content(piece.text)
                    or piece.is_word
                    or (is_same and self.target_of(piece) is not None)
                ):
                    piece.is_left_out = True

    def target_of(self, piece: CellText) -> str | None:
        """Return where a piece leads to, if it is a link."""
        inside = self.walk.links.anchors_in(piece.start, piece.end)
        if inside:
            return inside[0].href
        links = (
            self.walk.nodes[place] for place in self.places_around(piece) if self.elements[place].tag == _A
        )
        return next((link.attributes.get("href") or "" for link in links), None)

    def _is_button(self, piece: CellText) -> bool:
        return any(self.elements[place].tag == _BUTTON for place in self.places_around(piece))

    def name_titles(self) -> None:
        """Name the title of each record, unless the page has a name for it."""
        for piece in self.title_of:
            if piece and not piece.name and not piece.is_left_out:
                piece.name, piece.is_label = "title", False

    def separate_places(self) -> None:
        """Give places of one kind different kinds if all records have the same number of them, more than one."""
        for pieces in self.group_unnamed().values():
            each = Counter(piece.record for piece in pieces)
            times = set(each.values())
            if len(each) == len(self.records) > 1 and len(times) == 1 and times != {1}:
                for at, piece in enumerate(pieces):
                    piece.kind = (*piece.kind, -2, at % len(pieces[:: len(each)]))

    def name_by_classes(self) -> None:
        """Name pieces by the classes of their elements, or of elements around them that do not hold the title."""
        kinds = self.group_unnamed()
        common = self._words_of_most_classes()
        text_places = {
            piece.place for piece in self.pieces if piece.is_text and has_words(piece.text)
        }  # the class of these elements belongs to their own text, unless that is a number beside a name
        for pieces in kinds.values():
            if name := self._class_name(pieces[0], common, text_places):
                for piece in pieces:
                    piece.name = name
        self._divide_lists()

    def _class_name(self, piece: CellText, common: frozenset[str], text_places: set[int]) -> str:
        title = self.title_of[piece.record]
        for place in list(self.places_around(piece))[:_LEVELS]:
            element = self.elements[place]
            roots = self.members[piece.record].roots
            if roots == (place,) or (title and element.span.start <= title.start < element.span.end):
                return ""
            if place in text_places and place != piece.place:
                return ""
            if name := clean(from_class(element.style, common)):
                return name
            if element.tag not in NAMES and self.walk.nodes[place].tag == "time":
                return "time"
        return ""

    def _words_of_most_classes(self) -> frozenset[str]:
        """Return words that the classes of several elements of a record begin with: they name the record, not its attributes."""
        firsts: Counter[str] = Counter()
        styles = {
            self.elements[place].style
            for pieces in self.records[:3]
            for piece in pieces
            for place in self.places_around(piece)
        }
        for style in styles:
            firsts.update({re.split(r"[-_]|(?<=[a-z])(?=[A-Z])", each)[0].lower() for each in style.split()})
        return frozenset(word for word, times in firsts.items() if times > 1 and 2 * times >= len(styles))

    def _divide_lists(self) -> None:
        """Split texts with commas into several values, in places that have no name, or a name for several things."""
        kinds: dict[Kind, list[CellText]] = {}
        for piece in self.pieces:
            is_open = not piece.name or (piece.name.split()[-1] in _NAMES_OF_LISTS and not piece.is_shown)
            if is_open and not piece.is_label and id(piece) not in self.titles:
                kinds.setdefault(piece.kind, []).append(piece)
        divided = {
            kind
            for kind, pieces in kinds.items()
            if 2 * sum(_is_list(piece.text) for piece in pieces) > len(pieces)
            and max(len(piece.text) for piece in pieces) <= _LONGEST_LIST
        }
        if divided:
            lists = {
                kind: columns_around_list([PARTS.split(piece.text) for piece in kinds[kind]])
                for kind in divided
            }
            for number, pieces in enumerate(self.records):
                self.records[number] = [part for piece in pieces for part in self._parts(piece, lists)]
            self.pieces = [piece for pieces in self.records for piece in pieces]

    def _parts(self, piece: CellText, lists: Mapping[Kind, DelimitedColumns | None]) -> Iterator[CellText]:
        if piece.kind not in lists or piece.is_shown or id(piece) in self.titles or piece.is_label:
            yield piece
            return
        for text in parts_around_list(piece.text, lists[piece.kind]):
            if has_content(text):
                yield replace(piece, text=text)

    def name_remaining(self) -> None:
        """Name the longest text of the records `text` or `summary`, and number the others."""
        kinds = self.group_unnamed()
        lengths = {kind: median_low([len(piece.text) for piece in pieces]) for kind, pieces in kinds.items()}
        longest = max(lengths, key=lambda kind: lengths[kind], default=())
        number = 1
        for kind, pieces in kinds.items():
            if kind == longest and lengths[kind] >= _SHORTEST_TEXT:
                cut = 2 * sum(bool(_CUT_OFF.search(piece.text)) for piece in pieces) > len(pieces)
                name = "summary" if cut else "text"
            else:
                number += 1
                name = f"text {number}"
            for piece in pieces:
                piece.name = name


def _title_piece(pieces: Sequence[CellText], title: str) -> CellText | None:
    """Return the piece that is a record's title, or holds it."""
    if not title:
        return None
    same = (piece for piece in pieces if piece.text == title)
    return next(same, None) or next((piece for piece in pieces if title in piece.text), None)


def _count_up(texts: Sequence[str]) -> bool:
    """Return whether texts are numbers that count up by one."""
    if not all(text.isascii() and text.isdigit() and len(text) < 7 for text in texts):
        return False
    numbers = [int(text) for text in texts]
    return all(after - before == 1 for before, after in pairwise(numbers))


def _is_list(text: str) -> bool:
    """Return whether a text lists short things, three at least."""
    parts = PARTS.split(text)
    if _SENTENCE.search(text):
        return False
    return len(parts) >= _FEWEST_PARTS and all(
        0 < len(part) <= _LONGEST_PART and not part.endswith(".") for part in parts
    )
