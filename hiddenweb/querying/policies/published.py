"""Published policies for a search box, behind one protocol.

A policy learns from submissions and their answers, and proposes the next query. It knows words from the records of answers;
the first words come from elsewhere, from the form's own page. The default is `BenefitPolicy`; these
are the published ones that it is measured against (`python -m benchmarks surface`):

- `FrequencyPolicy`: the word that most known records hold, stop words left out (dynamic indexing).
- `RandomPolicy`: any word that a known record holds.
- `WordListPolicy`: words of a list, in their order.
- `AdaptivePolicy`: the most new records for their cost, if hidden records hold a word as often as known ones (Ntoulas, Zerfos and
  Cho 2005, with their costs); it knows no limit of what is shown.
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

FOR_A_QUERY, FOR_A_RESULT, FOR_A_RECORD = 100.0, 100.0, 10_000.0
"""The costs of Ntoulas et al. for a query, for a result on a page of an answer, and for reading a new record."""

_MORE = 500
"""Frequent words to look at, in addition to the submitted ones; a limit of taste."""


class OneWordPolicy(AnswerLog):
    """What policies have in common that submit one word at a time and turn every page: a new one only has to choose the next word."""

    def __init__(self, language: str = "") -> None:
        super().__init__(language)
        self._submitted: set[str] = set()

    @abstractmethod
    def next(self) -> QueryProposal | None: ...

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        super().note_query(words, choices, continues=continues)
        if not choices:
            self._submitted.update(words)

    def restore_small_state(self, state: dict[str, Any]) -> None:
        super().restore_small_state(state)
        if self._under_way is not None and not self._under_way.choices:
            self._submitted.update(self._under_way.words)

    def restore_line(self, line: LedgerEntry) -> None:
        if not line.choices:
            self._submitted.update(line.words)

    def proposals(self, *, plain: bool = True) -> Iterator[QueryProposal]:
        """Yield a proposal for each word of the known records that was not submitted, the most frequent first; plain: as for `list_unsubmitted`."""
        return (self._propose(number, 0.0) for number in self.list_unsubmitted(plain=plain))

    def list_unsubmitted(self, *, plain: bool = True) -> Iterator[int]:
        """Yield the words that were not submitted, the most frequent first; plain: without stop words, numbers and short words."""
        for number in self.vocabulary.most_frequent(len(self._submitted) + _MORE).tolist():
            word = self.vocabulary.words[number]
            if (
                word not in self._submitted
                and self.vocabulary.count[number]
                and (not plain or is_plain(word, self.language))
            ):
                yield number

    def _propose(self, number: int, expected: float) -> QueryProposal:
        word = self.vocabulary.words[number]
        return QueryProposal((word,), expected, f"{self.vocabulary.count[number]:,.0f} records hold {word!r}")


class FrequencyPolicy(OneWordPolicy):
    """Submits the word that most known records hold."""

    def next(self) -> QueryProposal | None:
        number = next(self.list_unsubmitted(), None)
        return None if number is None else self._propose(number, float(self.vocabulary.count[number]))


class RandomPolicy(OneWordPolicy):
    """Submits any word that a known record holds."""

    def __init__(self, chance: Random, language: str = "") -> None:
        super().__init__(language)
        self._chance = chance

    def next(self) -> QueryProposal | None:
        for _ in range(_MORE):
            if not self.vocabulary.words:
                return None
            number = self._chance.randrange(len(self.vocabulary.words))
            if self.vocabulary.words[number] not in self._submitted and self.vocabulary.count[number]:
                return self._propose(number, float(self.vocabulary.count[number]))
        number = next(self.list_unsubmitted(plain=False), -1)
        return None if number < 0 else self._propose(number, float(self.vocabulary.count[number]))


class WordListPolicy(OneWordPolicy):
    """Submits the words of a list."""

    def __init__(self, words: Sequence[str], language: str = "") -> None:
        super().__init__(language)
        self._words = deque(words)

    def next(self) -> QueryProposal | None:
        while self._words and self._words[0] in self._submitted:
            self._words.popleft()
        return (
            QueryProposal((self._words[0],), 0.0, "it is the next word of the list") if self._words else None
        )


class AdaptivePolicy(OneWordPolicy):
    """Submits the word with the most new records for their cost, if hidden records are like known ones."""

    def next(self) -> QueryProposal | None:
        best, best_rate, expected = -1, 0.0, 0.0
        odds = self.latest.odds
        for number in self.list_unsubmitted(plain=False):
            found, new = self._guess(float(self.vocabulary.count[number]), odds)
            cost = FOR_A_QUERY + FOR_A_RESULT * found + FOR_A_RECORD * new
            if new / cost > best_rate:
                best, best_rate, expected = number, new / cost, new
        return None if best < 0 else self._propose(best, expected)

    def _guess(self, known: float, odds: float) -> tuple[float, float]:
        """Return how many records hold a word, and how many of them are new, by the odds that a match is new."""
        found = known * (1 + odds)
        return found, found - known


class TopKPolicy(AdaptivePolicy):
    """Submits the word with the most new records among those that a site shows."""

    def next(self) -> QueryProposal | None:
        odds = self.latest.odds
        guesses = (
            (self._guess(float(self.vocabulary.count[number]), odds)[1], number)
            for number in self.list_unsubmitted(plain=False)
        )
        new, number = max(guesses, key=lambda guess: (guess[0], -guess[1]), default=(0.0, -1))
        return None if number < 0 else self._propose(number, new)

    def _guess(self, known: float, odds: float) -> tuple[float, float]:
        found, new = super()._guess(known, odds)
        shown = found if self.reach.most is None else min(found, self.reach.most)
        return found, new * shown / found
