"""What fetches: one protocol for all that ask the web for something, whatever stands behind it.

Today that is an HTTP client; a browser that runs scripts fits behind the same protocol. Whoever implements it lets `address_guard` judge every
address before a connection to it is opened, also those that a page or a script leads to, and hands over each answer whole, or marked as
cut, or raises a `FetchError` that says why there is none. Redirects are not followed (`redirects` does that for those who want it) and cookies not kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from hiddenweb.fetch.proxies import NO_PROXIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.fetch.proxies import Proxies

MAX_BYTES = 10_000_000
"""Of a body, decoded, where nobody says otherwise: a limit of taste, far beyond pages that people read."""

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is requested. Host, Connection, Content-Length and, unless given, Accept-Encoding are the fetcher's business."""

    method: str
    url: str
    headers: Sequence[tuple[bytes, bytes]] = ()
    body: bytes = field(default=b"", repr=False)
    proxy: str | None = None
    timeout: float = 60.0
    max_bytes: int = MAX_BYTES


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What is answered: the body decoded and whole, or marked `truncated`."""

    status: int
    headers: Headers
    body: bytes = field(repr=False)
    url: str
    address: str  # of the host, or of the proxy
    marks: tuple[str, ...] = ()  # truncated, unknown_encoding
    latency: float = 0.0  # seconds from the request to the end of the answer's head

    def header(self, name: bytes) -> str:
        """Return the first header of a name, which is written in small letters; nothing without one."""
        return next(self.headers_named(name), "")

    def headers_named(self, name: bytes) -> Iterator[str]:
        """Yield all headers of a name."""
        return (value.decode("latin-1") for key, value in self.headers if key.lower() == name)


@dataclass(frozen=True, slots=True)
class RequestDefaults:
    """What all requests of a crawl have in common."""

    headers: Sequence[tuple[bytes, bytes]] = ()
    proxies: Proxies = NO_PROXIES
    timeout: float = 60.0
    max_bytes: int = MAX_BYTES

    def get_request(self, url: str) -> HttpRequest:
        """Return a request for what an address holds."""
        proxy = self.proxies.proxy_for(url)
        return HttpRequest(
            "GET", url, self.headers, proxy=proxy, timeout=self.timeout, max_bytes=self.max_bytes
        )


class Fetcher(Protocol):
    """Fetches by the rules: every address judged, every size limited."""

    async def fetch(self, request: HttpRequest) -> HttpResponse:
        """Return the answer to a request, or raise a FetchError."""

    async def close(self) -> None:
        """Let go of everything that is open."""
