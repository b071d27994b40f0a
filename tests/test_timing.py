"""What judges the others: a polite crawler and quick work are never blamed, what is impolite or slow always is."""

from __future__ import annotations

from itertools import accumulate
from random import Random
from time import process_time

import pytest
from timing import NO_ACCIDENT, delay_was_kept, within

DELAY = 0.3


def noticed(delays: list[float], lags: list[float]) -> list[float]:
    """When a server that needs some time to notice a request is asked by somebody who waits for its answer, and for a delay."""
    times, begun = [0.0 + lags[0]], 0.0
    for delay, lag in zip(delays, lags[1:], strict=True):
        begun = max(begun + delay, times[-1])
        times.append(begun + lag)
    return times


@pytest.mark.parametrize("seed", range(20))
def test_a_polite_crawler_is_never_blamed(seed: int) -> None:
    chance = Random(seed)
    lags = [chance.choice([0.0, 0.1, 2.0]) for _ in range(6)]

    assert delay_was_kept(noticed([DELAY] * 5, lags), DELAY)


@pytest.mark.parametrize(
    "delays",
    [
        pytest.param([DELAY / 2] * 5, id="half the delay"),
        pytest.param([DELAY, DELAY, 0.0, 0.0, DELAY], id="three at once"),
        pytest.param([0.0] * 5, id="no delay"),
    ],
)
def test_an_impolite_crawler_is_blamed(delays: list[float]) -> None:
    assert not delay_was_kept(list(accumulate(delays, initial=0.0)), DELAY)


def test_one_slow_try_is_an_accident_and_three_are_not() -> None:
    tries: list[float] = []

    def slow_at_first() -> str:
        tries.append(spent(0.15 if not tries else 0.0))
        return "done"

    assert within(0.1, slow_at_first) == "done"
    assert len(tries) == 2
    with pytest.raises(AssertionError, match=r"wanted less than 0\.02 s"):
        within(0.02, lambda: spent(0.03))


def test_work_that_is_much_too_slow_gets_no_second_try() -> None:
    tries: list[float] = []

    with pytest.raises(AssertionError, match="wanted less than"):
        within(0.005, lambda: tries.append(spent(0.005 * NO_ACCIDENT)))
    assert len(tries) == 1


def spent(seconds: float) -> float:
    """Keep the processor busy for so long."""
    begun = process_time()
    while process_time() - begun < seconds:
        pass
    return seconds
