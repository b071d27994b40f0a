"""Asking again, with one more word, what found more than is shown.

Of the hidden records that hold the first words as many hold the next one as among those that are known, so every known record of a cut
answer speaks for its other words. Counting these is work, so it is done for the answers that hide the most, on a part of their records, and anew
only when these have grown.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from hiddenweb.forms.seen_words import Floats, Numbers, Places, SeenWords
    from hiddenweb.forms.stand_ins import StandIns

_CUT_ANSWERS = 60  # that are looked at
_REFINEMENTS = 60  # of each
_READ = 2_000  # records in which the next word is looked for
_TELLING = 3  # records that must hold all the words
_NOT_TELLING = 0.7  # the share of the records of an answer from which a further word tells nothing
_GROWN = 1.15  # times the records that hold the words, after which the next word is looked for again
_FEW_HIDDEN = 20.0
_SAID = 0.5  # how far the odds are believed that follow from what the site says of its numbers, beside those of the last answers


@dataclass(slots=True)
class Cut:
    """An answer that has more records than can be had."""

    words: Numbers
    total: int | None
    known_at: int = 0  # records when the next words were looked for
    next_words: Places | None = None
    counts: Floats | None = None  # known records that hold them, too
    odds: Floats | None = None  # that another one is hidden


class Refinements:
    """The answers that were cut, and what else to ask of them."""

    def __init__(self, seen: SeenWords, stand_ins: StandIns) -> None:
        self._seen, self._stand_ins = seen, stand_ins
        self._cut: dict[Numbers, Cut] = {}

    def add(self, words: Numbers, total: int | None) -> None:
        """Take note of an answer that was cut."""
        self._cut[words] = Cut(words, total)

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
    ) -> list[Numbers]:
        """Return the questions of one more word that promise the most new records; refuses: of more than the most, nothing is shown."""
        hidden = []
        for cut in self._cut.values():
            met = len(self._seen.places(cut.words))
            left = cut.total - met if cut.total is not None else met * odds
            if left > _FEW_HIDDEN and can_find(cut.words):
                hidden.append((left, cut))
        best: dict[Numbers, float] = {}
        for _, cut in nlargest(_CUT_ANSWERS, hidden, key=lambda each: each[0]):
            self._look_at(cut, asked, can_find)
            assert cut.next_words is not None
            assert cut.counts is not None
            assert cut.odds is not None
            of_all = odds ** (1 - _SAID) * cut.odds**_SAID
            found = cut.counts * (1 + of_all)
            shown = np.where(found > most, 0.0, found) if refuses else np.minimum(found, most)
            new = shown * of_all / (1 + of_all)
            for at in np.argsort(-new, kind="stable")[:count].tolist():
                words = tuple(sorted((*cut.words, int(cut.next_words[at]))))
                if words not in asked:
                    best[words] = max(float(new[at]), best.get(words, 0.0))
        return nlargest(count, best, key=best.__getitem__)

    def _look_at(self, cut: Cut, asked: Collection[Numbers], can_find: Callable[[Numbers], bool]) -> None:
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
