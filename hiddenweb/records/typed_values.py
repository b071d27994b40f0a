"""Typed values: numbers, prices, dates and the like, with the text they were written as.

The kind of an attribute is decided from all its values together: it is the first kind, the most particular first, that four fifths of
them can be read as. Then each value is read. If it can be read in two ways (1.234, 03/04/2021), the other values of the attribute
decide, or the language; else it is not read, since a wrong value is worse than a mere text. So `$` is not taken for the dollar of a
certain country, and two digits are no year.

    source = source_of(values, language="de")     # which decimal mark, day or month first
    kind = kind_of(values, "price", "de")
    parsed(values[0], kind, source)               # Typed("price", "12,50 €", {"amount": "12.50", "currency": "EUR"})

| kind | value |
|---|---|
| number, year | a whole number, or a decimal text |
| price | `amount` and `currency`: an ISO 4217 code, or the sign if several currencies have it; of a range `low` and `high` |
| percentage | a whole number, or a decimal text |
| date | `date` in ISO 8601, `precision` |
| duration | seconds |
| isbn, issn, doi | ISBN-13 and ISSN with a check digit that is right, the DOI without its resolver |
| url, email, phone | a text |
| coordinates | `lat`, `lon` |
| size | `values`, decimal texts, and `unit` |
| boolean | true or false |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from math import ceil
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiddenweb.language import lexicon
from hiddenweb.records.dates import date_in, date_order, days_in
from hiddenweb.records.numbers import LONGEST, NUMBER, decimal_mark, number_in, plain, readings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Value = str | int | float | bool | dict[str, str] | dict[str, float] | dict[str, str | list[str]]

_CONSENSUS = 0.8
"""The share of the values of an attribute that must be of its kind; a choice that leaves room for "n/a" and for slips."""

_MOST_VALUES = 500  # of an attribute that are read; a limit of taste
_MOST_DIGITS = 30  # digits of a number; a limit of taste
_YEARS = range(1400, 2101)
_FEW = 3  # values: so few may be of a kind by chance


@dataclass(frozen=True, slots=True)
class WrittenAs:
    """How the values of an attribute are written."""

    decimal: str = ""  # mark; "" if it is not known
    order: str = ""  # of dates in figures: dmy or mdy; "" if it is not known
    language: str = ""


UNKNOWN = WrittenAs()


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value of a kind: its text, and its meaning as JSON can hold it."""

    kind: str
    raw: str
    value: Value


def source_of(values: Iterable[str], language: str = "") -> WrittenAs:
    """Return how the values of an attribute are written, as far as they or the language show it."""
    some = [value for value, _ in zip(values, range(_MOST_VALUES), strict=False)]
    figures = [value for value in some if not days_in(value)]
    return WrittenAs(decimal_mark(figures, language), date_order(some), language)


def kind_of(values: Sequence[str], name: str = "", language: str = "") -> str:
    """Return the kind of an attribute from all its values, its name and the language of its source; "text" if it has none.

    >>> kind_of(["12,50 €", "1.200 €"]), kind_of(["1998", "2004"]), kind_of(["Old Roads", "1984"])
    ('price', 'year', 'text')
    """
    non_empty = [value for value in list(values)[:_MOST_VALUES] if value.strip()]
    if not non_empty:
        return "text"
    hint = _hint(name)
    plain_values = [plain(value) if len(value) <= LONGEST else None for value in non_empty]
    for kind, may_be in _MAY_BE.items():
        if _are_most(plain_values, may_be, language) and _is_likely(kind, non_empty, hint):
            return kind
    return "text"


def _are_most(values: Sequence[str | None], may_be: Callable[[str, str], bool], language: str) -> bool:
    """Say whether nearly all values may be of a kind; stops when too many are not."""
    left = len(values) - ceil(_CONSENSUS * len(values))
    for value in values:
        if value is None or not may_be(value, language):
            if not left:
                return False
            left -= 1
    return True


def parse_value(raw: str, kind: str, source: WrittenAs = UNKNOWN) -> TypedValue | None:
    """Return a text as a value of a kind; None if it cannot be read, or can be read in two ways. Never raises.

    >>> parse_value("1.234,50 €", "price").value
    {'amount': '1234.50', 'currency': 'EUR'}
    """
    read = _READ.get(kind)
    if read is None or len(raw) > LONGEST:
        return None
    value = read(plain(raw), source)
    return None if value is None else TypedValue(kind, raw, value)


# Numbers


def _number(text: str, source: WrittenAs) -> int | str | None:
    number = number_in(text, source.decimal)
    return None if number is None or len(number) > _MOST_DIGITS else _short(number)


def _short(number: str) -> int | str:
    return number if "." in number else int(number)


def _year(text: str, _: WrittenAs) -> int | None:
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() and int(text) in _YEARS else None


@cache
def _percent() -> re.Pattern[str]:
    names = lexicon.alternatives("values.percent")
    return re.compile(rf"(?:% ?)?([-+]? ?{NUMBER})(?: ?(?:%|{names}))?", re.IGNORECASE)


def _percentage(text: str, source: WrittenAs) -> int | str | None:
    match = _percent().fullmatch(text)
    return _number(match[1], source) if match and match[1] != text else None


# Prices

_CODES = frozenset(
    [
        *("AED", "ARS", "AUD", "BDT", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR"),
        *("GBP", "GEL", "HKD", "HRK", "HUF", "IDR", "ILS", "INR", "ISK", "JOD", "JPY", "KES", "KRW", "KWD", "KZT", "LKR"),
        *("MAD", "MXN", "MYR", "NGN", "NOK", "NZD", "OMR", "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "RSD", "RUB", "SAR"),
        *("SEK", "SGD", "THB", "TND", "TRY", "TWD", "UAH", "USD", "VND", "ZAR"),
    ]
)  # fmt: skip
_SIGNS = {
    "€": "EUR", "euro": "EUR", "euros": "EUR", "евро": "EUR", "ευρώ": "EUR", "يورو": "EUR", "£": "GBP", "us$": "USD", "$us": "USD", "us dollars": "USD",
    "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "nz$": "NZD", "hk$": "HKD", "s$": "SGD", "nt$": "TWD", "r$": "BRL", "mx$": "MXN",
    "円": "JPY", "yen": "JPY", "日元": "JPY", "人民币": "CNY", "rmb": "CNY", "cn¥": "CNY", "jp¥": "JPY", "₩": "KRW", "원": "KRW",
    "฿": "THB", "บาท": "THB", "₫": "VND", "₹": "INR", "₽": "RUB", "руб": "RUB", "руб.": "RUB", "рублей": "RUB", "₴": "UAH", "грн": "UAH", "грн.": "UAH",
    "₺": "TRY", "tl": "TRY", "zł": "PLN", "zl": "PLN", "kč": "CZK", "лв": "BGN", "лв.": "BGN", "₪": "ILS", "₦": "NGN", "₱": "PHP", "₸": "KZT",
    "sfr": "CHF", "sfr.": "CHF", "fr.": "CHF", "د.إ": "AED", "ر.س": "SAR", "ريال سعودي": "SAR",
}  # fmt: skip
_SHARED = frozenset({"$", "¥", "元", "kr", "kr.", "rs", "rs.", "₨", "lei"})
"""Signs of several currencies: left as they are if the language does not decide."""
_BY_LANGUAGE = {
    ("kr", "sv"): "SEK", ("kr", "da"): "DKK", ("kr", "nb"): "NOK", ("kr", "no"): "NOK", ("kr", "nn"): "NOK", ("kr", "is"): "ISK",
    ("¥", "ja"): "JPY", ("¥", "zh"): "CNY", ("rs", "hi"): "INR", ("lei", "ro"): "RON",
}  # fmt: skip
_AMOUNT = rf"(-? ?{NUMBER})(?:[.,](?:-{{1,2}}|—))?"
_BEFORE = re.compile(rf"(-?)([^\d\s.,+-][^\d,+-]{{0,14}}?) ?{_AMOUNT}(?: ?([^\d\s]{{1,5}}))?")
_AFTER = re.compile(rf"{_AMOUNT} ?([^\d\s.,+-][^\d,+-]{{0,14}})")


@cache
def _range() -> re.Pattern[str]:
    to = rf"(?:-|{lexicon.alternatives('values.to')}|~|〜)"
    return re.compile(rf"(.{{0,15}}?)({NUMBER})(.{{0,15}}?) ?{to} ?(.{{0,15}}?)({NUMBER})(.{{0,15}})")


def _price(text: str, source: WrittenAs) -> dict[str, str] | None:
    read = _one_price(text, source)
    if read is None and (match := _range().fullmatch(text)):
        return _price_range(match, source)
    return read


def _one_price(text: str, source: WrittenAs) -> dict[str, str] | None:
    """Return a price with its currency before or behind the number."""
    if match := _BEFORE.fullmatch(text):
        sign, currency, amount = match[1], match[2], match[3]
        if match[4] and _currency(match[4], source) != _currency(currency, source):
            return None
        amount = sign + amount
    elif match := _AFTER.fullmatch(text):
        amount, currency = match[1], match[2]
    else:
        return None
    known, number = _currency(currency, source), number_in(amount, source.decimal)
    if known is None or number is None or len(number) > _MOST_DIGITS:
        return None
    return {"amount": number, "currency": known}


def _price_range(match: re.Match[str], source: WrittenAs) -> dict[str, str] | None:
    before, low, between, again, high, after = (each.strip() for each in match.groups())
    signs = {each for each in (before, between, again, after) if each}
    currencies = {_currency(each, source) for each in signs}
    lower, upper = number_in(low, source.decimal), number_in(high, source.decimal)
    if len(currencies) != 1 or lower is None or upper is None or max(len(lower), len(upper)) > _MOST_DIGITS:
        return None
    currency = currencies.pop()
    if currency is None or Decimal(lower) > Decimal(upper):
        return None
    return {"low": lower, "high": upper, "currency": currency}


def _currency(sign: str, source: WrittenAs) -> str | None:
    sign = sign.strip()
    if sign.upper() in _CODES:
        return sign.upper()
    language = source.language.lower().replace("_", "-").partition("-")[0]
    if sign == "Ft" and language == "hu":  # or it is a length
        return "HUF"
    sign = sign.casefold()
    if sign in _SIGNS:
        return _SIGNS[sign]
    if sign not in _SHARED:
        return None
    bare = sign.rstrip(".")
    return _BY_LANGUAGE.get((bare, language), bare)


# Dates and durations


def _date(text: str, source: WrittenAs) -> dict[str, str] | None:
    day = date_in(text, source.order, source.language)
    return {"date": day.iso, "precision": day.precision} if day else None


_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_AMBIGUOUS_UNITS = frozenset({"m", "s", "d", "м", "с"})
"""Units that may mean something else if they stand alone: a metre, the model 5s."""
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)")
_ISO_TIME = re.compile(r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?")


@cache
def _units_of_time() -> dict[str, int]:
    """Return the seconds of each unit, by its names and abbreviations."""
    return {
        unit: seconds for name, seconds in _SECONDS.items() for unit in lexicon.phrases(f"times.units.{name}")
    }


@cache
def _part_of_duration() -> re.Pattern[str]:
    joining = lexicon.alternatives("times.and")
    return re.compile(rf"(\d{{1,6}}) ?([^\s\d,]+),? ?(?:(?:{joining}) )?")


def _duration(text: str, _: WrittenAs) -> int | None:
    if match := _CLOCK.fullmatch(text):
        return int(match[1]) * 3_600 + int(match[2]) * 60 + int(match[3])
    if (match := _ISO_TIME.fullmatch(text)) and any(match.groups()):
        days, hours, minutes, seconds = (int(each or 0) for each in match.groups())
        return days * 86_400 + hours * 3_600 + minutes * 60 + seconds
    at = total = last = parts = 0
    while at < len(text):
        match = _part_of_duration().match(text, at)
        unit = _units_of_time().get(match[2].casefold()) if match else None
        if match is None or unit is None or (last and unit >= last):
            return None
        if not parts and match.end() == len(text) and match[2].casefold() in _AMBIGUOUS_UNITS:
            return None
        total += int(match[1]) * unit
        last, at, parts = unit, match.end(), parts + 1
    return total if last else None


# Identifiers

_ISBN = re.compile(
    r"(?:ISBN(?:[- ]?1[03])?:? ?)?((?:\d[- ]?){9}[\dX]|97[89][- ]?(?:\d[- ]?){9}\d)", re.IGNORECASE
)
_ISSN = re.compile(r"(?:e?-?ISSN:? ?)?(\d{4}-\d{3}[\dX])", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:? ?|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s]+)", re.IGNORECASE)
_EMAIL = re.compile(
    r"(?:mailto:)?([^\s@<>()\",;:]{1,64}@[^\s@<>()\",;:.]+(?:\.[^\s@<>()\",;:.]+)+)", re.IGNORECASE
)
_PHONE = re.compile(
    r"(?:(?:tel|phone|fax|telefon|téléphone)\.?:? ?)?(\+?[\d(][\d ()./-]{5,24}\d)", re.IGNORECASE
)


def _isbn(text: str, _: WrittenAs) -> str | None:
    match = _ISBN.fullmatch(text)
    digits = re.sub("[- ]", "", match[1]).upper() if match else ""
    if len(digits) == 10:
        total = sum((10 - at) * (10 if each == "X" else int(each)) for at, each in enumerate(digits))
        if total % 11 or "X" in digits[:-1]:
            return None
        start = f"978{digits[:9]}"
        return start + str(-_weigh_digits(start) % 10)
    return digits if len(digits) == 13 and "X" not in digits and not _weigh_digits(digits) % 10 else None


def _weigh_digits(digits: str) -> int:
    return sum(int(each) * (3 if at % 2 else 1) for at, each in enumerate(digits))


def _issn(text: str, _: WrittenAs) -> str | None:
    match = _ISSN.fullmatch(text)
    if not match:
        return None
    digits = match[1].replace("-", "").upper()
    total = sum((8 - at) * (10 if each == "X" else int(each)) for at, each in enumerate(digits))
    return match[1].upper() if total % 11 == 0 else None


def _doi(text: str, _: WrittenAs) -> str | None:
    match = _DOI.fullmatch(text)
    return match[1].lower().rstrip(".,;") if match else None


def _url(text: str, _: WrittenAs) -> str | None:
    if " " in text or not text.lower().startswith(("http://", "https://", "www.")):
        return None
    try:
        host = urlsplit(text if "://" in text[:8] else f"http://{text}").hostname or ""
    except ValueError:
        return None
    return text if "." in host.strip(".") else None


def _email(text: str, _: WrittenAs) -> str | None:
    match = _EMAIL.fullmatch(text)
    return match[1] if match else None


def _phone(text: str, _: WrittenAs) -> str | None:
    match = _PHONE.fullmatch(text)
    digits = re.sub(r"\D", "", match[1]) if match else ""
    if (
        match is None
        or not 7 <= len(digits) <= 15
        or match[1].count("(") != match[1].count(")")
        or days_in(match[1])
    ):
        return None
    return ("+" if match[1].startswith("+") else "") + digits


# Places and sizes

_PAIR = re.compile(
    r"([-+]?\d{1,3}\.\d{2,})[,;]? +([-+]?\d{1,3}\.\d{2,})|([-+]?\d{1,3}\.\d{2,})[,;]([-+]?\d{1,3}\.\d{2,})"
)
_DEGREES = re.compile(
    r"(\d{1,3}(?:\.\d+)?)°(?: ?(\d{1,2}(?:\.\d+)?)[′'])?(?: ?(\d{1,2}(?:\.\d+)?)[″\"])? ?([NS])[, ]*"
    r"(\d{1,3}(?:\.\d+)?)°(?: ?(\d{1,2}(?:\.\d+)?)[′'])?(?: ?(\d{1,2}(?:\.\d+)?)[″\"])? ?([EW])"
)


def _coordinates(text: str, _: WrittenAs) -> dict[str, float] | None:
    if match := _PAIR.fullmatch(text):
        latitude, longitude = (float(each) for each in match.groups() if each)
    elif match := _DEGREES.fullmatch(text.replace("”", '"')):
        if any(float(match[at] or 0) >= 60 for at in (2, 3, 6, 7)):
            return None
        latitude, longitude = (
            round(float(match[at]) + float(match[at + 1] or 0) / 60 + float(match[at + 2] or 0) / 3_600, 7) for at in (1, 5)
        )  # fmt: skip
        latitude, longitude = (
            (latitude if match[4] == "N" else -latitude),
            (longitude if match[8] == "E" else -longitude),
        )
    else:
        return None
    return {"lat": latitude, "lon": longitude} if abs(latitude) <= 90 and abs(longitude) <= 180 else None


_UNITS = frozenset(
    [
        *("mm", "cm", "dm", "m", "km", "in", "inch", "inches", "ft", "feet", "yd", "mi", "miles", "mg", "g", "kg", "t", "lb", "lbs", "oz", "µm", "nm"),
        *("ml", "cl", "dl", "l", "gal", "px", "dpi", "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "bytes", "w", "kw", "kwh", "v", "mah", "ah", "hz", "khz", "mhz", "ghz", "hp", "ps"),
        *("m²", "m2", "km²", "cm²", "ha", "sqft", "sq ft", "cm³", "m³", "cc", "°c", "°f", "mp", "мм", "см", "м", "км", "г", "кг", "л", "pt"),
    ]
)  # fmt: skip
_SIZE = re.compile(rf"({NUMBER}) ?([^\d\s,;x][^\d,;x]{{0,6}})?(?: ?x ?({NUMBER}) ?([^\d\s,;x][^\d,;x]{{0,6}})?)?(?: ?x ?({NUMBER}) ?([^\d\s,;x][^\d,;x]{{0,6}})?)?", re.IGNORECASE)  # fmt: skip


def _size(text: str, source: WrittenAs) -> dict[str, str | list[str]] | None:
    match = _SIZE.fullmatch(text)
    if not match:
        return None
    numbers = [number_in(each, source.decimal) for each in match.groups()[::2] if each]
    units = {each.strip().rstrip(".") for each in match.groups()[1::2] if each and each.strip()}
    unit = units.pop() if len(units) == 1 else ""
    is_size = unit.casefold() in _UNITS if unit else not units and len(numbers) > 1
    known = [number for number in numbers if number is not None and len(number) <= _MOST_DIGITS]
    return {"values": list(known), "unit": unit} if is_size and len(known) == len(numbers) else None


def _boolean(text: str, _: WrittenAs) -> bool | None:
    word = text.casefold()
    return (
        True
        if word in lexicon.words("values.yes")
        else (False if word in lexicon.words("values.no") else None)
    )


# Kinds

_READ: dict[str, Callable[[str, WrittenAs], Value | None]] = {
    "url": _url, "email": _email, "doi": _doi, "isbn": _isbn, "issn": _issn, "coordinates": _coordinates, "percentage": _percentage, "price": _price,
    "year": _year, "date": _date, "duration": _duration, "size": _size, "phone": _phone, "boolean": _boolean, "number": _number,
}  # fmt: skip
"""How a value of each kind is read; the order is that in which kinds are tried."""


def _may_be_number(text: str, _: str) -> bool:
    return bool(readings_of(text))


def _may_be_date(text: str, language: str) -> bool:
    return bool(days_in(text, language))


def _readable(kind: str) -> Callable[[str, str], bool]:
    """Return a test whether a text can be read as a kind with some decimal mark."""
    read = _READ[kind]
    return lambda text, language: any(
        read(text, WrittenAs(mark, "", language)) is not None for mark in ("", ".", ",")
    )


_MAY_BE: dict[str, Callable[[str, str], bool]] = {
    **{kind: _readable(kind) for kind in _READ},
    "number": _may_be_number,
    "date": _may_be_date,
}


def _hint(name: str) -> str:
    words = frozenset(re.split(r"[\W_]+", name.casefold()))
    kinds = lexicon.purposes("values.names")
    return next((kind for kind in kinds if not words.isdisjoint(lexicon.words(f"values.names.{kind}"))), "")


def _is_likely(kind: str, values: Sequence[str], hint: str) -> bool:
    """Say whether values that can be read as a kind are of it; a few numbers may look like an ISBN or a phone number by chance."""
    if hint == kind:
        return True
    if kind == "phone":
        return all(value.strip().startswith(("+", "(")) or value[:3].isalpha() for value in values)
    if kind == "isbn":
        return len(values) >= _FEW or all(
            "-" in each or "isbn" in each.lower() or each.startswith("97") for each in values
        )
    return True
