"""How far the promises of a policy are believed, by what its latest queries brought."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOW = 20
"""Queries by which promises are compared with results; a limit of taste, a site changes while it is queried."""

LATEST = 8
"""Queries that must have found next to nothing before promises are doubted; a limit of taste, a few may fail by chance."""

_BENEFIT_OF_DOUBT = 2.0
"""Records that count as promised and found before the first query; a limit of taste."""


class PromiseTrust:
    """Compares what the latest queries promised with what they brought.

    >>> trust = PromiseTrust(least_new=0.5)
    >>> for _ in range(8):
    ...     trust.add(promised=3.0, new=0)
    >>> round(trust.share, 2), trust.is_worth_it(5.0), trust.is_worth_it(50.0)
    (0.08, False, True)
    """

    def __init__(self, least_new: float) -> None:
        self._least_new = least_new
        self._latest: deque[tuple[float, int]] = deque(maxlen=WINDOW)  # promised and new records

    def add(self, promised: float, new: int) -> None:
        """Note what a query brought; one without a promise does not count."""
        if promised:
            self._latest.append((promised, new))

    def is_worth_it(self, expected: float) -> bool:
        """Say whether a promise can be believed, or queries bring enough anyway."""
        latest = [new for _, new in self._latest][-LATEST:]
        if len(latest) < LATEST or sum(latest) >= self._least_new * LATEST:
            return True
        return expected * self.share >= self._least_new

    @property
    def share(self) -> float:
        """Return the share of a promise that is believed."""
        promised = sum(promised for promised, _ in self._latest)
        found = sum(new for _, new in self._latest)
        return min((found + _BENEFIT_OF_DOUBT) / (promised + _BENEFIT_OF_DOUBT), 1.0)

    def to_json(self) -> list[tuple[float, int]]:
        """Return the state to save."""
        return list(self._latest)

    def restore(self, saved: Iterable[tuple[float, int]]) -> None:
        """Restore the saved state."""
        self._latest.extend((promised, new) for promised, new in saved)
