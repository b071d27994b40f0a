"""Candidates: what waits in the first stage, with all that is known about it before the visit.

Most are sites. Some are single pages that may name many sites: pages that link to a good site (centre pages), and answers of a search
engine that list such pages.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from math import inf
from typing import TYPE_CHECKING, Literal, Protocol

from hiddenweb.language.terms import host_terms, terms_of
from hiddenweb.urls import origin, registered_domain

if TYPE_CHECKING:
    from collections.abc import Sequence

CandidateKind = Literal["site", "centre", "engine"]
URL, ANCHOR, AROUND = "url", "anchor", "around"
CONTEXTS = (URL, ANCHOR, AROUND)
"""What says something about a site: FSS = {U, A, T} in the paper."""

MAX_TERMS = 40
"""Terms of one context that a candidate keeps. A limit of taste."""


@dataclass(slots=True)
class SiteCandidate:
    """A site or a page that nobody has visited, or a site that is to be visited again for the rest of its links."""

    key: str  # the registered domain of a site, the address of a page
    url: str  # where the visit begins
    kind: CandidateKind = "site"
    seed: bool = False
    centre: bool = False  # a centre page names it
    rested: float | None = None  # if it rests after a visit: what the best of its waiting links is worth
    links: int = 0  # that lead to it
    deep_links: int = 0  # sites with forms on topic that link to it: SF
    names: int = 0  # good sites that it is known to link to, by reverse search
    source: int = 0  # the best site that links to it: 0 off topic, 1 on topic, 2 with forms on topic
    place: int = 0  # of a page: how far down it stood among those that reverse search gave
    via: str = ""  # the page it was first found on
    order: int = 0  # in which candidates were found
    bags: dict[str, dict[str, int]] = field(default_factory=lambda: {context: {} for context in CONTEXTS})

    def add_link(self, anchor: str, around: str, language: str) -> None:
        """Count a link to it, with the terms of its anchor and of the text around."""
        self.links += 1
        for context, text in ((ANCHOR, anchor), (AROUND, around)):
            bag = self.bags[context]
            for term in terms_of(text, language):
                if term in bag or len(bag) < MAX_TERMS:
                    bag[term] = bag.get(term, 0) + 1


def candidate_site(url: str, *, seed: bool = False, via: str = "") -> SiteCandidate:
    """Return the site of an address; a seed is visited where it was named, any other at its homepage."""
    candidate = SiteCandidate(registered_domain(url), url if seed else f"{origin(url)}/", seed=seed, via=via)
    candidate.bags[URL] = dict(Counter(host_terms(url)))
    return candidate


class SiteCandidates(Protocol):
    """Where candidates wait, in two queues, each ordered by rank; and those that rest, by what they are worth."""

    def get(self, key: str) -> SiteCandidate | None:
        """Return a candidate that waits."""

    def put(self, candidate: SiteCandidate, rank: float, *, high: bool) -> bool:
        """Add or update a candidate; say whether it waits in the high queue, which it does not leave."""

    def rank(self, ranks: Sequence[tuple[str, float]]) -> None:
        """Change the ranks of candidates that wait."""

    def best(self, limit: int) -> list[tuple[SiteCandidate, float]]:
        """Return the candidates of the high queue with the highest ranks, the best first, and their ranks."""

    def list_after(self, place: tuple[float, str], limit: int) -> list[tuple[SiteCandidate, float]]:
        """Return those of the high queue that follow a rank and a key."""

    def best_rested(self) -> tuple[SiteCandidate, float] | None:
        """Return the best of those that rest, and its rank."""

    def remove(self, key: str) -> None:
        """Remove a candidate."""

    def raise_low(self) -> bool:
        """Make the low queue the high one, which must be empty; say whether there is anything in it."""

    def count(self) -> int:
        """Return how many wait."""


class MemorySiteCandidates:
    """Candidates in memory: for tests, simulations and small crawls."""

    def __init__(self) -> None:
        self._queues: dict[bool, dict[str, tuple[SiteCandidate, float]]] = {True: {}, False: {}}
        self._rested: dict[str, tuple[SiteCandidate, float]] = {}
        self._heap: list[tuple[float, str]] = []  # of those that rest; some are gone

    def get(self, key: str) -> SiteCandidate | None:
        row = self._queues[True].get(key) or self._queues[False].get(key) or self._rested.get(key)
        return row[0] if row else None

    def put(self, candidate: SiteCandidate, rank: float, *, high: bool) -> bool:
        if candidate.rested is not None:
            self._rested[candidate.key] = (candidate, rank)
            heappush(self._heap, (-rank, candidate.key))
            return False
        high = high or candidate.key in self._queues[True]
        self._queues[high][candidate.key] = (candidate, rank)
        if high:
            self._queues[False].pop(candidate.key, None)
        return high

    def rank(self, ranks: Sequence[tuple[str, float]]) -> None:
        for key, rank in ranks:
            queue = self._queues[key in self._queues[True]]
            queue[key] = (queue[key][0], rank)

    def best(self, limit: int) -> list[tuple[SiteCandidate, float]]:
        return self.list_after((inf, ""), limit)

    def list_after(self, place: tuple[float, str], limit: int) -> list[tuple[SiteCandidate, float]]:
        ordered = ((-row[1], key) for key, row in self._queues[True].items())
        after = (-place[0], place[1])
        found = nsmallest(limit, (each for each in ordered if each > after))
        return [self._queues[True][key] for _, key in found]

    def best_rested(self) -> tuple[SiteCandidate, float] | None:
        while self._heap:
            rank, key = self._heap[0]
            row = self._rested.get(key)
            if row is not None and row[1] == -rank:
                return row
            heappop(self._heap)
        return None

    def remove(self, key: str) -> None:
        for queue in (*self._queues.values(), self._rested):
            queue.pop(key, None)

    def raise_low(self) -> bool:
        self._queues = {True: self._queues[False], False: {}}
        return bool(self._queues[True])

    def count(self) -> int:
        return sum(len(queue) for queue in (*self._queues.values(), self._rested))
