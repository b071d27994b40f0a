"""How far the promises of a policy are believed, by what its latest queries brought."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOW = 20
"""Queries by which promises are compared with what came; a limit of taste, a site changes while it is queried."""

LATEST = 8
"""Queries that must have brought next to nothing before promises are doubted; a limit of taste, a few may fail by chance."""

_BENEFIT_OF_DOUBT = 2.0
"""Records, promised and brought, that count before the first query; a limit of taste."""


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
        self._kept: deque[tuple[float, int]] = deque(maxlen=WINDOW)  # what was promised, and what came

    def add(self, promised: float, new: int) -> None:
        """Take note of what a query brought; one that promised nothing says nothing."""
        if promised:
            self._kept.append((promised, new))

    def is_worth_it(self, expected: float) -> bool:
        """Say whether a promise can be believed, or queries bring enough whatever was promised."""
        latest = [new for _, new in self._kept][-LATEST:]
        if len(latest) < LATEST or sum(latest) >= self._least_new * LATEST:
            return True
        return expected * self.share >= self._least_new

    @property
    def share(self) -> float:
        """Return how much of a promise is to be believed."""
        promised = sum(promised for promised, _ in self._kept)
        came = sum(new for _, new in self._kept)
        return min((came + _BENEFIT_OF_DOUBT) / (promised + _BENEFIT_OF_DOUBT), 1.0)

    def to_json(self) -> list[tuple[float, int]]:
        """Return what was promised and what came."""
        return list(self._kept)

    def restore(self, written: Iterable[tuple[float, int]]) -> None:
        """Resume from what was written down."""
        self._kept.extend((promised, new) for promised, new in written)
