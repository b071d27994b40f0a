"""Which pages to revisit, when there are more pages than revisits.

A page is fresh until it changes after our last visit. A page that changes at a known rate and is revisited every t seconds is fresh
for the share (1 - e^(-rate t)) / (rate t) of the time. The plan that keeps most pages fresh revisits the pages whose next revisit
has the highest value,

    value(t) = weight / rate * (1 - e^(-rate t) (1 + rate t)),      t: the time since the last revisit

and takes the best until the budget is spent (Cho and Garcia-Molina 2003; Azar et al. 2018). Rates are
not known but believed (`hiddenweb.revisit.change_rate`), so the value is the mean over the beliefs. A page that may be slow or fast gets
revisits for both cases, and every revisit teaches more.

A page that changes faster than we could follow has a small value however long it waits: by this measure the best plan never revisits it
again. We do. With the rates

    rho = (-rate + sqrt(rate^2 + 4 weight rate / L)) / 2,      L such that all rho together spend the budget

which leave no page out (Kolobov et al. 2019, who measure the logarithm of freshness), a page is revisited
whatever its value is when it has waited for `PATIENCE` times 1/rho. Such revisits take a limited share of the budget, the longest
wait first, so that they do not use up the whole budget after a long pause of the crawl.

Rare revisits cannot distinguish a page that changes every three days from one that changes every hour, and yet the first is worth following and the
second is not. The value of the last page that a budget pays for is the price of a revisit, and 1/price is the rate that separates the two kinds; a revisit after about
that time shows best which kind a page is. So a share of the budget goes to early second revisits of the pages whose kind is most uncertain. Where
nothing is uncertain the share is not used. (Without it, freshness at 0.05 revisits a page and day ends at 0.953 of the optimum instead of 0.975.)

Each host has a delay, and a plan holds no more pages of a host than it may be asked for in the time of the plan. Planning far ahead gains
nothing, because every revisit changes the beliefs: plan for an hour, revisit, and plan again. A page is at most once in a plan.

A sitemap that dates its pages says which changed, and some sitemaps are wrong: they date all pages today, or never update a date. `SitemapTrust` counts how often each host
was right, for pages that it reported as changed and for the others, and Bayes' rule turns its statements
into the odds that a page changed. In the value these odds replace the time since the last revisit, by the time after which they would be
equal (Busa-Fekete et al. 2025 call it effective elapsed time). A host without history is trusted like the average host.
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
"""How many times longer a page may wait than its visit rate says. A limit of taste; `python -m benchmarks changes` measures its cost."""

OVERDUE_SHARE = 0.2
"""The largest share of a budget for pages that have waited too long. A limit of taste."""

LEARNING_SHARE = 0.2
"""The largest share of a budget for revisits that are made to learn; the more is known, the less is used. A limit of taste."""

SITEMAP_HOLDS = 3_600.0
"""Seconds for which a sitemap need not be fetched again. A limit of taste."""

IDLE_SITEMAP_HOLDS = 7 * 86_400.0
"""The same for a sitemap whose dates proved useless: a week. A limit of taste."""

_MIN_REVISITS = 5  # revisits with a change, and as many without; a limit of taste
_MAX_SAME_DIFFERENCE = 0.1
"""The difference of two shares up to which a sitemap is useless; a limit of taste."""

_HALVINGS = 60  # of an interval: more than the digits of a float
_MIN_GAIN = 0.02  # reduction of a variance that is 0.25 at most; a limit of taste
_BORROWED_REVISITS = 4.0
"""Revisits that the average of all sitemaps counts as, for each sitemap; a limit of taste."""


def visit_rates(rates: Floats, per_second: float, weights: Floats | None = None) -> Floats:
    """Return how often to revisit each page, so that none is left out and all together spend the budget.

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
    """Return the share of time that pages are fresh, given how often they are revisited at equal intervals.

    >>> freshness(np.array([1.0, 1.0]), np.array([1.0, 0.0])).round(3)
    array([0.632, 0.   ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = rates / visits
        return np.where(visits > 0, np.where(changes > 0, -np.expm1(-changes) / changes, 1.0), 0.0)


@dataclass(slots=True)
class PageStatistics:
    """What a plan needs to know of pages: arrays with one number for every page."""

    hosts: Ints  # from 0
    last_revisit: Floats  # time; -inf: never, or unknown
    weights: Floats  # how much it matters that the page is fresh; above 0
    claims: Ints  # of the sitemap since the last revisit: 1 it changed, -1 it did not, 0 nothing


@dataclass(frozen=True, slots=True)
class RevisitResult:
    """The result of a plan."""

    revisits: int
    expected: float  # the share of these pages that was expected to have changed
    found: float  # the share that had changed
    fresh: float  # the share of all pages, by weight: the revisited ones, and the others as far as believed


@dataclass(frozen=True, slots=True)
class RevisitPlan:
    """The pages to revisit, best first, and what is expected of it."""

    pages: Ints
    not_before: Floats  # seconds after the start of the plan: until then its host is busy
    values: Floats
    changed: Floats  # the chance that the revisit finds a change
    gains: Floats  # what the revisit adds to the share of fresh pages
    overdue: int  # the first so many have waited too long, whatever their value
    learning: int  # the last so many are revisited to learn
    fresh_before: float  # expected share of all pages, by weight
    fresh_after: float  # right after the plan, without changes meanwhile

    def evaluate(self, done: Flags, changed: Flags) -> RevisitResult:
        """Return the result of the plan, given which of its pages were revisited, and which of these had changed."""
        count = max(int(done.sum()), 1)
        return RevisitResult(
            revisits=int(done.sum()),
            expected=float(self.changed[done].sum()) / count,
            found=float((changed & done).sum()) / count,
            fresh=self.fresh_before + float(self.gains[done].sum()),
        )


def sitemap_claims(modified: Floats, dated: Floats, last_revisit: Floats, now: float) -> Ints:
    """Return the claims of sitemaps about pages since the last revisit: 1 they changed, -1 they did not, 0 nothing.

    `modified` is the date of a page in its sitemap, `dated` when the sitemap was read; nan: there is none. A sitemap that was read long ago may still say that
    a page changed since the last revisit, but not that it did not.

    >>> nan = np.nan
    >>> sitemap_claims(np.array([5e3, 1e3, 1e3, nan]), np.array([9e3, 9e3, 1e3, nan]), np.array([2e3] * 4), now=9e3).tolist()
    [1, -1, 0, 0]
    """
    is_newer = modified > last_revisit
    is_older = (modified <= last_revisit) & (dated > now - SITEMAP_HOLDS)
    claims: Ints = np.where(is_newer, 1, np.where(is_older, -1, 0))
    return claims


class SitemapTrust:
    """How far the dates in the sitemap of each host can be trusted."""

    def __init__(self, hosts: int, counts: Floats | None = None) -> None:
        self.counts = (
            np.zeros((hosts, 2, 2)) if counts is None else counts
        )  # by host, change found, change claimed

    def add(self, hosts: Ints, claims: Ints, changed: Flags) -> None:
        """Count revisits of pages about which a sitemap had made a claim."""
        is_claimed = claims != 0
        np.add.at(
            self.counts,
            (
                hosts[is_claimed],
                changed[is_claimed].astype(np.int64),
                (claims[is_claimed] > 0).astype(np.int64),
            ),
            1.0,
        )

    def precision(self) -> Floats:
        """Return for each host the share of its claimed changes that were right; without any, the share of all hosts."""
        claimed = self.counts[:, :, 1]
        of_all = (claimed.sum(axis=0) + 1) / (claimed.sum() + 2)
        smooth = claimed + _BORROWED_REVISITS * of_all
        precision: Floats = smooth[:, 1] / smooth.sum(axis=1)
        return precision

    def are_idle(self) -> Flags:
        """Return for each host whether its sitemap says the same of changed and of unchanged pages."""
        revisits = self.counts.sum(axis=2)
        claimed_shares = self.counts[:, :, 1] / np.maximum(revisits, 1)
        idle: Flags = (revisits.min(axis=1) >= _MIN_REVISITS) & (
            np.abs(claimed_shares[:, 1] - claimed_shares[:, 0]) < _MAX_SAME_DIFFERENCE
        )
        return idle

    def ratios(self, hosts: Ints, claims: Ints) -> Floats:
        """Return how many times likelier each claim is about a page that changed than about one that did not."""
        totals = self.counts.sum(axis=0)
        # At first a sitemap is assumed to say the same of both kinds of pages, that is nothing.
        of_all = (totals + _BORROWED_REVISITS / 2) / (totals.sum(axis=1, keepdims=True) + _BORROWED_REVISITS)
        smooth = self.counts + _BORROWED_REVISITS * of_all
        chances = smooth / smooth.sum(axis=2, keepdims=True)
        ratios = chances[:, 1, :] / chances[:, 0, :]
        return np.where(claims == 0, 1.0, ratios[hosts, (claims > 0).astype(np.int64)])


@dataclass(slots=True)
class RevisitPlanner:
    """Makes plans for pages from beliefs about their rates."""

    pages: PageStatistics
    beliefs: RateBeliefs
    delays: Floats  # of each host: seconds between two requests
    sitemaps: SitemapTrust | None = None
    patience: float = PATIENCE
    _longest: Floats = field(init=False, default_factory=lambda: np.empty(0))
    _longest_for: float = field(init=False, default=0.0)

    def plan(self, now: float, seconds: float, budget: int, per_second: float | None = None) -> RevisitPlan:
        """Return which pages to revisit in the next seconds, with a budget of so many revisits.

        If this budget is unusual for the time, `per_second` is the long-term budget.
        """
        if budget <= 0 or not len(self.beliefs):
            return self._schedule(np.empty(0, dtype=np.int64), *self._values(now), overdue=0, learning=0)
        values, changed = self._values(now)
        waited = np.maximum(now - self.pages.last_revisit, 0.0)  # clocks may be set back
        late = waited / self.longest_waits(per_second or budget / seconds)
        learning_gains = self._learning_gains(waited, price=_highest(values, budget))
        allowed = self._polite(values, late, seconds)
        overdue = _best(np.where(late > 1, late, -np.inf), allowed, ceil(budget * OVERDUE_SHARE))
        allowed = allowed[~np.isin(allowed, overdue)]
        learning = _best(learning_gains, allowed, int(budget * LEARNING_SHARE))
        allowed = allowed[~np.isin(allowed, learning)]
        best = _best(values, allowed, budget - len(overdue) - len(learning))
        chosen = np.concatenate([overdue, best, learning])
        return self._schedule(chosen, values, changed, overdue=len(overdue), learning=len(learning))

    def longest_waits(self, per_second: float) -> Floats:
        """Return how long each page may wait for a revisit, apart from politeness and a rush of overdue pages."""
        if self._longest_for != per_second:
            rates = np.maximum(self.beliefs.rates(), RATES[0])
            self._longest = self.patience / visit_rates(rates, per_second, self.pages.weights)
            self._longest_for = per_second
        return self._longest

    def believe(self, beliefs: RateBeliefs) -> None:
        """Continue with new beliefs."""
        self.beliefs, self._longest_for = beliefs, 0.0

    def _values(self, now: float) -> tuple[Floats, Floats]:
        values, changed = np.empty(len(self.beliefs)), np.empty(len(self.beliefs))
        waited = np.maximum(now - self.pages.last_revisit, 0.0).astype(np.float32)
        ratios = self._ratios()
        for block, odds in self.beliefs.blocks():
            values[block], changed[block] = _worth(odds, waited[block], ratios[block])
        return values * self.pages.weights, changed

    def _learning_gains(self, waited: Floats, price: float) -> Floats:
        """Return how much a revisit would teach about whether a page is worth revisiting at this price; -inf: too little."""
        prices = price / self.pages.weights
        candidates = np.flatnonzero((waited > prices / 2) & (waited < prices * 2))
        learning_gains = np.full(len(waited), -np.inf)
        for start in range(0, len(candidates), BLOCK):
            part = candidates[start : start + BLOCK]
            gains = _information_gain(self.beliefs.rows(part), waited[part], prices[part])
            learning_gains[part] = np.where(gains > _MIN_GAIN, gains, -np.inf)
        return learning_gains

    def _ratios(self) -> Singles:
        if self.sitemaps is None:
            return np.ones(len(self.beliefs), dtype=np.float32)
        return self.sitemaps.ratios(self.pages.hosts, self.pages.claims).astype(np.float32)

    def _polite(self, values: Floats, late: Floats, seconds: float) -> Ints:
        """Return the pages that may be in the plan: the best of each host, as many as politeness allows."""
        max_pages = np.floor(seconds / np.maximum(self.delays, 1e-9)) + 1
        hosts = self.pages.hosts
        order = np.lexsort((-values, -np.maximum(late, 1.0), hosts))
        return order[_rank_in_runs(hosts[order]) < max_pages[hosts[order]]]

    def _schedule(
        self, chosen: Ints, values: Floats, changed: Floats, *, overdue: int, learning: int
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
            learning=learning,
            fresh_before=before,
            fresh_after=before + float(gains.sum()),
        )


def _worth(odds: Singles, waited: Singles, ratios: Singles) -> tuple[Singles, Singles]:
    """Return the value of revisiting pages now, and the chance that they have changed."""
    rates = RATES.astype(np.float32)
    unchanged = np.exp(-np.minimum(rates * waited[:, None], np.float32(80)))
    likelihood = ratios[:, None] * (1 - unchanged) + unchanged
    odds = odds * likelihood
    odds /= odds.sum(axis=1, keepdims=True)
    unchanged /= likelihood
    values = (1 - unchanged * (1 - np.log(unchanged))) / rates
    return np.einsum("pr,pr->p", odds, values), 1 - np.einsum("pr,pr->p", odds, unchanged)


def _information_gain(odds: Singles, waited: Floats, prices: Floats) -> Floats:
    """Return the share of the uncertainty, whether a rate is worth following, that a revisit now is expected to remove."""
    worth = odds * (prices[:, None] * RATES < 1)
    finding = -np.expm1(-waited[:, None] * RATES)
    found = (odds * finding).sum(axis=1)
    together = (worth * finding).sum(axis=1) - worth.sum(axis=1) * found
    gain: Floats = together**2 / np.maximum(found * (1 - found), 1e-9)
    return gain


def _highest(values: Floats, count: int) -> float:
    """Return the lowest of the `count` highest values."""
    count = min(count, len(values))
    return float(np.partition(values, -count)[-count])


def _best(values: Floats, pages: Ints, count: int) -> Ints:
    """Return the pages with the highest values, the highest first; -inf is never among them."""
    pages = pages[values[pages] > -np.inf]
    if count < len(pages):
        pages = pages[np.argpartition(-values[pages], count)[:count]]
    return pages[np.argsort(-values[pages], kind="stable")]


def _rank_in_runs(sorted_numbers: Ints) -> Ints:
    """Return the index of each number among those equal to it.

    >>> _rank_in_runs(np.array([0, 0, 0, 4, 4, 7])).tolist()
    [0, 1, 2, 0, 1, 0]
    """
    starts = np.diff(sorted_numbers, prepend=-1) != 0
    places = np.arange(len(sorted_numbers))
    return places - np.maximum.accumulate(np.where(starts, places, 0))
