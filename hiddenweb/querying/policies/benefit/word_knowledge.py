"""What records and answers of one form's site have shown about words."""

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
    """Knows more about words than records show: for a form with several controls, some words are options."""

    def worth(self, words: Sequence[str]) -> float:
        """Return by what a promise of words is multiplied; 0: they cannot be submitted."""

    def are_seen(self, words: Sequence[str]) -> bool:
        """Say whether every record is known to hold words that does: only then can known ones be counted against what the site says."""


class _NoAdviser:
    @staticmethod
    def worth(words: Sequence[str]) -> float:  # noqa: ARG004
        return 1.0

    @staticmethod
    def are_seen(words: Sequence[str]) -> bool:  # noqa: ARG004
        return True


NO_ADVISER = _NoAdviser()


class WordKnowledge:
    """The words of the known records, what each query found, and how the search treats words."""

    def __init__(
        self, seen: VocabularyIndex, reach: AnswerReach, latest: RecentNewness, language: str
    ) -> None:
        self.seen, self.reach, self.language = seen, reach, language
        self.habits = SearchBehaviour(language)
        self.word_forms = WordForms(language)
        self.parts = SearchedParts()
        self.gains = GainEstimator(seen, reach, latest)
        self.refinements = Refinements(seen, self.gains.stand_ins)
        self.submitted: dict[Numbers, int | None] = {}  # how many records hold the words, if that is known
        self.whole: dict[Numbers, int] = {}  # how many records an answer showed that was not cut
        self.adviser: WordAdviser = NO_ADVISER

    def spell(self, words: Numbers) -> tuple[str, ...]:
        """Return words as they are written."""
        return tuple(self.seen.words[word] for word in words)

    def worth(self, words: Numbers) -> float:
        """Return by what a promise of words is multiplied."""
        return self.adviser.worth(self.spell(words))

    def are_seen(self, words: Numbers) -> bool:
        """Say whether every record is known to hold words that does."""
        return self.adviser.are_seen(self.spell(words))

    def findable(self, words: Places) -> Floats:
        """Return how far words find the records that hold them, by the parts of these in which they stand."""
        if len(self.seen.parts) == 1 or not len(words):
            return np.ones(len(words))
        counts = self.seen.counts_by_part(words)
        weights = np.array(self.parts.weights(self.seen.parts))
        findable: Floats = (weights @ counts) / np.maximum(counts.sum(axis=0), 1.0)
        return findable

    def can_find(self, words: Numbers) -> bool:
        """Say whether words may find something, by what the search did with alike words."""
        total, count = len(self.seen), self.seen.count
        if self.word_forms.are_found(self.spell(words)):
            return False
        return all(
            count[word] > 0 and self.habits.can_find(self.seen.words[word], count[word] / total)
            for word in words
        )

    def can_refine(self, words: Numbers) -> bool:
        """Say whether words may find something together: not if all that one of them finds was shown."""
        most = self.reach.most
        return self.can_find(words) and not any(
            (word,) in self.whole and (most is None or self.whole[word,] < most) for word in words
        )

    def to_json(self) -> dict[str, Any]:
        """Return what neither records nor ledger tell."""
        return {
            "habits": self.habits.to_json(),
            "word_forms": self.word_forms.to_json(),
            "expecting": self.gains.to_json(),
            "parts": self.parts.to_json(),
        }

    def restore(self, written: Mapping[str, Any]) -> None:
        """Resume from what was written down."""
        self.habits.restore(written["habits"])
        self.word_forms.restore(written.get("word_forms", {}))
        self.gains.restore(written["expecting"])
        self.parts.restore(written.get("parts", {}))
