from __future__ import annotations

from collections import defaultdict
from random import Random

from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.host_queues import HostQueues
from hiddenweb.model import CrawlTask


class Disk:
    """A frontier of a few lists: what the queues lease from."""

    def __init__(self, **waiting: int) -> None:
        self.waiting = {int(host[1:]): list(range(count)) for host, count in waiting.items()}
        self.later: dict[int, float] = {}
        self.leases = 0

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        self.leases += 1
        if self.later.get(host, 0.0) > now:
            return [], self.later[host]
        taken, self.waiting[host] = self.waiting[host][:count], self.waiting[host][count:]
        return [CrawlTask(host * 1000 + n, host, host, f"http://h{host}.example/{n}") for n in taken], None


def ended(open_queues: HostQueues, host: int, now: float = 0.0) -> None:
    """End a task of an open host well."""
    pace = {name: pace for name, pace, _ in open_queues.paces()}[f"h{host}"]
    pace.note_answer(now)
    open_queues.end_task(host, pace, now)


def queues(disk: Disk, **paces: HostPace) -> HostQueues:
    result = HostQueues(disk.lease, batch=4)
    for name, pace in paces.items():
        result.open(int(name[1:]), name, pace, 0.0)
    return result


def free() -> HostPace:
    return HostPace(delay=0, at_once=1)


def drained(open_queues: HostQueues, now: float = 0.0) -> list[int]:
    """Run tasks one at a time until nothing is ready; return their hosts in order."""
    hosts = []
    while task := open_queues.next(now):
        hosts.append(task.host)
        ended(open_queues, task.host, now)
    return hosts


def test_hosts_take_turns() -> None:
    assert drained(queues(Disk(h1=3, h2=3, h3=1), h1=free(), h2=free(), h3=free())) == [1, 2, 3, 1, 2, 1, 2]


def test_host_gets_no_more_requests_at_once_than_allowed() -> None:
    disk = Disk(h1=5)
    open_queues = queues(disk, h1=HostPace(delay=0, at_once=2))

    assert [bool(open_queues.next(0.0)) for _ in range(3)] == [True, True, False]


def test_end_of_a_task_releases_the_next_one() -> None:
    open_queues = queues(Disk(h1=2), h1=free())
    first = open_queues.next(0.0)
    assert first is not None
    open_queues.wake(1, 0.0)  # new links while all of its places are taken
    assert open_queues.next(0.0) is None

    ended(open_queues, 1, 0.0)

    assert open_queues.next(0.0) is not None


def test_delay_lies_between_two_requests_and_other_hosts_use_the_time() -> None:
    open_queues = queues(Disk(h1=2, h2=2), h1=HostPace(delay=10), h2=free())

    assert drained(open_queues, 0.0) == [1, 2, 2]
    assert open_queues.next_turn() == 10.0
    assert drained(open_queues, 9.9) == []
    assert drained(open_queues, 10.0) == [1]


def test_paused_host_gets_no_requests() -> None:
    pace = free()
    pace.pause(60.0, "Retry-After")
    open_queues = queues(Disk(h1=1), h1=pace)

    assert drained(open_queues, 59.0) == []
    assert drained(open_queues, 60.0) == [1]


def test_host_whose_links_all_wait_for_later_waits_with_them() -> None:
    disk = Disk(h1=1)
    disk.later[1] = 30.0
    open_queues = queues(disk, h1=free())

    assert drained(open_queues, 0.0) == []
    assert len(open_queues) == 1
    assert open_queues.next_turn() == 30.0
    assert drained(open_queues, 30.0) == [1]


def test_host_with_nothing_left_is_closed_when_its_last_task_ends() -> None:
    open_queues = queues(Disk(h1=1), h1=free())
    assert open_queues.next(0.0)
    assert open_queues.next(0.0) is None
    assert 1 in open_queues

    ended(open_queues, 1, 0.0)

    assert open_queues.next(0.0) is None
    assert 1 not in open_queues


def test_empty_host_is_not_read_from_disk_again_and_again() -> None:
    disk = Disk(h1=1, h2=50)
    open_queues = queues(disk, h1=free(), h2=free())
    open_queues.next(0.0)

    before = disk.leases
    for _ in range(20):
        open_queues.next(0.0)

    assert disk.leases - before <= 6


def test_refused_task_costs_no_delay() -> None:
    open_queues = queues(Disk(h1=2), h1=HostPace(delay=10))
    open_queues.next(0.0)

    open_queues.withdraw_task(1, 0.0)

    assert open_queues.next(0.0) is not None


def test_dropped_host_gives_back_what_it_held() -> None:
    pace = free()
    open_queues = queues(Disk(h1=3), h1=pace)
    open_queues.next(0.0)

    assert [task.link for task in open_queues.drop(1)] == [1001, 1002]
    open_queues.end_task(1, pace, 0.0)  # the one under way ends later, without an error
    assert open_queues.next(0.0) is None


def test_everything_is_handed_out_whatever_the_order_of_events() -> None:
    rng = Random(5)
    sizes = {f"h{n}": rng.randrange(1, 30) for n in range(1, 8)}
    disk = Disk(**sizes)
    open_queues = queues(
        disk, **{name: HostPace(delay=rng.choice((0, 1)), at_once=rng.choice((1, 3))) for name in sizes}
    )
    running: list[CrawlTask] = []
    seen: defaultdict[int, int] = defaultdict(int)
    now = 0.0
    while len(open_queues):
        task = open_queues.next(now)
        if task is not None:
            running.append(task)
        if running and (task is None or rng.random() < 0.4):
            done = running.pop(rng.randrange(len(running)))
            seen[done.host] += 1
            ended(open_queues, done.host, now)
        now += rng.random()

    assert {f"h{host}": count for host, count in seen.items()} == sizes


def test_paused_host_with_nothing_left_does_not_keep_the_crawl_waiting() -> None:
    open_queues = queues(Disk(h1=1), h1=free())
    assert open_queues.next(0.0)
    ((_, pace, _),) = open_queues.paces()
    pace.note_failure(0.0, "status 500")
    open_queues.end_task(1, pace, 0.0)

    assert open_queues.next(0.0) is None
    assert len(open_queues) == 0


def test_hosts_that_share_a_pace_wait_for_each_other_and_both_continue() -> None:
    shared = free()  # http and https of one name
    open_queues = queues(Disk(h1=3, h2=3), h1=shared, h2=shared)

    assert sorted(drained(open_queues)) == [1, 1, 1, 2, 2, 2]
    assert len(open_queues) == 0


def test_host_is_not_closed_while_a_link_waits_for_later() -> None:
    disk = Disk(h1=2)
    open_queues = queues(disk, h1=free())
    assert drained(open_queues)[:1] == [1]
    disk.later[1] = 100.0  # one of them failed and waits

    open_queues.open(1, "h1", free(), 0.0)

    assert open_queues.next(0.0) is None
    assert open_queues.next_turn() == 100.0


def test_held_host_gives_nothing_until_it_is_released_and_then_continues() -> None:
    open_queues = queues(Disk(h1=2), h1=HostPace(delay=0, at_once=3))
    first = open_queues.next(0.0)
    assert first is not None

    open_queues.hold(first)
    open_queues.wake(1, 0.0)
    assert open_queues.next(0.0) is None
    open_queues.release(1)
    ended(open_queues, 1)

    assert open_queues.next(0.0) == first
