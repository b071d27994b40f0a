"""Labels that are nearly the same, found without comparing all of them.

A label of 5 to 8 characters may differ by one edit (a character more, less or another), a longer one by two, a shorter one by
none: most short words are near each other. Each label is cut into one piece more than edits are allowed; a near label shares
at least one piece, at nearly the same place (Li et al. 2011, "Pass-Join"). So a look-up searches for a few dozen
pieces, and compares only the labels that have one of them and nearly the same letters, however many labels there are.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 60
"""The most characters of a label that is matched with edits; a limit of taste, it bounds the work for a label."""


class LabelIndex:
    """Labels that can be found by similar texts (Pass-Join)."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[int, int, str], list[str]] = {}
        self._letters: dict[str, int] = {}

    def add(self, key: str) -> None:
        """Make a label findable."""
        edits = _edits_allowed(len(key))
        if not edits or key in self._letters:
            return
        self._letters[key] = _letters(key)
        for at, (start, size) in enumerate(_cuts(len(key), edits + 1)):
            self._pieces.setdefault((len(key), at, key[start : start + size]), []).append(key)

    def nearest(self, key: str) -> tuple[str, int] | None:
        """Return the nearest label and the edits to it, or None if none is near enough."""
        best: tuple[int, str] | None = None
        letters = _letters(key)
        most = _edits_allowed(len(key))
        for near in self._candidates(key, most):
            allowed = min(most, _edits_allowed(len(near)))
            if (letters ^ self._letters[near]).bit_count() > 2 * allowed:
                continue
            edits = edit_distance(key, near, allowed)
            if edits is not None and (best is None or (edits, near) < best):
                best = edits, near
        return (best[1], best[0]) if best else None

    def _candidates(self, key: str, most: int) -> Iterator[str]:
        yielded = set()
        for length in range(len(key) - most, len(key) + most + 1) if most else ():
            edits = _edits_allowed(length)
            for at, (start, size) in enumerate(_cuts(length, edits + 1)) if edits else ():
                for place in range(max(start - edits, 0), min(start + edits, len(key) - size) + 1):
                    for near in self._pieces.get((length, at, key[place : place + size]), ()):
                        if near not in yielded:
                            yielded.add(near)
                            yield near


def edit_distance(one: str, other: str, most: int) -> int | None:
    """Return the edits that turn one text into another, or None if they are more than `most`.

    >>> edit_distance("colour", "color", 1), edit_distance("genre", "gender", 1)
    (1, None)
    """
    if abs(len(one) - len(other)) > most:
        return None
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], at
        for place, other_letter in enumerate(other, 1):
            diagonal, row[place] = (
                row[place],
                diagonal if letter == other_letter else 1 + min(diagonal, row[place], row[place - 1]),
            )
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _edits_allowed(length: int) -> int:
    return 0 if length < 5 or length > _LONGEST else 1 if length < 9 else 2


@lru_cache(maxsize=256)
def _cuts(length: int, pieces: int) -> tuple[tuple[int, int], ...]:
    """Return where each of so many nearly equal pieces of a text starts, and how long it is."""
    bounds = [length * at // pieces for at in range(pieces + 1)]
    return tuple((start, end - start) for start, end in pairwise(bounds))


def _letters(text: str) -> int:
    """Return which letters a text holds, as a number; one edit changes at most two of its bits."""
    bits = 0
    for letter in text:
        bits |= 1 << (ord(letter) % 61)
    return bits
