from __future__ import annotations

import asyncio

import pytest

from hiddenweb.fetch.fetcher import HttpResponse
from hiddenweb.fetch.redirects import follow_redirects, redirect_target, response_target


@pytest.mark.parametrize(
    ("status", "location", "target"),
    [
        pytest.param(301, "/b#part", "http://a.example/b", id="without the fragment"),
        pytest.param(307, b"//b.example/\xe4", "http://b.example/%C3%A4", id="bytes of a header"),
        pytest.param(302, None, None, id="nowhere"),
        pytest.param(302, "mailto:me@a.example", None, id="what cannot be fetched"),
        pytest.param(304, "/b", None, id="no redirect"),
        pytest.param(200, "/b", None, id="a page"),
    ],
)
def test_an_answer_leads_to_the_address_in_location(
    status: int, location: str | bytes | None, target: str | None
) -> None:
    assert redirect_target(status, location, "http://a.example/a") == target


def test_a_response_of_our_client_leads_where_its_header_says() -> None:
    moved = HttpResponse(301, [(b"Location", b"/b")], b"", "http://a.example/a", "127.0.0.1")

    assert response_target(moved) == "http://a.example/b"


def follow(start: int, limit: int) -> tuple[int, str | None, list[str]]:
    """Follow pages named by numbers, each of which leads to the next lower one, and 0 to nowhere."""
    urls: list[str] = []

    async def send(url: str) -> int:
        urls.append(url)
        return int(url)

    def target_of(number: int) -> str | None:
        return str(number - 1) if number else None

    response, target = asyncio.run(follow_redirects(str(start), send, target_of, limit=limit))
    return response, target, urls


def test_redirects_are_followed_to_the_last_answer() -> None:
    assert follow(2, limit=2) == (0, None, ["2", "1", "0"])


def test_redirects_beyond_the_limit_are_not_followed() -> None:
    assert follow(9, limit=2) == (7, "6", ["9", "8", "7"])


def test_nothing_is_sent_twice_where_nothing_redirects() -> None:
    assert follow(0, limit=0) == (0, None, ["0"])
