"""Headers and cookies of the user's own, for sites that are theirs: an account, a token, a gate before a test server.

Two files say what is sent where. A TOML file has a table for each origin, with the headers as its keys:

    ["https://intranet.example"]
    Authorization = "Bearer ..."

They go to this scheme, host and port, and nowhere else. A cookies.txt in the Netscape format, as browsers and curl write it, says for
which hosts and paths its cookies are. It knows no ports, and not always the scheme, so its cookies go only where a seed leads as well:
to the scheme and the port of a seed of the same site.

Headers are added at the last moment, for each request by itself, so a redirect never carries them on. They are in no item, no log, no
message and no state. If a server sets one of these cookies again, that is not passed on either: a stored session could hold it.
"""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiddenweb.public_suffixes import split_host
from hiddenweb.querying.cookies import Cookie, CookieJar
from hiddenweb.toml_files import read_tables
from hiddenweb.urls import host, normalise_url, origin, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    HeaderLines = Sequence[tuple[bytes, bytes]]

MAX_FILE_BYTES = 1_000_000
"""Bytes of a file with cookies: a browser keeps some thousand. A limit of taste."""

_FIELDS = 7  # of a line: domain, subdomains too, path, secure, expires, name, value
_HTTP_ONLY = "#HttpOnly_"
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_OURS = frozenset(
    [
        "host",
        "connection",
        "content-length",
        "transfer-encoding",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "user-agent",
        "accept-encoding",
    ]
)
"""Headers that the client writes; the User-Agent says who we are, and robots.txt goes by it."""


class BadHeaderFile(ValueError):
    """A file that cannot be used. The message names the place, and never a value."""


@dataclass(frozen=True, slots=True)
class OwnHeaders:
    """What is sent where."""

    headers: Mapping[str, HeaderLines] = field(default_factory=dict, repr=False)  # by origin
    cookies: CookieJar = field(default=CookieJar(), repr=False)
    places: frozenset[tuple[str, str]] = (
        frozenset()
    )  # registered domains of seeds, with their schemes and ports

    @classmethod
    def read(cls, headers: Path | None, cookies: Path | None, seeds: Iterable[str] = ()) -> OwnHeaders:
        """Read the files; raises BadHeaderFile."""
        return cls(
            read_header_file(headers) if headers is not None else {},
            read_cookie_file(cookies) if cookies is not None else CookieJar(),
            frozenset(map(_place, seeds)),
        )

    def __bool__(self) -> bool:
        """Say whether there is anything to send."""
        return bool(self.headers or self.cookies)

    def headers_for(self, url: str) -> HeaderLines:
        """Return the headers for an address, cookies aside."""
        return self.headers.get(origin(url), ())

    def cookies_for(self, url: str, now: float) -> str:
        """Return the cookies for an address, as a Cookie header has them; empty if there are none."""
        return self.cookies.header(url, now) if self.cookies and _place(url) in self.places else ""


NO_OWN_HEADERS = OwnHeaders()


def read_header_file(path: Path) -> dict[str, HeaderLines]:
    """Return the headers for each origin; raises BadHeaderFile."""
    tables = read_tables(path, BadHeaderFile)
    return {_origin(path, place): _lines(path, place, table) for place, table in tables.items()}


def _origin(path: Path, place: str) -> str:
    url = normalise_url(place if "://" in place else f"https://{place}")
    if url is None or url != f"{origin(url)}/":
        raise BadHeaderFile(
            f'{path}: [{place!r}] is no site; wanted a table for each, such as ["https://a.example"]'
        )
    return origin(url)


def _lines(path: Path, place: str, table: object) -> HeaderLines:
    if not isinstance(table, dict):
        raise BadHeaderFile(
            f"{path}: {place!r} stands outside of a table; wanted one for each site, with headers in it"
        )
    lines = []
    for name, value in table.items():
        if not _NAME.fullmatch(name) or name.lower() in _OURS:
            raise BadHeaderFile(f"{path}: [{place!r}] {name!r} is no header that can be set here")
        if not isinstance(value, str) or not _VALUE.fullmatch(value):
            raise BadHeaderFile(
                f"{path}: [{place!r}] the value of {name!r} is no text in one line of Latin-1"
            )
        lines.append((name.encode("ascii"), value.encode("latin-1")))
    return tuple(lines)


def read_cookie_file(path: Path) -> CookieJar:
    """Return the cookies of a file in the Netscape format; raises BadHeaderFile."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadHeaderFile(
                f"{path}: is too large for a file of cookies (at most {MAX_FILE_BYTES:,} bytes)"
            )
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadHeaderFile(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadHeaderFile(f"{path}: is no text in UTF-8 (byte {error.start})") from None
    cookies = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.removeprefix(_HTTP_ONLY)
        if bare.strip() and not bare.startswith("#"):
            cookies.append(_cookie(f"{path}, line {number}", bare))
    return CookieJar(tuple(cookies))


def _cookie(where: str, line: str) -> Cookie:
    fields = line.split("\t")
    if len(fields) != _FIELDS:
        raise BadHeaderFile(
            f"{where}: has {len(fields)} fields, wanted {_FIELDS} with tabs between them: domain, TRUE or FALSE for its"
            " subdomains, path, TRUE or FALSE for https only, expiry, name, value"
        )
    domain, whole, folder, secure, expires, name, value = fields
    if not {whole.upper(), secure.upper()} <= {"TRUE", "FALSE"} or not folder.startswith("/"):
        raise BadHeaderFile(f"{where}: wanted TRUE or FALSE, a path that begins with /, and TRUE or FALSE")
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value) or ";" in value:
        raise BadHeaderFile(f"{where}: the name or the value is none that a cookie can have")
    bare = domain.removeprefix(".").lower()
    is_whole = whole.upper() == "TRUE"
    if is_whole and not split_host(bare)[0] and split_host(bare)[1]:
        raise BadHeaderFile(
            f"{where}: {bare!r} is no domain that one owner has, so no cookie is for all of it"
        )
    try:
        until = float(expires)
    except ValueError:
        raise BadHeaderFile(
            f"{where}: the expiry is no number of seconds since 1970 (0: at the end of the session)"
        ) from None
    return Cookie(name, value, bare, folder, is_whole, secure.upper() == "TRUE", until or None)


def can_all_read(path: Path) -> bool:
    """Say whether every user of this machine can read a file."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False


def merge_cookies(own: str, others: bytes) -> bytes:
    """Return a Cookie header with the user's cookies and others; of two with one name the user's counts.

    >>> merge_cookies("a=1; b=2", b"b=3; c=4")
    b'a=1; b=2; c=4'
    """
    names = cookie_names(own)
    rest = [pair for pair in others.split(b"; ") if pair and pair.partition(b"=")[0] not in names]
    return b"; ".join([own.encode("latin-1"), *rest])


def cookie_names(own: str) -> frozenset[bytes]:
    """Return the names in a Cookie header."""
    return frozenset(pair.partition("=")[0].encode("latin-1") for pair in own.split("; ") if pair)


def sets_cookie(header: bytes, names: frozenset[bytes]) -> bool:
    """Say whether a Set-Cookie header sets a cookie with one of these names."""
    return header.partition(b"=")[0].strip() in names


def _place(url: str) -> tuple[str, str]:
    """Return the site of an address with its scheme and port."""
    return registered_domain(url), origin(url).replace(host(url), "", 1)
