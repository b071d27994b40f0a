"""How many records of the database each known record represents.

Sites often say how many records a query found, and show only some. Each such total is a fact about the whole database: so
many records hold this word. We give weights to the known records, so that those holding the word add up to its
total, for all submitted words (raking: Deming and Stephan 1940). Where all records are known, a record weighs
1; where nearly all are hidden, it weighs much. The weights of the records that hold any other word then estimate its
total, and the sum of all weights estimates the size of the database.

Two thousand words pull the weights in as many directions, so no total is forced: each step goes part of the way, and
totals that nearly agree are left alone. The work of a step is limited; the totals take turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hiddenweb.querying.vocabulary_index import Floats, Numbers, Places, VocabularyIndex

WORK = 200_000
"""Records whose weights change in one step; a limit of taste, it bounds the time after an answer."""

_PART_OF_THE_WAY = 0.5
"""The power of the factor by which weights are pulled: half of the way, so that contradicting totals meet in between; a limit of taste."""

_TOLERANCE = 30.0
"""Records by which a total may be off without effect; a limit of taste."""

_NEARLY = 0.01
"""The difference of the factor from 1 below which weights stay; a limit of taste, it saves work."""

_HEAVIEST = 100.0
"""The most records that one known record can represent; a limit of taste."""

_OF_A_PULL = 500
"""The fixed cost of a pull, in records; a guess, and a limit of taste."""


class RakingWeights:
    """The weights of the known records."""

    def __init__(self, vocabulary: VocabularyIndex) -> None:
        self._vocabulary = vocabulary
        self._weights = np.ones(1024)
        self._closed = 0  # records with words whose records were all shown
        self._size = 0
        self._totals: dict[Numbers, int] = {}  # totals: how many records hold the words
        self._turns: list[Numbers] = []
        self._turn = 0

    def __len__(self) -> int:
        return len(self._turns)

    @property
    def weights(self) -> Floats:
        """Return by place how many records the known one represents."""
        return self._weights[: self._size]

    @property
    def total(self) -> float:
        """Return how many records there are, by all that is known."""
        return float(self.weights.sum())

    def add(self, odds: float) -> None:
        """Give new records their first weights, by the odds that a record is hidden."""
        weight = 1.0 + odds * self._size / max(self._size - self._closed, 1) if self._size else 1.0 + odds
        weight = min(weight, _HEAVIEST)
        size = len(self._vocabulary)
        while size > len(self._weights):
            self._weights = np.hstack((self._weights, np.ones_like(self._weights)))
        self._weights[self._size : size] = weight
        self._size = size

    def hidden_at(self, places: Places) -> float:
        """Return how many hidden records those at some places represent."""
        return float(self._weights[places].sum()) - len(places)

    def close(self, words: Numbers) -> None:
        """Note that all records with some words were shown: no hidden one has them, so the known ones weigh 1."""
        places = self._vocabulary.places(words)
        self._closed += int(np.count_nonzero(self._weights[places] > 1.0))
        self._weights[places] = 1.0

    def learn_total(self, words: Numbers, total: int) -> None:
        """Note that so many records of a site hold some words."""
        if words not in self._totals:
            self._turns.append(words)
        self._totals[words] = total
        self._pull(words)

    def settle(self, work: int = WORK) -> None:
        """Bring the weights nearer to the totals."""
        for _ in range(len(self._turns)):
            if work <= 0:
                return
            words = self._turns[self._turn % len(self._turns)]
            self._turn += 1
            work -= self._pull(words) + _OF_A_PULL

    def _pull(self, words: Numbers) -> int:
        """Adjust the weights of the records that hold some words; return their number."""
        places = self._vocabulary.places(words)
        weights = self._weights[places]
        represented = float(weights.sum()) - len(places)
        if represented <= 0:
            return len(places)
        hidden = max(self._totals[words] - len(places), 0)
        share = ((hidden + _TOLERANCE) / (represented + _TOLERANCE)) ** _PART_OF_THE_WAY
        if abs(share - 1) > _NEARLY:
            self._weights[places] = np.minimum(1.0 + (weights - 1.0) * share, _HEAVIEST)
        return len(places)
