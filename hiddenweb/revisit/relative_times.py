"""Distinguishing time that passed from something that happened: "3 minutes ago" becomes "an hour ago" by itself.

An age depends on the clock. Two texts that differ only in ages say the same, unless an age became younger: "3 months ago"
becomes "just now" because something happened. Units are recognised by their beginnings, in some twenty-five languages; an unknown unit or the name of a day
counts as time that passed. Coarse units round: "30 hours ago" may be "a day ago" later, so in another unit an age
must be less than half of what it was.
"""

from __future__ import annotations

import re

from hiddenweb.language import lexicon
from hiddenweb.language.ages import is_weekday, unit_patterns
from hiddenweb.revisit.parts import relative_times

_DAY = 86_400.0  # seconds
_COUNT = re.compile(r"(?:(\d+)\s)?(\d)/(\d)|(\d+(?:[.,]\d+)?)")
_ROUNDED_SHARE = 0.5  # share of an age that another unit may lose: "1 month" may be 59 days


def only_time_passed(before: str, after: str) -> bool:
    """Return whether two texts differ only in ages, and no age became younger.

    >>> only_time_passed("Lamp, seen 3 minutes ago", "Lamp, seen an hour ago"), only_time_passed("vor 2 Tagen", "vor 5 Minuten")
    (True, False)
    >>> only_time_passed("5 lamps, just now", "6 lamps, 2 minutes ago"), only_time_passed("Opens on Monday", "Opens on Tuesday")
    (False, False)
    """
    old, new = relative_times(before), relative_times(after)
    if not old or len(old) != len(new):
        return False
    if _split_at_times(before, old) != _split_at_times(after, new):
        return False
    pairs = [(before[slice(*was)], after[slice(*now)]) for was, now in zip(old, new, strict=True)]
    return not any(was != now and became_younger(was, now) for was, now in pairs)


def became_younger(before: str, after: str) -> bool:
    """Return whether an age became younger than the clock allows, or a day of the week changed: that is a date.

    >>> became_younger("2 months ago", "just now"), became_younger("2 months ago", "3 months ago"), became_younger("12", "11")
    (True, False, False)
    """
    if is_weekday(before) and is_weekday(after):
        return True
    was, is_now = _age(before.casefold()), _age(after.casefold())
    if was is None or is_now is None:
        return False
    (old, old_unit), (new, new_unit) = was, is_now
    return new < (old if old_unit == new_unit else old * _ROUNDED_SHARE)


def _split_at_times(text: str, times: list[tuple[int, int]]) -> list[str]:
    """Return the pieces of a text between its ages."""
    ends = [0, *(end for _, end in times)]
    starts = [*(start for start, _ in times), len(text)]
    return [" ".join(text[end:start].split()) for end, start in zip(ends, starts, strict=True)]


def _age(text: str) -> tuple[float, float] | None:
    """Return an age in seconds, and the seconds of its unit; None if unknown."""
    if re.search(lexicon.alternatives("ages.now"), text):
        return 0.0, 1.0
    if re.search(lexicon.alternatives("ages.yesterday"), text):
        return _DAY, _DAY
    found = [
        (match.start(), seconds) for seconds, pattern in unit_patterns() if (match := pattern.search(text))
    ]
    if not found:
        return None
    unit = min(found)[1]  # of "1 week, 2 days" the first
    return _count(text) * unit, unit


def _count(text: str) -> float:
    """Return the first number of a text, also "1 1/2" and "2.5"; 1 if there is none."""
    found = _COUNT.search(text)
    if found is None:
        return 1.0
    whole, part, of, plain = found.groups()
    if plain is not None:
        return float(plain.replace(",", "."))
    return int(whole or 0) + int(part) / max(1, int(of))
