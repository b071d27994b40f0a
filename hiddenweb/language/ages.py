"""How pages say how long ago something was: "3 minutes ago", "gestern", "昨天"; and the days of the week by their names.

The words are in the lexicon (`ages.*`), from the Unicode CLDR. Such texts change by themselves, as dates do.
"""

from __future__ import annotations

import re
from functools import cache

from hiddenweb.language import lexicon
from hiddenweb.language.tokens import letter_runs

UNITS = {
    "week": 604_800.0,
    "month": 2_592_000.0,
    "year": 31_536_000.0,
    "day": 86_400.0,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3_600.0,
}
"""Units and their seconds, a month with 30 days and a year with 365."""

_UNIT = r"[^\W\d_]{1,12}"  # a word for a unit, in any language


def may_have_time(text: str) -> bool:
    """Say whether a text may match `age_pattern` or `time_pattern`: it has a word that every match has. This is much quicker."""
    return not lexicon.words("ages.hints").isdisjoint(letter_runs(text.lower())) or (
        not text.isascii() and _hint_unspaced().search(text) is not None
    )


@cache
def time_pattern() -> str:
    """Return a regular expression for how long ago something was, and for names of days."""
    return (
        rf"(?i:(?<![^\W_])(?:{_ages_in_spaced_text()}|{lexicon.alternatives('ages.weekdays')})(?![^\W_])|"
        rf"{lexicon.alternatives('ages.unspaced')})"
    )


@cache
def age_pattern() -> re.Pattern[str]:
    """Return a pattern for the same with the words that belong to it: "about 3 minutes ago", "1 week, 2 days ago"."""
    about, one = rf"(?:{lexicon.alternatives('ages.about')})\s?", _one()
    longer_unit = (
        rf"{one}\s(?:{lexicon.alternatives('ages.longer_units')})[^\W\d_]{{0,2}},?\s"
        rf"(?:(?:and|und|et|y|e|en|и)\s)?"
    )
    return re.compile(
        rf"(?i:(?<![^\W_])(?:{about})?(?:{longer_unit}|(?:[1-9]\s)?\d/|\d{{1,3}}[.,])?(?:{_ages_in_spaced_text()})(?![^\W_])"
        rf"|(?<![^\W_])(?:{lexicon.alternatives('ages.before')})\s{about}{one}\s{_UNIT}(?![^\W_])"
        rf"|(?<![^\W_])(?:{lexicon.alternatives('ages.weekdays')})(?![^\W_])"
        rf"|(?:约|約|大约|大約|약\s?)?(?:{lexicon.alternatives('ages.unspaced')}))"
    )


def is_weekday(text: str) -> bool:
    """Say whether a text is the name of a day of the week."""
    return lexicon.search_pattern("ages.weekdays").fullmatch(text) is not None


@cache
def unit_patterns() -> tuple[tuple[float, re.Pattern[str]], ...]:
    """Return the seconds of each unit, and a pattern for its words."""
    return tuple(
        (
            seconds,
            re.compile(rf"(?:^|(?<=[\W\d_]))(?:{lexicon.alternatives(f'ages.units.{unit}')})"),
        )
        for unit, seconds in UNITS.items()
    )


@cache
def _one() -> str:
    return rf"(?:\d{{1,4}}|{lexicon.alternatives('ages.one')})"


@cache
def _ages_in_spaced_text() -> str:
    one = _one()
    return (
        rf"(?:{one}\s)?{_UNIT}\.?\s(?:{lexicon.alternatives('ages.behind')})"
        rf"|(?:{lexicon.alternatives('ages.before')})\s{one}\s{_UNIT}"
        rf"|{lexicon.alternatives('ages.phrases').replace('{one}', one)}"
    )


@cache
def _hint_unspaced() -> re.Pattern[str]:
    return re.compile(lexicon.alternatives("ages.hints_unspaced"))
