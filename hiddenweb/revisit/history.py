"""Which versions of a page are kept.

The first version and the newest are always kept. Of those between them the oldest are dropped first: when there are more than allowed, or when they
were replaced longer ago than allowed. So a version that was valid for years is not lost on the day it is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

DAY = 86_400.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class HistoryLimits:
    """How much of the past of a page is kept; 0: all of it."""

    versions: int = 0  # of a page
    days: float = 0.0  # since a version was replaced


ALL = HistoryLimits()
"""Every version is kept."""


def versions_to_drop(times: Sequence[float], limits: HistoryLimits, now: float) -> range:
    """Return the indexes of the versions to drop, given when each was first seen, the oldest first.

    >>> list(versions_to_drop([0, 1, 2, 3, 4], HistoryLimits(versions=3), now=4))
    [1, 2]
    >>> day = 86_400
    >>> list(versions_to_drop([0, 1 * day, 50 * day, 99 * day], HistoryLimits(days=30), now=100 * day))
    [1]
    """
    newest = len(times) - 1
    first_kept = 1
    if limits.versions:
        first_kept = min(len(times) - max(limits.versions, 2) + 1, newest)
    if limits.days:
        oldest = now - limits.days * DAY
        young = (place for place in range(1, newest) if times[place + 1] >= oldest)
        first_kept = max(first_kept, next(young, newest))
    return range(1, max(first_kept, 1))
