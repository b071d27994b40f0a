"""The hosts that take turns, filled from a frontier."""

from __future__ import annotations

from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.memory import MemoryFrontier
from hiddenweb.frontier.open_hosts import LONGEST_WAIT, OpenHosts
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, TaskSeed


class Rules:
    """The rules of hosts, all known by default."""

    def __init__(self) -> None:
        self.unknown: set[str] = set()
        self.delays: dict[str, float] = {}

    def are_known(self, host_origin: str, now: float) -> bool:  # noqa: ARG002
        return host_origin not in self.unknown

    def crawl_delay(self, host_origin: str) -> float:
        return self.delays.get(host_origin, 0.0)


HOMES = [f"https://h{number}.example/" for number in range(5)]


def open_hosts(*homes: str, most_open: int = 10) -> tuple[MemoryFrontier, OpenHosts]:
    frontier = MemoryFrontier()
    for home in homes:
        frontier.add_seed(home)
    return frontier, OpenHosts(frontier, Rules(), HostPace(delay=0.0), most_open)


def next_task(hosts: OpenHosts, now: float = 0.0) -> CrawlTask | None:
    hosts.open_waiting(now)
    return hosts.next_task(now)


def end(frontier: MemoryFrontier, hosts: OpenHosts, task: CrawlTask) -> None:
    frontier.finish(task)
    assert hosts.end_task(Fetched(task, task.url, 200, 0.0), 0.0) is None


def test_hosts_take_turns() -> None:
    frontier, hosts = open_hosts(*HOMES[:2])
    frontier.add([TaskSeed(f"{home}more", bucket=2) for home in HOMES[:2]])
    urls = []

    while task := next_task(hosts):
        urls.append(task.url)
        end(frontier, hosts, task)

    assert urls == [HOMES[0], HOMES[1], f"{HOMES[0]}more", f"{HOMES[1]}more"]


def test_hosts_that_were_given_up_before_any_answer_get_another_chance_after_the_first() -> None:
    frontier = MemoryFrontier()
    rules = Rules()
    for home in HOMES[:2]:
        frontier.add_seed(home)
        rules.unknown.add(home.rstrip("/"))
    hosts = OpenHosts(frontier, rules, HostPace(delay=0.0, first_pause=0.0), 10)
    hosts.open_waiting(0.0)
    held = [hosts.hold_for_robots(task, 0.0) for _ in HOMES[:2] if (task := hosts.next_task(0.0))]
    lost, found = held
    assert lost is not None
    assert found is not None
    assert hosts.end_task(FetchFailure(lost, "no answer", 0.0, may_be_temporary=True), 0.0) is not None
    assert next_task(hosts) is None

    rules.unknown.clear()
    hosts.end_task(Fetched(found, found.url, 404, 0.0), 0.0)

    urls = set()
    while task := next_task(hosts):
        urls.add(task.url)
        frontier.finish(task)
        hosts.end_task(Fetched(task, task.url, 200, 0.0), 0.0)
    assert urls == set(HOMES[:2])


def test_hosts_beyond_the_limit_are_opened_when_one_has_ended() -> None:
    frontier, hosts = open_hosts(*HOMES, most_open=2)
    urls = set()

    while task := next_task(hosts) or (next_task(hosts) if hosts.can_open_more() else None):
        urls.add(task.url)
        assert len(list(hosts.paces())) <= 2
        end(frontier, hosts, task)

    assert urls == set(HOMES)


def test_query_goes_before_what_is_leased_already() -> None:
    frontier, hosts = open_hosts(HOMES[0])
    frontier.add([TaskSeed(f"{HOMES[0]}{number}", bucket=2) for number in range(3)])
    first = next_task(hosts)
    assert first is not None

    frontier.add([TaskSeed(f"{HOMES[0]}find?q=x", "answer", submission=1)])
    end(frontier, hosts, first)

    task = next_task(hosts)
    assert task is not None
    assert task.kind == "answer"


def test_host_that_asks_for_too_long_a_pause_is_given_up_and_keeps_its_tasks() -> None:
    frontier, hosts = open_hosts(HOMES[0])
    frontier.add([TaskSeed(f"{HOMES[0]}more", bucket=2)])
    task = next_task(hosts)
    assert task is not None
    failure = FetchFailure(task, "status 503", 0.0, retry_in=1.0, host_pause=LONGEST_WAIT + 1)
    frontier.fail(failure)

    why = hosts.end_task(failure, 0.0)

    assert why is not None
    assert why.startswith("status 503")
    assert next_task(hosts, 1e6) is None
    assert len(frontier.lease(task.host, 16, 1e6)[0]) == 2


def test_task_for_which_nothing_was_sent_costs_no_delay() -> None:
    frontier = MemoryFrontier()
    frontier.add_seed(HOMES[0])
    frontier.add([TaskSeed(f"{HOMES[0]}more", bucket=2)])
    hosts = OpenHosts(frontier, Rules(), HostPace(delay=60.0), 10)
    task = next_task(hosts)
    assert task is not None

    hosts.drop_task(task, 0.0)

    assert next_task(hosts) is not None


def test_everything_is_given_back_at_the_end() -> None:
    frontier, hosts = open_hosts(HOMES[0])
    frontier.add([TaskSeed(f"{HOMES[0]}more", bucket=2)])
    task = next_task(hosts)
    assert task is not None

    hosts.close_all()

    assert [each.url for each in frontier.lease(task.host, 16, 0.0)[0]] == [f"{HOMES[0]}more"]


# robots.txt


def host_with_unknown_rules(pace: HostPace) -> tuple[MemoryFrontier, Rules, OpenHosts]:
    frontier, rules = MemoryFrontier(), Rules()
    frontier.add_seed(HOMES[0])
    frontier.add([TaskSeed(f"{HOMES[0]}more", bucket=2)])
    rules.unknown.add("https://h0.example")
    return frontier, rules, OpenHosts(frontier, rules, pace, 10)


def next_robots(hosts: OpenHosts, now: float = 0.0) -> CrawlTask:
    task = next_task(hosts, now)
    assert task is not None
    robots = hosts.hold_for_robots(task, now)
    assert robots is not None
    return robots


def test_host_whose_rules_are_known_needs_no_robots_txt() -> None:
    _, hosts = open_hosts(HOMES[0])
    task = next_task(hosts)
    assert task is not None

    assert hosts.hold_for_robots(task, 0.0) is None


def test_nothing_else_goes_to_a_host_while_its_robots_txt_is_fetched() -> None:
    frontier, rules, hosts = host_with_unknown_rules(HostPace(delay=0.0, at_once=5))

    robots = next_robots(hosts)
    assert (robots.kind, robots.url) == ("robots", f"{HOMES[0]}robots.txt")
    frontier.add([TaskSeed(f"{HOMES[0]}late", bucket=3)])
    assert next_task(hosts) is None
    assert hosts
    rules.unknown.clear()
    hosts.end_task(Fetched(robots, robots.url, 200, 0.0), 0.0)

    tasks = [next_task(hosts) for _ in range(3)]
    assert [task.url for task in tasks if task] == [HOMES[0], f"{HOMES[0]}more", f"{HOMES[0]}late"]


def test_crawl_delay_is_waited_for_after_robots_txt() -> None:
    _, rules, hosts = host_with_unknown_rules(HostPace(delay=1.0))
    robots = next_robots(hosts)

    rules.unknown.clear()
    rules.delays["https://h0.example"] = 9.0
    hosts.end_task(Fetched(robots, robots.url, 200, 3.0), 3.0)

    assert next_task(hosts, 11.9) is None
    assert next_task(hosts, 12.0) is not None


def test_robots_txt_that_never_comes_closes_its_host_and_its_tasks_wait_for_another_crawl() -> None:
    frontier, _, hosts = host_with_unknown_rules(HostPace(delay=0.0, first_pause=1.0))
    for turn, retry_in in enumerate([10.0, 10.0, None]):
        robots = next_robots(hosts, 100.0 * turn)
        assert robots.attempts == turn
        failure = FetchFailure(robots, "no answer", 0.0, retry_in, host_pause=10.0)
        why = hosts.end_task(failure, 100.0 * turn)

    assert why is not None
    assert why.startswith("no answer")
    assert not hosts
    assert len(frontier.lease(robots.host, 16, 1e6)[0]) == 2


def test_tasks_that_wait_for_robots_txt_are_given_back_at_the_end() -> None:
    frontier, _, hosts = host_with_unknown_rules(HostPace(delay=0.0))
    robots = next_robots(hosts)

    hosts.close_all()

    assert len(frontier.lease(robots.host, 16, 0.0)[0]) == 2
