"""What a control wants: a date, a postcode, a country ..., and which controls must never be filled in.

Most boxes of search forms take words, some take values of a type, and a box that takes dates answers a word with an error. The type
is decided, in this order, by what the page declares (the type of an input, its autocomplete), by a date format in a placeholder
(dd/mm/yyyy, TT.MM.JJJJ, 31.12.2020), by the words of the label and of other texts about the control, and by the words of its name, in
fourteen languages: en de fr es it pt nl pl tr ru ar zh ja th.

Some types are personal, or are about one person's business: e-mail, phone, names of people, passwords, addresses, cards, dates of
birth, numbers of orders, codes to redeem, messages. They are recognised before all others, in any text about the control itself, so that
nothing is ever filled in there. A control that is personal by one text is personal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from hiddenweb.language import lexicon
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.language.phrases import FORM_WORDS, SEARCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field

RangeEnd = Literal["from", "to", ""]

TEXT_KINDS = frozenset({"", "text", "search", "textarea"})
"""Kinds of controls that take any words."""

FORMATS = {
    "date": "%Y-%m-%d",
    "datetime-local": "%Y-%m-%dT%H:%M",
    "month": "%Y-%m",
    "week": "%G-W%V",
    "time": "%H:%M",
}
"""How a browser sends the inputs that are made for a time."""

_DECLARED = {
    "date": "date", "datetime-local": "datetime", "month": "month of a year", "week": "week", "time": "time",
    "color": "colour code", "number": "number", "range": "number",
}  # fmt: skip
_PERSONAL_KINDS = {
    "email": "e-mail",
    "tel": "phone",
    "password": "password",
    "file": "file",
    "url": "address",
}
_ABOUT_OTHERS = re.compile("before|after|above|group|legend|description")
_STAR = re.compile(r"^\s*[*＊]|[*＊]\s*:?\s*$")


@dataclass(frozen=True, slots=True)
class FieldType:
    """What a control wants, and why we think so; `format` is that of a date or time, as `strftime` writes it."""

    name: str
    why: str
    personal: bool = False
    format: str = ""


_MAX_CACHED_OPTIONS = 50  # options of a control whose type is cached; a limit of taste
_MAX_TEXT = 500
"""Characters of a label, or of a name and value, that are read or cached; a limit of taste."""

_MAX_TEXT_FOR_PEOPLE = 200  # characters of a text about a control; a limit of taste
_MIN_FORMAT, _MAX_FORMAT = 4, 80  # characters of a text that shows how a date is written; limits of taste
_FIRST_YEAR, _LAST_YEAR = 1800, 2200  # years that an example of a date may be in; limits of taste
_DIGITS_OF_YEAR = 4
"""Digits, or letters, that a year is written with."""

_MAX_RANGE_WORDS = 2  # words of a label that only says "from" or "to"; a limit of taste
_VALUES_OF_RANGES = frozenset({"date", "quantity", "filtering", "birth"})
UNKNOWN = FieldType("", "nothing says what type of value it takes")


def type_of(field: Field, language: str = "") -> FieldType:
    """Say what a control wants."""
    if len(field.options) > _MAX_CACHED_OPTIONS or len(field.value) + len(field.name) > _MAX_TEXT:
        return _type_of(field, language)  # caching it would cost more than finding it again
    return _cached_type(field, language)


@lru_cache(maxsize=4096)
def _cached_type(field: Field, language: str) -> FieldType:
    return _type_of(field, language)


def _type_of(field: Field, language: str) -> FieldType:
    return (
        _personal_type(field)
        or _type_by_kind(field)
        or _type_by_format(field)
        or _type_by_words(field, language)
        or _type_by_pattern(field)
        or UNKNOWN
    )


def range_end(field: Field) -> RangeEnd:
    """Say whether a control is the lower or the upper end of a range, by its label or its name."""
    for text in (
        field.label,
        field.placeholder,
        split_identifier(field.name),
        split_identifier(field.element_id),
    ):
        if text and (end := _find_range_end(text)) and not _is_instruction(text):
            return end
    return ""


def _is_instruction(text: str) -> bool:
    """Say whether a text is an instruction how to search, and so no range: "Type here to search", "Start your search"."""
    if not SEARCH.find_words(text):
        return False
    words = split_words(text)
    is_bare = len(words) <= _MAX_RANGE_WORDS and _find_range_end(words[-1])
    return not is_bare and _VALUES_OF_RANGES.isdisjoint(FORM_WORDS.find_all(_drop_range_words(words)))


def _drop_range_words(words: list[str]) -> str:
    return " ".join(word for word in words if word not in _range_words())


_CHECKOUT = re.compile(r"\bcheck ?out(?: date| day)?$", re.IGNORECASE)


def is_day_of_stay(field: Field, language: str) -> bool:
    """Say whether a control takes the day on which guests leave; its name "checkout" also means paying in a shop."""
    has_name = _CHECKOUT.search(split_identifier(field.name))
    return bool(has_name) and type_of(field, language).name in ("date", "datetime")


def reason_to_leave_empty(field: Field) -> str:
    """Return why a box is a trap for programs that fill in everything, or ""."""
    if field.unseen:
        return "it is invisible on the page"
    if word := _LEAVE_EMPTY.find_words(
        " | ".join((field.label, field.placeholder, *(hint.text for hint in field.hints)))
    ):
        return f"it says {word!r}"
    if found := _TRAP_NAMES.search(field.name) or _TRAP_NAMES.search(field.element_id):
        return f"it is called {found[0]!r}, as traps for programs are"
    return ""


def is_required(field: Field) -> str:
    """Return why a control must have a value, or ""."""
    if field.required:
        return "the page requires it"
    return "its label has a star" if _STAR.search(field.label) else ""


def label_words(text: str) -> str:
    """Return the meaningful words of a label, folded: without range words, politeness and punctuation.

    >>> label_words("Please enter your Country *:"), label_words("Année de"), label_words("Year (from)")
    ('country', 'annee', 'year')
    """
    return _label_words(text[:_MAX_TEXT])


def has_meaning(identifier: str) -> bool:
    """Say whether a name made for machines has a meaning: `f_author` has one, `input_2` has none."""
    return any(
        word not in lexicon.fold_phrases("fields.noise") and word not in _range_words() and len(word) > 1
        for word in split_words(split_identifier(identifier))
    )


def split_words(text: str) -> list[str]:
    """Return the words of a label or an option in their order, folded."""
    return _WORD.findall(fold(text))


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as they are compared."""
    return frozenset(fold(text).split())


# What the page declares


def _personal_type(field: Field) -> FieldType | None:
    if name := _PERSONAL_KINDS.get(field.kind):
        return FieldType(name, f"it is a control of the type {field.kind}", personal=True)
    for token in field.autocomplete.lower().split():
        if name := _personal_autocomplete(token):
            return FieldType(name, f"browsers fill it in with {token!r}", personal=True)
    for where, text in _own_words(field):
        whole = _whole_labels("fields.whole_personal").get(label_words(text), "")
        if where in ("name", "id") and field.label and whole not in ("phone", "e-mail"):
            whole = ""  # a box called "name" by a program may take the name of anything
        if whole:
            return FieldType(whole, f"its {where} is {text!r}", personal=True)
        found = _PERSONAL.find(text)
        if found is None or (found[0] == "address" and _PLACES.find(text)):
            continue
        return FieldType(found[0], f"its {where} says {found[1]!r}", personal=True)
    return None


def _type_by_kind(field: Field) -> FieldType | None:
    if name := _DECLARED.get(field.kind):
        by_words = _type_by_words(field, "") if name == "number" else None
        if by_words is not None and by_words.name in ("year", "price", "month", "day"):
            return by_words
        return FieldType(
            name, f"it is a control of the type {field.kind}", format=FORMATS.get(field.kind, "")
        )
    for token in field.autocomplete.lower().split():
        if name := _AUTOCOMPLETE.get(token):
            return FieldType(name, f"browsers fill it in with {token!r}")
    return None


def _personal_autocomplete(token: str) -> str:
    if token in _PERSONAL_AUTOCOMPLETE:
        return _PERSONAL_AUTOCOMPLETE[token]
    beginning = token.partition("-")[0]
    return {"cc": "card", "bday": "date of birth", "tel": "phone", "address": "address"}.get(beginning, "")


def _type_by_pattern(field: Field) -> FieldType | None:
    if field.pattern and (name := _PATTERNS.get(field.pattern.strip("^$").replace("[0-9]", r"\d"))):
        form = "%Y-%m-%d" if name == "date" else ""
        return FieldType(name, f"what it takes must match {field.pattern}", format=form)
    return None


# Date formats


def date_format(text: str) -> str:
    """Return the date format that a text shows, as `strftime` writes it.

    >>> date_format("TT.MM.JJJJ"), date_format("e.g. 12/31/2020"), date_format("yyyy-mm-dd"), date_format("mm/yyyy")
    ('%d.%m.%Y', '%m/%d/%Y', '%Y-%m-%d', '%m/%Y')
    >>> date_format("and/or"), date_format("1/2")
    ('', '')
    """
    text = text.lower()
    for pattern in (_FULL_DATE, _MONTH_AND_YEAR, _EXAMPLE):
        for match in pattern.finditer(text):
            if form := _read_date_format(match):
                return form
    return "%Y年%m月%d日" if _CHINESE_DATE.search(text) else ""


def _type_by_format(field: Field) -> FieldType | None:
    if field.kind not in TEXT_KINDS:
        return None
    for where, text in (("placeholder", field.placeholder), *_texts_for_people(field)):
        if not _MIN_FORMAT <= len(text) <= _MAX_FORMAT:
            continue
        if form := date_format(text):
            name = "date" if "%d" in form else "month of a year"
            return FieldType(name, f"its {where} {text!r} shows how a date is written", format=form)
        if where == "placeholder" and _YEAR_SHOWN.fullmatch(text.strip().lower()):
            return FieldType("year", f"its {where} is {text!r}")
        if _TIME_SHOWN.search(text.lower()):
            return FieldType("time", f"its {where} {text!r} shows how a time is written", format="%H:%M")
    return None


def _read_date_format(match: re.Match[str]) -> str:
    parts = [part for part in match.groups() if part is not None]
    separator = match["sep"]
    parts.remove(separator)
    codes = _codes_of_digits(parts) if parts[0].isdigit() else _codes_of_letters(parts)
    return separator.join(codes)


def _codes_of_letters(parts: list[str]) -> list[str]:
    years = [at for at, part in enumerate(parts) if len(part) == _DIGITS_OF_YEAR and part[0] in "yjarгg"]
    if len(years) != 1:
        return []
    rest = [part[0] for at, part in enumerate(parts) if at != years[0]]
    if rest in (["m"], ["м"]):
        codes = ["%m"]
    elif rest in (["m", "d"], ["m", "j"], ["m", "t"], ["м", "д"]):
        codes = ["%m", "%d"]
    elif len(rest) == 2 and rest[0] in "dtjgд" and rest[1] in "maм":
        codes = ["%d", "%m"]
    else:
        return []
    codes.insert(years[0], "%Y")
    return codes


def _codes_of_digits(parts: list[str]) -> list[str]:
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == _DIGITS_OF_YEAR and 1 <= second <= 12 and 1 <= third <= 31:
        return ["%Y", "%m", "%d"]
    if len(parts[2]) != _DIGITS_OF_YEAR or not _FIRST_YEAR <= third <= _LAST_YEAR:
        return []
    if 1 <= first <= 31 and 1 <= second <= 12:
        return ["%d", "%m", "%Y"]
    return ["%m", "%d", "%Y"] if 1 <= first <= 12 and 13 <= second <= 31 else []


_LETTERS = "([ymdtjgarгмд]{1,4})"
_FULL_DATE = re.compile(rf"(?<!\w){_LETTERS}(?P<sep>[./-] ?){_LETTERS}(?P=sep){_LETTERS}(?!\w)")
_MONTH_AND_YEAR = re.compile(r"(?<!\w)([mм]{1,2}|[yjarгg]{4})(?P<sep>[./-])([mм]{1,2}|[yjarгg]{4})(?!\w)")
_EXAMPLE = re.compile(r"(?<!\d)(\d{1,4})(?P<sep>[./-])(\d{1,2})(?P=sep)(\d{1,4})(?!\d)")
_CHINESE_DATE = re.compile(r"(?:y{4}|\d{4})年(?:m{1,2}|\d{1,2})月(?:d{1,2}|\d{1,2})日")
_YEAR_SHOWN = re.compile(r"(?:e\.?g\.?|z\.? ?b\.?|ex\.?:?)? ?(?:yyyy|jjjj|aaaa|rrrr|гггг|(?:19|20)\d\d)")
_TIME_SHOWN = re.compile(r"(?<!\w)(?:hh:mm|чч:мм|ss:dd|[0-2]\d:[0-5]\d)(?!\w)")
_PATTERNS = {
    r"\d{5}": "zip", r"\d{5}(-\d{4})?": "zip", r"\d{5}(?:-\d{4})?": "zip", r"\d{4}-\d{2}-\d{2}": "date",
    r"(19|20)\d{2}": "year", r"(?:19|20)\d{2}": "year",
}  # fmt: skip


# Words


def _type_by_words(field: Field, language: str) -> FieldType | None:
    for where, text in (
        *_texts_for_people(field),
        ("name", split_identifier(field.name)),
        ("id", split_identifier(field.element_id)),
    ):
        if not text or where == "description":
            continue
        own = label_words(text)
        name = _whole_labels("fields.whole").get(own) or (
            _is_date_in(language, own.partition(" ")[0]) if where != "name" else ""
        )
        if name and (name != "number" or range_end(field)):
            return _make_type(name, f"its {where} is {text!r}", language)
        if found := _TYPES.find(text):
            return _make_type(found[0], f"its {where} says {found[1]!r}", language)
    return None


def _make_type(name: str, why: str, language: str) -> FieldType:
    form = _date_format_of(language) if name == "date" else "%H:%M" if name == "time" else ""
    return FieldType(name, why, format=form)


def _own_words(field: Field) -> Iterator[tuple[str, str]]:
    """Yield the texts about the control itself; neighbouring texts may be about another one."""
    yield "label", field.label
    for hint in field.hints:
        if hint.text != field.label and not _ABOUT_OTHERS.search(hint.where):
            yield hint.where, hint.text
    yield "placeholder", field.placeholder
    yield "name", split_identifier(field.name)
    yield "id", split_identifier(field.element_id)


def _texts_for_people(field: Field) -> Iterator[tuple[str, str]]:
    """Yield the texts about a control that people read, the best first, each once."""
    seen_texts = set()
    texts = [
        ("label", field.label),
        *((hint.where, hint.text) for hint in field.hints),
        ("placeholder", field.placeholder),
    ]
    for where, text in texts:
        if text and text not in seen_texts and len(text) <= _MAX_TEXT_FOR_PEOPLE and where != "name":
            seen_texts.add(text)
            yield where, text


def _find_range_end(text: str) -> RangeEnd:
    words = split_words(text)
    if not words:
        return ""
    for word in words:
        if end := _range_words().get(word):
            return end
    for word in (words[-1], words[0]):  # "a", "de", "do" mean a range only at the end or the beginning
        if end := _range_words_at_edge().get(word):
            return end
    if found := _range_words_unspaced().search(text):
        return "from" if found["start"] else "to"
    return ""


@cache
def _range_words() -> dict[str, RangeEnd]:
    return _ends_by_word("fields.from", "fields.to")


@cache
def _range_words_at_edge() -> dict[str, RangeEnd]:
    return _ends_by_word("fields.from_at_edge", "fields.to_at_edge")


def _ends_by_word(start: str, end: str) -> dict[str, RangeEnd]:
    ends: dict[str, RangeEnd] = {}
    ends |= dict.fromkeys(lexicon.fold_phrases(start), "from")
    ends |= dict.fromkeys(lexicon.fold_phrases(end), "to")
    return ends


@cache
def _range_words_unspaced() -> re.Pattern[str]:
    start, end = lexicon.alternatives("fields.from_unspaced"), lexicon.alternatives("fields.to_unspaced")
    return re.compile(f"(?P<start>{start})|{end}")


@cache
def _whole_labels(table: str) -> dict[str, str]:
    """Return the meanings of words that are a whole label."""
    return {
        word: name for name in lexicon.purposes(table) for word in lexicon.fold_phrases(f"{table}.{name}")
    }


@cache
def _is_date_in(language: str, word: str) -> str:
    """Return "date" for a word that means a date in one language, and something else in others."""
    purpose = "fields.whole_in_language.date"
    return "date" if word in lexicon.split_patterns(lexicon.read_in_language(purpose, language)) else ""


@cache
def _date_format_of(language: str) -> str:
    return str(lexicon.read_in_language("dates.format", language) or "%Y-%m-%d")


@lru_cache(maxsize=8192)
def _label_words(text: str) -> str:
    words, noise = split_words(text), lexicon.fold_phrases("fields.noise")
    meaningful = [
        word
        for word in words
        if word not in noise
        and word not in _range_words()
        and not (word.isdigit() and len(word) < _DIGITS_OF_YEAR)
    ]
    while len(meaningful) > 1 and meaningful[-1] in _range_words_at_edge():
        meaningful.pop()
    return " ".join(meaningful or words)


_WORD = re.compile(r"[^\s!-/:-@\[-`{-~¡¿«»“”„‘’…–—·•：；，。、！？（）【】「」『』～＊※]+")
"""A run of anything but spaces and punctuation: vowel signs are no letters, and belong to words."""


_TRAP_NAMES = re.compile(
    r"(?i)honey ?-?_?(?:pot|comb)|required_but_not_really|bot_?test|(?<![a-z])(?:hp|hpot|url2|email2|website2|homepage2|nospam|no_spam|antispam|bot_?trap|"
    r"botcheck|robot_?trap|leave_?(?:this_?)?(?:blank|empty)|do_?not_?fill|fill_?this_?not|gotcha|_gotcha)(?![a-z])"
)
_LEAVE_EMPTY = PhraseMatcher.from_lexicon("boxes.leave_empty")

_PERSONAL_AUTOCOMPLETE = {
    "name": "name", "honorific-prefix": "name", "given-name": "name", "additional-name": "name", "family-name": "name",
    "honorific-suffix": "name", "nickname": "name", "username": "name", "new-password": "password",
    "current-password": "password", "one-time-code": "code", "organization": "name", "organization-title": "name",
    "street-address": "address", "email": "e-mail", "impp": "address", "url": "address", "photo": "file", "sex": "sex",
    "transaction-amount": "card",
}  # fmt: skip
_AUTOCOMPLETE = {
    "country": "country", "country-name": "country", "postal-code": "zip", "language": "language",
    "transaction-currency": "currency",
}  # fmt: skip

_PERSONAL = PhraseMatcher.from_lexicon("fields.personal")

_PLACES = PhraseMatcher.from_lexicon("fields.places")


_TYPES = PhraseMatcher.from_lexicon("fields.types")
