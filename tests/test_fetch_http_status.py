from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.fetch.errors import BrokenAnswer, Postponed, Refused, TooLarge
from hiddenweb.fetch.http_status import RetryPolicy, ServerAnswer, failure, outcome, postponed
from hiddenweb.model import CrawlTask, Fetched, FetchFailure

ERRAND = CrawlTask(1, 1, 1, "https://a.example/")
PAGE = ServerAnswer("https://a.example/", 200, b"<title>Home</title><p>Hello there", "text/html")
RETRIES = RetryPolicy(times=2, delay=10)


def of(answered: ServerAnswer, errand: CrawlTask = ERRAND) -> Fetched | FetchFailure:
    return outcome(errand, answered, 1000.0, RETRIES)


def visit(answered: ServerAnswer, errand: CrawlTask = ERRAND) -> Fetched:
    found = of(answered, errand)
    assert isinstance(found, Fetched)
    return found


def missed(answered: ServerAnswer, errand: CrawlTask = ERRAND) -> FetchFailure:
    found = of(answered, errand)
    assert isinstance(found, FetchFailure)
    return found


def test_html_is_read_as_a_page() -> None:
    found = visit(PAGE)

    assert found.page is not None
    assert found.page.title == "Home"


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "application/xhtml+xml", "TEXT/HTML"])
def test_types_that_are_pages(content_type: str) -> None:
    assert visit(replace(PAGE, content_type=content_type)).page is not None


def test_page_without_a_type_is_known_by_its_beginning() -> None:
    assert visit(replace(PAGE, content_type="")).page is not None
    assert visit(replace(PAGE, content_type="", body=b"%PDF-1.7")).page is None


def test_other_types_are_no_pages_and_say_so() -> None:
    found = visit(replace(PAGE, content_type="application/pdf"))

    assert (found.page, found.why) == (None, "application/pdf is not a page")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_names_its_target(status: int) -> None:
    found = visit(replace(PAGE, status=status, location="../x?y=1#z"))

    assert (found.redirect, found.page) == ("https://a.example/x?y=1", None)


@pytest.mark.parametrize("location", ["", "javascript:alert(1)", "file:///etc/passwd", "http://[broken"])
def test_redirect_to_nowhere_is_the_end(location: str) -> None:
    found = visit(replace(PAGE, status=302, location=location))

    assert (found.redirect, found.why) == (None, "redirects to nowhere")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_refusals_of_the_server_are_final(status: int) -> None:
    found = visit(replace(PAGE, status=status))

    assert (found.page, found.why) == (None, f"status {status}")


def test_errors_of_the_server_are_tried_again_ever_later_and_not_forever() -> None:
    waits = [missed(replace(PAGE, status=500), replace(ERRAND, attempts=n)).retry_in for n in range(3)]

    assert waits == [10, 20, None]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_pauses_the_whole_host(status: int) -> None:
    found = missed(replace(PAGE, status=status, retry_after="120"))

    assert (found.retry_in, found.host_pause) == (120, 120)


def test_retry_after_holds_for_the_host_even_if_we_give_up() -> None:
    found = missed(replace(PAGE, status=503, retry_after="120"), replace(ERRAND, attempts=2))

    assert (found.retry_in, found.host_pause) == (None, 120)


def test_answers_to_questions_are_read_with_their_blocks() -> None:
    body = b"<ul>" + b"".join(
        b"<li><a href=/%d>Record number %d</a> and some text" % (n, n) for n in range(8)
    )
    asked = replace(ERRAND, kind="answer", submission=1)

    for errand, expected in ((asked, 8), (ERRAND, 0)):
        page = visit(replace(PAGE, body=body), errand).page
        assert page is not None
        assert len(page.blocks) == expected


def test_marks_of_the_fetch_travel_with_the_page() -> None:
    page = visit(replace(PAGE, marks=("truncated",))).page

    assert page is not None
    assert "truncated" in page.marks


def test_broken_answer_is_tried_again() -> None:
    assert failure(ERRAND, BrokenAnswer("half a page"), 1000.0, RETRIES).retry_in == 10


def test_refused_address_is_never_tried_again() -> None:
    found = failure(ERRAND, Refused("127.0.0.1 is not a public address"), 1000.0, RETRIES)

    assert (found.retry_in, found.refused) == (None, True)


def test_head_beyond_measure_is_never_tried_again() -> None:
    assert failure(ERRAND, TooLarge("too much"), 1000.0, RETRIES).retry_in is None


def test_waiting_for_robots_pauses_the_host_and_ends_some_time() -> None:
    not_yet = Postponed("robots.txt cannot be had", 600, whole_host=True)

    first = postponed(ERRAND, not_yet, 1000.0, RETRIES)
    last = postponed(replace(ERRAND, attempts=2), not_yet, 1000.0, RETRIES)

    assert (first.retry_in, first.host_pause, first.counts) == (600, 600, True)
    assert last.retry_in is None


ASKED = replace(ERRAND, kind="answer", submission=1)


def test_what_a_question_found_may_be_said_with_an_error() -> None:
    nothing = replace(PAGE, status=404, body=b"<h1>No results found</h1>")
    too_much = replace(PAGE, status=500, body=b"<h1>Too many results, refine your search</h1>")

    assert visit(nothing).page is None
    for answered in (nothing, too_much):
        found = visit(answered, ASKED)
        assert found.page is not None
        assert found.status == answered.status
        assert found.why == f"status {answered.status}"


def test_an_error_that_says_nothing_is_tried_again() -> None:
    assert missed(replace(PAGE, status=500), ASKED).retry_in == 10
    assert missed(replace(PAGE, status=503, body=b"<h1>Too many results</h1>"), ASKED).retry_in == 10
    assert missed(replace(PAGE, status=500, body=b"<h1>Too many results</h1>")).retry_in == 10


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        ("0; url=/new", b"<p>Moved", "https://a.example/new"),
        ("5;URL='https://b.example/x'", b"<p>Moved", "https://b.example/x"),
        ("3, /new", b"<p>Moved", "https://a.example/new"),
        ("30", b"<p>Ticker", None),
        ("0; url=javascript:x()", b"<p>Moved", None),
        ("", b"<meta http-equiv=refresh content='0;url=/meta'>", "https://a.example/meta"),
        ("0; url=/new", b"<meta http-equiv=refresh content='0;url=/meta'>", "https://a.example/new"),
        ("30", b"<meta http-equiv=refresh content='0;url=/meta'>", "https://a.example/meta"),
    ],
)
def test_a_refresh_header_sends_visitors_on(header: str, body: bytes, expected: str | None) -> None:
    visit = outcome(ERRAND, replace(PAGE, body=body, refresh=header), 0.0, RETRIES)

    assert isinstance(visit, Fetched)
    assert visit.page is not None
    assert visit.page.refresh == expected
