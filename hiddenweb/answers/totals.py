"""How many records a site says it found, and which of them it shows: "1-20 of 8,412".

A range and a total are three numbers close together, in any language and order: the total before the range or behind it, and
between the ends of the range nothing but a dash or a short word. They say how many records a page holds, which is evidence for
and against possible records. Without a range, a number next to a word for results is the total, or a number of things that were
found ("16 pages found"). A number of other things ("290 books") is the total if it stands on a line of its own and is the number of
records shown, or if it follows the numbers of the pages ("1 2 3 290 books") and fills so many pages. The keyword is removed first, since
it may be a number, too.

"More than 50 rows", "1,000+", "über 200" are no totals, but lower bounds (`read_lower_bound`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from hiddenweb.answers.notices import drop_words
from hiddenweb.language import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import HttpQuery, Page

_FIRST_WORDS = 3000  # characters in which a page says how much it found; a limit of taste
_LONGEST_LINE = 160  # characters: what is longer is a text with numbers in it; a limit of taste
_NUMBER = re.compile(r"(?<![\d.,])(?<!\d )\d{1,3}(?:[.,\u00a0\u202f'’ ]\d{3})+(?!\d)|\d+")
_ALONE = r"(?<!\d)(?<!\d[-/.])"  # no part of a date, a version or a fraction
_BETWEEN = re.compile(r"\s*(?:[-–—−‐〜～~…]|\.{2,3}|[^\W\d]{1,7}|件?から|件目から)\s*")
_APART = re.compile(r"[^\n]{1,40}")
_PARTS_OF_DATE = re.compile(r"\s*[-/.:]\s*")
_THINGS = re.compile(
    r"(?:(?P<pages>1(?: (?:\d{1,4}|…|\.{2,3}))+) )?(?P<things>\d{1,3}(?:[.,]\d{3})+|\d+) [^\W\d]{3,}(?: [^\W\d]{3,})?"
)


@dataclass(frozen=True, slots=True)
class ShownRange:
    """What a page says about its records: the first and the last one shown, and how many there are."""

    first: int
    last: int
    total: int

    @property
    def shown(self) -> int:
        """Return how many records the page shows."""
        return self.last - self.first + 1


def read_range(page: Page, query: HttpQuery, number: int = 1) -> ShownRange | None:
    """Return the range of records that page `number` of an answer says it shows, if it does."""
    found = _range_line(page, query, number)
    return found[0] if found else None


def has_range(text: str, page: Page, query: HttpQuery, number: int = 1) -> bool:
    """Say whether a part of a page has the line with the range."""
    found = _range_line(page, query, number)
    return found is not None and found[1] in " ".join(drop_words(text, query.keyword).split())


def _range_line(page: Page, query: HttpQuery, number: int) -> tuple[ShownRange, str] | None:
    return _find_range(_text_to_read(page, query), number)


@lru_cache(maxsize=16)
def _find_range(text: str, number: int) -> tuple[ShownRange, str] | None:
    """Return the range in a text, with its line; cached, since judging a page needs it several times."""
    for line in text.splitlines():
        numbers = list(_numbers(line)) if len(line) <= _LONGEST_LINE else []
        for at in range(len(numbers) - 2):
            for shown_range in _readings(line, numbers[at : at + 3]):
                if (shown_range.first == 1) == (number == 1):
                    return shown_range, " ".join(line.split())
    return None


def read_total(page: Page, query: HttpQuery, count: int, number: int = 1) -> int | None:
    """Return how many records were found in all, as a page with `count` of them says; a lower bound is no total."""
    total = _find_total(page, query, count, number)
    return None if total is None or total in _bounds(_text_to_read(page, query)) else total


def read_lower_bound(page: Page, query: HttpQuery, count: int) -> int | None:
    """Return how many records there are at least, if a page with `count` of them says no more than that.

    The bound is the number of records shown, or stands in a line with a word for results.
    """
    for line in _text_to_read(page, query).splitlines():
        for bound in _bounds(line) if len(line) <= _LONGEST_LINE else ():
            if bound == count > 1 or (bound > count and _result_word().search(line)):
                return bound
    return None


@lru_cache(maxsize=16)
def _bounds(text: str) -> tuple[int, ...]:
    return tuple(
        _value(found["more"] or found["plus"] or found["first"]) for found in _bound().finditer(text)
    )


def _find_total(page: Page, query: HttpQuery, count: int, number: int) -> int | None:
    shown_range = read_range(page, query, number)
    if shown_range is not None and abs(shown_range.shown - count) <= max(
        1, count // 10
    ):  # one may be shown apart from the others
        return shown_range.total
    text = _text_to_read(page, query)
    for line in text.splitlines():
        numbers = list(_numbers(line)) if len(line) <= _LONGEST_LINE else []
        for at in range(len(numbers) - 2):
            three = numbers[at : at + 3]
            low, high, total = sorted(value for value, _, _ in three)
            is_here = low == 1 if number == 1 else low >= number  # each page before had a record at least
            if is_here and high - low + 1 == count > 1 and not _is_joined(line, three):
                return total
    counted = next((total for total in _counts(text) if total >= count), None)
    return counted if counted is not None else _read_count_of_things(text, count)


def _read_count_of_things(text: str, count: int) -> int | None:
    """Return the number of things in a line, if it is the number of records shown or fills as many pages as the line lists."""
    for line in text.splitlines() if count > 1 else ():
        found = _THINGS.fullmatch(" ".join(line.split())) if len(line) <= _LONGEST_LINE else None
        if found is None:
            continue
        things, pages = _value(found["things"]), found["pages"]
        last = _value(pages.split()[-1]) if pages else 1
        if (last - 1) * count < things <= last * count and (pages or things == count):
            return things
    return None


def says_count(page: Page, query: HttpQuery, count: int) -> bool:
    """Say whether a page says that it shows `count` records, all or some of those found: "10 of 13 results", "5 matches found"."""
    for line in _text_to_read(page, query).splitlines():
        numbers = [value for value, _, _ in _numbers(line)] if len(line) <= _LONGEST_LINE else []
        if len(numbers) == 2 and min(numbers) == count and _result_word().search(line):
            return True
    return read_total(page, query, count) == count


def says_one(page: Page, query: HttpQuery) -> bool:
    """Say whether a page says that it found one record, and no more."""
    shown_range = read_range(page, query)
    if shown_range is not None:
        return shown_range.total == 1
    return next(_counts(_text_to_read(page, query)), 0) == 1


def says_zero(page: Page, query: HttpQuery) -> bool:
    """Say whether a page says that it found 0, and has no other number of results."""
    counted = list(_counts(_text_to_read(page, query)))
    return bool(counted) and not any(counted)


def _text_to_read(page: Page, query: HttpQuery) -> str:
    return drop_words(page.text[:_FIRST_WORDS], query.keyword)


def _counts(text: str) -> Iterator[int]:
    for found in _count().finditer(text):
        yield _value(found["before"] or found["things"] or found["behind"] or found["found"])


def _numbers(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of a text, each with where it begins and ends."""
    for found in _NUMBER.finditer(text):
        yield _value(found[0]), found.start(), found.end()


def _value(number: str) -> int:
    return int(re.sub(r"\D", "", number)[:12])


def _readings(text: str, three: list[tuple[int, int, int]]) -> Iterator[ShownRange]:
    """Yield the ranges that three numbers in a row may mean, with the total last or first."""
    (a, _, end_a), (b, start_b, end_b), (c, start_c, _) = three
    first_gap, second_gap = text[end_a:start_b], text[end_b:start_c]
    if 1 <= a <= b <= c and _BETWEEN.fullmatch(first_gap) and _is_apart(second_gap):
        yield ShownRange(a, b, c)
    if 1 <= b <= c <= a and _BETWEEN.fullmatch(second_gap) and _is_apart(first_gap):
        yield ShownRange(b, c, a)


def _is_joined(text: str, three: list[tuple[int, int, int]]) -> bool:
    """Say whether three numbers belong together: a version (1.4.22), a date or a time, or the numbers of pages."""
    (_, _, end_a), (_, start_b, end_b), (_, start_c, _) = three
    gap = text[end_a:start_b]
    return gap == text[end_b:start_c] and gap in {".", "-", "/", ":", " "}


def _is_apart(gap: str) -> bool:
    return bool(_APART.fullmatch(gap)) and not _PARTS_OF_DATE.fullmatch(gap)


# Words for results, in all languages


def _any_of(purpose: str) -> str:
    return f"(?:{lexicon.alternatives(purpose)})"


@cache
def _result_word() -> re.Pattern[str]:
    return re.compile(_any_of("totals.results"), re.IGNORECASE)


@cache
def _count() -> re.Pattern[str]:
    """A number of results: before or behind a word for them, or for finding."""
    results, found = _any_of("totals.results"), _any_of("totals.found")
    not_per_page = (
        rf"(?!\s*{_any_of('totals.per')}\s?{_any_of('totals.page')}|\s*{_any_of('totals.on_each')} )"
    )
    return re.compile(
        rf"{_ALONE}(?P<before>{_NUMBER.pattern})\+?(?:[^\S\n]*(?:[^\W\d]\w* )?|\s*){results}{not_per_page}|"
        rf"{_ALONE}(?P<things>{_NUMBER.pattern})\+?\s+(?:[^\W\d]+ ){{0,2}}{_any_of('totals.found_them')}\b|"
        rf"{results}[^\d\n]{{0,60}}?[:(（：-]\s*(?P<behind>{_NUMBER.pattern})|"
        rf"(?:{found}[\s:：(（]{{0,3}}|\bmatched )(?P<found>{_NUMBER.pattern})",
        re.IGNORECASE,
    )


@cache
def _bound() -> re.Pattern[str]:
    """A lower bound: "more than 50", "1,000+", "only the first 100"."""
    first_only = rf"{_any_of('totals.only')}(?: [^\W\d]+){{0,4}}? ?{_any_of('totals.first')}? ?"
    return re.compile(
        rf"{_any_of('totals.more_than')}\s?(?P<more>{_NUMBER.pattern})(?![\d.,]*\s?%)|"
        rf"(?P<plus>{_NUMBER.pattern}){_any_of('totals.or_more')}|{first_only}(?P<first>{_NUMBER.pattern})",
        re.IGNORECASE,
    )
