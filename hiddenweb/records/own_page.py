"""What the own page of a record states about it: labels with their values.

An answer lists many records alike, so that its columns and labels repeat within one page. The own page of a record has one of each. What
is a label there is told by its markup:

1. the head cells of a row before its other cells, and the terms of a description list,
2. a `<label>` that belongs to no control,
3. an emphasised or separate text that ends with a colon,
4. the heads of the columns of a table with a single row, if the page has none of these,
5. names in its source: microdata and RDFa.

Others may be labels or not: the left one of two plain cells, every second one of like elements, the text before a colon, and an element with
a class such as `label`, which badges and menus have, too. Whether they are shows on several pages (`hiddenweb.records.own_labels`).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.html.tags import CELLS, NUMBERS, TEXT, numbers_of
from hiddenweb.records.attribute_names import clean, from_property
from hiddenweb.records.cells import has_content
from hiddenweb.records.label_nodes import (
    COLONS,
    CONTROLS,
    DIVIDING,
    EMPHASISED,
    LONGEST_LABEL,
    MOST_INSIDE,
    NO_CONTENT,
    LabelNodes,
    could_be_label,
)
from hiddenweb.records.markup_names import LONGEST_VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.html.node_table import NodeTable

LONG = 60
"""Characters of a text in sentences; a limit of taste: names and values are shorter."""

MOST_STATEMENTS = 100
"""Statements of a page; a limit of taste."""

MOST_VALUES = 8
"""Values of one label: more belong to a list or to comments; a limit of taste."""

_MOST_READ = 2 * MOST_STATEMENTS  # with those that are dropped
_MOST_BODIES, _SHORTEST_BODY = 6, 20  # texts of a page that are kept, and characters of each; limits of taste
_P, _H1 = NUMBERS["p"], NUMBERS["h1"]
_MOST_ROWS = 200  # of a table; a limit of taste: one with more is a list
_LONGEST_SIBLINGS = 40  # nodes behind a label that are looked at; a limit of taste
_TABLE, _TR, _TH, _DT, _DD, _BR, _LABEL = (
    NUMBERS[name] for name in ("table", "tr", "th", "dt", "dd", "br", "label")
)
_LINES = numbers_of("p li div dd td")
_HOLDING = numbers_of("div section article ul ol main p span header li td")
_PAIRED = numbers_of("div p span li h3 h4 h5 h6 b strong em i dt dd")
_FEWEST_PAIRED, _MOST_PAIRED = 4, 80  # labels and values that alternate, together; limits of taste
_LINE = re.compile(r"^([^\W\d_][^:：|•·]{0,39}?)\s?(?::(?=\s)|：)\s*(\S.*)$", re.DOTALL)
_NOTHING = frozenset({"-", "–", "—", "n/a", "none", "null"})


class Statement(NamedTuple):
    """A label with a value, or a text without label."""

    name: str  # empty: none
    value: str
    is_sure: bool = True  # the markup says that it is a label
    is_in_rows: bool = False  # it is not sure, and one of several labels that alternate with their values


def read_statements(table: NodeTable) -> list[Statement]:
    """Return what a page states with labels, in the order of the page, and its longest texts without label."""
    reader = _PageReader(table)
    found = [*islice(reader.read_structures(), _MOST_READ), *islice(reader.read_properties(), _MOST_READ)]
    if not found:
        found = list(islice(reader.read_single_rows(), _MOST_READ))
    values: dict[str, dict[str, Statement]] = {}
    for each in found:
        if each.name and has_content(each.value) and each.value.casefold() not in _NOTHING:
            values.setdefault(each.name, {}).setdefault(each.value, each)
    labelled = [each for said in values.values() if len(said) <= MOST_VALUES for each in said.values()]
    return [*labelled[:MOST_STATEMENTS], *(Statement("", body, is_sure=False) for body in read_bodies(table))]


def read_bodies(table: NodeTable) -> list[str]:
    """Return the longest texts of a page that stand in blocks of their own, the longest first; long paragraphs in a row are one text."""
    blocks: dict[int, list[str]] = {}
    around = _blocks_around(table)
    for place, text in table.texts.items():
        if around[place] >= 0 and not text.isspace():
            blocks.setdefault(around[place], []).append(text)
    texts: list[list[str]] = []
    end = -1  # of the long paragraph before
    for block, pieces in blocks.items():
        text = " ".join("".join(pieces).split())
        is_long = table.tags[block] == _P and weigh(text) >= LONG
        if is_long and end >= 0 and not any(not each.isspace() for each in _texts_between(table, end, block)):
            texts[-1].append(text)
        else:
            texts.append([text])
        end = table.ends[block] if is_long else -1
    joined = (" ".join(each)[:LONGEST_VALUE] for each in texts)
    return sorted((each for each in joined if weigh(each) >= _SHORTEST_BODY), key=len, reverse=True)[
        :_MOST_BODIES
    ]


def _texts_between(table: NodeTable, start: int, end: int) -> Iterator[str]:
    return (table.texts[place] for place in range(start, end) if place in table.texts)


def read_heading(table: NodeTable) -> str:
    """Return the first main heading of a page on one line; empty if it has none."""
    place = next((place for place, tag in enumerate(table.tags) if tag == _H1), None)
    return LabelNodes(table).text([place]) if place is not None else ""


def weigh(text: str) -> int:
    """Return the length of a text, in which a character beyond the alphabets counts as two: it says as much."""
    return len(text) if text.isascii() else len(text) + sum(character >= "\u2e80" for character in text)


def _blocks_around(table: NodeTable) -> list[int]:
    """Return the innermost block around each node; -1 inside what is no content."""
    found: list[int] = []
    for place, parent in enumerate(table.parents):
        outer = found[parent] if parent >= 0 else 0
        tag = table.tags[place]
        found.append(-1 if outer < 0 or tag in NO_CONTENT else place if tag in DIVIDING else outer)
    return found


class _PageReader(LabelNodes):
    """Reads the statements of one page."""

    def __init__(self, table: NodeTable) -> None:
        super().__init__(table)
        self._rows: dict[int, list[int]] = {}  # of tables that were met
        self._lists: dict[int, bool] = {}  # whether a table has heads of columns

    # Structures

    def read_structures(self) -> Iterator[Statement]:
        """Yield the statements of tables, description lists, labels and lines."""
        place, end = 0, len(self.tags)
        while place < end:
            tag = self.tags[place]
            if tag in NO_CONTENT:
                place = self.ends[place]
                continue
            if tag == _TR:
                yield from self._read_row(place)
            elif tag == _DT:
                yield from self._read_term(place)
            elif tag in _HOLDING:
                yield from self._read_alternating(place)
            if tag in EMPHASISED or self.has_label_class(place):
                yield from self._read_label(place)
            if tag in _LINES:
                yield from self._read_line(place)
            place += 1

    def _read_row(self, row: int) -> Iterator[Statement]:
        """Yield the statements of a row: each head with the cells behind it, or the left one of two cells with the right one."""
        cells = [child for child in self.children(row) if self.tags[child] in CELLS]
        if len(cells) < 2 or self._is_in_list(row, len(cells)):
            return
        if self.tags[cells[0]] == _TH:
            label = ""
            for cell in cells:
                if self.tags[cell] == _TH:
                    label = self.label(cell)
                elif label:
                    yield from self._statements(label, [cell])
        elif len(cells) == 2 and self.tags[cells[1]] != _TH and (label := self.label(cells[0])):
            is_sure = self.is_marked(cells[0])
            yield from self._statements(label, [cells[1]], is_sure=is_sure, is_in_rows=not is_sure)

    def _is_in_list(self, row: int, cells: int) -> bool:
        """Say whether a row belongs to a table of many columns, with heads of these or with several such rows."""
        table = self._table_of(row)
        if table not in self._lists:
            self._lists[table] = any(self._is_head(other) for other in self._rows_of(table))
        return self._lists[table] or (
            cells > 2 and not any(self.tags[cell] == _TH for cell in self.children(row))
        )

    def _is_head(self, row: int) -> bool:
        cells = [child for child in self.children(row) if self.tags[child] in CELLS]
        return len(cells) > 1 and all(self.tags[cell] == _TH and self.text([cell]) for cell in cells)

    def _rows_of(self, table: int) -> list[int]:
        """Return the rows of a table, without those of tables inside it."""
        if table not in self._rows:
            found, place = list[int](), table + 1
            while place < self.ends[table] and len(found) < _MOST_ROWS:
                if self.tags[place] == _TABLE:
                    place = self.ends[place]
                    continue
                if self.tags[place] == _TR:
                    found.append(place)
                place += 1
            self._rows[table] = found
        return self._rows[table]

    def _table_of(self, place: int) -> int:
        """Return the table around a row, as far as rows can be from it."""
        for around in self.around(place, 3):
            if self.tags[around] == _TABLE:
                return around
        return place

    def _read_term(self, term: int) -> Iterator[Statement]:
        """Yield the statements of a term: its descriptions."""
        label = self.label(term)
        if not label:
            return
        place = self.ends[term]
        end = self.ends[self.parents[term]]
        while place < end and self.tags[place] != _DT:
            if self.tags[place] == _DD:
                yield from self._statements(label, [place])
            place = self.ends[place]

    def _read_alternating(self, place: int) -> Iterator[Statement]:
        """Yield the statements of an element that holds nothing but labels and values in turn, all labels of one kind and all values."""
        children = list(islice(self.children(place, texts=False), _MOST_PAIRED + 1))
        if len(children) % 2 or not _FEWEST_PAIRED <= len(children) <= _MOST_PAIRED:
            return
        if any(self.ends[child] - child > MOST_INSIDE for child in children):
            return
        kinds = {(self.tags[child], at % 2) for at, child in enumerate(children)}
        if len(kinds) > 2 or self.tags[children[0]] not in _PAIRED or self.tags[children[1]] not in _PAIRED:
            return
        labels = [self.label(child) for child in children[::2]]
        if not all(labels) or len(set(labels)) < len(labels):
            return
        for label, child in zip(labels, children[1::2], strict=True):
            yield from self._statements(label, [child], is_sure=False, is_in_rows=True)

    def _read_label(self, place: int) -> Iterator[Statement]:
        """Yield the statement of an element that is a label, with what follows it."""
        if (
            self.ends[place] - place <= MOST_INSIDE
            and self._is_label_element(place)
            and (label := self.label(place))
        ):
            is_sure = self.tags[place] == _LABEL or self.text([place]).endswith(COLONS)
            yield from self._statements(label, self._behind(place), is_sure=is_sure)

    def _is_label_element(self, place: int) -> bool:
        if self.tags[place] == _LABEL:
            return not self.table.attributes(place).get("for") and not self.has_control(self.parents[place])
        if any(self.tags[around] in (_LABEL, _TH, _DT) for around in self.around(place, 3)):
            return False
        if self.has_label_class(place):
            return not self._stands_by_control(place)
        text = self.text([place])
        return text.endswith(COLONS) and not self.has_control(place)

    def _stands_by_control(self, place: int) -> bool:
        """Say whether a label shares a small element with a control, which it then belongs to."""
        parent = self.parents[place]
        return parent >= 0 and self.ends[parent] - parent <= MOST_INSIDE and self.has_control(parent)

    def _behind(self, place: int) -> list[int]:
        """Return the nodes behind a label that are its value: up to a line break or the next label, or the next block."""
        while self._is_alone(place):
            place = self.parents[place]
        found: list[int] = []
        node, end = self.ends[place], self.ends[self.parents[place]] if self.parents[place] >= 0 else 0
        while node < end and len(found) < _LONGEST_SIBLINGS:
            tag = self.tags[node]
            if tag == TEXT and not self.table.texts[node].strip():
                node = self.ends[node]
                continue
            if tag == _BR or tag in CONTROLS or (tag != TEXT and self._begins_label(node)):
                break
            if tag in DIVIDING:
                return found or [node]
            found.append(node)
            node = self.ends[node]
        return found

    def _is_alone(self, place: int) -> bool:
        """Say whether an element has no text beside it in an element around it that is small and no block of many."""
        parent = self.parents[place]
        return (
            parent > 0
            and self.tags[parent] not in DIVIDING
            and self.ends[parent] - parent <= MOST_INSIDE
            and self.text([parent]) == self.text([place])
        )

    def _begins_label(self, node: int) -> bool:
        return (
            self.ends[node] - node <= MOST_INSIDE
            and self.tags[node] in EMPHASISED
            and self.text([node]).endswith(COLONS)
        )

    def _read_line(self, place: int) -> Iterator[Statement]:
        """Yield the statement of a line of plain text: what stands before its colon may be a label."""
        children = self._unwrap_line(place) if self.ends[place] - place <= MOST_INSIDE else []
        if not children or any(self.tags[child] in DIVIDING | {_BR} for child in children):
            return
        if any(self.tags[child] in EMPHASISED for child in children[:2]):
            return
        found = _LINE.match(self.text([place]))
        if found and could_be_label(found[1]):
            yield Statement(clean(found[1]), found[2][:LONGEST_VALUE], is_sure=False)

    def _unwrap_line(self, place: int) -> list[int]:
        """Return the children of an element, or those of the only one among them that has all its text, such as `<p><span>Year: 1999</span></p>`."""
        while True:
            children = [
                child
                for child in self.children(place)
                if self.tags[child] != TEXT or self.table.texts[child].strip()
            ]
            if len(children) != 1 or self.tags[children[0]] not in EMPHASISED:
                return children
            (place,) = children

    def read_single_rows(self) -> Iterator[Statement]:
        """Yield the statements of tables with heads of columns and one row below them."""
        for place, tag in enumerate(self.tags):
            if tag != _TR or not self._is_head(place):
                continue
            rows = self._rows_of(self._table_of(place))
            cells = [child for child in self.children(place) if self.tags[child] in CELLS]
            below = [
                [child for child in self.children(row) if self.tags[child] in CELLS]
                for row in rows
                if row != place
            ]
            if len(below) == 1 and len(below[0]) == len(cells):
                for head, cell in zip(cells, below[0], strict=True):
                    if label := self.label(head):
                        yield from self._statements(label, [cell])

    # Source

    def read_properties(self) -> Iterator[Statement]:
        """Yield what microdata and RDFa say of the one thing that the page is about."""
        for place, attributes in self.table.filled.items():
            name = from_property(attributes.get("itemprop") or "")
            if not name or "itemscope" in attributes or self.is_aside(place):
                continue
            value = attributes.get("content") or attributes.get("datetime") or self.text([place])
            scopes = [
                around for around in self.around(place, 60) if "itemscope" in self.table.attributes(around)
            ]
            if len(scopes) == 1 and value:
                yield Statement(name, " ".join(value[:LONGEST_VALUE].split()))

    # Texts

    def _statements(
        self, label: str, nodes: Sequence[int], *, is_sure: bool = True, is_in_rows: bool = False
    ) -> Iterator[Statement]:
        value = self.text(nodes) if nodes else ""
        if value and not (len(value) <= LONGEST_LABEL and value.endswith(COLONS)):
            yield Statement(label, value[:LONGEST_VALUE], is_sure, is_in_rows)
