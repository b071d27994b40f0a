"""Words, and the language they are in.

A word is a run of letters and digits, marks such as vowel signs and accents included, in lower case. Scripts without spaces
need another unit: runs of Han and kana are cut into overlapping pairs of characters, runs of Thai, Lao, Khmer and Burmese into
overlapping triples, which find what they should without a dictionary. A run of katakana is a word already.

A page's own word about its language is taken when it is plausible: its script fits, and, for languages written with
spaces, some of its first words are stop words of that language. Only otherwise the language is guessed from
letter statistics (py3langid), on a short sample: a guess costs ten times as much as the check, and its model takes a second to load.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import snowballstemmer
import stopwordsiso

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})
"""Languages that write no spaces between words."""

_SAMPLE = 400  # characters a language is guessed from
_CHECKED_WORDS = 120
_FEWEST_WORDS = 12  # with fewer there is nothing to check a declared language by


def words(text: str, language: str = "") -> list[str]:
    """Return the terms of a text in their order, in lower case."""
    found: list[str] = _WORD.findall(text.lower())
    if language not in UNSPACED and not _UNSPACED_CHARACTER.search(text):
        return found
    return list(chain.from_iterable(map(_pieces, found)))


def words_to_query(text: str, language: str = "") -> list[str]:
    """Return the terms of a text that can be asked for: all but pieces that begin with a mark, which nobody can write alone.

    >>> words_to_query("สิริ", "th")
    ['สิร']
    """
    return [word for word in words(text, language) if word[0] not in _MARKS]


def spaced_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text that spaces divide, in lower case and as they are written.

    >>> list(spaced_words("Şişli 1984"))
    [('şişli', 'Şişli'), ('1984', '1984')]
    """
    for match in _WORD.finditer(text):
        yield match[0].lower(), match[0]


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the words of a language that say nothing; none for a language we know nothing of."""
    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return what a word has in common with its other forms; the word itself where we have no rules."""
    stemmer = _stemmer(language)
    return stemmer.stemWord(word) if stemmer is not None else word


def guess_language(text: str, declared: str = "") -> str:
    """Return the ISO 639-1 code of a text's language, which a page may declare; empty when it cannot be told."""
    code = _code(declared)
    sample = text[: 10 * _CHECKED_WORDS]
    if code and _is_plausible(sample, code):
        return code
    by_script = _language_of_script(sample)
    if by_script:
        return by_script
    return _guess(text[:_SAMPLE]) if len(sample.split(None, _FEWEST_WORDS)) > _FEWEST_WORDS else code


def shorten(text: str, length: int) -> str:
    """Return a text of at most so many characters, cut between words where that is possible.

    >>> shorten("one two three", 9)
    'one two …'
    """
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[: max(length - 1, 0)]
    whole, space, _ = cut.rpartition(" ")
    return f"{whole} …" if space and len(whole) >= length // 2 else f"{cut}…"[:length]


# Words

_MARKS = "".join(
    chr(code)
    for code in chain(range(0x300, 0x2000), range(0xA000, 0xAC00), range(0xFE20, 0xFE30))
    if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
_HAN = "\u3005\u3400-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff"
_TRIPLED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_WORD = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]+)*[{_MARKS}]*")
_UNSPACED_CHARACTER = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_TRIPLED}]")
_PIECE = re.compile(
    f"([{_HAN}{_HIRAGANA}]+)|([{_TRIPLED}]+)|[{_KATAKANA}]+|[^{_HAN}{_HIRAGANA}{_KATAKANA}{_TRIPLED}]+"
)


def _pieces(word: str) -> Iterator[str]:
    for match in _PIECE.finditer(word):
        paired, tripled = match.groups()
        if paired:
            yield from _overlapping(paired, 2)
        elif tripled:
            yield from _overlapping(tripled, 3)
        else:
            yield match[0]


def _overlapping(run: str, length: int) -> Iterator[str]:
    for start in range(max(len(run) - length + 1, 1)):
        yield run[start : start + length]


# Stems

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


@cache
def _stemmer(language: str) -> _Stemmer | None:
    algorithm = _STEMMERS.get(language)
    if algorithm not in snowballstemmer.algorithms():
        return None
    stemmer: _Stemmer = snowballstemmer.stemmer(algorithm)
    return stemmer


# Languages

_SCRIPTS = {
    "arabic": "\u0600-\u06ff",
    "armenian": "\u0530-\u058f",
    "bengali": "\u0980-\u09ff",
    "burmese": "\u1000-\u109f",
    "cyrillic": "\u0400-\u04ff",
    "devanagari": "\u0900-\u097f",
    "georgian": "\u10a0-\u10ff",
    "greek": "\u0370-\u03ff",
    "han": _HAN,
    "hangul": "\uac00-\ud7af",
    "hebrew": "\u0590-\u05ff",
    "japanese": _HAN + _HIRAGANA + _KATAKANA,
    "kana": _HIRAGANA + _KATAKANA,
    "khmer": "\u1780-\u17ff",
    "lao": "\u0e80-\u0eff",
    "latin": "a-zA-Z\u00c0-\u024f\u1e00-\u1eff",
    "tamil": "\u0b80-\u0bff",
    "thai": "\u0e00-\u0e7f",
}
_LETTERS = {script: re.compile(f"[{letters}]+") for script, letters in _SCRIPTS.items()}
_SCRIPT_OF = {
    "ar": "arabic", "be": "cyrillic", "bg": "cyrillic", "bn": "bengali", "el": "greek", "fa": "arabic", "he": "hebrew",
    "hi": "devanagari", "hy": "armenian", "ja": "japanese", "ka": "georgian", "kk": "cyrillic", "km": "khmer",
    "ko": "hangul", "lo": "lao", "mk": "cyrillic", "mr": "devanagari", "my": "burmese", "ne": "devanagari",
    "ru": "cyrillic", "ta": "tamil", "th": "thai", "uk": "cyrillic", "ur": "arabic", "zh": "han",
}  # fmt: skip
# Scripts that one language alone writes, the mixed one first: Japanese uses Han too.
_OWN_SCRIPT = (
    (_LETTERS["kana"], "ja", 0.05),
    (_LETTERS["han"], "zh", 0.4),
    (_LETTERS["hangul"], "ko", 0.4),
    (_LETTERS["thai"], "th", 0.4),
    (_LETTERS["greek"], "el", 0.4),
    (_LETTERS["hebrew"], "he", 0.4),
    (_LETTERS["lao"], "lo", 0.4),
    (_LETTERS["khmer"], "km", 0.4),
    (_LETTERS["burmese"], "my", 0.4),
    (_LETTERS["georgian"], "ka", 0.4),
    (_LETTERS["armenian"], "hy", 0.4),
)
_KANA = re.compile(f"[{_HIRAGANA}{_KATAKANA}]")
_LONGEST_WITHOUT_KANA = 20  # characters of Japanese
_OLD_CODES = {
    "iw": "he",
    "in": "id",
    "nb": "no",
    "nn": "no",
    "cmn": "zh",
    "deu": "de",
    "eng": "en",
    "fra": "fr",
}
_CODE = re.compile("[a-z]{2,3}")
_SCRIPT_SHARE = 0.4  # of the letters of a text, to call the text written in it
_STOP_WORD_SHARE = 0.18  # of the words of a text; a wrong language reaches 0.16, the right one 0.23 to 0.6


def _code(declared: str) -> str:
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    code = _OLD_CODES.get(code, code)
    return code if len(code) == 2 and _CODE.fullmatch(code) else ""


def _is_plausible(sample: str, code: str) -> bool:
    script = _SCRIPT_OF.get(code, "latin")
    if not (script == "latin" and sample.isascii()) and _share(_LETTERS[script], sample) < _SCRIPT_SHARE:
        return not sample.strip()
    if code == "ja" and len(sample) > _LONGEST_WITHOUT_KANA and not _KANA.search(sample):
        return False
    stops = stop_words(code)
    if code in UNSPACED or not stops:
        return True
    tokens = sample.lower().split()[:_CHECKED_WORDS]
    return len(tokens) < _FEWEST_WORDS or sum(map(stops.__contains__, tokens)) >= _STOP_WORD_SHARE * len(
        tokens
    )


def _share(letters: re.Pattern[str], sample: str) -> float:
    visible = "".join(sample.split())
    return len("".join(letters.findall(visible))) / len(visible) if visible else 0.0


def _language_of_script(sample: str) -> str:
    if sample.isascii():
        return ""
    return next((code for letters, code, share in _OWN_SCRIPT if _share(letters, sample) >= share), "")


def _guess(sample: str) -> str:
    # Loading the model takes a second, and most crawls of pages that say their language never need it.
    from py3langid import classify  # noqa: PLC0415

    return str(classify(sample)[0])
