"""How many records of a database are known, and how many there are.

The size can be estimated from records that were found twice: if few of the records in answers are known, many are hidden
(Chao 1987). With more knowledge, such as the totals that a site reports, the estimate is better (`hiddenweb.querying.raking`).

No interval is better than its assumptions. Records are not found by chance, so the variance of the formula is too small; by how much was measured on
films, books and works of art (`python -m benchmarks surface` prints how often the truth lies within).

Cut answers show the best records of a site again and again, so their overlap says nothing about records that are never shown. If nothing
else is known, there is no upper end: the database has at least so many records.
"""

from __future__ import annotations

import json
from math import exp, inf, isinf, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hiddenweb.querying.vocabulary_index import WordSums

_SURE = 1.96
"""Standard deviations: 95 of 100 intervals contain the truth, if their assumptions hold (the normal distribution)."""

_NOT_BY_CHANCE = 0.3
"""The standard deviation of the hidden records, as a share of them, because queries are not random; a guess, and a limit of taste."""

_OF_FEW_QUERIES = 30.0
"""More of that standard deviation, divided by the number of queries; a guess, and a limit of taste."""


class Estimate(NamedTuple):
    """How many records there are: most likely, at least, and at most."""

    known: int
    size: float
    low: float
    high: float  # infinite: unknown

    @property
    def is_bound(self) -> bool:
        """Say whether only the least number of records is known."""
        return isinf(self.high)

    def raise_least(self, least: float) -> Estimate:
        """Return the estimate for a database that has at least so many records."""
        return Estimate(
            self.known, max(self.size, least), max(self.low, least), max(self.high, self.size, least)
        )

    def scale_to_share(self, least: float, most: float) -> Estimate:
        """Return the estimate with an interval that contains the sizes for a hidden share between `least` and `most`.

        >>> Estimate(90, 90, 90, 90).scale_to_share(0.0, 0.1)
        Estimate(known=90, size=90, low=90, high=100.0)
        """
        low, high = (self.known / (1 - share) if share < 1 else inf for share in (least, most))
        return self._replace(low=min(self.low, low), high=max(self.high, high))

    def open_end(self) -> Estimate:
        """Return the estimate without an upper end."""
        return self._replace(high=inf)

    def to_json(self) -> str:
        """Return the estimate as it is stored: an unknown upper end is null."""
        return json.dumps([None if isinf(number) else round(number) for number in self])


def estimate_by_overlap(sums: WordSums) -> Estimate | None:
    """Estimate the records that were not found from those that were found once and twice (Chao 1987)."""
    known, once, twice = int(sums.records), float(sums.once), float(sums.twice)
    if not known:
        return None
    hidden = once * (once - 1) / (2 * (twice + 1))
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    return bound_by_spread(known, hidden, sqrt(variance + (_NOT_BY_CHANCE * hidden) ** 2))


def estimate_by_numbers(known: int, hidden: float, queries: int) -> Estimate:
    """Return the estimate from the totals that a site reported for so many queries."""
    return bound_by_spread(known, hidden, hidden * (_NOT_BY_CHANCE + _OF_FEW_QUERIES / max(queries, 1)))


def bound_by_spread(known: int, hidden: float, deviation: float) -> Estimate:
    """Return an estimate whose interval is not below the known records: the number of hidden ones is log-normal."""
    if hidden <= 0:
        return Estimate(known, float(known), float(known), float(known))
    spread = exp(_SURE * sqrt(log(1 + (deviation / hidden) ** 2)))
    return Estimate(known, known + hidden, known + hidden / spread, known + hidden * spread)


def describe_coverage(known: float, size: float, low: float, high: float) -> str:
    """Return the coverage as text; estimates have two significant digits.

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
    """Return a number with two significant digits.

    >>> [_rounded(number) for number in (8_412.3, 97.2, 7.0)]
    [8400, 97, 7]
    """
    digits = len(str(int(number)))
    return int(round(number, 2 - digits)) if digits > 2 else round(number)
