"""Which addresses a crawl may request, by the patterns of its user.

A pattern is a glob, in which `*` stands for any characters, or a regular expression after `re:`. It begins with

- `/` or `*`: it is compared with the path and the query, on every host;
- a scheme (`https://a.example/books/*`) or a host (`a.example/books`, `*.a.example`): it is compared with the whole address;
- `re:`: the regular expression may match anywhere in the whole address.

A glob matches an address and everything below it: `/books` means `/books`, `/books/7` and `/books?page=2`, but not `/bookshop`. So an
exclusion that names a folder leaves out the folder. An address is in the scope if it matches an including pattern, or there is none,
and no excluding one. robots.txt is outside of all this: it is always read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from hiddenweb.urls import end_of_host

if TYPE_CHECKING:
    from collections.abc import Iterable

INCLUDE, EXCLUDE = "HIDDENWEB_INCLUDE", "HIDDENWEB_EXCLUDE"
"""The settings with the patterns."""

NOT_INCLUDED = f"its address is in no pattern of {INCLUDE}"
EXCLUDED = f"its address is excluded by {EXCLUDE}"
OUTSIDE = (NOT_INCLUDED, EXCLUDED)
"""Why an address is not requested, or a form not submitted."""

MOST_PATTERNS = 1_000
"""Of one setting: a limit of taste."""

_WORD = re.compile(r"re:\S+|[^\s,]+")
_SCHEME = re.compile(r"(https?|\*)://", re.IGNORECASE)
_HOST = re.compile(
    r"[\w*-]+(?:\.[\w*-]+)*(?::[\d*]+)?(?=/|$)|\[[0-9a-f:.]+\](?::[\d*]+)?(?=/|$)", re.IGNORECASE
)
_SAFE = "%/:=&?~#+!$,;'@()*[]"  # characters of addresses that are no letters and are not escaped
_BELOW = "(?:[/?].*)?"


@dataclass(frozen=True, slots=True)
class AddressPattern:
    """One pattern, as it was written and as it is compared."""

    text: str
    expression: re.Pattern[str]
    is_path: bool = False  # it is compared with path and query only

    @classmethod
    def parse(cls, text: str) -> AddressPattern:
        """Read a pattern; raises ValueError."""
        if text.startswith("re:"):
            try:
                return cls(text, re.compile(text[3:]))
            except (re.error, OverflowError, RecursionError) as error:
                raise ValueError(f"{text!r} is no regular expression: {error}") from None
        if text.startswith(("/", "*/", "*.")) and "://" not in text and not _is_host(text):
            return cls(text, _glob(text), is_path=True)
        scheme = _SCHEME.match(text)
        rest = text[scheme.end() :] if scheme else text
        host = _HOST.match(rest)
        if host is None or (scheme is None and not re.search(r"[.:]", host[0])):
            raise ValueError(
                f"{text!r} is no pattern; wanted /PATH, HOST/PATH, https://HOST/PATH with * for anything, or re:EXPRESSION"
            )
        before = "https?://" if scheme is None or scheme[1] == "*" else re.escape(scheme[0].lower())
        return cls(
            text,
            re.compile(before + _host_expression(host[0]) + _glob(rest[host.end() :]).pattern, re.DOTALL),
        )

    def matches(self, url: str) -> bool:
        """Say whether a normalised address matches."""
        if self.is_path:
            return self.expression.fullmatch(url, end_of_host(url)) is not None
        if self.text.startswith("re:"):
            return self.expression.search(url) is not None
        return self.expression.fullmatch(url) is not None


@dataclass(frozen=True, slots=True)
class AddressScope:
    """The addresses that a crawl may request."""

    include: tuple[AddressPattern, ...] = ()
    exclude: tuple[AddressPattern, ...] = ()

    @classmethod
    def parse(cls, include: str | Iterable[str] = "", exclude: str | Iterable[str] = "") -> AddressScope:
        """Read the patterns of both settings; raises ValueError."""
        return cls(parse_patterns(include), parse_patterns(exclude))

    def __bool__(self) -> bool:
        """Say whether there is any pattern."""
        return bool(self.include or self.exclude)

    def __str__(self) -> str:
        """Write it down, to recognise whether it has changed."""
        both = (self.include, self.exclude)
        return " ".join(
            f"{sign}{pattern.text}" for sign, patterns in zip("+-", both, strict=True) for pattern in patterns
        )

    def reason_outside(self, url: str) -> str:
        """Return why an address is not requested; empty if it may be.

        >>> scope = AddressScope.parse("/books", "*.pdf, */print/*")
        >>> scope.reason_outside("https://a.example/books/7?page=2")
        ''
        >>> scope.reason_outside("https://a.example/books/7.pdf")
        'its address is excluded by HIDDENWEB_EXCLUDE'
        >>> scope.reason_outside("https://a.example/bookshop")
        'its address is in no pattern of HIDDENWEB_INCLUDE'
        """
        if self.include and not any(pattern.matches(url) for pattern in self.include):
            return NOT_INCLUDED
        if self.exclude and any(pattern.matches(url) for pattern in self.exclude):
            return EXCLUDED
        return ""


EVERYWHERE = AddressScope()
"""The scope of a crawl without patterns."""


def parse_patterns(patterns: str | Iterable[str]) -> tuple[AddressPattern, ...]:
    """Return the patterns of a setting: a list, or a text with commas or spaces between them; raises ValueError.

    A regular expression reaches to the next space, so it may have commas.
    """
    words = _WORD.findall(patterns) if isinstance(patterns, str) else [str(each).strip() for each in patterns]
    if len(words) > MOST_PATTERNS:
        raise ValueError(f"{len(words):,} patterns are too many, at most {MOST_PATTERNS:,} are read")
    return tuple(AddressPattern.parse(word) for word in words if word)


def _is_host(text: str) -> bool:
    """Say whether a pattern that begins with `*.` means the hosts of a domain, and not the ending of a file.

    >>> _is_host("*.a.example"), _is_host("*.a.example/books"), _is_host("*.pdf"), _is_host("*/print/*")
    (True, True, False, False)
    """
    return text.startswith("*.") and "." in text[2:].partition("/")[0]


def _glob(text: str) -> re.Pattern[str]:
    parts = (re.escape(quote(part, safe=_SAFE)) for part in re.split(r"\*+", text))
    body = ".*".join(parts)
    below = ".*" if text.endswith("/") else _BELOW
    return re.compile(body + below, re.DOTALL)


def _host_expression(host: str) -> str:
    try:
        name = host.lower() if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        name = host.lower()
    return "[^/?]*".join(map(re.escape, name.split("*")))
