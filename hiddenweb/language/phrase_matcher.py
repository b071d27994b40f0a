"""Finding the first of many words and phrases in a text, and their purposes.

The patterns come from the lexicon (`hiddenweb.language.lexicon` explains how they are written) and are compared folded: lower case, no
accents, `ß` as `ss`, `ı` as `i`, no soft hyphens, `查 询` as `查询`. Words are looked up, not searched for: a text costs a few dictionary
look-ups a word, however many patterns there are. The tables are built at the first use.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

from hiddenweb.language import lexicon
from hiddenweb.language.folding import fold
from hiddenweb.language.tokens import UNSPACED_CHARACTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Pattern = tuple[tuple[str, ...], str]
    """The words that have to follow the first one, and the purpose."""

_T = TypeVar("_T")

_LETTERS = "(?:[^\\W_]|[\u0900-\u0963\u0966-\u0dff])+"  # in Indian scripts with vowel signs
_TOKEN = re.compile(rf"{_LETTERS}|\|")
_PATTERN = re.compile(rf"{_LETTERS}\*?")
_ARTICLE = re.compile("(?:[وفبلك]?ال|لل|[وفبلك])(?=\\w{2})")  # that Arabic joins to the next word
_OWNER = re.compile("(?<=\\w{3})(?:كم|ها|هم|نا|[كهي])$")  # that Arabic joins to the word before
_MOST_ARTICLES = 2  # that Arabic writes before one word: "and the ..."
_MOST_TOKENS = 16_384  # whose patterns are cached, a limit of taste


class PhraseMatcher:
    """Patterns of several purposes, and a quick way to find the first of them in a text."""

    def __init__(self, purposes: Mapping[str, str]) -> None:
        self._read: Callable[[], Iterable[tuple[str, str]]] = lambda: (
            (purpose, pattern) for purpose, patterns in purposes.items() for pattern in patterns.split()
        )
        self._parts: tuple[PhraseMatcher, ...] = ()  # whose patterns it has, if it combines others

    @classmethod
    def from_lexicon(cls, table: str, *, well_known: bool | None = None) -> PhraseMatcher:
        """Return a matcher for the purposes of a table of the lexicon, or for one key.

        It has the words of all languages, or only of the well-known ones, or only of the others.
        """
        matcher = cls({})
        matcher._read = lambda: _read_lexicon(table, well_known)
        return matcher

    @classmethod
    def combine(cls, *matchers: PhraseMatcher) -> PhraseMatcher:
        """Return a matcher with the patterns of several; a pattern that several have keeps all its purposes."""
        combined = cls({})
        combined._parts = matchers
        return combined

    def find(self, text: str) -> tuple[str, str] | None:
        """Return the purpose of the first pattern found in a text, and the words that matched; `|` ends a phrase."""
        text = fold(text)
        if UNSPACED_CHARACTER.search(text) and (found := self._unspaced_pattern.search(text)):
            return self._unspaced[found[0]][0], found[0]
        tokens = _TOKEN.findall(text)
        for at, token in enumerate(tokens):
            for rest, purpose in self._patterns_at(token):
                if not rest or _follow(tokens, at + 1, rest):
                    return purpose, " ".join(tokens[at : at + 1 + len(rest)])
        return None

    def find_longest(self, text: str) -> str:
        """Return the longest match of a pattern in a text, the first of equals, or "": "los geht's", not "los"."""
        tokens = _TOKEN.findall(fold(text))
        matches = (
            " ".join(tokens[at : at + 1 + len(rest)])
            for at, token in enumerate(tokens)
            for rest, _ in self._patterns_at(token)
            if not rest or _follow(tokens, at + 1, rest)
        )
        return max(matches, key=len, default="") or self.find_words(text)

    def find_words(self, text: str) -> str:
        """Return the first words of a text that match a pattern, or ""."""
        found = self.find(text)
        return found[1] if found else ""

    def find_all(self, text: str) -> dict[str, str]:
        """Return every purpose that a text names, in their order, with the first words that matched."""
        text = fold(text)
        named: dict[str, str] = {}
        if UNSPACED_CHARACTER.search(text):
            for found in self._unspaced_pattern.finditer(text):
                for purpose in self._unspaced[found[0]]:
                    named.setdefault(purpose, found[0])
        tokens = _TOKEN.findall(text)
        for at, token in enumerate(tokens):
            for rest, purpose in self._patterns_at(token):
                if purpose not in named and (not rest or _follow(tokens, at + 1, rest)):
                    named[purpose] = " ".join(tokens[at : at + 1 + len(rest)])
        return named

    @cached_property
    def _tables(self) -> tuple[dict[str, list[Pattern]], dict[str, list[Pattern]], dict[str, list[str]]]:
        """Patterns by their first word, patterns by its beginning, and purposes by patterns in scripts without spaces."""
        words: dict[str, list[Pattern]] = {}
        beginnings: dict[str, list[Pattern]] = {}
        unspaced: dict[str, list[str]] = {}
        for part in self._parts:  # others use these, too: nothing is read twice
            _merge(words, part._tables[0])
            _merge(beginnings, part._tables[1])
            _merge(unspaced, part._tables[2])
        for purpose, written in self._read():
            pattern = fold(written)
            if not pattern.isascii() and UNSPACED_CHARACTER.search(pattern):
                unspaced.setdefault(pattern.removesuffix("*"), []).append(purpose)
                continue
            first, *rest = _PATTERN.findall(pattern)
            by_first = beginnings if first.endswith("*") else words
            by_first.setdefault(first.removesuffix("*"), []).append((tuple(rest), purpose))
        return words, beginnings, unspaced

    @property
    def _unspaced(self) -> dict[str, list[str]]:
        return self._tables[2]

    @cached_property
    def _unspaced_pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._unspaced, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    @cached_property
    def _patterns_at(self) -> Callable[[str], tuple[Pattern, ...]]:
        """Return a cached function for the patterns that may begin with a token: most tokens are repeated."""
        words, beginnings, _ = self._tables
        lengths = sorted({len(beginning) for beginning in beginnings})

        def find_patterns(token: str, articles: int = 0) -> Iterator[Pattern]:
            yield from words.get(token, ())
            for length in lengths:
                if length > len(token):
                    break
                yield from beginnings.get(token[:length], ())
            if token >= "\u0600" and articles < _MOST_ARTICLES:
                if article := _ARTICLE.match(token):
                    yield from find_patterns(token[article.end() :], articles + 1)
                if owner := _OWNER.search(token):
                    yield from words.get(token[: owner.start()], ())

        return lru_cache(maxsize=_MOST_TOKENS)(lambda token: tuple(find_patterns(token)))


def _read_lexicon(table: str, well_known: bool | None) -> Iterator[tuple[str, str]]:
    for name in lexicon.purposes(table):
        purpose = table if table.rpartition(".")[2] == name else f"{table}.{name}"
        for language, written in lexicon.read_purpose(purpose).items():
            if well_known is None or (language in lexicon.WELL_KNOWN) == well_known:
                yield from ((name, pattern) for pattern in lexicon.split_patterns(written))


def _merge(table: dict[str, list[_T]], more: Mapping[str, list[_T]]) -> None:
    for key, entries in more.items():
        table.setdefault(key, []).extend(entries)


def _follow(tokens: list[str], at: int, rest: tuple[str, ...]) -> bool:
    """Say whether the tokens at a place match the words of `rest`, or their beginnings."""
    if at + len(rest) > len(tokens):
        return False
    return all(
        token.startswith(pattern[:-1]) if pattern.endswith("*") else token == pattern
        for token, pattern in zip(tokens[at:], rest, strict=False)
    )
