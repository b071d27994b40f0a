"""Fetching one page, by all rules of a crawl, outside of a crawl.

robots.txt is requested first and obeyed, the address guard judges every address, and a few redirects are followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.fetch.errors import Disallowed, FetchError
from hiddenweb.fetch.redirects import follow_redirects, response_target
from hiddenweb.fetch.robots import MAX_REDIRECTS, NoRobots, RobotsRules, fetch_robots, robots_tag
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from hiddenweb.fetch.fetcher import Fetcher, HttpResponse, RequestDefaults

_OK = 200  # the status of a whole page


@dataclass(frozen=True, slots=True)
class SinglePage:
    """A single page."""

    url: str
    body: bytes
    content_type: str
    nofollow: bool = False  # its X-Robots-Tag says nofollow


class SinglePageFetcher:
    """Fetches single pages; the robots.txt of each host is requested once."""

    def __init__(self, fetcher: Fetcher, defaults: RequestDefaults, *, agent: str, at: float) -> None:
        self._fetcher = fetcher
        self._defaults = defaults
        self._agent = agent
        self._at = at
        self._rules: dict[str, tuple[RobotsRules, str]] = {}

    async def fetch_page(self, url: str) -> SinglePage:
        """Return the page at an address; raises FetchError or Disallowed."""
        response, target = await follow_redirects(
            url, self._get_if_allowed, response_target, limit=MAX_REDIRECTS
        )
        if target is not None:
            raise FetchError(f"it redirects more than {MAX_REDIRECTS} times, at last to {target}")
        if response.status != _OK:
            raise FetchError(f"{response.url} answers with status {response.status}")
        tag = robots_tag(response.headers_named(b"x-robots-tag"), self._agent)
        nofollow = not tag.isdisjoint(("nofollow", "none"))
        return SinglePage(response.url, response.body, response.header(b"content-type"), nofollow)

    async def load_rules(self, host_origin: str) -> RobotsRules:
        """Return the rules of a host, named by its origin."""
        rules, _ = await self._load_rules(host_origin)
        return rules

    async def _get_if_allowed(self, url: str) -> HttpResponse:
        host_origin = origin(url)
        rules, why = await self._load_rules(host_origin)
        if rules.kind == "deny":
            raise Disallowed(
                f"{host_origin}/robots.txt is not available ({why}), so nothing may be requested"
            )
        if not rules.allows(url, self._agent):
            raise Disallowed(f"{host_origin}/robots.txt forbids {url}")
        return await self._get(url)

    async def _load_rules(self, host_origin: str) -> tuple[RobotsRules, str]:
        """Return the rules of a host, and the outcome of the request for them."""
        if host_origin not in self._rules:
            try:
                response = await fetch_robots(host_origin, self._get, response_target)
            except NoRobots as error:
                rules, why = RobotsRules.from_answer(None, b"", self._at), str(error)
            else:
                rules = RobotsRules.from_answer(response.status, response.body, self._at)
                why = f"status {response.status}"
            self._rules[host_origin] = rules, why
        return self._rules[host_origin]

    async def _get(self, url: str) -> HttpResponse:
        return await self._fetcher.fetch(self._defaults.get_request(url))
