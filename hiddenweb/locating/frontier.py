"""The site frontier: two queues, `high` and `low` (HQueue and LQueue in the paper), each ordered by rank.

The best of `high` comes first; when it is empty, all of `low` moves into it (Algorithm 2, incremental site prioritising).

**Ranking again touches what changed.** A candidate is ranked when something new is known of it. When the ranker itself has learnt,
all ranks are out of date, and ranking a hundred thousand candidates would stop the crawl. So every rank carries the version of the
knowledge it was made by: a candidate is ranked anew before it is chosen, and with each choice a few others are, the best first.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.locating.candidates import Candidate, Candidates

AT_ONCE = 4
"""Candidates that are ranked again with each choice."""

_MOST_TRIES = 50  # candidates ranked again before one is chosen


class SiteFrontier:
    """Which site next. `rank` judges a candidate by what is known now."""

    def __init__(self, waiting: Candidates, rank: Callable[[Candidate], float]) -> None:
        self._waiting = waiting
        self._rank = rank
        self.version = 1  # of what the ranks are made by
        self._is_stale = True  # some candidates may be ranked by an earlier version
        self.seconds = 0.0  # spent ranking again
        self.ranked_again = 0

    def __len__(self) -> int:
        return self._waiting.count()

    def get(self, key: str) -> Candidate | None:
        """Return a candidate that waits."""
        return self._waiting.get(key)

    def put(self, candidate: Candidate, *, high: bool) -> None:
        """Let a candidate wait; one that waits in the high queue stays there."""
        known = self._waiting.get(candidate.key) is not None
        high = high or (known and self._waiting.is_high(candidate.key))
        self._waiting.put(candidate, self._rank(candidate), self.version, high=high)

    def changed(self, candidate: Candidate) -> float:
        """Rank a candidate again, where it waits; return its rank."""
        rank, high = self._rank(candidate), self._waiting.is_high(candidate.key)
        self._waiting.put(candidate, rank, self.version, high=high)
        return rank

    def learnt(self) -> None:
        """Know that the ranker has learnt: all ranks are out of date."""
        self.version += 1
        self._is_stale = True

    def best(self) -> tuple[Candidate, float] | None:
        """Return the best candidate and its rank, and leave it waiting.

        If very many ranks are out of date and too high, it is the best of those that were ranked again.
        """
        fresh = self._rank_some()
        for _ in range(_MOST_TRIES):
            found = self._waiting.best(high=True)
            if found is None:
                if not self._waiting.raise_low():
                    return None
            elif found[2] == self.version:
                return found[:2]
            else:
                ranked = (found[0], self._rank_again(found[0]))
                if fresh is None or ranked[1] > fresh[1]:
                    fresh = ranked
        return fresh

    def next(self) -> Candidate | None:
        """Take out the best candidate; None if none waits."""
        found = self.best()
        if found is None:
            return None
        self._waiting.remove(found[0].key)
        return found[0]

    def _rank_some(self) -> tuple[Candidate, float] | None:
        """Rank a few candidates again whose ranks are out of date; return the best of them, if it is in the high queue."""
        if not self._is_stale:
            return None
        stale = self._waiting.stale(self.version, AT_ONCE)
        self._is_stale = bool(stale)
        ranked = [(candidate, self._rank_again(candidate)) for candidate in stale]
        high = [each for each in ranked if self._waiting.is_high(each[0].key)]
        return max(high, key=lambda each: each[1], default=None)

    def _rank_again(self, candidate: Candidate) -> float:
        begun = perf_counter()
        rank = self.changed(candidate)
        self.ranked_again += 1
        self.seconds += perf_counter() - begun
        return rank
