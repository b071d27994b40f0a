"""Folding of texts for comparison, so that case, accents and variants of a letter make no difference.

There are four functions for four uses, from the weakest to the strongest. `fold_line` is for texts of one page or site, which are written
the same way: it ignores only case and white space. `fold_text` is for values that a person pastes or that come from a file: it also
ignores kinds of quotation marks and dashes; its results are on disk, so it must not change. `fold_word` is for single words of the
search index, whose terms are on disk: it ignores accents, but keeps the Russian й, which is a letter of its own. `fold` is for texts of
pages that are compared with patterns in memory: it drops accents and invisible characters, reads wide and narrow letters as one, and
joins words that are spaced out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACED_OUT = re.compile(
    "(?<![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])((?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3][ \u00a0\u3000]+)+"
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
)
"""A word of two signs or more with spaces between them, as on buttons: 查 询."""

_ACCENTS = re.compile("[\u0300-\u036f\u064b-\u0655\u0640]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_PLAIN_LETTERS = str.maketrans(
    {"ı": "i", "ł": "l", "đ": "d", "ð": "d", "ø": "o", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h"}
)
_LONGEST_TEXT = 4_000
"""Characters that are read, a limit of taste: enough to say what a form is for."""


def fold(text: str) -> str:
    """Return a text, or the beginning of a long one, in lower case and without accents.

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


# Lines and values

_PLAIN_SIGNS = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": None, "\u200b": None, "\ufeff": None,
    }
)  # fmt: skip


def fold_line(text: str) -> str:
    r"""Return a text on one line, without case.

    >>> fold_line(" Next\n Page ")
    'next page'
    """
    return " ".join(text.split()).casefold()


def fold_text(text: str) -> str:
    """Return a text without differences of case, white space, quotation marks and dashes.

    >>> fold_text("  Jane’s   BOOK ")
    "jane's book"
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PLAIN_SIGNS)).casefold()
        return " ".join(text.translate(_PLAIN_SIGNS).split())
    return " ".join(text.lower().replace("`", "'").split())


# Words of the search index

_INDEX_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "ß": "ss", "ı": "i", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ѐ": "е",
     "ـ": None, "\u200c": None, "\u200d": None}
)  # fmt: skip
# Marks that are dropped: accents, and the vowels of Arabic and Hebrew. Those of Indian scripts are letters to their readers.
_drop_marks = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+").sub


def fold_word(word: str) -> str:
    """Return a lower-case word without accents.

    >>> fold_word("żółć"), fold_word("straße"), fold_word("йод")
    ('zolc', 'strasse', 'йод')
    """
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word.translate(_INDEX_LETTERS)).replace("и\u0306", "й")
    return unicodedata.normalize("NFC", _drop_marks("", decomposed))
