from __future__ import annotations

import math

import pytest

from hiddenweb.frontier.host_pace import LONGEST_RETRY_AFTER, HostPace, retry_after


def test_a_new_host_is_ready_at_once() -> None:
    pace = HostPace(delay=2)

    assert pace.ready_at(100.0) == 100.0
    assert pace.why_paused(100.0) == ""


def test_one_request_at_a_time_and_a_delay_between_their_beginnings() -> None:
    pace = HostPace(delay=2)
    pace.note_start(100.0)

    assert pace.ready_at(100.5) == math.inf
    pace.note_answer(100.5, latency=0.5)
    assert pace.ready_at(100.5) == 102.0
    assert pace.ready_at(103.0) == 103.0


def test_as_many_requests_at_once_as_configured() -> None:
    pace = HostPace(delay=0, at_once=2)
    pace.note_start(1.0)
    assert pace.ready_at(1.0) == 1.0
    pace.note_start(1.0)
    assert pace.ready_at(1.0) == math.inf
    pace.note_end(1.5)
    assert pace.ready_at(1.5) == 1.5


def test_crawl_delay_counts_from_the_end_of_an_answer_and_the_longer_delay_wins() -> None:
    pace = HostPace(delay=1, crawl_delay=10)
    pace.note_start(100.0)
    pace.note_answer(103.0)

    assert pace.ready_at(103.0) == 113.0
    assert HostPace(delay=20, crawl_delay=10).usual_delay() == 20


def test_a_host_that_becomes_slow_gets_a_longer_delay_and_recovers() -> None:
    pace = HostPace(delay=1, share_of_latency=0.5)
    for _ in range(20):
        pace.note_start(0.0)
        pace.note_answer(0.0, latency=8.0)
    assert pace.usual_delay() == pytest.approx(4.0, abs=0.1)

    for _ in range(20):
        pace.note_start(0.0)
        pace.note_answer(0.0, latency=0.1)
    assert pace.usual_delay() == 1


def test_without_delay_latency_does_not_matter() -> None:
    pace = HostPace(delay=0)
    pace.note_start(5.0)
    pace.note_answer(5.0, latency=30)

    assert pace.ready_at(5.0) == 5.0


def test_failures_in_a_row_double_the_pause_up_to_a_limit_and_success_ends_the_row() -> None:
    pace = HostPace(delay=0, first_pause=5, longest_pause=60)
    pauses = []
    now = 0.0
    for _ in range(6):
        pace.note_start(now)
        pace.note_failure(now, "503")
        pauses.append(pace.ready_at(now) - now)
        now = pace.ready_at(now)
    assert pauses == [5, 10, 20, 40, 60, 60]

    pace.note_start(now)
    pace.note_answer(now)
    pace.note_start(now)
    pace.note_failure(now, "503")
    assert pace.ready_at(now) - now == 5


def test_thousands_of_failures_are_no_overflow() -> None:
    pace = HostPace(failures=5000)
    pace.note_failure(0.0, "reset")

    assert pace.ready_at(0.0) == 600


def test_a_pause_says_why_and_a_longer_one_wins() -> None:
    pace = HostPace(delay=0)
    pace.pause(130.0, "Retry-After")
    pace.pause(110.0, "something shorter")

    assert pace.ready_at(100.0) == 130.0
    assert pace.why_paused(100.0) == "Retry-After; 30 s left"
    assert pace.why_paused(130.0) == ""


def test_a_pause_says_how_often_a_host_failed() -> None:
    pace = HostPace(delay=0)
    for _ in range(2):
        pace.note_start(0.0)
        pace.note_failure(0.0, "timeout")

    assert pace.why_paused(0.0) == "timeout, 2 times in a row; 10 s left"


def test_a_good_answer_does_not_end_a_pause() -> None:
    pace = HostPace(delay=0, at_once=2)
    pace.note_start(0.0)
    pace.note_start(0.0)
    pace.pause(50.0, "Retry-After")
    pace.note_answer(1.0)

    assert pace.ready_at(1.0) == 50.0


NOON = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 120 ", 120.0),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60.0),
        ("Tuesday, 14-Nov-23 22:14:20 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:14:20", 60.0),  # without a zone it is GMT
        ("Tue, 14 Nov 2023 21:00:00 GMT", 0.0),  # over already
        ("99999999999999999999999999", LONGEST_RETRY_AFTER),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_RETRY_AFTER),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("１２", None),
        ("Tue, 99 Nov 2023 22:14:20 GMT", None),
    ],
)
def test_retry_after_is_read(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOON) == seconds


def test_crawl_delay_that_becomes_known_is_waited_for_at_once_and_the_longest_holds() -> None:
    pace = HostPace(delay=1.0)

    pace.slow_down(5.0, 100.0)
    pace.slow_down(3.0, 104.0)

    assert pace.ready_at(104.0) == 105.0
    assert pace.usual_delay() == 5.0
