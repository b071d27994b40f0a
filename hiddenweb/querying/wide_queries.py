"""Queries that may list the whole database, and their results.

Many searches show everything for a query that restricts nothing: an empty box, a wildcard, a word that the search ignores. No word
can bring more for less, since each page of such a listing has only records that were not shown before. So these few are tried once each, as soon as
one word has shown that the form searches: the empty box, or a space if it must be filled in; the wildcard that the box mentions, or `*`; the most
frequent stop word of the language. Each costs one request if it finds nothing.

The results are checked. A list of new or popular records is no listing of all: it lacks records that words
have found. A listing is complete if it was read to its end, has all records that were known before, and no fewer than the highest total of any
word: what looks like its end may be a known page. The total for a stop word is not the size of the database.
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
"""Nothing in the box; and a space, which is allowed in a required box and ignored by most searches."""

_ANSWERS_BETWEEN = 2
"""Answers with records between two wide queries; a limit of taste."""

_COVERED = 0.9
"""The share of the known records that a listing of all must show again; a limit of taste, some may have disappeared."""

_COMPLETE = 0.99
"""The share of the site's own total that a complete listing must show; a limit of taste."""

_OF_ONE_WORD = 10
"""The most records of a listing that one word confirms, since they are similar (docs/querying.md); a limit of taste."""

_WILDCARD = re.compile(r"(?<![\w*%])([*%])(?![\w*%])")


def wide_queries(box: Field, language: str) -> tuple[str, ...]:
    """Return the values for a box that may list everything, best first, as far as the box takes them.

    >>> from hiddenweb.model import Field
    >>> wide_queries(Field("q", "search"), "en"), wide_queries(Field("q", "text", required=True), "de")
    (('', '*', 'the'), (' ', '*', 'der'))
    """
    texts = " ".join((box.label, box.placeholder, *(hint.text for hint in box.hints)))
    is_required_box = bool(is_required(box))  # its star is no wildcard
    wildcard = "*" if is_required_box else next(iter(_WILDCARD.findall(texts)), "*")
    queries = [BLANK if is_required_box else EMPTY, wildcard, *filter(None, [most_frequent_word(language)])]
    return tuple(word for word in queries if not word or not box.pattern or _fits(word, box.pattern))


def most_frequent_word(language: str) -> str:
    """Return the most frequent word of a language; empty if it is unknown."""
    return str(lexicon.read_in_language("queries.most_frequent", language))


def has_words(text: str) -> bool:
    """Say whether the text of a box searches for words, and not for everything."""
    return any(character.isalnum() for character in text)


def asks_for_words(form: Form, box: int | None, values: Iterable[tuple[str, str]]) -> bool:
    """Say whether a query has words in the box of its form: an empty box or a wildcard asks for everything."""
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
    missing: int = 0  # records that words found and the listing lacks
    highest_total: int = 0  # of any query, as the site says
    ignored_words: int = 0  # words after a complete listing that found nothing: the search ignores them, and they prove nothing
    by_word: bool = False  # a word brought the listing: some records may not hold it
    confirmed: int = 0  # records that other words found, all of them in the listing

    @property
    def due_after(self) -> int:
        """Return how many answers with records must come before the next one."""
        return 1 + _ANSWERS_BETWEEN * self.tried

    def take(self) -> str | None:
        """Return the next query, which counts as tried; None if none is left."""
        if not self.left:
            return None
        word, *left = self.left
        self.left = tuple(left)
        self.tried += 1
        return word

    def note_total(self, total: int | None) -> None:
        """Note how many records a query found, as the site says."""
        self.highest_total = max(self.highest_total, total or 0)

    def learn_answer(
        self, *, found: int, new: int, known: int, total: int | None, to_the_end: bool, is_word: bool = False
    ) -> None:
        """Learn from an answer; known: records known before it; is_word: a word was submitted, which not all records hold."""
        known_found = found - new
        if not found or (to_the_end and known_found < _COVERED * known):
            return
        self.lists, self.left = True, ()
        self.total = None if is_word else total
        has_all = (
            found >= _COMPLETE * max(total or 0, self.highest_total) and known_found >= _COMPLETE * known
        )
        if to_the_end and has_all:
            self.listed, self.by_word = found, is_word

    def confirm(self, found: int) -> None:
        """Note that a word found so many records of the listing, and no others; records of one word are similar."""
        self.confirmed += min(found, _OF_ONE_WORD)

    @property
    def missing_at_most(self) -> float:
        """The share of all records that a complete listing may lack: none if its query had no word, else by the rule of three.

        >>> WideQueries(listed=965, by_word=True, confirmed=57).missing_at_most
        0.05
        """
        return 3 / (3 + self.confirmed) if self.by_word else 0.0

    def count_others(self, new: int) -> None:
        """Note that a word found records that the listing lacks; if these are more than a few, it does not list everything."""
        self.missing += new
        if self.missing > (1 - _COMPLETE) * (self.listed or 0):
            self.listed = self.total = None

    def to_json(self) -> list[Any]:
        """Return the state to save."""
        return [
            self.left,
            self.lists,
            self.listed,
            self.total,
            self.tried,
            self.missing,
            self.highest_total,
            self.ignored_words,
            self.by_word,
            self.confirmed,
        ]

    @classmethod
    def from_json(cls, saved: Sequence[Any]) -> WideQueries:
        """Return the queries of a saved state."""
        left, *rest = saved
        return cls(tuple(left), *rest)


def _fits(word: str, pattern: str) -> bool:
    try:
        return re.fullmatch(pattern, word) is not None
    except re.error:
        return True
