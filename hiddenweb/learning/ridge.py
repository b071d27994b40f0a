"""Learning from what came of earlier queries how far a guess is off.

A ridge regression of the difference of two logarithms, what came and what was guessed, on some features; older experience counts
less and less. It starts where it is told to, and no guess is believed to be off by more than so much: outside what it has
seen, a line goes anywhere.
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
    """Says how guesses with some features have to be corrected."""

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
        """Return what to add to the logarithms of guesses, from the features of each in a column."""
        offset: Floats = np.clip(self.weights @ features, -MOST, MOST)
        return offset

    def learn(self, features: Floats, missed_by: float) -> None:
        """Take in by how much the logarithm of a guess was too low."""
        target = min(max(missed_by, -2 * MOST), 2 * MOST) - float(self._start @ features)
        self._products = self._memory * self._products + np.outer(features, features)
        self._targets = self._memory * self._targets + features * target
        self._solve()

    def to_json(self) -> list[object]:
        """Return what was learnt."""
        return [short(self._products), short(self._targets)]

    def restore(self, written: Sequence[Sequence[float]]) -> None:
        """Go on from what was written down; of other features it is of no use, and left."""
        products, targets = (np.array(each) for each in written)
        if len(targets) != len(self._start):
            return
        self._products, self._targets = products, targets
        self._solve()

    def _solve(self) -> None:
        self.weights = self._start + np.linalg.solve(self._products + self._ridge, self._targets)


class CountCorrection(RidgeCorrection):
    """Says how guesses of small counts have to be corrected: what came of one that was near nothing tells next to nothing."""

    def learn_count(self, features: Floats, *, came: float, guessed: float, offset: float) -> None:
        """Take in that so many came, where so many were guessed with an offset."""
        told = guessed / (guessed + 1)  # how much the logarithm below moves with the offset
        missed = min(max(log((came + 1) / (guessed + 1)), -_MAX_STEP), _MAX_STEP)
        seen = told * features
        self._products = self._memory * self._products + np.outer(seen, seen)
        target = missed + told * (offset - float(self._start @ features))
        self._targets = self._memory * self._targets + seen * target
        self._solve()


def short(numbers: Floats) -> object:
    """Return numbers as lists, with six digits each, which is more than they are worth."""
    return np.vectorize(lambda number: float(f"{number:.6g}"))(numbers).tolist()
