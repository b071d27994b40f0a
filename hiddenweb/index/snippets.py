"""The part of a text that shows best why it was found.

The text is read as the index read it, and every word whose term is in the query is marked. The snippet is the stretch of some 240
letters with the most different terms in it, the earliest of the best, cut between words.
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
"""Characters of a text that are searched for terms, which bounds the time: a limit of taste."""


@dataclass(frozen=True, slots=True)
class VisibleTerms:
    """The terms of a query that can be seen in a text."""

    terms: frozenset[str]
    beginnings: tuple[str, ...] = ()
    attributes: tuple[tuple[str, VisibleTerms], ...] = ()  # the terms of attributes, by name

    def has(self, term: str) -> bool:
        """Whether a term was asked for."""
        return term in self.terms or (bool(self.beginnings) and term.startswith(self.beginnings))

    def terms_of_attribute(self, name: str) -> VisibleTerms:
        """Return what can be seen in the values of an attribute: what is asked of it, and of everything."""
        asked = [shown for named, shown in self.attributes if named == name]
        if not asked:
            return self
        return VisibleTerms(
            self.terms.union(*(shown.terms for shown in asked)),
            sum((shown.beginnings for shown in asked), self.beginnings),
        )


@dataclass(frozen=True, slots=True)
class Snippet:
    """Part of a text, and the places in it that match."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def snippet(text: str, language: str, shown: VisibleTerms) -> Snippet:
    """Return the stretch of a text that has most of what is shown."""
    flat = " ".join(text[:_MOST_READ].split())
    found = list(_term_marks(flat, language, shown))
    start = _cut_after(flat, _best_start(found) - _BEFORE)
    end = _cut_before(flat, start + LETTERS)
    lead, tail = ("… " if start else ""), (" …" if end < len(flat) else "")
    shift = len(lead) - start
    marks = [(first + shift, last + shift) for first, last, _ in found if first >= start and last <= end]
    return Snippet(f"{lead}{flat[start:end]}{tail}", _join_marks(marks))


def marks_in(text: str, language: str, shown: VisibleTerms) -> tuple[tuple[int, int], ...]:
    """Return the places of a text that match."""
    return _join_marks([(first, last) for first, last, _ in _term_marks(text, language, shown)])


def _term_marks(text: str, language: str, shown: VisibleTerms) -> Iterator[tuple[int, int, str]]:
    terms = terms_of(language)
    for place, piece, is_run in pieces(text):
        if is_run:
            yield from _marks_in_run(place, piece, shown)
            continue
        term = terms[piece.lower()].decode()
        if term and shown.has(term):
            yield place, place + len(piece), term


def _marks_in_run(place: int, run: str, shown: VisibleTerms) -> Iterator[tuple[int, int, str]]:
    units = cells(run)
    for unit, after in zip(units, [*units[1:], ""], strict=True):
        pair = (unit + after).lower()
        if after and pair in shown.terms:
            yield place, place + len(pair), pair
        elif unit.lower().startswith(shown.beginnings):
            yield place, place + len(unit), unit
        place += len(unit)


def _best_start(found: list[tuple[int, int, str]]) -> int:
    best, most, first = 0, 0, 0
    inside: dict[str, int] = {}
    for _, end, term in found:
        inside[term] = inside.get(term, 0) + 1
        while end - found[first][0] > LETTERS - _BEFORE and found[first][2] in inside:
            gone = found[first][2]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
            if first >= len(found):
                return best
        if len(inside) > most:
            best, most = found[first][0], len(inside)
    return best


def _cut_after(text: str, place: int) -> int:
    """Return the first beginning of a word from a place on, or the place where words have no ends."""
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
    """Return marks with those that touch or overlap made one."""
    joined: list[tuple[int, int]] = []
    for first, last in marks:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)
