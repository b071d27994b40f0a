"""What a site's search means: which records answer a query, stated plainly and slowly.

Real sites differ in all of this: whether all words must match or any, whole words or parts of them, stems,
accents, stop words, short words. `Behaviour` names the differences, `matches` decides one record by them. The
databases answer through SQLite's full-text index; the tests hold the two against each other, so that what the
truth predicts is not what the server happens to do.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import snowballstemmer
from stopwordsiso import stopwords

if TYPE_CHECKING:
    from collections.abc import Iterable

    from simweb.catalogue import Record
    from simweb.topics import Topic

Matching = Literal["all", "any", "prefix", "substring", "phrase"]
EmptyQuery = Literal["everything", "error", "form"]
Order = Literal["relevance", "number", "title", "newest"]
Total = Literal["found", "capped", "more_than"]

STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
    "tr": "turkish", "ru": "russian", "ar": "arabic",
}  # fmt: skip
UNSPACED = frozenset({"zh", "ja", "th"})

_ACCENTS = re.compile("[\u0300-\u036f]+")  # vowel signs of Thai or Arabic are no accents
_WORD = re.compile(r"[\w\u0300-\u036f\u064b-\u065f\u0e31-\u0e4e]+")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How one site searches."""

    matching: Matching = "all"
    language: str = "en"
    stems: bool = False
    folds_case: bool = True
    folds_accents: bool = True
    drops_stop_words: bool = False
    shortest_word: int = 1
    empty: EmptyQuery = "error"
    order: Order = "relevance"
    cap: int | None = None
    too_many: int | None = None
    page_size: int = 20
    shows_total: bool = True
    redirects_exact: bool = False
    suggests: bool = False
    titles_only: bool = False  # records show more than can be found
    total: Total = (
        "found"  # what a total counts where a cap hides records: all, those to be had, or more than those
    )
    wildcard: str = ""  # what lists everything when it is asked
    stop_words_find_all: bool = False  # asked alone, once they are dropped


@dataclass(frozen=True, slots=True)
class Query:
    """What a visitor asked, in the site's own terms rather than in parameters of a URL."""

    words: str = ""
    matching: Matching | None = None
    contains: tuple[tuple[str, str], ...] = ()
    equals: tuple[tuple[str, tuple[str, ...]], ...] = ()
    at_least: tuple[tuple[str, str], ...] = ()
    at_most: tuple[tuple[str, str], ...] = ()
    order: Order | None = None

    @property
    def is_empty(self) -> bool:
        """Say whether nothing at all was asked."""
        return not (self.words.strip() or self.contains or self.equals or self.at_least or self.at_most)


def fold(text: str, behaviour: Behaviour) -> str:
    """Return the text as the site compares it: case and accents gone where it ignores them."""
    text = unicodedata.normalize("NFKC", text)
    if behaviour.folds_case:
        text = text.casefold()
    if behaviour.folds_accents and not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return text


def tokens(text: str, behaviour: Behaviour) -> list[str]:
    """Split a record's text into what its index holds: words, stems, or single characters of unspaced scripts."""
    words = _WORD.findall(fold(text, behaviour))
    if behaviour.language in UNSPACED:
        return [token for word in words for token in _characters(word)]
    if behaviour.stems and behaviour.language in STEMMERS:
        return list(_stems(behaviour.language, tuple(words)))
    return words


def query_tokens(words: str, behaviour: Behaviour) -> list[list[str]]:
    """Split a query into what must be found: a list of tokens for each word, stop words and short words left out."""
    parts = _WORD.findall(fold(words, behaviour))
    kept = [
        word
        for word in parts
        if len(word) >= behaviour.shortest_word
        and not (behaviour.drops_stop_words and is_stop_word(word, behaviour))
    ]
    return [tokens(word, behaviour) for word in kept]


def is_stop_word(word: str, behaviour: Behaviour) -> bool:
    """Say whether the site ignores the word."""
    return word in _fold_stop_words(behaviour.language, behaviour.folds_accents)


def asks_everything(words: str, behaviour: Behaviour) -> bool:
    """Say whether something was typed that the site takes for no condition at all: its wildcard, or stop words alone."""
    if behaviour.wildcard and words.strip() == behaviour.wildcard:
        return True
    parts = _WORD.findall(fold(words, behaviour))
    return (
        behaviour.stop_words_find_all and bool(parts) and all(is_stop_word(part, behaviour) for part in parts)
    )


def is_too_short(words: str, behaviour: Behaviour) -> bool:
    """Say whether something was typed and nothing of it is long enough to be searched."""
    if asks_everything(words, behaviour):
        return False
    return bool(words.strip()) and not any(
        len(word) >= behaviour.shortest_word for word in _WORD.findall(fold(words, behaviour))
    )


def matches(record: Record, topic: Topic, query: Query, behaviour: Behaviour) -> bool:
    """Decide one record by reading it: the slow, plain meaning of a search."""
    if query.words.strip() and not _has_words(
        searchable_text(record, topic, behaviour), query.words, query.matching, behaviour
    ):
        return False
    for name, words in query.contains:
        if not _has_words(topic.value(record, name), words, "all", behaviour):
            return False
    return (
        all(topic.value(record, name) in allowed for name, allowed in query.equals)
        and all(comparable(topic.value(record, n)) >= comparable(v) for n, v in query.at_least)
        and all(0 <= comparable(topic.value(record, n)) <= comparable(v)
                for n, v in query.at_most)
    )  # fmt: skip


def searchable_text(record: Record, topic: Topic, behaviour: Behaviour | None = None) -> str:
    """Return all text of a record that a keyword can find: not its prices, sizes and dates, which all look alike; or its title alone."""
    if behaviour is not None and behaviour.titles_only:
        return record.title
    values = [
        re.sub(r"\W", "", value) if attribute.kind == "code" else value
        for attribute, value in zip(topic.attributes, record.values, strict=True)
        if attribute.kind not in ("number", "date")
    ]
    return "\n".join((record.title, *values, record.text))


def comparable(value: str) -> float:
    """Return a number or a date as something that can be compared; 20240131 for 2024-01-31, -1 for nothing.

    >>> comparable("1,250.50 EUR"), comparable("2024-01-31"), comparable("")
    (1250.5, 20240131.0, -1.0)
    """
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return float(value.replace("-", ""))
    number = re.search(r"\d[\d,]*(?:\.\d+)?", value)
    return float(number[0].replace(",", "")) if number else -1.0


def _has_words(text: str, words: str, matching: Matching | None, behaviour: Behaviour) -> bool:
    if asks_everything(words, behaviour):
        return True
    how = matching or behaviour.matching
    if how == "substring":
        return fold(" ".join(words.split()), behaviour) in fold(text, behaviour)
    asked = query_tokens(words, behaviour)
    if not asked:
        return False
    held = tokens(text, behaviour)
    if how == "phrase":
        return _follows(held, [token for word in asked for token in word])
    if how == "prefix":
        return all(_begins(held, word) for word in asked)
    found = (_follows(held, word) for word in asked)
    return any(found) if how == "any" else all(found)


def _follows(held: list[str], wanted: list[str]) -> bool:
    if len(wanted) == 1:
        return wanted[0] in held
    return any(held[at : at + len(wanted)] == wanted for at in range(len(held) - len(wanted) + 1))


def _begins(held: list[str], wanted: list[str]) -> bool:
    if len(wanted) > 1:
        return _follows(held, wanted)
    return any(token.startswith(wanted[0]) for token in held)


def _characters(word: str) -> Iterable[str]:
    """Single characters of Han, kana and Thai; Latin words and numbers among them stay whole."""
    return re.findall(
        r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+",
        word,
    )


@lru_cache(maxsize=200_000)
def _stem(language: str, word: str) -> str:
    return str(_stemmer(language).stemWord(word))


def _stems(language: str, words: tuple[str, ...]) -> Iterable[str]:
    return (_stem(language, word) for word in words)


@lru_cache(maxsize=16)
def _stemmer(language: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(STEMMERS[language])


@lru_cache(maxsize=32)
def _fold_stop_words(language: str, folds_accents: bool) -> frozenset[str]:
    behaviour = Behaviour(language=language, folds_accents=folds_accents)
    return frozenset(fold(word, behaviour) for word in stopwords(language))
