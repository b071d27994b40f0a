"""Sites for the benchmark `surface`: real records behind a search that answers in memory, with all that makes it hard.

A site answers a question with pages of 20 records: those that hold all the words and have all the choices that were asked,
ordered by BM25 or by number, and no more of them than its cap. It says how many it found, or does not.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import time
import unicodedata
from array import array
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import snowballstemmer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from hiddenweb.querying.policies.protocol import QueryPolicy
    from hiddenweb.querying.query import QueryProposal

PAGE_SIZE = 20
K1, B = 1.2, 0.75

_WORD = re.compile(r"[^\W_]+")
_PORTER = snowballstemmer.stemmer("porter")


class Shown(NamedTuple):
    """A record as a site shows it, and the choices by which it is found."""

    text: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a site answers."""

    cap: int | None = None  # records that it shows of those found
    refuses_above: int | None = None  # records of which it shows none
    shortest: int = 1  # letters of a word that it searches for
    order: str = "bm25"  # or "number"
    says_total: bool = True
    stems: bool = False  # the forms of a word find the same


class Answered(NamedTuple):
    """All that a question brings: the numbers of records, page after page, and how many there are if the site says so."""

    records: Sequence[int]
    total: int | None
    found: int  # what the site knows and may not say


class Page(NamedTuple):
    """One page of an answer."""

    records: Sequence[tuple[int, Sequence[str]]]  # their numbers and words
    total: int | None
    has_next: bool


class Database:
    """Records, and which of them hold a word or have a choice."""

    def __init__(self, name: str, shown: Sequence[Shown], *, stems: bool = False) -> None:
        self.name = name
        self.shown = shown
        self.words = [tuple(dict.fromkeys(tokens(record.text))) for record in shown]
        self._searched = stem if stems else str  # what is looked for instead of a word
        self._forms = {self._searched(word): word for words in self.words for word in words}
        counted = [Counter(map(self._searched, tokens(record.text))) for record in shown]
        lengths = [sum(counts.values()) for counts in counted]
        mean = sum(lengths) / len(lengths)
        self._postings: dict[str, array[int]] = {}
        self._weights: dict[str, array[float]] = {}
        for number, counts in enumerate(counted):
            norm = K1 * (1 - B + B * lengths[number] / mean)
            for word, times in counts.items():
                self._postings.setdefault(word, array("I")).append(number)
                self._weights.setdefault(word, array("f")).append(times / (times + norm))
        self._choices: dict[tuple[str, str], frozenset[int]] = {}
        chosen: dict[tuple[str, str], set[int]] = {}
        for number, record in enumerate(shown):
            for pair in record.choices.items():
                chosen.setdefault(pair, set()).add(number)
        self._choices = {pair: frozenset(numbers) for pair, numbers in chosen.items()}

    def __len__(self) -> int:
        return len(self.shown)

    @property
    def vocabulary(self) -> Iterable[str]:
        """Return all words that find something, of those that find the same only one."""
        return self._forms.values()

    @property
    def choices(self) -> Iterable[tuple[str, str]]:
        """Return all choices that find something."""
        return self._choices.keys()

    def frequency(self, word: str) -> int:
        """Return how many records hold a word."""
        return len(self.numbers(word))

    def numbers(self, word: str) -> array[int]:
        """Return which records hold a word, in their order."""
        return self._postings.get(self._searched(word), array("I"))

    def find(self, words: Sequence[str], choices: Sequence[tuple[str, str]], order: str) -> list[int]:
        """Return which records hold all the words and have all the choices, the best or the first of them first."""
        if len(words) == 1 and not choices:
            return list(self._order(words[0], order))
        scores: dict[int, float] | None = None
        for word in sorted(words, key=self.frequency):
            weights = self._score(word)
            if scores is None:
                scores = dict(weights)
            else:
                scores = {at: score + weights[at] for at, score in scores.items() if at in weights}
        found: Iterable[int]
        if scores is None:
            found = range(len(self.shown)) if not choices else self._choices.get(choices[0], frozenset())
        else:
            found = scores
        for pair in choices:
            having = self._choices.get(pair, frozenset())
            found = [number for number in found if number in having]
        if order == "bm25" and scores is not None:
            return sorted(found, key=lambda number: (-scores[number], number))
        return sorted(found)

    @lru_cache(maxsize=20_000)  # noqa: B019  one database lives as long as its process
    def _order(self, word: str, order: str) -> array[int]:
        numbers = self.numbers(word)
        if order != "bm25":
            return numbers
        weights = self._weights.get(self._searched(word), array("f"))
        return array("I", (number for _, number in sorted(zip((-w for w in weights), numbers, strict=True))))

    @lru_cache(maxsize=500)  # noqa: B019
    def _score(self, word: str) -> dict[int, float]:
        idf = math.log(1 + (len(self) - self.frequency(word) + 0.5) / (self.frequency(word) + 0.5))
        weights = self._weights.get(self._searched(word), array("f"))
        return {number: idf * weight for number, weight in zip(self.numbers(word), weights, strict=True)}


class Site:
    """A database behind a search form."""

    def __init__(self, database: Database, manner: Manner) -> None:
        self.database = database
        self.manner = manner
        self.queries = 0
        self.pages = 0
        self.seconds = 0.0  # of CPU, for answering
        self._read: dict[object, int] = {}  # by question: pages
        self._latest: tuple[object, Answered] | None = None

    def turn(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Page:
        """Return the first page of an answer that was not read, and whether there is another."""
        started = time.process_time()
        question = (tuple(sorted(words)), tuple(sorted(choices)))
        at = self._read.get(question, 0)
        self._read[question] = at + 1
        self.pages += 1
        self.queries += not at
        if self._latest is None or self._latest[0] != question:
            self._latest = (question, self.ask(words, choices))
        records, total, _ = self._latest[1]
        page = records[at * PAGE_SIZE : (at + 1) * PAGE_SIZE]
        self.seconds += time.process_time() - started
        shown = [(number, self.database.words[number]) for number in page]
        return Page(shown, total, len(records) > (at + 1) * PAGE_SIZE)

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:
        """Return all that a question finds."""
        asked = [token for word in words for token in tokens(word) if len(token) >= self.manner.shortest]
        if words and not asked and not choices:
            return Answered((), 0 if self.manner.says_total else None, 0)
        found = self.database.find(asked, choices, self.manner.order)
        total = len(found) if self.manner.says_total else None
        if self.manner.refuses_above is not None and len(found) > self.manner.refuses_above:
            return Answered((), total, len(found))
        return Answered(found[: self.manner.cap], total, len(found))


def put(wanted: QueryProposal, policy: QueryPolicy, site: Site) -> int:
    """Ask what is wanted, and read its pages as long as the policy thinks they are worth it; return how many records were new."""
    policy.note_query(wanted.words, wanted.choices, continues=wanted.continues)
    new = 0
    while True:
        page = site.turn(wanted.words, wanted.choices)
        new += policy.read(page.records, page.total)
        if not page.has_next or not policy.is_worth_turning():
            policy.end_answer(had_more=page.has_next)
            return new


@lru_cache(maxsize=500_000)
def fold(word: str) -> str:
    """Return a word without case and accents."""
    word = word.casefold()
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@lru_cache(maxsize=500_000)
def stem(word: str) -> str:
    """Return what the forms of an English word have in common, by the first of the stemmers, which many searches use."""
    return str(_PORTER.stemWord(word))


def tokens(text: str) -> list[str]:
    """Return the words of a text as sites compare them."""
    return [fold(word) for word in _WORD.findall(text)]


def load(name: str, folder: Path, *, stems: bool = False) -> Database:
    """Read one of the real databases: movies, books or artworks."""
    return Database(name, read_database(name, folder), stems=stems)


def read_database(name: str, folder: Path) -> list[Shown]:
    """Read the records of one of the real databases as a site shows them."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [_SHOWN[name](json.loads(line)) for line in lines]


def _decade(year: object) -> str:
    digits = re.search(r"\d{4}", str(year or ""))
    return f"{digits[0][:3]}0s" if digits else ""


def _pick_options(**values: str) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def _movie(row: dict[str, object]) -> Shown:
    genres = [str(genre) for genre in row["genres"] or ()]  # type: ignore[attr-defined]
    cast = [str(name) for name in row["cast"] or ()]  # type: ignore[attr-defined]
    text = "\n".join(
        (str(row["title"]), str(row["year"]), ", ".join(cast), ", ".join(genres), str(row["summary"]))
    )
    return Shown(text, _pick_options(genre=genres[0] if genres else "", decade=_decade(row["year"])))


def _book(row: dict[str, object]) -> Shown:
    text = "\n".join(str(row[name] or "") for name in ("title", "authors", "year", "language", "isbn"))
    return Shown(text, _pick_options(language=str(row["language"] or ""), decade=_decade(row["year"])))


def _artwork(row: dict[str, object]) -> Shown:
    subjects = [str(subject) for subject in row["subjects"] or ()]  # type: ignore[attr-defined]
    names = ("title", "artist", "year", "medium", "classification", "credit")
    text = "\n".join((*(str(row[name] or "") for name in names), ", ".join(subjects)))
    return Shown(
        text, _pick_options(classification=str(row["classification"] or ""), decade=_decade(row["year"]))
    )


_SHOWN = {"movies": _movie, "books": _book, "artworks": _artwork}
