"""Redirects: where an answer sends us, and following that within limits.

What a crawl fetches as tasks is not redirected here: there each step is a task of its own, with its own place in the frontier. Everything else
(robots.txt, sitemaps, the page of a form, a single page for a command) is followed here: one address after the other, each by all rules that
whoever sends the requests obeys, and never more than so many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiddenweb.fetch.fetcher import HttpResponse

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""The statuses that send us to the address in Location (RFC 9110)."""

_Response = TypeVar("_Response")


def redirect_target(status: int, location: str | bytes | None, url: str) -> str | None:
    """Return where an answer sends us, as it is fetched; None if nowhere, or to what cannot be fetched.

    >>> redirect_target(302, b"../b", "http://a.example/x/y"), redirect_target(200, b"../b", "http://a.example/x/y")
    ('http://a.example/b', None)
    """
    if status not in REDIRECTS or not location:
        return None
    return normalise_url(location if isinstance(location, str) else location.decode("latin-1"), url)


def response_target(response: HttpResponse) -> str | None:
    """Return where an answer redirects to, if it does."""
    return redirect_target(response.status, response.header(b"location"), response.url)


async def follow_redirects(
    url: str,
    send: Callable[[str], Awaitable[_Response]],
    target_of: Callable[[_Response], str | None],
    *,
    limit: int,
) -> tuple[_Response, str | None]:
    """Return the last answer, and where it would lead on to if there were redirects beyond the limit.

    `send` asks for one address by all the rules, and raises what ends the way; `target_of` says where an answer leads, None if it is the last.
    """
    response = await send(url)
    for _ in range(limit):
        target = target_of(response)
        if target is None:
            return response, None
        response = await send(target)
    return response, target_of(response)
