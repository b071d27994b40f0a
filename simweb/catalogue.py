"""The records of a database, made when they are asked for.

A generated record follows from topic, language, seed, number and revision alone, so a catalogue of a million
records costs nothing until one is read. Values, people and firms are drawn by Zipf's law (a rank is about
`count ** u` for a uniform u) and so are words, so that keywords behave as on real databases: a few find much, most
find one or two records, and new words keep coming.

Three topics are real: Python's own documentation, the names of places and languages in CLDR, and the characters of
Unicode. Books, films and art are real too, in English, when a folder with their files is given. A seed then says
which records a site has: number i is the one at (stride * i + start) mod count, stride and count coprime.

A revision is what an owner's edit leaves: another price or condition, another sentence in the text. The last few
revisions build on each other; title and identity stay.
"""

from __future__ import annotations

import gzip
import json
import re
import sysconfig
import unicodedata
import zlib
from array import array
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from math import gcd
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from babel import Locale
from babel.core import get_global

from simweb.chance import draw, rng
from simweb.languages import language as language_of
from simweb.topics import (
    TOPICS_WITH_FILES,
    Topic,
    is_listed,
    list_values,
    makes,
    models_of,
    topic,
    topic_from_files,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Maker = Callable[["_Making"], str]


_STEPS_KEPT = 8  # a record edited a thousand times shows its last few edits, and costs no more than that


class UnreadableData(ValueError):
    """A file of real records is missing or is not what it should be."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a database; the values stand in the order of its topic's attributes, "" where one is missing."""

    number: int
    title: str
    values: tuple[str, ...]
    text: str


@dataclass(slots=True)
class Draft:
    """A record still being written; the first `kept` sentences survive every revision."""

    title: str
    values: list[str]
    sentences: list[str]
    kept: int


class Source(Protocol):
    """Where records come from."""

    topic: Topic
    language: str

    def count(self) -> int | None:
        """Return how many records there are; None when there is no end."""

    def draft(self, position: int) -> Draft:
        """Return the record at a position, from 0."""

    def choices(self, name: str, parent_value: str | None) -> tuple[str, ...]:
        """Return the values of a choice, or those that go with a value of its parent."""


class Catalogue:
    """What one site has to offer.

    Records are numbered from 1. Numbers above `size` are newcomers: generated topics never run out of them, real
    ones end at `available`.
    """

    def __init__(self, topic: str, language: str, seed: int, size: int, data: Path | None = None) -> None:
        self._source = _source(topic, language, seed, size, data)
        self._language = language_of(self._source.language)
        self._key = draw("catalogue", topic, language, seed)
        self.topic = self._source.topic
        self.available = self._source.count()
        self.size = size if self.available is None else min(size, self.available)
        self._stride, self._start = _order(self._key, self.available)
        self._changing = [i for i, attribute in enumerate(self.topic.attributes) if attribute.changing]

    def record(self, number: int, revision: int = 0) -> Record:
        """Return a record as it reads after so many revisions."""
        draft = self._source.draft(self._position(number))
        for step in range(max(1, revision - _STEPS_KEPT + 1), revision + 1):
            self._revise(draft, rng(self._key, "revision", number, step))
        text = (" " if self._language.spaced else "").join(draft.sentences)
        return Record(number, draft.title, tuple(draft.values), text)

    def choices(self, attribute: str, parent_value: str | None = None) -> tuple[str, ...]:
        """Return all values of a choice, or those that go with a value of its parent; () for other kinds."""
        if self.topic.attribute(attribute).kind != "choice":
            return ()
        return self._source.choices(attribute, parent_value)

    def _position(self, number: int) -> int:
        if number < 1 or (self.available is not None and number > self.available):
            raise IndexError(
                f"{self.topic.name} has records 1 to {self.available or 'any number'}, not {number}"
            )
        if self.available is None:
            return number - 1
        return (self._stride * (number - 1) + self._start) % self.available

    def _revise(self, draft: Draft, chance: Random) -> None:
        known = [i for i in self._changing if draft.values[i]]
        if known and chance.random() < 0.75:
            position = known[int(chance.random() * len(known))]
            draft.values[position] = self._revise_value(position, draft.values[position], chance)
            if chance.random() < 0.5:
                return
        sentence = self._language.sentence(chance, self.topic.name, 8 + int(9 * chance.random()))
        if len(draft.sentences) > draft.kept:
            draft.sentences[chance.randrange(draft.kept, len(draft.sentences))] = sentence
        else:
            draft.sentences.append(sentence)

    def _revise_value(self, position: int, value: str, chance: Random) -> str:
        attribute = self.topic.attributes[position]
        match attribute.kind:
            case "choice":
                others = [other for other in self.choices(attribute.name) if other != value]
                return others[int(chance.random() * len(others))]
            case "date":
                return (date.fromisoformat(value) + timedelta(1 + int(30 * chance.random()))).isoformat()
            case _:
                return _NUMBER.sub(lambda found: _another_number(found[0], chance), value, count=1)


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _another_number(written: str, chance: Random) -> str:
    number = float(written.replace(",", ""))
    decimals = len(written.partition(".")[2])
    factor = 0.75 + 0.2 * chance.random() + (0.3 if chance.random() < 0.5 else 0.0)
    other = f"{number * factor:,.{decimals}f}"
    return other if other != written else f"{number + 1:,.{decimals}f}"


def _source(topic_name: str, language: str, seed: int, size: int, data: Path | None) -> Source:
    if data is not None and language == "en" and topic_name in TOPICS_WITH_FILES:
        return _file_source(topic_name, data)
    match topic_name:
        case "software":
            return _software()
        case "characters":
            return _characters()
        case "places":
            return _places(language)
        case _:
            return Generated(topic_name, language, seed, size)


def _order(key: int, count: int | None) -> tuple[int, int]:
    """Return the stride and the start of a walk that meets each of `count` records once."""
    if not count:
        return 1, 0
    stride = key % count or 1
    while gcd(stride, count) != 1:
        stride += 1
    return stride, (key >> 32) % count


# Generated records

_TODAY = date(2025, 6, 30).toordinal()
_CURRENCIES = {
    "en": ("GBP", 1), "de": ("EUR", 1), "fr": ("EUR", 1), "es": ("EUR", 1), "it": ("EUR", 1), "pl": ("PLN", 4),
    "tr": ("TRY", 40), "ru": ("RUB", 90), "ar": ("AED", 4), "zh": ("CNY", 8), "ja": ("JPY", 160), "th": ("THB", 40),
}  # fmt: skip
_PRICES = {
    "books": (4, 60),
    "cars": (900, 90_000),
    "music": (3, 45),
    "hotels": (30, 400),
    "homes": (300, 900_000),
}
_PRICES_WITH_CENTS = ("books", "music")
_MANY = 24
_CUISINES = (
    "IT", "FR", "CN", "IN", "JP", "MX", "TH", "GR", "ES", "TR", "VN", "KR", "MA", "LB", "PT", "PE", "ET",
    "HU",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Making:
    """A generated record on its way: its chance, and the values made so far."""

    chance: Random
    random: Callable[[], float]
    position: int
    values: list[str]


class Generated:
    """Records of a topic that nobody has ever seen, as many as are asked for."""

    def __init__(self, topic_name: str, language: str, seed: int, size: int) -> None:
        self.topic = topic(topic_name)
        self.language = language
        self._speech = language_of(language)
        self._key = draw("generated", topic_name, language, seed)
        self._pool = max(20, size // 4)
        self._choices: dict[str, tuple[str, ...]] = {}
        self._dependent: dict[str, dict[str, tuple[str, ...]]] = {}
        self.person = lru_cache(maxsize=2048)(self._person)
        self.firm = lru_cache(maxsize=2048)(self._firm)
        self._rare_stride, self._rare_start = _order(self._key, len(self._speech.vocabulary))
        self._makers = tuple(self._maker(attribute.name) for attribute in self.topic.attributes)

    def count(self) -> int | None:
        """There is no end to them."""
        return None

    def draft(self, position: int) -> Draft:
        """Make the record at a position."""
        chance = Random((self._key << 40) + position)
        making = _Making(chance, chance.random, position, [])
        for make in self._makers:
            making.values.append(make(making))
        return Draft(self._title(making), making.values, self._sentences(chance), 1)

    def choices(self, name: str, parent_value: str | None) -> tuple[str, ...]:
        """Return the list a choice is drawn from."""
        if parent_value is not None and name in self._dependent:
            return self._dependent[name].get(parent_value, ())
        return self._choices[name]

    def _sentences(self, chance: Random) -> list[str]:
        sentences = []
        left = 25 + int(56 * chance.random())
        while left > 0:
            words = min(left, 8 + int(11 * chance.random()))
            left -= words
            if left < 5:
                words += left
                left = 0
            sentences.append(self._speech.sentence(chance, self.topic.name, words))
        return sentences

    def _title(self, making: _Making) -> str:
        match self.topic.name:
            case "people":
                return self._speech.name(making.chance)
            case "cars":
                return f"{making.values[0]} {making.values[1]}, {self._distinct_title(making)}"
            case "hotels":
                return f"{self._distinct_title(making)}, {making.values[0]}"
            case "homes":
                return f"{self._distinct_title(making)}, {making.values[3]}"
            case _:
                return self._distinct_title(making)

    def _distinct_title(self, making: _Making) -> str:
        """Return a title with a word that comes again only after the whole vocabulary has been used."""
        title = self._speech.title(making.chance, self.topic.name)
        vocabulary = self._speech.vocabulary
        rare = vocabulary[(self._rare_stride * making.position + self._rare_start) % len(vocabulary)]
        if not self._speech.spaced:
            return title + rare
        last = title.rpartition(" ")[2]
        return f"{title} {_capitalise(rare) if last[:1].isupper() else rare}"

    def _maker(self, name: str) -> Maker:
        """Return what makes one attribute; a choice gets its list at the same time."""
        attribute = self.topic.attribute(name)
        if attribute.parent:
            return self._dependent_maker(name, attribute.parent)
        if attribute.kind == "choice":
            self._choices[name] = values = self._list(name)
            return _rank_maker(_shuffle(values, rng(self._key, "order", name)))
        return self._free_maker(name)

    def _list(self, name: str) -> tuple[str, ...]:
        for written in (f"{self.topic.name}.{name}", name):
            if is_listed(written):
                return list_values(written, self.language)
        match name:
            case "make":
                return makes()
            case "publisher" | "label":
                return tuple(dict.fromkeys(self.firm(rank) for rank in range(_MANY)))
            case "city" | "location":
                return _some(cities(self.language), _MANY, rng(self._key, name))
            case "cuisine":
                return _territory_names(self.language, _CUISINES)
            case "country":
                return _some(_territory_names(self.language, _inhabitants()), _MANY, rng(self._key, name))
            case _:
                return _some(_spoken_languages(self.language), 16, rng(self._key, name))

    def _dependent_maker(self, name: str, parent: str) -> Maker:
        at = self.topic.position(parent)
        lists = {value: self._list_under(name, value) for value in self._choices[parent]}
        makers = {value: _rank_maker(values) for value, values in lists.items()}
        self._dependent[name] = lists
        self._choices[name] = tuple(dict.fromkeys(value for values in lists.values() for value in values))
        return lambda making: makers[making.values[at]](making)

    def _list_under(self, name: str, parent_value: str) -> tuple[str, ...]:
        if name == "model":
            return models_of(parent_value)
        words = _some(self._speech.vocabulary[50:5000], 7, rng(self._key, name, parent_value))
        return tuple(dict.fromkeys(_capitalise(word) for word in words))

    def _free_maker(self, name: str) -> Maker:
        match name:
            case "author" | "director" | "artist" | "name":
                return lambda making: self.person(_rank(making.chance, self._pool))
            case "cast":
                return self._cast
            case "company" | "credit":
                return lambda making: self.firm(_rank(making.chance, self._pool))
            case "album":
                return lambda making: self._speech.title(making.chance, self.topic.name)
            case "location" if self.topic.name == "hotels":
                return lambda making: f"{self._join(making, 2)} {1 + int(150 * making.random())}"
            case "city" | "location":
                return _rank_maker(_shuffle(cities(self.language), rng(self._key, name)))
            case "ingredients":
                return lambda making: self._join(making, 4 + int(6 * making.random()), ", ")
            case _:
                return self._count_maker(name)

    def _count_maker(self, name: str) -> Maker:
        currency, rate = _CURRENCIES[self.language]
        match name:
            case "year":
                span = 22 if self.topic.name == "cars" else 75
                return lambda making: str(2025 - int(span * making.random() ** 2))
            case "price":
                return self._price_maker(currency, rate)
            case "salary":
                return lambda making: f"{int(18 + 90 * making.random() ** 2) * 1000 * rate:,} {currency}"
            case "mileage":
                return lambda making: f"{int(240 * making.random()) * 1000:,} km"
            case "duration":
                return lambda making: f"{10 + 5 * int(35 * making.random())} min"
            case "rooms":
                most = 300 if self.topic.name == "hotels" else 8
                return lambda making: str(1 + int(most * making.random() ** 2))
            case "area":
                return lambda making: f"{18 + int(240 * making.random() ** 2)} m²"
            case _:
                return self._date_or_code_maker(name)

    def _date_or_code_maker(self, name: str) -> Maker:
        match name:
            case "posted" | "date":
                return lambda making: _day(_TODAY - int(900 * making.random() ** 2))
            case "born":
                return lambda making: _day(_TODAY - 7300 - int(80_000 * making.random()))
            case "died":
                return self._death_of
            case "isbn":
                return _isbn
            case _:
                prefix = self.topic.name[0].upper()
                return lambda making: f"{prefix}{100_003 + making.position}"

    def _price_maker(self, currency: str, rate: int) -> Maker:
        low, high = _PRICES[self.topic.name]
        decimals = 2 if self.topic.name in _PRICES_WITH_CENTS and rate < 100 else 0
        lowest, spread = low * rate, high / low
        return lambda making: f"{lowest * spread ** making.random():,.{decimals}f} {currency}"

    def _cast(self, making: _Making) -> str:
        size = 2 + int(3 * making.random())
        return ", ".join([self.person(_rank(making.chance, self._pool)) for _ in range(size)])

    def _death_of(self, making: _Making) -> str:
        born = date.fromisoformat(making.values[self.topic.position("born")]).toordinal()
        died = born + 11_000 + int(22_000 * making.random())
        return _day(died) if died < _TODAY else ""

    def _join(self, making: _Making, words: int, glue: str = " ") -> str:
        return glue.join([self._speech.word(making.chance) for _ in range(words)])

    def _person(self, rank: int) -> str:
        return self._speech.name(rng(self._key, "person", rank))

    def _firm(self, rank: int) -> str:
        chance = rng(self._key, "firm", rank)
        name = self._speech.last_names[int(chance.random() * len(self._speech.last_names))]
        word = self._speech.vocabulary[int(chance.random() * len(self._speech.vocabulary))]
        return f"{name} {_capitalise(word)}" if self._speech.spaced else f"{name}{word}"


def _isbn(making: _Making) -> str:
    digits = f"978{int(making.random() * 10**9):09d}"
    weighed = sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(digits))
    return f"{digits}{-weighed % 10}"


def _capitalise(word: str) -> str:
    return word[:1].upper() + word[1:]


def _rank(chance: Random, count: int) -> int:
    """Return a rank in [0, count), low ones far more often."""
    return int((count + 1) ** chance.random()) % count


def _rank_maker(values: Sequence[str]) -> Maker:
    count = len(values)
    return lambda making: values[int((count + 1) ** making.random()) % count]


def _shuffle(values: Sequence[str], chance: Random) -> tuple[str, ...]:
    return tuple(chance.sample(values, len(values)))


def _some(values: Sequence[str], count: int, chance: Random) -> tuple[str, ...]:
    return tuple(sorted(chance.sample(values, min(count, len(values)))))


def _day(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()


# Real records: the documentation of Python

_LEFT_OUT = frozenset({
    "test", "tests", "idlelib", "lib2to3", "site-packages", "dist-packages", "turtledemo", "pydoc_data",
    "encodings", "distutils", "msilib", "_vendor", "_bundled", "__pycache__",
})  # fmt: skip


class Listed:
    """Real records that are read from a list in memory."""

    def __init__(self, topic: Topic, language: str, count: int, read: Callable[[int], Draft]) -> None:
        self.topic = topic
        self.language = language
        self._count = count
        self.draft = read
        self._lists: dict[tuple[str, str | None], tuple[str, ...]] = {}

    def count(self) -> int | None:
        """Return how many there are."""
        return self._count

    def choices(self, name: str, parent_value: str | None) -> tuple[str, ...]:
        """Return the values that occur, in order."""
        if not self._lists:
            self._lists = self._values_that_occur()
        return self._lists.get((name, parent_value), ())

    def _values_that_occur(self) -> dict[tuple[str, str | None], tuple[str, ...]]:
        found: dict[tuple[str, str | None], set[str]] = {}
        choices = [(i, a) for i, a in enumerate(self.topic.attributes) if a.kind == "choice"]
        for position in range(self._count):
            values = self.draft(position).values
            for i, attribute in choices:
                if values[i]:
                    found.setdefault((attribute.name, None), set()).add(values[i])
                    if attribute.parent:
                        parent_value = values[self.topic.position(attribute.parent)]
                        found.setdefault((attribute.name, parent_value), set()).add(values[i])
        return {key: tuple(sorted(values)) for key, values in found.items()}


def _true_draft(title: str, values: list[str], sentences: list[str]) -> Draft:
    """Return a draft whose sentences are all true and stay."""
    return Draft(title, values, sentences, len(sentences))


@dataclass(frozen=True, slots=True)
class _Documented:
    """One docstring of the standard library."""

    module: str
    name: str
    kind: str
    signature: str
    lines: int
    text: str


@cache
def _software() -> Source:
    """Everything in the standard library that has a docstring, found by reading the sources."""
    root = Path(sysconfig.get_path("stdlib"))
    found = [entry for path in _source_files(root) for entry in _read_documented(path, root)]
    if not found:
        raise UnreadableData(
            f"{root}: no Python sources with docstrings, which the topic software is made of"
        )
    packages = _commonest((entry.module.partition(".")[0] for entry in found), 39)

    def read(position: int) -> Draft:
        entry = found[position]
        package = entry.module.partition(".")[0]
        category = package if package in packages else "other"
        title = entry.module if entry.kind == "module" else f"{entry.module}.{entry.name}"
        values = [entry.module, entry.name, entry.kind, category, entry.signature, str(entry.lines)]
        return _true_draft(title, values, [entry.text])

    return Listed(topic("software"), "en", len(found), read)


def _source_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_OUT or path.name.startswith("config-"):
            continue
        if path.suffix == ".py":
            yield path
        elif path.is_dir():
            yield from _source_files(path)


def _read_documented(path: Path, root: Path) -> Iterator[_Documented]:
    """Yield what is documented in a file, found by the looks of it: parsing all of them takes ten times as long."""
    source = path.read_text("utf-8", "replace")
    module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    if found := _MODULE_TEXT.match(source):
        yield _Documented(module, module, "module", "", source.count("\n") + 1, _opening(found["text"]))
    owner = ""
    for found in _DEFINITION.finditer(source):
        indent, kind, name = len(found["indent"]), found["kind"], found["name"]
        signature = " ".join((found["signature"] or "").split())
        lines = found[0].count("\n") + 1
        if indent == 0:
            owner = f"{name}." if kind == "class" else ""
            yield _Documented(
                module,
                name,
                "class" if kind == "class" else "function",
                signature,
                lines,
                _opening(found["text"]),
            )
        elif owner and kind == "def":
            yield _Documented(module, f"{owner}{name}", "method", signature, lines, _opening(found["text"]))


_MODULE_TEXT = re.compile(r'(?:\s*\#[^\n]*\n|\s)*[rRuU]?"""(?P<text>.*?)"""', re.DOTALL)
_DEFINITION = re.compile(
    r"""^(?P<indent>[ ]{0,4})(?:async[ ])?(?P<kind>def|class)[ ](?P<name>\w+)
    (?P<signature>\([^()]*(?:\([^()]*\)[^()]*)*\))?[^\n:]*:[^\n]*\n\s*[rRuU]?\"{3}(?P<text>[^"].*?)\"{3}""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


def _opening(text: str) -> str:
    """Return the first lines of a docstring as running text."""
    return " ".join(" ".join(text.strip().splitlines()[:12]).split())


def _commonest(values: Iterable[str], count: int) -> frozenset[str]:
    ranked = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
    return frozenset(value for value, _ in ranked[:count])


# Real records: the characters of Unicode

_CATEGORIES = {
    "Lu": "uppercase letter", "Ll": "lowercase letter", "Lt": "titlecase letter", "Lm": "modifier letter",
    "Lo": "other letter", "Mn": "nonspacing mark", "Mc": "spacing mark", "Me": "enclosing mark",
    "Nd": "decimal digit", "Nl": "letter number", "No": "other number", "Pc": "connector punctuation",
    "Pd": "dash punctuation", "Ps": "opening punctuation", "Pe": "closing punctuation",
    "Pi": "initial quotation mark", "Pf": "final quotation mark", "Po": "other punctuation",
    "Sm": "mathematical symbol", "Sc": "currency symbol", "Sk": "modifier symbol", "So": "other symbol",
    "Zs": "space separator", "Zl": "line separator", "Zp": "paragraph separator", "Cf": "format character",
}  # fmt: skip
_DIRECTIONS = {
    "L": "left to right", "R": "right to left", "AL": "right to left Arabic", "EN": "European number",
    "ES": "European separator", "ET": "European terminator", "AN": "Arabic number", "CS": "common separator",
    "NSM": "nonspacing mark", "BN": "boundary neutral", "B": "paragraph separator", "S": "segment separator",
    "WS": "whitespace", "ON": "other neutral",
}  # fmt: skip
_WIDTHS = {"F": "fullwidth", "H": "halfwidth", "W": "wide", "Na": "narrow", "A": "ambiguous", "N": "neutral"}


@cache
def _characters() -> Source:
    """Every character with a name of its own; ideographs and syllables named by rule are left out."""
    points = array("I", (p for p in range(0x20, 0x20000) if _has_own_name(p)))
    scripts = _commonest((unicodedata.name(chr(point)).partition(" ")[0] for point in points), 39)

    def read(position: int) -> Draft:
        character = chr(points[position])
        name = unicodedata.name(character)
        first, _, rest = name.partition(" ")
        values = [
            f"U+{ord(character):04X}",
            (rest or first).lower(),
            first if first in scripts else "OTHER",
            _CATEGORIES.get(unicodedata.category(character), "other"),
            _DIRECTIONS.get(unicodedata.bidirectional(character), "explicit control"),
            str(ord(character)),
        ]
        return _true_draft(name, values, list(_describe(character, name)))

    return Listed(topic("characters"), "en", len(points), read)


def _has_own_name(point: int) -> bool:
    name = unicodedata.name(chr(point), "")
    return bool(name) and not name.endswith(f"-{point:X}") and not name.startswith("HANGUL SYLLABLE")


def _describe(character: str, name: str) -> Iterator[str]:
    category = unicodedata.category(character)
    yield f"{name.capitalize()} is a character of the category {_CATEGORIES.get(category, 'other')}."
    if category[0] in "LNPS":
        yield f"It looks like {character} on the page."
    for case, partner in (("upper", character.upper()), ("lower", character.lower())):
        if partner != character:
            yield f"Its {case} case partner is {_spelt(partner)}."
    if decomposition := unicodedata.decomposition(character):
        form, parts = _decompose(decomposition)
        yield f"It is made of {_spelt(parts)}{f', as a {form} form' if form else ''}."
    if (value := unicodedata.numeric(character, None)) is not None:
        yield f"It has the numeric value {value:g}."
    if combining := unicodedata.combining(character):
        yield f"It combines with the character before it, in class {combining}."
    if unicodedata.mirrored(character):
        yield "It is mirrored in text that runs from right to left."
    yield f"It is {_WIDTHS[unicodedata.east_asian_width(character)]} in East Asian text."


def _decompose(decomposition: str) -> tuple[str, str]:
    form, _, points = decomposition.rpartition("> ")
    return form.strip("<"), "".join(chr(int(point, 16)) for point in points.split())


def _spelt(text: str) -> str:
    return " and ".join(
        f"{unicodedata.name(character, 'an unnamed character')} (U+{ord(character):04X})"
        for character in text
    )


# Real records: the places, languages and money of CLDR

_REGIONS = {
    "002": {
        "014": "BI KM DJ ER ET IO KE MG MW MU YT MZ RE RW SC SO SS TF TZ UG ZM ZW",
        "017": "AO CM CF TD CG CD GQ GA ST",
        "015": "DZ EG LY MA SD TN EH EA IC",
        "018": "BW LS NA ZA SZ",
        "011": "BJ BF CV CI GM GH GN GW LR ML MR NE NG SH SN SL TG",
    },
    "019": {
        "029": "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI",
        "013": "BZ CR GT HN MX NI PA SV",
        "005": "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE",
        "021": "BM CA GL PM US",
    },
    "142": {
        "143": "KG KZ TJ TM UZ",
        "030": "CN HK JP KP KR MN MO TW",
        "035": "BN ID KH LA MM MY PH SG TH TL VN",
        "034": "AF BD BT IN IR LK MV NP PK",
        "145": "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
    },
    "150": {
        "151": "BG BY CZ HU MD PL RO RU SK UA",
        "154": "AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ",
        "039": "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA XK",
        "155": "AT BE CH DE FR LI LU MC NL",
    },
    "009": {
        "053": "AU CC CX HM NF NZ",
        "054": "FJ NC PG SB VU",
        "057": "FM GU KI MH MP NR PW UM",
        "061": "AS CK NU PF PN TK TO TV WF WS",
    },
    "AQ": {"AQ": "AQ"},
}
COUNTRY, LANGUAGE, CURRENCY, CITY, SCRIPT = range(5)  # positions in the list places.type
_COMMON_LANGUAGES = (
    "en", "de", "fr", "es", "it", "pl", "tr", "ru", "ar", "zh", "ja", "th", "el", "ko", "pt", "nl", "sv",
    "fi", "da", "cs", "hu", "fa", "he", "hi", "la",
)  # fmt: skip
_OTHER_LANGUAGES = _COMMON_LANGUAGES[:14]
_LATIN = frozenset(_COMMON_LANGUAGES[:7])
_FULL_STOPS = {"zh": "。", "ja": "。", "th": " "}


@dataclass(frozen=True, slots=True)
class _Place:
    """Something CLDR has names for: its kind (a position in the list `places.type`), its code, its territory."""

    kind: int
    code: str
    territory: str


@cache
def _subregions() -> dict[str, tuple[str, str]]:
    """Return continent and region of each territory, by UN M49, which Babel leaves out of its CLDR."""
    return {
        territory: (continent, region)
        for continent, regions in _REGIONS.items()
        for region, territories in regions.items()
        for territory in territories.split()
    }


def _inhabitants() -> list[str]:
    spoken = get_global("territory_languages")
    return [territory for territory in _subregions() if spoken.get(territory)]


@cache
def _places(language: str) -> Source:
    """All places, languages, currencies and scripts that have a name in the language."""
    found = [place for place in _all_places() if _names(language, place.kind).get(place.code)]
    types = list_values("places.type", language)
    territories = _names(language, COUNTRY)
    stop = _FULL_STOPS.get(language, ".")

    def read(position: int) -> Draft:
        place = found[position]
        continent, region = _subregions().get(place.territory, ("", ""))
        values = [
            types[place.kind],
            territories.get(continent, ""),
            territories.get(region, ""),
            territories.get(place.territory, ""),
            ", ".join(_official_languages(language, place.territory)),
            _names(language, CURRENCY).get(_money(place), ""),
            place.code,
            _since(place),
        ]
        sentences = [f"{text}{stop}" for text in _about(place, language)]
        return _true_draft(_names(language, place.kind)[place.code], values, sentences)

    return Listed(topic("places"), language, len(found), read)


@cache
def _all_places() -> tuple[_Place, ...]:
    likely = get_global("likely_subtags")
    zones = get_global("zone_territories")
    return (
        *(_Place(COUNTRY, code, code) for code in sorted(_subregions())),
        *(
            _Place(LANGUAGE, code, _last_part(likely.get(code, "")))
            for code in sorted(_names("en", LANGUAGE))
        ),
        *(_Place(CURRENCY, code, code[:2]) for code in sorted(_names("en", CURRENCY))),
        *(
            _Place(CITY, zone, zones[zone])
            for zone in sorted(zones)
            if "/" in zone and zones[zone] in _subregions()
        ),
        *(
            _Place(SCRIPT, code, _last_part(likely.get(f"und_{code}", "")))
            for code in sorted(_names("en", SCRIPT))
        ),
    )


def _last_part(tag: str) -> str:
    return tag.rpartition("_")[2] if tag.count("_") == 2 else ""


@cache
def _names(language: str, kind: int) -> dict[str, str]:
    """Return all names of a kind in a language, by code."""
    locale = Locale.parse(language)
    if kind == CITY:
        return {zone: _city(locale, zone) for zone in get_global("zone_territories")}
    names: Mapping[str, str]
    names = (locale.territories, locale.languages, locale.currencies, {}, locale.scripts)[kind]
    return {code: str(name) for code, name in names.items()}


def _city(locale: Locale, zone: str) -> str:
    """Return the city a time zone is named after; English names are in the zone's own name."""
    if name := locale.time_zones.get(zone, {}).get("city"):
        return str(name)
    return zone.rpartition("/")[2].replace("_", " ") if locale.language in _LATIN else ""


@cache
def cities(language: str) -> tuple[str, ...]:
    """Return the names of some hundred cities of the world in a language, in order."""
    names = {_names(language, CITY).get(place.code, "") for place in _all_places() if place.kind == CITY}
    return tuple(sorted(name for name in names if name and "," not in name))


def _territory_names(language: str, codes: Iterable[str]) -> tuple[str, ...]:
    names = _names(language, COUNTRY)
    return tuple(sorted({names[code] for code in codes if code in names}))


def _spoken_languages(language: str) -> tuple[str, ...]:
    names = _names(language, LANGUAGE)
    return tuple(names[code] for code in _COMMON_LANGUAGES if code in names)


def _official_languages(language: str, territory: str) -> list[str]:
    names = _names(language, LANGUAGE)
    spoken = get_global("territory_languages").get(territory, {})
    official = (code for code, about in spoken.items() if about["official_status"] == "official")
    return [names[code] for code in official if code in names]


@cache
def _tenders(territory: str) -> list[tuple[str, str]]:
    """Return the currencies used in a territory today and the day each came into use, newest first."""
    used = get_global("territory_currencies").get(territory, ())
    return sorted(
        (
            (_day(date(*start).toordinal()), code)
            for code, start, end, tender in used
            if start and not end and tender
        ),
        reverse=True,
    )


def _money(place: _Place) -> str:
    return place.code if place.kind == CURRENCY else next((code for _, code in _tenders(place.territory)), "")


def _since(place: _Place) -> str:
    return next((day for day, code in _tenders(place.territory) if code == _money(place)), "")


def _about(place: _Place, language: str) -> Iterator[str]:
    named = (_names(other, place.kind).get(place.code) for other in _OTHER_LANGUAGES if other != language)
    yield "; ".join(name for name in named if name)
    types = list_values("places.type", language)
    if place.kind == COUNTRY:
        zones = get_global("territory_zones").get(place.code, ())
        if towns := [town for zone in zones if (town := _names(language, CITY).get(zone))]:
            yield f"{types[CITY]}: {', '.join(towns)}"
    if place.kind in (COUNTRY, CITY) and (money := [code for _, code in _tenders(place.territory)]):
        yield f"{types[CURRENCY]}: {', '.join(money)}"


# Real records: files in a folder

_FILES = {"books": "books.jsonl.gz", "films": "movies.jsonl.gz", "art": "artworks.jsonl.gz"}
_KINDS_OF_FILM = {"Silent": 1, "Short": 2, "Animated": 3, "Documentary": 4}
_TECHNIQUES = (
    "graphite", "oil paint", "screenprint", "lithograph", "watercolour", "etching", "ink", "intaglio", "photograph",
    "engraving", "chalk", "gouache", "aquatint", "bronze", "woodcut", "mezzotint", "digital print", "acrylic",
    "drypoint", "copper", "pen", "wood", "stone", "plaster", "steel", "video", "charcoal", "crayon", "pastel", "print", "pencil",
)  # fmt: skip
_TECHNIQUE = re.compile(rf"\b({'|'.join(sorted(_TECHNIQUES, key=len, reverse=True))})s?\b")
_BOOK_LANGUAGES = {
    "eng": "en", "ara": "ar", "fre": "fr", "ind": "id", "spa": "es", "ger": "de", "jpn": "ja", "per": "fa",
    "por": "pt", "pol": "pl", "nor": "no", "dan": "da", "ita": "it", "vie": "vi", "tur": "tr", "swe": "sv",
    "rum": "ro", "rus": "ru",
}  # fmt: skip
_DIRECTED = re.compile(
    r"directed(?: and \w+)? by ((?:[A-Z][\w.'-]*|de|von|van|la)(?: (?:[A-Z][\w.'-]*|de|von|van|la))*)"
)
_YEAR = re.compile(r"\b\d{3,4}\b")
_VOLUME = re.compile(r"#(\d+)\)")


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a compressed file: one block of bytes, and where each line ends."""

    path: Path
    block: bytes
    ends: array[int]

    def read(self, position: int) -> dict[str, Any]:
        """Return the object in a line."""
        start = self.ends[position - 1] + 1 if position else 0
        try:
            entry = json.loads(self.block[start : self.ends[position]])
        except ValueError as error:
            raise UnreadableData(f"{self.path}: line {position + 1} is not JSON: {error}") from error
        if not isinstance(entry, dict):
            raise UnreadableData(f"{self.path}: line {position + 1} is not a JSON object")
        return entry


@cache
def _lines_of(path: Path) -> _Lines:
    try:
        with gzip.open(path) as file:
            block = file.read()
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableData(f"{path}: cannot be read as gzip: {error}") from error
    if not block.strip():
        raise UnreadableData(f"{path}: is empty")
    if not block.endswith(b"\n"):
        block += b"\n"
    ends = array("I", (found.start() for found in re.finditer(b"\n", block)))
    return _Lines(path, block, ends)


@cache
def _file_source(topic_name: str, data: Path) -> Source:
    path = data / _FILES[topic_name]
    if not path.is_file():
        raise UnreadableData(
            f"{path}: missing; the folder given for real data should hold {_FILES[topic_name]}"
        )
    lines = _lines_of(path)
    write = {"books": _book, "films": _film, "art": _artwork}[topic_name]

    def read(position: int) -> Draft:
        entry = lines.read(position)
        try:
            return write(entry)
        except KeyError as error:
            raise UnreadableData(f"{path}: line {position + 1} has no {error}") from error

    read(0)
    return Listed(topic_from_files(topic_name), "en", len(lines.ends), read)


def _book(entry: dict[str, Any]) -> Draft:
    title = entry["title"]
    code = entry["language"]
    language = _english_language(_BOOK_LANGUAGES.get(code, code.partition("-")[0]))
    year = entry["year"] if entry["year"].isdigit() else ""
    kind = list_values("books.kind", "en")[_kind_of_book(title)]
    sentences = [f"{title} was written by {entry['authors']}."]
    if year:
        sentences.append(f"It was first published in {year}.")
    sentences.append(f"Readers give it {entry['rating']} of 5 points on average.")
    return _true_draft(title, [entry["authors"], year, language, kind, entry["isbn"]], sentences)


def _kind_of_book(title: str) -> int:
    if "Boxed Set" in title or "Box Set" in title or "Complete" in title or "Collection" in title:
        return 3
    if volume := _VOLUME.search(title):
        return 1 if volume[1] == "1" else 2
    return 0


@cache
def _english_language(code: str) -> str:
    return str(Locale.parse("en").languages.get(code, "")) if code else ""


def _film(entry: dict[str, Any]) -> Draft:
    kind = next((at for genre, at in _KINDS_OF_FILM.items() if genre in entry["genres"]), 0)
    genre = next((genre for genre in entry["genres"] if genre not in _KINDS_OF_FILM), "")
    cast = ", ".join(entry["cast"])
    directed = _DIRECTED.search(entry["summary"])
    values = [cast, directed[1].rstrip(".") if directed else "", str(entry["year"]), genre]
    text = entry["summary"] or f"{entry['title']} is a film of {entry['year']}."
    return _true_draft(entry["title"], [*values, list_values("films.kind", "en")[kind]], [text])


def _artwork(entry: dict[str, Any]) -> Draft:
    year = _YEAR.search(str(entry["year"] or ""))
    medium = _one_line(entry["medium"])
    credit = _one_line(entry["credit"])
    values = [
        entry["artist"], year[0] if year else "", entry["classification"] or "", _technique(medium), medium, credit,
        entry["id"],
    ]  # fmt: skip
    subjects = ", ".join(entry["subjects"])
    sentences = [f"{medium or 'A work'} by {entry['artist']}."]
    sentences += [f"It shows: {subjects}."] if subjects else []
    return _true_draft(entry["title"], values, [*sentences, f"{credit}."] if credit else sentences)


def _technique(medium: str) -> str:
    """Return the technique that is named first."""
    if named := _TECHNIQUE.search(medium.lower()):
        return named[1]
    return "other" if medium else ""


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())
