"""Which charset a page is in, told as browsers tell it: by mark, header, declaration, and at last by guessing."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from charset_normalizer import from_bytes

_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_PRESCANNED = 4_096  # bytes searched for a declaration; the standard says 1,024, browsers look further
_GUESSED_FROM = 20_000  # bytes

# Python's name of a codec -> the standard's name, and the codec that decodes as browsers do.
_ENCODINGS = {
    "utf-8": ("utf-8", "utf-8"), "ascii": ("windows-1252", "cp1252"), "iso8859-1": ("windows-1252", "cp1252"),
    "iso8859-9": ("windows-1254", "cp1254"), "iso8859-11": ("windows-874", "cp874"), "tis-620": ("windows-874", "cp874"),
    "gb2312": ("gbk", "gb18030"), "gbk": ("gbk", "gb18030"), "gb18030": ("gb18030", "gb18030"),
    "big5": ("big5", "big5hkscs"), "big5hkscs": ("big5", "big5hkscs"), "shift_jis": ("shift_jis", "cp932"),
    "cp932": ("shift_jis", "cp932"), "euc_jp": ("euc-jp", "euc_jp"), "iso2022_jp": ("iso-2022-jp", "iso2022_jp"),
    "euc_kr": ("euc-kr", "cp949"), "cp949": ("euc-kr", "cp949"), "koi8-r": ("koi8-r", "koi8-r"),
    "koi8-u": ("koi8-u", "koi8-u"), "mac-roman": ("macintosh", "mac-roman"), "cp866": ("ibm866", "cp866"),
    "mac-cyrillic": ("x-mac-cyrillic", "mac-cyrillic"), "cp874": ("windows-874", "cp874"),
    "utf-16": ("utf-16le", "utf-16-le"), "utf-16-le": ("utf-16le", "utf-16-le"), "utf-16-be": ("utf-16be", "utf-16-be"),
    **{f"cp125{n}": (f"windows-125{n}", f"cp125{n}") for n in range(9)},
    **{f"iso8859-{n}": (f"iso-8859-{n}", f"iso8859-{n}") for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}  # fmt: skip
_NOT_IN_PYTHON = {
    **dict.fromkeys(("iso-8859-8-i", "csiso88598i", "logical"), ("iso-8859-8-i", "iso8859-8")),
    "x-user-defined": ("x-user-defined", "cp1252"),
}
_LABELS = {
    "x-sjis": "shift_jis", "windows-31j": "cp932", "x-gbk": "gbk", "x-x-big5": "big5", "x-euc-jp": "euc_jp",
    "windows-949": "cp949", "dos-874": "cp874", "windows-874": "cp874", "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-roman": "mac-roman", "macintosh": "mac-roman", "visual": "iso8859-8",
    "koi": "koi8-r", "koi8": "koi8-r", "koi8-ru": "koi8-u", "unicode": "utf-16-le", "unicodefffe": "utf-16-be",
    "x-unicode20utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
    **{f"x-cp125{n}": f"cp125{n}" for n in range(9)},
}  # fmt: skip


def as_utf8(body: bytes, content_type: str, marks: list[str]) -> tuple[bytes, str]:
    """Return the page in UTF-8, and the charset it came in."""
    charset, codec, length = _charset_of_mark(body) or (*_declared_charset(body, content_type), 0)
    if not codec:
        charset, codec = _guessed_charset(body, marks)
    body = body[length:]
    try:
        text = body.decode(codec)
    except UnicodeDecodeError:
        text = body.decode(codec, "replace")
        if not _is_only_cut_short(body, text, marks):
            marks.append("bad_charset")
    else:
        if codec == "utf-8":
            return body, charset
    return text.encode("utf-8", "replace"), charset


def _charset_of_mark(body: bytes) -> tuple[str, str, int] | None:
    if body.startswith(codecs.BOM_UTF8):
        return "utf-8", "utf-8", 3
    if body.startswith(codecs.BOM_UTF16_LE):
        return "utf-16le", "utf-16-le", 2
    if body.startswith(codecs.BOM_UTF16_BE):
        return "utf-16be", "utf-16-be", 2
    return None


def _declared_charset(body: bytes, content_type: str) -> tuple[str, str]:
    header = _HEADER_CHARSET.search(content_type)
    if header and (known := encoding(header[1])):
        return known
    head = body[:_PRESCANNED]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    declared = _META_CHARSET.search(head) or _XML_CHARSET.match(head)
    known = encoding(declared[1].decode("latin-1")) if declared else None
    if known and known[0].startswith("utf-16"):
        return "utf-8", "utf-8"  # what reads as ASCII up to here is no UTF-16
    return known or ("", "")


@lru_cache(maxsize=256)
def encoding(label: str) -> tuple[str, str] | None:
    """Return what a label of a charset means on the web: the standard's name, and the codec that decodes so."""
    label = label.strip().lower()
    if label in _NOT_IN_PYTHON:
        return _NOT_IN_PYTHON[label]
    try:
        return _ENCODINGS.get(codecs.lookup(_LABELS.get(label, label)).name)
    except (LookupError, ValueError):
        return None


def _guessed_charset(body: bytes, marks: list[str]) -> tuple[str, str]:
    if b"\0" in body[:200] and (wide := _wide_charset(body[:400])):
        marks.append("charset_guessed")
        return wide
    if body.isascii():
        return "windows-1252", "cp1252"  # as browsers take it, which matters for what its forms send
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(body) - 3:
            return "utf-8", "utf-8"
    else:
        return "utf-8", "utf-8"
    marks.append("charset_guessed")
    sample = _telling_part(body)
    best = from_bytes(sample, steps=5, chunk_size=512).best()
    known = encoding(best.encoding) if best else None
    if known is None or sample.decode(known[1], "replace") == sample.decode("cp1252", "replace"):
        return "windows-1252", "cp1252"  # what browsers take where others would do as well
    return known


def _wide_charset(start: bytes) -> tuple[str, str] | None:
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) < len(start) // 4:
        return None
    return ("utf-16le", "utf-16-le") if odd > even else ("utf-16be", "utf-16-be")


def _telling_part(body: bytes) -> bytes:
    """Return the lines with other than ASCII letters in them: markup says nothing about a charset."""
    runs = re.findall(rb"[^<>]*[\x80-\xff][^<>]*", body[: 10 * _GUESSED_FROM])
    return b"\n".join(runs)[:_GUESSED_FROM]


def _is_only_cut_short(body: bytes, text: str, marks: list[str]) -> bool:
    return "truncated" in marks and text.find("\ufffd") >= len(text) - 1 and not body.endswith(b"\xff")
