"""Cells as texts, for formats that have only these."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.reports.records import Cell, Scalar

SEPARATOR = "; "
"""Between the values of one cell."""

_FORMULA = re.compile(r"[=+\-@\t\r]")
_PLAIN_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text_of_cell(cell: Cell) -> str:
    """Return a cell as one text; several values are joined.

    >>> text_of_cell(["Jane Smith", "John Doe"]), text_of_cell(None), text_of_cell(date(2026, 3, 1)), text_of_cell(12.5)
    ('Jane Smith; John Doe', '', '2026-03-01', '12.5')
    """
    if isinstance(cell, list):
        return SEPARATOR.join(map(text_of_cell, cell))
    return "" if cell is None else str(plain_value(cell))


def plain_value(value: Scalar) -> str | int | float:
    """Return a value as JSON has it: days and times as ISO 8601, in UTC."""
    return value.isoformat() if isinstance(value, date | datetime) else value


def defuse(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe comes before it, unless it is a plain number.

    >>> defuse("=HYPERLINK(A1)"), defuse("-12.50"), defuse("- none -"), defuse("@home"), defuse("River")
    ("'=HYPERLINK(A1)", '-12.50', "'- none -", "'@home", 'River')
    """
    return f"'{text}" if _FORMULA.match(text) and not _PLAIN_NUMBER.fullmatch(text) else text


def clean_for_xml(text: str) -> str:
    """Return a text without the characters that XML does not allow: a space stands for each.

    >>> clean_for_xml("bell" + chr(7) + "s")
    'bell s'
    """
    return _NOT_IN_XML.sub(" ", text)
