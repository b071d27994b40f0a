"""Which charset a page is in, found as browsers find it: by byte order mark, header, declaration, and at last by guessing."""

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

# The labels of the Encoding standard, under the names of its encodings.
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "ibm866": "866 cp866 csibm866 ibm866",
    "iso-8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso-8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso-8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso-8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
    "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
    "iso_8859-7:1987 sun_eu_greek",
    "iso-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
    "iso_8859-8:1988 visual",
    "iso-8859-8-i": "csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "macintosh": "csmacintosh mac macintosh x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1250": "cp1250 windows-1250 x-cp1250",
    "windows-1251": "cp1251 windows-1251 x-cp1251",
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
    "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "windows-1253": "cp1253 windows-1253 x-cp1253",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
    "windows-1254 x-cp1254",
    "windows-1255": "cp1255 windows-1255 x-cp1255",
    "windows-1256": "cp1256 windows-1256 x-cp1256",
    "windows-1257": "cp1257 windows-1257 x-cp1257",
    "windows-1258": "cp1258 windows-1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gbk": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc-kr": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    "utf-16be": "unicodefffe utf-16be",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "x-user-defined": "x-user-defined",
}
WEB_LABELS = {label: name for name, labels in _LABELS.items() for label in labels.split()}

# The codecs that decode as browsers do, if they have another name; some lack a few characters.
_CODECS = {
    "ibm866": "cp866", "iso-8859-8-i": "iso8859-8", "macintosh": "mac-roman", "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic", "gbk": "gb18030", "big5": "big5hkscs", "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp", "shift_jis": "cp932", "euc-kr": "cp949", "replacement": "cp1252",
    "utf-16be": "utf-16-be", "utf-16le": "utf-16-le", "x-user-defined": "cp1252",
    **{f"windows-125{n}": f"cp125{n}" for n in range(9)},
}  # fmt: skip

# Other names of the same encodings: Python's own, and those of variants with more or fewer letters in the same bytes.
_VARIANTS = {
    "cp874": "windows-874", "tis-620": "windows-874", "iso8859-11": "windows-874", "mac-roman": "macintosh",
    "mac-cyrillic": "x-mac-cyrillic", "cp932": "shift_jis", "shift_jis_2004": "shift_jis", "shift_jisx0213": "shift_jis",
    "euc_jp": "euc-jp", "euc_jis_2004": "euc-jp", "euc_jisx0213": "euc-jp", "euc_kr": "euc-kr", "cp949": "euc-kr",
    "big5hkscs": "big5", "cp950": "big5", "iso8859-16": "iso-8859-16", "utf-8-sig": "utf-8",
    "utf-16-le": "utf-16le", "utf-16-be": "utf-16be",
    **dict.fromkeys(("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3", "iso2022_jp_ext"), "iso-2022-jp"),
}  # fmt: skip

# Encodings that no browser knows, with their own bytes. A page that declares one is read as declared. Its forms are sent
# in the encoding of the web for the same letters, since browsers cannot send any other.
_NOT_ON_WEB = {
    **dict.fromkeys(("cp437", "cp850", "cp858", "cp860", "cp861", "cp863", "cp865", "hp-roman8", "mac-iceland"), "windows-1252"),
    **dict.fromkeys(("cp852", "mac-latin2", "mac-croatian", "mac-romanian"), "windows-1250"),
    **dict.fromkeys(("cp855", "cp1125", "koi8-t", "kz1048", "ptcp154"), "windows-1251"),
    **dict.fromkeys(("cp737", "cp869", "mac-greek"), "windows-1253"),
    **dict.fromkeys(("cp857", "mac-turkish"), "windows-1254"),
    **dict.fromkeys(("cp856", "cp862"), "windows-1255"),
    **dict.fromkeys(("cp720", "cp864", "cp1006", "mac-arabic", "mac-farsi"), "windows-1256"),
    "cp775": "windows-1257", "johab": "euc-kr", "hz": "replacement", "iso2022_kr": "replacement",
}  # fmt: skip

# Encodings that the detector does not try: no browser can read such pages, and short texts resemble many encodings.
NOT_GUESSED = (
    *sorted(codec.replace("-", "_") for codec in _NOT_ON_WEB),
    *(
        "cp037",
        "cp1026",
        "cp1140",
        "cp273",
        "cp424",
        "cp500",
        "cp875",
    ),  # of mainframes, where not even tags are ASCII
    *("utf_7", "utf_32", "utf_32_be", "utf_32_le"),
)
# Browsers show nothing of these, since a text could hide tags in them; we run no scripts, and read them.
_REPLACED = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr"}
_ESCAPES_OF_JIS = (b"\x1b$B", b"\x1b$@")
# JIS X 0208 as Windows reads it, and so the standard; Python reads its first edition.
_AS_WINDOWS = str.maketrans("\u301c\u2016\u2212\u00a2\u00a3\u00ac", "\uff5e\u2225\uff0d\uffe0\uffe1\uffe2")
_OF_JIS = frozenset({"euc_jp", "iso2022_jp"})
_SHIFTED = re.compile(rb"\x1b(\$[@B]|\([BJI])([^\x1b]*)")
_KANA = re.compile(rb"[\x21-\x5f]")
_HIGH = bytes(byte | 0x80 if 0x21 <= byte < 0x7F else byte for byte in range(256))


def convert_to_utf8(body: bytes, content_type: str, marks: list[str]) -> tuple[bytes, str]:
    """Return the page in UTF-8, and the charset it came in."""
    charset, codec, length = _charset_of_mark(body) or (*_charset_declaration(body, content_type), 0)
    if not codec:
        charset, codec = _guess_charset(body, marks)
    body = body[length:]
    try:
        text = _decode(body, codec)
    except UnicodeDecodeError:
        text = _decode(body, codec, "replace")
        if not _is_only_cut_short(body, text, marks):
            marks.append("bad_charset")
    else:
        if codec == "utf-8":
            return body, charset
    return text.encode("utf-8", "replace"), charset


def _decode(body: bytes, codec: str, errors: str = "strict") -> str:
    if codec in _OF_JIS:
        body = body if codec == "euc_jp" else _SHIFTED.sub(_to_euc_jp, body)
        return body.decode("euc_jp", _ADDED[errors]).translate(_AS_WINDOWS)
    return body.decode(codec, errors)


def _to_euc_jp(shifted: re.Match[bytes]) -> bytes:
    """Write what follows an escape of ISO-2022-JP in EUC-JP: wide letters, half-width kana, or ASCII."""
    escape, letters = shifted.groups()
    if escape.startswith(b"$"):
        return letters.translate(_HIGH)
    if escape == b"(I":
        return _KANA.sub(lambda kana: b"\x8e%c" % (kana[0][0] | 0x80), letters)
    return letters


def _read_windows_extension(error: UnicodeError) -> tuple[str, int]:
    """Read two bytes of EUC-JP in the rows that Windows added to JIS X 0208: circled digits, units, rare kanji."""
    assert isinstance(error, UnicodeDecodeError)
    row, cell = (byte - 0xA1 for byte in error.object[error.start : error.start + 2].ljust(2, b"\0"))
    if not (0 <= row < 94 and 0 <= cell < 94):
        raise error
    first = row // 2 + (0x81 if row < 62 else 0xC1)
    second = cell + (0x9F if row % 2 else 0x40 if cell < 63 else 0x41)
    return bytes((first, second)).decode("cp932"), error.start + 2


def _extend_or_replace(error: UnicodeError) -> tuple[str, int]:
    try:
        return _read_windows_extension(error)
    except UnicodeDecodeError:
        text, end = codecs.replace_errors(error)
        return str(text), end


_ADDED = {"strict": "hiddenweb-added-by-windows", "replace": "hiddenweb-added-or-replaced"}
codecs.register_error(_ADDED["strict"], _read_windows_extension)
codecs.register_error(_ADDED["replace"], _extend_or_replace)


def _charset_of_mark(body: bytes) -> tuple[str, str, int] | None:
    if body.startswith(codecs.BOM_UTF8):
        return "utf-8", "utf-8", 3
    if body.startswith(codecs.BOM_UTF16_LE):
        return "utf-16le", "utf-16-le", 2
    if body.startswith(codecs.BOM_UTF16_BE):
        return "utf-16be", "utf-16-be", 2
    return None


def _charset_declaration(body: bytes, content_type: str) -> tuple[str, str]:
    header = _HEADER_CHARSET.search(content_type)
    if header and (known := encoding(header[1])):
        return known
    head = body[:_PRESCANNED]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    declared = _META_CHARSET.search(head) or _XML_CHARSET.match(head)
    known = encoding(declared[1].decode("latin-1")) if declared else None
    if known and known[0].startswith("utf-16"):
        return "utf-8", "utf-8"  # text that is ASCII up to here is no UTF-16
    return known or ("", "")


@lru_cache(maxsize=256)
def encoding(label: str) -> tuple[str, str] | None:
    """Return the meaning of a charset's name on the web: the standard's name, and the codec that decodes it.

    Names that browsers do not know are understood if their meaning is clear: `cp932`, `euc_jis_2004`, `cp850`.
    """
    if known := web_encoding(label):
        return known
    try:
        codec = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return None
    if codec in _NOT_ON_WEB:
        return _NOT_ON_WEB[codec], codec
    return web_encoding(_VARIANTS.get(codec, codec))


@lru_cache(maxsize=256)
def web_encoding(label: str) -> tuple[str, str] | None:
    """Return the meaning of a label for browsers; None if they do not know it."""
    label = label.strip(" \t\n\f\r").lower()
    name = WEB_LABELS.get(label)
    if name is None:
        return None
    if name == "replacement":
        return name, _REPLACED.get(label, _CODECS[name])
    return name, _CODECS.get(name, name.replace("iso-8859", "iso8859"))


def _guess_charset(body: bytes, marks: list[str]) -> tuple[str, str]:
    if b"\0" in body[:200] and (wide := _wide_charset(body[:400])):
        marks.append("charset_guessed")
        return wide
    if body.isascii():
        if any(escape in body for escape in _ESCAPES_OF_JIS):
            marks.append("charset_guessed")
            return "iso-2022-jp", _CODECS["iso-2022-jp"]
        return "windows-1252", "cp1252"  # as browsers take it, which matters for what its forms send
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(body) - 3:
            return "utf-8", "utf-8"
    else:
        return "utf-8", "utf-8"
    marks.append("charset_guessed")
    sample = _informative_part(body)
    best = from_bytes(sample, steps=5, chunk_size=512, cp_exclusion=list(NOT_GUESSED)).best()
    known = encoding(best.encoding) if best else None
    if known is None or sample.decode(known[1], "replace") == sample.decode("cp1252", "replace"):
        return "windows-1252", "cp1252"  # what browsers take where others would do as well
    return known


def _wide_charset(start: bytes) -> tuple[str, str] | None:
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) < len(start) // 4:
        return None
    return ("utf-16le", "utf-16-le") if odd > even else ("utf-16be", "utf-16-be")


def _informative_part(body: bytes) -> bytes:
    """Return the lines with other than ASCII letters in them: markup says nothing about a charset."""
    runs = re.findall(rb"[^<>]*[\x80-\xff][^<>]*", body[: 10 * _GUESSED_FROM])
    return b"\n".join(runs)[:_GUESSED_FROM]


def _is_only_cut_short(body: bytes, text: str, marks: list[str]) -> bool:
    return "truncated" in marks and text.find("\ufffd") >= len(text) - 1 and not body.endswith(b"\xff")
