"""Paths through a page as numbers: each is made from the number of the parent and the step below it, so any depth takes time linear in the size.

What was learnt from a page is stored as such numbers, so they are the same in every process, and must not change between versions.
"""

from __future__ import annotations

import re
from functools import lru_cache

from xxhash import xxh3_64_intdigest

MASK = (1 << 64) - 1
"""The mask that keeps a number within 64 bits."""

FACTOR = 0x9E3779B97F4A7C15
"""The factor of a path before a step is added: 2**64 by the golden ratio, as in Knuth's multiplicative hashing."""

PLACES = 31
"""The factor of the path of an element before the place of a text in it is added: an odd prime, as in Java's hash of a string."""

WHOLE = 0xD1B54A32D192ED03
"""The mark of a text that is joined from pieces, since it has the path of the first of them. It is 2**64 by 1.2207, the root of x**4 = x + 1; any other large odd number would do."""

_DIGITS = re.compile(r"\d+")


def stable_hash(text: str) -> int:
    """Return a number for a text: the same in every process."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=16_384)
def class_names(style: str) -> tuple[str, ...]:
    """Return the classes of an element for comparison: sorted, in lower case, digits as 0.

    >>> class_names("row-12 Odd")
    ('odd', 'row-0')
    """
    return tuple(sorted(set(_DIGITS.sub("0", style).lower().split())))


@lru_cache(maxsize=16_384)
def step_number(tag: int, style: str) -> int:
    """Return a number for a tag and its classes, in any order and without the digits in them."""
    return stable_hash(f"{tag}.{' '.join(class_names(style))}")
