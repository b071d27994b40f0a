"""The queries that promise the most new records for their cost: words, groups of words, and unfinished answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hiddenweb.querying.policies.benefit.word_knowledge import NO_ADVISER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hiddenweb.querying.policies.benefit.unfinished_answers import UnfinishedAnswers
    from hiddenweb.querying.policies.benefit.word_gains import WordGains
    from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
    from hiddenweb.querying.policies.expected_gain import ExpectedGain
    from hiddenweb.querying.vocabulary_index import Numbers, Places

_MOST_FREQUENT = 30_000
"""The most words that are compared, the most frequent ones; a limit of taste, it bounds the work on large sites."""

_MOST_READ = 600
"""The most of these whose records are read, by a first guess; a limit of taste, reading is slow."""

_PROMISING = 200
"""The most of these that are remembered until all are compared again; a limit of taste."""

_MOST_BETWEEN = 10
"""Queries between two comparisons of all words, at most; a limit of taste, one answer changes few promises."""

_QUERIES_PER_WAIT = 20
"""After so many submitted queries the interval between two comparisons grows by one: with many answers each changes less; a limit of taste."""

_GROUPS = 40
"""The most groups of words that are remembered until all are compared again; a limit of taste."""


class QueryCandidate(NamedTuple):
    """A query that could be submitted."""

    rate: float  # new records for its cost
    words: Numbers
    expected: ExpectedGain | None
    new: float
    continues: bool = False


class CandidateFinder:
    """Finds the best queries; all words are compared now and then, the most promising ones every time."""

    def __init__(
        self, knowledge: WordKnowledge, gains: WordGains, unfinished: UnfinishedAnswers, most_words: int
    ) -> None:
        self._knowledge, self._gains, self._unfinished = knowledge, gains, unfinished
        self._most_words = most_words
        self._promising: Places = np.zeros(0, np.uint32)
        self.groups: list[Numbers] = []
        self._wait = 0  # queries until all words are compared again

    def find(self) -> list[QueryCandidate]:
        """Return a few candidates, among them the two best."""
        self._wait -= 1
        candidates = self._list_candidates() if self._wait >= 0 else []
        if not candidates:
            self.refresh()
            candidates = self._list_candidates()
        return sorted(candidates, key=order_of_worth(candidates, has_limit=self._knowledge.gains.has_limit))

    def refresh(self) -> None:
        """Compare all words again, and choose the cut answers to refine."""
        knowledge = self._knowledge
        self._wait = min(_MOST_BETWEEN, 1 + len(knowledge.submitted) // _QUERIES_PER_WAIT)
        self._promising = self._find_promising()
        self.groups = []
        if self._most_words > 1 and not knowledge.behaviour.finds_any:
            most = knowledge.reach.refused or knowledge.reach.most or len(knowledge.vocabulary)
            self.groups = knowledge.refinements.best(
                _GROUPS,
                knowledge.submitted,
                knowledge.gains.odds,
                most,
                knowledge.can_refine,
                refuses=knowledge.reach.refused is not None,
                worth=knowledge.worth,
            )

    def _list_candidates(self) -> list[QueryCandidate]:
        return [*self._find_words(), *self._find_groups(), *self._find_unfinished()]

    def _find_promising(self) -> Places:
        knowledge = self._knowledge
        frequent = knowledge.vocabulary.most_frequent(_MOST_FREQUENT)
        words = frequent[(knowledge.vocabulary.count[frequent] > 0) & ~self._are_submitted()[frequent]]
        words = self._gains.best_of(2 * _MOST_READ, words, np.full(len(words), knowledge.gains.odds))
        words = np.array([word for word in words.tolist() if knowledge.can_find((word,))], np.uint32)[
            :_MOST_READ
        ]
        hidden = [knowledge.gains.hidden_at(knowledge.vocabulary.places((word,))) for word in words.tolist()]
        return self._gains.best_of(_PROMISING, words, np.array(hidden))

    def _are_submitted(self) -> NDArray[np.bool_]:
        """Return for each word whether it was submitted alone."""
        submitted = np.zeros(len(self._knowledge.vocabulary.words), np.bool_)
        submitted[[words[0] for words in self._knowledge.submitted if len(words) == 1]] = True
        return submitted

    def _find_words(self) -> list[QueryCandidate]:
        knowledge = self._knowledge
        words = [
            (word,)
            for word in self._promising.tolist()
            if (word,) not in knowledge.submitted
            and not knowledge.word_forms.are_found((knowledge.vocabulary.words[word],))
        ]
        return self._find_best(words)

    def _find_groups(self) -> list[QueryCandidate]:
        knowledge = self._knowledge
        if knowledge.behaviour.finds_any:
            return []
        return self._find_best(
            [
                words
                for words in self.groups
                if words not in knowledge.submitted and knowledge.can_refine(words)
            ]
        )

    def _find_best(self, words: Sequence[Numbers]) -> list[QueryCandidate]:
        """Return the two best of some queries of as many words each: one to submit, and one to compare it with."""
        expected = self._gains.expect(words)
        if expected is None:
            return []
        findable = expected.findable
        rates = self._gains.rates(expected) * findable
        if self._knowledge.adviser is not NO_ADVISER:
            rates = rates * np.array([self._knowledge.worth(each) for each in words])
        return [
            QueryCandidate(
                float(rates[at]), words[at], expected.of(at), float(expected.new[at] * findable[at])
            )
            for at in np.argsort(-rates, kind="stable")[:2].tolist()
            if rates[at] > 0
        ]

    def _find_unfinished(self) -> list[QueryCandidate]:
        size = self._knowledge.reach.page_size
        return [
            QueryCandidate(rate, words, None, min(rate, size), continues=True)
            for words, rate in self._unfinished.list_rates()
        ]


def order_of_worth(
    candidates: Sequence[QueryCandidate], *, has_limit: bool
) -> Callable[[QueryCandidate], tuple[bool, float]]:
    """Return the key that sorts candidates, best first: by what they bring for their cost.

    A page of an unfinished answer costs so little that it may be the best although it promises hardly a record. If answers have a limit, they are left because
    their pages had nothing new. Such a page waits while a query promises a record: a fruitless page would look like the end of the records.
    """
    has_more = has_limit and any(not candidate.continues and candidate.new >= 1 for candidate in candidates)
    return lambda candidate: (has_more and candidate.continues and candidate.new < 1, -candidate.rate)
