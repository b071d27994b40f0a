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

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from hiddenweb.forms.seen_words import Numbers, SeenWords

WORK = 50_000
"""Records that are weighed again at one step."""

_PART_OF_THE_WAY = 0.5
_GIVE = 30.0  # records by which a number may be off without consequence
_NEARLY = 0.01
_HEAVIEST = 100.0


class StandIns:
    """The weights of the records that were met."""

    def __init__(self, seen: SeenWords) -> None:
        self._seen = seen
        self._weights: list[float] = []
        self._numbers: dict[Numbers, int] = {}  # of records that hold the words
        self._turns: list[Numbers] = []
        self._turn = 0

    def __len__(self) -> int:
        return len(self._turns)

    @property
    def total(self) -> float:
        """Return how many records there are, by all that is known."""
        return sum(self._weights)

    def add(self, weight: float) -> None:
        """Give the records that were met since the last time a weight to begin with."""
        self._weights += [weight] * (len(self._seen) - len(self._weights))

    def hidden_at(self, places: Collection[int]) -> float:
        """Return for how many hidden records those at some places stand."""
        return sum(map(self._weights.__getitem__, places)) - len(places)

    def weights_of(self, places: Iterable[int], words: Iterable[int]) -> dict[int, float]:
        """Return for how many records those at some places stand that hold each of some words."""
        sums = dict.fromkeys(words, 0.0)
        for place in places:
            weight = self._weights[place]
            for word in sums.keys() & self._seen.held_by(place):
                sums[word] += weight
        return sums

    def told(self, words: Numbers, number: int) -> None:
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
            work -= self._pull(words) + 10

    def _pull(self, words: Numbers) -> int:
        """Weigh the records that hold some words again; return how many they are."""
        number = self._numbers.get(words)
        if number is None:
            return 0
        places = self._seen.places(words)
        weights = self._weights
        stood_for = sum(map(weights.__getitem__, places)) - len(places)
        if stood_for <= 0:
            return len(places)
        share = ((max(number - len(places), 0) + _GIVE) / (stood_for + _GIVE)) ** _PART_OF_THE_WAY
        if abs(share - 1) > _NEARLY:
            for place in places:
                weights[place] = min(1.0 + (weights[place] - 1.0) * share, _HEAVIEST)
        return len(places)
