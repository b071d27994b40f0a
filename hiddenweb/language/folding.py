"""A text as it is compared, so that case, accents and ways of writing a letter make no difference."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACED_OUT = re.compile(
    "(?<![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])((?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3][ \u00a0\u3000]+)+"
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
)
"""A word of two signs or more with spaces between them, as buttons show it: 查 询."""

_ACCENTS = re.compile("[\u0300-\u036f\u064b-\u0655\u0640]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_PLAIN_LETTERS = str.maketrans(
    {"ı": "i", "ł": "l", "đ": "d", "ð": "d", "ø": "o", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h"}
)
_LONGEST_TEXT = (
    4_000  # characters that are read, a limit of taste: nobody needs more to say what a form is for
)


def fold(text: str) -> str:
    """Return a text, or the beginning of a long one, as it is compared: lower case, without accents.

    >>> fold("Straße"), fold("ŁÓDŹ"), fold("查 询")
    ('strasse', 'lodz', '查询')
    """
    return _fold(text[:_LONGEST_TEXT])


@lru_cache(maxsize=4096)
def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().translate(_PLAIN_LETTERS)
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return _SPACED_OUT.sub(lambda spaced: "".join(spaced[0].split()), text)
