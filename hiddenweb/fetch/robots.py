"""The rules of robots.txt, by RFC 9309.

    2xx             the file is read, up to 500 KiB of it, in whole lines
    4xx             there are no rules, everything is allowed
    429, 5xx, none  the rules are not available: nothing is allowed, and the file is requested again soon
    3xx             after five redirects there are no rules; they are followed by `redirects`, through the address guard

429 is a 4xx in the RFC, but "too many requests" is no permission to send more. Rules are valid for 24 hours.

A group is a run of User-agent lines and the rules after it. Only Allow and Disallow end the run: two User-agent lines with an
unknown line, a sitemap or a Crawl-delay between them belong to one group, as RFC 9309 and Google read it. A Crawl-delay applies to the
agents named before it.

The group that names our product token applies, in any case and with any version; without
one the group for `*` applies. Among the rules of a group the longest match decides, and Allow if they are equally long.
That is left to protego; it gets only the lines of our group, since it would end a run of User-agent lines at any line, and use a group
that names the beginning of our token, or a word of our contact address.

Crawl-delay is not in the RFC; we obey it in full, and Request-rate, too. A site that asks for an hour between
two requests gets one request an hour, up to a limit beyond which it must be a mistake.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar
from urllib.parse import quote

from protego import Protego

from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.redirects import follow_redirects

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator
    from typing import Self

MAX_BYTES = 500 * 1024  # RFC 9309, section 2.5
MAX_REDIRECTS = 5  # RFC 9309, section 2.3.1.2
VALID_FOR = 86_400.0  # seconds: RFC 9309, section 2.4
TRY_AGAIN_AFTER = 600.0  # seconds: a limit of taste
MAX_CRAWL_DELAY = 3_600.0  # seconds: beyond this it must be a mistake; a limit of taste
MAX_SITEMAPS = 1_000  # of one host: a limit of taste

Kind = Literal["read", "allow", "deny"]
_Response = TypeVar("_Response")


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The robots.txt of one host, valid until a time."""

    kind: Kind
    text: str = field(repr=False)
    at: float
    until: float
    _parsed: dict[str, Protego] = field(default_factory=dict, init=False, repr=False, compare=False)
    _groups: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

    @classmethod
    def from_answer(cls, status: int | None, body: bytes, at: float) -> Self:
        """Return the rules from the last response to a request for robots.txt; status None: there was none."""
        if status is None or status == 429 or status >= 500 or status < 200:
            return cls("deny", "", at, at + TRY_AGAIN_AFTER)
        if status >= 300:
            return cls("allow", "", at, at + VALID_FOR)
        return cls("read", _read_text(body), at, at + VALID_FOR)

    @classmethod
    def from_json(cls, stored: str) -> Self:
        """Return stored rules."""
        kind, text, at, until = json.loads(stored)
        if kind not in ("read", "allow", "deny"):
            raise ValueError(f"{kind!r} is no kind of rules")
        return cls(kind, str(text), float(at), float(until))

    def to_json(self) -> str:
        """Return the rules for the store, so that a resumed crawl need not request them again."""
        return json.dumps([self.kind, self.text, self.at, self.until], ensure_ascii=False)

    def allows(self, url: str, agent: str) -> bool:
        """Return whether a URL, written by the URL standard, may be fetched."""
        if self.kind != "read" or not self.text:
            return self.kind != "deny"
        return self._protego(self._group(agent)).can_fetch(url, "*")

    def crawl_delay(self, agent: str, longest: float = MAX_CRAWL_DELAY) -> float | None:
        """Return the seconds between two requests that the file asks for, if any."""
        if self.kind != "read" or not self.text:
            return None
        protego = self._protego(self._group(agent))
        delay = protego.crawl_delay("*")
        rate = protego.request_rate("*")
        if rate is not None:
            delay = max(delay or 0.0, rate.seconds / rate.requests)
        return None if delay is None else min(delay, longest)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that the file names, as written there."""
        if self.kind != "read" or not self.text:
            return ()
        return tuple(dict.fromkeys(self._protego("*").sitemaps))[:MAX_SITEMAPS]

    def _protego(self, group: str) -> Protego:
        if group not in self._parsed:
            self._parsed[group] = Protego.parse("\n".join(_lines_for(group, self.text)))
        return self._parsed[group]

    def _group(self, agent: str) -> str:
        if not self._groups:
            self._groups.update(
                _agent(value) for name, value in _directives(self.text) if name == "user-agent"
            )
            self._groups.add("*")
        token = product_token(agent)
        return token if token in self._groups else "*"


class NoRobots(FetchError):
    """There is no response to the request for a robots.txt."""

    def __init__(self, error: FetchError) -> None:
        super().__init__(error.why, temporary=error.temporary)
        self.remedy = error.remedy


async def fetch_robots(
    host_origin: str,
    send: Callable[[str], Awaitable[_Response]],
    target_of: Callable[[_Response], str | None],
) -> _Response:
    """Return the last response to a request for the robots.txt of a host; raises NoRobots if there is none.

    If the address guard refuses the host itself, Refused is raised, but not if robots.txt redirects to a refused host.
    """
    first = f"{host_origin}/robots.txt"

    async def send_on(url: str) -> _Response:
        try:
            return await send(url)
        except FetchError as error:
            if url == first and isinstance(error, Refused):
                raise
            raise NoRobots(error) from error

    response, _ = await follow_redirects(first, send_on, target_of, limit=MAX_REDIRECTS)
    return response


def product_token(agent: str) -> str:
    """Return the product token of a User-Agent, by which robots.txt names it.

    >>> product_token("HiddenWeb/0.1 (+mailto:me@example.org)")
    'hiddenweb'
    """
    found = _TOKEN.match(agent.strip())
    return found[0].lower() if found else "*"


def robots_tag(headers: Iterable[str], agent: str) -> frozenset[str]:
    """Return the directives of X-Robots-Tag headers for us: those without a name, and those with our product token.

    >>> sorted(robots_tag(["noindex, max-snippet: 20", "otherbot: nofollow"], "hiddenweb/0.1"))
    ['max-snippet: 20', 'noindex']
    """
    directives: set[str] = set()
    for header in headers:
        agent_name = _NAMED.match(header)
        has_agent = agent_name is not None and agent_name[1].lower() not in _VALUED
        if agent_name is None or not has_agent or product_token(agent_name[1]) == product_token(agent):
            parts = header[agent_name.end() if agent_name and has_agent else 0 :].split(",")
            directives.update(filter(None, (part.strip().lower() for part in parts)))
    return frozenset(directives)


_NAMED = re.compile(r"\s*([\w-]+)\s*:")
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_TOKEN = re.compile(r"[A-Za-z_-]+")
_MARK = re.compile(rb"\A\xef(?:\xbb\xbf?)?")  # of UTF-8, perhaps in part
_LONGEST_LINE = 8 * 2083  # characters, as Google cuts them
_DIRECTIVE = re.compile(
    r"(?i)(?P<agent>user[- ]?agents?)|(?P<disallow>diss?all?ow\w*|diasllow|disallaw)|(?P<allow>allow)|"
    r"(?P<sitemap>site-?maps?)|(?P<delay>crawl[- ]delay)|(?P<rate>request[- ]rate)"
)
_STANDARD_NAMES = {
    "agent": "user-agent", "disallow": "disallow", "allow": "allow", "sitemap": "sitemap", "delay": "crawl-delay",
    "rate": "request-rate",
}  # fmt: skip
_PACES = frozenset({"crawl-delay", "request-rate"})
_RULES = frozenset({"allow", "disallow"})
_OTHER_ENDS_OF_LINES = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # of Python, not of the RFC


def _directives(text: str) -> Iterator[tuple[str, str]]:
    """Yield the directive and the value of each line that has one. The colon may be missing."""
    for full_line in text.split("\n"):
        line = full_line[:_LONGEST_LINE].partition("#")[0].strip()
        found = _DIRECTIVE.match(line)
        if found is None or found.lastgroup is None:
            continue
        remainder = line[found.end() :]
        value = remainder.lstrip(" \t")
        if value.startswith(":"):
            yield _STANDARD_NAMES[found.lastgroup], value[1:].strip()
        elif value and value != remainder:
            yield _STANDARD_NAMES[found.lastgroup], value


def _agent(value: str) -> str:
    """Return the agent of a User-agent line: a product token, `*`, or nothing."""
    if value.split()[:1] == ["*"]:
        return "*"
    token = _TOKEN.match(value)
    return token[0].lower() if token else ""


def _lines_for(group: str, text: str) -> Iterator[str]:
    """Yield the rules and delays of one agent, and the sitemaps, as a file for all agents."""
    yield "user-agent: *"
    ruled = timed = False  # whether this group had a rule, or a delay
    is_ruled = is_timed = False  # whether rules, or delays, apply to the agent
    for name, value in _directives(text):
        if name == "user-agent":
            is_named = _agent(value) == group
            is_ruled = is_named or (is_ruled and not ruled)
            is_timed = is_named or (is_timed and not ruled and not timed)
            ruled = timed = False
            continue
        ruled |= name in _RULES
        timed |= name in _PACES
        if name == "sitemap" or (is_ruled if name in _RULES else is_timed):
            yield f"{name}: {_OTHER_ENDS_OF_LINES.sub(lambda end: quote(end[0]), value)}"


def _read_text(body: bytes) -> str:
    """Decode the file, cut to its limit at the end of a line."""
    if len(body) > MAX_BYTES:
        cut = body[:MAX_BYTES]
        body = cut[: max(cut.rfind(b"\n"), cut.rfind(b"\r")) + 1]
    return _decode(body).replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def _decode(body: bytes) -> str:
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return body.decode("utf-16", errors="replace")
    return _MARK.sub(b"", body).decode("utf-8", errors="replace")
