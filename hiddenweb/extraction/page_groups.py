"""Which pages are of one kind: those made from one template, at addresses of one pattern.

Pages of one template share most of the *places* of their skeletons: a place is the path of tags and classes to an element, with the digits in them masked.
Two pages are as like as the share of places they have in common (Jaccard). The frame of a site, its head and menu, is on all of its pages, so likeness alone says little; what is asked is
which of many pages are like one that was shown.

Their addresses say the same more cheaply, and before a page is fetched. An `UrlPatterns` is made from some that belong together: those with the same host, number of
segments and names of parameters are one pattern, in which a segment that differs between them may be anything. Of a single address the last segment may
be anything but for its ending, and so may all others that have digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from hiddenweb.html.skeleton import Skeleton

ANY = "*"
SAME_TEMPLATE = 0.45
"""The share of places that pages of one template have in common, at the least."""

_DIGITS = re.compile(r"\d+")
_SEPARATOR = re.compile("[&;]")
_MOST_PATTERNS = 20
_DEEPEST = 60  # places below this depth are not told apart


def dom_paths(skeleton: Skeleton) -> frozenset[int]:
    """Return the places of a page, as numbers that hold within this process; without `html`, `head` and `body`, which every page has."""
    paths: list[int] = []
    places: set[int] = set()
    labels: dict[tuple[str, str], str] = {}
    for node, parent in enumerate(skeleton.parents):
        key = skeleton.tags[node], skeleton.classes[node]
        label = labels.get(key)
        if label is None:
            label = labels[key] = f"{key[0]}.{_DIGITS.sub('0', key[1])}"
        above = paths[parent] if parent >= 0 else 0
        paths.append(hash((above, label)) if skeleton.depths[node] < _DEEPEST else above)
        if skeleton.depths[node] > 1:
            places.add(paths[-1])
    return frozenset(places)


def jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    """Return the share of places that two pages have in common."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0


@dataclass(frozen=True, slots=True)
class UrlPatterns:
    """The addresses of pages of one kind: each a host, a path whose segments may be `*`, and the names of parameters."""

    patterns: tuple[tuple[str, tuple[str, ...], str], ...] = ()

    @classmethod
    def of(cls, urls: Iterable[str]) -> UrlPatterns:
        """Return the patterns of some addresses that belong together.

        >>> UrlPatterns.of(["http://a.example/the-river/p/12", "http://a.example/the-sea/p/7"]).patterns
        (('a.example', ('*', 'p', '*'), ''),)
        >>> UrlPatterns.of(["http://a.example/shop/12/show.php?id=3"]).patterns
        (('a.example', ('shop', '*', 'show.php'), 'id'),)
        """
        groups: dict[Hashable, list[tuple[str, tuple[str, ...], str]]] = {}
        for url in dict.fromkeys(urls):
            host, segments, names = _parts(url)
            ending = _ending(segments[-1]) if segments else ""
            groups.setdefault((host, len(segments), ending, names), []).append((host, segments, names))
        found = [_together(group) for group in groups.values()]
        return cls(tuple(sorted(found))[:_MOST_PATTERNS])

    def has(self, url: str) -> bool:
        """Say whether an address is one of these.

        >>> UrlPatterns.of(["http://a.example/item/1", "http://a.example/item/2"]).has("http://a.example/item/77")
        True
        """
        host, segments, names = _parts(url)
        return any(
            pattern_host == host and pattern_names == names and _fits(pattern, segments)
            for pattern_host, pattern, pattern_names in self.patterns
        )

    def __str__(self) -> str:
        return ", ".join(
            f"{host}/{'/'.join(segments)}{'?' + names if names else ''}"
            for host, segments, names in self.patterns
        )

    def to_json(self) -> list[list[object]]:
        """Return them as what JSON can hold."""
        return [[host, list(segments), names] for host, segments, names in self.patterns]

    @classmethod
    def from_json(cls, read: Sequence[Sequence[object]]) -> UrlPatterns:
        """Return what `to_json` described."""
        return cls(
            tuple((str(host), tuple(map(str, segments)), str(names)) for host, segments, names in read)  # type: ignore[call-overload]
        )


def _parts(url: str) -> tuple[str, tuple[str, ...], str]:
    parts = urlsplit(url)
    names = sorted({part.partition("=")[0] for part in _SEPARATOR.split(parts.query) if part})
    return parts.netloc, tuple(segment for segment in parts.path.split("/") if segment), "&".join(names)


def _ending(segment: str) -> str:
    name, dot, ending = segment.rpartition(".")
    return f".{ending}" if dot and name and len(ending) <= 5 and ending.isalnum() else ""


def _together(group: Sequence[tuple[str, tuple[str, ...], str]]) -> tuple[str, tuple[str, ...], str]:
    host, segments, names = group[0]
    if len(group) == 1:
        return host, tuple(_alone(segments, names)), names
    general = []
    for place in range(len(segments)):
        said = {each[1][place] for each in group}
        is_last = place == len(segments) - 1
        general.append(
            segments[place] if len(said) == 1 else ANY + (_ending(segments[place]) if is_last else "")
        )
    return host, tuple(general), names


def _alone(segments: tuple[str, ...], names: str) -> Iterable[str]:
    for place, segment in enumerate(segments):
        is_last = place == len(segments) - 1
        if (is_last and not names) or _DIGITS.search(segment):
            yield ANY + (_ending(segment) if is_last else "")
        else:
            yield segment


def _fits(pattern: Sequence[str], segments: Sequence[str]) -> bool:
    return len(pattern) == len(segments) and all(
        wanted == segment or (wanted.startswith(ANY) and segment.endswith(wanted[1:]))
        for wanted, segment in zip(pattern, segments, strict=True)
    )
