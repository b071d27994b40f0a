"""The hosts that take turns now, filled from a frontier.

A limited number of hosts is open at once; the others wait until one has nothing left. A host that does not answer is given up for this crawl: its
tasks wait for the next one.

Nothing is sent to a host whose robots.txt is not known. A task of its own fetches that first, at the pace of the host, and the other tasks wait
in their queue. It is no part of the frontier: the stored rules say whether it is due.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from hiddenweb.frontier.host_paces import HostPaces, note_outcome
from hiddenweb.frontier.host_queues import HostQueues
from hiddenweb.model import CrawlTask, Fetched, FetchFailure
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.frontier.host_pace import HostPace
    from hiddenweb.frontier.protocol import Frontier

MOST_FAILURES = 10
"""In a row, after which a host is given up for this crawl. A limit of taste."""

LONGEST_WAIT = 3 * 3600.0
"""Seconds of a pause that a crawl waits for; a host that asks for more is given up. A limit of taste."""


class KnownRules(Protocol):
    """What is known of the robots.txt of hosts, named by their origins."""

    def are_known(self, host_origin: str, now: float) -> bool:
        """Say whether there are rules that hold now."""

    def crawl_delay(self, host_origin: str) -> float:
        """Return the seconds between two requests by the rules that were read last; 0 if they do not say."""


class OpenHosts:
    """Chooses the next task, and learns from its outcome how its host is treated."""

    def __init__(self, frontier: Frontier, rules: KnownRules, usual: HostPace, most_open: int) -> None:
        self._frontier = frontier
        self._rules = rules
        self._failed_rules: Counter[int] = Counter()  # by host: in a row
        self._most_open = most_open
        self._queues = HostQueues(frontier.lease, frontier.batch)
        self._paces = HostPaces(usual, lambda: (pace for _, pace, _ in self._queues.paces()))
        self._given_up: set[int] = set()
        self._given_up_early: set[int] = set()  # before any host answered
        self._has_answer = False
        self._more = True  # in the frontier, as far as we know
        self._cursor = self._opened = 0

    def __bool__(self) -> bool:
        return bool(self._queues)

    def next_task(self, now: float) -> CrawlTask | None:
        """Return the task whose turn it is, if there is one now."""
        return self._queues.next(now)

    def can_open_more(self) -> bool:
        """Say whether another host may be opened: one that ended a moment ago made room."""
        has_room = self._more and len(self._queues) < self._most_open
        return has_room or self._frontier.can_choose_sites()

    def open_waiting(self, now: float) -> None:
        """Open hosts with waiting tasks, as many as may be open."""
        self._frontier.choose_sites(now)
        for host in self._frontier.take_urgent_hosts():
            if host in self._queues:
                self._frontier.release(self._queues.take_waiting(host))
        for host in self._frontier.take_woken_hosts():
            if host in self._queues:
                self._queues.wake(host, now)
            elif len(self._queues) < self._most_open:
                self._open(host, now)
            else:
                self._frontier.postpone_host(host)
                self._more = True
        while self._more and len(self._queues) < self._most_open:
            self._open_next(now)

    def _open_next(self, now: float) -> None:
        """Open the next host of a round through all waiting ones; a round that opened none was the last."""
        found = self._frontier.find_waiting_host(self._cursor)
        if found is None:
            self._more, self._cursor, self._opened = self._opened > 0, 0, 0
            return
        self._cursor = found
        if found not in self._queues and self._open(found, now):
            self._opened += 1

    def _open(self, number: int, now: float) -> bool:
        host = self._frontier.open_host(number)
        if host is None or number in self._given_up:
            return False
        pace = self.find_pace(host.origin, now)
        if host.paused_until > now:
            pace.pause(host.paused_until, host.paused_why)
        self._queues.open(number, host.origin, pace, now)
        return True

    # robots.txt

    def hold_for_robots(self, task: CrawlTask, now: float) -> CrawlTask | None:
        """Return the robots.txt task that must come before a task, which then keeps its place; None if it may go."""
        host_origin = origin(task.url)
        if self._rules.are_known(host_origin, now):
            return None
        self._queues.hold(task)
        failed = self._failed_rules[task.host]
        return CrawlTask(
            -task.host, task.site, task.host, f"{host_origin}/robots.txt", "robots", attempts=failed
        )

    def _end_robots(self, outcome: Fetched | FetchFailure) -> bool:
        """Release the other tasks of a host; say whether it is hopeless to wait for its rules."""
        host = outcome.task.host
        self._queues.release(host)
        if not isinstance(outcome, FetchFailure) or not outcome.counts:
            del self._failed_rules[host]
            return False
        self._failed_rules[host] += 1
        return outcome.retry_in is None

    # Outcomes

    def drop_task(self, task: CrawlTask, now: float) -> None:
        """Note that nothing was sent for a task: the next one of its host may begin at once."""
        self._queues.withdraw_task(task.host, now)

    def end_task(self, outcome: Fetched | FetchFailure, now: float) -> str | None:
        """Note the outcome of a task; return why its host is given up, if it is."""
        task = outcome.task
        pace = self.find_pace(origin(task.url), now)
        note_outcome(pace, outcome, now)
        if isinstance(outcome, Fetched) and not self._has_answer:
            self._note_first_answer()
        is_hopeless = task.kind == "robots" and self._end_robots(outcome)
        self._queues.end_task(task.host, pace, now)
        in_trouble = is_hopeless or pace.failures >= MOST_FAILURES or pace.remaining_pause(now) > LONGEST_WAIT
        if not in_trouble or task.host not in self._queues:
            return None
        self._given_up.add(task.host)
        if not self._has_answer and isinstance(outcome, FetchFailure) and outcome.may_be_temporary:
            self._given_up_early.add(task.host)
        self.close_host(task)
        return pace.why_paused(now)

    def _note_first_answer(self) -> None:
        """Give another chance to the hosts that were given up in haste, since the crawl as such works."""
        self._has_answer = True
        for host in self._given_up_early:
            del self._failed_rules[host]
        self._more = self._more or bool(self._given_up_early)
        self._given_up -= self._given_up_early
        self._given_up_early.clear()

    def close_host(self, task: CrawlTask) -> None:
        """Close the host of a task, and choose no more links of its site."""
        self._frontier.abandon_site(task.site)
        self._frontier.release(self._queues.drop(task.host))

    def close_all(self) -> None:
        """Release all tasks that wait here."""
        self._frontier.release(self._queues.drop_all())

    # Paces

    def find_pace(self, host_origin: str, now: float) -> HostPace:
        """Return the pace of a host, by its origin, with the Crawl-delay of its robots.txt."""
        pace = self._paces.find(host_origin, now)
        pace.slow_down(self._rules.crawl_delay(host_origin), now)
        return pace

    def paces(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of running tasks of every open host."""
        return self._queues.paces()

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none is queued."""
        return self._queues.next_turn()
