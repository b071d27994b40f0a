"""Fetching one page outside of a crawl: by the same rules."""

from __future__ import annotations

import asyncio

import pytest

from hiddenweb.fetch.errors import FetchError, Refused, Unreachable
from hiddenweb.fetch.http_client import HttpResponse
from hiddenweb.fetch.refusals import Disallowed
from hiddenweb.fetch.single_page import SinglePage, fetch_once

Answers = dict[str, "tuple[int, str] | Exception"]


def fetched(url: str, answers: Answers) -> tuple[SinglePage, list[str]]:
    asked: list[str] = []

    async def ask(address: str) -> HttpResponse:
        asked.append(address)
        answer = answers.get(address, (404, ""))
        if isinstance(answer, Exception):
            raise answer
        status, said = answer
        if 300 <= status < 400:
            return HttpResponse(status, [(b"Location", said.encode())], b"", address, "127.0.0.1")
        return HttpResponse(status, [(b"Content-Type", b"text/html")], said.encode(), address, "127.0.0.1")

    return asyncio.run(fetch_once(url, ask, agent="hiddenweb/1.0", at=0.0)), asked


def test_robots_txt_is_asked_first() -> None:
    page, asked = fetched("http://a.example/x", {"http://a.example/x": (200, "<p>hello")})

    assert page == SinglePage("http://a.example/x", b"<p>hello", "text/html")
    assert asked == ["http://a.example/robots.txt", "http://a.example/x"]


def test_redirects_are_followed_and_each_host_is_asked_for_its_rules() -> None:
    page, asked = fetched(
        "http://a.example/x",
        {
            "http://a.example/x": (302, "http://b.example/y"),
            "http://b.example/y": (301, "/z"),
            "http://b.example/z": (200, "here"),
        },
    )

    assert page.url == "http://b.example/z"
    assert asked.count("http://b.example/robots.txt") == 1
    assert set(page.rules) == {"http://a.example", "http://b.example"}


def test_a_page_comes_with_the_rules_of_its_host() -> None:
    page, _ = fetched(
        "http://a.example/x",
        {
            "http://a.example/robots.txt": (200, "User-agent: *\nDisallow: /find"),
            "http://a.example/x": (200, "here"),
        },
    )

    rules = page.rules["http://a.example"]
    assert rules.allowed("http://a.example/other", "hiddenweb/1.0")
    assert not rules.allowed("http://a.example/find?q=x", "hiddenweb/1.0")


@pytest.mark.parametrize(
    ("answers", "error", "why"),
    [
        ({"http://a.example/robots.txt": (200, "User-agent: *\nDisallow: /")}, Disallowed, "forbids"),
        ({"http://a.example/robots.txt": (503, "")}, Disallowed, "cannot be had"),
        ({"http://a.example/robots.txt": Unreachable("no")}, Disallowed, "cannot be had"),
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
        fetched("http://a.example/x", answers)
