"""What a filled form sends, against vectors worked out by hand and against real Chromium."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.entry_list import default_button
from hiddenweb.forms.submission import UnreadableForm, build_submission, resolve_button, text_box
from hiddenweb.model import Field, Form, Option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as BrowserPage

BOX = Field("q", "text")


def form(
    *fields: Field, action: str = "http://a.example/find", method: str = "GET", charset: str = "utf-8"
) -> Form:
    return Form("http://a.example/", action, method, fields, charset=charset)


def select(*options: Option, name: str = "s", multiple: bool = False) -> Field:
    return Field(name, "select", options=options, multiple=multiple)


def sent(search_form: Form, **filled: str | tuple[str, ...]) -> str:
    submitter = default_button(search_form)
    return build_submission(search_form, filled, submitter=submitter).url.partition("?")[2]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((BOX,), "q=a"),
        ((Field("h", "hidden", value="1"), BOX, Field("z", "hidden", value="")), "h=1&q=a&z="),
        ((BOX, Field("", "text", value="x")), "q=a"),
        ((BOX, Field("x", "hidden", value="1", disabled=True)), "q=a"),
        ((BOX, Field("x", "text", value="kept", readonly=True)), "q=a&x=kept"),
        ((BOX, select(Option("1", "one"), Option("2", "two"))), "q=a&s=1"),
        ((BOX, select(Option("1", "one", disabled=True), Option("2", "two"))), "q=a&s=2"),
        ((BOX, select(Option("1", "one"), Option("2", "two", selected=True))), "q=a&s=2"),
        ((BOX, select(Option("1", "", selected=True), Option("2", "", selected=True))), "q=a&s=2"),
        ((BOX, select(Option("1", "", selected=True, disabled=True), Option("2", ""))), "q=a"),
        ((BOX, select(Option("1", ""), Option("2", ""), multiple=True)), "q=a"),
        ((BOX, select(Option("1", "", True), Option("2", "", True), multiple=True)), "q=a&s=1&s=2"),
        ((BOX, select()), "q=a"),
        ((BOX, Field("c", "checkbox", value="on", checked=True)), "q=a&c=on"),
        ((BOX, Field("c", "checkbox", value="on")), "q=a"),
        ((BOX, Field("r", "radio", value="", checked=True), Field("r", "radio", value="2")), "q=a&r="),
        (
            (BOX, Field("r", "radio", value="1", checked=True), Field("r", "radio", value="2", checked=True)),
            "q=a&r=2",
        ),
        ((BOX, Field("go", "submit", value="Go"), Field("other", "submit", value="x")), "q=a&go=Go"),
        ((BOX, Field("", "submit", value="Go"), Field("other", "submit", value="x")), "q=a"),
        ((Field("go", "submit", value="1"), BOX), "go=1&q=a"),
        ((BOX, Field("go", "image")), "q=a&go.x=0&go.y=0"),
        ((BOX, Field("", "image")), "q=a&x=0&y=0"),
        ((BOX, Field("b", "button", value="1"), Field("r", "reset", value="1")), "q=a"),
        ((BOX, Field("_charset_", "hidden", value="zzz")), "q=a&_charset_=UTF-8"),
        ((BOX, Field("t", "textarea", value="one\ntwo\rthree\r\n")), "q=a&t=one%0D%0Atwo%0D%0Athree%0D%0A"),
        ((BOX, Field("q", "text", value="second of the name")), "q=a&q=second+of+the+name"),
    ],
)
def test_entries_are_those_of_the_controls_that_count_in_their_order(
    fields: tuple[Field, ...], expected: str
) -> None:
    assert sent(form(*fields), q="a") == expected


@pytest.mark.parametrize(
    ("charset", "keyword", "expected"),
    [
        ("utf-8", "a b+c&d=é~*-._!", "q=a+b%2Bc%26d%3D%C3%A9%7E*-._%21"),
        ("iso-8859-1", "5 € für", "q=5+%80+f%FCr"),  # on the web that is windows-1252
        ("iso-8859-2", "żółć", "q=%BF%F3%B3%E6"),
        ("windows-1251", "мир", "q=%EC%E8%F0"),
        ("windows-1251", "日本", "q=%26%2326085%3B%26%2326412%3B"),
        ("shift_jis", "本", "q=%96%7B"),
        ("gbk", "书", "q=%CA%E9"),
        ("utf-16", "é", "q=%C3%A9"),
        ("no such charset", "é", "q=%C3%A9"),
        ("utf-8", "one\nline", "q=oneline"),
    ],
)
def test_values_are_encoded_in_the_forms_charset(charset: str, keyword: str, expected: str) -> None:
    assert sent(form(BOX, charset=charset), q=keyword) == expected


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("gb2312", "GBK"),
        ("latin1", "windows-1252"),
        ("Shift_JIS", "Shift_JIS"),
        ("windows-1251", "windows-1251"),
    ],
)
def test_a_charset_field_names_the_encoding_as_browsers_do(charset: str, name: str) -> None:
    search_form = form(BOX, Field("_charset_", "hidden"), charset=charset)

    assert sent(search_form, q="a") == f"q=a&_charset_={name}"


def test_get_replaces_the_query_of_the_action_and_drops_the_fragment() -> None:
    query = build_submission(form(BOX, action="http://a.example/find?old=1#top"), {"q": "x"})

    assert (query.method, query.url, query.body) == ("GET", "http://a.example/find?q=x", b"")
    assert (query.keyword, query.values) == ("x", (("q", "x"),))


def test_post_keeps_the_query_of_the_action_and_sends_a_body() -> None:
    query = build_submission(form(BOX, action="http://a.example/find?old=1#top", method="POST"), {"q": "ü b"})

    assert (query.method, query.url) == ("POST", "http://a.example/find?old=1")
    assert (query.body, query.content_type) == (b"q=%C3%BC+b", "application/x-www-form-urlencoded")


def test_choices_can_be_filled_in_as_well() -> None:
    search_form = form(
        BOX,
        select(Option("1", "one"), Option("2", "two")),
        Field("r", "radio", value="a", checked=True),
        Field("r", "radio", value="b"),
        Field("c", "checkbox", value="on"),
    )

    assert sent(search_form, q="x", s="2", r="b", c="on") == "q=x&s=2&r=b&c=on"


@pytest.mark.parametrize(
    ("search_form", "filled"),
    [
        (replace(form(BOX), needs_browser=True), {"q": "x"}),
        (replace(form(BOX), needs_browser=True, source="script"), {}),
        (form(BOX, Field("", "submit", disabled=True)), {"q": "x"}),
        (form(BOX, Field("r", "text")), {"q": "x"}),
        (form(BOX, action=""), {"q": "x"}),
        (form(BOX, method="DIALOG"), {"q": "x"}),
        (form(BOX, action="javascript:find()"), {"q": "x"}),
        (form(BOX, action="mailto:a@b.example"), {"q": "x"}),
        (form(BOX), {"query": "x"}),
        (form(replace(BOX, disabled=True)), {"q": "x"}),
    ],
    ids=[
        "taken by a script",
        "no form",
        "disabled button",
        "two boxes, no button",
        "no address",
        "dialog",
        "script",
        "mail",
        "no such control",
        "disabled control",
    ],
)
def test_what_cannot_be_sent_is_refused_with_a_reason(search_form: Form, filled: dict[str, str]) -> None:
    with pytest.raises(UnreadableForm, match=r"^http://a\.example/: "):
        build_submission(search_form, filled)


def test_a_form_with_two_boxes_and_no_button_can_be_sent_as_a_script_sends_it() -> None:
    search_form = form(BOX, Field("r", "text", value="2"))

    assert build_submission(search_form, {"q": "x"}, submitter=None).url == "http://a.example/find?q=x&r=2"


def test_a_button_may_have_its_own_address_method_and_encoding() -> None:
    button = Field(
        "go", "submit", value="1", form_action="http://a.example/other?a=1#x", form_method="POST",
        form_enctype="text/plain",
    )  # fmt: skip
    search_form = form(BOX, Field("", "submit"), button)

    plain = build_submission(search_form, {"q": "x"})
    own = build_submission(search_form, {"q": "x"}, submitter=button)

    assert (plain.method, plain.url) == ("GET", "http://a.example/find?q=x")
    assert (own.method, own.url) == ("POST", "http://a.example/other?a=1")
    assert (own.content_type, own.body) == ("text/plain", b"q=x\r\ngo=1\r\n")


@pytest.mark.parametrize(
    "button", [Field("x", "submit"), Field("b", "button"), Field("d", "submit", disabled=True)]
)
def test_only_a_button_of_the_form_that_works_can_be_pressed(button: Field) -> None:
    search_form = form(BOX, Field("b", "button"), Field("d", "submit", disabled=True))

    with pytest.raises(UnreadableForm, match="button"):
        build_submission(search_form, {"q": "x"}, submitter=button)


def test_parts_are_separated_by_what_is_not_in_them_and_the_same_each_time() -> None:
    search_form = replace(
        form(BOX, Field('a"b\r', "file"), method="POST", charset="latin1"), enctype="multipart/form-data"
    )

    query = build_submission(search_form, {"q": "é日\n"})
    boundary = query.content_type.removeprefix("multipart/form-data; boundary=").encode()
    trap = build_submission(search_form, {"q": boundary.decode()})

    assert query == build_submission(search_form, {"q": "é日\n"})
    assert query.body == (
        b'--%s\r\nContent-Disposition: form-data; name="q"\r\n\r\n\xe9&#26085;\r\n'
        b'--%s\r\nContent-Disposition: form-data; name="a%%22b%%0D%%0A"; filename=""\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n\r\n--%s--\r\n"
    ) % (boundary, boundary, boundary)
    assert boundary.decode() not in trap.content_type


def test_get_is_url_encoded_whatever_the_encoding_type() -> None:
    search_form = replace(form(BOX), enctype="multipart/form-data")

    assert build_submission(search_form, {"q": "x"}).url == "http://a.example/find?q=x"


def test_what_a_box_cuts_off_is_not_submitted_and_not_noted() -> None:
    query = build_submission(form(Field("q", "text", max_length=3)), {"q": "abcde"})

    assert (query.url, query.keyword, query.values) == ("http://a.example/find?q=abc", "abc", (("q", "abc"),))


def test_values_are_noted_one_by_one() -> None:
    search_form = form(BOX, Field("c", "checkbox", value="1"), Field("c", "checkbox", value="2"))

    query = build_submission(search_form, {"q": "x", "c": ("1", "2")})

    assert (query.values, query.keyword) == ((("q", "x"), ("c", "1"), ("c", "2")), "x")


TEMPLATE = "http://a.example/find/{cat}?q={words}&l={lang?}&e={inputEncoding}"


def described(template: str = TEMPLATE, charset: str = "utf-8", method: str = "GET") -> Form:
    gaps = (Field("words", "search"), Field("cat", "text"), Field("lang", "hidden"))
    return replace(
        form(*gaps, action="http://a.example/", charset=charset, method=method),
        template=template, source="opensearch",
    )  # fmt: skip


def test_a_described_search_is_an_address_with_gaps() -> None:
    query = build_submission(described(), {"words": "a b&é", "cat": "x y"})

    assert (query.method, query.url) == (
        "GET",
        "http://a.example/find/x%20y?q=a+b%26%C3%A9&l=&e=UTF-8",
    )
    assert build_submission(described(charset="latin1"), {"words": "é", "cat": "x"}).url.endswith(
        "q=%E9&l=&e=windows-1252"
    )


@pytest.mark.parametrize(
    ("search_form", "filled"),
    [
        (described(), {"words": "x"}),
        (described(), {"words": "x", "cat": "y", "other": "z"}),
        (described(method="POST"), {"words": "x", "cat": "y"}),
        (described("javascript:find('{words}')"), {"words": "x"}),
    ],
    ids=["a gap left open", "no such gap", "described for POST", "script"],
)
def test_a_described_search_is_submitted_only_by_get_and_with_all_it_needs(
    search_form: Form, filled: dict[str, str]
) -> None:
    with pytest.raises(UnreadableForm, match=r"^http://a\.example/: "):
        build_submission(search_form, filled)


def test_the_text_box_is_the_only_free_one() -> None:
    hidden, locked = Field("h", "hidden"), Field("x", "text", readonly=True)

    assert text_box(form(hidden, locked, BOX)) == BOX
    assert text_box(form(hidden)) is None
    assert text_box(form(BOX, Field("r", "search"))) is None


# Chromium is the judge: the same controls as HTML, Enter pressed in the box, the address it goes to.

IN_BROWSER = {
    "plain": ("", (BOX,)),
    "hidden before": ('<input type=hidden name=h value="1 2">', (Field("h", "hidden", value="1 2"), BOX)),
    "default option": (
        "<select name=s><option value=1 disabled>a<option value=2>b</select>",
        (select(Option("1", "a", disabled=True), Option("2", "b")), BOX),
    ),
    "last selected": (
        "<select name=s><option value=1 selected>a<option value=2 selected>b</select>",
        (select(Option("1", "a", True), Option("2", "b", True)), BOX),
    ),
    "selected but disabled": (
        "<select name=s><option value=1 selected disabled>a<option value=2>b</select>",
        (select(Option("1", "a", True, True), Option("2", "b")), BOX),
    ),
    "none of many": (
        "<select name=s multiple><option value=1>a<option value=2>b</select>",
        (select(Option("1", "a"), Option("2", "b"), multiple=True), BOX),
    ),
    "checked boxes": (
        "<input type=checkbox name=c checked><input type=checkbox name=d value=1>",
        (Field("c", "checkbox", value="on", checked=True), Field("d", "checkbox", value="1"), BOX),
    ),
    "two radios checked": (
        "<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>",
        (Field("r", "radio", value="1", checked=True), Field("r", "radio", value="2", checked=True), BOX),
    ),
    "default button": (
        "<button name=b value=1>x</button><button name=c value=2>y</button>",
        (Field("b", "submit", value="1"), Field("c", "submit", value="2"), BOX),
    ),
    "nameless default button": (
        "<button>x</button><button name=c value=2>y</button>",
        (Field("", "submit"), Field("c", "submit", value="2"), BOX),
    ),
    "image button": ("<input type=image name=i alt=x>", (Field("i", "image"), BOX)),
    "charset field": ("<input type=hidden name=_charset_>", (Field("_charset_", "hidden"), BOX)),
    "textarea": ("<textarea name=t>one\ntwo</textarea>", (Field("t", "textarea", value="one\ntwo"), BOX)),
}
KEYWORD = "für 5 € 日本 ~*'()!-._"


@pytest.fixture(scope="module")
def browser_page() -> Iterator[BrowserPage]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs a real browser: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page()
        browser.close()


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252"])
@pytest.mark.parametrize("case", IN_BROWSER)
def test_chromium_sends_the_same(case: str, charset: str, browser_page: BrowserPage) -> None:
    html, fields = IN_BROWSER[case]
    page = f"<!doctype html><form action='/find?old=1'>{html}<input name=q id=box></form>"
    browser_page.route(
        "**/*", lambda route: route.fulfill(body=page, content_type=f"text/html; charset={charset}")
    )
    browser_page.goto("http://a.example/")

    browser_page.fill("#box", KEYWORD)
    with browser_page.expect_request("**/find?*") as requested:
        browser_page.press("#box", "Enter")
    browser_page.wait_for_load_state()

    assert build_submission(form(*fields, charset=charset), {"q": KEYWORD}).url == requested.value.url


def test_a_button_may_send_a_form_elsewhere_and_otherwise() -> None:
    form = Form("http://a.example/", "http://a.example/find", "GET", (Field("q", "text"),))
    button = Field(
        "", "submit", form_action="http://b.example/", form_method="POST", form_enctype="text/plain"
    )

    sent = resolve_button(form, button)

    assert resolve_button(form, None) == resolve_button(form, Field("", "submit")) == form
    assert (sent.action, sent.method, sent.enctype) == ("http://b.example/", "POST", "text/plain")
