"""Known records that stand in front of the others in an answer.

A site that orders all answers in the same way shows first, with one option more, what the query without it showed. Where that is
not so, pages were turned in vain, and nothing is expected in front any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.querying.option_counts import Choices, OptionCounts
    from hiddenweb.querying.policies.options.submitted_queries import Question
    from hiddenweb.querying.policies.options.word_answers import WordAnswers

_MOST_IN_VAIN = 2
"""Answers with nothing new behind known records, more than others, after which none are expected; a limit of taste."""


class KnownFront:
    """How many records in front of an answer are known."""

    def __init__(self, counts: OptionCounts, word_answers: WordAnswers) -> None:
        self._counts, self._word_answers = counts, word_answers
        self._shown: dict[Question, int] = {}  # of answers that were cut
        self._in_vain = self._not_in_vain = 0  # answers turned for what stands behind known records

    def note_cut(self, words: tuple[str, ...], choices: Choices, shown: int) -> None:
        """Take note of how many records of an answer were shown that was cut."""
        self._shown[words, choices] = shown

    def learn(self, *, brought_new: bool) -> None:
        """Take note of whether anything new stood behind known records."""
        self._not_in_vain += brought_new
        self._in_vain += not brought_new

    def shown(self, words: tuple[str, ...], choices: Choices) -> int:
        """Return how many records of a cut answer were shown."""
        return self._shown.get((words, choices), 0)

    def count(self, words: tuple[str, ...], choices: Choices, found: float | None = None) -> float:
        """Return how many records of an answer were shown by the same query with one option less, and stand in front of the others."""
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
        """Return what was counted; the answers themselves follow from the ledger."""
        return [self._in_vain, self._not_in_vain]

    def restore(self, written: Sequence[int]) -> None:
        """Resume from what was written down."""
        self._in_vain, self._not_in_vain = written
