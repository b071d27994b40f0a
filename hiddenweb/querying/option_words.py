"""Which choice a record would have, by its words.

Records that were found by a choice have it. Of the others nobody says so, but most sites show what they let people choose by: the
year, the genre, the place. So we learn from the records that were found by a choice which words go with it, and take
such a word elsewhere for the choice: the most telling one decides, if nine in ten of the records that hold it have one choice. A word that a
choice itself is called by is believed from the beginning, and so are the years of a decade. Where words do not tell, nothing is said.
"""

from __future__ import annotations

import re
from collections import Counter
from heapq import nlargest
from typing import TYPE_CHECKING

from hiddenweb.language.tokens import words as words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

SURE = 0.9
"""The share of the records with a word that must have an option, for the word to stand for it; a limit of taste."""

_FEWEST = 3
"""Records that must hold a word before it stands for an option; a limit of taste."""

_BELIEVED = 20
"""Records that the name of an option counts for; a limit of taste."""

_MOST_WORDS = 200_000
"""Words that are counted for a control; a limit of taste, it bounds memory."""

_KEPT_OF_A_CHOICE = 12
"""Words that are written down for an option; a limit of taste, it bounds the stored state."""

_KEPT = 600
"""Words that are written down for a control; a limit of taste, it bounds the stored state."""

_LATEST = 0.98
"""The share of its weight that a record keeps when the next one comes; a limit of taste, half is gone after 34 records."""

_DECADE = re.compile(r"([12]\d\d)0['’]?s")
_YEARS = re.compile(r"([12]\d{3})\s*(?:[-–—~/]|\.\.|\bto\b)\s*([12]\d{3})")

_MOST_YEARS = 100
"""Years of a span whose single years are words for it; a limit of taste."""

_GROWN = 1.2
"""The factor by which the records must have grown before the words to write down are chosen again; a limit of taste, it spares work."""

_NOTHING = ("", 0, 0)


class OptionWords:
    """What words tell about the choices of one control."""

    def __init__(self, texts: Mapping[str, str], language: str = "") -> None:
        """Begin with the values of the choices and what people read at them."""
        self._counts: dict[str, Counter[str]] = {}
        self._leading: dict[
            str, tuple[str, int, int]
        ] = {}  # by word: the choice of most records, how many, of how many
        self._learnt = 1  # records
        self._written_at = 0  # of them
        self._written: list[tuple[str, str, int, int]] = []
        self._told = 0.0  # the share of records whose words tell, the latest count most
        self._right = 0.0  # the same, of those whose choice is known: whose words tell that one
        names = {value: names_in(text, language) for value, text in texts.items()}
        said = Counter(word for text in texts.values() for word in set(words_of(text, language)))
        self._names = {word: value for value, of in names.items() for word in of if said[word] <= 1}
        for word, value in self._names.items():
            self._counts[word] = Counter({value: _BELIEVED})
            self._leading[word] = (value, _BELIEVED, _BELIEVED)

    @property
    def named(self) -> list[str]:
        """Return the choices that are called by a word of their own."""
        return list(dict.fromkeys(self._names.values()))

    @property
    def tells(self) -> float:
        """Return the share of the last records whose words told their choice."""
        return self._told

    @property
    def right(self) -> float:
        """Return the share of the last records found by a choice whose words told that choice."""
        return self._right

    def learn(self, words: Collection[str], value: str) -> None:
        """Learn from a record that was found by a choice."""
        self._learnt += 1
        self._right = _LATEST * self._right + (1 - _LATEST) * (self._told_by(words) == value)
        for word in words:
            counts = self._counts.get(word)
            if counts is None:
                if len(self._counts) >= _MOST_WORDS:
                    continue
                counts = self._counts[word] = Counter()
            counts[value] += 1
            leading, having, records = self._leading.get(word, (value, 0, 0))
            if counts[value] > having:
                leading, having = value, counts[value]
            self._leading[word] = (leading, having, records + 1)

    def find_named(self, words: Iterable[str]) -> list[str]:
        """Return the choices whose names are among the words of a record."""
        return list(dict.fromkeys(self._names[word] for word in words if word in self._names))

    def guess(self, words: Collection[str]) -> str | None:
        """Return the choice that the words of a record tell, if they do."""
        best = self._told_by(words)
        self._told = _LATEST * self._told + (1 - _LATEST) * (best is not None)
        return best

    def _told_by(self, words: Collection[str]) -> str | None:
        best, best_share = None, SURE
        for word in words:
            value, having, records = self._leading.get(word, _NOTHING)
            if records >= _FEWEST and (share := having / (records + 1)) > best_share:
                best, best_share = value, share
        return best

    def to_json(self) -> list[object]:
        """Return the most telling words."""
        if self._learnt >= self._written_at * _GROWN:
            self._written = nlargest(_KEPT, self._telling(), key=lambda each: each[2])
            self._written_at = self._learnt
        return [self._told, self._right, [list(telling) for telling in self._written]]

    def restore(self, written: Sequence[object]) -> None:
        """Go on from what was written down."""
        told, right, telling = written
        assert isinstance(told, float)
        assert isinstance(right, float)
        assert isinstance(telling, list)
        self._told, self._right = told, right
        for word, value, having, records in telling:
            self._counts[word] = Counter({value: having})
            if records > having:
                self._counts[word][""] = records - having
            self._leading[word] = (value, having, records)

    def _telling(self) -> Iterator[tuple[str, str, int, int]]:
        by_value: dict[str, list[tuple[str, str, int, int]]] = {}
        for word, (value, having, records) in self._leading.items():
            if records >= _FEWEST and having / (records + 1) > SURE and value:
                by_value.setdefault(value, []).append((word, value, having, records))
        for telling in by_value.values():
            yield from nlargest(_KEPT_OF_A_CHOICE, telling, key=lambda each: each[2])


def names_in(text: str, language: str = "") -> list[str]:
    """Return the words that stand for a choice with this text: its only word, or the years that it spans.

    >>> names_in("Drama"), names_in("Science fiction"), names_in("1998 - 2001"), names_in("1920s")[:3]
    (['drama'], [], ['1998', '1999', '2000', '2001'], ['1920', '1921', '1922'])
    """
    if decade := _DECADE.fullmatch(text.strip()):
        return [f"{decade[1]}{year}" for year in range(10)]
    if (span := _YEARS.fullmatch(text.strip())) and int(span[1]) <= int(span[2]) <= int(
        span[1]
    ) + _MOST_YEARS:
        return [str(year) for year in range(int(span[1]), int(span[2]) + 1)]
    found = words_of(text, language)
    return found if len(found) == 1 else []
