"""Which addresses are the same address, and which are of one kind.

Addresses are read by ada-url, which follows the URL standard to the letter, and then written canonically. `normalise_url` is
what we fetch: the standard's own spelling, without the fragment. `canonical_url` is what we compare: also without session ids
and tracking parameters, with sorted parameters and percent-encoding in one spelling. Sorting is stable, so parameters of one
name keep their order, and a query that is separated by `;`, or is no list of parameters at all, stays as it is.

Pages made from one template often have addresses of one pattern, which can be recognised before they are fetched. `UrlPatterns` are made
from addresses that belong together: those with the same host, number of segments and names of parameters are one pattern, in which a
segment that differs between them may be anything. In the pattern of a single address the last segment may be anything with the same
ending, and so may all other segments with digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ada_url import join_url, normalize_url
from xxhash import xxh3_64_intdigest

from hiddenweb.public_suffixes import split_host

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

ANY = "*"
"""Stands for any segment in a pattern."""

_MOST_PATTERNS = 20  # of one kind of page: a limit of taste
_LONGEST_ENDING = 5  # characters of a file's ending, as in `.xhtml`: a limit of taste

# Addresses


def normalise_url(url: str, base: str | None = None) -> str | None:
    """Return an address as the URL standard writes it, without fragment; None unless it is http or https."""
    return _parse(url) if base is None else _join(base, url)


def canonical_url(url: str) -> str:
    """Return the one spelling for all spellings of an address; for comparing, not for fetching."""
    url = normalise_url(url) or url
    if "%" in url:
        url = _ESCAPE.sub(_escape_in_one_spelling, url)
    path, question, query = url.partition("?")
    if ";" in path:
        path = _SESSION_IN_PATH.sub("", path)
    if not question:
        return path
    query = _canonical_query(query)
    return f"{path}?{query}" if query else path


def url_hash(url: str) -> int:
    """Return the number of an address: a signed 64-bit hash of its canonical form."""
    return to_signed(xxh3_64_intdigest(canonical_url(url).encode("utf-8", "surrogatepass")))


def text_hash(text: str) -> int:
    """Return a signed 64-bit hash of a text."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)


def origin(url: str) -> str:
    """Return scheme, host and port of a normalised address, without the default port.

    >>> origin("https://example.org:443/a?b")
    'https://example.org'
    """
    return _origin(url[: end_of_host(url)])


def host(url: str) -> str:
    """Return the host of an address, without port.

    >>> host("http://[::1]:8080/"), host("https://Example.org/a")
    ('[::1]', 'example.org')
    """
    place = origin(url).partition("://")[2]
    return place.rpartition(":")[0] if place[-1:].isdigit() and _PORT.search(place) else place


def registered_domain(url: str) -> str:
    """Return the registered part of the host; the whole host if its suffix is in no list."""
    return _find_domain(host(url))


def strip_public_suffix(name: str) -> str:
    """Return the name of a host without its public suffix, which says nothing about the host.

    >>> strip_public_suffix("www.rare-books.co.uk"), strip_public_suffix("shop.example"), strip_public_suffix("localhost")
    ('www.rare-books', 'shop', 'localhost')
    """
    suffix = split_host(name)[1] or name.rpartition(".")[2]
    return name.removesuffix(f".{suffix}")


def shape(url: str) -> str:
    """Return an address with a mask for everything that a trap may count up: digits, long hexadecimals, query values.

    >>> shape("http://a.example/day/2024-05-17?id=4&x")
    'http://a.example/day/0-0-0?id=&x='
    """
    path, question, query = url.partition("?")
    place = end_of_host(path)
    masked = path[:place] + _DIGITS.sub("0", _HEXADECIMAL.sub("0", path[place:]))
    if not question:
        return masked
    names = [_DIGITS.sub("0", part.partition("=")[0]) + "=" for part in _SEPARATOR.split(query) if part]
    return f"{masked}?{'&'.join(names)}"


def kind_of_address(url: str) -> str:
    """Return what addresses of one kind have in common: the folder without numbers, the ending, the names of parameters.

    >>> kind_of_address("http://a.example/books/old-bridge-12.html"), kind_of_address("http://a.example/show.php?id=12")
    ('http://a.example/books/*.html?', 'http://a.example/show.php?id')
    >>> kind_of_address("http://a.example/books/12/show")
    'http://a.example/books/*/*?'

    The text behind the dot of a title or a version is no ending.

    >>> kind_of_address("http://a.example/wiki/Mr.%20Brown"), kind_of_address("http://a.example/snake/2.7")
    ('http://a.example/wiki/*?', 'http://a.example/snake/*?')
    """
    parts = urlsplit(url)
    folder, _, last = parts.path.rstrip("/").rpartition("/")
    name, semicolon, _ = last.partition(";")
    ending = found[0] if (found := _ENDING.search(name)) else ""
    names = sorted(part.partition("=")[0] for part in _SEPARATOR.split(parts.query) if part)
    last_part = name if names or semicolon else f"*{ending}"
    folder = _NUMBERED.sub("*", folder)
    return f"{parts.scheme}://{parts.netloc}{folder}/{last_part}{semicolon}?{'&'.join(names)}"


def has_repeated_segments(url: str) -> bool:
    """Return whether a path segment occurs three times in an address, or a run of segments three times in a row.

    >>> has_repeated_segments("http://a.example/a/b/a/b/a/b/"), has_repeated_segments("http://a.example/a/b/a/")
    (True, False)
    """
    path = url.partition("?")[0]
    segments = [segment for segment in path[end_of_host(path) :].split("/") if segment]
    return len(segments) >= 3 and any(segments.count(segment) >= 3 for segment in set(segments))


def end_of_host(url: str) -> int:
    """Return where the host of an absolute address ends, and with it the port.

    >>> "http://a.example:8/b"[: end_of_host("http://a.example:8/b")]
    'http://a.example:8'
    """
    start = url.find("://") + 3
    end = url.find("/", start)
    place = url[start:end] if end >= 0 else url[start:]
    if "?" in place or "#" in place:
        place = place.partition("?")[0].partition("#")[0]
    return start + len(place)


# Patterns


@dataclass(frozen=True, slots=True)
class UrlPatterns:
    """The addresses of pages of one kind: each a host, a path whose segments may be `*`, and the names of parameters."""

    patterns: tuple[tuple[str, tuple[str, ...], str], ...] = ()

    @classmethod
    def from_urls(cls, urls: Iterable[str]) -> UrlPatterns:
        """Return the patterns of some addresses that belong together.

        >>> UrlPatterns.from_urls(["http://a.example/the-river/p/12", "http://a.example/the-sea/p/7"]).patterns
        (('a.example', ('*', 'p', '*'), ''),)
        >>> UrlPatterns.from_urls(["http://a.example/shop/12/show.php?id=3"]).patterns
        (('a.example', ('shop', '*', 'show.php'), 'id'),)
        """
        groups: dict[Hashable, list[tuple[str, tuple[str, ...], str]]] = {}
        for url in dict.fromkeys(urls):
            host, segments, names = _parts(url)
            ending = _file_ending(segments[-1]) if segments else ""
            groups.setdefault((host, len(segments), ending, names), []).append((host, segments, names))
        found = [_merge_paths(group) for group in groups.values()]
        return cls(tuple(sorted(found))[:_MOST_PATTERNS])

    def has(self, url: str) -> bool:
        """Say whether an address is one of these.

        >>> UrlPatterns.from_urls(["http://a.example/item/1", "http://a.example/item/2"]).has("http://a.example/item/77")
        True
        """
        host, segments, names = _parts(url)
        return any(
            pattern_host == host and pattern_names == names and _matches_pattern(pattern, segments)
            for pattern_host, pattern, pattern_names in self.patterns
        )

    def __str__(self) -> str:
        return ", ".join(
            f"{host}/{'/'.join(segments)}{'?' + names if names else ''}"
            for host, segments, names in self.patterns
        )

    def to_json(self) -> list[list[object]]:
        """Return the patterns as JSON can hold them."""
        return [[host, list(segments), names] for host, segments, names in self.patterns]

    @classmethod
    def from_json(cls, read: Sequence[Sequence[object]]) -> UrlPatterns:
        """Return the patterns that `to_json` returned."""
        return cls(
            tuple((str(host), tuple(map(str, segments)), str(names)) for host, segments, names in read)  # type: ignore[call-overload]
        )


# Steps


_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;]*", re.IGNORECASE)
_IGNORED_PARAMETER = re.compile(
    r"(?:utm_\w+|gclid|fbclid|dclid|msclkid|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken)(?:=|\Z)"
    r"|(?:sid|session_?id|sess|s)=[0-9a-f]{16,}\Z",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,5}$")  # of a file
_NUMBERED = re.compile(r"(?<=/)\d+(?=/|$)")
_SEPARATOR = re.compile("[&;]")
_DIGITS = re.compile(r"\d+")
_HEXADECIMAL = re.compile(
    r"(?<![0-9A-Za-z])(?=[a-fA-F-]*\d)[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,}){0,4}(?![0-9A-Za-z])"
)
_PORT = re.compile(r":\d+\Z")


@lru_cache(maxsize=4_096)
def _parse(url: str) -> str | None:
    try:
        return _fetchable(str(normalize_url(url)))
    except ValueError:
        return None


@lru_cache(maxsize=16_384)
def _join(base: str, url: str) -> str | None:
    try:
        return _fetchable(str(join_url(base, url)))
    except ValueError:
        return None


def _fetchable(full: str) -> str | None:
    """Return an address without its fragment; None if nothing can be fetched there."""
    if not full.startswith(("http://", "https://")):
        return None
    cut = full.find("#")
    return full if cut < 0 else full[:cut]


def _escape_in_one_spelling(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _canonical_query(query: str) -> str:
    if "=" not in query or ";" in query:
        return query
    kept = [part for part in query.split("&") if part and not _IGNORED_PARAMETER.match(part)]
    kept.sort(key=_name_of_parameter)
    return "&".join(kept)


def _name_of_parameter(parameter: str) -> str:
    return parameter.partition("=")[0]


def is_readable(url: str) -> bool:
    """Say whether an address can be parsed at all.

    >>> is_readable("mailto:me"), is_readable("http://[bad")
    (True, False)
    """
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4_096)
def _origin(start: str) -> str:
    parts = urlsplit(normalise_url(start) or start)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


@lru_cache(maxsize=16_384)
def _find_domain(name: str) -> str:
    return split_host(name)[0] or name


def to_signed(number: int) -> int:
    """Return a 64-bit number as databases store it, with a sign."""
    return number - (1 << 64) if number >> 63 else number


def _parts(url: str) -> tuple[str, tuple[str, ...], str]:
    parts = urlsplit(url)
    names = sorted({part.partition("=")[0] for part in _SEPARATOR.split(parts.query) if part})
    return parts.netloc, tuple(segment for segment in parts.path.split("/") if segment), "&".join(names)


def _file_ending(segment: str) -> str:
    name, dot, ending = segment.rpartition(".")
    return f".{ending}" if dot and name and len(ending) <= _LONGEST_ENDING and ending.isalnum() else ""


def _merge_paths(group: Sequence[tuple[str, tuple[str, ...], str]]) -> tuple[str, tuple[str, ...], str]:
    host, segments, names = group[0]
    if len(group) == 1:
        return host, tuple(_generalise_path(segments, names)), names
    general = []
    for place in range(len(segments)):
        variants = {each[1][place] for each in group}
        is_last = place == len(segments) - 1
        general.append(
            segments[place]
            if len(variants) == 1
            else ANY + (_file_ending(segments[place]) if is_last else "")
        )
    return host, tuple(general), names


def _generalise_path(segments: tuple[str, ...], names: str) -> Iterable[str]:
    for place, segment in enumerate(segments):
        is_last = place == len(segments) - 1
        if (is_last and not names) or _DIGITS.search(segment):
            yield ANY + (_file_ending(segment) if is_last else "")
        else:
            yield segment


def _matches_pattern(pattern: Sequence[str], segments: Sequence[str]) -> bool:
    return len(pattern) == len(segments) and all(
        expected == segment or (expected.startswith(ANY) and segment.endswith(expected[1:]))
        for expected, segment in zip(pattern, segments, strict=True)
    )
