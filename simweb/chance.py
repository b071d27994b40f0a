"""Chance that can be repeated: every draw is a function of a seed and of the names of what is drawn.

Pages are made when they are asked for, in any order, so there is no stream of random numbers to follow:
`draw(seed, "books.example", "title", 12)` gives the same number in every process.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

SPAN = 1 << 64
MASK = SPAN - 1


def draw(*names: object) -> int:
    """Return 64 bits that depend on nothing but the names."""
    return xxh3_64_intdigest("\x1f".join(map(str, names)).encode())


def mix(state: int) -> int:
    """Return 64 bits that depend on a number and look like nothing; the quick way where there are no names.

    The finaliser of splitmix64 (Steele, Lea and Flood, 2014).

    >>> mix(1) == mix(1) != mix(2)
    True
    """
    state = (state + 0x9E3779B97F4A7C15) & MASK
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    return state ^ (state >> 31)


def rng(*names: object) -> Random:
    """Return a generator of its own for what the names name."""
    return Random(draw(*names))


def share(*names: object) -> float:
    """Return a number in [0, 1) that depends on nothing but the names."""
    return draw(*names) / SPAN


def pick(choices: Sequence[T], *names: object) -> T:
    """Return one of the choices, by the names alone."""
    return choices[draw(*names) % len(choices)]


def take_turn(turn: int, count: int, *names: object) -> int:
    """Return one of `count` alternatives so that each comes once in every `count` turns, in an order of its own.

    >>> sorted(take_turn(turn, 4, "some name") for turn in range(4))
    [0, 1, 2, 3]
    """
    block, at = divmod(turn, count)
    return rng(*names, block).sample(range(count), count)[at]


def zipf_rank(u: float, count: int, exponent: float) -> int:
    """Turn a uniform number into a rank in [0, count) with P(rank) falling as (rank + 1) ** -exponent.

    The continuous inverse of the distribution: exact enough for power laws, and costs no table.

    >>> [zipf_rank(u / 4, 1000, 0.9) for u in range(4)]
    [0, 8, 55, 263]
    """
    power = 1.0 - exponent
    scale = (count + 1.0) ** power - 1.0
    return min(count - 1, int((u * scale + 1.0) ** (1.0 / power)) - 1)
