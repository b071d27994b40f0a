"""A learning automaton: actions, and the probabilities by which they are chosen, learnt by reward and penalty.

An action m is chosen by its probability. With r actions:

    reward    p_m += a (1 - p_m)        p_j = (1 - a) p_j                 a = E / (1 + E)                              (4, 5, 6)
                                                                          E = -(p_m ln p_m + (1 - p_m) ln (1 - p_m))         (7)
    penalty   p_m = (1 - b) p_m         p_j = b / (r - 1) + (1 - b) p_j   0 < b << a                                         (2)

(Kumar and Bhatia: Hidden webpages detection using distributed learning automata, HWDLA, 2018. What an action is, and what it is rewarded for, say
`hiddenweb.querying.policies.keyword_automaton` and `hiddenweb.focused.exploring.link_automata`.)

What the paper prints wrongly, and how we read it. Equation 1 raises the chosen action and is labelled "penalty", equation 2 lowers it
and is labelled "reward": the labels are exchanged. (Their numbers are right by (8), which counts beta = 1 as the penalty.) The logarithm has no base; ours is natural. E is
largest at p = 1/2 and a falls from there on, while the text says that it rises with p. So a goes to 0 at both ends, and b << a holds for no
constant b: what is nearly certain loses more by one penalty than it won by the last reward. We leave it so, because nothing else brings back a
walk that is wrong and certain.

Where we go beyond. Actions are added while learning: a new one gets the mean probability, then all are scaled to sum to 1. What is used up leaves
its probability to the others in proportion. No probability falls below a billionth, so nothing is given up for good. An automaton with one
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
"""Of any action: small beside 1 / 300 words, so that nothing is given up for good; a limit of taste."""

_ROUNDING = 1e-9  # by which a stored sum may differ from 1: what rounding can cost
_MAX_SHOWN = 100  # characters of an action in a message: a limit of taste


class UnknownAction(LookupError):
    """Raised for an action that is not to be chosen here; the message names it."""


def entropy(probability: float) -> float:
    """Return E of (7), how open it is whether an action is taken.

    >>> round(entropy(0.5), 4), entropy(1.0)
    (0.6931, 0.0)
    """
    if not 0.0 < probability < 1.0:
        return 0.0
    return -(probability * log(probability) + (1.0 - probability) * log1p(-probability))


def reward_rate(probability: float) -> float:
    """Return a of (6), the share of what is missing to 1 by which a reward raises a probability.

    >>> round(reward_rate(0.5), 4)
    0.4094
    """
    unsettled = entropy(probability)
    return unsettled / (1.0 + unsettled)


class Automaton:
    """The actions of one page and the probabilities by which they are chosen; they always sum to 1."""

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
        known = self._probabilities.get(action)
        if known is None:
            raise UnknownAction(f"no action {action[:_MAX_SHOWN]!r} among {len(self)}")
        return known

    def choose(self, chance: Random, but: Container[str] = ()) -> str | None:
        """Return an action by its probability; None when there is none besides those that must not be chosen."""
        open_to_choice = [known for known in self._probabilities.items() if known[0] not in but]
        if not open_to_choice:
            return None
        left = chance.random() * sum(probability for _, probability in open_to_choice)
        for action, probability in open_to_choice:
            left -= probability
            if left < 0.0:
                return action
        return open_to_choice[-1][0]

    def reward(self, action: str) -> None:
        """Make an action more probable, by (4) and (5)."""
        rate = reward_rate(self.probability(action))
        learnt = {other: (1.0 - rate) * known for other, known in self._probabilities.items()}
        learnt[action] += rate
        self._settle(learnt)

    def penalise(self, action: str) -> None:
        """Make an action less probable, by (2); one that is alone stays certain."""
        probability, others = self.probability(action), len(self) - 1
        if not others:
            return
        kept, share = 1.0 - self._penalty, self._penalty / others
        learnt = {other: share + kept * known for other, known in self._probabilities.items()}
        learnt[action] = kept * probability
        self._settle(learnt)

    def add(self, actions: Iterable[str], most: int | None = None) -> None:
        """Add actions with the mean probability; those that are known keep theirs.

        Of more actions than the most the least probable are dropped, of equals the latest.
        """
        new = [action for action in dict.fromkeys(actions) if action not in self._probabilities][:most]
        if new:
            mean = 1.0 / (len(self) or 1)
            self._settle(self._probabilities | dict.fromkeys(new, mean))
        if most is not None and len(self) > most:
            # Rounded, for equals are not quite equal after many divisions.
            self.retain(sorted(self, key=lambda action: -round(self._probabilities[action], 12))[:most])

    def remove(self, action: str, heirs: Iterable[str] = ()) -> None:
        """Drop an action; its probability goes to its heirs in equal parts, without any to all others in proportion."""
        probability = self.probability(action)
        left = {other: known for other, known in self._probabilities.items() if other != action}
        inheriting = [heir for heir in dict.fromkeys(heirs) if heir in left]
        for heir in inheriting:
            left[heir] += probability / len(inheriting)
        self._settle(left)

    def retain(self, actions: Collection[str]) -> None:
        """Drop all actions but these; what the others had goes to them in proportion."""
        kept = set(actions)
        self._settle({action: known for action, known in self._probabilities.items() if action in kept})

    @property
    def highest(self) -> float:
        """Return the probability of the most probable action."""
        return max(self._probabilities.values(), default=0.0)

    def rows(self) -> list[tuple[str, float]]:
        """Return all actions in their order, with their probabilities."""
        return list(self._probabilities.items())

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]], *, penalty: float = PENALTY) -> Self:
        """Return the automaton with these actions and probabilities, exactly."""
        automaton = cls(penalty=penalty)
        for action, probability in rows:
            if not isinstance(action, str) or action in automaton:
                raise ValueError(f"{action!r} is no action, or one that is there twice")
            if not isinstance(probability, float | int) or not 0.0 < probability <= 1.0:
                raise ValueError(f"a probability of {probability!r} for {action[:_MAX_SHOWN]!r}")
            automaton._probabilities[action] = float(probability)
        total = fsum(automaton._probabilities.values())
        if automaton._probabilities and abs(total - 1.0) > _ROUNDING:
            raise ValueError(f"probabilities that sum to {total}, wanted 1")
        return automaton

    def _settle(self, learnt: dict[str, float]) -> None:
        """Take over a vector, no part of it nothing, scaled to sum to 1."""
        raised = {action: max(known, _MIN_PROBABILITY) for action, known in learnt.items()}
        total = sum(raised.values())
        self._probabilities = {action: known / total for action, known in raised.items()}
