"""Scrapy's downloads through our own client: guarded addresses, limited sizes, verified certificates.

The errback of a request gets our own errors (`hiddenweb.fetch.errors`), each of which says whether trying again
may help. Bodies are decoded already, so Scrapy's HttpCompressionMiddleware has nothing to do; a body that was cut
has the flag `truncated`.
"""

from __future__ import annotations

import logging
import os
import time
from dataclasses import replace
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.utils.asyncio import is_asyncio_available

from hiddenweb.crawl_context import CrawlContext, SeededSpider, read_scope, read_settings
from hiddenweb.fetch.address_guard import AllowList
from hiddenweb.fetch.connection import ClientLimits
from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.fetcher import MAX_BYTES, HttpRequest, RequestDefaults
from hiddenweb.fetch.http_client import HttpClient, tls_context
from hiddenweb.fetch.own_headers import OwnHeaders, can_all_read, cookie_names, sets_cookie
from hiddenweb.fetch.proxies import Proxies
from hiddenweb.fetch.redirects import response_target
from hiddenweb.fetch.robots import fetch_robots
from hiddenweb.frontier.address_scope import EVERYWHERE
from hiddenweb.model import CrawlTask
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from ipaddress import IPv4Address, IPv6Address
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.fetch.fetcher import Fetcher, HttpResponse
    from hiddenweb.frontier.address_scope import AddressScope


logger = logging.getLogger(__name__)


class HiddenwebDownloadHandler(BaseDownloadHandler):
    """Fetches http and https with our own client."""

    lazy = False

    def __init__(
        self,
        crawler: Crawler,
        fetcher: Fetcher,
        stats: StatsCollector,
        defaults: RequestDefaults,
        scope: AddressScope = EVERYWHERE,
    ) -> None:
        super().__init__(crawler)
        self.fetcher = fetcher
        self._stats = stats
        self._defaults = defaults
        self._scope = scope

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the settings."""
        if not is_asyncio_available():
            raise NotConfigured("hiddenweb needs Scrapy's asyncio reactor, its default")
        assert crawler.stats is not None
        settings = read_settings(crawler)
        fetcher = client_for(settings, crawler.stats)
        defaults = request_defaults(settings, named_addresses(crawler))
        return cls(crawler, fetcher, crawler.stats, defaults, read_scope(settings))

    async def download_request(self, request: Request) -> Response:
        """Return the answer to a request, or raise a FetchError. Redirects of a robots.txt are followed."""
        task = request.meta.get("hiddenweb")
        if isinstance(task, CrawlTask) and task.kind == "robots":

            async def send(url: str) -> HttpResponse:
                return await self._fetch(request.replace(url=url))

            incoming = await fetch_robots(origin(request.url), send, response_target)
        else:
            if why := self._scope.reason_outside(request.url):
                raise Refused(why)
            incoming = await self._fetch(request)
        request.meta["download_latency"] = incoming.latency
        return response_from(incoming)

    async def _fetch(self, request: Request) -> HttpResponse:
        increase = self._stats.inc_value
        increase("hiddenweb/fetch/requests")
        try:
            incoming = await self.fetcher.fetch(self._outgoing(request))
        except FetchError as error:
            increase(f"hiddenweb/fetch/{error.name}")
            raise
        increase("hiddenweb/fetch/bytes", len(incoming.body))
        if self._defaults.own:
            incoming = without_own_cookies(incoming, self._defaults.own)
        for mark in incoming.marks:
            increase(f"hiddenweb/fetch/{mark}")
        return incoming

    async def close(self) -> None:
        """Close all connections."""
        if self._defaults.own and not self._stats.get_value("hiddenweb/fetch/with_own_headers"):
            logger.warning(
                "No request got a header or a cookie of your own: HIDDENWEB_HEADERS and HIDDENWEB_COOKIES are for other"
                " sites, schemes or ports than the seeds"
            )
        await self.fetcher.close()

    def _outgoing(self, request: Request) -> HttpRequest:
        meta = request.meta
        return HttpRequest(
            request.method,
            request.url,
            self._headers_of(request),
            request.body,
            meta["proxy"] if "proxy" in meta else self._defaults.proxies.proxy_for(request.url),
            meta.get("download_timeout", self._defaults.timeout),
            meta.get("download_maxsize") or self._defaults.max_bytes,
        )

    def _headers_of(self, request: Request) -> Sequence[tuple[bytes, bytes]]:
        headers = self._given_headers(request)
        if not self._defaults.own:
            return headers
        with_own = self._defaults.add_own(headers, request.url)
        if with_own is not headers:
            self._stats.inc_value("hiddenweb/fetch/with_own_headers")
        return with_own

    def _given_headers(self, request: Request) -> Sequence[tuple[bytes, bytes]]:
        request_headers = request.headers
        if not request_headers:
            return self._defaults.headers
        headers = [(name, value) for name, values in dict.items(request_headers) for value in values]
        headers += [header for header in self._defaults.headers if header[0] not in request_headers]
        return headers


def request_defaults(settings: BaseSettings, named: Iterable[str] = ()) -> RequestDefaults:
    """Return what all requests of a crawl have in common, by its settings; `named` are the addresses that its user has named."""
    return RequestDefaults(
        headers_in(settings),
        proxies_in(settings),
        timeout=settings.getfloat("DOWNLOAD_TIMEOUT"),
        max_bytes=settings.getint("HIDDENWEB_MAX_BYTES") or MAX_BYTES,
        own=own_headers_in(settings, named),
    )


def own_headers_in(settings: BaseSettings, named: Iterable[str]) -> OwnHeaders:
    """Return the user's own headers and cookies, and warn of a file that everybody can read."""
    headers, cookies = (settings.get(name) for name in ("HIDDENWEB_HEADERS", "HIDDENWEB_COOKIES"))
    for path in filter(None, (headers, cookies)):
        if can_all_read(Path(path)):
            logger.warning("%s can be read by every user of this machine: chmod 600 %s", path, path)
    return OwnHeaders.read(Path(headers) if headers else None, Path(cookies) if cookies else None, named)


def named_addresses(crawler: Crawler) -> Iterable[str]:
    """Return the addresses that the user of a crawl has named: its seeds, or those of earlier crawls if it has none."""
    spider: object = crawler.spider
    if not crawler.settings.get("HIDDENWEB_COOKIES") or not isinstance(spider, SeededSpider):
        return ()
    return spider.seeds or CrawlContext.open(crawler).store.sites.list_seeds()


def without_own_cookies(incoming: HttpResponse, own: OwnHeaders) -> HttpResponse:
    """Return a response that sets none of the user's own cookies: what is set may be stored."""
    names = cookie_names(own.cookies_for(incoming.url, time.time()))
    kept = [
        (name, value)
        for name, value in incoming.headers
        if name.lower() != b"set-cookie" or not sets_cookie(value, names)
    ]
    return replace(incoming, headers=kept) if len(kept) < len(incoming.headers) else incoming


def headers_in(settings: BaseSettings) -> list[tuple[bytes, bytes]]:
    """Return USER_AGENT and DEFAULT_REQUEST_HEADERS, for requests without headers of their own."""
    headers = Headers(settings.getdict("DEFAULT_REQUEST_HEADERS"))
    headers.setdefault(b"User-Agent", settings["USER_AGENT"])
    return [(name, value) for name, values in dict.items(headers) for value in values]


def proxies_in(settings: BaseSettings) -> Proxies:
    """Return the proxies of HIDDENWEB_PROXY: one for all, none if it is empty, those of the environment if None."""
    return Proxies.from_setting(settings.get("HIDDENWEB_PROXY"), os.environ)


def client_for(settings: BaseSettings, stats: StatsCollector | None = None) -> HttpClient:
    """Return a client with these settings that counts in the stats, if there are any."""
    usual = ClientLimits()
    ca_file: str | None = settings.get("HIDDENWEB_CA_FILE")
    return HttpClient(
        AllowList.parse(settings.getlist("HIDDENWEB_ALLOW_ADDRESSES")),
        limits=ClientLimits(
            header_bytes=settings.getint("HIDDENWEB_MAX_HEADER_BYTES") or usual.header_bytes,
            # More than work at once, so that hosts that take turns keep their connections.
            connections=max(usual.connections, 2 * settings.getint("CONCURRENT_REQUESTS")),
        ),
        tls=tls_context(ca_file) if ca_file else None,
        count=None if stats is None else lambda what: stats.inc_value(f"hiddenweb/fetch/connections/{what}"),
    )


def response_from(incoming: HttpResponse) -> Response:
    """Return a Scrapy response of the class Scrapy itself would choose, most often without its long search."""
    headers = incoming.headers
    if "unknown_encoding" not in incoming.marks:  # the body is decoded already
        headers = [header for header in headers if header[0].lower() != b"content-encoding"]
    content_type = next((value for name, value in headers if name.lower() == b"content-type"), b"")
    kind = _class_for(content_type)
    if kind is Response:
        kind = responsetypes.from_args(Headers(headers), incoming.url, body=incoming.body)
    return kind(
        incoming.url,
        incoming.status,
        headers,
        incoming.body,
        flags=list(incoming.marks),
        ip_address=_address(incoming.address),
        protocol="HTTP/1.1",
    )


@lru_cache(maxsize=1024)
def _class_for(content_type: bytes) -> type[Response]:
    return responsetypes.from_content_type(content_type)


@lru_cache(maxsize=1024)
def _address(address: str) -> IPv4Address | IPv6Address:
    return ip_address(address)
