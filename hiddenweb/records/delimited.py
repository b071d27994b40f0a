"""Lines of several columns with commas between them, where one column may be a list.

`Ann Lee, Bo Ray, Cy Fox, 1999` is a director, a cast and a year, or authors and a year: the commas within the list look like the commas
between the columns, so one line alone cannot decide. All lines of a page can, if they come from one template. If their numbers of
parts differ, one column is a list, and every other column is at a fixed distance from the beginning or from the end.

The part at either end is a column of its own, and not a part of the list, if

- it is written in another way than the rest (a year, one word beside names of two, small letters), or
- its values are repeated in other lines at the same place, and never at another: a publisher, a genre.

If these do not decide, a convention does: if only numbers and dates follow the list, the first part is a column of its own (`director,
cast, year`); if words follow, or a line has no second part, it belongs to the list (`authors, publisher, year`). Lines may also differ
because some lack a column. So there is a list only if there are three lengths, or a part stands at different places, or all
parts look like names of people.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Line = Sequence[str]
    Shape = tuple[bool, bool, bool]

_MOST, _FEW = 0.8, 0.2  # of the parts
_FEWEST_LINES = 4  # so that repeated values count
_REPEATED = 0.3  # of the lines have a value that others have at the same place
_LENGTHS = 3  # so many hardly come from missing columns; a limit of taste
_MOST_WORDS = 4  # of a name; a limit of taste
_MOST_COLUMNS = 8  # around the list; a limit of taste


PARTS = re.compile(r"\s*[,;、，]\s+|[、，]\s*")
"""What stands between the parts of a line."""


class DelimitedColumns(NamedTuple):
    """How many columns of one value stand before the list, and how many behind it."""

    before: int
    behind: int


def columns_around_list(lines: Sequence[Line]) -> DelimitedColumns | None:
    """Return how many columns stand before and behind the list; None if no list is found, or there is no other column."""
    lines = [line for line in lines if len(line) > 1]
    lengths = {len(line) for line in lines}
    if len(lengths) < 2:
        return None
    shortest = min(lengths)
    before = behind = 0
    for _ in range(min(shortest - 1, _MOST_COLUMNS)):
        left = [line[before : len(line) - behind] for line in lines]
        first, last = _stands_out(left, 0), _stands_out(left, -1)
        if not (first or last):
            break
        before, behind = (before + 1, behind) if first >= last else (before, behind + 1)
    if not before and behind and _are_numbers(lines, behind) and shortest - behind > 1:
        before = 1
    inside = [line[before : len(line) - behind] for line in lines]
    if not (before or behind) or not _is_list(inside):
        return None
    return DelimitedColumns(before, behind)


def parts_around_list(text: str, around: DelimitedColumns | None) -> list[str]:
    """Return the parts of a text with commas between them; a column that is a list stays one part."""
    parts = PARTS.split(text)
    if around is None or len(parts) <= around.before + around.behind:
        return parts
    commas = [match.span() for match in PARTS.finditer(text)]
    start = commas[around.before - 1][1] if around.before else 0
    end = commas[-around.behind][0] if around.behind else len(text)
    return [*parts[: around.before], text[start:end], *parts[len(parts) - around.behind :]]


def _stands_out(lines: Sequence[Line], at: int) -> float:
    """Return how clearly the first (0) or the last (-1) part of all lines does not belong to the list, from 0 to 1."""
    column = [line[at] for line in lines]
    others = [part for line in lines for part in (line[:-1] if at else line[1:])]
    shape, times = Counter(map(_shape, column)).most_common(1)[0]
    if times >= _MOST * len(column) and sum(_shape(part) == shape for part in others) <= _FEW * len(others):
        return 1.0
    repeated = 1 - len(set(column)) / len(column)
    is_own = len(column) >= _FEWEST_LINES and repeated >= _REPEATED and set(column).isdisjoint(others)
    return repeated if is_own else 0.0


def _shape(part: str) -> Shape:
    """Return how a part is written: with digits, with a small letter at first, in one word."""
    has_digits = any(char.isdigit() for char in part)
    return has_digits, not has_digits and part[:1].islower(), not has_digits and " " not in part


def _are_numbers(lines: Sequence[Line], behind: int) -> bool:
    """Return whether the columns at the end have digits in them."""
    parts = [part for line in lines for part in line[len(line) - behind :]]
    return sum(_shape(part)[0] for part in parts) >= _MOST * len(parts)


def _is_list(lines: Sequence[Line]) -> bool:
    """Return whether lines differ in length because they are lists, and not because some lack a column."""
    lengths = {len(line) for line in lines}
    if max(lengths) < 2:
        return False
    return (
        len(lengths) >= _LENGTHS
        or _stands_elsewhere(lines)
        or all(_is_like_a_name(part) for line in lines for part in line)
    )


def _stands_elsewhere(lines: Sequence[Line]) -> bool:
    """Return whether a part stands at several places, counted from the beginning and from the end."""
    first: dict[str, tuple[int, int]] = {}
    for part, start, end in _places(lines):
        first_start, first_end = first.setdefault(part, (start, end))
        if first_start != start and first_end != end:
            return True
    return False


def _places(lines: Sequence[Line]) -> Iterator[tuple[str, int, int]]:
    for line in lines:
        for at, part in enumerate(line):
            yield part, at, len(line) - at


def _is_like_a_name(part: str) -> bool:
    words = part.split()
    return (
        1 < len(words) <= _MOST_WORDS
        and not any(char.isdigit() for char in part)
        and sum(not word[0].islower() for word in words) > 1
    )
