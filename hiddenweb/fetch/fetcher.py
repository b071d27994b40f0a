"""The protocol of fetchers, for all parts that request something from the web.

Today the fetcher is an HTTP client; a browser that runs scripts could implement the same protocol. An implementation lets `address_guard` judge every
address before a connection to it is opened, also those that a page or a script requests, and returns each response complete, or marked as
cut, or raises a `FetchError` that says why there is none. It does not follow redirects (`redirects` does) or store cookies.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from hiddenweb.fetch.own_headers import NO_OWN_HEADERS, OwnHeaders, merge_cookies
from hiddenweb.fetch.proxies import NO_PROXIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.fetch.proxies import Proxies

MAX_BYTES = 10_000_000
"""The default limit of a decoded body: a limit of taste, far beyond pages that people read."""

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request. The fetcher adds Host, Connection, Content-Length and, unless given, Accept-Encoding."""

    method: str
    url: str
    headers: Sequence[tuple[bytes, bytes]] = ()
    body: bytes = field(default=b"", repr=False)
    proxy: str | None = None
    timeout: float = 60.0
    max_bytes: int = MAX_BYTES


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response: the body decoded and complete, or marked `truncated`."""

    status: int
    headers: Headers
    body: bytes = field(repr=False)
    url: str
    address: str  # of the host, or of the proxy
    marks: tuple[str, ...] = ()  # truncated, unknown_encoding
    latency: float = 0.0  # seconds from the request to the end of the head of the response

    def header(self, name: bytes) -> str:
        """Return the first header of a name, passed in lower case; empty without one."""
        return next(self.headers_named(name), "")

    def headers_named(self, name: bytes) -> Iterator[str]:
        """Yield all headers of a name."""
        return (value.decode("latin-1") for key, value in self.headers if key.lower() == name)


@dataclass(frozen=True, slots=True)
class RequestDefaults:
    """What all requests of a crawl share."""

    headers: Sequence[tuple[bytes, bytes]] = ()
    proxies: Proxies = NO_PROXIES
    timeout: float = 60.0
    max_bytes: int = MAX_BYTES
    own: OwnHeaders = NO_OWN_HEADERS

    def get_request(self, url: str) -> HttpRequest:
        """Return a GET request for an address."""
        proxy = self.proxies.proxy_for(url)
        headers = self.add_own(self.headers, url) if self.own else self.headers
        return HttpRequest("GET", url, headers, proxy=proxy, timeout=self.timeout, max_bytes=self.max_bytes)

    def add_own(self, headers: Sequence[tuple[bytes, bytes]], url: str) -> Sequence[tuple[bytes, bytes]]:
        """Return the headers of a request with those of the user for its address."""
        own, cookies = self.own.headers_for(url), self.own.cookies_for(url, time.time())
        if not own and not cookies:
            return headers
        names = {name.lower() for name, _ in own}
        together = [header for header in headers if header[0].lower() not in names] + [*own]
        if not cookies:
            return together
        others = b"; ".join(value for name, value in together if name.lower() == b"cookie")
        together = [header for header in together if header[0].lower() != b"cookie"]
        return [*together, (b"Cookie", merge_cookies(cookies, others))]


class Fetcher(Protocol):
    """Fetches with every address judged and every size limited."""

    async def fetch(self, request: HttpRequest) -> HttpResponse:
        """Return the response to a request; raises FetchError."""

    async def close(self) -> None:
        """Close all connections."""
