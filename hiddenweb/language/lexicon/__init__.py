"""The words people write on pages, as data: one file per language, `en.toml`, `de.toml`, `vi.toml` ...

To add a language, add a file (docs/languages.md); `hiddenweb.language.missing_keys` lists what a file lacks. Words that belong to no
single language, such as the names that programmers give to controls, are in `und.toml`, which is ISO 639's code for "undetermined".

A purpose is the path of a key: `buttons.go` is the key `go` in the table `[buttons]`. Its value has one of two notations.

**Phrases** are a text of patterns with spaces between them, for `PhraseMatcher`. They are compared folded (`folding.fold`):
write them with or without accents.

| pattern | finds |
|---|---|
| `search` | this word |
| `such*` | words with this beginning |
| `add_to` | several words in this order; any of them may end in `*` |
| `検索` | in scripts without spaces: this part of any text |

**Alternatives** are a list of regular expressions, if word order and endings matter (the `answers` and `times` tables). They are
searched for in any case of letters. Those of `buttons`, `grammar`, `deeds` and `identifier_parts` are compared with folded words: write
them without accents (a test checks it). In all others accents count. A list of single words is possible, too, if it is easier to read.

The order of languages is fixed, well-known ones first, and so is the order of the words of a language: if two patterns match at one
place, the first wins.
A language that lacks a key says why in its table `[missing]`, by key or by pattern (`"answers.*" = "..."`).
A language is named by the code that `guess_language` returns: Norwegian, Bokmål and Nynorsk are `no`.
Everything is read at the first use of any purpose; what one language says (`read_in_language`) needs its own file only.
"""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from hiddenweb.language.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

WELL_KNOWN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ru", "ar", "zh", "ja", "th")
"""The languages whose words were collected for every purpose; other languages have only some."""

LITTLE_KNOWN_ONLY = ("boxes.things", "purposes.little_known.*")
"""Purposes for which the well-known languages need no words, since they are read in another way. The others have `purposes.little_known` for
`purposes.plain` and `purposes.other`."""

ANY_LANGUAGE = "und"
MISSING = "missing"
_OTHER_CODES = {"nb": "no", "nn": "no"}


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages that have a file: the well-known ones, the others sorted, and at last that of any language."""
    codes = {
        entry.name.removesuffix(".toml") for entry in _folder().iterdir() if entry.name.endswith(".toml")
    }
    further = sorted(codes - {*WELL_KNOWN, ANY_LANGUAGE})
    return (*WELL_KNOWN, *further, ANY_LANGUAGE)


@cache
def read_language(language: str) -> Mapping[str, str | list[str]]:
    """Return the patterns in a language's file, by purpose."""
    table = _read_file(language)
    table.pop(MISSING, None)
    return dict(_flatten(table))


def read_reasons(language: str) -> Mapping[str, str]:
    """Return the keys and patterns of keys that a language lacks, and why."""
    return dict(_read_file(language).get(MISSING, {}))


def read_in_language(purpose: str, language: str) -> str | list[str]:
    """Return what one language writes for a purpose, or nothing; the files of others are not read.

    >>> read_in_language("writing.decimal_mark", "de"), read_in_language("writing.decimal_mark", "nb")
    (',', ',')
    """
    code = _OTHER_CODES.get(language, language)
    return read_language(code).get(purpose, "") if code in languages() else ""


def read_purpose(purpose: str) -> dict[str, str | list[str]]:
    """Return the patterns for a purpose, by language in their order."""
    return {code: written[purpose] for code in languages() if purpose in (written := read_language(code))}


@cache
def phrases(purpose: str) -> tuple[str, ...]:
    """Return the patterns of all languages for a purpose, as they are written."""
    return tuple(pattern for written in read_purpose(purpose).values() for pattern in split_patterns(written))


@cache
def words(purpose: str) -> frozenset[str]:
    """Return the words of all languages for a purpose, as they are written."""
    return frozenset(phrases(purpose))


@cache
def fold_phrases(purpose: str) -> frozenset[str]:
    """Return the words of all languages for a purpose, folded."""
    return frozenset(map(fold, phrases(purpose)))


@cache
def alternatives(purpose: str) -> str:
    """Return a regular expression for a purpose in any language, without a group around it."""
    return "|".join(phrases(purpose))


@cache
def search_pattern(purpose: str) -> re.Pattern[str]:
    """Return the compiled alternatives of all languages for a purpose, for texts in any case."""
    return re.compile(alternatives(purpose), re.IGNORECASE)


@cache
def purposes(table: str) -> tuple[str, ...]:
    """Return the names of the keys of a table, in the order of the first language that has them; or the name of a single key.

    >>> purposes("buttons.go")
    ('go',)
    """
    names: dict[str, None] = {}
    for code in languages():
        for purpose in read_language(code):
            if purpose == table:
                return (table.rpartition(".")[2],)
            if purpose.startswith(f"{table}."):
                names[purpose.removeprefix(f"{table}.")] = None
    return tuple(names)


def split_patterns(written: str | list[str]) -> list[str]:
    """Return the patterns or alternatives of a purpose in one language."""
    return written.split() if isinstance(written, str) else written


def is_little_known_only(purpose: str) -> bool:
    """Say whether only the languages beyond the well-known ones have words for a purpose."""
    return any(fnmatchcase(purpose, pattern) for pattern in LITTLE_KNOWN_ONLY)


def _folder() -> Traversable:
    return files(__name__)


def _read_file(language: str) -> dict[str, Any]:
    return tomllib.loads((_folder() / f"{language}.toml").read_text(encoding="utf-8"))


def _flatten(table: Mapping[str, object], path: str = "") -> Iterator[tuple[str, str | list[str]]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{path}{key}.")
        elif isinstance(value, (str, list)):
            yield path + key, value
