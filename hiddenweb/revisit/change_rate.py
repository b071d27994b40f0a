"""How often pages change, learnt from revisits that only show whether a page changed since the revisit before.

A page is taken to change at random, `rate` times a second on average. A revisit after a time t finds it changed with the chance
1 - e^(-rate t), however often it changed in between; counting changes alone would therefore make fast pages slow. Cho and
Garcia-Molina (2003) correct this. After n revisits, always a time t apart, of which x found a change,

    rate = -ln((n - x + 0.5) / (n + 0.5)) / t

where the half keeps the rate of a page that always had changed finite. With unequal times the most likely rate solves

    sum over revisits that found a change of t / (e^(rate t) - 1)  =  sum over the others of t

and half an unchanged revisit of the mean length, added on the right, makes both formulas one.

Most pages were revisited only a few times, and then neither formula helps: a page with two revisits and two changes may change
daily or every minute. So pages are pooled. A belief gives each of 32 rates, from once in five years to once in ten minutes,
its odds. The pages of all sites give the belief about a page of an unknown site; the pages of a site update it
to the belief about a page of that site; those of one kind in the site update it again; the page's
own revisits come last (empirical Bayes; each level counts as `_BORROWED` pages of the next one). Nothing is assumed about the shape of these
beliefs: where half of a site never changes and the other half changes daily, a new page may be either. Pooling matters for the first revisits: at 0.05
revisits a page and day it adds one to two hundredths to the freshness of the first three revisits a page, and nothing after a dozen.

Unlike the formulas, beliefs also say how unsure we are, which a plan of revisits needs. Everything is computed for
blocks of pages, in time and memory proportional to the number of pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

DAY = 86_400.0  # seconds
RATES: Floats = np.geomspace(1 / (5 * 365 * DAY), 1 / 600.0, 32)
"""What a page's rate may be, changes a second: once in five years to once in ten minutes. Faster or slower rates would not change a plan."""

MEMORY = 100.0
"""Revisits that count; older ones fade, because pages change their habits. A limit of taste."""

_BORROWED = 4.0  # pages that a belief counts as, borrowed from all sites or from the whole of a site; a limit of taste
_SAMPLE_SIZE = 20_000  # pages that are enough to learn what is common to all sites; a limit of taste
_LEARNING_STEPS_OF_ALL = 12
"""Steps of learning from all pages; more make that belief too confident (`python -m benchmarks changes`)."""

_LEARNING_STEPS_OF_SITE = 3  # steps of learning from one site, for the same reason
BLOCK = 1 << 15
"""Pages that are worked on at once, which bounds the memory. A limit of taste."""
_HALVINGS = 60  # of an interval: more than the digits of a float
_MAX_INTERVAL = 1e10  # seconds, whatever a clock says: some three hundred years; a limit of taste
_IMPOSSIBLE_LOG = np.float32(-60)
"""Natural logarithm of a chance that counts as zero; a single float can hold it."""


def rate_at_equal_intervals(revisits: float, changed: float, interval: float) -> float:
    """Return the rate that revisits at equal intervals show.

    >>> round(rate_at_equal_intervals(revisits=10, changed=5, interval=DAY) * DAY, 2)
    0.65
    >>> rate_at_equal_intervals(revisits=10, changed=0, interval=DAY)
    0.0
    """
    if revisits <= 0:
        return 0.0
    return float(np.log((revisits + 0.5) / (revisits - changed + 0.5)) / interval)


def rate_at_any_intervals(changed: Sequence[float], unchanged: Sequence[float]) -> float:
    """Return the rate that revisits at any intervals show: the intervals before a change, and those without one.

    >>> round(rate_at_any_intervals(changed=[DAY] * 5, unchanged=[DAY] * 5) * DAY, 2)
    0.65
    """
    times = np.asarray(changed, dtype=np.float64)
    if not times.size:
        return 0.0
    unchanged_time = sum(unchanged) + 0.5 * (sum(changed) + sum(unchanged)) / (len(changed) + len(unchanged))
    low, high = 0.0, len(changed) / unchanged_time
    while _changing(times, high) > unchanged_time:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _changing(times, middle) > unchanged_time else (low, middle)
    return (low + high) / 2


def _changing(times: Floats, rate: float) -> float:
    with np.errstate(over="ignore"):
        return float((times / np.expm1(rate * times)).sum())


class RevisitHistory:
    """The revisits of pages: for every page the log-likelihood of its revisits at each of `RATES`.

    These 32 numbers are all that has to be stored of a page, however often it was revisited and at whatever intervals.
    """

    def __init__(self, logs: Singles) -> None:
        self.logs = logs  # relative to the likeliest rate, which has 0; all 0 for pages without revisits

    @classmethod
    def none(cls, pages: int) -> RevisitHistory:
        """Return the history of so many pages without revisits."""
        return cls(np.zeros((pages, len(RATES)), dtype=np.float32))

    @classmethod
    def unpack(cls, rows: Sequence[bytes]) -> RevisitHistory:
        """Return the revisits of pages that were packed; an empty row is a page without revisits."""
        history = cls.none(len(rows))
        for logs, row in zip(history.logs, rows, strict=True):
            if row:
                logs[:] = np.frombuffer(row, dtype="<f2")
        return history

    def pack(self, page: int) -> bytes:
        """Return the history of a page in 64 bytes, for the store; three digits of each number are precise enough."""
        return bytes(self.logs[page].astype("<f2").tobytes())

    def __len__(self) -> int:
        return len(self.logs)

    def add(self, pages: Ints, times: Floats, changed: Flags, memory: float = MEMORY) -> None:
        """Add one revisit of each of some pages: the time since the revisit before, and whether it found a change."""
        changes = np.clip(times, 1.0, _MAX_INTERVAL)[:, None] * RATES
        news = np.where(changed[:, None], np.log(-np.expm1(-changes)), -changes)
        logs = self.logs[pages] * np.float32(1 - 1 / memory) + news.astype(np.float32)
        logs -= logs.max(axis=1, keepdims=True)
        self.logs[pages] = np.maximum(logs, _IMPOSSIBLE_LOG)

    def likelihoods(self, block: slice | Ints) -> Singles:
        """Return the likelihood of the revisits of pages at each rate, relative to the likeliest rate."""
        return np.exp(self.logs[block])

    def were_revisited(self, block: slice) -> Flags:
        """Return which pages were revisited at all."""
        are_revisited: Flags = self.logs[block].min(axis=1) < 0
        return are_revisited


class RateBeliefs:
    """The belief about the rate of every page: odds for each of `RATES`."""

    def __init__(self, history: RevisitHistory, sites: Ints, kinds: Ints) -> None:
        """Pool pages whose sites and kinds are given as small numbers, from 0."""
        self._history = history
        self._sites = sites
        self._groups, self.kind_sites = _kinds_of_sites(sites, kinds)
        self.of_all = self._learn_all()
        self.of_sites = self._learn(sites, np.broadcast_to(self.of_all, (_count(sites), len(RATES))))
        self.of_kinds = self._learn(self._groups, self.of_sites[self.kind_sites])

    def __len__(self) -> int:
        return len(self._history)

    def blocks(self) -> Iterator[tuple[slice, Singles]]:
        """Yield the beliefs about all pages, block by block."""
        for start in range(0, len(self), BLOCK):
            block = slice(start, min(start + BLOCK, len(self)))
            yield block, self.rows(block)

    def rows(self, pages: slice | Ints) -> Singles:
        """Return the beliefs about some pages: as many rows, with odds that sum up to 1."""
        return _normal(self._history.likelihoods(pages) * self.of_kinds[self._groups[pages]])

    def rates(self) -> Floats:
        """Return the expected rate of every page."""
        rates = np.empty(len(self))
        for block, odds in self.blocks():
            rates[block] = odds @ RATES
        return rates

    def _learn_all(self) -> Singles:
        revisited = np.flatnonzero(self._history.were_revisited(slice(None)))
        belief = np.full(len(RATES), 1 / len(RATES), dtype=np.float32)
        if not len(revisited):
            return belief
        sample = revisited[:: max(len(revisited) // _SAMPLE_SIZE, 1)]
        likelihoods = self._history.likelihoods(sample)
        for _ in range(_LEARNING_STEPS_OF_ALL):
            sums = _normal(likelihoods * belief).sum(axis=0) + belief * _BORROWED
            belief = sums / sums.sum()
        return belief

    def _learn(self, groups: Ints, borrowed: Singles) -> Singles:
        beliefs = borrowed
        for _ in range(_LEARNING_STEPS_OF_SITE):
            sums = borrowed * np.float32(_BORROWED)
            for start in range(0, len(self), BLOCK):
                block = slice(start, start + BLOCK)
                are_revisited = self._history.were_revisited(block)
                odds = _normal(self._history.likelihoods(block) * beliefs[groups[block]])
                _add_by_group(sums, groups[block][are_revisited], odds[are_revisited])
            beliefs = _normal(sums)
        return beliefs


def _kinds_of_sites(sites: Ints, kinds: Ints) -> tuple[Ints, Ints]:
    """Return the number of each page's kind within its site, and the site of each such number."""
    pairs, numbers = np.unique(sites * _count(kinds) + kinds, return_inverse=True)
    return numbers, pairs // max(_count(kinds), 1)


def _count(numbers: Ints) -> int:
    return int(numbers.max(initial=-1)) + 1


def _normal(odds: Singles) -> Singles:
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def _add_by_group(sums: Singles, groups: Ints, odds: Singles) -> None:
    if not len(groups):
        return
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sums[groups[order][starts]] += np.add.reduceat(odds[order], starts, axis=0)
