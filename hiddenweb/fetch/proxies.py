"""Which proxy a request uses: from the configuration or from the environment, read once."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

from ada_url import URL

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy: it gets http requests directly, and tunnels https by CONNECT."""

    host: str
    port: int
    authorization: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies for http and https, and the hosts that are reached directly (in the syntax of `no_proxy`)."""

    http: str | None = None
    https: str | None = None
    no_proxy: str = ""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Proxies:
        """Read http_proxy, https_proxy and no_proxy, in lower case before upper case."""

        def value(name: str) -> str:
            return environ.get(name) or environ.get(name.upper()) or ""

        # A CGI server sets HTTP_PROXY from the header "Proxy" of the request.
        http = environ.get("http_proxy") if "REQUEST_METHOD" in environ else value("http_proxy")
        found = cls(http or None, value("https_proxy") or None, value("no_proxy"))
        for proxy in (found.http, found.https):
            if proxy:
                parse_proxy(proxy)
        return found

    @classmethod
    def from_setting(cls, proxy: str | None, environ: Mapping[str, str]) -> Proxies:
        """Return one proxy for all, no proxy if it is empty, those of the environment if it is None."""
        if proxy is None:
            return cls.from_environment(environ)
        if proxy:
            parse_proxy(proxy)
        return cls(proxy or None, proxy or None)

    def proxy_for(self, url: str) -> str | None:
        """Return the proxy for a URL, None if it needs none."""
        proxy = self.https if url.startswith("https:") else self.http
        if proxy and self.no_proxy and _is_exempt(url, self.no_proxy):
            return None
        return proxy


NO_PROXIES = Proxies()


def _is_exempt(url: str, no_proxy: str) -> bool:
    try:
        host = URL(url).host
    except ValueError:
        return False
    # The function separates host and port itself; it must see a bare IPv6 address without brackets.
    return bool(proxy_bypass_environment(host, {"no": no_proxy}))


@lru_cache(maxsize=1024)
def parse_proxy(url: str) -> Proxy:
    """Read the address of a proxy: `http://user:password@host:port`, or `host:port`."""
    without_password = url.rpartition("@")[2]
    try:
        parts = URL(url if "://" in url else f"http://{url}")
    except ValueError:
        raise ValueError(f"proxy {without_password!r} is not an address") from None
    if parts.protocol != "http:":
        raise ValueError(f"proxy {without_password!r}: only http proxies are supported")
    authorization = None
    if parts.username or parts.password:
        user = unquote_to_bytes(parts.username) + b":" + unquote_to_bytes(parts.password)
        authorization = b"Basic " + b64encode(user)
    return Proxy(parts.hostname.strip("[]"), int(parts.port or 80), authorization)
