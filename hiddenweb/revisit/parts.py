"""A page as it is compared: its parts, and the signs that identify a part on other pages of its template.

The main text of a page has a line for every block. Lines are divided into sentences and at dots and bars, so that "Viewed
1,234 times" is a part by itself even where it ends a paragraph. The text of records is left out: they are compared by key.

The words of a template are the same on all its pages, whatever the page is about. So a number is identified by the two
words before it and the one after it ("viewed # times"), a part by its first words ("last updated …") or by its shape, which is all of it except
the numbers; and a part that is only a link by the path of its tags. These signs are stored as hashes: for an unchanged page they list its places without its text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from xxhash import xxh3_64_intdigest

from hiddenweb.language.ages import age_pattern, may_have_time, time_pattern
from hiddenweb.language.money import is_money
from hiddenweb.language.tokens import words
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from hiddenweb.model import Page, Record

START, END = "^", "$"
"""Stand for the part before the first and the part after the last."""

ELSEWHERE = " ↗"
"""What marks the path of a link that leaves the site."""

ASIDE, LABELLED = " ◱", " ="
"""What marks the path of a part outside the main content, such as an advertisement, and of a part that is the value of a label."""

_MAX_PARTS = 20_000  # parts of a page; the rest is one part; a limit of taste
_MAX_SIGNS = 2_000  # signs of a page; a limit of taste
_NEAR_CHARACTERS = 32  # characters before and after a number that are read; a limit of taste
_MAX_SHAPE = 120  # characters; longer shapes become their beginning and a hash; a limit of taste
_MAX_READ = 20_000  # characters of a part in which numbers are read; a limit of taste
_DIVIDERS = re.compile(r"\s[|•·‧]\s|(?<=[.!?…])\s+(?=[^\sa-z])|(?<=[。！？])(?=[^\s。！？])")
_DIGITS = (
    r"\b\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?[^\W\d_]{3,12}\.?,?\s(?:de\s)?(?:19|20)\d\d\b"  # 5 October 2026
    r"|\b[^\W\d_]{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d\b"  # October 5, 2026
    r"|(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{12,}"  # a token
    r"|(?:(?<![A-Za-z])[A-Za-z]{1,100})?\d[A-Za-z\d]*(?:[.,:/'’٫٬-][A-Za-z]{0,100}\d[A-Za-z\d]*)*"
)
_NUMBER = re.compile(_DIGITS)
_LETTER = re.compile(r"[^\W\d_]")


class VisibleNumber(NamedTuple):
    """A number within a part of a page, or a token that has digits."""

    value: str
    place: str  # the words around it: "viewed # times"
    is_money: bool


@dataclass(frozen=True, slots=True)
class PageVersion:
    """What a page said when it was revisited."""

    title: str = ""
    parts: tuple[str, ...] = ()  # in their order, without those of records
    structure: int = 0  # equal for pages of one template
    signs: tuple[int, ...] = ()  # of what is on it, sorted
    links: tuple[tuple[str, str], ...] = ()  # parts that are only a link, with its path of tags
    paths: tuple[
        tuple[str, str], ...
    ] = ()  # parts whose path few others share, or whose path is marked, with that path

    @property
    def all_parts(self) -> tuple[str, ...]:
        """The title and the parts."""
        return (self.title, *self.parts)

    @classmethod
    def from_lists(
        cls,
        title: str,
        parts: Iterable[str],
        structure: int,
        signs: Iterable[int],
        links: Iterable[Sequence[str]],
        paths: Iterable[Sequence[str]] = (),
    ) -> Self:
        """Return a version from lists, as JSON has them; old stored versions have no paths."""
        return cls(
            title,
            tuple(parts),
            structure,
            tuple(signs),
            tuple((part, path) for part, path in links),
            tuple((part, path) for part, path in paths),
        )


def version_of(
    page: Page, records: Iterable[Record] = (), where: Mapping[str, str] | None = None
) -> PageVersion:
    """Return the version of a page without its records; `where` has the paths of its parts, from `surroundings`."""
    parts = tuple(parts_of(drop_record_lines(page.text.split("\n"), records)))
    links = _link_paths(page, parts)
    paths = tuple((part, path) for part in dict.fromkeys(parts) if (path := (where or {}).get(part)))
    signs = signs_of(
        (page.title, *parts),
        dict.fromkeys(path for _, path in links),
        dict.fromkeys(path for _, path in paths),
    )
    return PageVersion(page.title, parts, page.structure, signs, links, paths)


def _link_paths(page: Page, parts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    page_parts, site = set(parts), registered_domain(page.url)
    paths: dict[str, str] = {}
    for link in page.links:
        for part in parts_of((link.anchor,)):
            if part in page_parts:
                paths[part] = link.tag_path + ELSEWHERE * (registered_domain(link.url) != site)
    return tuple(paths.items())


def parts_of(lines: Iterable[str]) -> Iterator[str]:
    """Yield the parts of the lines of a text, with single spaces between their words.

    >>> list(parts_of(["It rains.  Viewed 12 times.", "Jane · 3 comments", "你好。再见。"]))
    ['It rains.', 'Viewed 12 times.', 'Jane', '3 comments', '你好。', '再见。']
    """
    pieces = (" ".join(piece.split()) for line in lines for piece in _DIVIDERS.split(line))
    nonempty = filter(None, pieces)
    yield from islice(nonempty, _MAX_PARTS)
    if rest := " ".join(nonempty):
        yield rest


def drop_record_lines(lines: Sequence[str], records: Iterable[Record]) -> list[str]:
    """Return the lines of a page that do not belong to its records."""
    starting: defaultdict[str, set[str]] = defaultdict(set)
    for record in records:
        if first := record.text.split(None, 1)[:1]:
            starting[first[0]].add(record.text)
    plain = [" ".join(line.split()) for line in lines]
    if not starting:
        return plain
    other_lines, at = [], 0
    while at < len(plain):
        end = max(
            (_end_of(text, plain, at) for text in starting.get(plain[at].partition(" ")[0], ())), default=0
        )
        if end == 0:
            other_lines.append(plain[at])
        at = end or at + 1
    return other_lines


def _end_of(text: str, lines: Sequence[str], at: int) -> int:
    """Return the index after the last line of a text that fills complete lines from one on; 0 if it does not."""
    rest = text
    while rest and at < len(lines) and rest.startswith(lines[at]):
        rest = rest[len(lines[at]) :]
        if rest and not rest.startswith(" "):
            return 0
        rest = rest.lstrip(" ")
        at += 1
    return 0 if rest else at


# Signs


@lru_cache(maxsize=50_000)  # both versions of the longest page: it is needed again and again
def shape(part: str) -> str:
    """Return a part of a page without its numbers, dates and ages, in lower case.

    >>> shape("Viewed 1,234 times on 2024-05-17"), shape("Published 5 października 2026"), shape("As of May 17th, 2024")
    ('viewed # times on #', 'published #', 'as of #')
    >>> {shape(f"Updated {when}") for when in ("just now", "an hour ago", "2 days ago", "yesterday", "Tuesday")}
    {'updated #'}
    """
    folded = part.casefold()
    plain = _numbers(folded).sub("#", folded)
    if len(plain) <= _MAX_SHAPE:
        return plain
    return f"{plain[:60]}…{xxh3_64_intdigest(plain.encode('utf-8', 'replace')):016x}"


def numbers_in(part: str, before: str = START) -> list[VisibleNumber]:
    """Return the numbers of a part, each with the words around it; `before` is the part before, the label of a part without words.

    >>> numbers_in("Viewed 1,234 times"), numbers_in("88", before="Visits")
    ([VisibleNumber(value='1,234', place='viewed # times', is_money=False)], [VisibleNumber(value='88', place='visits / #', is_money=False)])
    >>> numbers_in("2 May 2026", before="Updated right now")[0].place == numbers_in("5 May 2026", before="Updated right here")[0].place
    True
    >>> [numbers_in(said)[0].is_money for said in ("only 12.50 €", "$5", "Price: 12.50", "12 euros", "12 万円", "12 rooms")]
    [True, True, True, True, True, False]
    >>> numbers_in("12.50", before="Preis")[0].is_money
    True
    """
    found: list[VisibleNumber] = []
    row = end = 0
    label = ""
    pattern = _numbers(part)
    if pattern is _NUMBER and not any(map(str.isdigit, part)):
        return found
    above = "" if _LETTER.search(pattern.sub("", part)) else before
    for match in pattern.finditer(part):
        start = match.start()
        between = part[end:start]
        if not found or _LETTER.search(between):
            row, label = 1, _label(part[max(start - _NEAR_CHARACTERS, end) : start], above, pattern)
        else:
            row = min(row + 1, 9)
        end = match.end()
        after = part[end : end + _NEAR_CHARACTERS]
        near = part[max(start - _NEAR_CHARACTERS, 0) : start]
        has_currency = is_money(near, after, near or above)
        place = " ".join(filter(None, (label, "# " * (row - 1) + "#", _first_word(after, pattern))))
        found.append(VisibleNumber(match[0], place, has_currency))
    return found


def relative_times(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each age, or name of a day, in a text.

    >>> relative_times("Seen about 3 minutes ago in 3 rooms"), relative_times("Seen 1 week, 2 days ago"), relative_times("vor etwa einem Monat")
    ([(5, 24)], [(5, 23)], [(0, 20)])
    """
    return [match.span() for match in age_pattern().finditer(text)] if may_have_time(text) else []


@lru_cache(maxsize=16_384)
def starts_of(part: str) -> tuple[str, ...]:
    """Return the first two words of a part, then the first alone, as far as no number precedes them.

    >>> starts_of("Last updated 3 minutes ago"), starts_of("Updated 5 minutes ago"), starts_of("12 items")
    (('last updated …', 'last …'), ('updated …',), ())
    """
    pattern = _numbers(part)
    number = pattern.search(part)
    first = _words_near(part[: number.start()] if number else part[: 2 * _NEAR_CHARACTERS], pattern)[:2]
    return tuple(f"{' '.join(first[:count])} …" for count in range(len(first), 0, -1))


def _numbers(text: str) -> re.Pattern[str]:
    """Return the pattern that finds the numbers of a text; names of times are searched only where likely, as that takes ten times as long."""
    return _number_or_time() if may_have_time(text) else _NUMBER


@cache
def _number_or_time() -> re.Pattern[str]:
    return re.compile(rf"{time_pattern()}|{_DIGITS}")


def sign(kind: str, place: str) -> int:
    """Return the hash that identifies a place on a page."""
    return xxh3_64_intdigest(f"{kind} {place}".encode("utf-8", "replace")) >> 32


def signs_of(parts: Sequence[str], links: Iterable[str] = (), paths: Iterable[str] = ()) -> tuple[int, ...]:
    """Return the hashes of all places on a page; of a very long page, of its first parts."""
    found = {sign("part", START), sign("part", END), *(sign("link", path) for path in links)}
    found.update(sign("path", path) for path in paths)
    before = START
    for part in parts:
        found.add(sign("part", shape(part)))
        found.update(sign("start", start) for start in starts_of(part))
        part = part[:_MAX_READ]  # noqa: PLW2901
        found.update(sign("number", number.place) for number in numbers_in(part, before))
        if len(found) > _MAX_SIGNS:
            break
        before = part
    return tuple(sorted(found))


def _label(near: str, above: str, pattern: re.Pattern[str]) -> str:
    """Return the last two words before a number; if there are none, the first two of the part above, whose last words may be noise."""
    near_words = _words_near(near, pattern)[-2:]
    if near_words or not above or above == START:
        return " ".join(near_words)
    above = above[: 2 * _NEAR_CHARACTERS]
    return " ".join((*_words_near(above, _numbers(above))[:2], "/"))


def _first_word(near: str, pattern: re.Pattern[str]) -> str:
    number = pattern.search(near)
    return "".join(_words_near(near[: number.start()] if number else near, pattern)[:1])


@lru_cache(maxsize=16_384)
def _words_near(near: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(word for word in words(pattern.sub(" ", near)) if _LETTER.search(word))
