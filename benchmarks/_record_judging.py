"""Judging stored records against the rows of a database: which are rows, which are missing, and which values stand in the right column.

All here is pure: rows of a truth and rows of a state go in, figures come out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiddenweb.records.attribute_names import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Pairs = Sequence[tuple[str, str]]
    Rows = Mapping[str, Mapping[str, tuple[str, ...]]]

MOST_SHOWN = 3
"""Examples of each fault that are printed."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as the state has it."""

    id: str | None  # the row that it is; None: none
    url: str
    attributes: Pairs
    text: str  # all that was read about it
    sources: tuple[Pairs, ...] = ()  # what its answer and its own page say, each by itself


@dataclass(slots=True)
class Tally:
    """What was counted on a site, or on several."""

    rows: int = 0
    stored: int = 0
    right: int = 0
    distinct: int = 0
    cells: int = 0
    cells_right: int = 0
    unread: int = 0  # values that the crawl did not read anywhere
    overwritten: int = 0
    faults: Counter[str] = field(default_factory=Counter)  # cells by column and what is wrong
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, other: Tally) -> None:
        """Add what was counted elsewhere."""
        for name in ("rows", "stored", "right", "distinct", "cells", "cells_right", "unread", "overwritten"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults
        for name, examples in other.examples.items():
            self.examples[name] += examples

    @property
    def figures(self) -> dict[str, float | int]:
        """The figures that are asked for."""
        return {
            "record_precision": _share(self.right, self.stored),
            "record_recall": _share(self.distinct, self.rows),
            "attribute_accuracy": _share(self.cells_right, self.cells),
            "duplicate_keys": self.right - self.distinct,
            "overwritten_worse": self.overwritten,
        }

    def note(self, fault: str, example: str) -> None:
        """Count a fault, with an example."""
        self.faults[fault] += 1
        if len(self.examples[fault]) < MOST_SHOWN:
            self.examples[fault].append(example)


def judge_records(rows: Rows, records: Iterable[StoredRecord], labels: Mapping[str, str]) -> Tally:
    """Compare stored records with the rows of a database; `labels` say how pages call columns."""
    records = list(records)
    matched = [record for record in records if record.id in rows]
    tally = Tally(len(rows), len(records), len(matched), len({record.id for record in matched}))
    for record in records:
        if record.id not in rows:
            tally.note("no record", f"{record.url} {list(record.attributes)[:4]}")
    columns = sorted({column for row in rows.values() for column in row})
    names = {column: _choose_name(column, labels.get(column), rows, matched) for column in columns}
    for record in matched:
        for column in columns:
            assert record.id is not None
            _judge_cell(tally, record, column, rows[record.id].get(column, ()), names[column])
    return tally


def _choose_name(column: str, label: str | None, rows: Rows, records: Iterable[StoredRecord]) -> str:
    """Return the name under which a column's values are looked for: its own, its label, or, without label on the pages, the one that holds most."""
    if label:
        return clean(label)
    own = clean(column.replace("_", " ")), clean(column)
    counted: Counter[str] = Counter()
    for record in records:
        assert record.id is not None
        wanted = {one_line(value) for value in rows[record.id].get(column, ())}
        counted.update({name for name, value in record.attributes if one_line(value) in wanted})
    return next(
        (name for name in own if counted[name]), max(counted, key=counted.__getitem__, default=own[0])
    )


def _judge_cell(tally: Tally, record: StoredRecord, column: str, wanted: Sequence[str], name: str) -> None:
    right = {one_line(value) for value in wanted}
    given = _values(record.attributes, name)
    if not given and not any(_is_in(value, record.text) for value in right):
        tally.unread += bool(right)
        return
    tally.cells += 1
    is_right = _is_right(given, right)
    tally.cells_right += is_right
    if not is_right:
        others = sorted({each for each, value in record.attributes if one_line(value) in right})
        what = (
            f"as {', '.join(others)}" if others else "missing" if not given else "wrong" if right else "none"
        )
        tally.note(f"{column} {what}", f"{record.url}: {sorted(given)} for {sorted(right)}")
        if given and any(_is_right(_values(source, name), right) for source in record.sources):
            tally.overwritten += 1


def _values(pairs: Pairs, name: str) -> set[str]:
    return {one_line(value) for each, value in pairs if each.casefold() == name}


def _is_in(value: str, text: str) -> bool:
    """Say whether a text has a value; of short ones in letters that stand apart, not as part of a longer word."""
    if any(character >= "\u0e00" for character in value):
        return value in one_line(text)
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", one_line(text)) is not None


def _is_right(given: set[str], right: set[str]) -> bool:
    return bool(given) and given <= right


def one_line(text: str) -> str:
    """Return a text without line breaks and double spaces."""
    return " ".join(text.split())


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
