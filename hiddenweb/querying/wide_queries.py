"""Queries that may list the whole database, and what became of them.

Many searches show everything to somebody who asks for nothing: an empty box, a wildcard, a word that the search ignores. No word
can bring more for less, since each page of such a listing has only records that were not shown before. So these few are tried once each, as soon as
one word has shown that the form searches: the empty box, or a space where it must be filled in; the wildcard that the box speaks of, or `*`; the most
frequent stop word of the language. Each costs one request where it finds nothing.

What comes is believed only as far as it holds. A list of what is new or popular is no listing of all: it lacks records that words
have found. A listing is complete if it has an end, was read to it, has all records that were known before, and no fewer than the site said that any
word had found: what looks like its end may be a page that is known already. How many a site says that hold a stop word is no number of all there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.forms.field_types import is_required
from hiddenweb.language import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.model import Field, Form

EMPTY, BLANK = "", " "
"""Nothing in the box; and a space, which a box takes that must be filled in, and which most searches take for nothing."""

_APART = 2
"""Answers with records between two wide queries; a limit of taste."""

_COVERED = 0.9
"""The share of the known records that a listing of all must show again; a limit of taste, some may have gone."""

_COMPLETE = 0.99
"""The share of what the site says it has that a complete listing must show; a limit of taste."""

_OF_ONE_WORD = 10
"""Records of a listing that one word confirms at most, since they are much alike (docs/querying.md); a limit of taste."""

_WILDCARD = re.compile(r"(?<![\w*%])([*%])(?![\w*%])")


def wide_queries(box: Field, language: str) -> tuple[str, ...]:
    """Return what to write into a box to see everything, best first, as far as the box takes it.

    >>> from hiddenweb.model import Field
    >>> wide_queries(Field("q", "search"), "en"), wide_queries(Field("q", "text", required=True), "de")
    (('', '*', 'the'), (' ', '*', 'der'))
    """
    said = " ".join((box.label, box.placeholder, *(hint.text for hint in box.hints)))
    is_needed = bool(is_required(box))  # its star is no wildcard
    wildcard = "*" if is_needed else next(iter(_WILDCARD.findall(said)), "*")
    tries = [BLANK if is_needed else EMPTY, wildcard, *filter(None, [most_frequent_word(language)])]
    return tuple(word for word in tries if not word or not box.pattern or _fits(word, box.pattern))


def most_frequent_word(language: str) -> str:
    """Return the word that most texts of a language hold; nothing where we know none."""
    return str(lexicon.read_in_language("queries.most_frequent", language))


def has_words(text: str) -> bool:
    """Say whether what stands in a box asks for words, and not for everything."""
    return any(character.isalnum() for character in text)


def asks_for_words(form: Form, box: int | None, values: Iterable[tuple[str, str]]) -> bool:
    """Say whether words stand in the box of a form, by what it was filled in with: nothing or a wildcard asks for everything."""
    return box is not None and any(
        name == form.fields[box].name and has_words(value) for name, value in values
    )


@dataclass(slots=True)
class WideQueries:
    """The wide queries of one form: those left to try, and the listing that one of them brought."""

    left: tuple[str, ...] = ()
    lists: bool = False  # one of them shows more than words do
    listed: int | None = None  # records of a complete listing
    total: int | None = None  # of the listing, as the site says
    tried: int = 0
    missing: int = 0  # records that words found, and the listing had not
    told: int = 0  # the most that any question found, as the site says
    blank: int = 0  # words asked after a complete listing that found nothing: the search does not read them, and they prove nothing
    by_word: bool = False  # a word brought the listing: some records may not hold it
    confirmed: int = 0  # records that other words found, all of which the listing had

    @property
    def due_after(self) -> int:
        """Return how many answers with records come before the next one: the first is worth most."""
        return 1 + _APART * self.tried

    def take(self) -> str | None:
        """Return the next one to try, which counts as tried; None if none is left."""
        if not self.left:
            return None
        word, *left = self.left
        self.left = tuple(left)
        self.tried += 1
        return word

    def tell(self, total: int | None) -> None:
        """Take note of how many records a question found, as the site says."""
        self.told = max(self.told, total or 0)

    def learn_answer(
        self, *, found: int, new: int, known: int, total: int | None, to_the_end: bool, is_word: bool = False
    ) -> None:
        """Learn from an answer that was read, when so many records were known before it; is_word: a word was asked, which not all records hold."""
        again = found - new
        if not found or (to_the_end and again < _COVERED * known):
            return
        self.lists, self.left = True, ()
        self.total = None if is_word else total
        has_all = found >= _COMPLETE * max(total or 0, self.told) and again >= _COMPLETE * known
        if to_the_end and has_all:
            self.listed, self.by_word = found, is_word

    def confirm(self, found: int) -> None:
        """Take note that a word found so many records of the listing, and no others; records that one word finds are much alike."""
        self.confirmed += min(found, _OF_ONE_WORD)

    @property
    def missing_at_most(self) -> float:
        """The share of all records that a complete listing may lack: none if nothing was asked for, else by the rule of three.

        >>> WideQueries(listed=965, by_word=True, confirmed=57).missing_at_most
        0.05
        """
        return 3 / (3 + self.confirmed) if self.by_word else 0.0

    def count_others(self, new: int) -> None:
        """Take note that a word found records that the listing had not; if these are more than a few, it does not list everything."""
        self.missing += new
        if self.missing > (1 - _COMPLETE) * (self.listed or 0):
            self.listed = self.total = None

    def to_json(self) -> list[Any]:
        """Return it as it is written down."""
        return [
            self.left,
            self.lists,
            self.listed,
            self.total,
            self.tried,
            self.missing,
            self.told,
            self.blank,
            self.by_word,
            self.confirmed,
        ]

    @classmethod
    def from_json(cls, written: Sequence[Any]) -> WideQueries:
        """Take up what was written down."""
        left, *rest = written
        return cls(tuple(left), *rest)


def _fits(word: str, pattern: str) -> bool:
    try:
        return re.fullmatch(pattern, word) is not None
    except re.error:
        return True
