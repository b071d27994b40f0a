from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.fetch.errors import BrokenAnswer, Postponed, Refused, TooLarge
from hiddenweb.fetch.http_status import RetryPolicy, interpret_answer, interpret_error, interpret_postponement
from hiddenweb.fetch.reading import ServerAnswer
from hiddenweb.model import CrawlTask, Fetched, FetchFailure

TASK = CrawlTask(1, 1, 1, "https://a.example/")
PAGE = ServerAnswer("https://a.example/", 200, b"<title>Home</title><p>Hello there", "text/html")
RETRIES = RetryPolicy(times=2, delay=10)


def interpret_as_fetched(answer: ServerAnswer, task: CrawlTask = TASK) -> Fetched:
    outcome = interpret_answer(task, answer, 1000.0, RETRIES)
    assert isinstance(outcome, Fetched)
    return outcome


def interpret_as_failure(answer: ServerAnswer, task: CrawlTask = TASK) -> FetchFailure:
    outcome = interpret_answer(task, answer, 1000.0, RETRIES)
    assert isinstance(outcome, FetchFailure)
    return outcome


def test_html_is_read_as_a_page() -> None:
    found = interpret_as_fetched(PAGE)

    assert found.page is not None
    assert found.page.title == "Home"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_names_its_target(status: int) -> None:
    found = interpret_as_fetched(replace(PAGE, status=status, location="../x?y=1#z"))

    assert (found.redirect, found.page) == ("https://a.example/x?y=1", None)


@pytest.mark.parametrize("location", ["", "javascript:alert(1)", "file:///etc/passwd", "http://[broken"])
def test_redirect_to_nowhere_is_the_end(location: str) -> None:
    found = interpret_as_fetched(replace(PAGE, status=302, location=location))

    assert (found.redirect, found.why) == (None, "redirects to nowhere")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_refusals_of_the_server_are_final(status: int) -> None:
    found = interpret_as_fetched(replace(PAGE, status=status))

    assert (found.page, found.why) == (None, f"status {status}")


def test_errors_of_the_server_are_tried_again_ever_later_and_not_forever() -> None:
    waits = [
        interpret_as_failure(replace(PAGE, status=500), replace(TASK, attempts=n)).retry_in for n in range(3)
    ]

    assert waits == [10, 20, None]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_pauses_the_whole_host(status: int) -> None:
    found = interpret_as_failure(replace(PAGE, status=status, retry_after="120"))

    assert (found.retry_in, found.host_pause) == (120, 120)


def test_retry_after_holds_for_the_host_even_if_we_give_up() -> None:
    found = interpret_as_failure(replace(PAGE, status=503, retry_after="120"), replace(TASK, attempts=2))

    assert (found.retry_in, found.host_pause) == (None, 120)


def test_broken_answer_is_tried_again() -> None:
    assert interpret_error(TASK, BrokenAnswer("half a page"), 1000.0, RETRIES).retry_in == 10


def test_refused_address_is_never_tried_again() -> None:
    found = interpret_error(TASK, Refused("127.0.0.1 is not a public address"), 1000.0, RETRIES)

    assert (found.retry_in, found.refused) == (None, True)


def test_head_beyond_measure_is_never_tried_again() -> None:
    assert interpret_error(TASK, TooLarge("too much"), 1000.0, RETRIES).retry_in is None


def test_waiting_for_robots_pauses_the_host_and_ends_some_time() -> None:
    not_yet = Postponed("robots.txt is not available", 600, whole_host=True)

    first = interpret_postponement(TASK, not_yet, 1000.0, RETRIES)
    last = interpret_postponement(replace(TASK, attempts=2), not_yet, 1000.0, RETRIES)

    assert (first.retry_in, first.host_pause, first.counts) == (600, 600, True)
    assert last.retry_in is None


QUERY = replace(TASK, kind="answer", submission=1)


def test_what_a_query_found_may_be_said_with_an_error() -> None:
    nothing = replace(PAGE, status=404, body=b"<h1>No results found</h1>")
    too_much = replace(PAGE, status=500, body=b"<h1>Too many results, refine your search</h1>")

    assert interpret_as_fetched(nothing).page is None
    for answer in (nothing, too_much):
        found = interpret_as_fetched(answer, QUERY)
        assert found.page is not None
        assert found.status == answer.status
        assert found.why == f"status {answer.status}"


def test_an_error_that_says_nothing_is_tried_again() -> None:
    assert interpret_as_failure(replace(PAGE, status=500), QUERY).retry_in == 10
    assert (
        interpret_as_failure(replace(PAGE, status=503, body=b"<h1>Too many results</h1>"), QUERY).retry_in
        == 10
    )
    assert interpret_as_failure(replace(PAGE, status=500, body=b"<h1>Too many results</h1>")).retry_in == 10
