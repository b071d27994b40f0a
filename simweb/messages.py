"""What a site is asked and what it answers, before anything is put on a wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Parameters = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Request:
    """One request to one host. `count` is how many this host had before it, `day` the day of the clock."""

    method: str
    host: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    count: int = 0
    time: float = 0.0

    @property
    def day(self) -> int:
        """Return the number of whole days since the world's first day."""
        return int(self.time // 86_400)

    @property
    def target(self) -> str:
        """Return path and query as they stood in the request."""
        return f"{self.path}?{self.query}" if self.query else self.path


@dataclass(slots=True)
class Response:
    """One answer; `stream` replaces the body where it never ends.

    What a crawler does not see is kept for the truth: the kind of page, its links, the records on it.
    """

    status: int
    body: bytes
    headers: list[tuple[str, str]] = field(default_factory=list)
    kind: str = "page"
    stream: Iterator[bytes] | None = None
    links: tuple[str, ...] = ()
    records: tuple[int, ...] = ()


def host_name(asked: str, port: int) -> str:
    """Return a host as the world knows it: in lower case, without port 80; an address is never without its port."""
    host = asked.lower().removesuffix(":80")
    return f"{host}:{port}" if host.startswith("127.") and ":" not in host else host


def split_parameters(encoded: str, charset: str) -> Parameters:
    """Read a query string or a url-encoded body; both & and ; separate, as old servers have it.

    What came over the wire holds one character for each byte; text with other characters is taken as UTF-8.
    """
    try:
        sent = encoded.encode("latin-1")
    except UnicodeEncodeError:
        sent = encoded.encode()
    pairs = []
    for part in sent.replace(b";", b"&").split(b"&"):
        if part:
            name, _, value = part.partition(b"=")
            pairs.append((_decode(name, charset), _decode(value, charset)))
    return pairs


def _decode(sent: bytes, charset: str) -> str:
    return unquote_to_bytes(sent.replace(b"+", b" ")).decode(charset, "replace")
