"""The pace of every host that a crawl talks to."""

from __future__ import annotations

from typing import Any

import pytest

from hiddenweb.frontier import host_paces
from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.host_paces import HostPaces, note_outcome
from hiddenweb.model import CrawlTask, Fetched, FetchFailure

TASK = CrawlTask(1, 1, 1, "https://a.example/")


def test_both_schemes_of_a_name_share_a_pace_and_ports_do_not() -> None:
    paces = HostPaces(HostPace(delay=1.0))

    pace = paces.find("https://a.example", 0.0)

    assert paces.find("http://a.example", 0.0) is pace
    assert paces.find("https://a.example:8443", 0.0) is not pace


def test_paces_of_hosts_that_are_idle_are_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host_paces, "MOST_PACES", 3)
    opened: list[HostPace] = []
    paces = HostPaces(HostPace(delay=1.0), lambda: opened)
    opened.append(paces.find("https://open.example", 0.0))
    paused = paces.find("https://paused.example", 0.0)
    paused.pause(60.0, "status 503")
    idle = paces.find("https://idle.example", 0.0)

    paces.find("https://new.example", 0.0)

    assert paces.find("https://open.example", 0.0) is opened[0]
    assert paces.find("https://paused.example", 0.0) is paused
    assert paces.find("https://idle.example", 0.0) is not idle


def test_answer_ends_the_failures_of_a_host() -> None:
    pace = HostPace(delay=0.0)
    note_outcome(pace, FetchFailure(TASK, "no connection", 0.0), 0.0)
    assert pace.failures == 1

    note_outcome(pace, Fetched(TASK, TASK.url, 200, 1.0), 1.0)

    assert pace.failures == 0


@pytest.mark.parametrize("given", [{"refused": True}, {"counts": False}])
def test_failure_that_is_not_the_hosts_says_nothing_about_it(given: dict[str, Any]) -> None:
    pace = HostPace(delay=0.0)

    note_outcome(pace, FetchFailure(TASK, "robots.txt forbids it", 0.0, **given), 0.0)

    assert pace.failures == 0


def test_host_is_paused_as_long_as_it_asks_for() -> None:
    pace = HostPace(delay=0.0)

    note_outcome(pace, FetchFailure(TASK, "status 503", 0.0, host_pause=300.0), 0.0)

    assert pace.remaining_pause(0.0) == 300
