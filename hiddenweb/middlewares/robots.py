"""Asking robots.txt first, and obeying it."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, signals

from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.http_status import REDIRECTS
from hiddenweb.fetch.refusals import Disallowed, Postponed
from hiddenweb.fetch.robots import MAX_REDIRECTS, RobotsRules
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.signals import host_paced
from hiddenweb.store.database import give_back, share
from hiddenweb.urls import normalise_url, origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

ROBOTS = "robots"
"""What a request for robots.txt carries as its errand."""

MOST_HOSTS = 5_000
"""Hosts whose rules are held in memory; those of the others are in the state."""


class RobotsMiddleware:
    """Lets through what robots.txt allows.

    A host that was not asked yet is asked for its rules first, which is a request like any other: what was on its way
    waits its turn again. Rules are kept in the state for a day.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        middleware = cls(
            crawler,
            share(Path(settings["HIDDENWEB_STATE"])),
            agent=settings["USER_AGENT"],
            delay=settings.getfloat("HIDDENWEB_DELAY"),
            retry=settings.getfloat("HIDDENWEB_ROBOTS_RETRY_DELAY"),
        )
        crawler.signals.connect(middleware.close, signals.spider_closed)
        return middleware

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

    def close(self) -> None:
        """Let go of the state."""
        give_back(self._state)

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
        if not rules.allowed(request.url, self._agent):
            self._count("forbidden")
            raise Disallowed("robots.txt forbids it")
        wait = max(self._delay, rules.crawl_delay(self._agent) or 0.0) if asked else 0.0
        if wait > 0:
            raise Postponed("robots.txt was asked for first", wait)

    async def _get(self, place: str) -> tuple[RobotsRules, bool]:
        """Return the rules of a host, and whether it was asked for them just now."""
        stored = self._state.robots(place)
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
        self._count("asked")
        response = await self._fetch(f"{place}/robots.txt")
        status, body = (response.status, response.body) if response is not None else (None, b"")
        rules = RobotsRules.from_answer(status, body, self._now())
        if rules.kind == "deny":
            rules = replace(rules, until=rules.at + self._wait(response, rules.at))
        self._state.keep_robots(place, rules.to_json())
        self._keep(place, rules)
        return rules

    def _wait(self, response: Response | None, now: float) -> float:
        """Return after how long a host that could not say is asked again: as it wishes, or as we usually do."""
        asked_for = response.headers.get("Retry-After") if response is not None else None
        seconds = retry_after(asked_for.decode("latin-1"), now) if asked_for else None
        return self._retry if seconds is None else max(1.0, seconds)

    async def _fetch(self, url: str) -> Response | None:
        """Return the last answer after at most five redirects; None if there is none."""
        assert self._crawler.engine is not None
        response, first = None, url
        for _ in range(MAX_REDIRECTS + 1):
            request = Request(url, meta={"hiddenweb": ROBOTS}, dont_filter=True)
            try:
                response = await self._crawler.engine.download_async(request)
            except (
                Refused
            ):  # by the address guard: then so is everything else there, unless it was sent elsewhere
                if url == first:
                    raise
                return None
            except FetchError as error:
                logger.info("%s: %s", url, error)
                return None
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or not location:
                break
            target = normalise_url(location.decode("latin-1"), url)
            if target is None:
                break
            url = target
        return response

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
