"""Redirects: their targets, and following them within limits.

Redirects of crawl tasks are not followed here: there each step is a task of its own, with its own place in the frontier. All others
(robots.txt, sitemaps, the page of a form, a single page for a command) are followed here: one address after the other, each by all rules
of the sender, and only a limited number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiddenweb.fetch.fetcher import HttpResponse

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""The statuses that redirect to the address in Location (RFC 9110)."""

_Response = TypeVar("_Response")


def redirect_target(status: int, location: str | bytes | None, url: str) -> str | None:
    """Return the normalised target of a redirect; None if there is none, or none that can be fetched.

    >>> redirect_target(302, b"../b", "http://a.example/x/y"), redirect_target(200, b"../b", "http://a.example/x/y")
    ('http://a.example/b', None)
    """
    if status not in REDIRECTS or not location:
        return None
    return normalise_url(location if isinstance(location, str) else location.decode("latin-1"), url)


def response_target(response: HttpResponse) -> str | None:
    """Return the target of a response that redirects, None otherwise."""
    return redirect_target(response.status, response.header(b"location"), response.url)


async def follow_redirects(
    url: str,
    send: Callable[[str], Awaitable[_Response]],
    target_of: Callable[[_Response], str | None],
    *,
    limit: int,
) -> tuple[_Response, str | None]:
    """Return the last response, and its target if there are more redirects than the limit.

    `send` requests one address by all rules and may raise; `target_of` returns the target of a response, None for the last.
    """
    response = await send(url)
    for _ in range(limit):
        target = target_of(response)
        if target is None:
            return response, None
        response = await send(target)
    return response, target_of(response)
