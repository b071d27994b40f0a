"""What good links have in common: the feature spaces of SmartCrawler.

A *feature space* counts terms for each context (the address, the anchor, the text around), and its vector holds the weights of the most
frequent ones. The counts only grow, so a later crawl resumes with them. `hiddenweb.language.terms` weighs and compares terms.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from math import log, sqrt
from typing import TYPE_CHECKING

from hiddenweb.language.terms import length, weigh_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.language.terms import Bag

TOP = 50
"""Terms in the vector of a context; the paper shows at least 19."""

MOST_TERMS = 20_000
"""Terms counted in one context; beyond that the rarest half is forgotten. A limit of taste."""


class FeatureSpace:
    """What good links have in common, by context: how often each term was found.

    `taught` has all that was learnt so far, `vectors` what had been learnt at the last `rebuild`: so ranks do not change
    with every page.
    """

    def __init__(self, contexts: Sequence[str], top: int = TOP) -> None:
        self.contexts = tuple(contexts)
        self.top = top
        self.version = 0  # how often it was rebuilt
        self.taught: dict[str, Counter[str]] = {context: Counter() for context in self.contexts}
        self.vectors: dict[str, dict[str, float]] = {context: {} for context in self.contexts}
        self._lengths: dict[str, float] = dict.fromkeys(self.contexts, 0.0)
        self._changed: set[tuple[str, str]] = set()

    def learn(self, bags: Mapping[str, Bag]) -> None:
        """Count the terms of a link that was good."""
        for context in self.contexts:
            counted, bag = self.taught[context], bags.get(context, {})
            counted.update(bag)
            self._changed.update((context, term) for term in bag)
            if len(counted) > MOST_TERMS:
                remaining = Counter(dict(counted.most_common(MOST_TERMS // 2)))
                self._changed.update((context, term) for term in counted if term not in remaining)
                self.taught[context] = remaining

    def rebuild(self) -> set[str]:
        """Rebuild the vectors from what was learnt; return the terms whose weights changed."""
        changed: set[str] = set()
        for context in self.contexts:
            before = self.vectors[context]
            after = weigh_terms(dict(_most_frequent(self.taught[context], self.top)))
            changed.update(
                term for term in before.keys() | after.keys() if before.get(term) != after.get(term)
            )
            self.vectors[context] = after
            self._lengths[context] = length(after)
        self.version += 1
        return changed

    def similarity(self, context: str, bag: Bag) -> float:
        """Return how similar a bag of terms is to a context."""
        vector = self.vectors[context]
        common = [(term, count) for term, count in bag.items() if term in vector]
        if not common:
            return 0.0
        product = sum((1 + log(count)) * vector[term] for term, count in common)
        bag_length = sqrt(sum((1 + log(count)) ** 2 for count in bag.values()))
        return min(product / (bag_length * self._lengths[context]), 1.0)

    def shares(self, context: str, bag: Bag) -> dict[str, float]:
        """Return what each term adds to the similarity, the most important first."""
        vector = self.vectors[context]
        whole = length(weigh_terms(bag)) * self._lengths[context]
        parts = {
            term: (1 + log(count)) * vector[term] / whole for term, count in bag.items() if term in vector
        }
        return dict(sorted(parts.items(), key=lambda part: (-part[1], part[0])))

    def knows(self, context: str) -> Collection[str]:
        """Return the terms in the vector of a context."""
        return self.vectors[context].keys()

    # Saving

    def rows(self) -> Iterator[tuple[str, int]]:
        """Yield all that was learnt: a context with one of its terms, and how often that was found."""
        for context, counted in self.taught.items():
            for term, count in counted.items():
                yield f"{context}:{term}", count

    def changes(self) -> Iterator[tuple[str, int | None]]:
        """Yield the rows that changed since the last call; None as the count of a forgotten term."""
        changed, self._changed = self._changed, set()
        for context, term in sorted(changed):
            yield f"{context}:{term}", self.taught[context].get(term)

    def take(self, rows: Iterable[tuple[str, int]]) -> None:
        """Load what was learnt earlier, and rebuild the vectors."""
        for name, count in rows:
            context, _, term = name.partition(":")
            if context in self.taught:
                self.taught[context][term] = int(count)
        self.rebuild()


def _most_frequent(counted: Bag, number: int) -> list[tuple[str, int]]:
    """Return the most frequent terms; of equally frequent ones, the first in the alphabet."""
    return nsmallest(number, counted.items(), key=lambda term: (-term[1], term[0]))
