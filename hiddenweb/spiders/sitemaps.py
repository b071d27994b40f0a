"""Asking for sitemaps before looks are planned.

A sitemap that dates its pages tells of many pages for one request. Those are asked for that the robots.txt of a host names, at most so many as there are pages to
hear of, by all rules that hold for pages: the address guard, robots.txt, the delay of the host, which also lies between the last sitemap and the first look. What lies
on another site is left alone, and a sitemap speaks for the host that names it only.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from scrapy import Request

from hiddenweb.fetch.errors import Disallowed, FetchError, Postponed, Refused
from hiddenweb.fetch.http_status import TRY_LATER
from hiddenweb.fetch.redirects import REDIRECTS, follow_redirects, redirect_target
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.fetch.sitemaps import read_sitemap
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.revisit.planner import IDLE_SITEMAP_HOLDS, SITEMAP_HOLDS
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.sitemaps import SitemapStore, StoredSitemap
from hiddenweb.urls import normalise_url, origin, registered_domain, url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from hiddenweb.fetch.sitemaps import Sitemap
    from hiddenweb.frontier.host_pace import HostPace
    from hiddenweb.store.database import Store
    from hiddenweb.store.sitemaps import SitemapHost

logger = logging.getLogger(__name__)

SITEMAP = "sitemap"
"""What a request for a sitemap carries as its task."""

MOST_FILES = 20
"""Sitemaps that are asked for on behalf of one host. A limit of taste."""

PAGES_A_FILE = 5
"""Pages that a host must have for each of them; of fewer we know more by looking. A limit of taste."""

SITES_AT_ONCE = 16
"""Sites of which sitemaps are fetched side by side: a limit of taste."""

MOST_REDIRECTS = 3
"""From one address of a sitemap to the next: a limit of taste."""


@runtime_checkable
class PacedScheduler(Protocol):
    """What is asked of the scheduler."""

    def pace_of(self, url: str) -> HostPace:
        """Return the pace of an address's host."""


class _NoSitemap(Exception):
    """There is no sitemap, for a reason."""


class _NoTime(Exception):
    """The host cannot be asked in time, or the crawl ends."""


@dataclass(slots=True)
class SitemapReader:
    """Asks for the sitemaps of hosts, until a time and so many requests, and keeps what they say."""

    crawler: Crawler
    state: Store
    until: float
    most: int
    now: Callable[[], float] = time.time
    asked: int = 0  # requests
    _kept: SitemapStore = field(init=False)
    _looks: RevisitStore = field(init=False)

    def __post_init__(self) -> None:
        self._kept = SitemapStore(self.state)
        self._looks = RevisitStore(self.state)

    async def read(self, domains: Collection[str] = ()) -> None:
        """Ask for the sitemaps of all hosts that have pages, or of those of some sites; those with most pages first."""
        sites: dict[str, list[SitemapHost]] = {}
        for host in self._kept.load_hosts(domains):
            if host.pages >= PAGES_A_FILE and host.robots is not None and host.paused_until <= self.now():
                sites.setdefault(registered_domain(host.origin), []).append(host)
        turns = asyncio.Semaphore(SITES_AT_ONCE)

        async def read_site(hosts: list[SitemapHost]) -> None:
            async with turns:
                for host in hosts:  # one after the other: they may send us to each other
                    await self._read_host(host)

        await asyncio.gather(*(read_site(hosts) for hosts in sites.values()))

    async def _read_host(self, host: SitemapHost) -> None:
        rules = RobotsRules.from_json(host.robots or "")
        named = _of_site(rules.sitemaps, host.origin)
        if rules.kind == "deny":  # nobody knows
            return
        known, met = self._kept.load(host.number), set(named)
        is_idle = bool(self._kept.load_trust([host.number]).are_idle()[0])
        begun = self.now() - (IDLE_SITEMAP_HOLDS if is_idle else SITEMAP_HOLDS)
        files = min(MOST_FILES, host.pages // PAGES_A_FILE)
        waiting = [(url, True) for url in named]
        try:
            while waiting:
                url, may_be_index = waiting.pop(0)
                kept = known.get(url)
                if kept is None or kept.asked <= begun:
                    if not files:
                        return
                    files -= 1
                    kept = await self._ask(host, url, kept)
                if may_be_index:
                    parts = [part for part in _of_site(kept.parts, host.origin) if part not in met]
                    met.update(parts)
                    waiting += [(part, False) for part in parts]
        except _NoTime:
            return
        self._kept.forget_others(host.number, met)

    async def _ask(self, host: SitemapHost, url: str, before: StoredSitemap | None) -> StoredSitemap:
        """Ask for a sitemap, and keep what it says; if it cannot be had, what it said before."""
        try:
            body = await self._body(url)
        except _NoSitemap as error:
            self._count("failed")
            logger.info("%s: %s", url, error)
            kept = StoredSitemap(self.now(), before.parts if before is not None else (), str(error))
            self._kept.save(host.number, url, kept)
            return kept
        known = self._kept.load_pages(host.number)
        sitemap, dates = await asyncio.to_thread(_read, body, url, host.origin, known)
        self._count("read")
        self._count("dated", len(dates))
        if sitemap.why:
            logger.info("%s: read in part: %s", url, sitemap.why)
        newest = sorted(sitemap.parts, key=lambda part: -(part.modified or self.now()))
        kept = StoredSitemap(self.now(), tuple(part.url for part in newest[:MOST_FILES]), sitemap.why)
        self._kept.save(host.number, url, kept, dates.items())
        return kept

    async def _body(self, url: str) -> bytes:
        """Return what an address holds, also if it moved within its site."""

        def target_of(response: Response) -> str | None:
            if response.status not in REDIRECTS:
                return None
            target = redirect_target(response.status, response.headers.get("Location"), response.url)
            if target is None or not _of_site([target], url):
                raise _NoSitemap("it redirects to nowhere, or to another site")
            return target

        response, target = await follow_redirects(url, self._response, target_of, limit=MOST_REDIRECTS)
        if target is not None:
            raise _NoSitemap(f"more than {MOST_REDIRECTS} redirects")
        if response.status != 200:
            raise _NoSitemap(f"status {response.status}")
        return response.body

    async def _response(self, url: str) -> Response:
        """Return the answer to one request, sent when its host may be asked; robots.txt may have to be asked for first."""
        engine = self.crawler.engine
        assert engine is not None
        scheduler: object = engine.scheduler
        if not isinstance(scheduler, PacedScheduler):
            raise _NoTime
        pace = scheduler.pace_of(url)
        for _ in range(2):
            await self._wait_for(pace)
            if self.asked >= self.most:
                raise _NoTime
            self.asked += 1
            pace.note_start(self.now())
            try:
                response = await engine.download_async(self._request(url))
            except Postponed as not_yet:
                self.asked -= 1
                pace.pause(self.now() + not_yet.seconds, str(not_yet))
                pace.note_end(self.now())
            except (Disallowed, Refused) as error:
                self.asked -= 1
                pace.note_end(self.now())
                raise _NoSitemap(str(error)) from error
            except FetchError as error:
                self._sent()
                pace.note_failure(self.now(), str(error))
                raise _NoSitemap(str(error)) from error
            except BaseException:
                pace.note_end(self.now())
                raise
            else:
                self._sent()
                self._tell(pace, response)
                return response
        raise _NoSitemap("robots.txt is not available")

    def _request(self, url: str) -> Request:
        timeout = self.crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        meta = {"hiddenweb": SITEMAP, "download_timeout": min(timeout, max(1.0, self.until - self.now()))}
        return Request(url, meta=meta, dont_filter=True)

    async def _wait_for(self, pace: HostPace) -> None:
        while (ready := pace.ready_at(self.now())) > self.now():
            if ready > self.until:
                raise _NoTime
            await asyncio.sleep(ready - self.now())
        if self.now() > self.until or self.is_closing:
            raise _NoTime

    @property
    def is_closing(self) -> bool:
        """Whether the crawl ends."""
        # Scrapy has no public way to ask.
        slot = getattr(self.crawler.engine, "_slot", None)
        return slot is None or slot.closing is not None

    def _sent(self) -> None:
        self._count("requested")
        self._looks.plan.count_request(self.now())

    def _tell(self, pace: HostPace, response: Response) -> None:
        now = self.now()
        if response.status not in TRY_LATER:
            pace.note_answer(now, response.meta.get("download_latency", 0.0))
            return
        wish = response.headers.get("Retry-After")
        seconds = retry_after(wish.decode("latin-1"), now) if wish else None
        why = f"status {response.status}"
        if seconds is not None:
            pace.pause(now + seconds, why)
            if (host := self.state.sites.find_host(response.url)) is not None:
                self.state.sites.pause_host(host, now + seconds, why)
        pace.note_failure(now, why)

    def _count(self, what: str, count: int = 1) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"hiddenweb/sitemaps/{what}", count)


def _read(body: bytes, url: str, place: str, known: dict[int, int]) -> tuple[Sitemap, dict[int, float]]:
    """Return what a sitemap says, and when by it those pages of a host changed that are known."""
    sitemap = read_sitemap(body, url)
    dates: dict[int, float] = {}
    for entry in sitemap.pages:
        if entry.modified is not None and origin(entry.url) == place:
            link = known.get(url_hash(entry.url))
            if link is not None:
                dates[link] = max(entry.modified, dates.get(link, entry.modified))
    return sitemap, dates


def _of_site(urls: Iterable[str], place: str) -> list[str]:
    """Return those addresses that are on the site of another one, as they are fetched."""
    found = (normalise_url(url, f"{place}/") for url in urls)
    return list(
        dict.fromkeys(url for url in found if url and registered_domain(url) == registered_domain(place))
    )
