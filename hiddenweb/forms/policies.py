"""Ways to choose the next question to a search box, behind one protocol.

A policy is told what was asked and what came of it, and says what to ask next. It knows words from the records that answers brought;
what to begin with it is not told here: whoever asks begins with words of the form's own page. The default is `Benefit`; the
others are what is published, and what it is measured against (`python -m benchmarks surface`):

- `Frequency`: the word that most known records hold, stop words left out (dynamic indexing).
- `AtRandom`: any word that a known record holds.
- `Listed`: words of a list, in their order.
- `Adaptive`: the most new records for their cost, if hidden records hold a word as often as known ones (Ntoulas, Zerfos and
  Cho 2005, with their costs); it knows of no limit to what is shown.
- `TopK`: the same within what a site shows of an answer: a word that finds more than that brings only so much (SmartCrawl 2019).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Protocol

from hiddenweb.forms.benefit import Wanted
from hiddenweb.forms.search_habits import Latest, Reach
from hiddenweb.forms.seen_words import SeenWords
from hiddenweb.text import UNSPACED, stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from hiddenweb.forms.benefit import Read

FOR_A_QUESTION, FOR_A_RESULT, FOR_A_RECORD = 100.0, 100.0, 10_000.0
"""What Ntoulas et al. count for asking, for a result on a page of an answer, and for reading a new record."""

_SHORTEST = 3  # letters of a word: many sites refuse less
_MORE = 500  # words that are looked at besides those that were asked


class Policy(Protocol):
    """Chooses questions."""

    def next(self) -> Wanted | None:
        """Return the best question, or None when there is none left."""

    def asks(self, words: Iterable[str]) -> None:
        """Take note that something is asked that was not chosen here."""

    def worth_turning(self, pages: Sequence[tuple[int, int]]) -> bool:
        """Say whether the next page of an answer is worth a request, after pages with so many records, so many of them new."""

    def answered(self, words: Sequence[str], read: Read) -> int:
        """Learn from an answer, and return how many of its records were new."""


class _OneWord(ABC):
    """What policies have in common that ask one word at a time and turn every page."""

    def __init__(self, language: str = "") -> None:
        self.seen = SeenWords()
        self.reach = Reach()
        self.language = language
        self._asked: set[str] = set()
        self._latest = Latest()

    def next(self) -> Wanted | None:
        chosen = self.choose()
        if chosen is None:
            return None
        self._asked.add(chosen.words[0])
        return chosen

    @abstractmethod
    def choose(self) -> Wanted | None:
        """Return the best word that was not asked."""

    def asks(self, words: Iterable[str]) -> None:
        self._asked.update(words)

    def worth_turning(self, pages: Sequence[tuple[int, int]]) -> bool:  # noqa: ARG002
        return True

    def answered(self, words: Sequence[str], read: Read) -> int:
        self._asked.update(words)
        new = sum(self.seen.meet(key, held) for key, held in read.records)
        self.reach.is_cut(len(read.records), read.total, had_more=read.had_more)
        self._latest.add(len(read.records), new)
        return new

    def left(self, *, plain: bool = True) -> Iterator[int]:
        """Yield the words that were not asked, the most frequent first; plain: without stop words, numbers and short words."""
        for number in self.seen.most_frequent(len(self._asked) + _MORE):
            word = self.seen.words[number]
            if word not in self._asked and self.seen.count[number] and (not plain or self._is_plain(word)):
                yield number

    def _is_plain(self, word: str) -> bool:
        if word in stop_words(self.language) or word.isdigit():
            return False
        return len(word) >= _SHORTEST or self.language in UNSPACED

    def _wanted(self, number: int, expected: float) -> Wanted:
        word = self.seen.words[number]
        return Wanted((word,), expected, f"{self.seen.count[number]:,} records hold {word!r}")


class Frequency(_OneWord):
    """Asks the word that most known records hold."""

    def choose(self) -> Wanted | None:
        number = next(self.left(), None)
        return None if number is None else self._wanted(number, float(self.seen.count[number]))


class AtRandom(_OneWord):
    """Asks any word that a known record holds."""

    def __init__(self, chance: Random, language: str = "") -> None:
        super().__init__(language)
        self._chance = chance

    def choose(self) -> Wanted | None:
        for _ in range(_MORE):
            if not self.seen.words:
                return None
            number = self._chance.randrange(len(self.seen.words))
            if self.seen.words[number] not in self._asked and self.seen.count[number]:
                return self._wanted(number, float(self.seen.count[number]))
        number = next(self.left(plain=False), -1)
        return None if number < 0 else self._wanted(number, float(self.seen.count[number]))


class Listed(_OneWord):
    """Asks the words of a list."""

    def __init__(self, words: Sequence[str], language: str = "") -> None:
        super().__init__(language)
        self._words = deque(words)

    def choose(self) -> Wanted | None:
        while self._words:
            word = self._words.popleft()
            if word not in self._asked:
                return Wanted((word,), 0.0, "it is the next word of the list")
        return None


class Adaptive(_OneWord):
    """Asks the word with the most new records for their cost, if hidden records are like known ones."""

    def choose(self) -> Wanted | None:
        best, best_rate, expected = -1, 0.0, 0.0
        for number in self.left(plain=False):
            found, new = self._guess(self.seen.count[number])
            cost = FOR_A_QUESTION + FOR_A_RESULT * found + FOR_A_RECORD * new
            if new / cost > best_rate:
                best, best_rate, expected = number, new / cost, new
        return None if best < 0 else self._wanted(best, expected)

    def _guess(self, met: int) -> tuple[float, float]:
        """Return how many records hold a word, and how many of them are new."""
        found = met * (1 + self._latest.odds)
        return found, found - met


class TopK(Adaptive):
    """Asks the word with the most new records among those that a site shows."""

    def choose(self) -> Wanted | None:
        guesses = ((self._guess(self.seen.count[number])[1], number) for number in self.left(plain=False))
        new, number = max(guesses, key=lambda guess: (guess[0], -guess[1]), default=(0.0, -1))
        return None if number < 0 else self._wanted(number, new)

    def _guess(self, met: int) -> tuple[float, float]:
        found, new = super()._guess(met)
        shown = found if self.reach.most is None else min(found, self.reach.most)
        return found, new * shown / found
