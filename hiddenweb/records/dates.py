"""Dates as people write them: in figures in three orders, with the names of months in many languages, the Chinese and the Thai way.

`03/04/2021` is in March or in April. Other dates of the same source may decide: `25/04/2021` has its day first. If none does, the date is
not read. Years have four digits; those of the Thai calendar are recognised by the Thai names of the months. A date is ISO 8601 as
far as it is known: 2021, 2021-03, 2021-03-04, 2021-03-04T10:30.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from hiddenweb.language import lexicon
from hiddenweb.records.numbers import LONGEST, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

EARLIEST, LATEST = 1000, 2999  # years of four digits that may be dates; a choice of taste
_THAI_YEARS = range(2400, 2700)
_THAI_AHEAD = 543
"""Years by which the Buddhist era of Thailand is ahead: 2569 is 2026."""

_TIME = r"(?:(?:,| at| um| à)? ?[T ]? ?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,6})?)?(?: ?(am|pm|a\.m\.|p\.m\.))? ?(Z|UTC|GMT|[-+]\d{2}:?\d{2})?(?: uhr| h)?)?"
_ISO = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_TIME}", re.IGNORECASE)
_FIGURES = re.compile(rf"(\d{{1,2}})([-/.]) ?(\d{{1,2}})\2 ?(\d{{4}}){_TIME}", re.IGNORECASE)
_MONTH_AND_YEAR = re.compile(r"(\d{4})-(\d{2})|(\d{1,2})/(\d{4})")
_EAST = re.compile(
    rf"(\d{{4}}) ?[年년](?: ?(\d{{1,2}}) ?[月월](?: ?(\d{{1,2}}) ?[日号號일])?)?{_TIME}", re.IGNORECASE
)
_WORDS = re.compile(r"\d+|[^\s\d,./()-]+(?:\.[^\s\d,./()-]+)*\.?|\S")
_ENDING_TIME = re.compile(rf"(.*?\d{{4}}){_TIME}", re.IGNORECASE)
_WEEKDAY = re.compile(r"[(（][月火水木金土日一二三四五六][)）]|(?:星期|周|週)[一二三四五六日天]|[月火水木金土日一二三四五六]曜日?")  # fmt: skip


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as far as it is known."""

    iso: str
    precision: str  # year, month, day, minute or second
    order: str = ""  # "dmy" or "mdy" if the date shows it, or if this reading needs it
    is_ambiguous: bool = False


def days_in(text: str, language: str = "") -> list[PartialDate]:
    """Return all ways in which a text can be read as a date; none if it is no date.

    >>> [day.iso for day in days_in("4 de marzo de 2021")], [day.iso for day in days_in("03/04/2021")]
    (['2021-03-04'], ['2021-04-03', '2021-03-04'])
    """
    if len(text) > LONGEST:
        return []
    text = _WEEKDAY.sub("", plain(text)).strip() if not text.isascii() else plain(text)
    if not any(map(str.isdigit, text)):
        return []
    return _read_figures(text) or _read_words(text, language)


def date_order(texts: Iterable[str]) -> str:
    """Return whether dates of one source have the day or the month first; "" if they do not show it, or contradict each other."""
    orders = {day.order for text in texts for day in days_in(text) if day.order and not day.is_ambiguous}
    return orders.pop() if len(orders) == 1 else ""


def date_in(text: str, order: str = "", language: str = "") -> PartialDate | None:
    """Return the date that a text is; None if it is no date, or can be read in two ways."""
    days = days_in(text, language)
    if len(days) > 1:
        days = [day for day in days if order and day.order == order]
    return days[0] if len(days) == 1 else None


def _read_figures(text: str) -> list[PartialDate]:
    if match := _ISO.fullmatch(text):
        return _day(int(match[1]), int(match[3]), int(match[4]), match.groups()[4:])
    if match := _EAST.fullmatch(text):
        year, month, day = (int(each) if each else 0 for each in match.groups()[:3])
        return _day(year, month, day, match.groups()[3:])
    if match := _MONTH_AND_YEAR.fullmatch(text):
        return _day(int(match[1] or match[4]), int(match[2] or match[3]), 0)
    match = _FIGURES.fullmatch(text)
    if not match:
        return []
    first, second, year, time = int(match[1]), int(match[3]), int(match[4]), match.groups()[4:]
    day_first, month_first = _day(year, second, first, time), _day(year, first, second, time)
    if match[2] == "." or first == second:
        return day_first
    both = bool(day_first and month_first)
    return [
        PartialDate(each.iso, each.precision, order, both)
        for found, order in ((day_first, "dmy"), (month_first, "mdy"))
        for each in found
    ]


def _read_words(text: str, language: str) -> list[PartialDate]:
    """Read a date in which the month has a name: a day, the month, the year, in any order, and little else."""
    time: tuple[str | None, ...] = ()
    if (match := _ENDING_TIME.fullmatch(text)) and match[2]:
        text, time = match[1], match.groups()[1:]
    words = [word.casefold() for word in _WORDS.findall(text)]
    months, days = _names(language)
    figures: list[str] = []
    named: list[tuple[int, str]] = []
    for at, word in enumerate(words):
        bare = word.strip(".")
        if word.isdecimal():
            figures.append(word)
        elif bare in months and not (
            at == 0 and bare in days and any(each.strip(".") in months for each in words[1:])
        ):
            named.append((months[bare], bare))
        elif not (
            bare in _words_between()
            or word in _words_between()
            or bare in days
            or (bare in lexicon.words("dates.ordinals") and figures and words[at - 1].isdigit())
        ):
            return []
    years = [int(each) for each in figures if len(each) == 4]
    others = [int(each) for each in figures if len(each) <= 2]
    if (
        len(named) != 1
        or named[0][0] == 0
        or len(years) != 1
        or len(others) > 1
        or len(years) + len(others) != len(figures)
    ):
        return []
    month, name = named[0]
    year = years[0]
    if year in _THAI_YEARS and any("\u0e00" <= letter <= "\u0e7f" for letter in name):
        year -= _THAI_AHEAD
    if others and not others[0]:
        return []
    return _day(year, month, others[0] if others else 0, time)


def _day(year: int, month: int, day: int, time: tuple[str | None, ...] = ()) -> list[PartialDate]:
    """Return a date if there is such a day; month and day are 0 where they are not known."""
    if not EARLIEST <= year <= LATEST or (day and not month):
        return []
    try:
        whole = date(year, month or 1, day or 1)
    except ValueError:
        return []
    if not month:
        return [PartialDate(f"{year}", "year")]
    if not day:
        return [PartialDate(f"{year}-{month:02}", "month")]
    if not any(time):
        return [PartialDate(whole.isoformat(), "day")]
    clock = _clock(time)
    return [PartialDate(f"{whole.isoformat()}T{clock}", "second" if time[2] else "minute")] if clock else []


def _clock(time: tuple[str | None, ...]) -> str:
    hour, minute, second = (int(each) if each else 0 for each in time[:3])
    half, zone = (time[3] or "").replace(".", "").lower(), time[4] or ""
    if half:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    if zone.upper() in ("Z", "UTC", "GMT"):
        zone = "Z"
    elif zone:
        zone = f"{zone[:3]}:{zone[-2:]}"
        if int(zone[1:3]) > 14 or int(zone[4:]) > 59:
            return ""
    return f"{hour:02}:{minute:02}" + (f":{second:02}" if time[2] else "") + zone


@cache
def _words_between() -> frozenset[str]:
    return lexicon.words("dates.between") | {",", ".", "/", "-"}


@cache
def _names(language: str) -> tuple[dict[str, int], frozenset[str]]:
    """Return the names of months with their numbers, and the names of weekdays; 0 for a name that means two months and the language does not decide."""
    code = language.lower().replace("_", "-").partition("-")[0]
    by_language = lexicon.read_purpose("dates.months")
    months: dict[str, int] = {}
    for month_names in by_language.values():
        for number, names in enumerate(month_names, 1):
            for name in names.split("|"):
                months[name] = number if months.get(name, number) == number else 0
    for number, names in enumerate(by_language.get(code, ()), 1):
        months |= dict.fromkeys(names.split("|"), number)
    days = frozenset(name for names in lexicon.phrases("dates.days") for name in names.split("|"))
    return months, days
