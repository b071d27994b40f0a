"""Which versions of a page are kept: the first, the newest, and of the others as many as limits allow."""

from __future__ import annotations

import random

import pytest

from hiddenweb.revisit.history import ALL, HistoryLimits, versions_to_drop

DAY = 86_400.0


@pytest.mark.parametrize(
    ("days", "limits", "dropped"),
    [
        ([], HistoryLimits(versions=1, days=1), []),
        ([0], HistoryLimits(versions=1, days=1), []),
        ([0, 1], HistoryLimits(versions=1, days=0.1), []),
        ([0, 1, 2], ALL, []),
        ([0, 1, 2, 3], HistoryLimits(versions=4), []),
        ([0, 1, 2, 3], HistoryLimits(versions=1), [1, 2]),
        (
            [0, 1, 99, 100],
            HistoryLimits(days=30),
            [],
        ),  # what was replaced yesterday was valid for three months
        ([0, 1, 2, 99, 100], HistoryLimits(days=30), [1]),
        ([0, 1, 2, 3, 99, 100], HistoryLimits(versions=5, days=30), [1, 2]),
        ([0, 1, 2, 3, 99, 100], HistoryLimits(versions=3, days=30), [1, 2, 3]),
    ],
)
def test_versions_are_dropped(days: list[float], limits: HistoryLimits, dropped: list[int]) -> None:
    times = [DAY * day for day in days]

    assert list(versions_to_drop(times, limits, max(times, default=0.0))) == dropped


def test_the_first_and_the_newest_are_always_kept() -> None:
    rng = random.Random(3)
    for _ in range(500):
        times = sorted(rng.uniform(0, 100 * DAY) for _ in range(rng.randrange(1, 12)))
        limits = HistoryLimits(rng.randrange(6), rng.choice((0.0, 0.5, 20.0)))
        kept = set(range(len(times))) - set(
            versions_to_drop(times, limits, rng.uniform(times[-1], 200 * DAY))
        )
        assert {0, len(times) - 1} <= kept
        if limits.versions:
            assert len(kept) <= max(limits.versions, 2)
