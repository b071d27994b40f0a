"""Letting through what robots.txt allows.

The tasks of our scheduler come when the rules of their host are known. Requests that do not pass through the frontier (a form that
is fetched again, sitemaps before revisits are planned, requests of other people's spiders) may be the first of their host: then its robots.txt is
fetched here, once, and they are postponed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from scrapy import Request

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.errors import Disallowed, FetchError, Postponed, Refused
from hiddenweb.fetch.host_rules import SHORTEST_PAUSE, UNAVAILABLE, RobotsAnswer
from hiddenweb.model import CrawlTask
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler

    from hiddenweb.fetch.host_rules import HostRules

logger = logging.getLogger(__name__)


class RobotsMiddleware:
    """Lets no request through that robots.txt forbids, whoever sends it."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context = CrawlContext.open(crawler)
        return cls(crawler, context.host_rules, delay=context.settings.getfloat("HIDDENWEB_DELAY"))

    def __init__(
        self, crawler: Crawler, rules: HostRules, *, delay: float, now: Callable[[], float] = time.time
    ) -> None:
        self._crawler = crawler
        self._rules = rules
        self._delay = delay
        self._now = now

    async def process_request(self, request: Request) -> None:
        task = request.meta.get("hiddenweb")
        if isinstance(task, CrawlTask) and task.kind == "robots":
            return
        place, was_fetched = origin(request.url), False
        if not isinstance(task, CrawlTask):
            was_fetched = await self._load_rules(place)
        if why := self._rules.reason_refused(place):
            raise Refused(why)
        rules = self._rules.find_last(place)
        if rules is not None and rules.kind == "deny":
            self._count("hiddenweb/robots/unavailable")
            raise Postponed(UNAVAILABLE, max(SHORTEST_PAUSE, rules.until - self._now()), whole_host=True)
        if not self._rules.allow(request.url):
            self._count("hiddenweb/robots/forbidden")
            raise Disallowed("robots.txt forbids it")
        wait = max(self._delay, self._rules.crawl_delay(place)) if was_fetched else 0.0
        if wait > 0:
            raise Postponed("robots.txt was requested first", wait)

    async def _load_rules(self, place: str) -> bool:
        """Fetch the rules of a host if they are unknown; say whether a delay has to pass before anything else is sent."""
        is_new = not self._rules.is_in_memory(place)
        if self._rules.find(place, self._now()) is not None:
            # An earlier crawl may have sent a request a moment ago: its Crawl-delay has to pass first.
            return is_new and self._rules.crawl_delay(place) > 0
        if self._rules.is_under_way(place):
            ended = asyncio.Event()
            self._rules.call_at_end(place, ended.set)
            await ended.wait()
            return True
        self._count("hiddenweb/robots/requested")
        self._rules.begin(place)
        try:
            self._rules.save_answer(place, await self._fetch_rules(place), self._now())
        except Refused as error:
            self._rules.save_refusal(place, str(error), self._now())
        finally:
            self._rules.end(place)
        return True

    async def _fetch_rules(self, place: str) -> RobotsAnswer:
        """Return the answer of a host; raise Refused if the address guard refuses it."""
        assert self._crawler.engine is not None
        url = f"{place}/robots.txt"
        request = Request(url, meta={"hiddenweb": CrawlTask(0, 0, 0, url, "robots")}, dont_filter=True)
        try:
            response = await self._crawler.engine.download_async(request)
        except Refused:
            raise
        except FetchError as error:
            logger.info("%s: %s", url, error)
            return RobotsAnswer(error=error)
        retry_after = (response.headers.get("Retry-After") or b"").decode("latin-1")
        return RobotsAnswer(response.status, response.body, retry_after)

    def _count(self, stat: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(stat)
