"""What is known about words from the records and answers of one form's site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hiddenweb.querying.policies.expected_gain import GainEstimator
from hiddenweb.querying.policies.refinement import Refinements
from hiddenweb.querying.search_behaviour import SearchBehaviour
from hiddenweb.querying.searched_parts import SearchedParts
from hiddenweb.querying.word_forms import WordForms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiddenweb.querying.search_behaviour import AnswerReach, RecentNewness
    from hiddenweb.querying.vocabulary_index import Floats, Numbers, Places, VocabularyIndex


class WordAdviser(Protocol):
    """Knows more about words than records do: for a form with several controls, some words are options."""

    def worth(self, words: Sequence[str]) -> float:
        """Return the factor for a promise of words; 0: they cannot be submitted."""

    def are_visible(self, words: Sequence[str]) -> bool:
        """Say whether it is visible in every record if it holds the words: only then can known records be compared with totals."""


class _NoAdviser:
    @staticmethod
    def worth(words: Sequence[str]) -> float:  # noqa: ARG004
        return 1.0

    @staticmethod
    def are_visible(words: Sequence[str]) -> bool:  # noqa: ARG004
        return True


NO_ADVISER = _NoAdviser()


class WordKnowledge:
    """The words of the known records, what each query found, and how the search treats words."""

    def __init__(
        self, vocabulary: VocabularyIndex, reach: AnswerReach, latest: RecentNewness, language: str
    ) -> None:
        self.vocabulary, self.reach, self.language = vocabulary, reach, language
        self.behaviour = SearchBehaviour(language)
        self.word_forms = WordForms(language)
        self.parts = SearchedParts()
        self.gains = GainEstimator(vocabulary, reach, latest)
        self.refinements = Refinements(vocabulary, self.gains.weights)
        self.submitted: dict[Numbers, int | None] = {}  # how many records hold the words, if that is known
        self.whole: dict[Numbers, int] = {}  # how many records a whole answer showed
        self.adviser: WordAdviser = NO_ADVISER

    def spell(self, words: Numbers) -> tuple[str, ...]:
        """Return words by their numbers."""
        return tuple(self.vocabulary.words[word] for word in words)

    def worth(self, words: Numbers) -> float:
        """Return the factor for a promise of words."""
        return self.adviser.worth(self.spell(words))

    def are_visible(self, words: Numbers) -> bool:
        """Say whether it is visible in every record if it holds the words."""
        return self.adviser.are_visible(self.spell(words))

    def findable(self, words: Places) -> Floats:
        """Return the share of their records that words find, by the parts in which they are."""
        if len(self.vocabulary.parts) == 1 or not len(words):
            return np.ones(len(words))
        counts = self.vocabulary.counts_by_part(words)
        weights = np.array(self.parts.weights(self.vocabulary.parts))
        findable: Floats = (weights @ counts) / np.maximum(counts.sum(axis=0), 1.0)
        return findable

    def can_find(self, words: Numbers) -> bool:
        """Say whether words may find something, by how the search treated similar words."""
        total, count = len(self.vocabulary), self.vocabulary.count
        if self.word_forms.are_found(self.spell(words)):
            return False
        return all(
            count[word] > 0 and self.behaviour.can_find(self.vocabulary.words[word], count[word] / total)
            for word in words
        )

    def can_refine(self, words: Numbers) -> bool:
        """Say whether words may find something new together: not if all records of one of them were shown."""
        most = self.reach.most
        return self.can_find(words) and not any(
            (word,) in self.whole and (most is None or self.whole[word,] < most) for word in words
        )

    def to_json(self) -> dict[str, Any]:
        """Return what is neither in the records nor in the ledger."""
        return {
            "habits": self.behaviour.to_json(),
            "word_forms": self.word_forms.to_json(),
            "expecting": self.gains.to_json(),
            "parts": self.parts.to_json(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the saved state."""
        self.behaviour.restore(saved["habits"])
        self.word_forms.restore(saved.get("word_forms", {}))
        self.gains.restore(saved["expecting"])
        self.parts.restore(saved.get("parts", {}))
