"""Making the addresses of a page absolute, as browsers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb import urls
from hiddenweb.html.charsets import encoding

if TYPE_CHECKING:
    from collections.abc import Callable


def resolver(base: str, charset: str) -> Callable[[str], str | None]:
    """Return what makes the addresses of a page absolute.

    Most of them do not depend on the page but on its site or folder only, so they are remembered under these.
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
    """Return an address whose query is encoded as the page is; browsers do so, paths are always UTF-8."""
    path, question, rest = href.partition("?")
    query, sharp, fragment = rest.partition("#")
    encoded = query.encode(codec, "xmlcharrefreplace")
    plain = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in encoded)
    return f"{path}{question}{plain}{sharp}{fragment}"
