"""What robots.txt asks of us, by RFC 9309.

    2xx             the file is read, up to 500 KiB of it, in whole lines
    4xx             there are no rules, all is allowed
    429, 5xx, none  the host cannot say at the moment: nothing is allowed, ask again soon
    3xx             after five redirects there are no rules; whoever asks follows them, through the address guard

429 is a 4xx to the RFC, but "too many requests" is no permission to send more. Rules hold for 24 hours.

The group that counts is the one that names our product token, in any case and whatever version it adds; only
without one the group for `*` counts. (protego, which reads the file, would also take a group that names the beginning
of our token, or a word of our contact address.) Among the rules of a group the longest match decides, and Allow
where they are equally long.

Crawl-delay is no part of the RFC; we obey it in full, and Request-rate likewise. A site that asks for an hour between
two requests gets one request an hour, up to a bound beyond which it must be a mistake.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from protego import Protego

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

MAX_BYTES = 500 * 1024
MAX_REDIRECTS = 5
VALID_FOR = 86_400.0
TRY_AGAIN_AFTER = 600.0
LONGEST_CRAWL_DELAY = 3_600.0
MOST_SITEMAPS = 1_000

Kind = Literal["read", "allow", "deny"]


@dataclass(frozen=True, slots=True)
class Rules:
    """The robots.txt of one host, good until a time."""

    kind: Kind
    text: str = field(repr=False)
    at: float
    until: float
    _parsed: dict[str, Protego | frozenset[str]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def from_answer(cls, status: int | None, body: bytes, at: float) -> Self:
        """Make rules of the last answer to a request for robots.txt; status None: there was none."""
        if status is None or status == 429 or status >= 500 or status < 200:
            return cls("deny", "", at, at + TRY_AGAIN_AFTER)
        if status >= 300:
            return cls("allow", "", at, at + VALID_FOR)
        return cls("read", _text(body), at, at + VALID_FOR)

    @classmethod
    def from_json(cls, stored: str) -> Self:
        """Take up rules that were stored."""
        kind, text, at, until = json.loads(stored)
        if kind not in ("read", "allow", "deny"):
            raise ValueError(f"{kind!r} is no kind of rules")
        return cls(kind, str(text), float(at), float(until))

    def to_json(self) -> str:
        """Write the rules down, so that a crawl that goes on need not ask again."""
        return json.dumps([self.kind, self.text, self.at, self.until], ensure_ascii=False)

    def allowed(self, url: str, agent: str) -> bool:
        """Say whether this URL, written as the URL standard writes it, may be fetched."""
        if self.kind != "read" or not self.text:
            return self.kind != "deny"
        return self._protego().can_fetch(url, self._group(agent))

    def crawl_delay(self, agent: str, longest: float = LONGEST_CRAWL_DELAY) -> float | None:
        """Return the seconds that shall lie between two requests, if the file says so."""
        if self.kind != "read" or not self.text:
            return None
        group = self._group(agent)
        delay = self._protego().crawl_delay(group)
        rate = self._protego().request_rate(group)
        if rate is not None:
            delay = max(delay or 0.0, rate.seconds / rate.requests)
        return None if delay is None else min(delay, longest)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps the file names, as it writes them."""
        if self.kind != "read" or not self.text:
            return ()
        return tuple(dict.fromkeys(self._protego().sitemaps))[:MOST_SITEMAPS]

    def _protego(self) -> Protego:
        parsed = self._parsed.get("rules")
        if not isinstance(parsed, Protego):
            parsed = self._parsed["rules"] = Protego.parse(self.text)
        return parsed

    def _group(self, agent: str) -> str:
        groups = self._parsed.get("groups")
        if not isinstance(groups, frozenset):
            groups = frozenset(token.lower() for token in _GROUP.findall(self.text))
            self._parsed["groups"] = groups
        token = product_token(agent)
        return token if token in groups else "*"


def product_token(agent: str) -> str:
    """Return the name under which robots.txt knows a User-Agent.

    >>> product_token("HiddenWeb/0.1 (+mailto:me@example.org)")
    'hiddenweb'
    """
    found = _TOKEN.match(agent.strip())
    return found[0].lower() if found else "*"


def robots_tag(headers: Iterable[str], agent: str) -> frozenset[str]:
    """Return what X-Robots-Tag headers ask of us: those that name nobody, and those that name our product token.

    >>> sorted(robots_tag(["noindex, max-snippet: 20", "otherbot: nofollow"], "hiddenweb/0.1"))
    ['max-snippet: 20', 'noindex']
    """
    asked: set[str] = set()
    for header in headers:
        named = _NAMED.match(header)
        names_somebody = named is not None and named[1].lower() not in _VALUED
        if named is None or not names_somebody or product_token(named[1]) == product_token(agent):
            parts = header[named.end() if named and names_somebody else 0 :].split(",")
            asked.update(filter(None, (part.strip().lower() for part in parts)))
    return frozenset(asked)


_NAMED = re.compile(r"\s*([\w-]+)\s*:")
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_TOKEN = re.compile(r"[A-Za-z_-]+")
_AGENT_LINE = re.compile(r"(?im)^([ \t]*user[- ]?agent[ \t]*:[ \t]*)([a-z_-]+).*$")
_GROUP = re.compile(r"(?im)^[ \t]*user[- ]?agent[ \t]*:?[ \t]*([a-z_-]+)")


def _text(body: bytes) -> str:
    """Decode the file, cut to its limit at the end of a line, versions taken off the names of agents."""
    if len(body) > MAX_BYTES:
        cut = body[:MAX_BYTES]
        body = cut[: max(cut.rfind(b"\n"), cut.rfind(b"\r")) + 1]
    text = _decoded(body).replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    return _AGENT_LINE.sub(r"\1\2", text)


def _decoded(body: bytes) -> str:
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return body.decode("utf-16", errors="replace")
    return body.removeprefix(BOM_UTF8).decode("utf-8", errors="replace")
