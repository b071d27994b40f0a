"""Stems: what a word has in common with its other forms."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Protocol

import snowballstemmer

if TYPE_CHECKING:
    from collections.abc import Callable


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return the stem of a word; the word itself if there are no rules for its language."""
    stemmer = _stemmer(language)
    return stemmer.stemWord(word) if stemmer is not None else word


_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Snowball's name of the rules of each language."""

_ONLY_INDEXED = frozenset({"nb", "ne", "nn", "sr", "yi"})
"""Languages that are stemmed in the index only: what was learnt from their unstemmed words is on disk, and must not change."""

_NOT_INDEXED = frozenset({"eo"})
"""Languages that are stemmed everywhere but in the index, whose unstemmed terms are on disk."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


@cache
def _stemmer(language: str) -> _Stemmer | None:
    algorithm = _STEMMERS.get(language) if language not in _ONLY_INDEXED else None
    if algorithm not in snowballstemmer.algorithms():
        return None
    stemmer: _Stemmer = snowballstemmer.stemmer(algorithm)
    return stemmer


def index_stemmer(language: str) -> Callable[[str], str]:
    """Return a function that stems the words of a language for the search index; without rules it changes nothing."""
    if language not in _STEMMERS or language in _NOT_INDEXED:
        return str
    stem_word: Callable[[str], str] = snowballstemmer.stemmer(_STEMMERS[language]).stemWord
    return stem_word
