"""Which charset a page is in, and what it says then."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from charset_normalizer import from_bytes
from charset_normalizer.constant import IANA_SUPPORTED

from hiddenweb.forms.encodings import encode, web_name
from hiddenweb.forms.submission import build_submission
from hiddenweb.html.charsets import NOT_GUESSED, WEB_LABELS, convert_to_utf8, encoding, web_encoding
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as BrowserPage

# The names of the Encoding standard as browsers write them, and how many labels each has there.
STANDARD = {
    "UTF-8": 6, "IBM866": 4, "ISO-8859-2": 9, "ISO-8859-3": 9, "ISO-8859-4": 9, "ISO-8859-5": 8, "ISO-8859-6": 14,
    "ISO-8859-7": 12, "ISO-8859-8": 11, "ISO-8859-8-I": 3, "ISO-8859-10": 7, "ISO-8859-13": 3, "ISO-8859-14": 3,
    "ISO-8859-15": 6, "ISO-8859-16": 1, "KOI8-R": 5, "KOI8-U": 2, "macintosh": 4, "windows-874": 6, "windows-1250": 3,
    "windows-1251": 3, "windows-1252": 17, "windows-1253": 3, "windows-1254": 12, "windows-1255": 3, "windows-1256": 3,
    "windows-1257": 3, "windows-1258": 3, "x-mac-cyrillic": 2, "GBK": 9, "gb18030": 1, "Big5": 5, "EUC-JP": 3,
    "ISO-2022-JP": 2, "Shift_JIS": 8, "EUC-KR": 10, "replacement": 6, "UTF-16BE": 2, "UTF-16LE": 7, "x-user-defined": 1,
}  # fmt: skip
SENT_IN_UTF8 = {"replacement", "UTF-16BE", "UTF-16LE"}
JAPANESE = "図書館の目録を検索します。本の題名または著者の名前を入力して、ボタンを押してください。"


def text_of(body: bytes, content_type: str = "text/html") -> tuple[str, str]:
    source, charset = convert_to_utf8(body, content_type, [])
    return source.decode(), charset


def test_every_encoding_of_the_standard_is_known_by_all_its_labels() -> None:
    counted = dict.fromkeys((name.lower() for name in STANDARD), 0)
    for name in WEB_LABELS.values():
        counted[name] += 1

    assert counted == {name.lower(): labels for name, labels in STANDARD.items()}


@pytest.mark.parametrize("name", STANDARD)
def test_every_label_decodes_and_is_sent_as_browsers_send_it(name: str) -> None:
    for label in (label for label, meant in WEB_LABELS.items() if meant == name.lower()):
        assert (known := web_encoding(f" {label.upper()}\n")) is not None
        assert known[0] == name.lower()
        assert "".encode(known[1]) == b""
        assert web_name(label) == ("UTF-8" if name in SENT_IN_UTF8 else name)


@pytest.mark.parametrize("name", sorted(set(IANA_SUPPORTED) - set(NOT_GUESSED)))
def test_every_charset_that_may_be_guessed_is_one_of_the_web(name: str) -> None:
    known = encoding(name)

    assert known is not None
    assert known == encoding(known[0])
    assert web_encoding(known[0]) == known


@pytest.mark.parametrize("name", sorted(set(IANA_SUPPORTED) & set(NOT_GUESSED)))
def test_a_charset_that_no_browser_knows_is_read_as_declared_and_sent_as_another(name: str) -> None:
    known = encoding(name)

    assert web_encoding(name) is None
    if known is None:  # not even its tags could be read
        assert "<".encode(name) != b"<" or name == "utf_7"
    else:
        assert "<p>".encode(known[1]) == b"<p>"
        assert web_encoding(known[0]) is not None


def test_the_detector_is_not_asked_for_what_is_no_charset_to_it() -> None:
    sample = "Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp852")

    found = {match.encoding for match in from_bytes(sample, cp_exclusion=list(NOT_GUESSED))}

    assert found
    assert found.isdisjoint(NOT_GUESSED)


@pytest.mark.parametrize("name", ["euc-jp", "shift_jis", "iso-2022-jp"])
@pytest.mark.parametrize("more", ["", "①㈱纊～−￠￡￢"], ids=["plain", "added by Windows"])
def test_japanese_pages_that_declare_nothing_are_read(name: str, more: str) -> None:
    body = encode(f"<title>x</title><p>{JAPANESE}{more}ｶﾅ</p>", name)

    page = read_page(body, "http://a.example/", content_type="text/html")

    kana = "カナ" if name == "iso-2022-jp" else "ｶﾅ"  # a browser sends no half-width kana there
    wide = more.replace("−", "－")
    assert page.charset == name
    assert page.language == "ja"
    assert page.text == JAPANESE + wide + kana


def test_half_width_kana_of_iso_2022_jp_are_read() -> None:
    source = "<p>ｶﾀｶﾅ</p>".encode("iso2022_jp_ext")

    assert text_of(source, "text/html; charset=iso-2022-jp")[0] == "<p>ｶﾀｶﾅ</p>"


@pytest.mark.parametrize(
    "body", [b"<p>\xa4\xa2\xff\xa4", b"<p>\xa4\xa2\xa4\x20x", b"<p>\x8f\xff\xffx", b"<p>\xf8\xff"]
)
def test_broken_euc_jp_costs_the_broken_letters_only(body: bytes) -> None:
    marks: list[str] = []
    source, charset = convert_to_utf8(body, "text/html; charset=euc-jp", marks)

    assert charset == "euc-jp"
    assert marks == ["bad_charset"]
    assert source.decode().startswith("<p>")


@pytest.mark.parametrize(
    ("label", "words", "codec", "sent"),
    [
        ("euc_jis_2004", "日本", "euc_jis_2004", "EUC-JP"),
        ("cp850", "für", "cp850", "windows-1252"),
        ("ibm852", "kůň", "cp852", "windows-1250"),
        ("johab", "한글", "johab", "EUC-KR"),
        ("hz-gb-2312", "图书馆", "hz", "UTF-8"),
        ("cp950", "圖書館", "cp950", "Big5"),
        ("utf-7", "für", "utf-8", "UTF-8"),  # what no browser reads counts as not declared
        ("utf-32", "für", "utf-8", "UTF-8"),
        ("cp500", "für", "utf-8", "UTF-8"),
    ],
)
def test_other_names_in_a_declaration_mean_something_too(
    label: str, words: str, codec: str, sent: str
) -> None:
    text, charset = text_of(f"<p>{words}</p>".encode(codec), f"text/html; charset={label}")

    assert text == f"<p>{words}</p>"
    assert web_name(charset) == sent


def test_a_form_on_a_page_in_euc_jp_is_sent_in_euc_jp() -> None:
    body = encode(
        f"<title>{JAPANESE}</title><form action=/find><input name=q></form><p>{JAPANESE}</p>", "euc-jp"
    )
    (form,) = read_page(body, "http://a.example/", content_type="text/html").forms

    assert build_submission(form, {"q": "検索"}).url == "http://a.example/find?q=%B8%A1%BA%F7"


def test_accept_charset_counts_only_where_browsers_know_the_label() -> None:
    body = b"<form accept-charset='cp850 iso-8859-2'><input name=q></form><form accept-charset=cp850><input name=q></form>"
    forms = read_page(body, "http://a.example/", content_type="text/html; charset=koi8-r").forms

    assert [form.charset for form in forms] == ["iso-8859-2", "koi8-r"]


@pytest.fixture(scope="module")
def browser_page() -> Iterator[BrowserPage]:
    """A page in a real browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs a real browser: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page()
        browser.close()


def test_chromium_understands_the_same_by_every_label(browser_page: BrowserPage) -> None:
    labels = [label for label, name in WEB_LABELS.items() if name != "replacement"]

    names = browser_page.evaluate("labels => labels.map(label => new TextDecoder(label).encoding)", labels)

    assert dict(zip(labels, names, strict=True)) == {label: WEB_LABELS[label] for label in labels}


@pytest.mark.parametrize("name", ["euc-jp", "iso-2022-jp"])
def test_chromium_reads_the_same_rows_of_japanese(name: str, browser_page: BrowserPage) -> None:
    rows = [bytes((row, cell)) for row in (0xA1, 0xA2, 0xAD, 0xC6, 0xF9) for cell in range(0xA1, 0xFF)]
    if name == "iso-2022-jp":
        rows = [b"\x1b$B" + bytes(byte & 0x7F for byte in each) + b"\x1b(B" for each in rows]
    read = "([name, all]) => all.map(bytes => new TextDecoder(name).decode(new Uint8Array(bytes)))"

    expected = browser_page.evaluate(read, [name, [list(each) for each in rows]])

    ours = [text_of(each, f"text/html; charset={name}")[0] for each in rows]
    known = [(got, wanted) for got, wanted in zip(ours, expected, strict=True) if "\ufffd" not in wanted]
    assert len(known) > 300
    assert [pair for pair in known if pair[0] != pair[1]] == []
