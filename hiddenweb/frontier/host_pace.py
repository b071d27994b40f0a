"""How fast one host is visited: the politeness of a crawler, as a few numbers for every host.

A host gets at most `at_once` requests at the same time and a delay between their beginnings:

    delay = max(configured delay, Crawl-delay, share of latency * usual latency)

The last term slows us down where a host slows down; it is off where no delay is set. A Crawl-delay counts
from the end of the last answer: so no request arrives too early, whatever the network does. The usual
latency is a moving average: usual <- 0.7 usual + 0.3 latest.

A host that fails is paused for longer each time: after n failures in a row for

    min(first pause * 2^(n-1), longest pause)

and a host that names a time itself (Retry-After) until then. One good answer ends the counting, not the pause.
Time is handed in, in seconds; Retry-After dates need the clock of the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

LONGEST_RETRY_AFTER = 86_400.0
"""A host that names a longer pause is requested again after this time. A limit of taste."""

_SLOWEST_BY_LATENCY = 60.0
"""Seconds of delay that the latency of a slow host can cause at most: a limit of taste."""


@dataclass(slots=True)
class HostPace:
    """The pace of one host: when the next request may begin, and why not earlier."""

    delay: float = 1.0
    at_once: int = 1
    crawl_delay: float = 0.0
    share_of_latency: float = 0.5
    first_pause: float = 5.0
    longest_pause: float = 600.0
    active: int = 0
    failures: int = 0  # in a row
    usual_latency: float = 0.0
    _next: float = -math.inf
    _paused_until: float = -math.inf
    _why: str = ""

    def ready_at(self, now: float) -> float:
        """Return when the next request may begin: now or later; infinity while too many are under way."""
        if self.active >= self.at_once:
            return math.inf
        return max(now, self._next, self._paused_until)

    def note_start(self, now: float) -> None:
        """Note the beginning of a request."""
        self.active += 1
        self._next = now + self.usual_delay()

    def note_answer(self, now: float, latency: float = 0.0) -> None:
        """Note a good answer: any that shows no trouble of the host, 404 included."""
        self.failures = 0
        if latency > 0:
            usual = self.usual_latency
            self.usual_latency = 0.7 * usual + 0.3 * latency if usual else latency
        self.note_end(now)

    def note_failure(self, now: float, why: str) -> None:
        """Note trouble: a 5xx, a timeout, a reset, a host that cannot be reached."""
        self.failures += 1
        seconds = min(self.first_pause * 2.0 ** min(self.failures - 1, 60), self.longest_pause)
        times = f"{self.failures} times in a row" if self.failures > 1 else "once"
        self.pause(now + seconds, f"{why}, {times}")
        self.note_end(now)

    def note_end(self, now: float) -> None:
        """Note the end of a request that shows nothing about the host: refused, cancelled."""
        self.active = max(0, self.active - 1)
        if self.crawl_delay:
            self._next = max(self._next, now + self.crawl_delay)

    def withdraw(self) -> None:
        """Note that a request was never sent: it costs no delay."""
        self.active = max(0, self.active - 1)
        self._next = -math.inf

    def slow_down(self, crawl_delay: float, now: float) -> None:
        """Obey a Crawl-delay from now on; an earlier crawl may have sent the host a request a moment ago."""
        if crawl_delay > self.crawl_delay:
            self.crawl_delay = crawl_delay
            self._next = max(self._next, now + crawl_delay)

    def pause(self, until: float, why: str) -> None:
        """Pause the host until then. A longer pause replaces a shorter one."""
        if until > self._paused_until:
            self._paused_until = until
            self._why = why

    def remaining_pause(self, now: float) -> float:
        """Return for how many seconds the host is still paused."""
        return max(0.0, self._paused_until - now)

    def why_paused(self, now: float) -> str:
        """Say why the host is paused; empty if it is not. A mere delay is no pause."""
        if self._paused_until <= now:
            return ""
        return f"{self._why}; {self._paused_until - now:.0f} s left"

    def usual_delay(self) -> float:
        """Return the seconds between two beginnings."""
        delay = max(self.delay, self.crawl_delay)
        if delay <= 0:
            return 0.0
        return max(delay, min(self.share_of_latency * self.usual_latency, _SLOWEST_BY_LATENCY))


def retry_after(value: str, now: float) -> float | None:
    """Return the seconds to wait by a Retry-After, which names seconds or a date; `now` is like time.time().

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 15.0), retry_after("soon", 0.0)
    (120.0, 45.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:20]), LONGEST_RETRY_AFTER)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    try:
        seconds = date.timestamp() - now
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER)
