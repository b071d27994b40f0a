"""Learning the odds that something pays, from what it says: a logistic regression that learns while the crawl goes on.

What is judged is a set of named features, each there or not: a word of the anchor, the depth, how often the like of it was tried.
The odds are the sum of their weights,

    p = 1 / (1 + exp(-(w_1 + w_2 + ... )))

and after an outcome y each weight moves by  rate * (y - p) / sqrt(1 + G),  G being the sum of its squared gradients so far
(AdaGrad: what is often seen settles, what is new learns fast). Every weight can be read by people, so every judgement can be
explained. An outcome may count for less than one: a page that led to a form two steps later earned less than one that had it.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

RATE = 0.4
"""How far the first outcome moves a weight."""

MOST = 100_000
"""Features that are held; then those that say least are forgotten."""

_FARTHEST = 30.0  # beyond that, exp() is of no use


class Odds:
    """Weights of features, and how they learn.

    `first` are weights that it has before it learnt anything; the one of "" is what everything starts with.
    """

    def __init__(self, first: Mapping[str, float] | None = None, rate: float = RATE) -> None:
        self._first = dict(first or {})
        self._rate = rate
        self._weights: dict[str, float] = {}
        self._gradients: dict[str, float] = {}
        self._changed: set[str] = set()
        self.learnt = 0  # outcomes

    def weight(self, feature: str) -> float:
        """Return what a feature adds to the odds."""
        known = self._weights.get(feature)
        return self._first.get(feature, 0.0) if known is None else known

    def log_odds(self, features: Iterable[str]) -> float:
        """Return the logarithm of the odds that something with these features pays."""
        weights, first = self._weights, self._first
        total = weights[""] if "" in weights else first.get("", 0.0)
        for feature in features:
            if feature in weights:
                total += weights[feature]
            elif feature in first:
                total += first[feature]
        return total

    def probability(self, features: Iterable[str]) -> float:
        """Return the probability that something with these features pays."""
        return logistic(self.log_odds(features))

    def learn(self, features: Sequence[str], outcome: float, share: float = 1.0) -> None:
        """Learn from one outcome, from 0 to 1, that counts for a share of one."""
        error = (outcome - self.probability(features)) * share
        self.learnt += 1
        for feature in ("", *features):
            gathered = self._gradients.get(feature, 0.0) + error * error
            self._gradients[feature] = gathered
            self._weights[feature] = self.weight(feature) + self._rate * error / sqrt(1.0 + gathered)
            self._changed.add(feature)
        if len(self._weights) > MOST:
            self._forget()

    def reasons(self, features: Iterable[str]) -> list[tuple[str, float]]:
        """Return what each feature adds, the strongest first."""
        added = [(feature, self.weight(feature)) for feature in features]
        return sorted(added, key=lambda part: (-abs(part[1]), part[0]))

    def _forget(self) -> None:
        """Forget the half of the features whose weights say least."""
        ordered = sorted(self._weights, key=lambda feature: abs(self._weights[feature]), reverse=True)
        for feature in ordered[MOST // 2 :]:
            if feature:
                del self._weights[feature], self._gradients[feature]
                self._changed.add(feature)

    # Keeping

    def rows(self) -> Iterator[tuple[str, list[float]]]:
        """Yield every feature that was learnt, with its weight and the sum of its squared gradients."""
        for feature, weight in self._weights.items():
            yield feature, [round(weight, 6), round(self._gradients[feature], 6)]

    def changes(self) -> Iterator[tuple[str, list[float] | None]]:
        """Yield what changed since the last call, as `rows` does; None for what was forgotten."""
        changed, self._changed = self._changed, set()
        for feature in sorted(changed):
            if feature in self._weights:
                yield feature, [round(self._weights[feature], 6), round(self._gradients[feature], 6)]
            else:
                yield feature, None

    def take(self, rows: Iterable[tuple[str, Sequence[float]]]) -> None:
        """Take over what was learnt earlier."""
        for feature, (weight, gradients) in rows:
            self._weights[feature], self._gradients[feature] = float(weight), float(gradients)


def logistic(log_odds: float) -> float:
    """Return the probability that belongs to a logarithm of odds."""
    return 1.0 / (1.0 + exp(-max(-_FARTHEST, min(_FARTHEST, log_odds))))


def log_odds_of(probability: float) -> float:
    """Return the logarithm of the odds of a probability."""
    return log(probability / (1.0 - probability))
