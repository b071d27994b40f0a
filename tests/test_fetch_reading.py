from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.fetch.reading import Reading, ServerAnswer, is_description, read_answer, read_error
from hiddenweb.model import CrawlTask, Page, PageList

TASK = CrawlTask(1, 1, 1, "https://a.example/")
QUERY = replace(TASK, kind="answer", submission=1)
PAGE = ServerAnswer("https://a.example/", 200, b"<title>Home</title><p>Hello there", "text/html")
FORM = b"<form action=/find><input type=search name=q><button>Search</button></form>"


def read(answer: ServerAnswer, task: CrawlTask = TASK) -> Page:
    page = read_answer(task, answer).page
    assert page is not None
    return page


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "application/xhtml+xml", "TEXT/HTML"])
def test_types_that_are_pages(content_type: str) -> None:
    assert read(replace(PAGE, content_type=content_type))


def test_page_without_a_type_is_known_by_its_beginning() -> None:
    assert read(replace(PAGE, content_type=""))
    assert read_answer(TASK, replace(PAGE, content_type="", body=b"%PDF-1.7")).page is None


def test_other_types_are_no_pages_and_say_so() -> None:
    reading = read_answer(TASK, replace(PAGE, content_type="application/pdf"))

    assert (reading.page, reading.why) == (None, "application/pdf is not a page")


def test_answers_to_queries_are_read_with_their_blocks() -> None:
    body = b"<ul>" + b"".join(
        b"<li><a href=/%d>Record number %d</a> and some text" % (n, n) for n in range(8)
    )

    assert len(read(replace(PAGE, body=body), QUERY).blocks) == 8
    assert len(read(replace(PAGE, body=body)).blocks) == 0


def test_marks_of_the_fetch_travel_with_the_page() -> None:
    assert "truncated" in read(replace(PAGE, marks=("truncated",))).marks


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
    assert read(replace(PAGE, body=body, refresh=header)).refresh == expected


def test_a_page_that_is_revisited_is_not_read_here() -> None:
    assert read_answer(replace(TASK, is_revisit=True), PAGE) == Reading()


def test_an_error_page_is_read_if_it_has_forms_and_lets_us_in() -> None:
    error = replace(PAGE, status=400, body=FORM)

    assert read_error(TASK, error).form_page is not None
    assert read_error(TASK, error).page is None
    assert read_error(TASK, replace(error, body=b"<p>Bad request")) == Reading()
    assert read_error(TASK, replace(error, status=403)) == Reading()
    assert read_error(replace(TASK, is_revisit=True), error) == Reading()


def test_an_answer_with_an_error_is_read_if_the_error_may_say_what_was_found() -> None:
    nothing = replace(PAGE, status=404, body=b"<h1>No results found</h1>")

    assert read_error(QUERY, nothing).page is not None
    assert read_error(QUERY, replace(nothing, status=403)) == Reading()
    assert read_error(QUERY, replace(nothing, content_type="application/pdf")) == Reading()


def test_a_sitemap_is_no_page_but_names_some() -> None:
    sitemap = b"<urlset><url><loc>https://a.example/b</loc></url></urlset>"

    reading = read_answer(TASK, replace(PAGE, content_type="text/xml", body=sitemap))

    assert (reading.page, reading.why) == (None, "it is a sitemap")
    assert reading.page_list is not None
    assert reading.page_list.pages == ("https://a.example/b",)


def test_what_is_fetched_as_a_sitemap_is_read_as_one_whatever_its_type_says() -> None:
    task = replace(TASK, kind="sitemap")
    sitemap = b"<urlset><url><loc>https://a.example/b</loc></url></urlset>"

    for kind in ("text/html", "text/plain", ""):
        reading = read_answer(task, replace(PAGE, content_type=kind, body=sitemap))
        assert (reading.page, reading.page_list) == (None, PageList(("https://a.example/b",)))


def test_a_page_in_the_place_of_a_sitemap_is_no_page_but_its_links_and_forms_count() -> None:
    task = replace(TASK, kind="sitemap")
    html = (
        b"<a href=/b>B</a> <a href=/c rel=nofollow>C</a> <form action=/find><input type=search name=q></form>"
    )

    reading = read_answer(task, replace(PAGE, content_type="text/html", body=html))

    assert (reading.page, reading.page_list) == (None, PageList(("https://a.example/b",)))
    assert reading.form_page is not None
    assert len(reading.form_page.forms) == 1
    closed = replace(
        PAGE, content_type="text/html", body=html.replace(b"<a", b"<meta name=robots content=nofollow><a", 1)
    )
    assert read_answer(task, closed).page_list is None


def test_a_sitemap_that_names_nothing_says_so() -> None:
    reading = read_answer(TASK, replace(PAGE, content_type="text/xml", body=b"<urlset></urlset>"))

    assert (reading.page_list, reading.why) == (None, "a sitemap that names nothing")


def test_a_description_of_searches_is_known_by_its_type_or_its_beginning() -> None:
    description = b"<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>"

    assert is_description(b"", "application/opensearchdescription+xml; charset=utf-8")
    assert is_description(description, "text/xml")
    assert not is_description(description, "text/html")
    assert not is_description(b"<p>", "text/xml")
