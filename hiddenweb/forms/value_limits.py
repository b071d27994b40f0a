"""What values a control takes, as far as the page says: its length, its numbers and steps, its dates, its pattern.

A pattern is a regular expression that a stranger wrote. It is tried only if a text can be matched in few ways; if matching could take
long, the value counts as valid, and the site decides.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import TEXT_KINDS, UNKNOWN, FieldType

if TYPE_CHECKING:
    from hiddenweb.model import Field

_WEEK = re.compile(r"\d{4}-W[0-5]\d")
_NEARLY_WHOLE = 1e-6  # of a step: the error of rounding
_MAX_NUMBER = 30  # characters of a number; a limit of taste
_MAX_SIZE = 1e15  # of a number: a float is exact up to nine times as much
_MAX_PATTERN = 80  # characters of a pattern that is tried; a limit of taste
_MAX_WAYS = 500  # ways to match a pattern: a page may have a thousand boxes, each tried with a hundred values
_COUNTED_LENGTHS = (10, 20, 40, 120)
"""Characters: the ways are counted for texts of these lengths; limits of taste."""

_ENDLESS = 999  # repetitions that stand for any number: more than the longest text has characters
_REPETITIONS = {"": (1, 1), "?": (0, 1), "*": (0, _ENDLESS), "+": (1, _ENDLESS)}
"""What the signs of a regular expression mean: at least so often, at most so often."""

_PIECE = re.compile(
    r"(?P<what>\(\?:|\((?!\?)|[|)]"
    r"|\\(?:[dDwWsSbB]|\W)"
    r"|\[\^?(?:\\.|(?!--|&&|~~|\|\|)[^]\\[])+\]"  # Python warns of sets in sets, which browsers know
    r"|[^]\\()[{}*+?|])"
    r"(?P<times>[*+?]|\{\d{1,3}(?:,\d{0,3})?\}|)\??"
)
"""What every kind of regular expression has: groups, alternatives, classes, characters, and how often each may occur."""


def fits(text: str, box: Field, wanted: FieldType = UNKNOWN) -> bool:
    """Say whether a control would accept a value, as far as the page says."""
    if box.max_length is not None and 0 <= box.max_length < len(text):
        return False
    if (box.kind in ("number", "range") or wanted.name in ("number", "price")) and not _fits_number(
        text, box
    ):
        return False
    if wanted.name == "year" and not (len(text) == 4 and text.isdecimal() and _is_between(float(text), box)):
        return False
    if wanted.format and not _fits_format(text, box, wanted.format):
        return False
    return not box.pattern or _fits_pattern(text, box.pattern)


def _fits_number(text: str, box: Field) -> bool:
    number = parse_number(text)
    if number is None or not _is_between(number, box):
        return False
    if box.kind not in ("number", "range") or box.step == "any":
        return True
    steps = (number - (parse_number(box.minimum) or 0.0)) / step_of(box)
    return abs(steps - round(steps)) < _NEARLY_WHOLE


def _is_between(number: float, box: Field) -> bool:
    low, high = parse_number(box.minimum), parse_number(box.maximum)
    return (low is None or number >= low) and (high is None or number <= high)


def _fits_format(text: str, box: Field, form: str) -> bool:
    if not _is_written_as(text, form):
        return False
    if box.kind in TEXT_KINDS:
        return True
    return (not box.minimum or text >= box.minimum) and (not box.maximum or text <= box.maximum)


@lru_cache(maxsize=4096)
def _is_written_as(text: str, form: str) -> bool:
    if form == "%G-W%V":
        return _WEEK.fullmatch(text) is not None
    try:
        datetime.strptime(text, form)  # noqa: DTZ007  a date in a box has no zone
    except ValueError:
        return False
    return True


def _fits_pattern(text: str, pattern: str) -> bool:
    """Say whether a text matches the pattern of a page; yes if matching could take long."""
    room = next((length for length in _COUNTED_LENGTHS if len(text) <= length), None)
    found = _pattern(pattern, room) if room is not None else None
    return found is None or found.fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _pattern(pattern: str, room: int) -> re.Pattern[str] | None:
    """Return a compiled pattern, if Python reads it as browsers do and matches texts of some length in few ways."""
    if len(pattern) > _MAX_PATTERN or _ways(pattern, room) > _MAX_WAYS:
        return None
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError):
        return None


def _ways(pattern: str, room: int) -> int:
    """Return in how many ways a text of some length may have to be tried; too many if a pattern is not understood.

    The ways of pieces in a row are multiplied, those of alternatives added; a repetition is tried each number of times, each time in
    all ways of what it repeats. So `.?` 26 times in a row counts in full, and so does a repetition in a repetition.

    >>> _ways("[A-Z]{1,2}[0-9]?|x", 20), _ways("a*b*", 20), _ways("(a+)+", 20) > _MAX_WAYS
    (5, 441, True)
    """
    open_groups = [[1]]  # of each the ways of its alternatives
    at = 0
    while at < len(pattern) and (piece := _PIECE.match(pattern, at)):
        at = piece.end()
        what = piece["what"]
        if what in ("(", "(?:"):
            open_groups.append([1])
        elif what == "|":
            open_groups[-1].append(1)
        elif what != ")":
            open_groups[-1][-1] *= _ways_of_repeated(1, piece["times"], room)
        elif len(open_groups) > 1:
            once = min(sum(open_groups.pop()), _MAX_WAYS + 1)
            least = _times(piece["times"])[0]  # even an empty group is tried as often as it must occur
            open_groups[-1][-1] *= max(_ways_of_repeated(once, piece["times"], room), least)
    is_understood = at == len(pattern) and len(open_groups) == 1
    return sum(open_groups[0]) if is_understood else _MAX_WAYS + 1


def _ways_of_repeated(once: int, times: str, room: int) -> int:
    least, most = _times(times)
    return sum(once**often for often in range(least, max(min(most, room), least) + 1))


def _times(quantifier: str) -> tuple[int, int]:
    """Return how often a quantifier allows something, at least and at most.

    >>> [_times(each) for each in ("", "?", "{3}", "{2,}", "{2,4}")]
    [(1, 1), (0, 1), (3, 3), (2, 999), (2, 4)]
    """
    if quantifier in _REPETITIONS:
        return _REPETITIONS[quantifier]
    least, comma, most = quantifier.strip("{}").partition(",")
    return int(least), int(most or _ENDLESS) if comma else int(least)


SMALLEST_STEP = 1e-6  # between two numbers of a control: smaller ones drown in rounding; a limit of taste


def parse_number(text: str) -> float | None:
    """Return the number that a text is, or None; browsers know neither infinity nor underscores."""
    if not text or len(text) > _MAX_NUMBER or not set(text.strip()) <= set("0123456789.+-eE"):
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < _MAX_SIZE else None


def step_of(field: Field) -> float:
    """Return the step between the numbers that a control takes; pages write any number there, or none."""
    step = parse_number(field.step)
    return max(step, SMALLEST_STEP) if step is not None and step > 0 else 1.0
