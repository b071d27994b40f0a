"""Asking again, with one more word, what found more than is shown.

Of the hidden records that hold the first words as many hold the next one as among those that are known, so every known record of a cut
answer speaks for its other words. Counting these is work, so it is done for the answers that hide the most, by their share of what they found,
on a part of their records, and anew only when these have grown.

A site that shows the best first shows the same records first when a word is added that they hold, too: of a cut answer whose records all hold the
next word, nothing new comes. So these records are counted as shown before all others.
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
"""Cut answers that are looked at, those with the most hidden records; a limit of taste, it bounds the work."""

_REFINEMENTS = 60
"""Words that are looked at for each of them; a limit of taste, it bounds the work."""

_READ = 2_000
"""Known records of a cut answer in which the next word is looked for; a limit of taste, it bounds the work."""

_TELLING = 3
"""Records that must hold all the words; a limit of taste, fewer may hold them by chance."""

_NOT_TELLING = 0.7
"""The share of the records of an answer from which a further word divides nothing; a limit of taste."""

_GROWN = 1.15
"""The factor by which the records that hold the words must have grown before the next word is looked for again; a limit of taste, it spares work."""

_FEW_HIDDEN = 20.0
"""Hidden records of a cut answer up to which no refinement is looked for: about one page; a limit of taste."""

_MANY = 4.0
"""Hidden records, in answers as long as the site shows: more of them make a cut answer no better; a limit of taste."""

_ALIKE = 10.0
"""Average records of a cut answer that are added to those which hold the next word; a limit of taste."""

_SAID = 0.7
"""How far the odds are believed that follow from what the site says of its numbers, beside those of the last answers; a limit of taste."""


@dataclass(slots=True)
class CutAnswer:
    """An answer that has more records than can be had."""

    words: Numbers
    total: int | None
    shown: int
    hidden: float = 0.0  # the odds that a record which holds the words is
    first: float = 0.0  # the share of the known records that this answer showed
    known_at: int = 0  # records when the next words were looked for
    next_words: Places | None = None
    counts: Floats | None = None  # known records that hold them, too
    odds: Floats | None = None  # that another one is hidden


class Refinements:
    """The answers that were cut, and what else to ask of them."""

    def __init__(self, seen: VocabularyIndex, stand_ins: RakingWeights) -> None:
        self._seen, self._stand_ins = seen, stand_ins
        self._cut: dict[Numbers, CutAnswer] = {}
        self._of: dict[Numbers, tuple[float, float]] = {}  # questions of one more word: see `of`

    def add(self, words: Numbers, total: int | None, shown: int) -> None:
        """Take note of an answer that was cut."""
        self._cut[words] = CutAnswer(words, total, shown)

    def of(self, words: Numbers, odds: float) -> tuple[float, float]:
        """Return the odds that a record which holds the words is hidden, by a cut answer to some of them, and the share of them that is shown first."""
        return self._of.get(words, (odds, 0.0))

    def discard(self, words: Numbers) -> None:
        """Take note that an answer was shown as a whole after all."""
        self._cut.pop(words, None)

    def best(
        self,
        count: int,
        asked: Collection[Numbers],
        odds: float,
        most: float,
        can_find: Callable[[Numbers], bool],
        *,
        refuses: bool = False,
        worth: Callable[[Numbers], float] = lambda _: 1.0,
    ) -> list[Numbers]:
        """Return the questions of one more word that promise the most new records.

        refuses: of more than the most, nothing is shown. worth: by what the promise of a question is multiplied.
        """
        hidden = []
        for cut in self._cut.values():
            met = len(self._seen.places(cut.words))
            left = cut.total - met if cut.total is not None else met * odds
            if left > _FEW_HIDDEN and can_find(cut.words):
                cut.hidden = (left + 1) / (met + 1)
                cut.first = min(cut.shown / max(met, 1), 1.0)
                hidden.append((min(left / (_MANY * most), 1.0) * left / (left + met), cut))
        best: dict[Numbers, float] = {}
        self._of = {}
        for _, cut in nlargest(_CUT_ANSWERS, hidden, key=lambda each: each[0]):
            self._look_at(cut, asked, can_find)
            assert cut.next_words is not None
            assert cut.counts is not None
            assert cut.odds is not None
            own = (cut.odds * cut.counts + _ALIKE * cut.hidden) / (cut.counts + _ALIKE)
            of_all = odds ** (1 - _SAID) * own**_SAID
            found = cut.counts * (1 + of_all)
            shown = np.where(found > most, 0.0, found) if refuses else np.minimum(found, most)
            first = np.minimum(cut.counts * cut.first, shown)
            new = (shown - first) * cut.counts * of_all / (found - first)
            for at in np.argsort(-new, kind="stable")[:count].tolist():
                words = tuple(sorted((*cut.words, int(cut.next_words[at]))))
                promised = float(new[at]) * worth(words) if words not in asked else 0.0
                if promised > 0:
                    best[words] = max(promised, best.get(words, 0.0))
                    self._of[words] = cut.hidden, max(cut.first, self.of(words, 0.0)[1])
        return nlargest(count, best, key=best.__getitem__)

    def _look_at(
        self, cut: CutAnswer, asked: Collection[Numbers], can_find: Callable[[Numbers], bool]
    ) -> None:
        """Find words that the known records of a cut answer hold, too."""
        places = self._seen.places(cut.words)
        if cut.next_words is not None and len(places) < cut.known_at * _GROWN + 5:
            return
        step = max(len(places) / _READ, 1.0)
        read = places[(np.arange(int(len(places) / step)) * step).astype(int)]
        counts, weights = self._seen.counts_at(read, self._stand_ins.weights)
        counts[counts > _NOT_TELLING * len(read)] = 0.0
        counts[list(cut.words)] = 0.0
        telling = np.flatnonzero(counts >= _TELLING)
        telling = telling[np.argsort(-counts[telling], kind="stable")]
        chosen = (
            word
            for word in telling.tolist()
            if can_find((word,))
            and ((word,) not in asked or counts[word] * step < _NOT_TELLING * self._seen.count[word])
        )
        next_words = np.fromiter(islice(chosen, _REFINEMENTS), np.uint32)
        cut.known_at = len(places)
        cut.next_words = next_words
        cut.counts = counts[next_words] * step
        cut.odds = np.maximum(weights[next_words] / counts[next_words] - 1.0, 0.01)
