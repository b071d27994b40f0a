"""What words are expected to bring, and how many new records that is for a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenweb.querying.policies.expected_gain import WordFacts
from hiddenweb.querying.vocabulary_index import WordSums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
    from hiddenweb.querying.policies.expected_gain import ExpectedGain
    from hiddenweb.querying.vocabulary_index import Floats, Numbers, Places


class WordGains:
    """Estimates the new records of words, and their cost."""

    def __init__(self, knowledge: WordKnowledge, query_cost: float) -> None:
        self._knowledge, self._query_cost = knowledge, query_cost

    def expect(self, words: Sequence[Numbers]) -> ExpectedGain | None:
        """Return what is expected of queries of as many words each; None if no known record holds the words of one."""
        vocabulary, gains = self._knowledge.vocabulary, self._knowledge.gains
        places = [vocabulary.places(each) for each in words]
        if not places or not all(map(len, places)):
            return None
        hidden = np.array([gains.hidden_at(each) for each in places])
        if len(words[0]) == 1:
            facts = self._facts_of_words(np.array([word for (word,) in words], np.uint32))
        else:
            facts = self._facts_of_groups(words, places)
        return gains.expect(facts, hidden)

    def rates(self, expected: ExpectedGain) -> Any:
        """Return new records for a page, including the cost of the query."""
        page_size = self._knowledge.reach.page_size
        return expected.new / (self._query_cost + np.maximum(expected.shown / page_size, 1.0))

    def best_of(self, count: int, words: Places, hidden: Floats) -> Places:
        """Return the single words with the highest rates, by how many hidden records each known one represents."""
        facts = self._facts_of_words(words)
        rates = self.rates(self._knowledge.gains.expect(facts, hidden)) * facts.findable
        return words[np.argsort(-rates, kind="stable")[:count]]

    def _facts_of_words(self, words: Places) -> WordFacts:
        knowledge = self._knowledge
        digits, letters = knowledge.vocabulary.kinds_of(words)
        nothing = np.zeros_like(digits)
        odds = np.full_like(digits, knowledge.gains.odds)
        sums, share = knowledge.vocabulary.sums_of(words), knowledge.findable(words)
        findable = np.minimum(share * sums.records, 1.0)
        return WordFacts(sums.scale_by(share), digits, letters, nothing, odds, nothing, findable)

    def _facts_of_groups(self, groups: Sequence[Numbers], places: Sequence[Places]) -> WordFacts:
        knowledge, odds = self._knowledge, self._knowledge.gains.odds
        kinds = [knowledge.vocabulary.kinds_of(np.array(words)) for words in groups]
        sums = WordSums(*np.array([knowledge.vocabulary.sums_over(each) for each in places]).T)
        share = np.array([float(knowledge.findable(np.array(words)).min()) for words in groups])
        prior, first = np.array([knowledge.refinements.of(words, odds) for words in groups]).T
        return WordFacts(
            sums.scale_by(share),
            np.array([each[0].max() for each in kinds]),
            np.array([each[1].mean() for each in kinds]),
            np.ones(len(places)),
            prior,
            first,
            np.minimum(share * sums.records, 1.0),
        )
