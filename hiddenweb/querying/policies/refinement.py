"""Refining queries whose answers were cut, by one more word.

Among the hidden records with the first words, a further word is as frequent as among the known ones, so every known record of a cut
answer counts for its other words. Counting these is work, so it is done for the answers with the largest hidden share,
on a part of their records, and again only when these have grown.

A site that shows the best records first shows the same ones first if a word is added that they hold, too: a cut answer whose shown records all hold the
next word brings nothing new. So these records count as shown before all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from hiddenweb.querying.raking import RakingWeights
    from hiddenweb.querying.vocabulary_index import Floats, Numbers, Places, VocabularyIndex

_CUT_ANSWERS = 120
"""The most cut answers that are refined, those with the most hidden records; a limit of taste, it bounds the work."""

_REFINEMENTS = 60
"""The most words for each of them; a limit of taste, it bounds the work."""

_READ = 2_000
"""The most known records of a cut answer that are read for the next word; a limit of taste, it bounds the work."""

_FEWEST_RECORDS = 3
"""The fewest records that must hold all the words; a limit of taste, fewer may hold them by chance."""

_TOO_COMMON = 0.7
"""The share of the records of an answer from which a further word divides nothing; a limit of taste."""

_GROWTH = 1.15
"""The factor by which the records that hold the words must have grown before the next word is chosen again; a limit of taste, it saves work."""

_FEW_HIDDEN = 20.0
"""Hidden records of a cut answer up to which it is not refined: about one page; a limit of taste."""

_MANY = 4.0
"""Hidden records, in full answers: more of them make a cut answer no better; a limit of taste."""

_ALIKE = 10.0
"""Average records of a cut answer that are added to those with the next word; a limit of taste."""

_TRUST_IN_TOTALS = 0.7
"""How far the odds from the totals of the site are trusted, compared with those of the last answers; a limit of taste."""


@dataclass(slots=True)
class CutAnswer:
    """An answer with more records than can be reached."""

    words: Numbers
    total: int | None
    shown: int
    hidden: float = 0.0  # the odds that a record with the words is hidden
    first: float = 0.0  # the share of the known records with the words that this answer showed
    known_at: int = 0  # known records when the next words were chosen
    next_words: Places | None = None
    counts: Floats | None = None  # by next word: known records that hold it, too
    odds: Floats | None = None  # by next word: that a record with it is hidden


class Refinements:
    """The answers that were cut, and their refinements."""

    def __init__(self, vocabulary: VocabularyIndex, weights: RakingWeights) -> None:
        self._vocabulary, self._weights = vocabulary, weights
        self._cut: dict[Numbers, CutAnswer] = {}
        self._of: dict[Numbers, tuple[float, float]] = {}  # by query of one more word: see `of`

    def add(self, words: Numbers, total: int | None, shown: int) -> None:
        """Note an answer that was cut."""
        self._cut[words] = CutAnswer(words, total, shown)

    def of(self, words: Numbers, odds: float) -> tuple[float, float]:
        """Return the odds that a record with the words is hidden, by a cut answer to some of them, and the share of these records that is shown first."""
        return self._of.get(words, (odds, 0.0))

    def discard(self, words: Numbers) -> None:
        """Note that an answer was shown whole after all."""
        self._cut.pop(words, None)

    def best(
        self,
        count: int,
        submitted: Collection[Numbers],
        odds: float,
        most: float,
        can_find: Callable[[Numbers], bool],
        *,
        refuses: bool = False,
        worth: Callable[[Numbers], float] = lambda _: 1.0,
    ) -> list[Numbers]:
        """Return the queries of one more word that promise the most new records.

        refuses: nothing is shown of more than `most` records. worth: the factor for the promise of a query.
        """
        hidden = []
        for cut in self._cut.values():
            known = len(self._vocabulary.places(cut.words))
            hidden_records = cut.total - known if cut.total is not None else known * odds
            if hidden_records > _FEW_HIDDEN and can_find(cut.words):
                cut.hidden = (hidden_records + 1) / (known + 1)
                cut.first = min(cut.shown / max(known, 1), 1.0)
                hidden.append(
                    (
                        min(hidden_records / (_MANY * most), 1.0) * hidden_records / (hidden_records + known),
                        cut,
                    )
                )
        best: dict[Numbers, float] = {}
        self._of = {}
        for _, cut in nlargest(_CUT_ANSWERS, hidden, key=lambda each: each[0]):
            self._find_next_words(cut, submitted, can_find)
            assert cut.next_words is not None
            assert cut.counts is not None
            assert cut.odds is not None
            of_answer = (cut.odds * cut.counts + _ALIKE * cut.hidden) / (cut.counts + _ALIKE)
            of_all = odds ** (1 - _TRUST_IN_TOTALS) * of_answer**_TRUST_IN_TOTALS
            found = cut.counts * (1 + of_all)
            shown = np.where(found > most, 0.0, found) if refuses else np.minimum(found, most)
            first = np.minimum(cut.counts * cut.first, shown)
            new = (shown - first) * cut.counts * of_all / (found - first)
            for at in np.argsort(-new, kind="stable")[:count].tolist():
                words = tuple(sorted((*cut.words, int(cut.next_words[at]))))
                promised = float(new[at]) * worth(words) if words not in submitted else 0.0
                if promised > 0:
                    best[words] = max(promised, best.get(words, 0.0))
                    self._of[words] = cut.hidden, max(cut.first, self.of(words, 0.0)[1])
        return nlargest(count, best, key=best.__getitem__)

    def _find_next_words(
        self, cut: CutAnswer, submitted: Collection[Numbers], can_find: Callable[[Numbers], bool]
    ) -> None:
        """Find words that the known records of a cut answer hold, too."""
        places = self._vocabulary.places(cut.words)
        if cut.next_words is not None and len(places) < cut.known_at * _GROWTH + 5:
            return
        step = max(len(places) / _READ, 1.0)
        read_places = places[(np.arange(int(len(places) / step)) * step).astype(int)]
        counts, weights = self._vocabulary.counts_at(read_places, self._weights.weights)
        counts[counts > _TOO_COMMON * len(read_places)] = 0.0
        counts[list(cut.words)] = 0.0
        candidates = np.flatnonzero(counts >= _FEWEST_RECORDS)
        candidates = candidates[np.argsort(-counts[candidates], kind="stable")]
        chosen = (
            word
            for word in candidates.tolist()
            if can_find((word,))
            and ((word,) not in submitted or counts[word] * step < _TOO_COMMON * self._vocabulary.count[word])
        )
        next_words = np.fromiter(islice(chosen, _REFINEMENTS), np.uint32)
        cut.known_at = len(places)
        cut.next_words = next_words
        cut.counts = counts[next_words] * step
        cut.odds = np.maximum(weights[next_words] / counts[next_words] - 1.0, 0.01)
