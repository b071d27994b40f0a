"""Judging how long things take and how often a site is asked, whatever else the machine has to do."""

from __future__ import annotations

import gc
from itertools import combinations
from time import process_time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

TRIES = 3
NO_ACCIDENT = (
    10  # times as long as it may take: something is remembered then, and a further try would be quick
)


def within(seconds: float, work: Callable[[], T]) -> T:
    """Return what the work gives, which takes less than so many seconds of the processor in the best of three tries.

    The clock of the wall would count other processes, and the garbage collector all that earlier tests have left. What
    remains is a machine whose processors are lent to others for a moment: what is too slow by nature is so each time.
    """
    took: list[float] = []
    while len(took) < TRIES and max(took, default=0.0) < NO_ACCIDENT * seconds:
        done, needed = _timed(work)
        took.append(needed)
        if needed < seconds:
            return done
    tried = ", ".join(f"{needed:.3f}" for needed in took)
    raise AssertionError(f"took {tried} s of the processor, wanted less than {seconds} s")


def delay_was_kept(times: Sequence[float], delay: float) -> bool:
    """Whether a server that was asked at these times got one request at a time, with a delay between their beginnings.

    A busy machine lets a server notice a request any time after its beginning, and no pair of times proves anything.
    But the next request begins after the first was noticed and answered, and each further one a delay later. So in
    every row of requests all intervals but one have their delay, and a polite crawler is never blamed.
    """
    rows = combinations(range(len(times)), 2)
    return all(times[last] - times[first] > (last - first - 1) * delay - 0.01 for first, last in rows)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    collects = gc.isenabled()
    gc.disable()
    try:
        started = process_time()
        done = work()
        return done, process_time() - started
    finally:
        if collects:
            gc.enable()
