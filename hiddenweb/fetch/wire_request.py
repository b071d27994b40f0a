"""A request as it is sent: its target and its bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ada_url import URL

from hiddenweb.fetch.address_guard import literal_address
from hiddenweb.fetch.errors import Refused, Unresolvable

if TYPE_CHECKING:
    from hiddenweb.fetch.fetcher import HttpRequest
    from hiddenweb.fetch.proxies import Proxy

# URLs that the URL standard does not change, so that they need not be parsed.
_PLAIN_URL = re.compile(
    r"(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(/[!$%&()*+,\-./:;=?@_~A-Za-z0-9]*)"
)
_MAX_LABEL = 63  # characters between two dots of a name (RFC 1035)
_METHOD = re.compile(r"[A-Z]+")
_OUR_HEADERS = frozenset(
    b"host connection content-length transfer-encoding keep-alive proxy-authorization proxy-connection "
    b"te trailer upgrade expect".split()
)


@dataclass(frozen=True, slots=True)
class HttpOrigin:
    """The target of an address: a scheme, a host and a port."""

    scheme: str
    host: str  # without brackets
    port: int
    authority: bytes  # as in the Host header
    literal: str | None  # the address, if the host is no name

    @property
    def tls_name(self) -> str | None:
        """The name that a certificate must have; None without TLS."""
        return self.host.removesuffix(".") if self.scheme == "https" else None


def split_url(url: str) -> tuple[str, str]:
    """Return the scheme and host of an address, and its path with the query, by the URL standard; raises Refused."""
    plain = _PLAIN_URL.fullmatch(url)
    if plain is not None and "/." not in plain[2]:
        return plain[1], plain[2]
    url = _standard_spelling(url)
    start = url.index("/", len("https://"))
    return url[:start], url[start:]


def read_origin(prefix: str) -> HttpOrigin:
    """Return the host of the first part of an address; raises Refused, or Unresolvable for an impossible name."""
    try:
        parts = URL(prefix)
    except ValueError:
        raise Refused(f"{prefix[:200]!r} is not a URL") from None
    scheme = parts.protocol.removesuffix(":")
    port = int(parts.port) if parts.port else 443 if scheme == "https" else 80
    host = parts.hostname.strip("[]")
    literal = literal_address(host)
    if literal is None and not all(
        0 < len(label) <= _MAX_LABEL for label in host.removesuffix(".").split(".")
    ):
        raise Unresolvable(f"{host[:200]}: no host can have this name", temporary=False)
    return HttpOrigin(scheme, host, port, parts.host.encode(), literal)


def encode_request(request: HttpRequest, origin: HttpOrigin, path: str, proxy: Proxy | None) -> bytes:
    """Return the bytes of a request for a path of a host; raises Refused if it cannot be written."""
    if not _METHOD.fullmatch(request.method):
        raise Refused(f"{request.method!r} is not a method")
    target = path.encode("ascii")
    to_proxy = proxy is not None and origin.scheme == "http"
    if to_proxy:
        target = b"http://" + origin.authority + target
    lines = [b"%b %b HTTP/1.1" % (request.method.encode(), target), b"Host: " + origin.authority]
    any_encoding = True
    for name, value in request.headers:
        lowered = name.lower()
        if lowered == b"accept-encoding":
            any_encoding = False
        if lowered not in _OUR_HEADERS:
            lines.append(b"%b: %b" % (name, value))
    if any_encoding:
        lines.append(b"Accept-Encoding: gzip, deflate, br, zstd")
    if to_proxy and proxy is not None and proxy.authorization:
        lines.append(b"Proxy-Authorization: " + proxy.authorization)
    if request.body or request.method in ("POST", "PUT", "PATCH"):
        lines.append(b"Content-Length: %d" % len(request.body))
    lines.append(b"\r\n")
    head = b"\r\n".join(lines)
    if head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines) or b"\0" in head:
        raise Refused("a line break inside a header")
    return head + request.body if request.body else head


def encode_connect(proxy: Proxy, origin: HttpOrigin) -> bytes:
    """Return the bytes of a CONNECT request for a tunnel to a host."""
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    authority = f"{host}:{origin.port}".encode()
    head = b"CONNECT %b HTTP/1.1\r\nHost: %b\r\n" % (authority, authority)
    if proxy.authorization:
        head += b"Proxy-Authorization: %b\r\n" % proxy.authorization
    return head + b"\r\n"


def _standard_spelling(url: str) -> str:
    try:
        parts = URL(url)
    except ValueError:
        raise Refused(f"{url[:200]!r} is not a URL") from None
    if parts.protocol not in ("http:", "https:"):
        raise Refused(f"{parts.protocol} is neither http nor https")
    return f"{parts.protocol}//{parts.host}{parts.pathname}{parts.search}"
