from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from hiddenweb.fetch.errors import Disallowed, FetchError, Refused, Unreachable
from hiddenweb.fetch.fetcher import HttpRequest, HttpResponse, RequestDefaults
from hiddenweb.fetch.single_page import SinglePage, SinglePageFetcher

if TYPE_CHECKING:
    from hiddenweb.fetch.robots import RobotsRules

Answers = dict[str, "tuple[int, str] | Exception"]


class PreparedAnswers:
    """A fetcher that needs no network."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.urls: list[str] = []

    async def fetch(self, request: HttpRequest) -> HttpResponse:
        self.urls.append(request.url)
        answer = self.answers.get(request.url, (404, ""))
        if isinstance(answer, Exception):
            raise answer
        status, text = answer
        if 300 <= status < 400:
            return HttpResponse(status, [(b"Location", text.encode())], b"", request.url, "127.0.0.1")
        headers = [(b"Content-Type", b"text/html")]
        return HttpResponse(status, headers, text.encode(), request.url, "127.0.0.1")

    async def close(self) -> None:
        """There is nothing to close."""


def prepare(answers: Answers) -> tuple[SinglePageFetcher, list[str]]:
    web = PreparedAnswers(answers)
    return SinglePageFetcher(web, RequestDefaults(), agent="hiddenweb/1.0", at=0.0), web.urls


def fetch(url: str, answers: Answers) -> tuple[SinglePage, list[str]]:
    fetcher, urls = prepare(answers)
    return asyncio.run(fetcher.fetch_page(url)), urls


def test_robots_txt_is_requested_first() -> None:
    page, urls = fetch("http://a.example/x", {"http://a.example/x": (200, "<p>hello")})

    assert page == SinglePage("http://a.example/x", b"<p>hello", "text/html")
    assert urls == ["http://a.example/robots.txt", "http://a.example/x"]


def test_redirects_are_followed_and_the_rules_of_each_host_requested() -> None:
    page, urls = fetch(
        "http://a.example/x",
        {
            "http://a.example/x": (302, "http://b.example/y"),
            "http://b.example/y": (301, "/z"),
            "http://b.example/z": (200, "here"),
        },
    )

    assert page.url == "http://b.example/z"
    assert urls.count("http://b.example/robots.txt") == 1


def test_the_rules_of_the_host_of_a_page_are_requested_once() -> None:
    fetcher, urls = prepare(
        {
            "http://a.example/robots.txt": (200, "User-agent: *\nDisallow: /find"),
            "http://a.example/x": (200, "here"),
        },
    )

    async def rules_after_page() -> RobotsRules:
        await fetcher.fetch_page("http://a.example/x")
        return await fetcher.load_rules("http://a.example")

    rules = asyncio.run(rules_after_page())
    assert rules.allows("http://a.example/other", "hiddenweb/1.0")
    assert not rules.allows("http://a.example/find?q=x", "hiddenweb/1.0")
    assert urls == ["http://a.example/robots.txt", "http://a.example/x"]


@pytest.mark.parametrize(
    ("answers", "error", "why"),
    [
        ({"http://a.example/robots.txt": (200, "User-agent: *\nDisallow: /")}, Disallowed, "forbids"),
        ({"http://a.example/robots.txt": (503, "")}, Disallowed, "is not available"),
        ({"http://a.example/robots.txt": Unreachable("no")}, Disallowed, "is not available"),
        ({"http://a.example/robots.txt": Refused("it is this machine")}, Refused, "this machine"),
        ({"http://a.example/x": (500, "")}, FetchError, "status 500"),
        ({"http://a.example/x": Unreachable("no connection")}, FetchError, "no connection"),
        ({"http://a.example/x": (302, "/x")}, FetchError, "redirects more than 5 times"),
        (
            {
                "http://a.example/x": (302, "http://b.example/"),
                "http://b.example/robots.txt": (200, "User-agent: hiddenweb\nDisallow: /"),
            },
            Disallowed,
            "b.example/robots.txt forbids",
        ),
    ],
)
def test_there_is_no_page_and_it_says_why(answers: Answers, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        fetch("http://a.example/x", answers)
