"""Names made for machines, and the words in them.

There are two ways to cut. `split_identifier` is for the names of forms and controls, and the form classifier was trained with it: it cuts
only before a capital letter that follows a small one. `identifier_parts` also separates abbreviations and numbers.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hiddenweb.language.tokens import letter_runs

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]|\d+")
_LONGEST_NAME = 300  # characters that are read, a limit of taste


def split_identifier(identifier: str) -> str:
    """Return the words of a name made for machines.

    >>> split_identifier("addToCart_2[item-id]"), split_identifier("ctl00$Main$btnSearch")
    ('add To Cart item id', 'ctl Main btn Search')
    """
    return _split_identifier(identifier[:_LONGEST_NAME])


@lru_cache(maxsize=16_384)
def _split_identifier(identifier: str) -> str:
    return " ".join(letter_runs(_HUMP.sub(" ", identifier)))


def identifier_parts(identifier: str) -> list[str]:
    """Return the words and numbers in a name made for machines; capital letters in a row are a word.

    >>> identifier_parts("XMLParser"), identifier_parts("datePublished_2"), identifier_parts("btn-größe")
    (['XML', 'Parser'], ['date', 'Published', '2'], ['btn', 'größe'])
    """
    return _PART.findall(identifier)
