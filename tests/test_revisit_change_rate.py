"""How often pages change."""

from __future__ import annotations

import numpy as np
import pytest

from hiddenweb.revisit.change_rate import (
    DAY,
    RATES,
    RateBeliefs,
    RevisitHistory,
    rate_at_any_intervals,
    rate_at_equal_intervals,
)


def revisit_pages(rates: list[float], times: int, interval: float, seed: int = 1) -> RevisitHistory:
    """Revisit pages with these rates at equal intervals."""
    chance, history = np.random.default_rng(seed), RevisitHistory.none(len(rates))
    pages, every = np.arange(len(rates)), np.full(len(rates), interval)
    for _ in range(times):
        history.add(pages, every, chance.random(len(rates)) < -np.expm1(-np.array(rates) * interval))
    return history


def numbers(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize(
    ("revisits", "changed", "per_day"),
    [
        (0, 0, 0.0),
        (10, 0, 0.0),
        (10, 5, np.log(10.5 / 5.5)),
        (10, 10, np.log(21)),  # always changed, but the rate is finite
    ],
)
def test_revisits_at_equal_intervals_give_a_rate(revisits: int, changed: int, per_day: float) -> None:
    assert rate_at_equal_intervals(revisits, changed, DAY) * DAY == pytest.approx(per_day)


@pytest.mark.parametrize(("changed", "unchanged"), [(1, 9), (5, 5), (9, 1), (4, 0)])
def test_both_formulas_agree_at_equal_intervals(changed: int, unchanged: int) -> None:
    general = rate_at_any_intervals([DAY] * changed, [DAY] * unchanged)

    assert general == pytest.approx(rate_at_equal_intervals(changed + unchanged, changed, DAY))


def test_revisits_at_unequal_intervals_give_the_likeliest_rate() -> None:
    chance, rate = np.random.default_rng(3), 0.3 / DAY
    times = chance.exponential(4 * DAY, 4_000)
    changed = chance.random(4_000) < -np.expm1(-rate * times)

    assert rate_at_any_intervals(list(times[changed]), list(times[~changed])) == pytest.approx(rate, rel=0.06)


def test_extreme_intervals_do_no_harm() -> None:
    assert rate_at_any_intervals([], [DAY]) == 0.0
    assert 0 < rate_at_any_intervals([1e-3], [1e9]) < 1e-8
    assert 0 < rate_at_any_intervals([1e9] * 50, []) < 1e-6


def test_counting_is_corrected_where_pages_change_more_often_than_they_are_revisited() -> None:
    history = revisit_pages([1.0 / DAY] * 200, times=40, interval=2 * DAY)

    rates = RateBeliefs(history, np.zeros(200, dtype=np.int64), np.zeros(200, dtype=np.int64)).rates()

    assert np.median(rates) * DAY == pytest.approx(1.0, rel=0.2)  # changes that were seen: 0.43 a day


def test_without_revisits_no_rate_is_preferred() -> None:
    beliefs = RateBeliefs(RevisitHistory.none(3), numbers(0, 0, 1), numbers(0, 1, 0))

    assert beliefs.rows(slice(None)) == pytest.approx(1 / len(RATES))


def test_a_new_page_borrows_from_its_site() -> None:
    fast, slow = [1.0 / DAY] * 40, [0.001 / DAY] * 40
    history = revisit_pages([*fast, *slow], times=6, interval=DAY)
    history.logs[[0, 40]] = 0  # never revisited
    sites = np.repeat(numbers(0, 1), 40)

    rates = RateBeliefs(history, sites, np.zeros(80, dtype=np.int64)).rates() * DAY

    assert rates[0] > 20 * rates[40]
    assert 0.3 < rates[0] < 3.0


def test_a_new_page_borrows_from_its_kind_within_the_site() -> None:
    history = revisit_pages([1.0 / DAY, 0.001 / DAY] * 40, times=6, interval=DAY)
    history.logs[:2] = 0
    kinds = np.tile(numbers(0, 1), 40)

    rates = RateBeliefs(history, np.zeros(80, dtype=np.int64), kinds).rates() * DAY

    assert rates[0] > 10 * rates[1]


def test_many_revisits_of_a_page_outweigh_its_site() -> None:
    history = revisit_pages([1.0 / DAY] * 60, times=30, interval=DAY)
    history.logs[0] = revisit_pages([0.0], times=60, interval=DAY).logs[0]

    rates = RateBeliefs(history, np.zeros(60, dtype=np.int64), np.zeros(60, dtype=np.int64)).rates() * DAY

    assert rates[0] < 0.05
    assert np.median(rates) == pytest.approx(1.0, rel=0.3)


def test_one_short_interval_with_a_change_counts_among_long_ones() -> None:
    long_only, with_short = RevisitHistory.none(1), RevisitHistory.none(1)
    for history in (long_only, with_short):
        for _ in range(5):
            history.add(numbers(0), np.array([30 * DAY]), np.array([True]))
    with_short.add(numbers(0), np.array([0.1 * DAY]), np.array([True]))
    slow = int(np.abs(RATES * DAY - 0.1).argmin())

    assert with_short.logs[0, slow] < long_only.logs[0, slow] - 3


def test_a_page_that_changes_its_habits_is_followed() -> None:
    history = revisit_pages([2.0 / DAY], times=300, interval=DAY)
    for _ in range(150):
        history.add(numbers(0), np.array([DAY]), np.array([False]))

    assert RateBeliefs(history, numbers(0), numbers(0)).rates()[0] * DAY < 0.5


def test_beliefs_are_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(4)
    history = revisit_pages(list(10 ** chance.normal(-1, 1, 100) / DAY), times=4, interval=3 * DAY)
    sites, kinds = chance.integers(0, 7, 100), chance.integers(0, 3, 100)
    whole = RateBeliefs(history, sites, kinds).rates()

    monkeypatch.setattr("hiddenweb.revisit.change_rate.BLOCK", 17)

    assert RateBeliefs(history, sites, kinds).rates() == pytest.approx(whole, rel=1e-3)


def test_a_history_is_stored_in_few_bytes() -> None:
    history = revisit_pages([0.01 / DAY, 0.3 / DAY, 20.0 / DAY], times=20, interval=3 * DAY)
    sites = numbers(0, 1, 2)

    unpacked = RevisitHistory.unpack([*(history.pack(page) for page in range(3)), b""])

    assert len(history.pack(0)) == 64
    assert RateBeliefs(unpacked, numbers(0, 1, 2, 3), numbers(0, 0, 0, 0)).rates()[:3] == pytest.approx(
        RateBeliefs(history, sites, numbers(0, 0, 0)).rates(), rel=0.02
    )
    assert not unpacked.were_revisited(slice(3, 4)).any()


def test_a_clock_that_stops_or_jumps_does_no_harm() -> None:
    history = RevisitHistory.none(4)
    for changed in (True, False):
        history.add(np.arange(4), np.array([0.0, -5.0, np.inf, 1e300]), np.full(4, changed))

    assert np.isfinite(RateBeliefs(history, np.arange(4), np.zeros(4, dtype=np.int64)).rates()).all()


def test_no_pages_are_no_problem() -> None:
    assert RateBeliefs(RevisitHistory.none(0), numbers(), numbers()).rates().size == 0
