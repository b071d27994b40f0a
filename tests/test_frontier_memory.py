"""A frontier in memory; what every frontier holds to is tested in `test_frontier_protocol.py`."""

from __future__ import annotations

from hiddenweb.frontier.memory import MemoryFrontier
from hiddenweb.model import TaskSeed

HOME = "https://a.example/"


def test_redirects_and_hops_of_a_seed_are_those_of_its_task() -> None:
    frontier = MemoryFrontier()
    frontier.add_seed(HOME)
    [host] = frontier.take_woken_hosts()
    frontier.lease(host, 1, 0.0)

    frontier.add([TaskSeed(f"{HOME}moved", hops=2, redirects=1)])

    [task], _ = frontier.lease(host, 1, 0.0)
    assert (task.url, task.hops, task.redirects) == (f"{HOME}moved", 2, 1)


def test_site_that_was_left_is_explored_again_when_it_is_named() -> None:
    frontier = MemoryFrontier()
    frontier.add_seed(HOME)
    [host] = frontier.take_woken_hosts()
    frontier.leave_site(1)
    assert frontier.open_host(host) is None

    frontier.add_seed(HOME)

    assert frontier.open_host(host) is not None
