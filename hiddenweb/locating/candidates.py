"""Candidates: what waits in the first stage, with all that is known about it before it is visited.

Most are sites. Some are single pages that may name many sites: pages that link to a good site (centre pages), and answers of a search
engine that was asked for such pages.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Literal, Protocol

from hiddenweb.identity import origin, registered_domain
from hiddenweb.terms import host_terms, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CandidateKind = Literal["site", "centre", "engine"]
URL, ANCHOR, AROUND = "url", "anchor", "around"
CONTEXTS = (URL, ANCHOR, AROUND)
"""What says something about a site: FSS = {U, A, T} in the paper."""

MOST_TERMS = 40
"""Terms of one context that are kept of a candidate."""


@dataclass(slots=True)
class Candidate:
    """A site or a page that nobody has visited, or a site that is to be visited again for the rest of its links."""

    key: str  # the registered domain of a site, the address of a page
    url: str  # where the visit begins
    kind: CandidateKind = "site"
    seed: bool = False
    centre: bool = False  # a centre page names it
    rested: float | None = None  # it was visited; what the best of its links that wait is worth
    links: int = 0  # that lead to it
    deep_links: int = 0  # sites with forms on topic that link to it: SF
    names: int = 0  # good sites that link back: it is known that it links to them
    source: int = 0  # the best site that links to it: 0 off topic, 1 on topic, 2 with forms on topic
    via: str = ""  # the page it was first met on
    order: int = 0  # in which candidates were met
    bags: dict[str, dict[str, int]] = field(default_factory=lambda: {context: {} for context in CONTEXTS})

    def meet(self, anchor: str, around: str, language: str) -> None:
        """Take in what a link to it says."""
        self.links += 1
        for context, text in ((ANCHOR, anchor), (AROUND, around)):
            bag = self.bags[context]
            for term in terms_of(text, language):
                if term in bag or len(bag) < MOST_TERMS:
                    bag[term] = bag.get(term, 0) + 1


def candidate_site(url: str, *, seed: bool = False, via: str = "") -> Candidate:
    """Return the site of an address; a seed is visited where it was named, any other at its homepage."""
    candidate = Candidate(registered_domain(url), url if seed else f"{origin(url)}/", seed=seed, via=via)
    candidate.bags[URL] = dict(Counter(host_terms(url)))
    return candidate


class Candidates(Protocol):
    """Where candidates wait, in two queues, each ordered by rank. `version` says by which knowledge a rank was found."""

    def get(self, key: str) -> Candidate | None:
        """Return a candidate that waits."""

    def put(self, candidate: Candidate, rank: float, version: int, *, high: bool) -> None:
        """Let a candidate wait, or change what is known of it."""

    def best(self, *, high: bool) -> tuple[Candidate, float, int] | None:
        """Return the candidate of a queue with the highest rank, its rank, and the version of that."""

    def stale(self, version: int, limit: int) -> list[Candidate]:
        """Return candidates that were ranked by an earlier version, those with high ranks first as far as that is cheap."""

    def is_high(self, key: str) -> bool:
        """Say whether a candidate waits in the high queue."""

    def remove(self, key: str) -> None:
        """Let a candidate wait no more."""

    def raise_low(self) -> bool:
        """Let the low queue be the high one, which must be empty; say whether there is anything in it."""

    def count(self) -> int:
        """Return how many wait."""


class MemoryCandidates:
    """Candidates in memory: for tests, simulations and small crawls."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[Candidate, float, int, bool]] = {}
        self._heaps: dict[bool, list[tuple[float, str]]] = {True: [], False: []}
        self._high_is = True  # what a row says that waits in the high queue: the queues change places
        self._stale: list[tuple[float, str]] = []  # the best last
        self._stale_for = 0  # the version that asked

    def get(self, key: str) -> Candidate | None:
        row = self._rows.get(key)
        return row[0] if row else None

    def put(self, candidate: Candidate, rank: float, version: int, *, high: bool) -> None:
        self._rows[candidate.key] = (candidate, rank, version, high == self._high_is)
        heappush(self._heaps[high], (-rank, candidate.key))

    def best(self, *, high: bool) -> tuple[Candidate, float, int] | None:
        heap = self._heaps[high]
        while heap:
            rank, key = heap[0]
            row = self._rows.get(key)
            if row is not None and (row[3] == self._high_is) == high and row[1] == -rank:
                return row[:3]
            heappop(heap)
        return None

    def stale(self, version: int, limit: int) -> list[Candidate]:
        if version != self._stale_for:
            self._stale_for = version
            rows = (
                (rank, each.key) for each, rank, ranked_by, _ in self._rows.values() if ranked_by != version
            )
            self._stale = sorted(rows)
        found: list[Candidate] = []
        while self._stale and len(found) < limit:
            row = self._rows.get(self._stale.pop()[1])
            if row is not None and row[2] != version:
                found.append(row[0])
        return found

    def is_high(self, key: str) -> bool:
        return self._rows[key][3] == self._high_is

    def remove(self, key: str) -> None:
        self._rows.pop(key, None)

    def raise_low(self) -> bool:
        self._high_is, self._heaps[True], self._heaps[False] = not self._high_is, self._heaps[False], []
        return bool(self._heaps[True])

    def count(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Candidate]:
        return (row[0] for row in self._rows.values())
