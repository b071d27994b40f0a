"""Text in the encodings of the web. The bytes are those that Chromium sends for a form with that accept-charset."""

from __future__ import annotations

import pytest

from hiddenweb.forms.encodings import codec_of, encode, web_name


@pytest.mark.parametrize(
    ("charset", "text", "expected"),
    [
        ("utf-8", "é€😀", "é€😀".encode()),
        ("utf-16", "é", b"\xc3\xa9"),
        ("no such charset", "é", b"\xc3\xa9"),
        ("latin1", "é€ő", b"\xe9\x80&#337;"),
        ("windows-1252", "\x81\x80", b"\x81&#128;"),
        ("iso-8859-9", "ğ€", b"\xf0\x80"),
        ("tis-620", "ก\x81", b"\xa1\x81"),
        ("windows-1255", "\u05ba", b"\xca"),
        ("koi8-u", "їўЎ╝", b"\xa7\xae\xbe&#9565;"),
        ("shift_jis", "日ｶ①纊¥‾−〜¢", b"\x93\xfa\xb6\x87@\xfa\\\\~\x81\x7c&#12316;&#162;"),
        ("euc-jp", "日ｶ①纊¥−〜丂", b"\xc6\xfc\x8e\xb6\xad\xa1\xf9\xa1\\\xa1\xdd&#12316;&#19970;"),
        ("iso-2022-jp", "a日ｶﾞ①\x1b", b"a\x1b$BF|%+!+-!\x1b(B&#27;"),
        ("iso-2022-jp", "¥a\\", b"\x1b(J\\a\x1b(B\\"),
        ("euc-kr", "검똠é", b"\xb0\xcb\x8cc&#233;"),
        ("gbk", "书€ḿ龴😀", b"\xca\xe9\x80\xa8\xbc\xfeY&#128512;"),
        ("gb2312", "丂", b"\x81@"),
        ("gb18030", "书€ḿ😀", b"\xca\xe9\xa2\xe3\xa8\xbc\x949\xfc6"),
        ("big5", "搜啫￠¢∕═嗀猪␀", b"\xb7j&#21867;\xa2F&#162;\xa2A\xf9\xf9\xdc\xd1\xfeR\xa3\xc0"),
        ("big5", "A 搜 1", b"A \xb7j 1"),
        ("x-user-defined", "a\uf7e9é", b"a\xe9&#233;"),
    ],
)
def test_text_is_written_as_browsers_write_it(charset: str, text: str, expected: bytes) -> None:
    assert encode(text, charset) == expected


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("UTF8", "UTF-8"),
        ("utf-16le", "UTF-8"),
        ("iso-8859-1", "windows-1252"),
        ("iso-8859-2", "ISO-8859-2"),
        ("iso-8859-8-i", "ISO-8859-8-I"),
        ("gb2312", "GBK"),
        ("gb18030", "gb18030"),
        ("sjis", "Shift_JIS"),
        ("euc-jp", "EUC-JP"),
        ("ks_c_5601-1987", "EUC-KR"),
        ("big5", "Big5"),
        ("koi8-r", "KOI8-R"),
        ("ibm866", "IBM866"),
        ("macintosh", "macintosh"),
        ("windows-874", "windows-874"),
        ("x-user-defined", "x-user-defined"),
    ],
)
def test_encodings_have_the_names_that_browsers_send(charset: str, name: str) -> None:
    assert web_name(charset) == name


def test_a_label_with_a_nul_is_no_encoding() -> None:
    assert codec_of("utf\0") == "utf-8"
