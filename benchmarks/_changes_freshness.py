"""How fresh pages are kept whose rates nobody knows: 20,000 of them, simulated look by look.

Sites differ in how often they change, the kinds of their pages do (home, lists, articles, imprints; not by the same factors on every site), and within a kind of
a site pages differ still: each by a log-normal factor, so that rates span seven orders of magnitude. Of all pages 15 % never change in practice. Sites
have sizes by a power law: half of them have 35 pages or fewer, and half of their kinds 8 or fewer. All rates are multiplied so that looking at every page equally often keeps
68.6 % of them fresh at 0.2 looks a page and day: pages are neither so slow that any plan would do, nor so fast that none would. Then 18 % of pages change more
than daily, 22 % weekly, 17 % monthly, 13 % every four months, 31 % less often; Cho and Garcia-Molina (2000) found 23, 15, 16, 16 and 30 % on the web.

A look tells whether a page changed since the look before and nothing else; that is all that ours learns from. It starts knowing nothing
but the sites and kinds of pages, each seen once. `WARM_UP` looks a page are not counted; what was reached before is in `while_learning`. Beside it, all with the
true rates, which is more than they would have: uniform (every page equally often), proportional (each as often as it changes), formula (the visit rates
that leave no page out), and the optimum, which gives each page the interval at which its next look has the same value (found by halving; it never looks at some pages again, ours does).
`longest_wait` is the longest that any page waited, in mean intervals: 1 if all were revisited in turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.report import table
from hiddenweb.revisit.change_rate import DAY, RateBeliefs, RevisitHistory
from hiddenweb.revisit.planner import PageStatistics, RevisitPlanner, freshness, visit_rates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddenweb.revisit.change_rate import Floats, Ints

    Chance = np.random.Generator

BUDGETS = (0.05, 0.2, 0.5)  # looks a page and day
WARM_UP = 12.0  # looks a page
MEASURED = 4.0  # after it
UNIFORM = (0.2, 0.686)  # so many looks a page and day keep so many pages fresh if all are revisited in turns
DELAY = 5.0  # seconds between two requests to a host

_HALVINGS = 60
_PAGES_OF_SITE = 60  # on average
_KINDS = np.array([0.03, 0.22, 0.6, 0.15])  # how many pages are of each
_FASTER = np.array([1.4, 0.8, 0.0, -1.2])  # powers of ten
_NEVER = 0.15  # of all pages
_OWN = 0.5  # powers of ten by which pages of one kind of a site differ
_SHOWN = ("uniform", "proportional", "formula", "ours", "optimum", "freshness_vs_optimum", "longest_wait")
_REFITTED = 0.2  # looks a page after which beliefs are pooled anew


@dataclass(frozen=True, slots=True)
class World:
    """Pages, and what only the simulation knows of them."""

    sites: Ints
    kinds: Ints
    rates: Floats

    def __len__(self) -> int:
        return len(self.rates)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a plan reached."""

    fresh: float
    while_learning: tuple[float, ...]  # in each look a page of the warm-up
    longest_wait: float  # in mean intervals
    overdue: float  # share of looks that went to pages because they had waited too long


def run(seed: int, *, quick: bool) -> Mapping[str, object]:
    """Return the figures of all budgets."""
    chance = np.random.default_rng(seed)
    world = a_world(2_500 if quick else 20_000, chance)
    figures, learning = {}, {}
    for budget in BUDGETS:
        figures[str(budget)], learning[str(budget)] = _figures(world, budget, chance, quick=quick)
    print(
        table(["looks", *_SHOWN], [[name, *(each[key] for key in _SHOWN)] for name, each in figures.items()])
    )
    return {
        "pages": len(world),
        "warm_up_looks_per_page": WARM_UP,
        "freshness_vs_optimum": min(each["freshness_vs_optimum"] for each in figures.values()),
        "longest_wait": max(each["longest_wait"] for each in figures.values()),
        "budgets": figures,
        "while_learning": learning,
    }


def _figures(
    world: World, budget: float, chance: Chance, *, quick: bool
) -> tuple[dict[str, float], list[float]]:
    per_second = budget * len(world) / DAY
    best = _mean_freshness(world, optimum(world.rates, per_second))
    kept = simulate(world, budget, chance, step=0.04 if quick else 0.02)
    figures = {
        "uniform": _mean_freshness(world, np.full(len(world), budget / DAY)),
        "proportional": _mean_freshness(world, world.rates * (per_second / world.rates.sum())),
        "formula": _mean_freshness(world, visit_rates(world.rates, per_second)),
        "ours": kept.fresh,
        "optimum": best,
        "freshness_vs_optimum": kept.fresh / best,
        "longest_wait": kept.longest_wait,
        "longest_wait_days": kept.longest_wait / budget,
        "overdue": kept.overdue,
    }
    return figures, [fresh / best for fresh in kept.while_learning]


def _mean_freshness(world: World, visits: Floats) -> float:
    return float(freshness(world.rates, visits).mean())


def a_world(pages: int, chance: Chance) -> World:
    """Return pages of sites and kinds, with rates that are hard to guess."""
    count = max(pages // _PAGES_OF_SITE, 1)
    sizes = np.minimum(chance.pareto(1.2, count) + 1, count / 20 + 1)
    sites = chance.choice(count, pages, p=sizes / sizes.sum())
    kinds = chance.choice(len(_KINDS), pages, p=_KINDS)
    powers = chance.normal(0.0, 0.8, count)[sites]
    powers += (_FASTER + chance.normal(0.0, 0.4, (count, len(_KINDS))))[sites, kinds]
    powers += chance.normal(0.0, _OWN, pages)
    rates = np.where(chance.random(pages) < _NEVER, 0.0, 10**powers)
    return World(sites, kinds, np.maximum(_scale(rates), 1e-5 / DAY))


def _scale(rates: Floats) -> Floats:
    looks, wanted = UNIFORM
    low, high = 1e-6, 1e6
    for _ in range(_HALVINGS):
        middle = (low * high) ** 0.5
        fresh = freshness(rates * middle, np.full(len(rates), looks)).mean()
        low, high = (middle, high) if fresh > wanted else (low, middle)
    return rates * high / DAY


def optimum(rates: Floats, per_second: float) -> Floats:
    """Return how often each page is revisited by the plan that keeps most pages fresh."""
    low, high = 1.0, 1e12
    for _ in range(_HALVINGS):
        price = (low * high) ** 0.5
        low, high = (price, high) if _rates_at_price(rates, price).sum() > per_second else (low, price)
    return _rates_at_price(rates, high)


def _rates_at_price(rates: Floats, price: float) -> Floats:
    """Return the visit rates at which the value of the next look is this much; 0 where it never is."""
    wanted = rates * price
    low, high = np.full(len(rates), 1e-9), np.full(len(rates), 80.0)
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        short = 1 - np.exp(-middle) * (1 + middle) < wanted
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.where(wanted < 1, rates / high, 0.0)


def simulate(world: World, budget: float, chance: Chance, step: float) -> Kept:
    """Let ours look at pages for the warm-up and the time that is measured, planning anew after `step` looks a page."""
    count, seconds = len(world), step / budget * DAY
    looks = RevisitHistory.none(count)
    pages = PageStatistics(
        hosts=world.sites,
        last_revisit=-chance.random(count) * DAY / budget,
        weights=np.ones(count),
        claims=np.zeros(count, dtype=np.int64),
    )
    fresh_until = pages.last_revisit + chance.exponential(1 / world.rates)
    planner = RevisitPlanner(
        pages, RateBeliefs(looks, world.sites, world.kinds), np.full(int(world.sites.max()) + 1, DELAY)
    )
    steps = round((WARM_UP + MEASURED) / step)
    fresh, overdue, longest = np.zeros(steps), np.zeros(steps), 0.0
    for at in range(steps):
        if at % round(_REFITTED / step) == 0:
            planner.believe(RateBeliefs(looks, world.sites, world.kinds))
        now = at * seconds
        plan = planner.plan(now, seconds, round(step * count))
        chosen, waited = plan.pages, now - pages.last_revisit[plan.pages]
        longest = max(longest, float(waited.max()))
        looks.add(chosen, waited, fresh_until[chosen] <= now)
        pages.last_revisit[chosen] = now
        fresh_until[chosen] = now + chance.exponential(1 / world.rates[chosen])
        fresh[at] = np.clip((fresh_until - now) / seconds, 0.0, 1.0).mean()
        overdue[at] = plan.overdue / len(chosen)
    longest = max(longest, float(now - pages.last_revisit.min()))
    learnt = round(WARM_UP / step)
    return Kept(
        fresh=float(fresh[learnt:].mean()),
        while_learning=tuple(float(part.mean()) for part in np.split(fresh[:learnt], round(WARM_UP))),
        longest_wait=longest * budget / DAY,
        overdue=float(overdue[learnt:].mean()),
    )


if __name__ == "__main__":
    import json
    import sys

    print(json.dumps(run(1, quick="--quick" in sys.argv)))
