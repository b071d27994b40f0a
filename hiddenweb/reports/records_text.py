"""A table of records as lines for a terminal."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from hiddenweb.reports.printable import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.reports.records import Cell, RecordRow, TableColumn

_LONGEST = 40  # places of a column; a limit of taste
_MOST_NAMED = 12  # columns that are not shown; a limit of taste
_GAP = "  "
_LAST = ("site", "url", "form", "extractor", "found_at", "changed_at", "gone_at", "kind", "id")
"""Columns that say little to people: they come behind the attributes."""


def lines_of_table(
    columns: Sequence[TableColumn], rows: Sequence[RecordRow], width: int, *, are_chosen: bool = False
) -> Iterator[str]:
    """Yield the lines of a table as wide as a terminal, and one that names the columns for which there is no room.

    Unless they are chosen, columns are in the order of what people want to read: the title, attributes, the rest.
    """
    places = list(range(len(columns)))
    if not are_chosen:
        places.sort(key=lambda at: (_LAST.index(columns[at].name) + 1) if columns[at].name in _LAST else 0)
    texts = {at: [columns[at].name, *(text_of(row.cells[at]) for row in rows)] for at in places}
    widths = {at: min(_LONGEST, max(map(cell_len, column))) for at, column in texts.items()}
    shown, left = list[int](), width
    for at in places:
        if shown and widths[at] > left:
            break
        shown.append(at)
        left -= widths[at] + len(_GAP)
    for number in range(len(rows) + 1):
        yield _GAP.join(_fit(texts[at][number], widths[at]) for at in shown).rstrip()
    if hidden := [clean_text(columns[at].name) for at in places[len(shown) :]]:
        more = f" and {len(hidden) - _MOST_NAMED:,} more" if len(hidden) > _MOST_NAMED else ""
        yield f"Not shown: {', '.join(hidden[:_MOST_NAMED])}{more}"


def text_of(cell: Cell) -> str:
    """Return a cell on one line."""
    if isinstance(cell, list):
        return "; ".join(text_of(each) for each in cell)
    if isinstance(cell, float):
        return f"{cell:.15g}"
    text = f"{cell:%Y-%m-%d %H:%M}" if isinstance(cell, datetime) else str(cell)
    return "" if cell is None else clean_text(text)


def describe_columns(columns: Sequence[TableColumn], records: int) -> Iterator[str]:
    """Yield a line for each column: its name, its type, and how many records fill it."""
    width = max(map(cell_len, (clean_text(column.name) for column in columns)), default=0)
    for column in columns:
        type_ = f"{column.type}s" if column.is_list else column.type
        share = f"{column.filled:,} of {records:,}"
        yield f"{_fit(clean_text(column.name), width)}{_GAP}{type_:<8}{_GAP}{share}"


def _fit(text: str, width: int) -> str:
    """Return a text cut or filled up to a width, in places of a terminal."""
    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"
