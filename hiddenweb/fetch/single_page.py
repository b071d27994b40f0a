"""Fetching one page, by all the rules, outside of a crawl.

robots.txt is asked first and obeyed, the address guard judges every address on the way, redirects are followed, a few of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.http_client import HttpResponse
from hiddenweb.fetch.http_status import REDIRECTS
from hiddenweb.fetch.refusals import Disallowed
from hiddenweb.fetch.robots import MAX_REDIRECTS, RobotsRules, robots_tag
from hiddenweb.urls import normalise_url, origin

Ask = Callable[[str], Awaitable[HttpResponse]]
"""Fetches an address, without following redirects."""

_OK = 200


@dataclass(frozen=True, slots=True)
class SinglePage:
    """A page that was fetched by itself, and the rules of the hosts on the way, by origin."""

    url: str
    body: bytes
    content_type: str
    nofollow: bool = False  # its X-Robots-Tag asks that nobody follow what is on it
    rules: Mapping[str, RobotsRules] = field(default_factory=dict, repr=False, compare=False)


async def fetch_once(url: str, ask: Ask, *, agent: str, at: float) -> SinglePage:
    """Return the page at an address; raise a FetchError or Disallowed that says why there is none."""
    known: dict[str, RobotsRules] = {}
    for _ in range(MAX_REDIRECTS + 1):
        place = origin(url)
        if place not in known:
            known[place], why = await rules_of(place, ask, at)
            if known[place].kind == "deny":
                raise Disallowed(f"{place}/robots.txt cannot be had ({why}), so nothing may be asked for")
        if not known[place].allowed(url, agent):
            raise Disallowed(f"{place}/robots.txt forbids {url}")
        answer = await ask(url)
        target = _location(answer) if answer.status in REDIRECTS else None
        if target is None:
            break
        url = target
    if target is not None:
        raise FetchError(f"it redirects more than {MAX_REDIRECTS} times, at last to {url}")
    if answer.status != _OK:
        raise FetchError(f"{url} answers with status {answer.status}")
    tag = robots_tag(_headers(answer, b"x-robots-tag"), agent)
    nofollow = not tag.isdisjoint(("nofollow", "none"))
    return SinglePage(answer.url, answer.body, _header(answer, b"content-type"), nofollow, known)


async def rules_of(place: str, ask: Ask, at: float) -> tuple[RobotsRules, str]:
    """Return the rules of a host, named by its origin, and what became of the request for them."""
    status, body, why = await _robots(f"{place}/robots.txt", ask)
    return RobotsRules.from_answer(status, body, at), why


async def _robots(url: str, ask: Ask) -> tuple[int | None, bytes, str]:
    """Return the last answer to a request for robots.txt, and in words what it was."""
    for _ in range(MAX_REDIRECTS + 1):
        try:
            answer = await ask(url)
        except Refused:  # by the address guard: then so is everything else there
            raise
        except FetchError as error:
            return None, b"", str(error)
        target = _location(answer) if answer.status in REDIRECTS else None
        if target is None:
            break
        url = target
    return answer.status, answer.body, f"status {answer.status}"


def _location(answer: HttpResponse) -> str | None:
    location = _header(answer, b"location")
    return normalise_url(location, answer.url) if location else None


def _header(answer: HttpResponse, name: bytes) -> str:
    return next(_headers(answer, name), "")


def _headers(answer: HttpResponse, name: bytes) -> Iterator[str]:
    return (value.decode("latin-1") for key, value in answer.headers if key.lower() == name)
