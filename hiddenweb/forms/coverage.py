"""How much of a database is known, and how much there is."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hiddenweb.forms.seen_words import Sums

_SURE = 1.96  # standard deviations: 95 of 100 intervals hold the truth, if records were met by chance


class Estimate(NamedTuple):
    """How many records there are."""

    known: int
    size: float
    low: float
    high: float


def by_overlap(sums: Sums) -> Estimate | None:
    """Return what records that were met once and twice tell of those that were not met at all (Chao 1987)."""
    known, once, twice = int(sums.records), float(sums.once), float(sums.twice)
    if not known:
        return None
    hidden = once * (once - 1) / (2 * (twice + 1))
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    return around(known, hidden, sqrt(variance))


def around(known: int, hidden: float, deviation: float) -> Estimate:
    """Return an estimate with an interval that cannot lie below what is known: what is hidden is log-normal."""
    if hidden <= 0:
        return Estimate(known, float(known), float(known), float(known))
    spread = exp(_SURE * sqrt(log(1 + (deviation / hidden) ** 2)))
    return Estimate(known, known + hidden, known + hidden / spread, known + hidden * spread)


def in_words(known: float, size: float, low: float, high: float) -> str:
    """Return how much is known as people read it.

    >>> in_words(8100, 8400, 7900, 9000), in_words(12, 12, 12, 12)
    ('about 8,100 of 8,400 (7,900-9,000)', 'all 12')
    """
    if round(low) == round(high) == known:
        return f"all {known:,.0f}"
    return f"about {known:,.0f} of {size:,.0f} ({low:,.0f}-{high:,.0f})"
