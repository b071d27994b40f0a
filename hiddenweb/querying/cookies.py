"""Cookies of one form: a small, strict part of RFC 6265.

A crawl keeps no cookies. A form that answers only within a session has a jar of its own, which holds what the page of the form
and its answers set, and gives it back to the same host alone, for that form's queries and the pages of their answers. Nothing here knows of any
other jar, so nothing can get from one form, or one site, to another.

Stricter than the RFC is: a cookie for a whole domain is taken only below the domain that somebody registered, never for a public
suffix, and an address in numbers has no domain. `Secure` is never sent, and never set, in the clear. Names that begin with
`__Secure-` or `__Host-` keep what they promise. A jar takes so many cookies and so many bytes and no more; when it is
full the oldest go. Dates are read to learn that a cookie has ended; none outlives its form's session.
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
    domain: str  # of the host that set it, or of hosts below
    path: str = "/"
    whole_domain: bool = False  # hosts below may have it too
    secure: bool = False
    expires: float | None = None  # None: with the session

    @property
    def key(self) -> tuple[str, str, str]:
        """What a later cookie must have in common with it to take its place."""
        return self.name, self.domain, self.path

    @property
    def size(self) -> int:
        """How many bytes it weighs."""
        return len(self.name) + len(self.value)


@dataclass(frozen=True, slots=True)
class CookieJar:
    """The cookies of one form, oldest first. Changes are new jars."""

    cookies: tuple[Cookie, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.cookies)

    def receive(self, url: str, headers: Iterable[str], now: float) -> CookieJar:
        """Return the jar after an answer from an address that set some cookies; what cannot be taken is not."""
        kept = {cookie.key: cookie for cookie in self.cookies}
        for header in headers:
            cookie = read_cookie(header, url, now)
            if cookie is None:
                continue
            kept.pop(cookie.key, None)
            if cookie.expires is None or cookie.expires > now:
                kept[cookie.key] = cookie
        return CookieJar(_drop_excess(tuple(kept.values())))

    def header(self, url: str, now: float) -> str:
        """Return what a request for an address says in its Cookie header; nothing if it has none to say."""
        fitting = [cookie for cookie in self.cookies if _goes_to(cookie, url, now)]
        fitting.sort(
            key=lambda cookie: -len(cookie.path)
        )  # longer paths first, older ones first among equals
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in fitting)

    def to_json(self) -> list[list[object]]:
        """Return it as it is written down."""
        return [
            [each.name, each.value, each.domain, each.path, each.whole_domain, each.secure, each.expires]
            for each in self.cookies
        ]

    @classmethod
    def from_json(cls, written: Sequence[Sequence[object]]) -> CookieJar:
        """Take up what was written down."""
        return cls(tuple(Cookie(*each) for each in written))  # type: ignore[arg-type]  # as `to_json` wrote it


def read_cookie(header: str, url: str, now: float) -> Cookie | None:
    """Return the cookie that an answer from an address sets by one header, or None if it must not be taken."""
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
    return cookie if _keeps_promises(cookie, url, parameters) else None


def _drop_excess(cookies: tuple[Cookie, ...]) -> tuple[Cookie, ...]:
    while len(cookies) > MAX_COOKIES or sum(cookie.size for cookie in cookies) > MAX_BYTES:
        cookies = cookies[1:]
    return cookies


def _goes_to(cookie: Cookie, url: str, now: float) -> bool:
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
    """Return when a cookie ends; Max-Age goes before Expires."""
    if _MAX_AGE.fullmatch(parameters.get("max-age", "")):
        return now + int(parameters["max-age"])
    try:
        return parsedate_to_datetime(parameters["expires"].replace("-", " ")).timestamp()
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def _may_set_for(name: str, domain: str) -> bool:
    """Say whether a host may set a cookie for a domain: its own name, or one above it that is below a public suffix."""
    if name == domain:
        return True
    if _is_number(name) or not name.endswith(f".{domain}"):
        return False
    owned = registered_domain(f"http://{name}/")
    return domain == owned or domain.endswith(f".{owned}")


def _is_number(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _keeps_promises(cookie: Cookie, url: str, parameters: dict[str, str]) -> bool:
    if cookie.secure and not url.startswith("https://"):
        return False
    name = cookie.name.lower()
    if name.startswith("__secure-"):
        return cookie.secure
    if name.startswith("__host-"):
        return cookie.secure and not parameters.get("domain") and cookie.path == "/" and "path" in parameters
    return True
