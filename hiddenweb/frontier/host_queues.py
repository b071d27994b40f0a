"""One queue for every host, and the order in which hosts get their turn.

A host gets its turn when its pace allows it: not too many requests at once, a delay between them, no pause. Hosts
that are ready take turns, so none gets two requests while another one waits. The tasks themselves stay on disk; of
each open host only a handful is held here. `lease` fetches more when they run out.
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
    """Takes a host, a count and the time; returns tasks, or when the first waiting one may go."""


@dataclass(slots=True)
class _HostQueue:
    name: str
    pace: HostPace
    waiting: deque[CrawlTask] = field(default_factory=deque)
    active: int = 0
    is_queued: bool = False  # has an entry in the heap
    more: bool = True  # on disk, as far as we know
    is_held: bool = False  # gives no task until it is released


class HostQueues:
    """The open hosts and what waits for them."""

    def __init__(self, lease: Lease, batch: int = 16) -> None:
        self._lease = lease
        self._batch = batch
        self._hosts: dict[int, _HostQueue] = {}
        self._heap: list[tuple[float, int, int]] = []  # when, turn, host
        self._blocked: dict[int, set[int]] = {}  # by pace: hosts that wait for the end of some task
        self._turns = 0

    def __len__(self) -> int:
        return len(self._hosts)

    def __contains__(self, host: int) -> bool:
        return host in self._hosts

    def open(self, host: int, name: str, pace: HostPace, now: float) -> None:
        """Add a host."""
        self._hosts[host] = _HostQueue(name, pace)
        self._enqueue(host, pace.ready_at(now))

    def wake(self, host: int, now: float) -> None:
        """Note that a host has got new links."""
        queue = self._hosts[host]
        queue.more = True
        if not queue.is_queued:
            self._enqueue(host, queue.pace.ready_at(now))

    def take_waiting(self, host: int) -> list[CrawlTask]:
        """Return the waiting tasks of a host, which are leased again in their order: a better one was added."""
        queue = self._hosts[host]
        waiting = list(queue.waiting)
        queue.waiting.clear()
        return waiting

    def hold(self, task: CrawlTask) -> None:
        """Put a task back before all others of its host, which gives none until it is released."""
        queue = self._hosts[task.host]
        queue.waiting.appendleft(task)
        queue.is_held = True

    def release(self, host: int) -> None:
        """Let a held host give tasks again; the request it waited for has ended."""
        queue = self._hosts.get(host)
        if queue is not None:
            queue.is_held = False

    def next(self, now: float) -> CrawlTask | None:
        """Return the task whose turn it is, if there is one now."""
        while self._heap and self._heap[0][0] <= now:
            host = heapq.heappop(self._heap)[2]
            queue = self._hosts.get(host)
            if queue is None:
                continue
            queue.is_queued = False
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
            self._enqueue(host, ready)
            return None
        task = queue.waiting.popleft()
        queue.pace.note_start(now)
        queue.active += 1
        self._enqueue(host, queue.pace.ready_at(now))
        return task

    def _refill(self, host: int, queue: _HostQueue, now: float) -> float | None:
        if not queue.more and queue.active:  # called again when a running task ends
            return None
        tasks, later = self._lease(host, self._batch, now)
        queue.waiting.extend(tasks)
        queue.more = bool(tasks)
        return later

    def _wait_or_close(self, host: int, queue: _HostQueue, later: float | None) -> None:
        if later is not None:
            queue.more = True
            self._enqueue(host, later)
        elif not queue.active:
            del self._hosts[host]

    def _enqueue(self, host: int, when: float) -> None:
        if when == inf:  # too many tasks are under way, its own or those of a host with the same pace
            self._blocked.setdefault(id(self._hosts[host].pace), set()).add(host)
            return
        self._turns += 1
        self._hosts[host].is_queued = True
        heapq.heappush(self._heap, (when, self._turns, host))

    def end_task(self, host: int, pace: HostPace, now: float) -> None:
        """Note that a task of a host has ended, well or not; its pace knows already."""
        queue = self._hosts.get(host)
        if queue is not None:
            queue.active -= 1
        for waiting in {host, *self._blocked.pop(id(pace), ())}:
            self._recheck(waiting, now)

    def _recheck(self, host: int, now: float) -> None:
        queue = self._hosts.get(host)
        if queue is not None and not queue.is_queued:
            # Without waiting tasks it is checked now: there may be none left at all.
            self._enqueue(host, queue.pace.ready_at(now) if queue.waiting else now)

    def withdraw_task(self, host: int, now: float) -> None:
        """Note that nothing was sent for a task: the next one of its host may begin at once."""
        queue = self._hosts.get(host)
        if queue is not None:
            queue.pace.withdraw()
            self.end_task(host, queue.pace, now)

    def drop(self, host: int) -> list[CrawlTask]:
        """Forget a host; return its waiting tasks."""
        queue = self._hosts.pop(host, None)
        return list(queue.waiting) if queue else []

    def drop_all(self) -> list[CrawlTask]:
        """Forget all hosts; return their waiting tasks."""
        return [task for host in list(self._hosts) for task in self.drop(host)]

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none is queued."""
        return self._heap[0][0] if self._heap else None

    def paces(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of running tasks of every open host."""
        for queue in self._hosts.values():
            yield queue.name, queue.pace, queue.active
