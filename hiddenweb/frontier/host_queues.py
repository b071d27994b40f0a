"""One queue for every host, and the order in which hosts get their turn.

A host gets its turn when its pace allows it: not too many requests at once, a delay between them, no pause. Hosts
that are ready take turns, so none is asked twice while another one waits. The tasks themselves stay on disk; of
each open host only a handful is held here, fetched by `lease` when they run out.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hiddenweb.frontier.host_pace import HostPace
    from hiddenweb.model import CrawlTask

    Lease = Callable[[int, int, float], tuple[list[CrawlTask], float | None]]
    """Takes a host, how many and the time; returns tasks, or when the first of those that wait may go."""


@dataclass(slots=True)
class _HostQueue:
    name: str
    pace: HostPace
    waiting: deque[CrawlTask] = field(default_factory=deque)
    active: int = 0
    in_line: bool = False  # has an entry in the heap
    more: bool = True  # on disk, as far as we know
    is_held: bool = False  # it gives no task until somebody lets it


class HostQueues:
    """The open hosts and what waits for them."""

    def __init__(self, lease: Lease, batch: int = 16) -> None:
        self._lease = lease
        self._batch = batch
        self._hosts: dict[int, _HostQueue] = {}
        self._line: list[tuple[float, int, int]] = []  # when, turn, host
        self._blocked: dict[int, set[int]] = {}  # by pace: hosts that wait for the end of some task
        self._turns = 0

    def __len__(self) -> int:
        return len(self._hosts)

    def __contains__(self, host: int) -> bool:
        return host in self._hosts

    def open(self, host: int, name: str, pace: HostPace, now: float) -> None:
        """Let a host take part."""
        self._hosts[host] = _HostQueue(name, pace)
        self._stand_in_line(host, pace.ready_at(now))

    def wake(self, host: int, now: float) -> None:
        """Look at a host again that has got new links."""
        queue = self._hosts[host]
        queue.more = True
        if not queue.in_line:
            self._stand_in_line(host, queue.pace.ready_at(now))

    def take_waiting(self, host: int) -> list[CrawlTask]:
        """Hand out what waits here for a host, to be leased again in its order: something better has come."""
        queue = self._hosts[host]
        waiting = list(queue.waiting)
        queue.waiting.clear()
        return waiting

    def hold(self, task: CrawlTask) -> None:
        """Put a task back whose turn has come, before all others of its host; this gives none until it is let go."""
        queue = self._hosts[task.host]
        queue.waiting.appendleft(task)
        queue.is_held = True

    def let_go(self, host: int) -> None:
        """Let a host that was held give tasks again; what was under way for it ends now."""
        queue = self._hosts.get(host)
        if queue is not None:
            queue.is_held = False

    def next(self, now: float) -> CrawlTask | None:
        """Return the task whose turn it is, if there is one now."""
        while self._line and self._line[0][0] <= now:
            host = heapq.heappop(self._line)[2]
            queue = self._hosts.get(host)
            if queue is None:
                continue
            queue.in_line = False
            if task := self._take_task(host, queue, now):
                return task
        return None

    def _take_task(self, host: int, queue: _HostQueue, now: float) -> CrawlTask | None:
        if queue.is_held:
            return None
        if not queue.waiting:
            later = self._refill(host, queue, now)
            if not queue.waiting:
                self._wait_or_close(host, queue, later)
                return None
        ready = queue.pace.ready_at(now)
        if ready > now:
            self._stand_in_line(host, ready)
            return None
        task = queue.waiting.popleft()
        queue.pace.note_start(now)
        queue.active += 1
        self._stand_in_line(host, queue.pace.ready_at(now))
        return task

    def _refill(self, host: int, queue: _HostQueue, now: float) -> float | None:
        if not queue.more and queue.active:  # the end of what is under way brings us back
            return None
        tasks, later = self._lease(host, self._batch, now)
        queue.waiting.extend(tasks)
        queue.more = bool(tasks)
        return later

    def _wait_or_close(self, host: int, queue: _HostQueue, later: float | None) -> None:
        if later is not None:
            queue.more = True
            self._stand_in_line(host, later)
        elif not queue.active:
            del self._hosts[host]

    def _stand_in_line(self, host: int, when: float) -> None:
        if when == inf:  # too many tasks are under way, its own or those of a host with the same pace
            self._blocked.setdefault(id(self._hosts[host].pace), set()).add(host)
            return
        self._turns += 1
        self._hosts[host].in_line = True
        heapq.heappush(self._line, (when, self._turns, host))

    def end_task(self, host: int, pace: HostPace, now: float) -> None:
        """Note that a task of a host has ended, well or not; its pace was told before."""
        queue = self._hosts.get(host)
        if queue is not None:
            queue.active -= 1
        for each in {host, *self._blocked.pop(id(pace), ())}:
            self._recheck(each, now)

    def _recheck(self, host: int, now: float) -> None:
        queue = self._hosts.get(host)
        if queue is not None and not queue.in_line:
            # With nothing at hand it is looked at now: there may be nothing left at all.
            self._stand_in_line(host, queue.pace.ready_at(now) if queue.waiting else now)

    def withdraw_task(self, host: int, now: float) -> None:
        """Note that a task of a host was given up before anything was sent: the host may be asked at once."""
        queue = self._hosts.get(host)
        if queue is not None:
            queue.pace.withdraw()
            self.end_task(host, queue.pace, now)

    def drop(self, host: int) -> list[CrawlTask]:
        """Forget a host; return what it had waiting here."""
        queue = self._hosts.pop(host, None)
        return list(queue.waiting) if queue else []

    def drop_all(self) -> list[CrawlTask]:
        """Forget all hosts; return what they had waiting here."""
        return [task for host in list(self._hosts) for task in self.drop(host)]

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none is in line."""
        return self._line[0][0] if self._line else None

    def paces(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of running tasks of every open host."""
        for queue in self._hosts.values():
            yield queue.name, queue.pace, queue.active
