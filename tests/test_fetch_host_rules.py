"""The robots.txt of hosts, in memory and in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.fetch.errors import BlockedAddress, Refused, Unreachable, Unresolvable
from hiddenweb.fetch.host_rules import MOST_HOSTS, UNAVAILABLE, HostRules, RobotsAnswer
from hiddenweb.fetch.robots import VALID_FOR
from hiddenweb.model import CrawlTask, Fetched, FetchFailure
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
PLACE = "https://a.example"
TASK = CrawlTask(-1, 1, 1, f"{PLACE}/robots.txt", "robots")
TEXT = RobotsAnswer(200, b"User-agent: *\nDisallow: /private\nCrawl-delay: 7")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        store.sites.want(f"{PLACE}/")
        store.sites.find_host(f"{PLACE}/")
        yield store


def rules_of(store: Store) -> HostRules:
    return HostRules(store.sites, agent="hiddenweb", retry=600.0, retries=2)


def test_rules_hold_for_a_day_also_for_the_next_crawl(store: Store) -> None:
    assert not rules_of(store).are_known(PLACE, NOW)

    outcome = rules_of(store).end_task(TASK, TEXT, NOW)

    assert isinstance(outcome, Fetched)
    rules = rules_of(store)
    assert rules.are_known(PLACE, NOW + VALID_FOR - 1)
    assert not rules.are_known(PLACE, NOW + VALID_FOR)
    assert rules.crawl_delay(PLACE) == 7.0
    assert rules.allow(f"{PLACE}/public")
    assert not rules.allow(f"{PLACE}/private")


def test_nothing_is_allowed_where_nobody_has_read_the_rules(store: Store) -> None:
    assert not rules_of(store).allow(f"{PLACE}/")
    assert rules_of(store).crawl_delay(PLACE) == 0.0


@pytest.mark.parametrize(
    ("answer", "pause"),
    [
        pytest.param(RobotsAnswer(), 600.0, id="no answer"),
        pytest.param(RobotsAnswer(503), 600.0, id="an error of the server"),
        pytest.param(RobotsAnswer(429, retry_after="30"), 30.0, id="as it wishes"),
        pytest.param(RobotsAnswer(503, retry_after="0"), 1.0, id="but a second at least"),
    ],
)
def test_host_without_robots_txt_is_paused_and_requested_again(
    store: Store, answer: RobotsAnswer, pause: float
) -> None:
    rules = rules_of(store)

    outcome = rules.end_task(TASK, answer, NOW)

    assert isinstance(outcome, FetchFailure)
    assert (outcome.why, outcome.host_pause, outcome.retry_in) == (UNAVAILABLE, pause, pause)
    assert store.rows("SELECT paused_until, paused_why FROM hosts") == [(NOW + pause, UNAVAILABLE)]
    assert not rules.are_known(PLACE, NOW)
    assert not rules.allow(f"{PLACE}/")


def test_host_without_robots_txt_is_not_requested_again_after_too_many_tries(store: Store) -> None:
    last = CrawlTask(-1, 1, 1, TASK.url, "robots", attempts=2)

    outcome = rules_of(store).end_task(last, RobotsAnswer(503), NOW)

    assert isinstance(outcome, FetchFailure)
    assert outcome.retry_in is None


def test_refusal_of_the_address_guard_is_no_failure_of_the_host_and_is_not_stored(store: Store) -> None:
    rules = rules_of(store)

    outcome = rules.end_task(TASK, Refused("it is this machine"), NOW)

    assert isinstance(outcome, FetchFailure)
    assert (outcome.refused, outcome.counts, outcome.host_pause) == (True, False, None)
    assert rules.reason_refused(PLACE) == "it is this machine"
    assert rules_of(store).reason_refused(PLACE) == ""
    assert store.sites.load_robots(PLACE) is None


def test_registered_functions_are_called_when_robots_txt_was_fetched(store: Store) -> None:
    rules, calls = rules_of(store), []
    rules.begin(PLACE)
    rules.call_at_end(PLACE, lambda: calls.append(rules.are_known(PLACE, NOW)))
    assert rules.is_under_way(PLACE)

    rules.save_answer(PLACE, TEXT, NOW)
    rules.end(PLACE)

    assert calls == [True]
    assert not rules.is_under_way(PLACE)


def test_only_the_rules_of_so_many_hosts_are_in_memory(store: Store) -> None:
    rules = rules_of(store)
    rules.save_answer(PLACE, TEXT, NOW)

    for number in range(MOST_HOSTS):
        rules.save_answer(f"https://h{number}.example", RobotsAnswer(404), NOW)

    assert not rules.is_in_memory(PLACE)
    assert rules.are_known(PLACE, NOW), "they are in the store"


# Before any host has answered


def hasty_rules_of(store: Store, *, was_answered: bool = False) -> HostRules:
    return HostRules(
        store.sites,
        agent="hiddenweb",
        retry=600.0,
        retries=2,
        first_pause=10.0,
        was_answered=lambda: was_answered,
    )


def robots_task(attempts: int) -> CrawlTask:
    return CrawlTask(-1, 1, 1, TASK.url, "robots", attempts=attempts)


SILENCE = RobotsAnswer(error=Unreachable("no connection"))


def test_host_that_does_not_answer_is_given_up_within_a_minute_while_no_host_has_answered(
    store: Store,
) -> None:
    rules = hasty_rules_of(store)

    outcomes = [rules.end_task(robots_task(attempts), SILENCE, NOW) for attempts in range(3)]

    assert all(isinstance(outcome, FetchFailure) for outcome in outcomes)
    assert [getattr(outcome, "retry_in", 0) for outcome in outcomes] == [10.0, 20.0, None]
    assert [getattr(outcome, "host_pause", 0) for outcome in outcomes] == [10.0, 20.0, 1.0]
    assert {outcome.why for outcome in outcomes} == {"no answer: no connection"}
    assert {getattr(outcome, "remedy", "") for outcome in outcomes} == {Unreachable.remedy}


def test_host_whose_name_does_not_exist_is_not_tried_again_while_no_host_has_answered(store: Store) -> None:
    silence = RobotsAnswer(error=Unresolvable("no such name", temporary=False))

    outcome = hasty_rules_of(store).end_task(TASK, silence, NOW)

    assert isinstance(outcome, FetchFailure)
    assert (outcome.retry_in, outcome.may_be_temporary) == (None, False)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(RobotsAnswer(404), id="no robots.txt"),
        pytest.param(RobotsAnswer(503), id="an error of the server"),
    ],
)
def test_one_answer_ends_the_haste(store: Store, first: RobotsAnswer) -> None:
    rules = hasty_rules_of(store)
    rules.save_answer("https://b.example", first, NOW)

    outcome = rules.end_task(TASK, SILENCE, NOW)

    assert isinstance(outcome, FetchFailure)
    assert outcome.retry_in == 600.0


def test_a_crawl_whose_sites_answered_before_is_patient(store: Store) -> None:
    outcome = hasty_rules_of(store, was_answered=True).end_task(TASK, SILENCE, NOW)

    assert isinstance(outcome, FetchFailure)
    assert outcome.retry_in == 600.0


def test_refusal_of_the_address_guard_says_how_to_allow_the_address(store: Store) -> None:
    blocked = BlockedAddress("it is this machine", "127.0.0.1:8801")

    outcome = rules_of(store).end_task(TASK, blocked, NOW)

    assert isinstance(outcome, FetchFailure)
    assert outcome.remedy.endswith("-s HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:8801")
