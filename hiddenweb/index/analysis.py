"""From text to terms: what is a word, and when are two words the same.

A text is divided into words of letters, digits and the marks that belong to them. A word loses its case and accents and is then
stemmed by the rules of the document's language; common words are left out. Accents are removed before stemming: on the vocabulary of our test
web a query typed without accents missed up to 30 % of the accented words if stemming came first (Polish; Spanish 20 %),
and none in this order, while at most 2.5 % of the stems have two forms (Polish; none in German, Russian and English).

Documents of several languages share an index. A term names its language, "cast:en". Since a query has no language, each of its
words stands for its stems in all languages of the index: a document is found only by the rules of its own language.
Without the language, "career" would find "car" in English texts, since that is its stem in Spanish: three times as many
documents on our test web. "die" is left out of German documents, and finds English ones.

Scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are divided into cells, a letter with its vowels and
marks, and every two neighbours are a term. The last cell of a run is a term too, so a single cell is found by
all terms that begin with it. A longer word is searched by its pairs, and then in the text.

Attributes of a document are fields: a term of a value has the name of its attribute before it, "author=smith:en". Names are compared
without case, accents and everything that is no letter or digit, so `Date of birth` equals `date_of_birth` and `dateOfBirth`. In the short values every word
counts, so common words stay: `author:who` finds The Who.

Everything about a word is computed once and cached: each word of a text costs one dictionary lookup.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from whoosh.lang.stopwords import stoplists

from hiddenweb.language.folding import fold_word
from hiddenweb.language.stems import index_stemmer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_LETTERS = 64
"""The most letters of a word: longer ones are cut, as they are no real words. A limit of taste."""

NAME_END = "="
"""The separator between the name of an attribute and a word of its value in a term. It occurs in neither."""

TITLE_WEIGHT = 3
"""How many times a word of the title counts. A limit of taste."""

_MAX_CACHED = 200_000  # words whose stems are cached; a limit of taste

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d\u0d81-\u0d83\u0dca-\u0ddf\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0"
_SPACED = rf"[^\W_{_UNSPACED}]+(?:[{_MARKS}]+[^\W_{_UNSPACED}]*)*"
_RUN = rf"[{_UNSPACED}]+"
_plain_words = re.compile("[a-z0-9]+").findall
_spaced_words = re.compile(_SPACED).findall
_runs = re.compile(_RUN).findall
_pieces = re.compile(f"({_RUN})|{_SPACED}").finditer
_has_run = re.compile(f"[{_UNSPACED}]").search
# A Thai or Lao vowel that is written before its letter, the letter, and what is written around or after it.
_CELL = (
    "[\u0e40-\u0e44\u0ec0-\u0ec4]?"
    "[^\u0e2f-\u0e3a\u0e40-\u0e44\u0e45-\u0e4f\u0eaf-\u0ec4\u0ec6-\u0ece\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u3099\u309a]"
    "[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u3099\u309a]*|."
)
_cells = re.compile(_CELL, re.DOTALL).findall


def count_weighted_terms(title: str, text: str, language: str) -> Counter[bytes]:
    """Return the terms of a document with their weighted counts."""
    counts = _count_terms(text, language)
    for term, count in _count_terms(title, language).items():
        counts[term] += TITLE_WEIGHT * count
    return counts


def add_attributes(
    terms: dict[bytes, int], attributes: Iterable[tuple[str, str]], language: str
) -> set[bytes]:
    """Return the terms of attributes as fields, and add their words to the terms of a document if it lacks them."""
    fields: set[bytes] = set()
    for name, value in attributes:
        for term, count in _count_terms(value, language).items():
            terms.setdefault(term, count)
        if plain := attribute_name(name):
            before = f"{plain}{NAME_END}".encode()
            fields.update(before + term for term in _terms_with_common(value, language))
    return fields


@lru_cache(10_000)
def attribute_name(name: str) -> str:
    """Return the normalised name of an attribute; empty if it has no letter or digit.

    >>> attribute_name("Date of birth"), attribute_name("date_of-Birth"), attribute_name("Größe (cm)"), attribute_name("№:")
    ('dateofbirth', 'dateofbirth', 'grossecm', '')
    """
    return fold_word("".join(piece for _, piece, _ in pieces(name.lower())))[:MOST_LETTERS]


def alternatives(word: str, languages: Iterable[str], *, common: bool = False) -> list[str]:
    """Return the terms for a word of a query in a script with spaces; common words only where they are indexed.

    >>> alternatives("Casting", ["en", "de", "th"])
    ['cast:en', 'casting:de', 'casting:th']
    >>> alternatives("die", ["de"]), alternatives("die", ["de"], common=True)
    ([], ['die:de'])
    """
    lowered, cache_of = word.lower(), stems_of if common else terms_of
    return sorted({cache_of(language)[lowered].decode() for language in languages} - {""})


def spread(text: str, language: str) -> str:
    """Return the normalised words of a text with a space around each, so that a phrase is a substring.

    >>> spread("Wax-casting", "en") in spread("The lost wax castings", "en")
    True
    """
    stems = stems_of(language)
    words: list[str] = []
    for piece in _pieces(text):
        if piece[1]:
            words += _cells(piece[1].lower())
        else:
            words.append(stems[piece[0].lower()].decode())
    return f" {' '.join(words)} "


def pieces(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the words and unspaced runs of a text in order: start, text, and whether it is a run."""
    for piece in _pieces(text):
        yield piece.start(), piece[0], bool(piece[1])


def cells(run: str) -> list[str]:
    """Return the cells of an unspaced run.

    >>> cells("北京"), cells("เครื่อง")
    (['北', '京'], ['เค', 'รื่', 'อ', 'ง'])
    """
    return _cells(run)


@cache
def terms_of(language: str) -> TermCache:
    """Return the terms of a language, without its common words."""
    return TermCache(language, common=stoplists.get(language, frozenset()))


@cache
def stems_of(language: str) -> TermCache:
    """Return the terms of a language, with its common words."""
    return TermCache(language, common=frozenset())


class TermCache(dict[str, bytes]):
    """The term of every lower-case word of a language, computed at its first use; empty for common words."""

    __slots__ = ("_common", "_stem", "_suffix")

    def __init__(self, language: str, common: Iterable[str]) -> None:
        super().__init__()
        self._stem = index_stemmer(language)
        self._suffix = f":{language}"
        self._common = frozenset(fold_word(word) for word in common)

    def __missing__(self, word: str) -> bytes:
        if len(self) >= _MAX_CACHED:
            self.clear()
        plain = fold_word(word)
        stem = "" if plain in self._common else self._stem(plain)[:MOST_LETTERS]
        term = self[word] = f"{stem}{self._suffix}".encode("utf-8", "replace") if stem else b""
        return term


def _count_terms(text: str, language: str) -> Counter[bytes]:
    lowered = text.lower()
    if lowered.isascii():
        counts = Counter(map(terms_of(language).__getitem__, _plain_words(lowered)))
    else:
        counts = Counter(map(terms_of(language).__getitem__, _spaced_words(lowered)))
        if _has_run(lowered):
            counts.update(_pairs(lowered))
    del counts[b""]
    return counts


def _terms_with_common(text: str, language: str) -> set[bytes]:
    lowered = text.lower()
    terms = set(map(stems_of(language).__getitem__, _spaced_words(lowered)))
    if _has_run(lowered):
        terms.update(_pairs(lowered))
    return terms - {b""}


def _pairs(text: str) -> Iterator[bytes]:
    for run in _runs(text):
        units = _cells(run)
        for first, second in pairwise(units):
            yield (first + second).encode()
        yield units[-1].encode()
