"""Asking robots.txt first, and obeying it."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.errors import Disallowed, Postponed
from hiddenweb.fetch.redirects import redirect_target
from hiddenweb.fetch.robots import NoRobots, RobotsRules, fetch_robots
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.signals import host_paced
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

ROBOTS = "robots"
"""What a request for robots.txt carries as its task."""

MOST_HOSTS = 5_000
"""Hosts whose rules are held in memory; those of the others are in the state. A limit of taste."""


class RobotsMiddleware:
    """Lets through what robots.txt allows.

    A host that was not asked yet is asked for its rules first, which is a request like any other: what was on its way
    waits its turn again. Rules are kept in the state for a day.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        return cls(
            crawler,
            CrawlContext.open(crawler).store,
            agent=settings["USER_AGENT"],
            delay=settings.getfloat("HIDDENWEB_DELAY"),
            retry=settings.getfloat("HIDDENWEB_ROBOTS_RETRY_DELAY"),
        )

    def __init__(
        self,
        crawler: Crawler,
        state: Store,
        *,
        agent: str,
        delay: float,
        retry: float,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._crawler = crawler
        self._state = state
        self._agent = agent
        self._delay = delay
        self._retry = retry
        self._now = now
        self._rules: dict[str, RobotsRules] = {}
        self._asking: dict[str, asyncio.Future[RobotsRules]] = {}

    async def process_request(self, request: Request) -> None:
        if request.meta.get("hiddenweb") == ROBOTS:
            return
        place = origin(request.url)
        rules = self._rules.get(place)
        asked = False
        if rules is None or rules.until <= self._now():
            rules, asked = await self._get(place)
        if rules.kind == "deny":
            self._count("unavailable")
            raise Postponed("robots.txt cannot be had", max(1.0, rules.until - self._now()), whole_host=True)
        if not rules.allows(request.url, self._agent):
            self._count("forbidden")
            raise Disallowed("robots.txt forbids it")
        wait = max(self._delay, rules.crawl_delay(self._agent) or 0.0) if asked else 0.0
        if wait > 0:
            raise Postponed("robots.txt was requested first", wait)

    async def _get(self, place: str) -> tuple[RobotsRules, bool]:
        """Return the rules of a host, and whether it was asked for them just now."""
        stored = self._state.sites.load_robots(place)
        if stored is not None:
            rules = RobotsRules.from_json(stored)
            if rules.until > self._now():
                self._keep(place, rules)
                # The run before may have asked a moment ago: a delay is waited for as after asking.
                return rules, bool(rules.crawl_delay(self._agent))
        asking = self._asking.get(place)
        if asking is None:
            asking = self._asking[place] = asyncio.ensure_future(self._ask(place))
            asking.add_done_callback(lambda _: self._asking.pop(place, None))
        return await asyncio.shield(asking), True

    async def _ask(self, place: str) -> RobotsRules:
        self._count("requested")
        response: Response | None = None
        try:
            response = await fetch_robots(place, self._send, _target)
        except NoRobots as error:
            logger.info("%s/robots.txt: %s", place, error)
        status, body = (response.status, response.body) if response is not None else (None, b"")
        rules = RobotsRules.from_answer(status, body, self._now())
        if rules.kind == "deny":
            rules = replace(rules, until=rules.at + self._wait(response, rules.at))
        self._state.sites.save_robots(place, rules.to_json())
        self._keep(place, rules)
        return rules

    def _wait(self, response: Response | None, now: float) -> float:
        """Return after how long a host that could not say is asked again: as it wishes, or as we usually do."""
        asked_for = response.headers.get("Retry-After") if response is not None else None
        seconds = retry_after(asked_for.decode("latin-1"), now) if asked_for else None
        return self._retry if seconds is None else max(1.0, seconds)

    async def _send(self, url: str) -> Response:
        assert self._crawler.engine is not None
        request = Request(url, meta={"hiddenweb": ROBOTS}, dont_filter=True)
        return await self._crawler.engine.download_async(request)

    def _keep(self, place: str, rules: RobotsRules) -> None:
        if len(self._rules) >= MOST_HOSTS:
            del self._rules[next(iter(self._rules))]
        self._rules[place] = rules
        delay = rules.crawl_delay(self._agent)
        if delay:
            self._crawler.signals.send_catch_log(host_paced, place=place, delay=delay)

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"hiddenweb/robots/{what}")


def _target(response: Response) -> str | None:
    return redirect_target(response.status, response.headers.get("Location"), response.url)
