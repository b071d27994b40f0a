"""The site frontier: two queues, `high` and `low` (HQueue and LQueue in the paper), each ordered by rank.

The best of `high` comes first; when it is empty, all of `low` moves into it (Algorithm 2, incremental site prioritising).

**Only what may come next is reranked.** A candidate is ranked when something new is known of it. When the ranker itself has
learnt, all ranks are out of date, and ranking a hundred thousand candidates would stop the crawl. So the best few hundred are held in
memory, with what they are judged by, and these are reranked as often as the ranker learns. The others wait on disk by the rank
they had. Whenever the best of those held falls behind them, the best of them join. After every so many choices a few others are
reranked, in turn, so that none is misjudged for ever.

Sites that were visited and rest compete by what the best of their links is worth, which does not change while they rest. What all
ranks of the others have in common is left out of them, so that they stay valid for longer; `common` returns it for comparisons of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.focused.locating.candidates import SiteCandidate, SiteCandidates

    Judge = Callable[[SiteCandidate], Callable[[], float]]
    """Reads a candidate once, and returns what ranks it by all that is known whenever it is called."""

HELD = 500
"""Candidates that are held in memory; twice as many at most. A limit of taste."""

CHOICES_BETWEEN_TURNS = 50  # of sites, after which some of the others are reranked: a limit of taste
TURN_SIZE = 100  # candidates that are then reranked: a limit of taste

_MAX_JOINS = 3  # that others join before one is chosen: a limit of taste


@dataclass(slots=True)
class _HeldCandidate:
    candidate: SiteCandidate
    score: Callable[[], float]
    rank: float
    is_written: bool = True  # the rank, where the others wait


class SiteFrontier:
    """Which site next. `judge` ranks candidates; if `held` is large enough all are held, and no rank is ever out of date."""

    def __init__(
        self,
        waiting: SiteCandidates,
        judge: Judge,
        *,
        held: int = HELD,
        common: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._waiting = waiting
        self._common = common
        self._judge = judge
        self._most = held
        self._held: dict[str, _HeldCandidate] = {}  # all wait in the high queue
        self._heap: list[
            tuple[float, str]
        ] = []  # of those held, the best first; some entries are out of date
        self._floor = inf  # none of the others in the high queue is known to rank higher
        self._learnt = 0  # how often the ranker has learnt
        self._ranked_by = 0  # how often it had when those held were ranked
        self._turn: tuple[float, str] = (inf, "")  # where among the others reranking stopped
        self._turn_began = self._turn_ended = 0  # how often the ranker had learnt then
        self._rested = waiting.best_rested()
        self._choices = 0
        self._joined = 0  # times that others joined since the last choice
        self.seconds = 0.0  # spent reranking
        self.reranked = 0

    def __len__(self) -> int:
        return self._waiting.count()

    def get(self, key: str) -> SiteCandidate | None:
        """Return a candidate that waits."""
        held = self._held.get(key)
        return held.candidate if held else self._waiting.get(key)

    def put(self, candidate: SiteCandidate, *, high: bool) -> None:
        """Add a candidate; one of the high queue stays there. One that rests is in neither queue."""
        if candidate.rested is not None:
            self._waiting.put(candidate, candidate.rested, high=high)
            if self._rested is None or candidate.rested > self._rested[1]:
                self._rested = (candidate, candidate.rested)
            return
        score = self._judge(candidate)
        rank = score()
        is_high = self._waiting.put(candidate, rank, high=high)
        if candidate.key in self._held or (is_high and rank >= self._floor):
            self._hold(_HeldCandidate(candidate, score, rank))
            self._hold_fewer()

    def mark_outdated(self) -> None:
        """Note that the ranker has learnt: all ranks are out of date."""
        self._learnt += 1

    def best(self) -> tuple[SiteCandidate, float] | None:
        """Return the best candidate, which goes on waiting, and what it is worth.

        If very many of those that are not held have outdated ranks that are too high, it is the best of those reranked.
        """
        if self._ranked_by != self._learnt:
            self._rank_held()
        rested = self._rested
        while (found := self._best_held()) is None or found.rank < self._floor:
            if found is not None and self._joined >= _MAX_JOINS:
                break
            if self._floor == -inf and (rested is not None or not self._raise_low()):
                return rested
            self._hold_more()
        value = found.rank + self._common()
        return rested if rested is not None and rested[1] > value else (found.candidate, value)

    def next(self) -> SiteCandidate | None:
        """Take out the best candidate; None if none waits."""
        found = self.best()
        if found is None:
            return None
        candidate = found[0]
        self._held.pop(candidate.key, None)
        self._waiting.remove(candidate.key)
        if candidate.rested is not None:
            self._rested = self._waiting.best_rested()
        self._choices += 1
        self._joined = 0
        if self._choices % CHOICES_BETWEEN_TURNS == 0:
            self._rank_in_turn()
        return candidate

    def write(self) -> None:
        """Write the ranks of those held, where the others wait."""
        changed = [held for held in self._held.values() if not held.is_written]
        self._waiting.rank([(held.candidate.key, held.rank) for held in changed])
        for held in changed:
            held.is_written = True

    # Holding

    def _hold(self, held: _HeldCandidate) -> None:
        self._held[held.candidate.key] = held
        heappush(self._heap, (-held.rank, held.candidate.key))

    def _best_held(self) -> _HeldCandidate | None:
        while self._heap:
            rank, key = self._heap[0]
            held = self._held.get(key)
            if held is not None and held.rank == -rank:
                return held
            heappop(self._heap)
        return None

    def _raise_low(self) -> bool:
        """Make the low queue the high one, which is empty; say whether there is anything in it."""
        self._turn, self._turn_ended = (inf, ""), -1
        return self._waiting.raise_low()

    def _hold_more(self) -> None:
        """Hold the best of the others."""
        begun = perf_counter()
        self._joined += 1
        self.write()
        found = self._waiting.best(self._most + 1)
        self._floor = found.pop()[1] if len(found) > self._most else -inf
        for candidate, rank in found:
            if candidate.key not in self._held:
                self._hold(self._rerank(candidate, rank))
        self._hold_fewer()
        self.seconds += perf_counter() - begun

    def _hold_fewer(self) -> None:
        """Hold the better half only, if very many are held."""
        if len(self._held) <= 2 * self._most:
            return
        self.write()
        ordered = sorted(self._held.values(), key=lambda held: held.rank, reverse=True)
        self._held = {held.candidate.key: held for held in ordered[: self._most]}
        self._floor = max(self._floor, ordered[self._most].rank)
        self._order()

    def _order(self) -> None:
        self._heap = [(-held.rank, key) for key, held in self._held.items()]
        heapify(self._heap)

    # Reranking

    def _rerank(self, candidate: SiteCandidate, rank: float) -> _HeldCandidate:
        score = self._judge(candidate)
        self.reranked += 1
        now = score()
        return _HeldCandidate(candidate, score, now, is_written=now == rank)

    def _rank_held(self) -> None:
        begun = perf_counter()
        self._ranked_by = self._learnt
        for held in self._held.values():
            rank = held.score()
            held.is_written = held.is_written and rank == held.rank
            held.rank = rank
        self._order()
        self.reranked += len(self._held)
        self.seconds += perf_counter() - begun

    def _rank_in_turn(self) -> None:
        """Rerank some of the others, those with high ranks first, until all were reranked since the ranker learnt."""
        if self._turn_ended == self._learnt:
            return
        begun = perf_counter()
        if self._turn == (inf, ""):
            self._turn_began = self._learnt
        found = self._waiting.list_after(self._turn, TURN_SIZE)
        ranked = [self._rerank(each, rank) for each, rank in found if each.key not in self._held]
        self._waiting.rank([(held.candidate.key, held.rank) for held in ranked])
        for held in ranked:
            if held.rank >= self._floor:
                held.is_written = True
                self._hold(held)
        self._hold_fewer()
        if len(found) == TURN_SIZE:
            self._turn = (found[-1][1], found[-1][0].key)
        else:
            self._turn, self._turn_ended = (inf, ""), self._turn_began
        self.seconds += perf_counter() - begun
