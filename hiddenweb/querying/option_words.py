"""Which choice a record has, guessed from its words.

Records that were found by a choice have it. The choices of others are unknown, but most sites show in records what their controls offer: the
year, the genre, the place. So we learn from the records found by a choice which words belong to it, and guess
the choice of other records by such words: the most informative word decides, if nine in ten of the records that hold it have one choice. The name of a
choice is believed from the beginning, and so are the years of a decade. If no word decides, there is no guess.
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
"""The share of the records with a word that must have an option, for the word to indicate it; a limit of taste."""

_FEWEST = 3
"""Records that must hold a word before it indicates an option; a limit of taste."""

_BELIEVED = 20
"""Records that the name of an option counts for; a limit of taste."""

_MOST_WORDS = 200_000
"""The most words that are counted for a control; a limit of taste, it bounds memory."""

_MOST_SAVED_OF_CHOICE = 12
"""The most words that are saved for an option; a limit of taste, it bounds the stored state."""

_MOST_SAVED = 600
"""The most words that are saved for a control; a limit of taste, it bounds the stored state."""

_LATEST = 0.98
"""The share of its weight that a record keeps when the next one comes; a limit of taste, half is gone after 34 records."""

_DECADE = re.compile(r"([12]\d\d)0['’]?s")
_YEARS = re.compile(r"([12]\d{3})\s*(?:[-–—~/]|\.\.|\bto\b)\s*([12]\d{3})")

_MOST_YEARS = 100
"""The most years of a span that are words for it; a limit of taste."""

_GROWTH = 1.2
"""The factor by which the records must have grown before the words to save are chosen again; a limit of taste, it saves work."""

_NOTHING = ("", 0, 0)


class OptionWords:
    """What words indicate about the choices of one control."""

    def __init__(self, texts: Mapping[str, str], language: str = "") -> None:
        """Start with the values of the choices and their texts."""
        self._counts: dict[str, Counter[str]] = {}
        self._leading: dict[
            str, tuple[str, int, int]
        ] = {}  # by word: the choice of most records, how many, of how many
        self._learnt = 1  # records
        self._saved_at = 0  # of them
        self._saved: list[tuple[str, str, int, int]] = []
        self._guessed = 0.0  # the share of records with a guess, the latest count most
        self._right = 0.0  # the share of right guesses among records whose choice is known
        names = {value: names_in(text, language) for value, text in texts.items()}
        word_counts = Counter(word for text in texts.values() for word in set(words_of(text, language)))
        self._names = {word: value for value, of in names.items() for word in of if word_counts[word] <= 1}
        for word, value in self._names.items():
            self._counts[word] = Counter({value: _BELIEVED})
            self._leading[word] = (value, _BELIEVED, _BELIEVED)

    @property
    def named(self) -> list[str]:
        """Return the choices whose names are single words of their own."""
        return list(dict.fromkeys(self._names.values()))

    @property
    def guessed_share(self) -> float:
        """Return the share of the last records whose choice could be guessed."""
        return self._guessed

    @property
    def right_share(self) -> float:
        """Return the share of right guesses among the last records that were found by a choice."""
        return self._right

    def learn(self, words: Collection[str], value: str) -> None:
        """Learn from a record that was found by a choice."""
        self._learnt += 1
        self._right = _LATEST * self._right + (1 - _LATEST) * (self._find_choice(words) == value)
        for word in words:
            counts = self._counts.get(word)
            if counts is None:
                if len(self._counts) >= _MOST_WORDS:
                    continue
                counts = self._counts[word] = Counter()
            counts[value] += 1
            leading, with_choice, records = self._leading.get(word, (value, 0, 0))
            if counts[value] > with_choice:
                leading, with_choice = value, counts[value]
            self._leading[word] = (leading, with_choice, records + 1)

    def find_named(self, words: Iterable[str]) -> list[str]:
        """Return the choices whose names are among the words of a record."""
        return list(dict.fromkeys(self._names[word] for word in words if word in self._names))

    def guess(self, words: Collection[str]) -> str | None:
        """Return the choice that the words of a record indicate, if any."""
        best = self._find_choice(words)
        self._guessed = _LATEST * self._guessed + (1 - _LATEST) * (best is not None)
        return best

    def _find_choice(self, words: Collection[str]) -> str | None:
        best, best_share = None, SURE
        for word in words:
            value, with_choice, records = self._leading.get(word, _NOTHING)
            if records >= _FEWEST and (share := with_choice / (records + 1)) > best_share:
                best, best_share = value, share
        return best

    def to_json(self) -> list[object]:
        """Return the most informative words."""
        if self._learnt >= self._saved_at * _GROWTH:
            self._saved = nlargest(_MOST_SAVED, self._list_informative(), key=lambda each: each[2])
            self._saved_at = self._learnt
        return [self._guessed, self._right, [list(row) for row in self._saved]]

    def restore(self, saved: Sequence[object]) -> None:
        """Restore the saved state."""
        guessed, right, rows = saved
        assert isinstance(guessed, float)
        assert isinstance(right, float)
        assert isinstance(rows, list)
        self._guessed, self._right = guessed, right
        for word, value, with_choice, records in rows:
            self._counts[word] = Counter({value: with_choice})
            if records > with_choice:
                self._counts[word][""] = records - with_choice
            self._leading[word] = (value, with_choice, records)

    def _list_informative(self) -> Iterator[tuple[str, str, int, int]]:
        by_value: dict[str, list[tuple[str, str, int, int]]] = {}
        for word, (value, with_choice, records) in self._leading.items():
            if records >= _FEWEST and with_choice / (records + 1) > SURE and value:
                by_value.setdefault(value, []).append((word, value, with_choice, records))
        for rows in by_value.values():
            yield from nlargest(_MOST_SAVED_OF_CHOICE, rows, key=lambda each: each[2])


def names_in(text: str, language: str = "") -> list[str]:
    """Return the words that indicate a choice with this text: its only word, or the years that it spans.

    >>> names_in("Drama"), names_in("Science fiction"), names_in("1998 - 2001"), names_in("1920s")[:3]
    (['drama'], [], ['1998', '1999', '2000', '2001'], ['1920', '1921', '1922'])
    """
    if decade := _DECADE.fullmatch(text.strip()):
        return [f"{decade[1]}{year}" for year in range(10)]
    if (span := _YEARS.fullmatch(text.strip())) and int(span[1]) <= int(span[2]) <= int(
        span[1]
    ) + _MOST_YEARS:
        return [str(year) for year in range(int(span[1]), int(span[2]) + 1)]
    words = words_of(text, language)
    return words if len(words) == 1 else []
