"""The language of a text.

The language that a page declares is accepted if it is plausible: the script fits, and, for languages written with spaces, some of the
first words are stop words of that language. Otherwise the language is guessed from letter statistics (py3langid), on a short sample: a
guess costs ten times as much as the check, and its model takes a second to load.
"""

from __future__ import annotations

import re
from functools import cache

from hiddenweb.language import lexicon
from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.tokens import HAN, HIRAGANA, KATAKANA, UNSPACED

_SAMPLE_CHARACTERS = 400  # characters a language is guessed from; a limit of taste


_CHECKED_WORDS = 120  # words by which a declared language is checked; a limit of taste


_MIN_WORDS = 12  # fewer words are too few to check a declared language; a limit of taste


def guess_language(text: str, declared: str = "") -> str:
    """Return the ISO 639-1 code of a text's language, which a page may declare; "" if it is unknown."""
    code = _code(declared)
    sample = text[: 10 * _CHECKED_WORDS]
    if code and _is_plausible(sample, code):
        return code
    by_script = _language_of_script(sample)
    if by_script:
        return by_script
    return _guess(text[:_SAMPLE_CHARACTERS]) if len(sample.split(None, _MIN_WORDS)) > _MIN_WORDS else code


_SCRIPTS = {
    "arabic": "\u0600-\u06ff",
    "armenian": "\u0530-\u058f",
    "bengali": "\u0980-\u09ff",
    "burmese": "\u1000-\u109f",
    "cyrillic": "\u0400-\u04ff",
    "devanagari": "\u0900-\u097f",
    "georgian": "\u10a0-\u10ff",
    "greek": "\u0370-\u03ff",
    "han": HAN,
    "hangul": "\uac00-\ud7af",
    "hebrew": "\u0590-\u05ff",
    "kana": HIRAGANA + KATAKANA,
    "khmer": "\u1780-\u17ff",
    "lao": "\u0e80-\u0eff",
    "latin": "a-zA-Z\u00c0-\u024f\u1e00-\u1eff",
    "sinhala": "\u0d80-\u0dff",
    "tamil": "\u0b80-\u0bff",
    "telugu": "\u0c00-\u0c7f",
    "thai": "\u0e00-\u0e7f",
}
"""The letters of scripts, by the names that the files of languages call them."""


_LETTERS = {script: re.compile(f"[{letters}]+") for script, letters in _SCRIPTS.items()}


# Scripts of one language only, the mixed one first: Japanese uses Han, too.
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


_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")


_MAX_WITHOUT_KANA = 20
"""Characters of Japanese that have no kana: longer texts always have some; a limit of taste."""


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


_MIN_SCRIPT_SHARE = 0.4  # of the letters of a text that is written in a script; a limit of taste


_MIN_STOP_WORD_SHARE = 0.18
"""Of the words of a text; a wrong language reaches 0.16, the right one 0.23 to 0.6."""


def _code(declared: str) -> str:
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    code = _OLD_CODES.get(code, code)
    return code if len(code) == 2 and _CODE.fullmatch(code) else ""


def _is_plausible(sample: str, code: str) -> bool:
    scripts = _scripts_of(code)
    if (
        not ("latin" in scripts and sample.isascii())
        and _share(_letters_of(code), sample) < _MIN_SCRIPT_SHARE
    ):
        return not sample.strip()
    if code == "ja" and len(sample) > _MAX_WITHOUT_KANA and not _KANA.search(sample):
        return False
    stops = stop_words(code)
    if code in UNSPACED or not stops:
        return True
    tokens = sample.lower().split(None, _CHECKED_WORDS)[:_CHECKED_WORDS]
    found = len(list(filter(stops.__contains__, tokens)))
    return len(tokens) < _MIN_WORDS or found >= _MIN_STOP_WORD_SHARE * len(tokens)


def _scripts_of(code: str) -> list[str]:
    """Return the scripts that a language is written in; Latin if it has no file."""
    return lexicon.split_patterns(lexicon.read_in_language("writing.scripts", code) or "latin")


@cache
def _letters_of(code: str) -> re.Pattern[str]:
    """Return what the letters of a language are, in all its scripts; what is no name of one is a range itself."""
    return re.compile(f"[{''.join(_SCRIPTS.get(script, script) for script in _scripts_of(code))}]+")


def _share(letters: re.Pattern[str], sample: str) -> float:
    visible = "".join(sample.split())
    return len("".join(letters.findall(visible))) / len(visible) if visible else 0.0


def _language_of_script(sample: str) -> str:
    if sample.isascii():
        return ""
    return next((code for letters, code, share in _OWN_SCRIPT if _share(letters, sample) >= share), "")


def _guess(sample: str) -> str:
    # Loading the model takes a second, and most crawls of pages that declare their language never need it.
    from py3langid import classify  # noqa: PLC0415

    return str(classify(sample)[0])
