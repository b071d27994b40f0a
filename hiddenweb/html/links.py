"""Making the addresses of a page absolute, as browsers do."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from hiddenweb import urls
from hiddenweb.html.charsets import encoding

if TYPE_CHECKING:
    from collections.abc import Callable


def resolver(base: str, charset: str) -> Callable[[str], str | None]:
    """Return a function that makes the addresses of a page absolute.

    Most of them depend only on the site or the folder of the page, so they are cached by these.
    """
    end = urls.end_of_host(base)
    site = base[:end] + "/"
    folder = base[: base.rfind("/", end, (base + "?").index("?")) + 1] or site
    name, codec = encoding(charset) or ("", "utf-8")
    codec = "utf-8" if name.startswith(("utf-16", "replacement")) else codec

    def resolve(href: str) -> str | None:
        href = href.strip(" \t\n\r\f")
        if not href.isascii() and codec != "utf-8":
            href = _query_in(codec, href)
        first = href[:1]
        if first in ("/", "\\"):
            return urls.normalise_url(href, site)
        if href[:7].lower() == "http://" or href[:8].lower() == "https://":
            return urls.normalise_url(href)
        if first and first not in "?#" and ":" not in href:
            return urls.normalise_url(href, folder)
        return urls.normalise_url(href, base)

    return resolve


def _query_in(codec: str, href: str) -> str:
    """Return an address with its query in the encoding of the page, as browsers do; paths are always UTF-8."""
    path, question, rest = href.partition("?")
    query, sharp, fragment = rest.partition("#")
    encoded = query.encode(codec, _ESCAPING)
    plain = "".join(chr(byte) if byte < 0x80 and byte != _SHARP else f"%{byte:02X}" for byte in encoded)
    return f"{path}{question}{plain}{sharp}{fragment}"


_SHARP = ord("#")
"""Half of a letter in ISO-2022-JP."""


def _escape_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement of the URL standard for letters that a charset does not have: `&#1084;`, escaped."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unencodable = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(letter)}%3B" for letter in unencodable), error.end


_ESCAPING = "hiddenweb.escape-unencodable"
codecs.register_error(_ESCAPING, _escape_unencodable)
