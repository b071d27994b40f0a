"""Numbers as people write them: with a decimal point or comma, grouped by thousands or the Indian way, in any script's digits.

A text is read in every way it can be read. `1,234.50` and `1.234,50` can be read in one way, `1.234` in two: 1.234 or 1234, which
depends on the decimal mark. The mark is known from other numbers of the same source, or from the language. If neither decides, the
number is not read at all.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.language import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 200
"""Characters of a text that is read; longer texts are not values of a kind."""

_SPACES = dict.fromkeys(
    (0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x09, 0x0A, 0x0D), " "
)
_MARKS = {
    "−": "-", "‒": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "－": "-", "＋": "+", "．": ".", "，": ",", "：": ":", "／": "/",
    "％": "%", "٪": "%", "＄": "$", "￥": "¥", "￡": "£", "￠": "¢", "’": "'", "‘": "'", "＇": "'", "（": "(", "）": ")", "×": "x", "✕": "x",
}  # fmt: skip
_UNSEEN = dict.fromkeys(
    (0x00AD, 0x061C, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
)
_TABLE = {**_SPACES, **{ord(mark): plain for mark, plain in _MARKS.items()}, **_UNSEEN}
_ARABIC_POINT, _ARABIC_GROUP = "٫", "٬"
NUMBER = r"(?:\d(?:[\d.,'٫٬]|(?: (?=\d{2,3}(?!\d))))*(?<=\d)|[.,]\d+)"
"""What may be a number: it begins and ends with a digit, and spaces stand only before two or three digits."""
_NUMBER = re.compile(NUMBER)
_SIGNED = re.compile(rf"([-+]?) ?({NUMBER})")


@dataclass(frozen=True, slots=True)
class NumberReading:
    """A number as a decimal text, and the decimal mark that this reading needs; "" if it needs none."""

    value: str
    mark: str = ""
    is_ambiguous: bool = False


def plain(text: str) -> str:
    """Return a text with the digits, spaces and marks of ASCII.

    >>> plain("１２\u202f٣٤－५"), plain("½")
    ('12 34-5', '½')
    """
    if not text.isascii():
        text = text.translate(_TABLE)
        text = "".join(
            str(unicodedata.decimal(each)) if each > "\x7f" and each.isdecimal() else each for each in text
        )
    return " ".join(text.split())


@lru_cache(maxsize=4_096)
def readings_of(text: str) -> tuple[NumberReading, ...]:
    """Return all ways in which a plain text can be read as a number; none if it is no number.

    >>> [each.value for each in readings_of("1.234")], [each.value for each in readings_of("1,23,456.70")]
    (['1234', '1.234'], ['123456.70'])
    """
    match = _SIGNED.fullmatch(text) if len(text) <= LONGEST else None
    if not match:
        return ()
    sign = "-" if match[1] == "-" else ""
    return tuple(
        NumberReading(sign + each.value, each.mark, each.is_ambiguous) for each in _readings(match[2])
    )


def _readings(text: str) -> list[NumberReading]:
    if _ARABIC_POINT in text or _ARABIC_GROUP in text:
        if "." in text or "," in text:
            return []
        text = text.replace(_ARABIC_GROUP, " ").replace(_ARABIC_POINT, ".")
        whole, _, part = text.partition(".")
        return [] if "." in part else _read_groups(whole, part, "")
    marks = {mark: text.count(mark) for mark in ".," if mark in text}
    if len(marks) == 2:
        decimal = max(".,", key=text.rindex)
        group = "," if decimal == "." else "."
        whole, _, part = text.partition(decimal)
        if decimal in part or group in part or " " in whole or "'" in whole:
            return []
        return _read_groups(whole.replace(group, " "), part, decimal)
    if not marks:
        return _read_groups(text, "", "")
    ((mark, count),) = marks.items()
    other = "," if mark == "." else "."
    if count > 1:
        return [] if " " in text or "'" in text else _read_groups(text.replace(mark, " "), "", other)
    whole, _, part = text.partition(mark)
    as_decimal = _read_groups(whole, part, mark)
    if len(part) == 3 and whole.isdigit() and 1 <= len(whole) <= 3 and not whole.startswith("0"):
        return [
            NumberReading(whole + part, other, True),
            *(NumberReading(each.value, mark, True) for each in as_decimal),
        ]
    return as_decimal


def _read_groups(whole: str, part: str, mark: str) -> list[NumberReading]:
    """Return a number whose groups are divided by spaces or apostrophes; none if the groups are not valid."""
    if part and not part.isdigit():
        return []
    groups = whole.replace("'", " ").split(" ")
    if len(groups) > 1 and not _are_groups(groups):
        return []
    digits = "".join(groups) or "0"
    if not digits.isdigit() or (len(digits) > 1 and digits.startswith("0")):
        return []
    return [NumberReading(f"{digits}.{part}" if part else digits, mark)]


def _are_groups(groups: list[str]) -> bool:
    first, *rest = groups
    if not 1 <= len(first) <= 3 or first.startswith("0"):
        return False
    thousands = all(len(group) == 3 for group in rest)
    indian = (
        len(rest) > 1
        and len(first) <= 2
        and len(rest[-1]) == 3
        and all(len(group) == 2 for group in rest[:-1])
    )
    return thousands or indian


def decimal_mark(texts: Iterable[str], language: str = "") -> str:
    """Return the decimal mark of the numbers in some texts of one source; "" if they do not show it, or contradict each other.

    >>> decimal_mark(["1.234", "12,5"]), decimal_mark(["1.234"]), decimal_mark(["1.234"], "de")
    (',', '', ',')
    """
    marks = {
        each.mark
        for text in texts
        if len(text) <= LONGEST
        for number in _NUMBER.findall(plain(text))
        for each in readings_of(number)
        if each.mark and not each.is_ambiguous
    }
    if marks:
        return marks.pop() if len(marks) == 1 else ""
    code = language.lower().replace("_", "-").partition("-")[0]
    return "".join(lexicon.read_in_language("writing.decimal_mark", code))


def number_in(text: str, mark: str = "") -> str | None:
    """Return the number that a plain text is, as a decimal text; None if it is no number, or can be read in two ways.

    >>> number_in("1.234", ","), number_in("1.234"), number_in("12,5", ".")
    ('1234', None, None)
    """
    readings = readings_of(text)
    if len(readings) > 1:
        readings = tuple(each for each in readings if mark and each.mark == mark)
    if len(readings) != 1 or (mark and readings[0].mark not in ("", mark)):
        return None
    return readings[0].value
