"""By how much the queries of each kind brought more, or less, than they promised.

A kind is a template: the set of controls that get values. Its ratio is the geometric mean of (found + c) / (promised + c), in which the latest answers
count most; c reduces the effect of small numbers, and a few answers exactly as promised are assumed before the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WORDS_ALONE = "words"
"""The kind of a query without options: the policy for words corrects its own promises."""

_MEMORY = 0.9
"""The share of its weight that an answer keeps when the next one comes; a limit of taste, half is gone after seven answers."""

_PRIOR = 2.0
"""Answers exactly as promised that count before the first one; a limit of taste."""

_BY_CHANCE = 3.0
"""Records by which a promise may be off by chance: c in the formula; a limit of taste."""

_FARTHEST = 2.0
"""The natural logarithm of the most that one answer may be off by, a factor of 7.4; a limit of taste."""


@dataclass(slots=True)
class _Correction:
    """The results of one kind compared with its promises."""

    missed_by: float = 0.0  # the sum of the logarithms
    queries: float = 0.0

    @property
    def ratio(self) -> float:
        return exp(self.missed_by / (self.queries + _PRIOR))

    def learn(self, promised: float, found: int) -> None:
        off = log((found + _BY_CHANCE) / (promised + _BY_CHANCE))
        self.missed_by = _MEMORY * self.missed_by + min(max(off, -_FARTHEST), _FARTHEST)
        self.queries = _MEMORY * self.queries + 1


class PromiseCorrections:
    """Corrects promises by kind.

    >>> corrections = PromiseCorrections()
    >>> corrections.learn("genre", 10.0, 23)
    >>> round(corrections.ratio("genre"), 2), corrections.ratio("decade")
    (1.26, 1.0)
    """

    def __init__(self) -> None:
        self._by_kind: dict[str, _Correction] = {}

    def ratio(self, kind: str) -> float:
        """Return the factor for a promise."""
        return self._by_kind[kind].ratio if kind in self._by_kind and kind != WORDS_ALONE else 1.0

    def learn(self, kind: str, corrected: float, found: int) -> None:
        """Learn from an answer whose corrected promise is known."""
        promised = corrected / self.ratio(kind)
        self._by_kind.setdefault(kind, _Correction()).learn(promised, found)

    def to_json(self) -> dict[str, list[float]]:
        """Return the state to save."""
        return {
            kind: [correction.missed_by, correction.queries] for kind, correction in self._by_kind.items()
        }

    def restore(self, saved: Mapping[str, Sequence[float]]) -> None:
        """Restore the saved state."""
        self._by_kind = {kind: _Correction(*numbers) for kind, numbers in saved.items()}
