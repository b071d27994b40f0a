"""The names of the columns of a table, for the cells of the rows that are records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.html.tags import CELLS, NUMBERS
from hiddenweb.records.attribute_names import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Element
    from hiddenweb.html.tree_walk import TreeWalk

_TR, _TH, _TABLE = NUMBERS["tr"], NUMBERS["th"], NUMBERS["table"]
_MOST_COLUMNS = 200
"""Columns of a table that are read; a limit of taste: no table of results has more."""

_MOST_HEADS = 4  # rows of heads; a limit of taste


class TableColumns(NamedTuple):
    """The columns of cells and the names of these columns, by the places of the cells."""

    numbers: dict[int, int]
    names: dict[int, str]  # cells without a head are not in it


def columns_of(walk: TreeWalk, flat: str, rows: Sequence[int]) -> TableColumns:
    """Return the columns of all cells of some rows, with their names."""
    elements = walk.elements or []
    tables: dict[int, tuple[dict[int, str], _Grid]] = {}
    found = TableColumns({}, {})
    members = frozenset(rows)
    for row in rows:
        table = _table(elements, row)
        if table not in tables:
            tables[table] = _heads(walk, flat, table, row, members), _Grid()
        names, grid = tables[table]
        places = {elements[at].number: at for at in _child_places(elements, row)}
        for column, cell in grid.cells(walk.nodes[row]):
            place = places.get(cell.mem_id, -1)
            if place >= 0 and place not in found.numbers:
                found.numbers[place] = column
                if names.get(column):
                    found.names[place] = names[column]
    return found


class _Grid:
    """Counts columns from row to row, since a cell may span several columns and rows."""

    def __init__(self) -> None:
        self._taken: dict[int, int] = {}  # rows that a cell from above still spans, by column

    def cells(self, row: LexborNode) -> Iterator[tuple[int, LexborNode]]:
        """Yield every column of a row with its cell."""
        taken, self._taken = (
            self._taken,
            {column: rows - 1 for column, rows in self._taken.items() if rows > 1},
        )
        column, cell = 0, row.first_child
        while cell is not None and column < _MOST_COLUMNS:
            if cell.tag_id in CELLS:
                while column in taken:
                    column += 1
                attributes = cell.attributes
                wide, high = _number(attributes.get("colspan")), _number(attributes.get("rowspan"))
                for _ in range(min(wide, _MOST_COLUMNS - column)):
                    if high > 1:
                        self._taken[column] = high - 1
                    yield column, cell
                    column += 1
            cell = cell.next


def _number(text: str | None) -> int:
    text = (text or "").strip()
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 4 else 1


def _heads(walk: TreeWalk, flat: str, table: int, first: int, members: frozenset[int]) -> dict[int, str]:
    """Return the names of columns, from the rows before the first record; a later row overrides an earlier one."""
    elements = walk.elements or []
    before = [
        at
        for at in range(table + 1, first)
        if elements[at].tag == _TR and at not in members and _table(elements, at) == table
    ]
    with_heads = [
        at for at in before if any(elements[cell].tag == _TH for cell in _child_places(elements, at))
    ]
    rows = (with_heads or before)[-_MOST_HEADS:]
    grid = _Grid()
    names: dict[int, str] = {}
    for row in rows:
        places = {elements[at].number: at for at in _child_places(elements, row)}
        heads = {
            column: clean(flat[elements[place].span.start : elements[place].span.end])
            for column, cell in grid.cells(walk.nodes[row])
            if (place := places.get(cell.mem_id, -1)) >= 0
        }
        several = len(set(heads.values())) > 1 or (len(heads) == 1 and not names)
        names |= {column: name for column, name in heads.items() if name and several}
    return names


def _table(elements: Sequence[Element], row: int) -> int:
    """Return the table that a row belongs to."""
    place = elements[row].parent
    for _ in range(3):
        if place < 0 or elements[place].tag == _TABLE:
            break
        place = elements[place].parent
    return place


def _child_places(elements: Sequence[Element], place: int) -> Iterator[int]:
    """Yield the places of the children of an element."""
    at = place + 1
    while at < len(elements) and elements[at].parent >= place:
        if elements[at].parent == place:
            yield at
        at += 1
