"""Texts of words drawn by chance, and copies of them that were changed a little."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

WORDS = [
    f"{first}{second}{third}" for first in "bdfgklmn" for second in ("a", "ei", "o") for third in "lmnrst"
]


def prose(count: int, rng: random.Random) -> list[str]:
    return [rng.choice(WORDS) + ("." if place % 12 == 11 else "") for place in range(count)]


def change_words(parts: list[str], rng: random.Random, instead: list[str]) -> list[str]:
    """Return a copy with three parts in a hundred replaced."""
    copy = list(parts)
    for place in rng.sample(range(len(copy)), round(0.03 * len(copy))):
        copy[place] = rng.choice(instead)
    return copy


def lines(parts: list[str], between: str = " ") -> str:
    return "\n".join(between.join(parts[start : start + 60]) for start in range(0, len(parts), 60))
