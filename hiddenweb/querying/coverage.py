"""How much of a database is known, and how much there is.

How many records there are can be told from records that were met twice: if few of those that answers show are known, much is hidden
(Chao 1987). Who knows more, such as the numbers that a site says, gives a better estimate (`hiddenweb.querying.raking`), in the same words.

No interval is better than what it supposes. Records are not met by chance, so the variance of the formula is too small; by how much was measured on
films, books and works of art (`python -m benchmarks surface` prints how often the truth lies within).

Answers that were cut show the best records of a site again and again, so that what they have in common tells nothing of those that are never shown. Where nothing
else is known, there is no upper end: the database holds so many records at least, and how many is unknown.
"""

from __future__ import annotations

import json
from math import exp, inf, isinf, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hiddenweb.querying.vocabulary_index import WordSums

_SURE = 1.96
"""Standard deviations: 95 of 100 intervals hold the truth, if what they suppose is true (the normal distribution)."""

_NOT_BY_CHANCE = 0.3
"""The standard deviation of what is hidden, as a part of it, that comes from how queries are chosen; a guess, and a limit of taste."""

_OF_FEW_QUESTIONS = 30.0
"""More of that standard deviation, divided by the number of queries; a guess, and a limit of taste."""


class Estimate(NamedTuple):
    """How many records there are: most likely, at least, and at most."""

    known: int
    size: float
    low: float
    high: float  # infinite: nobody knows

    @property
    def is_bound(self) -> bool:
        """Say whether only the least number of records is known."""
        return isinf(self.high)

    def raise_least(self, least: float) -> Estimate:
        """Return it for a database that is known to hold so many records at least."""
        return Estimate(
            self.known, max(self.size, least), max(self.low, least), max(self.high, self.size, least)
        )

    def scale_to_share(self, least: float, most: float) -> Estimate:
        """Return it with an interval that holds what follows if between two shares of all records are hidden.

        >>> Estimate(90, 90, 90, 90).scale_to_share(0.0, 0.1)
        Estimate(known=90, size=90, low=90, high=100.0)
        """
        low, high = (self.known / (1 - share) if share < 1 else inf for share in (least, most))
        return self._replace(low=min(self.low, low), high=max(self.high, high))

    def open_end(self) -> Estimate:
        """Return it where records that are never shown may be any number."""
        return self._replace(high=inf)

    def to_json(self) -> str:
        """Return it as it is kept: an upper end that nobody knows is null."""
        return json.dumps([None if isinf(number) else round(number) for number in self])


def estimate_by_overlap(sums: WordSums) -> Estimate | None:
    """Return what records that were met once and twice tell of those that were not met at all (Chao 1987)."""
    known, once, twice = int(sums.records), float(sums.once), float(sums.twice)
    if not known:
        return None
    hidden = once * (once - 1) / (2 * (twice + 1))
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    return bound_by_spread(known, hidden, sqrt(variance + (_NOT_BY_CHANCE * hidden) ** 2))


def estimate_by_numbers(known: int, hidden: float, questions: int) -> Estimate:
    """Return what follows from the numbers that a site said to so many questions."""
    return bound_by_spread(known, hidden, hidden * (_NOT_BY_CHANCE + _OF_FEW_QUESTIONS / max(questions, 1)))


def bound_by_spread(known: int, hidden: float, deviation: float) -> Estimate:
    """Return an estimate with an interval that cannot lie below what is known: what is hidden is log-normal."""
    if hidden <= 0:
        return Estimate(known, float(known), float(known), float(known))
    spread = exp(_SURE * sqrt(log(1 + (deviation / hidden) ** 2)))
    return Estimate(known, known + hidden, known + hidden / spread, known + hidden * spread)


def describe_coverage(known: float, size: float, low: float, high: float) -> str:
    """Return how much is known as people read it, with two digits that count of what is estimated: nobody knows more.

    >>> describe_coverage(8100, 8412.3, 7912, 9034), describe_coverage(12, 12, 12, 12)
    ('about 8,100 of 8,400 (8,100-9,000)', 'all 12')
    >>> describe_coverage(3018, 3300, 3100, inf)
    '3,018 of at least 3,100, how many is unknown'
    """
    if isinf(high):
        return f"{known:,.0f} of at least {max(_rounded(low), known):,.0f}, how many is unknown"
    if round(low) == round(high) == known:
        return f"all {known:,.0f}"
    size, low, high = (max(_rounded(number), known) for number in (size, low, high))
    return f"about {known:,.0f} of {size:,.0f} ({low:,.0f}-{high:,.0f})"


def _rounded(number: float) -> int:
    """Return a number with two digits that count: nobody knows more.

    >>> [_rounded(number) for number in (8_412.3, 97.2, 7.0)]
    [8400, 97, 7]
    """
    digits = len(str(int(number)))
    return int(round(number, 2 - digits)) if digits > 2 else round(number)
