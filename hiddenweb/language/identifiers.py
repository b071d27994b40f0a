"""Names made for machines, and the words in them."""

from __future__ import annotations

import re
from functools import lru_cache

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_NAME = 300  # characters that are read, a limit of taste


def split_identifier(identifier: str) -> str:
    """Return the words of a name made for machines.

    >>> split_identifier("addToCart_2[item-id]"), split_identifier("ctl00$Main$btnSearch")
    ('add To Cart item id', 'ctl Main btn Search')
    """
    return _split_identifier(identifier[:_LONGEST_NAME])


@lru_cache(maxsize=16_384)
def _split_identifier(identifier: str) -> str:
    return " ".join(_WORD.findall(_HUMP.sub(" ", identifier)))
