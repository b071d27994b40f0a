"""Breaking the lines of a text area with `wrap=hard`, which sends its text as it is shown.

The HTML standard leaves the places to the browser. Chromium breaks where it lays out the text, so three rules were learnt from it:

- How much a line holds. A text area of `cols` columns has the width of that many average letters, rounded up, and additional room for a
  scroll bar. Headless Chromium never shows that bar, so letters stand there, too: most often one letter more than `cols`.
- Where a line may end: after white space, which may be outside the line; and within words after `-` and `?` and before an opening
  bracket. Between signs for whole words or syllables, as in Chinese, it may end anywhere except before closing and after opening signs.
- A word that is longer than a line is cut at the end of the line.

All letters are assumed to be equally wide, as in the fonts for text areas; letters that such a font lacks may be wider.
"""

from __future__ import annotations

import re
import unicodedata
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTER, _AVERAGE_LETTER, _BAR = 8.0242, 8.0273, 15
"""Pixels in Chromium: of a letter of DejaVu Sans Mono at 13.3333 pixels, of its average letter as the font says, and of the scroll bar
(`python -m benchmarks forms` compares)."""

_TAB = 8  # columns between two tab stops, as terminals and browsers have them
_WORDS = re.compile(r"([^ \t]*)([ \t]*)")
_SIGNS = "\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_CLOSING = "\u3001\u3002\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
_OPENING = "\u3008\u300a\u300c\u300e\u3010\uff08"
_SIGN = re.compile(r"-(?=\d|[^\W\x00-\x7f])|\u2013(?=[^\W\d_])")
"""A sign that belongs to the number or the word behind it at the beginning of a line."""

_MAY_END = re.compile(
    rf"(?<=[!\"#%&)*+,.:;=>\\\]|}}~])(?=[(<\[{{])"
    r"|(?<=\?)(?=[^!\"'),./:;?\]}])"
    r"|(?<=-)(?=[^!$),./:;?\]}0-9\x80-\U0010ffff])|(?<=[0-9A-Za-z]-)(?=[0-9])|(?<=\S-)(?=[^\W\d_])"
    r"|(?<=[/!|}])(?=[^\W_\x00-\x7f])"
    r"|(?<=\u2014)(?=\w)|(?<=[^\u2014(\[{])(?=\u2014)|(?<=\S\u2013)(?=[^\W\d_])|(?<=\u2013)(?=\d)"
    rf"|(?<=[{_SIGNS}{_CLOSING}])(?=[{_SIGNS}{_OPENING}\w])|(?<=[^\W])(?=[{_SIGNS}{_OPENING}])"
)


def wrap_text(text: str, columns: int) -> str:
    """Return a text with a line feed where a text area of so many columns begins a new line.

    >>> wrap_text("one two three four", 10).split(chr(10))
    ['one two ', 'three four']
    """
    room = int((ceil(columns * _AVERAGE_LETTER) + _BAR) / _LETTER)
    return "\n".join(line for paragraph in text.split("\n") for line in _lines(paragraph, room))


def _lines(paragraph: str, room: int) -> Iterator[str]:
    line, width, sign = "", 0, ""
    for following, spaces in _pieces(paragraph):
        if sign and not _SIGN.match(sign + following):
            line, width, sign = sign, 1, ""
        piece, sign = sign + following, ""
        if line and piece and width + _width(piece) > room:
            yield line
            line, width = "", 0
        if _width(piece) > room:
            *full, piece = _cut(piece, room)
            yield from full
            if piece in ("-", "\u2013") and not spaces:
                sign = piece
                continue
        line += piece + spaces
        width = _width_with_space(spaces, width + _width(piece))
    yield line + sign


def _pieces(paragraph: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces in which no line may end, each with the white space behind it."""
    for word, spaces in _WORDS.findall(paragraph):
        *inner, last = _MAY_END.split(word)
        yield from ((piece, "") for piece in inner)
        yield last, spaces


def _cut(piece: str, room: int) -> list[str]:
    """Return a piece in parts that each fill a line, except the last; accents stay with their letters."""
    parts, width = [""], 0
    for letter in piece:
        own = _width(letter)
        if width + own > room:
            parts.append("")
            width = 0
        parts[-1] += letter
        width += own
    return parts


def _width(text: str) -> int:
    """Return how many letters wide a text is: accents and invisible characters have no width."""
    if text.isascii():
        return len(text)
    return sum(unicodedata.category(letter) not in ("Mn", "Me", "Cf") for letter in text)


def _width_with_space(spaces: str, width: int) -> int:
    """Return how wide a line is with white space at its end."""
    if "\t" not in spaces:
        return width + len(spaces)
    for space in spaces:
        width = width + 1 if space == " " else (width // _TAB + 1) * _TAB
    return width
