"""The part of a text that shows best why it was found.

The text is analysed as for the index, and every word whose term is in the query is marked. The snippet is the part of some 240
letters with the most different terms, the first of the best ones, cut between words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.index.analysis import cells, pieces, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = 240
"""Characters of a snippet: about three lines of a terminal. A limit of taste."""

_BEFORE = 60  # characters before the first term: a limit of taste
_MOST_READ = 200_000
"""The most characters of a text that are searched for terms, to limit the time: a limit of taste."""


@dataclass(frozen=True, slots=True)
class VisibleTerms:
    """The terms of a query that can be marked in a text."""

    terms: frozenset[str]
    beginnings: tuple[str, ...] = ()
    attributes: tuple[tuple[str, VisibleTerms], ...] = ()  # the terms of attributes, by name

    def has(self, term: str) -> bool:
        """Return whether a term is in the query."""
        return term in self.terms or (bool(self.beginnings) and term.startswith(self.beginnings))

    def terms_of_attribute(self, name: str) -> VisibleTerms:
        """Return the terms to mark in the values of an attribute: those of the attribute, and the general ones."""
        own = [terms for attribute, terms in self.attributes if attribute == name]
        if not own:
            return self
        return VisibleTerms(
            self.terms.union(*(each.terms for each in own)),
            sum((each.beginnings for each in own), self.beginnings),
        )


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text with its matching places."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def snippet(text: str, language: str, visible: VisibleTerms) -> Snippet:
    """Return the part of a text with the most terms."""
    flat = " ".join(text[:_MOST_READ].split())
    found = list(_term_marks(flat, language, visible))
    start = _cut_after(flat, _best_start(found) - _BEFORE)
    end = _cut_before(flat, start + LETTERS)
    lead, tail = ("… " if start else ""), (" …" if end < len(flat) else "")
    shift = len(lead) - start
    marks = [(first + shift, last + shift) for first, last, _ in found if first >= start and last <= end]
    return Snippet(f"{lead}{flat[start:end]}{tail}", _join_marks(marks))


def marks_in(text: str, language: str, visible: VisibleTerms) -> tuple[tuple[int, int], ...]:
    """Return the matching places of a text."""
    return _join_marks([(first, last) for first, last, _ in _term_marks(text, language, visible)])


def _term_marks(text: str, language: str, visible: VisibleTerms) -> Iterator[tuple[int, int, str]]:
    terms = terms_of(language)
    for place, piece, is_run in pieces(text):
        if is_run:
            yield from _marks_in_run(place, piece, visible)
            continue
        term = terms[piece.lower()].decode()
        if term and visible.has(term):
            yield place, place + len(piece), term


def _marks_in_run(place: int, run: str, visible: VisibleTerms) -> Iterator[tuple[int, int, str]]:
    units = cells(run)
    for unit, after in zip(units, [*units[1:], ""], strict=True):
        pair = (unit + after).lower()
        if after and pair in visible.terms:
            yield place, place + len(pair), pair
        elif unit.lower().startswith(visible.beginnings):
            yield place, place + len(unit), unit
        place += len(unit)


def _best_start(found: list[tuple[int, int, str]]) -> int:
    best, most, first = 0, 0, 0
    inside: dict[str, int] = {}
    for _, end, term in found:
        inside[term] = inside.get(term, 0) + 1
        while end - found[first][0] > LETTERS - _BEFORE and found[first][2] in inside:
            leaving = found[first][2]
            inside[leaving] -= 1
            if not inside[leaving]:
                del inside[leaving]
            first += 1
            if first >= len(found):
                return best
        if len(inside) > most:
            best, most = found[first][0], len(inside)
    return best


def _cut_after(text: str, place: int) -> int:
    """Return the first start of a word from a place on, or the place itself in scripts without spaces."""
    if place <= 0:
        return 0
    space = text.find(" ", place, place + _BEFORE // 2)
    return place if space < 0 else space + 1


def _cut_before(text: str, place: int) -> int:
    if place >= len(text):
        return len(text)
    space = text.rfind(" ", place - _BEFORE // 2, place)
    return place if space < 0 else space


def _join_marks(marks: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return marks, with touching or overlapping ones joined."""
    joined: list[tuple[int, int]] = []
    for first, last in marks:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)
