"""Learning the odds that something pays, from its features, while a crawl runs.

What is judged is a set of named features, each present or not: a word of the anchor, the depth, how often similar links were tried.
The weight of a feature is not known exactly; it is a normal distribution with a mean m and a variance v. With the sum of the
means M and S^2 = 1 + the sum of the variances, the probability is Phi(M). After an outcome y (1 or -1) each weight moves by its
share of the uncertainty:

    m += y * v / S * f(t)        v *= 1 - v / S^2 * g(t)        t = y * M / S,  f = phi / Phi,  g = f * (f + t)

So frequent features settle, new ones learn fast, and a surprise changes the least known ones most (Graepel, Candela,
Borchert and Herbrich: Web-scale Bayesian click-through rate prediction, ICML 2010). They judge by Phi(M / S); that overrates
unknown features, and a crawl that uses it follows links for their rare words. People can read every weight, so every
judgement can be explained. An outcome may count for less than one: a page that led to a form two steps later earns less than one
that had the form.
"""

from __future__ import annotations

from collections import OrderedDict
from math import erfc, exp, log, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

WORD, FACT = 0.03, 0.1
"""The variance of a new feature: there are many words at once, and each says little. Limits of taste."""

MOST = 100_000
"""Features in memory; beyond that those with the smallest weights are forgotten. A limit of taste."""

_NORMAL = NormalDist()
_MIN_SHARE = 0.02  # the smallest share of a reward that is passed on; a limit of taste
_MIN_VARIANCE = 1e-4  # of a weight, so that it can still learn; a limit of taste
_MAX_DEVIATIONS = 6.0
"""Standard deviations: beyond them floats cannot represent the rest of a normal distribution."""


class BayesianProbit:
    """Weights of features, and how they learn.

    `first` has the means of weights before anything is learnt; the one of "" is the bias.
    """

    def __init__(self, first: Mapping[str, float] | None = None) -> None:
        self._first = dict(first or {})
        self._weights: dict[str, tuple[float, float]] = {}
        self._changed: set[str] = set()
        self.learnt = 0  # outcomes

    def weight(self, feature: str) -> float:
        """Return the mean weight of a feature."""
        return self._weight(feature)[0]

    def _weight(self, feature: str) -> tuple[float, float]:
        return self._weights.get(feature) or (self._first.get(feature, 0.0), _first_variance(feature))

    def sum(self, features: Iterable[str]) -> float:
        """Return the sum of the mean weights of some features."""
        weights, first = self._weights, self._first
        total = 0.0
        for feature in features:
            weight = weights.get(feature)
            total += first.get(feature, 0.0) if weight is None else weight[0]
        return total

    def log_odds(self, features: Sequence[str]) -> float:
        """Return the logarithm of the odds that something with these features pays."""
        return log_odds_of(normal(self.sum(("", *features))))

    def probability(self, features: Sequence[str]) -> float:
        """Return the probability that something with these features pays."""
        return logistic(self.log_odds(features))

    def learn(self, features: Sequence[str], outcome: bool, share: float = 1.0) -> None:
        """Learn from one outcome, which counts as a share of one."""
        weights = {feature: self._weight(feature) for feature in ("", *features)}
        deviation = sqrt(1.0 + sum(variance for _, variance in weights.values()))
        sign = 1.0 if outcome else -1.0
        distance = max(
            -_MAX_DEVIATIONS,
            min(_MAX_DEVIATIONS, sign * sum(mean for mean, _ in weights.values()) / deviation),
        )
        surprise = exp(-distance * distance / 2) / sqrt(2 * pi) / normal(distance)
        certainty = surprise * (surprise + distance)
        for feature, (mean, variance) in weights.items():
            ratio = variance / deviation
            factor = 1.0 - share * ratio / deviation * certainty
            self._weights[feature] = (
                mean + share * sign * ratio * surprise,
                max(_MIN_VARIANCE, variance * factor),
            )
        self._changed.update(weights)
        self.learnt += 1
        if len(self._weights) > MOST:
            self._forget()

    def reasons(self, features: Iterable[str]) -> list[tuple[str, float]]:
        """Return what each feature adds, the strongest first."""
        added = [(feature, self.weight(feature)) for feature in features]
        return sorted(added, key=lambda part: (-abs(part[1]), part[0]))

    def _forget(self) -> None:
        """Forget the half of the features with the smallest weights."""
        ordered = sorted(self._weights, key=lambda feature: abs(self._weights[feature][0]), reverse=True)
        for feature in ordered[MOST // 2 :]:
            if feature:
                del self._weights[feature]
                self._changed.add(feature)

    # Saving

    def rows(self) -> Iterator[tuple[str, list[float]]]:
        """Yield every learnt feature, with the mean and the variance of its weight."""
        for feature, (mean, variance) in self._weights.items():
            yield feature, [round(mean, 6), round(variance, 6)]

    def changes(self) -> Iterator[tuple[str, list[float] | None]]:
        """Yield the rows that changed since the last call; None for a forgotten feature."""
        changed, self._changed = self._changed, set()
        for feature in sorted(changed):
            weight = self._weights.get(feature)
            yield feature, [round(weight[0], 6), round(weight[1], 6)] if weight else None

    def take(self, rows: Iterable[tuple[str, Sequence[float]]]) -> None:
        """Load what was learnt earlier."""
        for feature, (mean, variance) in rows:
            self._weights[feature] = (float(mean), float(variance))


class RewardTrail:
    """Which page led to which: a reward reaches all pages that led to it, discounted for each step.

    Only the latest visits are remembered; a reward many steps later would be worth little anyway.
    """

    def __init__(self, discount: float, most: int = 20_000) -> None:
        self._discount = discount
        self._most = most
        self._steps: OrderedDict[str, tuple[BayesianProbit, tuple[str, ...], str, float]] = OrderedDict()

    def __contains__(self, url: object) -> bool:
        return url in self._steps

    def step(
        self, url: str, odds: BayesianProbit, features: tuple[str, ...], source_url: str, share: float = 1.0
    ) -> None:
        """Remember a visit: the odds by which it was chosen, the page with its link, and its share of later rewards."""
        self._steps[url] = (odds, features, source_url, share)
        self._steps.move_to_end(url)
        if len(self._steps) > self._most:
            self._steps.popitem(last=False)

    def learn_outcome(self, url: str, *, reward: bool) -> None:
        """Teach the odds what a visit brought; a reward teaches also those of all visits that led there."""
        if url not in self._steps:
            return
        odds, features, source_url, _ = self._steps[url]
        odds.learn(features, reward)
        discounted = self._discount if reward else 0.0
        while discounted > _MIN_SHARE and source_url in self._steps:
            odds, features, source_url, share = self._steps[source_url]
            if share * discounted > _MIN_SHARE:
                odds.learn(features, True, share * discounted)
            discounted *= self._discount


def logistic(log_odds: float) -> float:
    """Return the probability that belongs to a logarithm of odds."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds))))


def deviations_of(probability: float) -> float:
    """Return the sum of weights for a probability between 0 and 1: the inverse of `normal`."""
    return _NORMAL.inv_cdf(probability)


def log_odds_of(probability: float) -> float:
    """Return the logarithm of the odds of a probability between 0 and 1."""
    return log(probability / (1.0 - probability))


def _first_variance(feature: str) -> float:
    """Return the variance of a new feature; names of words begin with one letter and a colon."""
    return WORD if feature[1:2] == ":" else FACT


def normal(deviations: float) -> float:
    """Return the probability that a normal variable stays below so many standard deviations."""
    limited = max(-_MAX_DEVIATIONS, min(_MAX_DEVIATIONS, deviations))
    return 0.5 * erfc(-limited / sqrt(2.0))
