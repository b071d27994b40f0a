"""What the records read so far say about the words in them.

A record is a bag of words; it is met when a question finds it, and met again when another does. Of every word we count the
records that hold it, those met exactly once and exactly twice among them, and how long they are: what was met once so far
stands for much that was not met at all (Chao 1984). And we count the answers that showed any of these records first: what came in
one answer came because of its question. Records that hold all of some words are found through lists of numbers. Where records
tell in which of their parts a word stands, that is counted, too.

Everything is counted as records come, in time that grows with their words alone. A record costs about eight bytes a word, a
word a hundred and fifty.
"""

from __future__ import annotations

from array import array
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddenweb.querying.record_words import TEXT, HasParts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.uint32]
    """Of records, or of words."""

Numbers = tuple[int, ...]
"""The numbers of words that are asked together, in rising order."""

_COUNT, _ONCE, _TWICE, _LENGTH, _SQUARE, _TIMES, _ANSWERS = range(7)
_MET_FIRST = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])

_TWICE_MET = 2
"""How often a record was met that counts as met twice: the f2 of Chao's estimate (`hiddenweb.querying.coverage`)."""

_MOST_PARTS = 12
"""Parts of records that are told apart; a limit of taste, further ones count as text."""

_MOST_TIMES = 20
"""Times that a record from the store counts as met; a limit of taste, it bounds the work of a restart."""


class WordSums(NamedTuple):
    """What is counted over the records that hold a word, for several words at once, or for one."""

    records: Floats
    once: Floats  # met exactly once
    twice: Floats
    lengths: Floats  # logarithms of the numbers of words
    squares: Floats  # of these
    times: Floats  # logarithms of how often each was met
    answers: Floats  # that showed any of them first

    def scale_by(self, share: Floats) -> WordSums:
        """Return the sums over a share of the records that hold each word, one record at least."""
        share = np.maximum(share, np.minimum(1.0 / self.records, 1.0))
        return WordSums(*(each * share for each in self))


class VocabularyIndex:
    """The words of all records that were met."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._records: dict[int, int] = {}  # its key: its place
        self._keys: list[int] = []  # by record
        self._held: list[Places] = []  # by record: the numbers of its words
        self._met = np.zeros(1024)  # by record: how often
        self._length = np.zeros(1024)  # by record: its logarithm
        self._holding: list[array[int]] = []  # by word: the places of records
        self._answer = 1
        self._shown_by = np.zeros(1024, np.uint32)  # by record: the answer that showed it first
        self._sums = np.zeros((7, 1024))  # by word
        self._of_all = np.zeros(7)
        self._latest = np.zeros(1024, np.uint32)  # by word: the last answer that showed a new record with it
        self._kinds = np.zeros((2, 1024))  # by word: whether it is a number, and its letters
        self.parts: list[str] = [TEXT]  # of records
        self._by_part = np.zeros(
            (_MOST_PARTS, 1024), np.float32
        )  # by word: records that hold it in each part
        self._part_of: list[NDArray[np.uint8] | None] = []  # by record: the part of each of its words

    def __len__(self) -> int:
        return len(self._held)

    def number(self, word: str) -> int:
        """Return the number of a word, a new one if nobody has met it."""
        known = self._numbers.get(word)
        if known is not None:
            return known
        number = self._numbers[word] = len(self.words)
        self.words.append(word)
        self._holding.append(array("I"))
        if number >= self._sums.shape[1]:
            self._sums = np.hstack((self._sums, np.zeros_like(self._sums)))
            self._kinds = np.hstack((self._kinds, np.zeros_like(self._kinds)))
            self._latest = np.hstack((self._latest, np.zeros_like(self._latest)))
            self._by_part = np.hstack((self._by_part, np.zeros_like(self._by_part)))
        self._kinds[:, number] = word.isdigit(), len(word)
        return number

    def numbers(self, words: Iterable[str]) -> Numbers:
        """Return the numbers of words that are asked together."""
        return tuple(sorted({self.number(word) for word in words}))

    def find(self, word: str) -> int | None:
        """Return the number of a word, if anybody has met it."""
        return self._numbers.get(word)

    def knows(self, key: int) -> bool:
        """Say whether a record was met."""
        return key in self._records

    def turn_to_next_answer(self) -> None:
        """Take note that what is met from now on comes of another question."""
        self._answer += 1

    def meet(self, key: int, words: Iterable[str] = ()) -> bool:
        """Take note that a question found a record; say whether it is new. Words are only read if it is."""
        place = self._records.get(key)
        if place is not None:
            self._meet_again(place)
            return False
        held = np.fromiter({self.number(word) for word in words}, np.uint32)
        held.sort()
        place = self._records[key] = len(self._held)
        self._keys.append(key)
        length = log(len(held) or 1)
        self._held.append(held)
        self._count_parts(held, words)
        if place >= len(self._met):
            self._met = np.hstack((self._met, np.zeros_like(self._met)))
            self._length = np.hstack((self._length, np.zeros_like(self._length)))
            self._shown_by = np.hstack((self._shown_by, np.zeros_like(self._shown_by)))
        self._met[place], self._length[place] = 1.0, length
        change = _MET_FIRST.copy()
        change[_LENGTH], change[_SQUARE] = length, length * length
        self._of_all += change
        self._sums[:, held] += change[:, None]
        self._count_answer(place, held)
        for word in held.tolist():
            self._holding[word].append(place)
        return True

    def restore(self, key: int, words: Iterable[str], times: int) -> None:
        """Take note of a record that was met so often before."""
        if key in self._records:
            return
        self.meet(key, words)
        place = self._records[key]
        for _ in range(min(times, _MOST_TIMES) - 1):
            self._meet_again(place)

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""
        numbers = [self._numbers.get(word) for word in words]
        known = [number for number in numbers if number is not None]
        if not known or len(known) < len(numbers):
            return None
        places = self.places(tuple(sorted(known)))
        return self._keys[int(places[0])] if len(places) else None

    @property
    def count(self) -> Floats:
        """Return by word how many records hold it."""
        return self._sums[_COUNT, : len(self.words)]

    def kinds_of(self, words: Places) -> Floats:
        """Return of each word whether it is a number, and how many letters it has."""
        return self._kinds[:, words]

    def sums_of(self, words: Places) -> WordSums:
        """Return what is counted over the records that hold each of some words."""
        return WordSums(*self._sums[:, words])

    def sums_of_all(self) -> WordSums:
        """Return what is counted over all records."""
        return WordSums(*self._of_all)

    def sums_over(self, places: Places) -> WordSums:
        """Return what is counted over records at some places."""
        met, length = self.times_met[places], self.length[places]
        counted = np.stack(
            (np.ones_like(met), met == 1, met == _TWICE_MET, length, length * length, np.log(met))
        )
        answers = len(np.unique(self._shown_by[places]))
        return WordSums(*np.append(counted.sum(axis=1), answers))

    def places(self, words: Numbers) -> Places:
        """Return the places of the records that hold all of some words, in rising order."""
        rarest, *others = sorted((self._places_of(word) for word in words), key=len)
        for other in others:
            # Both are in order; the shorter one is looked up in the longer one.
            at = np.searchsorted(other, rarest)
            at[at == len(other)] = 0
            rarest = rarest[other[at] == rarest] if len(other) else rarest[:0]
        return rarest

    @property
    def keys(self) -> Iterable[int]:
        """Return the keys of all records, in the order of their places."""
        return self._records.keys()

    @property
    def times_met(self) -> Floats:
        """Return by place how often a record was met."""
        return self._met[: len(self)]

    @property
    def length(self) -> Floats:
        """Return by place the logarithm of how many words a record holds."""
        return self._length[: len(self)]

    def find_records_with(self, place: int) -> Places:
        """Return the words of a record."""
        return self._held[place]

    def counts_at(self, places: Places, weights: Floats) -> tuple[Floats, Floats]:
        """Return by word how many of the records at some places hold it, and what these weigh."""
        if not len(places):
            return np.zeros(len(self.words)), np.zeros(len(self.words))
        held = [self._held[place] for place in places.tolist()]
        words = np.concatenate(held)
        each = np.repeat(weights[places], [len(words) for words in held])
        size = len(self.words)
        counts: Floats = np.bincount(words, minlength=size).astype(float)
        weighed: Floats = np.bincount(words, each, size).astype(float)
        return counts, weighed

    def most_frequent(self, count: int) -> Places:
        """Return the words that most records hold, the most frequent first."""
        counts = self.count
        chosen = np.arange(len(counts), dtype=np.uint32)
        if count < len(counts):
            chosen = np.sort(np.argpartition(-counts, count)[:count]).astype(np.uint32)
        return chosen[np.argsort(-counts[chosen], kind="stable")]

    def _places_of(self, word: int) -> Places:
        return np.array(self._holding[word], np.uint32)

    def place_of(self, key: int) -> int | None:
        """Return the place of a record, if it was met."""
        return self._records.get(key)

    def counts_by_part(self, words: Places) -> Floats:
        """Return by part how many records hold each of some words in it."""
        return self._by_part[: len(self.parts), words].astype(float)

    def part_at(self, place: int, word: int) -> str:
        """Return the part of a record in which it holds a word."""
        parts = self._part_of[place]
        return TEXT if parts is None else self.parts[parts[np.searchsorted(self._held[place], word)]]

    def _count_parts(self, held: Places, words: Iterable[str]) -> None:
        if not isinstance(words, HasParts):
            self._part_of.append(None)
            self._by_part[0, held] += 1
            return
        stands_in = words.parts()
        numbers = [self._part(stands_in.get(self.words[word], TEXT)) for word in held.tolist()]
        parts = np.array(numbers, np.uint8)
        self._part_of.append(parts)
        self._by_part[parts, held] += 1

    def _part(self, name: str) -> int:
        if name not in self.parts:
            if len(self.parts) == _MOST_PARTS:
                return 0
            self.parts.append(name)
        return self.parts.index(name)

    def _count_answer(self, place: int, held: Places) -> None:
        """Count the answer under way for a new record and for its words, once for each."""
        self._of_all[_ANSWERS] += not place or self._shown_by[place - 1] != self._answer
        self._shown_by[place] = self._answer
        self._sums[_ANSWERS, held] += self._latest[held] != self._answer
        self._latest[held] = self._answer

    def _meet_again(self, place: int) -> None:
        times = float(self._met[place])
        self._met[place] = times + 1
        change = np.zeros(7)
        change[_TIMES] = log((times + 1) / times)
        if times <= _TWICE_MET:
            change[_ONCE if times == 1 else _TWICE] = -1.0
            if times == 1:
                change[_TWICE] = 1.0
        self._of_all += change
        self._sums[:, self._held[place]] += change[:, None]
