"""Answers that were left though they have more pages, and how many new records the next page of each may bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
    from hiddenweb.querying.query import OpenAnswer
    from hiddenweb.querying.vocabulary_index import Numbers

MOST_BARREN_IF_LIMITED = 4
"""Pages in a row without anything new, after which an answer is left where answers have a limit: what is best stands first there, and is known.
A limit of taste."""


class UnfinishedAnswers:
    """The answers of one form that were left."""

    def __init__(self, knowledge: WordKnowledge) -> None:
        self._knowledge = knowledge
        self._shown: dict[Numbers, int] = {}  # records that were read of answers that have more
        self._new_at_end: dict[Numbers, float] = {}  # new records on the last pages that were read of them
        self._new_at_most: dict[Numbers, float] = {}  # on a further page of those whose last pages had none

    def shown(self, words: Numbers) -> int:
        """Return how many records of an answer were read before it was left."""
        return self._shown.get(words, 0)

    def discard(self, words: Numbers) -> None:
        """Forget that an answer was left."""
        self._shown.pop(words, None)

    def note_end(self, words: Numbers, answer: OpenAnswer) -> None:
        """Take note of what the last pages of an answer brought."""
        self._new_at_end[words] = count_new_lately(answer)
        if self._knowledge.gains.has_limit and answer.barren >= MOST_BARREN_IF_LIMITED:
            page_size = self._knowledge.reach.page_size
            self._new_at_most[words] = page_size * (answer.new + 0.5) / (answer.shown + 1)

    def update(self, words: Numbers, shown: int, *, had_more: bool) -> None:
        """Take note of whether an answer was left."""
        self.discard(words)
        if had_more and shown:
            self._shown[words] = shown
        else:
            self._new_at_end.pop(words, None)
            self._new_at_most.pop(words, None)

    def list_rates(self) -> Iterator[tuple[Numbers, float]]:
        """Yield the words of unfinished answers, and how many new records the next page of each has, if it has any."""
        for words, shown in self._shown.items():
            if rate := self._rate(words, shown):
                yield words, rate

    def rate_of_rest(self, words: Numbers, shown: int, total: float | None) -> float | None:
        """Return how many new records each further page of an answer has, if that can be told."""
        if total is None or total <= shown:
            return None
        rest = total - shown
        new = max(total - len(self._knowledge.seen.places(words)), 0)
        return self._knowledge.reach.page_size * new / rest

    def _rate(self, words: Numbers, shown: int) -> float | None:
        """Return how many new records the next page of an answer has: if nobody says how many are left, as many as the last ones had.

        Hardly any where the last pages had none: lists show less than searches read, and many a known record holds the words unseen.
        """
        total = self._knowledge.submitted[words]
        if total is None:
            return self._new_at_end.get(words)
        rate = self.rate_of_rest(words, shown, total)
        return rate if rate is None else min(rate, self._new_at_most.get(words, rate))


def count_new_lately(answer: OpenAnswer) -> float:
    """Return how many new records each of the last pages of an answer had."""
    return sum(new for _, new in answer.latest) / max(len(answer.latest), 1)
