"""How much of a database is known, how much there is, and whether it is worth going on.

How many records there are can be told from records that were met twice: if few of those that answers show are known, much is hidden
(Chao 1987). Who knows more, such as the numbers that a site says, gives a better estimate (`hiddenweb.forms.stand_ins`), in the same words.

No interval is better than what it supposes. Records are not met by chance, so the variance of the formula is too small; by how much was measured on
films, books and works of art (`python -m benchmarks surface` prints how often the truth lies within).

Asking ends when questions no longer pay: when the best one left is expected to bring less than so many new records, and the last ones brought less. Both
have to agree, for an expectation may be wrong, and a few words may find nothing by bad luck.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.forms.seen_words import Sums

LEAST_NEW = 1.0
"""Records that a question has to bring to be worth asking."""

_SURE = 1.96  # standard deviations: 95 of 100 intervals hold the truth, if what they suppose is true
_NOT_BY_CHANCE = (
    0.3  # the standard deviation of what is hidden, as a part of it, that comes from how questions are chosen
)
_OF_FEW_QUESTIONS = 30.0  # more of it, divided by the questions
_LAST = 10  # questions that have to agree


class Estimate(NamedTuple):
    """How many records there are: most likely, at least, and at most."""

    known: int
    size: float
    low: float
    high: float

    def __str__(self) -> str:
        size, low, high = (_rounded(each) for each in (self.size, self.low, self.high))
        return f"{self.known:,} of about {max(size, self.known):,} ({max(low, self.known):,}-{max(high, self.known):,})"


def by_overlap(sums: Sums) -> Estimate | None:
    """Return what records that were met once and twice tell of those that were not met at all (Chao 1987)."""
    known, once, twice = int(sums.records), float(sums.once), float(sums.twice)
    if not known:
        return None
    hidden = once * (once - 1) / (2 * (twice + 1))
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    return around(known, hidden, sqrt(variance + (_NOT_BY_CHANCE * hidden) ** 2))


def by_numbers(known: int, hidden: float, questions: int) -> Estimate:
    """Return what follows from the numbers that a site said to so many questions."""
    return around(known, hidden, hidden * (_NOT_BY_CHANCE + _OF_FEW_QUESTIONS / max(questions, 1)))


def around(known: int, hidden: float, deviation: float) -> Estimate:
    """Return an estimate with an interval that cannot lie below what is known: what is hidden is log-normal."""
    if hidden <= 0:
        return Estimate(known, float(known), float(known), float(known))
    spread = exp(_SURE * sqrt(log(1 + (deviation / hidden) ** 2)))
    return Estimate(known, known + hidden, known + hidden / spread, known + hidden * spread)


def reason_to_stop(
    expected: float | None,
    brought: Sequence[int],
    estimate: Estimate | None,
    *,
    least_new: float = LEAST_NEW,
) -> str:
    """Say why it is not worth going on, in a sentence for people; nothing while it is.

    expected: new records that the best question would bring, None if there is no question left; brought: what each
    question brought, all of them or the last ones.
    """
    how_much = f": {estimate}, {len(brought):,} queries" if estimate is not None else ""
    if expected is None:
        return f"There is nothing left to ask{how_much}."
    last = brought[-_LAST:]
    if len(last) < _LAST or not any(brought):
        return ""
    mean = sum(last) / len(last)
    if expected >= least_new or mean >= least_new:
        return ""
    return f"Another question would bring {expected:.1f} new records, and the last {_LAST} brought {mean:.1f} each{how_much}."


def _rounded(number: float) -> int:
    """Return a number with two digits that count: nobody knows more.

    >>> [_rounded(number) for number in (8_412.3, 97.2, 7.0)]
    [8400, 97, 7]
    """
    digits = len(str(int(number)))
    return int(round(number, 2 - digits)) if digits > 2 else round(number)
