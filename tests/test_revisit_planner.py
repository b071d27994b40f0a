"""Which pages to revisit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from timing import within

from benchmarks._changes_freshness import a_world, optimum, simulate
from hiddenweb.revisit.change_rate import DAY, RateBeliefs, RevisitHistory
from hiddenweb.revisit.planner import PageStatistics, RevisitPlanner, SitemapTrust, freshness, visit_rates

if TYPE_CHECKING:
    from hiddenweb.revisit.change_rate import Floats, Ints


def none(count: int) -> Ints:
    return np.zeros(count, dtype=np.int64)


def known(rates: list[float], times: int = 60) -> RevisitHistory:
    """Return a history that leaves little doubt about the rates, in changes a day."""
    chance, history = np.random.default_rng(1), RevisitHistory.none(len(rates))
    true = np.maximum(np.array(rates), 1e-6) / DAY
    for _ in range(times):
        every = chance.exponential(1 / true)
        history.add(np.arange(len(rates)), every, chance.random(len(rates)) < -np.expm1(-true * every))
    return history


def planner(
    history: RevisitHistory,
    *,
    hosts: Ints | None = None,
    last_revisit: Floats | None = None,
    weights: Floats | None = None,
    claims: Ints | None = None,
    sitemaps: SitemapTrust | None = None,
    delay: float = 1.0,
) -> RevisitPlanner:
    count = len(history)
    hosts = none(count) if hosts is None else hosts
    pages = PageStatistics(
        hosts=hosts,
        last_revisit=np.zeros(count) if last_revisit is None else last_revisit,
        weights=np.ones(count) if weights is None else weights,
        claims=none(count) if claims is None else claims,
    )
    delays = np.full(int(hosts.max(initial=0)) + 1, delay)
    return RevisitPlanner(pages, RateBeliefs(history, np.arange(count), none(count)), delays, sitemaps)


def test_pages_revisited_in_the_future_wait_like_those_just_revisited() -> None:
    """A clock may be set back."""
    now, history = 100 * DAY, known([0.1, 1.0, 10.0])

    ahead = planner(history, last_revisit=np.full(3, 9_999 * DAY)).plan(now, DAY, 3)
    just = planner(history, last_revisit=np.full(3, now)).plan(now, DAY, 3)

    assert ahead.pages.tolist() == just.pages.tolist()
    assert ahead.fresh_before == just.fresh_before == pytest.approx(1.0)


# Visit rates


@pytest.mark.parametrize("per_second", [1e-6, 1e-3, 1.0, 1e4])
def test_visit_rates_spend_the_budget_and_leave_no_page_out(per_second: float) -> None:
    rates = np.geomspace(1e-9, 1e3, 50)

    visits = visit_rates(rates, per_second)

    assert visits.sum() == pytest.approx(per_second)
    assert (visits > 0).all()


def test_visit_rates_solve_their_equation() -> None:
    rates, weights = np.array([0.1, 1.0, 5.0]), np.array([1.0, 3.0, 1.0])

    visits = visit_rates(rates, 2.0, weights)

    prices = weights * rates / (visits * (visits + rates))  # the gain of one more visit, equal for all
    assert prices == pytest.approx(prices[0])


def test_no_budget_and_no_pages_are_no_visits() -> None:
    assert visit_rates(np.ones(3), 0.0).tolist() == [0, 0, 0]
    assert visit_rates(np.empty(0), 5.0).size == 0


def test_freshness_is_what_a_simulation_finds() -> None:
    chance = np.random.default_rng(2)
    fresh = np.minimum(chance.exponential(1 / 0.5, 100_000), 3.0).mean() / 3.0

    assert freshness(np.array([0.5]), np.array([1 / 3]))[0] == pytest.approx(fresh, rel=0.01)
    assert freshness(np.array([0.0, 1.0]), np.array([1.0, 0.0])).tolist() == [1.0, 0.0]


# Plans


def test_the_page_that_is_worth_most_comes_first() -> None:
    history = known([0.0001, 0.3, 50.0])

    plan = planner(history).plan(3 * DAY, DAY, budget=3)

    assert plan.pages.tolist() == [1, 0, 2] or plan.pages.tolist() == [1, 2, 0]
    assert (np.diff(plan.values) <= 0).all()
    assert plan.changed[0] == pytest.approx(1 - np.exp(-0.9), abs=0.15)


def test_weight_counts() -> None:
    history = known([0.3, 0.3])

    plan = planner(history, weights=np.array([1.0, 10.0])).plan(DAY, DAY, budget=1)

    assert plan.pages.tolist() == [1]


def test_the_longer_a_page_waits_the_more_a_revisit_is_worth() -> None:
    history = known([0.3, 0.3])

    plan = planner(history, last_revisit=np.array([0.0, -5 * DAY])).plan(DAY, DAY, budget=1)

    assert plan.pages.tolist() == [1]


def test_a_host_gets_no_more_requests_than_its_delay_allows() -> None:
    history = known([0.5] * 60)
    hosts = np.repeat(np.array([0, 1]), [50, 10])

    plan = planner(history, hosts=hosts, delay=10.0).plan(DAY, seconds=100.0, budget=60)

    counts = np.bincount(hosts[plan.pages])
    assert counts.tolist() == [11, 10]
    for host in (0, 1):
        times = plan.not_before[hosts[plan.pages] == host]
        assert times.tolist() == [10.0 * turn for turn in range(len(times))]
        assert times.max() <= 100.0


def test_a_page_is_in_a_plan_once_and_the_budget_is_kept() -> None:
    chance = np.random.default_rng(5)
    history = known(list(10 ** chance.normal(-1, 1, 500)), times=2)

    for budget in (0, 1, 7, 499, 500, 2_000):
        plan = planner(history, last_revisit=-chance.exponential(40 * DAY, 500)).plan(DAY, DAY, budget)
        assert len(set(plan.pages.tolist())) == len(plan.pages) == min(budget, 500)
        assert plan.overdue + plan.learning <= max(len(plan.pages), 0)


def test_pages_without_any_revisit_come_first() -> None:
    history = known([0.3, 0.3, 0.3])

    plan = planner(history, last_revisit=np.array([0.0, -np.inf, 0.0])).plan(DAY, DAY, budget=1)

    assert plan.pages.tolist() == [1]


def test_what_is_expected_is_what_happens() -> None:
    chance = np.random.default_rng(6)
    rates = list(10 ** chance.normal(-0.5, 0.4, 800))
    changed = chance.random(800) < -np.expm1(-np.array(rates) * 2)

    plan = planner(known(rates), delay=0.0).plan(2 * DAY, DAY, budget=400)

    assert plan.fresh_before == pytest.approx(1 - changed.mean(), abs=0.05)
    assert plan.fresh_after > plan.fresh_before + 0.2
    achieved = plan.evaluate(np.ones(400, dtype=np.bool_), changed[plan.pages])
    assert achieved.found == pytest.approx(achieved.expected, abs=0.07)
    assert achieved.fresh == pytest.approx(plan.fresh_after)
    nothing = plan.evaluate(np.zeros(400, dtype=np.bool_), changed[plan.pages])
    assert (nothing.revisits, nothing.found, nothing.fresh) == (0, 0.0, plan.fresh_before)


def test_no_pages_are_no_plan() -> None:
    assert len(planner(RevisitHistory.none(0)).plan(0.0, DAY, 5).pages) == 0


def test_a_page_too_fast_to_follow_is_revisited_all_the_same() -> None:
    history = known([0.3] * 20 + [140.0])
    plans = planner(history, delay=0.0)
    longest = plans.longest_waits(4 / DAY)[20]
    seen, waited = 0.0, []
    for day in range(1, 400):
        plan = plans.plan(day * DAY, DAY, budget=4)
        plans.pages.last_revisit[plan.pages] = day * DAY
        if 20 in plan.pages:
            waited.append(day * DAY - seen)
            seen = day * DAY

    assert len(waited) > 3
    assert max(waited) <= longest + 6 * DAY  # and those that are overdue before it


# Sitemaps


def learnt(hits: int, misses: int, false_alarms: int, silent: int) -> SitemapTrust:
    sitemaps = SitemapTrust(2)
    for count, claim, changed in (
        (hits, 1, True), (misses, -1, True), (false_alarms, 1, False), (silent, -1, False),
    ):  # fmt: skip
        sitemaps.add(none(count), np.full(count, claim), np.full(count, changed))
    return sitemaps


def test_a_sitemap_without_history_says_nothing() -> None:
    sitemaps = SitemapTrust(1)

    assert sitemaps.ratios(none(3), np.array([1, 0, -1])) == pytest.approx(1.0)
    assert sitemaps.precision() == pytest.approx(0.5)


def test_a_sitemap_is_believed_as_far_as_it_was_right() -> None:
    honest, liar = learnt(90, 10, 2, 98), learnt(100, 0, 100, 0)

    assert honest.precision()[0] > 0.9
    assert honest.ratios(none(2), np.array([1, -1]))[0] > 10
    assert honest.ratios(none(2), np.array([1, -1]))[1] < 0.2
    assert liar.precision()[0] == pytest.approx(0.5, abs=0.02)
    assert liar.ratios(none(1), np.array([1])) == pytest.approx(1.0, abs=0.05)


def test_a_host_without_revisits_is_trusted_like_the_average() -> None:
    sitemaps = learnt(90, 10, 2, 98)

    assert 1 < sitemaps.ratios(np.array([1]), np.array([1]))[0] <= sitemaps.ratios(none(1), np.array([1]))[0]


def test_pages_that_an_honest_sitemap_names_come_first() -> None:
    history = known([0.2] * 4)
    claims = np.array([-1, 1, 0, -1])

    plan = planner(history, claims=claims, sitemaps=learnt(90, 10, 2, 98)).plan(DAY, DAY, budget=4)
    unmoved = planner(history, claims=claims, sitemaps=learnt(100, 0, 100, 0)).plan(DAY, DAY, budget=4)

    assert plan.pages[0] == 1
    assert plan.pages[1] == 2
    assert plan.changed[0] > 0.6
    assert np.ptp(unmoved.changed) < 0.2


# All together


def test_unknown_rates_are_learnt_while_pages_are_kept_fresh() -> None:
    chance = np.random.default_rng(7)
    world = a_world(1_000, chance)

    result = simulate(world, budget=0.5, chance=chance, step=0.05)

    best = freshness(world.rates, optimum(world.rates, 0.5 * 1_000 / DAY)).mean()
    assert 0.95 < result.fresh / best < 1.02
    assert result.while_learning[0] < result.fresh
    assert (
        result.longest_wait < 13
    )  # mean intervals: a page waits for 8 / its visit rate, and a little in line


@pytest.mark.parametrize(("pages", "seconds"), [(20_000, 1.0), (100_000, 5.0)])
def test_plans_take_time_that_grows_with_the_pages_alone(pages: int, seconds: float) -> None:
    chance = np.random.default_rng(8)
    history = RevisitHistory.none(pages)
    history.add(np.arange(pages), chance.exponential(DAY, pages), chance.random(pages) < 0.5)
    hosts = chance.integers(0, pages // 50, pages)

    def planned() -> int:
        beliefs = RateBeliefs(history, hosts, chance.integers(0, 4, pages))
        pages_of = PageStatistics(hosts, -chance.exponential(DAY, pages), np.ones(pages), none(pages))
        return len(RevisitPlanner(pages_of, beliefs, np.ones(pages // 50)).plan(0.0, DAY, pages // 10).pages)

    assert within(seconds, planned) == pages // 10


def test_a_sitemap_that_says_the_same_of_all_pages_is_idle_after_enough_revisits() -> None:
    sitemaps = SitemapTrust(3)
    changed = np.arange(20) % 2 == 0

    sitemaps.add(none(20), np.ones(20, dtype=np.int64), changed)
    sitemaps.add(none(20) + 1, np.where(changed, 1, -1), changed)
    sitemaps.add(none(4) + 2, np.ones(4, dtype=np.int64), changed[:4])

    assert sitemaps.are_idle().tolist() == [True, False, False]
