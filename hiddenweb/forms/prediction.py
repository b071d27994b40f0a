"""Learning from what came of earlier questions how far a guess is off.

A ridge regression of the difference of two logarithms, what came and what was guessed, on some features; older experience counts
less and less. It starts where it is told to, and no guess is believed to be off by more than so much: outside what it has
seen, a line goes anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 1.5
"""What is added to the logarithm of a guess at most."""


class Correction:
    """Says how guesses with some features have to be corrected."""

    def __init__(self, start: Sequence[float], *, stiffness: float = 1.0, memory: float = 0.99) -> None:
        self._start = tuple(start)
        self._memory = memory
        self._stiffness = stiffness
        size = len(start)
        self._products = [[0.0] * size for _ in range(size)]
        self._targets = [0.0] * size
        self.weights = tuple(start)

    def offset(self, features: Sequence[float]) -> float:
        """Return what to add to the logarithm of a guess."""
        return min(max(_dot(self.weights, features), -MOST), MOST)

    def learn(self, features: Sequence[float], missed_by: float) -> None:
        """Take in by how much the logarithm of a guess was too low."""
        target = min(max(missed_by, -2 * MOST), 2 * MOST) - _dot(self._start, features)
        for row, feature in zip(self._products, features, strict=True):
            for at, other in enumerate(features):
                row[at] = self._memory * row[at] + feature * other
        self._targets = [
            self._memory * known + feature * target
            for known, feature in zip(self._targets, features, strict=True)
        ]
        self.weights = tuple(a + b for a, b in zip(self._start, self._solved(), strict=True))

    def to_json(self) -> list[object]:
        """Return what was learnt."""
        return [self._products, self._targets]

    def restore(self, written: Sequence[object]) -> None:
        """Go on from what was written down; of other features it is of no use, and left."""
        products, targets = written
        assert isinstance(products, list)
        assert isinstance(targets, list)
        if len(targets) != len(self._start):
            return
        self._products, self._targets = products, targets
        self.weights = tuple(a + b for a, b in zip(self._start, self._solved(), strict=True))

    def _solved(self) -> list[float]:
        """Solve the normal equations by elimination: they are few, and positive definite by the ridge."""
        size = len(self._start)
        rows = [[*row, target] for row, target in zip(self._products, self._targets, strict=True)]
        for at in range(size):
            rows[at][at] += self._stiffness
        for at in range(size):
            pivot = rows[at]
            for row in rows[at + 1 :]:
                share = row[at] / pivot[at]
                for column in range(at, size + 1):
                    row[column] -= share * pivot[column]
        solved = [0.0] * size
        for at in reversed(range(size)):
            rest = sum(rows[at][other] * solved[other] for other in range(at + 1, size))
            solved[at] = (rows[at][size] - rest) / rows[at][at]
        return solved


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
