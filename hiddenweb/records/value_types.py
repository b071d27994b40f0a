"""Which type all values of a column have: whole numbers, numbers, prices of known currency, days, or text.

Values are given one by one. The first 500 decide the kind, as far as `hiddenweb.records.typed_values` can read them; from then on each value is
only checked. One value that cannot be read, or that a type would change, makes the column text: a table says what the pages said.
So numbers with more digits than a float holds and dates with a time of day stay text, as do ranges of prices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

from hiddenweb.records.numbers import LONGEST
from hiddenweb.records.typed_values import UNKNOWN, kind_of, parse_value, source_of

if TYPE_CHECKING:
    from hiddenweb.records.typed_values import TypedValue, WrittenAs

ValueType = Literal["text", "integer", "number", "price", "date"]

_FIRST = 500
"""Values that decide the kind of a column, as `kind_of` reads no more."""

_MOST_DIGITS = 15
"""Digits of a number that a float, and so a spreadsheet, holds exactly."""

_KINDS: dict[str, ValueType] = {"number": "integer", "year": "integer", "price": "price", "date": "date"}


@dataclass(slots=True)
class ColumnValues:
    """The values of a column, as far as they were given."""

    name: str
    type: ValueType = "text"
    _first: list[str] | None = field(default_factory=list)  # None when they were read
    _written: WrittenAs = UNKNOWN

    def add(self, value: str) -> None:
        """Take one more value."""
        if self._first is None:
            self._check(value)
        elif len(value) > LONGEST:
            self._first, self.type = None, "text"
        else:
            self._first.append(value)
            if len(self._first) == _FIRST:
                self.decide()

    def decide(self) -> None:
        """Decide the type, if the values given so far have not yet."""
        first, self._first = self._first, None
        if not first:
            return
        self.type = _KINDS.get(kind_of(first, self.name), "text")
        self._written = source_of(first) if self.type != "text" else UNKNOWN
        for value in first:
            self._check(value)

    def parse(self, value: str) -> int | float | date | tuple[float, str] | None:
        """Return a value as its column has it: a price as amount and currency; None if it cannot be read so."""
        return None if self.type == "text" else self._convert(self._read(value))

    def _check(self, value: str) -> None:
        """Make the column text, or one of numbers, if a value wants it."""
        if self.type == "text":
            return
        read = self._read(value)
        if self.type == "integer" and read is not None and isinstance(read.value, str):
            self.type = "number"
        if self._convert(read) is None:
            self.type = "text"

    def _convert(self, read: TypedValue | None) -> int | float | date | tuple[float, str] | None:
        if read is None:
            return None
        if self.type == "date":
            return _day(read)
        if self.type != "price":
            number = _number(read.value)
            return int(number) if number is not None and self.type == "integer" else number
        if isinstance(read.value, dict) and (amount := _number(read.value.get("amount"))) is not None:
            return amount, str(read.value["currency"])
        return None

    def _read(self, value: str) -> TypedValue | None:
        kind = self.type if self.type in ("price", "date") else "number"
        return parse_value(value, kind, self._written)


def _number(value: object) -> float | None:
    """Return a decimal text or a whole number; None if a float does not hold all its digits."""
    text = str(value)
    if sum(map(str.isdigit, text)) > _MOST_DIGITS or isinstance(value, dict) or value is None:
        return None
    return float(text)


def _day(read: TypedValue) -> date | None:
    """Return a date that is known to the day, and not closer."""
    if not isinstance(read.value, dict) or read.value.get("precision") != "day":
        return None
    return date.fromisoformat(str(read.value["date"]))
