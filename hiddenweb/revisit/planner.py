"""Which pages to revisit, when there are more pages than revisits.

A page is fresh as long as it is what we saw. Of a page that changes at a known rate, revisited every t seconds, the share of
time that it is fresh is (1 - e^(-rate t)) / (rate t). The plan that keeps most pages fresh revisits those pages whose next revisit
is worth the most,

    value(t) = weight / rate * (1 - e^(-rate t) (1 + rate t)),      t: the time since the last revisit

and with a budget it simply takes the best until the budget is spent (Cho and Garcia-Molina 2003; Azar et al. 2018). Rates are
not known but believed (`hiddenweb.revisit.change_rate`), so the value is the mean over what is believed. A page that may be slow or fast gets
revisits for either, and every revisit says more.

A page that changes faster than we could follow has a small value however long it waits: the best plan by this measure never revisits it
again. We do. With the rates

    rho = (-rate + sqrt(rate^2 + 4 weight rate / L)) / 2,      L such that all rho together spend the budget

which keep pages fresh with no page left out (Kolobov et al. 2019, their measure being the logarithm of freshness), a page is revisited
whatever its value is when it has waited for `PATIENCE` times 1/rho. Such revisits take a fixed share of the budget at most, the longest
wait first, so that a crawl that was off for a month does not forget what it is for.

Revisits that are far apart cannot tell a page that changes every three days from one that changes every hour, and yet the one is worth following and the
other is not. The value of the last page that a budget pays for is the price of a revisit, and 1/price the rate that parts the two; a revisit after a time like
the price tells best on which side a page is. So a part of the budget goes to second revisits, that soon after the first, of pages of which we doubt it most. Where
doubts are settled the part is not used. (Without it, freshness at 0.05 revisits a page and day ends at 0.953 of the optimum instead of 0.975.)

Hosts are polite queues: each has a delay, and a plan holds no more pages of a host than the host can be asked for in its time. Nothing is gained
by planning far ahead, because every revisit changes what is believed: plan for an hour, revisit, and plan again. A page is in a plan
once at most.

A sitemap that dates its pages says which changed, and some sitemaps lie: they date all pages today, or none ever. How often each host was right is counted
(`SitemapTrust`), for pages that were said to have changed and for pages that were not, and Bayes' rule turns what it says
into the odds that the page did. In the value these odds take the place of the time since the last revisit, as the time after which they would be
what they are (Busa-Fekete et al. 2025 call it effective elapsed time). A host of which nothing is known is believed no more than hosts are on average.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from hiddenweb.revisit.change_rate import BLOCK, RATES

if TYPE_CHECKING:
    from hiddenweb.revisit.change_rate import Flags, Floats, Ints, RateBeliefs, Singles

PATIENCE = 8.0
"""How many times longer than its visit rate says a page waits at most. A limit of taste; `python -m benchmarks changes` says what it costs."""

OVERDUE_SHARE = 0.2
"""Of a budget, the most that goes to pages which have waited too long. A limit of taste."""

CURIOUS_SHARE = 0.2
"""Of a budget, the most that goes to pages for what a revisit teaches; the more is known, the less is used. A limit of taste."""

SITEMAP_HOLDS = 3_600.0
"""Seconds for which a sitemap need not be fetched again. A limit of taste."""

IDLE_SITEMAP_HOLDS = 7 * 86_400.0
"""The same of one that was seen to say nothing: a week. A limit of taste."""

_MIN_REVISITS = 5  # revisits that found a change, and as many that found none; a limit of taste
_MAX_SAME_DIFFERENCE = 0.1
"""The difference of two shares up to which a sitemap says nothing; a limit of taste."""

_HALVINGS = 60  # of an interval: more than the digits of a float
_MIN_GAIN = 0.02  # of a doubt that is 0.25 at most; a limit of taste
_BORROWED_REVISITS = 4.0
"""Revisits that what is known of all sitemaps counts as, for each of them; a limit of taste."""


def visit_rates(rates: Floats, per_second: float, weights: Floats | None = None) -> Floats:
    """Return how often each page is revisited, so that none is left out and all together spend the budget.

    >>> rates = np.array([0.01, 1.0, 100.0])
    >>> visit_rates(rates, per_second=3.0).round(2)
    array([0.13, 0.98, 1.89])
    """
    if not len(rates) or per_second <= 0:
        return np.zeros(len(rates))
    weighted = 4 * rates * (1.0 if weights is None else weights)
    squares = rates**2

    def requests_at(price: float) -> Floats:
        # (sqrt(r^2 + w) - r) / 2, written so that nothing cancels where rates are high
        return weighted / price / (2 * (np.sqrt(squares + weighted / price) + rates))

    low = high = len(rates) / per_second
    while requests_at(low).sum() < per_second:
        low /= 4
    while requests_at(high).sum() > per_second:
        high *= 4
    for _ in range(_HALVINGS):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if requests_at(middle).sum() > per_second else (low, middle)
    return requests_at(high)


def freshness(rates: Floats, visits: Floats) -> Floats:
    """Return the share of time that pages are fresh which are revisited so often, at equal intervals.

    >>> freshness(np.array([1.0, 1.0]), np.array([1.0, 0.0])).round(3)
    array([0.632, 0.   ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = rates / visits
        return np.where(visits > 0, np.where(changes > 0, -np.expm1(-changes) / changes, 1.0), 0.0)


@dataclass(slots=True)
class PageStatistics:
    """What a plan has to know of pages, one number of each for every page."""

    hosts: Ints  # from 0
    last_revisit: Floats  # when; -inf: never, or it is not known
    weights: Floats  # how much it matters that the page is fresh; above 0
    said: Ints  # since the last revisit its sitemap said: 1 that it changed, -1 that it did not, 0 nothing


@dataclass(frozen=True, slots=True)
class RevisitResult:
    """What came of a plan."""

    made: int
    expected: float  # the share of these pages that was to have changed
    found: float  # and that had
    fresh: float  # the share of all pages, by weight: those revisited, and of the others as many as believed


@dataclass(frozen=True, slots=True)
class RevisitPlan:
    """The pages to revisit, best first, and what is expected of it."""

    pages: Ints
    not_before: Floats  # seconds after the start of the plan: its host is busy with pages before it
    values: Floats
    changed: Floats  # the chance that the revisit finds a change
    gains: Floats  # what the revisit adds to the share of fresh pages
    overdue: int  # the first so many have waited too long, whatever their value
    curious: int  # the last so many are revisited for what we learn
    fresh_before: float  # expected share of all pages, by weight
    fresh_after: float  # right after the plan, without what changes meanwhile

    def evaluate(self, done: Flags, changed: Flags) -> RevisitResult:
        """Return what came of it, given which of its pages were revisited, and which of these had changed."""
        made = max(int(done.sum()), 1)
        return RevisitResult(
            made=int(done.sum()),
            expected=float(self.changed[done].sum()) / made,
            found=float((changed & done).sum()) / made,
            fresh=self.fresh_before + float(self.gains[done].sum()),
        )


def sitemap_claims(modified: Floats, dated: Floats, last_look: Floats, now: float) -> Ints:
    """Return what sitemaps say of pages since the last revisit: 1 that they changed, -1 that they did not, 0 nothing.

    `modified` is when a page was changed by its sitemap, `dated` when that was read; nan: nothing was. What was read long ago may still say that a page changed
    since the last revisit, but not that it did not.

    >>> nan = np.nan
    >>> sitemap_claims(np.array([5e3, 1e3, 1e3, nan]), np.array([9e3, 9e3, 1e3, nan]), np.array([2e3] * 4), now=9e3).tolist()
    [1, -1, 0, 0]
    """
    is_newer = modified > last_look
    is_older = (modified <= last_look) & (dated > now - SITEMAP_HOLDS)
    said: Ints = np.where(is_newer, 1, np.where(is_older, -1, 0))
    return said


class SitemapTrust:
    """How far the dates in the sitemap of each host are to be believed."""

    def __init__(self, hosts: int, counts: Floats | None = None) -> None:
        self.counts = np.zeros((hosts, 2, 2)) if counts is None else counts  # host, did change, was said

    def add(self, hosts: Ints, said: Ints, changed: Flags) -> None:
        """Take note of revisits of pages of which a sitemap had said something."""
        is_said = said != 0
        np.add.at(
            self.counts,
            (hosts[is_said], changed[is_said].astype(np.int64), (said[is_said] > 0).astype(np.int64)),
            1.0,
        )

    def precision(self) -> Floats:
        """Return, for each host, how many of the pages had changed that it said to have; without any, as many as with all hosts."""
        said = self.counts[:, :, 1]
        of_all = (said.sum(axis=0) + 1) / (said.sum() + 2)
        smooth = said + _BORROWED_REVISITS * of_all
        precision: Floats = smooth[:, 1] / smooth.sum(axis=1)
        return precision

    def are_idle(self) -> Flags:
        """Say of each host whether its sitemap was seen to say the same of pages that changed and of pages that did not."""
        looks = self.counts.sum(axis=2)
        says_changed = self.counts[:, :, 1] / np.maximum(looks, 1)
        idle: Flags = (looks.min(axis=1) >= _MIN_REVISITS) & (
            np.abs(says_changed[:, 1] - says_changed[:, 0]) < _MAX_SAME_DIFFERENCE
        )
        return idle

    def ratios(self, hosts: Ints, said: Ints) -> Floats:
        """Return how many times likelier what was said is of a page that changed than of one that did not."""
        totals = self.counts.sum(axis=0)
        # At first a sitemap is taken to say the same of either page, that is nothing.
        of_all = (totals + _BORROWED_REVISITS / 2) / (totals.sum(axis=1, keepdims=True) + _BORROWED_REVISITS)
        smooth = self.counts + _BORROWED_REVISITS * of_all
        chances = smooth / smooth.sum(axis=2, keepdims=True)
        ratios = chances[:, 1, :] / chances[:, 0, :]
        return np.where(said == 0, 1.0, ratios[hosts, (said > 0).astype(np.int64)])


@dataclass(slots=True)
class RevisitPlanner:
    """Makes plans for pages whose rates are believed."""

    pages: PageStatistics
    beliefs: RateBeliefs
    delays: Floats  # of each host: seconds between two requests
    sitemaps: SitemapTrust | None = None
    patience: float = PATIENCE
    _longest: Floats = field(init=False, default_factory=lambda: np.empty(0))
    _longest_for: float = field(init=False, default=0.0)

    def plan(self, now: float, seconds: float, budget: int, per_second: float | None = None) -> RevisitPlan:
        """Return which pages to revisit in the next seconds, with a budget of so many revisits.

        If so many revisits are not what these seconds usually get, `per_second` says what it is in the long run.
        """
        if budget <= 0 or not len(self.beliefs):
            return self._schedule(np.empty(0, dtype=np.int64), *self._values(now), overdue=0, curious=0)
        values, changed = self._values(now)
        waited = np.maximum(now - self.pages.last_revisit, 0.0)  # clocks may be set back
        late = waited / self.longest_waits(per_second or budget / seconds)
        curiosity = self._curiosity(waited, price=_highest(values, budget))
        open_to = self._polite(values, late, seconds)
        overdue = _best(np.where(late > 1, late, -np.inf), open_to, ceil(budget * OVERDUE_SHARE))
        open_to = open_to[~np.isin(open_to, overdue)]
        curious = _best(curiosity, open_to, int(budget * CURIOUS_SHARE))
        open_to = open_to[~np.isin(open_to, curious)]
        best = _best(values, open_to, budget - len(overdue) - len(curious))
        chosen = np.concatenate([overdue, best, curious])
        return self._schedule(chosen, values, changed, overdue=len(overdue), curious=len(curious))

    def longest_waits(self, per_second: float) -> Floats:
        """Return how long each page waits for a revisit at most, politeness and a rush of such pages aside."""
        if self._longest_for != per_second:
            rates = np.maximum(self.beliefs.rates(), RATES[0])
            self._longest = self.patience / visit_rates(rates, per_second, self.pages.weights)
            self._longest_for = per_second
        return self._longest

    def believe(self, beliefs: RateBeliefs) -> None:
        """Go on with beliefs that were learnt again."""
        self.beliefs, self._longest_for = beliefs, 0.0

    def _values(self, now: float) -> tuple[Floats, Floats]:
        values, changed = np.empty(len(self.beliefs)), np.empty(len(self.beliefs))
        waited = np.maximum(now - self.pages.last_revisit, 0.0).astype(np.float32)
        ratios = self._ratios()
        for block, odds in self.beliefs.blocks():
            values[block], changed[block] = _worth(odds, waited[block], ratios[block])
        return values * self.pages.weights, changed

    def _curiosity(self, waited: Floats, price: float) -> Floats:
        """Return how much a revisit would tell whether a page is worth revisiting, at this price of a revisit; -inf: too little."""
        prices = price / self.pages.weights
        soon = np.flatnonzero((waited > prices / 2) & (waited < prices * 2))
        curiosity = np.full(len(waited), -np.inf)
        for start in range(0, len(soon), BLOCK):
            part = soon[start : start + BLOCK]
            gains = _information_gain(self.beliefs.rows(part), waited[part], prices[part])
            curiosity[part] = np.where(gains > _MIN_GAIN, gains, -np.inf)
        return curiosity

    def _ratios(self) -> Singles:
        if self.sitemaps is None:
            return np.ones(len(self.beliefs), dtype=np.float32)
        return self.sitemaps.ratios(self.pages.hosts, self.pages.said).astype(np.float32)

    def _polite(self, values: Floats, late: Floats, seconds: float) -> Ints:
        """Return the pages that may be in the plan: of each host the best, as many as it can be asked for."""
        most = np.floor(seconds / np.maximum(self.delays, 1e-9)) + 1
        hosts = self.pages.hosts
        order = np.lexsort((-values, -np.maximum(late, 1.0), hosts))
        return order[_rank_in_runs(hosts[order]) < most[hosts[order]]]

    def _schedule(
        self, chosen: Ints, values: Floats, changed: Floats, *, overdue: int, curious: int
    ) -> RevisitPlan:
        hosts = self.pages.hosts[chosen]
        order = np.argsort(hosts, kind="stable")
        turns = np.empty(len(chosen), dtype=np.int64)
        turns[order] = _rank_in_runs(hosts[order])
        weights = self.pages.weights / max(float(self.pages.weights.sum()), 1e-300)
        before = float(((1 - changed) * weights).sum())
        return RevisitPlan(
            pages=chosen,
            not_before=turns * self.delays[hosts],
            values=values[chosen],
            changed=changed[chosen],
            gains=(gains := (changed * weights)[chosen]),
            overdue=overdue,
            curious=curious,
            fresh_before=before,
            fresh_after=before + float(gains.sum()),
        )


def _worth(odds: Singles, waited: Singles, ratios: Singles) -> tuple[Singles, Singles]:
    """Return the value of revisiting pages now, and the chance that they have changed."""
    rates = RATES.astype(np.float32)
    still = np.exp(-np.minimum(rates * waited[:, None], np.float32(80)))
    likelihood = ratios[:, None] * (1 - still) + still
    odds = odds * likelihood
    odds /= odds.sum(axis=1, keepdims=True)
    still /= likelihood
    values = (1 - still * (1 - np.log(still))) / rates
    return np.einsum("pr,pr->p", odds, values), 1 - np.einsum("pr,pr->p", odds, still)


def _information_gain(odds: Singles, waited: Floats, prices: Floats) -> Floats:
    """Return the part of our doubt, whether the rate is one worth following, that a revisit now is expected to take away."""
    worth = odds * (prices[:, None] * RATES < 1)
    finding = -np.expm1(-waited[:, None] * RATES)
    found = (odds * finding).sum(axis=1)
    together = (worth * finding).sum(axis=1) - worth.sum(axis=1) * found
    gain: Floats = together**2 / np.maximum(found * (1 - found), 1e-9)
    return gain


def _highest(values: Floats, count: int) -> float:
    """Return the lowest of the highest values."""
    count = min(count, len(values))
    return float(np.partition(values, -count)[-count])


def _best(values: Floats, pages: Ints, count: int) -> Ints:
    """Return the pages with the highest values, the highest first; -inf is never among them."""
    pages = pages[values[pages] > -np.inf]
    if count < len(pages):
        pages = pages[np.argpartition(-values[pages], count)[:count]]
    return pages[np.argsort(-values[pages], kind="stable")]


def _rank_in_runs(sorted_numbers: Ints) -> Ints:
    """Return the place of each number among those equal to it.

    >>> _rank_in_runs(np.array([0, 0, 0, 4, 4, 7])).tolist()
    [0, 1, 2, 0, 1, 0]
    """
    starts = np.diff(sorted_numbers, prepend=-1) != 0
    places = np.arange(len(sorted_numbers))
    return places - np.maximum.accumulate(np.where(starts, places, 0))
