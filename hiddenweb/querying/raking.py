"""For how many records of the database each record stands that was met.

Sites often say how many records a question found, and show only some. Each such number is a fact about the whole database: so
many records hold this word. We give the records that were met weights, so that those that hold the word add up to the number
it has, for all words that were asked (raking: Deming and Stephan 1940). A record of a corner that was read through weighs
1, one of a corner where nearly everything is hidden weighs much. The weights that hold any other word then tell how many
records hold that one, and all weights together how many there are.

Two thousand words pull at the weights in as many directions, so no number is forced: each step goes part of the way, and
numbers that are nearly met are left alone. A step takes bounded work; the numbers take turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hiddenweb.querying.vocabulary_index import Floats, Numbers, Places, VocabularyIndex

WORK = 200_000
"""Records that are weighed again at one step; a limit of taste, it bounds the time after an answer."""

_PART_OF_THE_WAY = 0.5
"""The power of the factor by which weights are pulled: half of the way, so that numbers which contradict each other settle between; a limit of taste."""

_GIVE = 30.0
"""Records by which a number may be off without consequence; a limit of taste."""

_NEARLY = 0.01
"""The difference of the factor from 1 below which nothing is pulled; a limit of taste, it spares work."""

_HEAVIEST = 100.0
"""Hidden records that one known record can stand for; a limit of taste."""

_OF_A_PULL = 500
"""Records that could be weighed in the time that any pull takes; a guess, and a limit of taste."""


class RakingWeights:
    """The weights of the records that were met."""

    def __init__(self, seen: VocabularyIndex) -> None:
        self._seen = seen
        self._weights = np.ones(1024)
        self._closed = 0  # records that hold words of which everything was shown
        self._size = 0
        self._numbers: dict[Numbers, int] = {}  # of records that hold the words
        self._turns: list[Numbers] = []
        self._turn = 0

    def __len__(self) -> int:
        return len(self._turns)

    @property
    def weights(self) -> Floats:
        """Return by place for how many records the one there stands."""
        return self._weights[: self._size]

    @property
    def total(self) -> float:
        """Return how many records there are, by all that is known."""
        return float(self.weights.sum())

    def add(self, odds: float) -> None:
        """Give the records that were met since the last time a weight to begin with, by the odds that a record is hidden."""
        weight = 1.0 + odds * self._size / max(self._size - self._closed, 1) if self._size else 1.0 + odds
        weight = min(weight, _HEAVIEST)
        size = len(self._seen)
        while size > len(self._weights):
            self._weights = np.hstack((self._weights, np.ones_like(self._weights)))
        self._weights[self._size : size] = weight
        self._size = size

    def hidden_at(self, places: Places) -> float:
        """Return for how many hidden records those at some places stand."""
        return float(self._weights[places].sum()) - len(places)

    def close(self, words: Numbers) -> None:
        """Take note that all records were shown that hold some words: no hidden one does, and those that do stand for themselves."""
        places = self._seen.places(words)
        self._closed += int(np.count_nonzero(self._weights[places] > 1.0))
        self._weights[places] = 1.0

    def learn_total(self, words: Numbers, number: int) -> None:
        """Take note that a site has so many records that hold some words."""
        if words not in self._numbers:
            self._turns.append(words)
        self._numbers[words] = number
        self._pull(words)

    def settle(self, work: int = WORK) -> None:
        """Bring the weights nearer to what is known."""
        for _ in range(len(self._turns)):
            if work <= 0:
                return
            words = self._turns[self._turn % len(self._turns)]
            self._turn += 1
            work -= self._pull(words) + _OF_A_PULL

    def _pull(self, words: Numbers) -> int:
        """Weigh the records that hold some words again; return how many they are."""
        places = self._seen.places(words)
        weights = self._weights[places]
        stood_for = float(weights.sum()) - len(places)
        if stood_for <= 0:
            return len(places)
        hidden = max(self._numbers[words] - len(places), 0)
        share = ((hidden + _GIVE) / (stood_for + _GIVE)) ** _PART_OF_THE_WAY
        if abs(share - 1) > _NEARLY:
            self._weights[places] = np.minimum(1.0 + (weights - 1.0) * share, _HEAVIEST)
        return len(places)
