"""The words of a record, and the part of it in which each stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hiddenweb.language.tokens import words_to_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TITLE, TEXT, NUMBER = "title", "text", "number"
"""Parts of records other than attributes; numbers in running text are a part of their own: mostly dates and counts."""


@runtime_checkable
class HasParts(Protocol):
    """Words that know their parts of a record."""

    def parts(self) -> Mapping[str, str]:
        """Return the part of each word."""


class RecordWords:
    """The words of a record, split only when they are read."""

    def __init__(
        self, title: str, text: str, attributes: Sequence[tuple[str, str]] = (), *, language: str = ""
    ) -> None:
        self._title, self._text = title, text
        self._attributes = attributes
        self._language = language

    def __iter__(self) -> Iterator[str]:
        yield from () if self._title in self._text else words_to_query(self._title, self._language)
        yield from words_to_query(self._text, self._language)

    def parts(self) -> dict[str, str]:
        """Return the part of each word: the title, an attribute, or the rest; the first of them that holds it.

        >>> RecordWords("Red fox", "Red fox by Ann, 1999: a fox runs", [("author", "Ann")]).parts()
        {'red': 'title', 'fox': 'title', 'by': 'text', 'ann': 'author', '1999': 'number', 'a': 'text', 'runs': 'text'}
        """
        part_by_word = dict.fromkeys(words_to_query(self._title, self._language), TITLE)
        for name, value in self._attributes:
            for word in words_to_query(value, self._language):
                part_by_word.setdefault(word, name)
        return {word: part_by_word.get(word) or (NUMBER if word.isdigit() else TEXT) for word in self}
