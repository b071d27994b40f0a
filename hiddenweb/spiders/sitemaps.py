"""Fetching sitemaps before revisits are planned.

A sitemap that dates its pages covers many pages with one request. The sitemaps in the robots.txt of a host are fetched, in number limited by its
pages, by all rules that hold for pages: the address guard, robots.txt, the delay of the host, also between the last sitemap and the first revisit. Sitemaps
on another site are not fetched, and a sitemap counts only for the host that names it.
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
"""Sitemaps that are fetched for one host. A limit of taste."""

PAGES_A_FILE = 5
"""Pages that a host must have for each of its sitemaps; fewer pages are better revisited themselves. A limit of taste."""

SITES_AT_ONCE = 16
"""Sites whose sitemaps are fetched at the same time: a limit of taste."""

MOST_REDIRECTS = 3
"""From one address of a sitemap to the next: a limit of taste."""


@runtime_checkable
class PacedScheduler(Protocol):
    """What is used of the scheduler."""

    def pace_of(self, url: str) -> HostPace:
        """Return the pace of an address's host."""


class _NoSitemap(Exception):
    """There is no sitemap; the message says why."""


class _NoTime(Exception):
    """A request cannot be sent in time, or the crawl ends."""


@dataclass(slots=True)
class SitemapReader:
    """Fetches and stores the sitemaps of hosts, within limits of time and requests."""

    crawler: Crawler
    state: Store
    until: float
    most: int
    now: Callable[[], float] = time.time
    requests: int = 0  # that were sent
    _sitemaps: SitemapStore = field(init=False)
    _revisits: RevisitStore = field(init=False)

    def __post_init__(self) -> None:
        self._sitemaps = SitemapStore(self.state)
        self._revisits = RevisitStore(self.state)

    async def read(self, domains: Collection[str] = ()) -> None:
        """Fetch the sitemaps of all hosts with pages, or of those of some sites; the host with most pages first."""
        sites: dict[str, list[SitemapHost]] = {}
        for host in self._sitemaps.load_hosts(domains):
            if host.pages >= PAGES_A_FILE and host.robots is not None and host.paused_until <= self.now():
                sites.setdefault(registered_domain(host.origin), []).append(host)
        turns = asyncio.Semaphore(SITES_AT_ONCE)

        async def read_site(hosts: list[SitemapHost]) -> None:
            async with turns:
                for host in hosts:  # one after the other: they may redirect to each other
                    await self._read_host(host)

        await asyncio.gather(*(read_site(hosts) for hosts in sites.values()))

    async def _read_host(self, host: SitemapHost) -> None:
        rules = RobotsRules.from_json(host.robots or "")
        named = _of_site(rules.sitemaps, host.origin)
        if rules.kind == "deny":  # the rules are unknown
            return
        stored_sitemaps, listed = self._sitemaps.load(host.number), set(named)
        is_idle = bool(self._sitemaps.load_trust([host.number]).are_idle()[0])
        oldest = self.now() - (IDLE_SITEMAP_HOLDS if is_idle else SITEMAP_HOLDS)
        files = min(MOST_FILES, host.pages // PAGES_A_FILE)
        waiting = [(url, True) for url in named]
        try:
            while waiting:
                url, may_be_index = waiting.pop(0)
                stored = stored_sitemaps.get(url)
                if stored is None or stored.asked <= oldest:
                    if not files:
                        return
                    files -= 1
                    stored = await self._fetch(host, url, stored)
                if may_be_index:
                    parts = [part for part in _of_site(stored.parts, host.origin) if part not in listed]
                    listed.update(parts)
                    waiting += [(part, False) for part in parts]
        except _NoTime:
            return
        self._sitemaps.forget_others(host.number, listed)

    async def _fetch(self, host: SitemapHost, url: str, earlier: StoredSitemap | None) -> StoredSitemap:
        """Fetch and store a sitemap; if that fails, its earlier contents stay."""
        try:
            body = await self._fetch_body(url)
        except _NoSitemap as error:
            self._count("failed")
            logger.info("%s: %s", url, error)
            failed = StoredSitemap(self.now(), earlier.parts if earlier is not None else (), str(error))
            self._sitemaps.save(host.number, url, failed)
            return failed
        links = self._sitemaps.load_pages(host.number)
        sitemap, dates = await asyncio.to_thread(_read, body, url, host.origin, links)
        self._count("read")
        self._count("dated", len(dates))
        if sitemap.why:
            logger.info("%s: read in part: %s", url, sitemap.why)
        newest = sorted(sitemap.parts, key=lambda part: -(part.modified or self.now()))
        fetched = StoredSitemap(self.now(), tuple(part.url for part in newest[:MOST_FILES]), sitemap.why)
        self._sitemaps.save(host.number, url, fetched, dates.items())
        return fetched

    async def _fetch_body(self, url: str) -> bytes:
        """Return the body of an address; redirects within its site are followed."""

        def target_of(response: Response) -> str | None:
            if response.status not in REDIRECTS:
                return None
            target = redirect_target(response.status, response.headers.get("Location"), response.url)
            if target is None or not _of_site([target], url):
                raise _NoSitemap("it redirects to nowhere, or to another site")
            return target

        response, target = await follow_redirects(url, self._send, target_of, limit=MOST_REDIRECTS)
        if target is not None:
            raise _NoSitemap(f"more than {MOST_REDIRECTS} redirects")
        if response.status != 200:
            raise _NoSitemap(f"status {response.status}")
        return response.body

    async def _send(self, url: str) -> Response:
        """Send one request when the pace of its host allows it, after its robots.txt if that is unknown; return the answer."""
        engine = self.crawler.engine
        assert engine is not None
        scheduler: object = engine.scheduler
        if not isinstance(scheduler, PacedScheduler):
            raise _NoTime
        pace = scheduler.pace_of(url)
        for _ in range(2):
            await self._wait_for(pace)
            if self.requests >= self.most:
                raise _NoTime
            self.requests += 1
            pace.note_start(self.now())
            try:
                response = await engine.download_async(self._request(url))
            except Postponed as postponed:
                self.requests -= 1
                pace.pause(self.now() + postponed.seconds, str(postponed))
                pace.note_end(self.now())
            except (Disallowed, Refused) as error:
                self.requests -= 1
                pace.note_end(self.now())
                raise _NoSitemap(str(error)) from error
            except FetchError as error:
                self._count_request()
                pace.note_failure(self.now(), str(error))
                raise _NoSitemap(str(error)) from error
            except BaseException:
                pace.note_end(self.now())
                raise
            else:
                self._count_request()
                self._note_answer(pace, response)
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

    def _count_request(self) -> None:
        self._count("requested")
        self._revisits.plan.count_request(self.now())

    def _note_answer(self, pace: HostPace, response: Response) -> None:
        now = self.now()
        if response.status not in TRY_LATER:
            pace.note_answer(now, response.meta.get("download_latency", 0.0))
            return
        header = response.headers.get("Retry-After")
        seconds = retry_after(header.decode("latin-1"), now) if header else None
        why = f"status {response.status}"
        if seconds is not None:
            pace.pause(now + seconds, why)
            if (host := self.state.sites.find_host(response.url)) is not None:
                self.state.sites.pause_host(host, now + seconds, why)
        pace.note_failure(now, why)

    def _count(self, what: str, count: int = 1) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"hiddenweb/sitemaps/{what}", count)


def _read(body: bytes, url: str, place: str, links: dict[int, int]) -> tuple[Sitemap, dict[int, float]]:
    """Return a sitemap, and by link when it says that the stored pages of a host changed."""
    sitemap = read_sitemap(body, url)
    dates: dict[int, float] = {}
    for entry in sitemap.pages:
        if entry.modified is not None and origin(entry.url) == place:
            link = links.get(url_hash(entry.url))
            if link is not None:
                dates[link] = max(entry.modified, dates.get(link, entry.modified))
    return sitemap, dates


def _of_site(urls: Iterable[str], place: str) -> list[str]:
    """Return those addresses, normalised, that are on the same site as `place`."""
    found = (normalise_url(url, f"{place}/") for url in urls)
    return list(
        dict.fromkeys(url for url in found if url and registered_domain(url) == registered_domain(place))
    )
