"""A learning automaton: actions, and the probabilities by which they are chosen, learnt by reward and penalty.

An action m is chosen with its probability. With r actions:

    reward    p_m += a (1 - p_m)        p_j = (1 - a) p_j                 a = E / (1 + E)                              (4, 5, 6)
                                                                          E = -(p_m ln p_m + (1 - p_m) ln (1 - p_m))         (7)
    penalty   p_m = (1 - b) p_m         p_j = b / (r - 1) + (1 - b) p_j   0 < b << a                                         (2)

(Kumar and Bhatia: Hidden webpages detection using distributed learning automata, HWDLA, 2018. `hiddenweb.querying.policies.keyword_automaton` and
`hiddenweb.focused.exploring.link_automata` say what an action is and what it is rewarded for.)

Errors in the paper, and how we read it. Equation 1 raises the chosen action and is labelled "penalty", equation 2 lowers it
and is labelled "reward": the labels are swapped. (Their numbers are right by (8), which counts beta = 1 as the penalty.) The logarithm has no base; ours is natural. E is
largest at p = 1/2 and a falls from there on, while the text says that it rises with p. So a goes to 0 at both ends, and b << a holds for no
constant b: a nearly certain action loses more by one penalty than it won by the last reward. We keep it so, because nothing else corrects an
automaton that is wrong and certain.

What we add. Actions are added while learning: a new one gets the mean probability, then all are scaled to sum to 1. The probability of a removed
action goes to the others in proportion. No probability falls below a billionth, so no action is lost for good. An automaton with one
action has no choice and learns nothing.
"""

from __future__ import annotations

from math import fsum, log, log1p
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Sequence
    from random import Random
    from typing import Self

PENALTY = 0.01
"""b: a fortieth of a where there are two equal actions, a fifth where there are a hundred."""

_MIN_PROBABILITY = 1e-9
"""The least of any action, small compared with 1 / 300 words: no action is lost for good; a limit of taste."""

_ROUNDING = 1e-9  # by how much a stored sum may differ from 1 through rounding
_MAX_PRINTED = 100  # characters of an action in a message: a limit of taste


class UnknownAction(LookupError):
    """Raised for an action that the automaton does not have; the message names it."""


def entropy(probability: float) -> float:
    """Return E of (7): how uncertain it is whether an action is chosen.

    >>> round(entropy(0.5), 4), entropy(1.0)
    (0.6931, 0.0)
    """
    if not 0.0 < probability < 1.0:
        return 0.0
    return -(probability * log(probability) + (1.0 - probability) * log1p(-probability))


def reward_rate(probability: float) -> float:
    """Return a of (6): a reward raises a probability by this share of what it lacks to 1.

    >>> round(reward_rate(0.5), 4)
    0.4094
    """
    unsettled = entropy(probability)
    return unsettled / (1.0 + unsettled)


class Automaton:
    """The actions of one page and their probabilities, which always sum to 1."""

    __slots__ = ("_penalty", "_probabilities")

    def __init__(self, actions: Iterable[str] = (), *, penalty: float = PENALTY) -> None:
        if not 0.0 <= penalty < 1.0:
            raise ValueError(f"a penalty of {penalty}, wanted at least 0 and less than 1")
        self._penalty = penalty
        self._probabilities: dict[str, float] = {}
        self.add(actions)

    def __len__(self) -> int:
        return len(self._probabilities)

    @property
    def penalty(self) -> float:
        """Return b of (2)."""
        return self._penalty

    def __contains__(self, action: object) -> bool:
        return action in self._probabilities

    def __iter__(self) -> Iterator[str]:
        return iter(self._probabilities)

    def probability(self, action: str) -> float:
        """Return the probability of an action."""
        probability = self._probabilities.get(action)
        if probability is None:
            raise UnknownAction(f"no action {action[:_MAX_PRINTED]!r} among {len(self)}")
        return probability

    def choose(self, chance: Random, excluded: Container[str] = ()) -> str | None:
        """Return an action by its probability; None if all are excluded."""
        candidates = [row for row in self._probabilities.items() if row[0] not in excluded]
        if not candidates:
            return None
        remaining = chance.random() * sum(probability for _, probability in candidates)
        for action, probability in candidates:
            remaining -= probability
            if remaining < 0.0:
                return action
        return candidates[-1][0]

    def reward(self, action: str) -> None:
        """Make an action more probable, by (4) and (5)."""
        rate = reward_rate(self.probability(action))
        learnt = {other: (1.0 - rate) * old for other, old in self._probabilities.items()}
        learnt[action] += rate
        self._normalise(learnt)

    def penalise(self, action: str) -> None:
        """Make an action less probable, by (2); a single action stays certain."""
        probability, others = self.probability(action), len(self) - 1
        if not others:
            return
        factor, share = 1.0 - self._penalty, self._penalty / others
        learnt = {other: share + factor * old for other, old in self._probabilities.items()}
        learnt[action] = factor * probability
        self._normalise(learnt)

    def add(self, actions: Iterable[str], most: int | None = None) -> None:
        """Add actions with the mean probability; existing ones keep theirs.

        If there are more than `most`, the least probable are dropped; of equals, the latest.
        """
        new = [action for action in dict.fromkeys(actions) if action not in self._probabilities][:most]
        if new:
            mean = 1.0 / (len(self) or 1)
            self._normalise(self._probabilities | dict.fromkeys(new, mean))
        if most is not None and len(self) > most:
            # Rounded: after many divisions equals differ in the last digits.
            self.retain(sorted(self, key=lambda action: -round(self._probabilities[action], 12))[:most])

    def remove(self, action: str, heirs: Iterable[str] = ()) -> None:
        """Drop an action; its probability goes to its heirs in equal parts, or to all others in proportion if it has none."""
        probability = self.probability(action)
        remaining = {other: old for other, old in self._probabilities.items() if other != action}
        inheriting = [heir for heir in dict.fromkeys(heirs) if heir in remaining]
        for heir in inheriting:
            remaining[heir] += probability / len(inheriting)
        self._normalise(remaining)

    def retain(self, actions: Collection[str]) -> None:
        """Drop all other actions; their probability goes to these in proportion."""
        retained = set(actions)
        self._normalise({action: old for action, old in self._probabilities.items() if action in retained})

    @property
    def highest(self) -> float:
        """Return the probability of the most probable action."""
        return max(self._probabilities.values(), default=0.0)

    def rows(self) -> list[tuple[str, float]]:
        """Return all actions in order, with their probabilities."""
        return list(self._probabilities.items())

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]], *, penalty: float = PENALTY) -> Self:
        """Return the automaton with exactly these actions and probabilities."""
        automaton = cls(penalty=penalty)
        for action, probability in rows:
            if not isinstance(action, str) or action in automaton:
                raise ValueError(f"{action!r} is no action, or is there twice")
            if not isinstance(probability, float | int) or not 0.0 < probability <= 1.0:
                raise ValueError(f"a probability of {probability!r} for {action[:_MAX_PRINTED]!r}")
            automaton._probabilities[action] = float(probability)
        total = fsum(automaton._probabilities.values())
        if automaton._probabilities and abs(total - 1.0) > _ROUNDING:
            raise ValueError(f"probabilities that sum to {total}, wanted 1")
        return automaton

    def _normalise(self, learnt: dict[str, float]) -> None:
        """Replace the probabilities: none is zero, and they are scaled to sum to 1."""
        raised = {action: max(value, _MIN_PROBABILITY) for action, value in learnt.items()}
        total = sum(raised.values())
        self._probabilities = {action: value / total for action, value in raised.items()}
