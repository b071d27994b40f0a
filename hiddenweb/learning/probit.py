"""Learning the odds that something pays, from what it says, while the crawl goes on.

What is judged is a set of named features, each there or not: a word of the anchor, the depth, how often the like of it was tried.
Every feature has a weight that is not known exactly, but as a normal distribution with a mean m and a variance v. With the sum of the
means M and S^2 = 1 + the sum of the variances, the probability is Phi(M), and after an outcome y (1 or -1) each weight moves by its
share in what was not known:

    m += y * v / S * f(t)        v *= 1 - v / S^2 * g(t)        t = y * M / S,  f = phi / Phi,  g = f * (f + t)

So what is often seen settles, what is new learns fast, and a surprise is put down to those that are known least (Graepel, Candela,
Borchert and Herbrich: Web-scale Bayesian click-through rate prediction, ICML 2010). They judge by Phi(M / S); that makes the unknown
look better than it mostly is, and a crawl that follows it reads links for their rare words. Every weight can be read by people, so every
judgement can be explained. An outcome may count for less than one: a page that led to a form two steps later earned less than one
that had it.
"""

from __future__ import annotations

from collections import OrderedDict
from math import erfc, exp, log, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

WORD, FACT = 0.03, 0.1
"""The variance of a feature that was never seen: of words there are many at once, and each says little. Limits of taste."""

MOST = 100_000
"""Features that are held; then those that say least are forgotten. A limit of taste."""

_NORMAL = NormalDist()
_MIN_SHARE = 0.02  # share of a reward that is worth passing on; a limit of taste
_MIN_VARIANCE = 1e-4  # of a weight, so that it can still learn; a limit of taste
_MAX_DEVIATIONS = 6.0
"""Standard deviations: beyond them a normal distribution has nothing left that floats can tell."""


class BayesianProbit:
    """Weights of features, and how they learn.

    `first` are the means of weights before anything is learnt; the one of "" is what everything starts with.
    """

    def __init__(self, first: Mapping[str, float] | None = None) -> None:
        self._first = dict(first or {})
        self._weights: dict[str, tuple[float, float]] = {}
        self._changed: set[str] = set()
        self.learnt = 0  # outcomes

    def weight(self, feature: str) -> float:
        """Return what a feature adds, on average."""
        return self._weight(feature)[0]

    def _weight(self, feature: str) -> tuple[float, float]:
        return self._weights.get(feature) or (self._first.get(feature, 0.0), _unknown(feature))

    def sum(self, features: Iterable[str]) -> float:
        """Return what features add together, on average."""
        weights, first = self._weights, self._first
        total = 0.0
        for feature in features:
            known = weights.get(feature)
            total += first.get(feature, 0.0) if known is None else known[0]
        return total

    def log_odds(self, features: Sequence[str]) -> float:
        """Return the logarithm of the odds that something with these features pays."""
        return log_odds_of(normal(self.sum(("", *features))))

    def probability(self, features: Sequence[str]) -> float:
        """Return the probability that something with these features pays."""
        return logistic(self.log_odds(features))

    def learn(self, features: Sequence[str], outcome: bool, share: float = 1.0) -> None:
        """Learn from one outcome that counts for a share of one."""
        known = {feature: self._weight(feature) for feature in ("", *features)}
        deviation = sqrt(1.0 + sum(variance for _, variance in known.values()))
        sign = 1.0 if outcome else -1.0
        distance = max(
            -_MAX_DEVIATIONS, min(_MAX_DEVIATIONS, sign * sum(mean for mean, _ in known.values()) / deviation)
        )
        surprise = exp(-distance * distance / 2) / sqrt(2 * pi) / normal(distance)
        certainty = surprise * (surprise + distance)
        for feature, (mean, variance) in known.items():
            part = variance / deviation
            kept = 1.0 - share * part / deviation * certainty
            self._weights[feature] = (
                mean + share * sign * part * surprise,
                max(_MIN_VARIANCE, variance * kept),
            )
        self._changed.update(known)
        self.learnt += 1
        if len(self._weights) > MOST:
            self._forget()

    def reasons(self, features: Iterable[str]) -> list[tuple[str, float]]:
        """Return what each feature adds, the strongest first."""
        added = [(feature, self.weight(feature)) for feature in features]
        return sorted(added, key=lambda part: (-abs(part[1]), part[0]))

    def _forget(self) -> None:
        """Forget the half of the features whose weights say least."""
        ordered = sorted(self._weights, key=lambda feature: abs(self._weights[feature][0]), reverse=True)
        for feature in ordered[MOST // 2 :]:
            if feature:
                del self._weights[feature]
                self._changed.add(feature)

    # Keeping

    def rows(self) -> Iterator[tuple[str, list[float]]]:
        """Yield every feature that was learnt, with the mean and the variance of its weight."""
        for feature, (mean, variance) in self._weights.items():
            yield feature, [round(mean, 6), round(variance, 6)]

    def changes(self) -> Iterator[tuple[str, list[float] | None]]:
        """Yield what changed since the last call, as `rows` does; None for what was forgotten."""
        changed, self._changed = self._changed, set()
        for feature in sorted(changed):
            known = self._weights.get(feature)
            yield feature, [round(known[0], 6), round(known[1], 6)] if known else None

    def take(self, rows: Iterable[tuple[str, Sequence[float]]]) -> None:
        """Take over what was learnt earlier."""
        for feature, (mean, variance) in rows:
            self._weights[feature] = (float(mean), float(variance))


class RewardTrail:
    """Which page led to which, so that a reward reaches all that led to it, for less the longer ago.

    What was visited last is remembered; a reward far from there finds no way back, and is worth little anyway.
    """

    def __init__(self, discount: float, most: int = 20_000) -> None:
        self._discount = discount
        self._most = most
        self._steps: OrderedDict[str, tuple[BayesianProbit, tuple[str, ...], str, float]] = OrderedDict()

    def __contains__(self, url: object) -> bool:
        return url in self._steps

    def step(
        self, url: str, odds: BayesianProbit, features: tuple[str, ...], came_from: str, share: float = 1.0
    ) -> None:
        """Remember a visit: by which odds it was chosen, where its link stood, and how much of a later reward is its own."""
        self._steps[url] = (odds, features, came_from, share)
        self._steps.move_to_end(url)
        if len(self._steps) > self._most:
            self._steps.popitem(last=False)

    def came_to(self, url: str, *, reward: bool) -> None:
        """Teach the odds what a visit brought, and, if it was a reward, those of all visits that led there."""
        if url not in self._steps:
            return
        odds, features, before, _ = self._steps[url]
        odds.learn(features, reward)
        passed_on = self._discount if reward else 0.0
        while passed_on > _MIN_SHARE and before in self._steps:
            odds, features, before, share = self._steps[before]
            if share * passed_on > _MIN_SHARE:
                odds.learn(features, True, share * passed_on)
            passed_on *= self._discount


def logistic(log_odds: float) -> float:
    """Return the probability that belongs to a logarithm of odds."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds))))


def deviations_of(probability: float) -> float:
    """Return the sum of weights that makes a probability between 0 and 1: `normal` turned round."""
    return _NORMAL.inv_cdf(probability)


def log_odds_of(probability: float) -> float:
    """Return the logarithm of the odds of a probability between 0 and 1."""
    return log(probability / (1.0 - probability))


def _unknown(feature: str) -> float:
    """Return the variance of a feature that was never seen; those of words begin with one letter and a colon."""
    return WORD if feature[1:2] == ":" else FACT


def normal(deviations: float) -> float:
    """Return the probability that a normal variable stays below so many standard deviations."""
    limited = max(-_MAX_DEVIATIONS, min(_MAX_DEVIATIONS, deviations))
    return 0.5 * erfc(-limited / sqrt(2.0))
