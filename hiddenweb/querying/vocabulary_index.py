"""What the records read so far show about the words in them.

A record is a bag of words, and may be found by several queries. For every word we count the
records that hold it, those of them found exactly once and exactly twice, and their lengths: records found once
indicate how many were not found at all (Chao 1984). And we count the answers that showed any of these records first: records of
one answer were found because of its query. Records that hold all of some words are found through lists of numbers. If the part of
a record in which a word stands is known, that is counted, too.

Everything is counted as records come, in time that grows only with their words. A record costs about eight bytes for each word, a
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
"""The numbers of words that are submitted together, in rising order."""

_COUNT, _ONCE, _TWICE, _LENGTH, _SQUARE, _TIMES, _ANSWERS = range(7)
_FIRST_FOUND = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])

_FOUND_TWICE = 2
"""The count of a record that was found twice: the f2 of Chao's estimate (`hiddenweb.querying.coverage`)."""

_MOST_PARTS = 12
"""Parts of records that are distinguished; a limit of taste, further ones count as text."""

_MOST_TIMES = 20
"""The most times that a record from the store counts as found; a limit of taste, it bounds the work of a restart."""


class WordSums(NamedTuple):
    """Sums over the records that hold a word, for several words at once, or for one."""

    records: Floats
    once: Floats  # found exactly once
    twice: Floats
    lengths: Floats  # logarithms of the numbers of words
    squares: Floats  # of these
    times: Floats  # logarithms of how often each was found
    answers: Floats  # that showed any of them first

    def scale_by(self, share: Floats) -> WordSums:
        """Return the sums for a share of the records that hold each word, at least one record."""
        share = np.maximum(share, np.minimum(1.0 / self.records, 1.0))
        return WordSums(*(each * share for each in self))


class VocabularyIndex:
    """The words of all records that were found."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._records: dict[int, int] = {}  # place by key
        self._keys: list[int] = []  # by record
        self._words_by_record: list[Places] = []  # by record: the numbers of its words
        self._times_found = np.zeros(1024)  # by record: how often
        self._length = np.zeros(1024)  # by record: its logarithm
        self._places_by_word: list[array[int]] = []  # by word: the places of records
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
        return len(self._words_by_record)

    def number(self, word: str) -> int:
        """Return the number of a word; a new word gets the next one."""
        existing = self._numbers.get(word)
        if existing is not None:
            return existing
        number = self._numbers[word] = len(self.words)
        self.words.append(word)
        self._places_by_word.append(array("I"))
        if number >= self._sums.shape[1]:
            self._sums = np.hstack((self._sums, np.zeros_like(self._sums)))
            self._kinds = np.hstack((self._kinds, np.zeros_like(self._kinds)))
            self._latest = np.hstack((self._latest, np.zeros_like(self._latest)))
            self._by_part = np.hstack((self._by_part, np.zeros_like(self._by_part)))
        self._kinds[:, number] = word.isdigit(), len(word)
        return number

    def numbers(self, words: Iterable[str]) -> Numbers:
        """Return the numbers of words that are submitted together."""
        return tuple(sorted({self.number(word) for word in words}))

    def find(self, word: str) -> int | None:
        """Return the number of a word, if it has one."""
        return self._numbers.get(word)

    def has_record(self, key: int) -> bool:
        """Say whether a record was found."""
        return key in self._records

    def begin_answer(self) -> None:
        """Note that records from now on come from another query."""
        self._answer += 1

    def add(self, key: int, words: Iterable[str] = ()) -> bool:
        """Count a record that a query found; say whether it is new. Its words are only read if it is."""
        place = self._records.get(key)
        if place is not None:
            self._count_again(place)
            return False
        numbers = np.fromiter({self.number(word) for word in words}, np.uint32)
        numbers.sort()
        place = self._records[key] = len(self._words_by_record)
        self._keys.append(key)
        length = log(len(numbers) or 1)
        self._words_by_record.append(numbers)
        self._count_parts(numbers, words)
        if place >= len(self._times_found):
            self._times_found = np.hstack((self._times_found, np.zeros_like(self._times_found)))
            self._length = np.hstack((self._length, np.zeros_like(self._length)))
            self._shown_by = np.hstack((self._shown_by, np.zeros_like(self._shown_by)))
        self._times_found[place], self._length[place] = 1.0, length
        change = _FIRST_FOUND.copy()
        change[_LENGTH], change[_SQUARE] = length, length * length
        self._of_all += change
        self._sums[:, numbers] += change[:, None]
        self._count_answer(place, numbers)
        for word in numbers.tolist():
            self._places_by_word[word].append(place)
        return True

    def restore(self, key: int, words: Iterable[str], times: int) -> None:
        """Add a record that was found so often before."""
        if key in self._records:
            return
        self.add(key, words)
        place = self._records[key]
        for _ in range(min(times, _MOST_TIMES) - 1):
            self._count_again(place)

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
        """Return for each word whether it is a number, and how many letters it has."""
        return self._kinds[:, words]

    def sums_of(self, words: Places) -> WordSums:
        """Return the sums over the records that hold each of some words."""
        return WordSums(*self._sums[:, words])

    def sums_of_all(self) -> WordSums:
        """Return the sums over all records."""
        return WordSums(*self._of_all)

    def sums_over(self, places: Places) -> WordSums:
        """Return the sums over the records at some places."""
        times, length = self.times_found[places], self.length[places]
        counted = np.stack(
            (np.ones_like(times), times == 1, times == _FOUND_TWICE, length, length * length, np.log(times))
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
    def times_found(self) -> Floats:
        """Return by place how often a record was found."""
        return self._times_found[: len(self)]

    @property
    def length(self) -> Floats:
        """Return by place the logarithm of how many words a record holds."""
        return self._length[: len(self)]

    def words_at(self, place: int) -> Places:
        """Return the words of a record."""
        return self._words_by_record[place]

    def counts_at(self, places: Places, weights: Floats) -> tuple[Floats, Floats]:
        """Return by word how many of the records at some places hold it, and the sum of their weights."""
        if not len(places):
            return np.zeros(len(self.words)), np.zeros(len(self.words))
        word_lists = [self._words_by_record[place] for place in places.tolist()]
        words = np.concatenate(word_lists)
        each = np.repeat(weights[places], [len(words) for words in word_lists])
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
        return np.array(self._places_by_word[word], np.uint32)

    def place_of(self, key: int) -> int | None:
        """Return the place of a record, if it was found."""
        return self._records.get(key)

    def counts_by_part(self, words: Places) -> Floats:
        """Return by part how many records hold each of some words in it."""
        return self._by_part[: len(self.parts), words].astype(float)

    def part_at(self, place: int, word: int) -> str:
        """Return the part of a record in which it holds a word."""
        parts = self._part_of[place]
        return (
            TEXT if parts is None else self.parts[parts[np.searchsorted(self._words_by_record[place], word)]]
        )

    def _count_parts(self, numbers: Places, words: Iterable[str]) -> None:
        if not isinstance(words, HasParts):
            self._part_of.append(None)
            self._by_part[0, numbers] += 1
            return
        part_by_word = words.parts()
        part_numbers = [self._part(part_by_word.get(self.words[word], TEXT)) for word in numbers.tolist()]
        parts = np.array(part_numbers, np.uint8)
        self._part_of.append(parts)
        self._by_part[parts, numbers] += 1

    def _part(self, name: str) -> int:
        if name not in self.parts:
            if len(self.parts) == _MOST_PARTS:
                return 0
            self.parts.append(name)
        return self.parts.index(name)

    def _count_answer(self, place: int, numbers: Places) -> None:
        """Count the current answer for a new record and for its words, once for each."""
        self._of_all[_ANSWERS] += not place or self._shown_by[place - 1] != self._answer
        self._shown_by[place] = self._answer
        self._sums[_ANSWERS, numbers] += self._latest[numbers] != self._answer
        self._latest[numbers] = self._answer

    def _count_again(self, place: int) -> None:
        times = float(self._times_found[place])
        self._times_found[place] = times + 1
        change = np.zeros(7)
        change[_TIMES] = log((times + 1) / times)
        if times <= _FOUND_TWICE:
            change[_ONCE if times == 1 else _TWICE] = -1.0
            if times == 1:
                change[_TWICE] = 1.0
        self._of_all += change
        self._sums[:, self._words_by_record[place]] += change[:, None]
