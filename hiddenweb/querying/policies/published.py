"""Ways to choose the next question to a search box, behind one protocol.

A policy is told what was asked and what came of it, and says what to ask next. It knows words from the records that answers brought;
what to begin with it is not told here: whoever asks begins with words of the form's own page. The default is `BenefitPolicy`; the
others are what is published, and what it is measured against (`python -m benchmarks surface`):

- `FrequencyPolicy`: the word that most known records hold, stop words left out (dynamic indexing).
- `RandomPolicy`: any word that a known record holds.
- `WordListPolicy`: words of a list, in their order.
- `AdaptivePolicy`: the most new records for their cost, if hidden records hold a word as often as known ones (Ntoulas, Zerfos and
  Cho 2005, with their costs); it knows of no limit to what is shown.
- `TopKPolicy`: the same within what a site shows of an answer: a word that finds more than that brings only so much (SmartCrawl 2019).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Any

from hiddenweb.querying.answer_log import AnswerLog, is_plain
from hiddenweb.querying.query import QueryProposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from hiddenweb.querying.query import Choice, LedgerEntry

FOR_A_QUESTION, FOR_A_RESULT, FOR_A_RECORD = 100.0, 100.0, 10_000.0
"""What Ntoulas et al. count for asking, for a result on a page of an answer, and for reading a new record."""

_MORE = 500
"""Frequent words that are looked at besides those that were submitted; a limit of taste."""


class OneWordPolicy(AnswerLog):
    """What policies have in common that ask one word at a time and turn every page: a new one only has to say which is next."""

    def __init__(self, language: str = "") -> None:
        super().__init__(language)
        self._asked: set[str] = set()

    @abstractmethod
    def next(self) -> QueryProposal | None: ...

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False
    ) -> None:
        super().note_query(words, choices, goes_on=goes_on)
        if not choices:
            self._asked.update(words)

    def restore_small_state(self, state: dict[str, Any]) -> None:
        super().restore_small_state(state)
        if self._under_way is not None and not self._under_way.choices:
            self._asked.update(self._under_way.words)

    def restore_line(self, line: LedgerEntry) -> None:
        if not line.choices:
            self._asked.update(line.words)

    def proposals(self, *, plain: bool = True) -> Iterator[QueryProposal]:
        """Yield a proposal for each word of the known records that was not asked, the most frequent first; plain: as for `left`."""
        return (self._wanted(number, 0.0) for number in self.left(plain=plain))

    def left(self, *, plain: bool = True) -> Iterator[int]:
        """Yield the words that were not asked, the most frequent first; plain: without stop words, numbers and short words."""
        for number in self.seen.most_frequent(len(self._asked) + _MORE).tolist():
            word = self.seen.words[number]
            if (
                word not in self._asked
                and self.seen.count[number]
                and (not plain or is_plain(word, self.language))
            ):
                yield number

    def _wanted(self, number: int, expected: float) -> QueryProposal:
        word = self.seen.words[number]
        return QueryProposal((word,), expected, f"{self.seen.count[number]:,.0f} records hold {word!r}")


class FrequencyPolicy(OneWordPolicy):
    """Asks the word that most known records hold."""

    def next(self) -> QueryProposal | None:
        number = next(self.left(), None)
        return None if number is None else self._wanted(number, float(self.seen.count[number]))


class RandomPolicy(OneWordPolicy):
    """Asks any word that a known record holds."""

    def __init__(self, chance: Random, language: str = "") -> None:
        super().__init__(language)
        self._chance = chance

    def next(self) -> QueryProposal | None:
        for _ in range(_MORE):
            if not self.seen.words:
                return None
            number = self._chance.randrange(len(self.seen.words))
            if self.seen.words[number] not in self._asked and self.seen.count[number]:
                return self._wanted(number, float(self.seen.count[number]))
        number = next(self.left(plain=False), -1)
        return None if number < 0 else self._wanted(number, float(self.seen.count[number]))


class WordListPolicy(OneWordPolicy):
    """Asks the words of a list."""

    def __init__(self, words: Sequence[str], language: str = "") -> None:
        super().__init__(language)
        self._words = deque(words)

    def next(self) -> QueryProposal | None:
        while self._words and self._words[0] in self._asked:
            self._words.popleft()
        return (
            QueryProposal((self._words[0],), 0.0, "it is the next word of the list") if self._words else None
        )


class AdaptivePolicy(OneWordPolicy):
    """Asks the word with the most new records for their cost, if hidden records are like known ones."""

    def next(self) -> QueryProposal | None:
        best, best_rate, expected = -1, 0.0, 0.0
        odds = self.latest.odds
        for number in self.left(plain=False):
            found, new = self._guess(float(self.seen.count[number]), odds)
            cost = FOR_A_QUESTION + FOR_A_RESULT * found + FOR_A_RECORD * new
            if new / cost > best_rate:
                best, best_rate, expected = number, new / cost, new
        return None if best < 0 else self._wanted(best, expected)

    def _guess(self, met: float, odds: float) -> tuple[float, float]:
        """Return how many records hold a word, and how many of them are new, by the odds that a match is new."""
        found = met * (1 + odds)
        return found, found - met


class TopKPolicy(AdaptivePolicy):
    """Asks the word with the most new records among those that a site shows."""

    def next(self) -> QueryProposal | None:
        odds = self.latest.odds
        guesses = (
            (self._guess(float(self.seen.count[number]), odds)[1], number)
            for number in self.left(plain=False)
        )
        new, number = max(guesses, key=lambda guess: (guess[0], -guess[1]), default=(0.0, -1))
        return None if number < 0 else self._wanted(number, new)

    def _guess(self, met: float, odds: float) -> tuple[float, float]:
        found, new = super()._guess(met, odds)
        shown = found if self.reach.most is None else min(found, self.reach.most)
        return found, new * shown / found
