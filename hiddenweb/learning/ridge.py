"""Learning from the results of earlier queries how far a guess is off.

A ridge regression of the difference of two logarithms, of the result and of the guess, on some features; older results count
less and less. It starts with given weights, and corrects no guess by more than a limit: far from the data that it has
learnt from, a straight line cannot be trusted.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST = 3.0
"""Added to the logarithm of a guess at most, a factor of twenty. A limit of taste."""

_MAX_STEP = 2.0  # by one count, in logarithms: a limit of taste


class RidgeCorrection:
    """Corrects guesses by their features."""

    def __init__(
        self, start: Sequence[float], *, stiffness: float | Sequence[float] = 1.0, memory: float = 0.99
    ) -> None:
        self._start = np.array(start)
        self._memory = memory
        self._ridge = np.array(stiffness) * np.eye(len(start))
        self._products = np.zeros((len(start), len(start)))
        self._targets = np.zeros(len(start))
        self.weights = self._start

    def offset(self, features: Floats) -> Floats:
        """Return what to add to the logarithms of guesses; each column has the features of one."""
        offset: Floats = np.clip(self.weights @ features, -MOST, MOST)
        return offset

    def learn(self, features: Floats, missed_by: float) -> None:
        """Learn by how much the logarithm of a guess was too low."""
        target = min(max(missed_by, -2 * MOST), 2 * MOST) - float(self._start @ features)
        self._products = self._memory * self._products + np.outer(features, features)
        self._targets = self._memory * self._targets + features * target
        self._solve()

    def to_json(self) -> list[object]:
        """Return what was learnt."""
        return [short(self._products), short(self._targets)]

    def restore(self, saved: Sequence[Sequence[float]]) -> None:
        """Restore a saved state; one for other features is ignored."""
        products, targets = (np.array(each) for each in saved)
        if len(targets) != len(self._start):
            return
        self._products, self._targets = products, targets
        self._solve()

    def _solve(self) -> None:
        self.weights = self._start + np.linalg.solve(self._products + self._ridge, self._targets)


class CountCorrection(RidgeCorrection):
    """Corrects guesses of small counts: one near zero teaches next to nothing."""

    def learn_count(self, features: Floats, *, counted: float, guessed: float, offset: float) -> None:
        """Learn that so many were counted, where so many were guessed with an offset."""
        sensitivity = guessed / (guessed + 1)  # how much the logarithm below moves with the offset
        missed = min(max(log((counted + 1) / (guessed + 1)), -_MAX_STEP), _MAX_STEP)
        scaled = sensitivity * features
        self._products = self._memory * self._products + np.outer(scaled, scaled)
        target = missed + sensitivity * (offset - float(self._start @ features))
        self._targets = self._memory * self._targets + scaled * target
        self._solve()


def short(numbers: Floats) -> object:
    """Return numbers as lists, with six digits each: they are no more exact than that."""
    return np.vectorize(lambda number: float(f"{number:.6g}"))(numbers).tolist()
