"""What the records read so far say about the words in them.

A record is a bag of words; it is met when a question finds it, and met again when another does. Of every word we count the
records that hold it, those met exactly once and exactly twice among them, and how long they are: what was met once so far
stands for much that was not met at all (Chao 1984). Records that hold all of some words are found through lists of numbers.

Everything is counted as records come, in time that grows with their words alone. A record costs about eight bytes a word.
"""

from __future__ import annotations

from array import array
from heapq import nlargest
from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

Numbers = tuple[int, ...]
"""The numbers of words that are asked together, in rising order."""


class Sums(NamedTuple):
    """What is counted over some records, most often those that hold a word."""

    records: int
    once: int  # met exactly once
    twice: int
    lengths: float  # logarithms of the numbers of words
    squares: float  # of these
    times: float  # logarithms of how often each was met

    @property
    def mean_length(self) -> float:
        """Return the mean logarithm of the length of a record."""
        return self.lengths / self.records

    @property
    def spread_of_length(self) -> float:
        """Return the standard deviation of the logarithms of lengths."""
        return sqrt(max(self.squares / self.records - self.mean_length**2, 0.0))


class SeenWords:
    """The words of all records that were met."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._records: dict[int, int] = {}  # its key: its place
        self._keys: list[int] = []  # by record
        self._held: list[array[int]] = []  # by record: the numbers of its words
        self._met: list[int] = []  # by record: how often
        self._length: list[float] = []  # by record: its logarithm
        self.holding: list[array[int]] = []  # by word: the places of records
        self.count: list[int] = []  # by word, as all of the following
        self._once: list[int] = []
        self._twice: list[int] = []
        self._lengths: list[float] = []
        self._squares: list[float] = []
        self._times: list[float] = []
        self._all = [0, 0, 0.0, 0.0, 0.0]

    def __len__(self) -> int:
        return len(self._met)

    def number(self, word: str) -> int:
        """Return the number of a word, a new one if nobody has met it."""
        known = self._numbers.get(word)
        if known is not None:
            return known
        number = self._numbers[word] = len(self.words)
        self.words.append(word)
        self.holding.append(array("I"))
        for counts in (self.count, self._once, self._twice):
            counts.append(0)
        for sums in (self._lengths, self._squares, self._times):
            sums.append(0.0)
        return number

    def find(self, word: str) -> int | None:
        """Return the number of a word, if anybody has met it."""
        return self._numbers.get(word)

    def knows(self, key: int) -> bool:
        """Say whether a record was met."""
        return key in self._records

    def meet(self, key: int, words: Iterable[str] = ()) -> bool:
        """Take note that a question found a record; say whether it is new. Words are only read if it is."""
        place = self._records.get(key)
        if place is not None:
            self._meet_again(place)
            return False
        held = array("I", sorted({self.number(word) for word in words}))
        place = self._records[key] = len(self._met)
        self._keys.append(key)
        length = log(len(held) or 1)
        self._held.append(held)
        self._met.append(1)
        self._length.append(length)
        square = length * length
        self._all[0] += 1
        self._all[2] += length
        self._all[3] += square
        for word in held:
            self.holding[word].append(place)
            self.count[word] += 1
            self._once[word] += 1
            self._lengths[word] += length
            self._squares[word] += square
        return True

    def restore(self, key: int, words: Iterable[str], times: int) -> None:
        """Take note of a record that was met so often before."""
        if key in self._records:
            return
        self.meet(key, words)
        place = self._records[key]
        for _ in range(min(times, _MOST_TIMES) - 1):
            self._meet_again(place)

    def sums(self, word: int) -> Sums:
        """Return what is counted over the records that hold a word."""
        return Sums(
            self.count[word], self._once[word], self._twice[word],
            self._lengths[word], self._squares[word], self._times[word],
        )  # fmt: skip

    def sums_of_all(self) -> Sums:
        """Return what is counted over all records."""
        once, twice, lengths, squares, times = self._all
        return Sums(len(self), int(once), int(twice), lengths, squares, times)

    def sums_over(self, places: Collection[int]) -> Sums:
        """Return what is counted over records at some places."""
        met = [self._met[place] for place in places]
        lengths = [self._length[place] for place in places]
        return Sums(
            len(met), met.count(1), met.count(2),
            sum(lengths), sum(length * length for length in lengths), sum(map(log, met)),
        )  # fmt: skip

    def places(self, words: Numbers) -> Collection[int]:
        """Return the places of the records that hold all of some words."""
        if len(words) == 1:
            return self.holding[words[0]]
        rarest, *others = sorted((self.holding[word] for word in words), key=len)
        return set(rarest).intersection(*others)

    @property
    def keys(self) -> Iterable[int]:
        """Return the keys of all records, in the order of their places."""
        return self._records.keys()

    def times_met(self, place: int) -> int:
        """Return how often a record was met."""
        return self._met[place]

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""
        numbers = [self._numbers.get(word) for word in words]
        known = [number for number in numbers if number is not None]
        if not known or len(known) < len(numbers):
            return None
        place = next(iter(self.places(tuple(known))), None)
        return None if place is None else self._keys[place]

    def held_by(self, place: int) -> Sequence[int]:
        """Return the words of a record."""
        return self._held[place]

    def most_frequent(self, count: int) -> list[int]:
        """Return the words that most records hold, the most frequent first."""
        return nlargest(count, range(len(self.count)), key=self.count.__getitem__)

    def _meet_again(self, place: int) -> None:
        times = self._met[place]
        self._met[place] = times + 1
        more = log((times + 1) / times)
        self._all[4] += more
        for word in self._held[place]:
            self._times[word] += more
        if times > _TWICE:
            return
        self._all[times - 1] -= 1
        before, after = (self._once, self._twice) if times == 1 else (self._twice, None)
        if after is not None:
            self._all[1] += 1
        for word in self._held[place]:
            before[word] -= 1
            if after is not None:
                after[word] += 1


_TWICE = 2
_MOST_TIMES = 20  # that are counted of a record that comes from the store
