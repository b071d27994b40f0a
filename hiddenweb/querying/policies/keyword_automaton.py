"""Choosing the keywords of one form by a learning automaton (`hiddenweb.learning.automaton`, with the equations).

The paper (Kumar and Bhatia, HWDLA, 2018) has a network of automata, one for each page that offers actions. A form is one page: its automaton chooses
between the words of the records that were met.

A warning that follows from the formulas. An action that is taken once and then removed teaches nothing by its reward: (5) makes the
others smaller by the same factor, and removing it makes them as large as before, exactly. A penalty moves the others a little towards
equality, no more. Queries to a form are such actions, and so the plain policy submits frequent words at random. The way out, not
in the paper, is to name heirs: what a rewarded query had then goes to the words of the records that it found.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from hiddenweb.language.shortening import shorten
from hiddenweb.learning.automaton import PENALTY, Automaton, UnknownAction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

MOST_WORDS = 300
"""Words between which a form's automaton chooses: a limit of taste."""

LEAST_NEW = 0.2
"""The share of an answer's records that must be new for a reward; where Madhavan et al. (2008) stop to call a template informative."""

_LONGEST_WORD = 100
"""Characters of a word; a limit of taste."""

_ROOM = 10
"""The factor by which more words are counted than are chosen between; a limit of taste."""


class KeywordAutomaton:
    """Chooses the keywords of one search form by an automaton whose actions are the words of records that were seen.

    It chooses between the most frequent words that were not asked, frequent by the number of records that hold them. What counts as a
    word, and in what case it is written, is the caller's decision. An answer rewards its word if at least a share `least_new` of the
    records were new. Every word is asked once.
    """

    def __init__(
        self,
        chance: Random,
        *,
        penalty: float = PENALTY,
        least_new: float = LEAST_NEW,
        most_words: int = MOST_WORDS,
    ) -> None:
        if not 0.0 <= least_new <= 1.0:
            raise ValueError(f"a reward for {least_new} new records of one, wanted a share from 0 to 1")
        if most_words < 1:
            raise ValueError(f"a choice between {most_words} words, wanted at least 1")
        self.rewards = 0
        self.penalties = 0
        self._chance = chance
        self._least_new = least_new
        self._most_words = most_words
        self._automaton = Automaton(penalty=penalty)
        self._records: Counter[str] = Counter()  # that hold a word; none for words that were asked
        self._asked: dict[str, None] = {}
        self._waiting: dict[str, None] = {}  # for their answers

    def add(self, words: Iterable[str]) -> None:
        """Take note of the words of one record, or of one passage of the form's page."""
        self._records.update(
            word
            for word in dict.fromkeys(words)
            if 0 < len(word) <= _LONGEST_WORD and word not in self._asked
        )
        if len(self._records) > 2 * _ROOM * self._most_words:
            self._records = Counter(
                {word: self._records[word] for word in self._ranked(_ROOM * self._most_words)}
            )

    def next(self) -> str | None:
        """Return a word by its probability, which counts as asked from now on; None when there is none left."""
        word = self.choose()
        if word is not None:
            self.note_query(word)
        return word

    def choose(self) -> str | None:
        """Return a word by its probability, which does not count as asked yet; None when there is none left."""
        self._choose_between_the_most_frequent()
        return self._automaton.choose(self._chance, excluded=self._waiting)

    def count_records(self, word: str) -> int:
        """Return how many records hold a word, of those that were met; none if it was asked."""
        return self._records[word]

    def is_waiting(self, word: str) -> bool:
        """Say whether a word was asked and not answered."""
        return word in self._waiting

    def note_query(self, word: str) -> None:
        """Take note that a word is asked, which may have been chosen elsewhere."""
        self._automaton.add([word])
        del self._records[word]
        self._asked[word] = self._waiting[word] = None

    def learn_answer(self, word: str, new: int, seen: int, *, heirs: Iterable[str] = ()) -> bool:
        """Learn from an answer with so many new records, and so many seen before; say whether it was a reward.

        No answer at all is one without records. Heirs are words of the new records: what a rewarded word had goes to them.
        """
        if min(new, seen) < 0:
            raise ValueError(f"{shorten(word, 100)!r} found {new} new records and {seen} seen ones")
        if word not in self._waiting:
            raise UnknownAction(f"{shorten(word, 100)!r} was not submitted, or was answered already")
        del self._waiting[word]
        is_good = new > 0 and new / (new + seen) >= self._least_new
        if is_good:
            self._choose_between_the_most_frequent(keeping=word)
            self._automaton.reward(word)
            self._automaton.remove(word, (heir for heir in heirs if heir not in self._waiting))
        else:
            self._automaton.penalise(word)
            self._automaton.remove(word)
        self.rewards += is_good
        self.penalties += not is_good
        return is_good

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the words asked so far, in their order."""
        return tuple(self._asked)

    def probabilities(self) -> dict[str, float]:
        """Return the words of the last choice with their probabilities, those that wait for an answer among them."""
        return dict(self._automaton.rows())

    def note_past_query(self, word: str) -> None:
        """Take note that a word was asked and answered, in another process."""
        self._asked[word] = None

    def to_rows(self) -> list[Any]:
        """Return the probabilities and what they were learnt from, of limited size; words of records and what was asked the caller knows."""
        return [self._automaton.rows(), self.rewards, self.penalties, list(self._waiting)]

    def restore(self, learnt: Sequence[Any]) -> None:
        """Go on with what was learnt; the words of records are added again."""
        actions, self.rewards, self.penalties, waiting = learnt
        self._automaton = Automaton.from_rows(actions, penalty=self._automaton.penalty)
        if not set(waiting) <= set(self._automaton):
            raise ValueError("automata with a word that waits for its answer and is no action")
        self._waiting = dict.fromkeys(waiting)
        self._asked.update(self._waiting)

    def _choose_between_the_most_frequent(self, keeping: str | None = None) -> None:
        """Let go of words that others overtook, and take those in."""
        frequent = self._ranked(self._most_words)
        kept = {*frequent, *self._waiting, *([keeping] if keeping is not None else ())}
        if not kept.issuperset(self._automaton):
            self._automaton.retain(kept)
        self._automaton.add(frequent)

    def _ranked(self, count: int) -> list[str]:
        """Return the words that most records hold, the most frequent first; of equals by letters."""
        return nsmallest(count, self._records, key=lambda word: (-self._records[word], word))
