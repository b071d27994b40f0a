"""Choosing the keywords of one form by a learning automaton (`hiddenweb.learning.automaton`, with the equations).

The paper (Kumar and Bhatia, HWDLA, 2018) has a network of automata, one for each page that offers actions. A form is one page: its automaton chooses
between the words of the known records.

A warning that follows from the formulas. An action that is chosen once and then removed teaches nothing by its reward: (5) makes the
others smaller by the same factor, and removing it makes them exactly as large as before. A penalty only moves the others a little towards
equality. Queries to a form are such actions, so the plain policy submits frequent words at random. Our solution, not
in the paper, is heirs: the probability of a rewarded query goes to the words of the records that it found.
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
"""The most words between which a form's automaton chooses: a limit of taste."""

LEAST_NEW = 0.2
"""The share of an answer's records that must be new for a reward; the limit from which Madhavan et al. (2008) call a template informative."""

_LONGEST_WORD = 100
"""The most characters of a word; a limit of taste."""

_COUNTED_RATIO = 10
"""How many times more words are counted than are actions; a limit of taste."""


class KeywordAutomaton:
    """Chooses the keywords of one search form by an automaton whose actions are the words of known records.

    It chooses between the most frequent words that were not submitted, frequent by the number of records that hold them. What counts as a
    word, and its spelling, is the caller's decision. An answer rewards its word if at least a share `least_new` of the
    records were new. Every word is submitted once.
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
        self._records: Counter[str] = Counter()  # that hold a word; not for submitted words
        self._submitted: dict[str, None] = {}
        self._waiting: dict[str, None] = {}  # submitted words without an answer

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one record, or of one passage of the form's page."""
        self._records.update(
            word
            for word in dict.fromkeys(words)
            if 0 < len(word) <= _LONGEST_WORD and word not in self._submitted
        )
        if len(self._records) > 2 * _COUNTED_RATIO * self._most_words:
            self._records = Counter(
                {word: self._records[word] for word in self._ranked(_COUNTED_RATIO * self._most_words)}
            )

    def next(self) -> str | None:
        """Return a word by its probability, which counts as submitted from now on; None if there is none left."""
        word = self.choose()
        if word is not None:
            self.note_query(word)
        return word

    def choose(self) -> str | None:
        """Return a word by its probability, which does not count as submitted yet; None if there is none left."""
        self._update_actions()
        return self._automaton.choose(self._chance, excluded=self._waiting)

    def count_records(self, word: str) -> int:
        """Return how many known records hold a word; 0 if it was submitted."""
        return self._records[word]

    def is_waiting(self, word: str) -> bool:
        """Say whether a word was submitted and not answered."""
        return word in self._waiting

    def note_query(self, word: str) -> None:
        """Note that a word is submitted, whoever chose it."""
        self._automaton.add([word])
        del self._records[word]
        self._submitted[word] = self._waiting[word] = None

    def learn_answer(self, word: str, new: int, known: int, *, heirs: Iterable[str] = ()) -> bool:
        """Learn from an answer with so many new and known records; say whether it was a reward.

        A missing answer counts as one without records. Heirs are words of the new records: they inherit the probability of a rewarded word.
        """
        if min(new, known) < 0:
            raise ValueError(f"{shorten(word, 100)!r} found {new} new records and {known} known ones")
        if word not in self._waiting:
            raise UnknownAction(f"{shorten(word, 100)!r} was not submitted, or was answered already")
        del self._waiting[word]
        is_good = new > 0 and new / (new + known) >= self._least_new
        if is_good:
            self._update_actions(keeping=word)
            self._automaton.reward(word)
            self._automaton.remove(word, (heir for heir in heirs if heir not in self._waiting))
        else:
            self._automaton.penalise(word)
            self._automaton.remove(word)
        self.rewards += is_good
        self.penalties += not is_good
        return is_good

    @property
    def submitted(self) -> tuple[str, ...]:
        """Return the words submitted so far, in order."""
        return tuple(self._submitted)

    def probabilities(self) -> dict[str, float]:
        """Return the words of the last choice with their probabilities, including those that wait for an answer."""
        return dict(self._automaton.rows())

    def note_past_query(self, word: str) -> None:
        """Note that a word was submitted and answered in another process."""
        self._submitted[word] = None

    def to_rows(self) -> list[Any]:
        """Return the state to save, of limited size; the caller knows the words of records and the submissions."""
        return [self._automaton.rows(), self.rewards, self.penalties, list(self._waiting)]

    def restore(self, saved: Sequence[Any]) -> None:
        """Restore the saved state; the words of records are added again."""
        actions, self.rewards, self.penalties, waiting = saved
        self._automaton = Automaton.from_rows(actions, penalty=self._automaton.penalty)
        if not set(waiting) <= set(self._automaton):
            raise ValueError("automata with a word that waits for its answer and is no action")
        self._waiting = dict.fromkeys(waiting)
        self._submitted.update(self._waiting)

    def _update_actions(self, keeping: str | None = None) -> None:
        """Replace actions by words that are more frequent by now."""
        frequent = self._ranked(self._most_words)
        actions = {*frequent, *self._waiting, *([keeping] if keeping is not None else ())}
        if not actions.issuperset(self._automaton):
            self._automaton.retain(actions)
        self._automaton.add(frequent)

    def _ranked(self, count: int) -> list[str]:
        """Return the words that most records hold, the most frequent first; equals in alphabetical order."""
        return nsmallest(count, self._records, key=lambda word: (-self._records[word], word))
