"""Answers with unread pages, and how many new records the next page of each may bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
    from hiddenweb.querying.query import OpenAnswer
    from hiddenweb.querying.vocabulary_index import Numbers

MOST_FRUITLESS_IF_LIMITED = 4
"""Pages in a row without new records after which an answer is left if answers have a limit: the best records come first there, and are known.
A limit of taste."""


class UnfinishedAnswers:
    """The answers of one form with unread pages."""

    def __init__(self, knowledge: WordKnowledge) -> None:
        self._knowledge = knowledge
        self._shown: dict[Numbers, int] = {}  # records that were read of each
        self._new_at_end: dict[Numbers, float] = {}  # new records for each of the last pages
        self._new_at_most: dict[
            Numbers, float
        ] = {}  # the same for a further page, if the last pages had none

    def shown(self, words: Numbers) -> int:
        """Return how many records of an answer were read."""
        return self._shown.get(words, 0)

    def discard(self, words: Numbers) -> None:
        """Forget an unfinished answer."""
        self._shown.pop(words, None)

    def note_end(self, words: Numbers, answer: OpenAnswer) -> None:
        """Note how many new records the last pages of an answer had."""
        self._new_at_end[words] = count_new_lately(answer)
        if self._knowledge.gains.has_limit and answer.barren >= MOST_FRUITLESS_IF_LIMITED:
            page_size = self._knowledge.reach.page_size
            self._new_at_most[words] = page_size * (answer.new + 0.5) / (answer.shown + 1)

    def update(self, words: Numbers, shown: int, *, had_more: bool) -> None:
        """Note whether an answer is unfinished."""
        self.discard(words)
        if had_more and shown:
            self._shown[words] = shown
        else:
            self._new_at_end.pop(words, None)
            self._new_at_most.pop(words, None)

    def list_rates(self) -> Iterator[tuple[Numbers, float]]:
        """Yield the words of unfinished answers, with the expected new records on the next page of each, if any."""
        for words, shown in self._shown.items():
            if rate := self._rate(words, shown):
                yield words, rate

    def rate_of_rest(self, words: Numbers, shown: int, total: float | None) -> float | None:
        """Return the expected new records on each further page of an answer, if the total is known."""
        if total is None or total <= shown:
            return None
        unread = total - shown
        new = max(total - len(self._knowledge.vocabulary.places(words)), 0)
        return self._knowledge.reach.page_size * new / unread

    def _rate(self, words: Numbers, shown: int) -> float | None:
        """Return the expected new records on the next page of an answer; without a total, as many as the last pages had.

        Hardly any if the last pages had none: lists show less than searches read, so known records may hold the words invisibly.
        """
        total = self._knowledge.submitted[words]
        if total is None:
            return self._new_at_end.get(words)
        rate = self.rate_of_rest(words, shown, total)
        return rate if rate is None else min(rate, self._new_at_most.get(words, rate))


def count_new_lately(answer: OpenAnswer) -> float:
    """Return how many new records each of the last pages of an answer had."""
    return sum(new for _, new in answer.latest) / max(len(answer.latest), 1)
