"""Lists among columns, known from earlier answers of a form.

`Ann Lee, Bo Ray, Cy Fox, 1999`: one column is a list. Results with different numbers of parts show which one it is
(`hiddenweb.records.delimited`). A single result, or a few of one length, do not. But all answers of a form are written in one way. So the
number of columns before and behind the list, learnt from one answer, holds for the attribute of that name in the others.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.records.delimited import PARTS, DelimitedColumns, parts_around_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.model import Record

_NEARLY = 0.9  # of the records
_LONGEST_PART = 60  # characters; a limit of taste
_LONGEST_TEXT = 20_000  # characters of a record that are searched for the line; a limit of taste
_MOST_LISTS = 20  # of one form; a limit of taste


def extend_known_lists(known: frozenset[str], records: Iterable[Record]) -> frozenset[str]:
    """Return the known lists with those in the records of an answer; a list is written "before behind name"."""
    new_lists = dict(_lists_in(records))
    if not new_lists:
        return known
    old_entries = sorted(entry for entry in known if entry.split(" ", 2)[2] not in new_lists)
    return frozenset(
        [*(f"{before} {behind} {name}" for name, (before, behind) in new_lists.items()), *old_entries][
            :_MOST_LISTS
        ]
    )


def join_known_lists(records: tuple[Record, ...], known: Iterable[str]) -> tuple[Record, ...]:
    """Return records in which known lists that were split are one value again."""
    for entry in known:
        before, behind, name = entry.split(" ", 2)
        records = tuple(
            _join_list(record, name, DelimitedColumns(int(before), int(behind))) for record in records
        )
    return records


def _lists_in(records: Iterable[Record]) -> Iterator[tuple[str, DelimitedColumns]]:
    """Yield the names that have several values in nearly all records, with one value with commas at the same place among them."""
    places: dict[str, Counter[DelimitedColumns | None]] = {}
    for record in records:
        for name, values in _values(record).items():
            lists = [at for at, value in enumerate(values) if PARTS.search(value)] if len(values) > 1 else []
            if lists:
                place = DelimitedColumns(lists[0], len(values) - 1 - lists[0]) if len(lists) == 1 else None
                places.setdefault(name, Counter())[place] += 1
    for name, found in places.items():
        columns, times = found.most_common(1)[0]
        if columns is not None and times > 1 and times >= _NEARLY * found.total():
            yield name, columns


def _values(record: Record) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in record.attributes:
        values.setdefault(name, []).append(value)
    return values


def _join_list(record: Record, name: str, columns: DelimitedColumns) -> Record:
    values = _values(record).get(name, [])
    if len(values) < 2 or any(len(value) > _LONGEST_PART or PARTS.search(value) for value in values):
        return record
    line = _line_of(values, record.text)
    if len(PARTS.split(line)) <= sum(columns) + 1:
        return record
    first = next(at for at, (each, _) in enumerate(record.attributes) if each == name)
    others = [(at, pair) for at, pair in enumerate(record.attributes) if pair[0] != name]
    joined = [(name, part) for part in parts_around_list(line, columns)]
    before, behind = ([pair for at, pair in others if (at > first) == later] for later in (False, True))
    return replace(record, attributes=(*before, *joined, *behind))


def _line_of(values: Sequence[str], text: str) -> str:
    """Return the line of a text that consists of all the values and nothing else; a value may be repeated."""
    part = "|".join(re.escape(value) for value in sorted(values, key=len, reverse=True))
    between = PARTS.pattern
    lines = re.finditer(f"(?:{part})(?:(?:{between})(?:{part}))+", " ".join(text[:_LONGEST_TEXT].split()))
    distinct = set(values)
    return next((line[0] for line in lines if set(PARTS.split(line[0])) == distinct), "")
