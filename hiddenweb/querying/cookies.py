"""Cookies of one form: a small, strict part of RFC 6265.

A crawl has no cookies. A form that answers only within a session has a jar of its own. It holds the cookies of the form's page
and of its answers, and sends them back only to the same host, for queries to that form and pages of their answers. No jar knows
another one, so no cookie gets from one form, or one site, to another.

This is stricter than the RFC: a cookie for a whole domain is accepted only within the registered domain, never for a public
suffix, and an IP address has no domain. `Secure` cookies are neither sent nor set without encryption. Names that begin with
`__Secure-` or `__Host-` must fulfil their conditions. The number and the bytes of cookies in a jar are limited; when it is
full the oldest go. Expiry dates are respected, and no cookie outlives its form's session.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiddenweb.urls import host, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_COOKIES = 20
"""Cookies of one form: far fewer than the 50 that RFC 6265 wants of a browser; a limit of taste."""

LONGEST_COOKIE = 4096
"""Bytes of a name and its value, as RFC 6265 has it."""

MAX_BYTES = 8192
"""Bytes of all names and values in a jar: most servers refuse heads from 8 KiB on (the defaults of nginx and Apache)."""

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\x21-\x3a\x3c-\x7e\x80-\xff ,]*")
_MAX_AGE = re.compile(r"-?\d{1,18}")


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie, and where it may go."""

    name: str
    value: str
    domain: str  # the host that set it, or a domain above it
    path: str = "/"
    whole_domain: bool = False  # subdomains get it too
    secure: bool = False
    expires: float | None = None  # None: with the session

    @property
    def key(self) -> tuple[str, str, str]:
        """A later cookie with the same key replaces it."""
        return self.name, self.domain, self.path

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.name) + len(self.value)


@dataclass(frozen=True, slots=True)
class CookieJar:
    """The cookies of one form, oldest first. A changed jar is a new object."""

    cookies: tuple[Cookie, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.cookies)

    def receive(self, url: str, headers: Iterable[str], now: float) -> CookieJar:
        """Return the jar after an answer set some cookies; those that are not acceptable are left out."""
        by_key = {cookie.key: cookie for cookie in self.cookies}
        for header in headers:
            cookie = read_cookie(header, url, now)
            if cookie is None:
                continue
            by_key.pop(cookie.key, None)
            if cookie.expires is None or cookie.expires > now:
                by_key[cookie.key] = cookie
        return CookieJar(_drop_excess(tuple(by_key.values())))

    def header(self, url: str, now: float) -> str:
        """Return the Cookie header of a request; empty if there is none."""
        fitting = [cookie for cookie in self.cookies if _matches(cookie, url, now)]
        fitting.sort(key=lambda cookie: -len(cookie.path))  # longer paths first, then older cookies
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in fitting)

    def to_json(self) -> list[list[object]]:
        """Return the state to save."""
        return [
            [each.name, each.value, each.domain, each.path, each.whole_domain, each.secure, each.expires]
            for each in self.cookies
        ]

    @classmethod
    def from_json(cls, saved: Sequence[Sequence[object]]) -> CookieJar:
        """Return the jar of a saved state."""
        return cls(tuple(Cookie(*each) for each in saved))  # type: ignore[arg-type]  # as `to_json` wrote it


def read_cookie(header: str, url: str, now: float) -> Cookie | None:
    """Return the cookie that one header sets, or None if it is not acceptable."""
    pair, *attributes = header.split(";")
    name, equals, value = (part.strip(" \t") for part in pair.partition("="))
    if not equals or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        return None
    if len(name) + len(value) > LONGEST_COOKIE:
        return None
    parameters = {
        key.strip().lower(): text.strip() for key, _, text in (each.partition("=") for each in attributes)
    }
    cookie = Cookie(
        name,
        value,
        host(url),
        _default_path(url),
        secure="secure" in parameters,
        expires=_expiry(parameters, now),
    )
    if parameters.get("path", "").startswith("/"):
        cookie = replace(cookie, path=parameters["path"])
    if domain := parameters.get("domain", "").removeprefix(".").lower():
        if not _may_set_for(cookie.domain, domain):
            return None
        cookie = replace(
            cookie, domain=domain, whole_domain=domain != cookie.domain or not _is_number(domain)
        )
    return cookie if _fulfils_prefix(cookie, url, parameters) else None


def _drop_excess(cookies: tuple[Cookie, ...]) -> tuple[Cookie, ...]:
    while len(cookies) > MAX_COOKIES or sum(cookie.size for cookie in cookies) > MAX_BYTES:
        cookies = cookies[1:]
    return cookies


def _matches(cookie: Cookie, url: str, now: float) -> bool:
    if cookie.expires is not None and cookie.expires <= now:
        return False
    if cookie.secure and not url.startswith("https://"):
        return False
    name = host(url)
    is_there = name == cookie.domain or (cookie.whole_domain and name.endswith(f".{cookie.domain}"))
    return is_there and _is_below(urlsplit(url).path or "/", cookie.path)


def _is_below(path: str, folder: str) -> bool:
    """Say whether the path of a request matches that of a cookie.

    >>> _is_below("/find/1", "/find"), _is_below("/finder", "/find"), _is_below("/", "/")
    (True, False, True)
    """
    return path == folder or (path.startswith(folder) and (folder[-1] == "/" or path[len(folder)] == "/"))


def _default_path(url: str) -> str:
    path = urlsplit(url).path
    return path[: path.rfind("/")] or "/" if path.startswith("/") else "/"


def _expiry(parameters: dict[str, str], now: float) -> float | None:
    """Return when a cookie expires; Max-Age counts before Expires."""
    if _MAX_AGE.fullmatch(parameters.get("max-age", "")):
        return now + int(parameters["max-age"])
    try:
        return parsedate_to_datetime(parameters["expires"].replace("-", " ")).timestamp()
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def _may_set_for(name: str, domain: str) -> bool:
    """Say whether a host may set a cookie for a domain: its own name, or a parent domain within the registered domain."""
    if name == domain:
        return True
    if _is_number(name) or not name.endswith(f".{domain}"):
        return False
    registered = registered_domain(f"http://{name}/")
    return domain == registered or domain.endswith(f".{registered}")


def _is_number(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _fulfils_prefix(cookie: Cookie, url: str, parameters: dict[str, str]) -> bool:
    if cookie.secure and not url.startswith("https://"):
        return False
    name = cookie.name.lower()
    if name.startswith("__secure-"):
        return cookie.secure
    if name.startswith("__host-"):
        return cookie.secure and not parameters.get("domain") and cookie.path == "/" and "path" in parameters
    return True
