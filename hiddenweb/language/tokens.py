"""Words of a text, in scripts with spaces and without.

A word is a run of letters and digits with their marks, such as vowel signs and accents, in lower case. Scripts without spaces need
another unit: runs of Han and kana are cut into overlapping pairs of characters, runs of Thai, Lao, Khmer and Burmese into overlapping
triples. These work without a dictionary. A run of katakana is a word.

The search index cuts words in its own way (`hiddenweb.index.analysis`): it cuts between letters with their vowels and marks ("cells"), and
counts Hangul among the scripts without spaces. Its terms are on disk, so that it must not change.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})
"""Languages that write no spaces between words."""

_LETTERS = re.compile(r"[^\W\d_]+")
_LETTERS_AND_DIGITS = re.compile(r"\w+")


def letter_runs(text: str) -> list[str]:
    """Return the runs of letters in a text, mostly of names made for machines.

    >>> letter_runs("abebooks.co-2_uk")
    ['abebooks', 'co', 'uk']
    """
    return _LETTERS.findall(text)


def word_runs(text: str) -> list[str]:
    """Return the runs of letters, digits and underscores in a text: for comparing texts of one site in any language.

    >>> word_runs("Page 2 of snake_case")
    ['Page', '2', 'of', 'snake_case']
    """
    return _LETTERS_AND_DIGITS.findall(text)


def words(text: str, language: str = "") -> list[str]:
    """Return the terms of a text in their order, in lower case."""
    found: list[str] = _WORD.findall(text.lower())
    if language not in UNSPACED and not UNSPACED_CHARACTER.search(text):
        return found
    return list(chain.from_iterable(map(_pieces, found)))


def words_to_query(text: str, language: str = "") -> list[str]:
    """Return the terms of a text that can be queried: all but pieces that begin with a mark, which cannot be typed alone.

    >>> words_to_query("สิริ", "th")
    ['สิร']
    """
    return [word for word in words(text, language) if word[0] not in _MARKS]


def words_between_spaces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text between spaces, in lower case and as they are written.

    >>> list(words_between_spaces("Şişli 1984"))
    [('şişli', 'Şişli'), ('1984', '1984')]
    """
    for match in _WORD.finditer(text):
        yield match[0].lower(), match[0]


_MARKS = "".join(
    chr(code)
    for code in chain(range(0x300, 0x2000), range(0xA000, 0xAC00), range(0xFE20, 0xFE30))
    if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
"""Marks that join the letter before them, such as vowel signs, as Unicode's categories say."""


HAN = "\u3005\u3400-\u9fff\uf900-\ufaff"


HIRAGANA = "\u3041-\u309f"


KATAKANA = "\u30a0-\u30ff"


_TRIPLED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"


_WORD = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]+)*[{_MARKS}]*")


UNSPACED_CHARACTER = re.compile(f"[{HAN}{HIRAGANA}{KATAKANA}{_TRIPLED}]")
"""A character of a script without spaces."""


_PIECE = re.compile(
    f"([{HAN}{HIRAGANA}]+)|([{_TRIPLED}]+)|[{KATAKANA}]+|[^{HAN}{HIRAGANA}{KATAKANA}{_TRIPLED}]+"
)


def _pieces(word: str) -> Iterator[str]:
    for match in _PIECE.finditer(word):
        paired, tripled = match.groups()
        if paired:
            yield from _overlapping(paired, 2)
        elif tripled:
            yield from _overlapping(tripled, 3)
        else:
            yield match[0]


def _overlapping(run: str, length: int) -> Iterator[str]:
    for start in range(max(len(run) - length + 1, 1)):
        yield run[start : start + length]
