"""Writing text in the encodings of the web (Encoding standard), as forms are sent.

Some labels name another encoding on the web than in Python, and an encoder of the web knows other characters than the decoder: GBK
writes the euro sign as one byte and lacks what GB18030 writes in four, Big5 writes no characters of Hong Kong, EUC-JP and ISO-2022-JP
have what Windows added to JIS X 0208 and lack JIS X 0212. A character that an encoding lacks is written as a decimal reference,
`&#8364;`.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from hiddenweb.html.charsets import encoding

if TYPE_CHECKING:
    from collections.abc import Callable

# The codecs that write an encoding, if they are not those that read it. Pages in UTF-16 send UTF-8, as do those that browsers cannot read.
_WRITERS = {
    "gbk": "gbk", "iso-2022-jp": "iso2022_jp", "utf-16le": "utf-8", "utf-16be": "utf-8", "replacement": "utf-8",
    "x-user-defined": "x-user-defined",
}  # fmt: skip
_WRITTEN_SMALL = ("gb18030", "macintosh", "windows-", "x-")
_WRITTEN_OTHERWISE = {"big5": "Big5", "shift_jis": "Shift_JIS"}
_EXCEPTIONS: dict[str, dict[str, bytes | None]] = {
    "koi8-u": {"ў": b"\xae", "Ў": b"\xbe", "╝": None, "╬": None},
    "cp1255": {"\u05ba": b"\xca"},
    "big5": {
        "╭": b"\xa2\x7e",
        "╮": b"\xa2\xa1",
        "╯": b"\xa2\xa3",
        "╰": b"\xa2\xa2",
        "仝": b"\xc6\xdf",
        "嘅": b"\xfb\x48",
        "廐": b"\xfb\xf9",
        "廴": b"\xc6\xcf",
        "悤": b"\xfc\x6c",
        "无": b"\xc6\xd3",
        "猪": b"\xfe\x52",
        "癶": b"\xc6\xd5",
        "隶": b"\xc6\xd7",
        **{chr(0x2400 + n): bytes((0xA3, 0xC0 + n)) for n in range(32)},
        "\u2421": b"\xa3\xe0",
    },
}
"""Characters that Python's codecs write differently from the Encoding standard (https://encoding.spec.whatwg.org/#indexes)."""

_EURO_IN_GBK = b"\x80"
_NEW_IN_GB18030 = {  # since 2022, when letters left the private use area
    "\u1e3f": b"\xa8\xbc", "\u9fb4": b"\xfe\x59", "\u9fb5": b"\xfe\x61", "\u9fb6": b"\xfe\x66",
    "\u9fb7": b"\xfe\x67", "\u9fb8": b"\xfe\x6d", "\u9fb9": b"\xfe\x7e", "\u9fba": b"\xfe\x90",
    "\u9fbb": b"\xfe\xa0", "\ufe10": b"\xa6\xd9", "\ufe11": b"\xa6\xdb", "\ufe12": b"\xa6\xda",
    "\ufe13": b"\xa6\xdc", "\ufe14": b"\xa6\xdd", "\ufe15": b"\xa6\xde", "\ufe16": b"\xa6\xdf",
    "\ufe17": b"\xa6\xec", "\ufe18": b"\xa6\xed", "\ufe19": b"\xa6\xf3", "\ue7c7": b"\x81\x35\xf4\x37",
}  # fmt: skip
_FIRST_OF_BIG5 = 0xA1  # lead byte: lower ones are Hong Kong's, and the standard never writes them
_SYMBOLS_OF_BIG5 = (0xA1, 0xA2, 0xA3)
"""Lead bytes of the rows of symbols, which the standard writes as Windows does."""

_CELLS_OF_ROW = 94  # cells of a row, and rows of a table, in JIS X 0208 (the Encoding standard divides by 94)
_ASCII, _ROMAN, _WIDE = b"\x1b(B", b"\x1b(J", b"\x1b$B"  # what begins letters of a set in ISO-2022-JP
_VOICED = {"\uff9e": "\u309b", "\uff9f": "\u309c"}  # marks that would join the letter before
_SHIFTS = "\x0e\x0f\x1b"
_LEAD_BYTES_OF_NEC = (0xED, 0xEE)
"""Lead bytes of NEC's copies of IBM's letters, which the standard does not write."""

_HALF_WIDTH = range(0xFF61, 0xFFA0)  # code points of the half-width katakana
_LIKE_OTHERS = str.maketrans({"\u2212": "\uff0d"})  # a minus sign, which Windows writes as a wide hyphen


def encode(text: str, charset: str) -> bytes:
    """Return a text in an encoding of the web, with references for what it lacks.

    >>> encode("für 5 €", "iso-8859-1").decode("cp1252"), encode("日", "latin1")
    ('für 5 €', b'&#26085;')
    """
    codec = codec_of(charset)
    if codec == "utf-8":
        return text.encode("utf-8", "replace")
    if codec == "iso2022_jp":
        return _encode_iso_2022_jp(text)
    if text.isascii():
        return text.encode("ascii")
    write = _SPECIAL.get(codec) or partial(_encode_one_byte, codec)
    return b"".join([_write_reference(write(character), character) for character in text])


def web_name(charset: str) -> str:
    """Return the name a browser gives an encoding in a field called _charset_.

    >>> web_name("latin1"), web_name("gb2312"), web_name("iso-8859-2")
    ('windows-1252', 'GBK', 'ISO-8859-2')
    """
    name, codec = _name_and_codec(charset)
    if codec == "utf-8":
        return "UTF-8"
    return _WRITTEN_OTHERWISE.get(name) or (name if name.startswith(_WRITTEN_SMALL) else name.upper())


def codec_of(charset: str) -> str:
    """Return Python's name for the encoding that browsers use for a label; UTF-8 for unknown labels."""
    return _name_and_codec(charset)[1]


@lru_cache(maxsize=256)
def _name_and_codec(charset: str) -> tuple[str, str]:
    name = (encoding(charset) or ("utf-8",))[0]
    _, codec = encoding(name) or ("", "utf-8")
    return name, _WRITERS.get(name, codec)


def _write_reference(written: bytes | None, character: str) -> bytes:
    return b"&#%d;" % ord(character) if written is None else written


def _encode_one_byte(codec: str, character: str) -> bytes | None:
    written = _try_encode(character, codec)
    if codec in _EXCEPTIONS and character in _EXCEPTIONS[codec]:
        return _EXCEPTIONS[codec][character]
    if written is None and "\x80" <= character < "\xa0" and codec.startswith(("cp125", "cp874")):
        byte = character.encode("latin-1")
        return byte if byte.decode(codec, "replace") == "\ufffd" else None
    return written


def _encode_gb18030(character: str) -> bytes | None:
    if character in _NEW_IN_GB18030:
        return _NEW_IN_GB18030[character]
    return None if character == "\ue5e5" else _try_encode(character, "gb18030")


def _encode_gbk(character: str) -> bytes | None:
    if character == "€":
        return _EURO_IN_GBK
    written = _encode_gb18030(character)
    return written if written is not None and len(written) < 4 else None


def _encode_big5(character: str) -> bytes | None:
    if character.isascii():
        return character.encode("ascii")
    if character in _EXCEPTIONS["big5"]:
        return _EXCEPTIONS["big5"][character]
    written = _try_encode(character, "big5hkscs")
    if written is None or (
        written[0] in _SYMBOLS_OF_BIG5 and written.decode("cp950", "replace") != character
    ):
        written = _try_encode(character, "cp950")
        if written is None or written[0] not in _SYMBOLS_OF_BIG5 or written.decode("cp950") != character:
            return None
    return written if written[0] >= _FIRST_OF_BIG5 else None


def _encode_shift_jis(character: str) -> bytes | None:
    written = _encode_cp932(character)
    if written is not None and written[0] in _LEAD_BYTES_OF_NEC and len(written) == 2:
        return _ibm_characters().get(character, written)
    return written


def _encode_cp932(character: str) -> bytes | None:
    if character in "\xa5\u203e":
        return b"\\" if character == "\xa5" else b"~"
    character = character.translate(_LIKE_OTHERS)
    written = _try_encode(character, "cp932")
    is_private = "\ue000" <= character < "\uf900"
    return (
        written if written is not None and not is_private and written.decode("cp932") == character else None
    )


def _encode_euc_jp(character: str) -> bytes | None:
    if character == "\x80":
        return None
    if ord(character) in _HALF_WIDTH:
        return bytes((0x8E, ord(character) - 0xFF61 + 0xA1))
    written = _encode_cp932(character)
    if written is None or len(written) == 1:
        return written
    row, cell = _row_and_cell(written)
    return bytes((row + 0xA1, cell + 0xA1)) if row < _CELLS_OF_ROW else None


def _encode_iso_2022_jp(text: str) -> bytes:
    """Return a text whose letters of each set follow an escape; half-width kana become wide ones."""
    pieces: list[bytes] = []
    state = _ASCII
    for each in text:
        written = None if each in _SHIFTS else _encode_euc_jp(_wide(each))
        if each in "\xa5\u203e":
            wanted = _ROMAN
        elif written is not None and len(written) == 2:
            wanted, written = _WIDE, bytes(byte & 0x7F for byte in written)
        else:
            wanted = _ROMAN if state == _ROMAN and each not in "\\~" else _ASCII
        if wanted != state:
            pieces.append(wanted)
            state = wanted
        pieces.append(_write_reference(written, each))
    return b"".join([*pieces, _ASCII] if state != _ASCII else pieces)


def _wide(character: str) -> str:
    if ord(character) not in _HALF_WIDTH:
        return character
    return _VOICED.get(character) or unicodedata.normalize("NFKC", character)


def _row_and_cell(written: bytes) -> tuple[int, int]:
    """Return the row and the cell in JIS X 0208, from 0, of a character of two bytes in Shift_JIS."""
    first = written[0] - (0x81 if written[0] < 0xA0 else 0xC1)
    second = written[1] - (0x40 if written[1] < 0x7F else 0x41)
    return 2 * first + second // _CELLS_OF_ROW, second % _CELLS_OF_ROW


@lru_cache(maxsize=1)
def _ibm_characters() -> dict[str, bytes]:
    """Return the letters that Shift_JIS has twice; Python writes the first code and the web the second."""
    pairs = (bytes((first, second)) for first in range(0xFA, 0xFD) for second in range(0x40, 0xFD))
    return {pair.decode("cp932", "replace"): pair for pair in pairs}


def _encode_private(character: str) -> bytes | None:
    number = ord(character)
    if number < 0x80:
        return bytes((number,))
    return bytes((number - 0xF700,)) if 0xF780 <= number < 0xF800 else None


def _try_encode(character: str, codec: str) -> bytes | None:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return None


_SPECIAL: dict[str, Callable[[str], bytes | None]] = {
    "gbk": _encode_gbk,
    "gb18030": _encode_gb18030,
    "big5hkscs": _encode_big5,
    "cp932": _encode_shift_jis,
    "euc_jp": _encode_euc_jp,
    "x-user-defined": _encode_private,
}
