"""Known records that come before the others in an answer.

A site that orders all answers in the same way shows first, with one option more, the records that the query without it showed. If that is
not so, pages were turned in vain, and known records are no longer expected in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.querying.option_counts import Choices, OptionCounts
    from hiddenweb.querying.policies.options.submitted_queries import Query
    from hiddenweb.querying.policies.options.word_answers import WordAnswers

_MOST_IN_VAIN = 2
"""How many more answers without new records behind known ones than with some, after which none are expected; a limit of taste."""


class KnownFront:
    """Estimates how many records at the front of an answer are known."""

    def __init__(self, counts: OptionCounts, word_answers: WordAnswers) -> None:
        self._counts, self._word_answers = counts, word_answers
        self._shown: dict[Query, int] = {}  # records, of cut answers
        self._in_vain = self._not_in_vain = 0  # answers that were turned to get behind known records

    def note_cut(self, words: tuple[str, ...], choices: Choices, shown: int) -> None:
        """Note how many records a cut answer showed."""
        self._shown[words, choices] = shown

    def learn(self, *, brought_new: bool) -> None:
        """Note whether there were new records behind known ones."""
        self._not_in_vain += brought_new
        self._in_vain += not brought_new

    def shown(self, words: tuple[str, ...], choices: Choices) -> int:
        """Return how many records of a cut answer were shown."""
        return self._shown.get((words, choices), 0)

    def count(self, words: tuple[str, ...], choices: Choices, found: float | None = None) -> float:
        """Return how many records at the front of an answer were already shown by the same query with one option less."""
        if self._in_vain - self._not_in_vain >= _MOST_IN_VAIN:
            return 0.0
        most = 0.0
        for choice in sorted(choices):
            wider = choices - {choice}
            shown = self.shown(words, wider)
            if not shown:
                continue
            share = self._counts.share(choice)
            if found is not None:
                cut = self._word_answers.get(words, wider)
                whole = cut.total if cut is not None else self._counts.found(wider)
                share = min(found / whole, 1.0) if whole else share
            most = max(most, shown * share)
        return most

    def to_json(self) -> list[int]:
        """Return the state to save; the answers themselves follow from the ledger."""
        return [self._in_vain, self._not_in_vain]

    def restore(self, saved: Sequence[int]) -> None:
        """Restore the saved state."""
        self._in_vain, self._not_in_vain = saved
