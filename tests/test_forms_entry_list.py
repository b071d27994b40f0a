"""What a form would send, with some of its controls filled in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import within

from hiddenweb.forms.entry_list import (
    FormEntry,
    UnreadableForm,
    default_button,
    entry_list,
    fill_in,
    is_sent_by_enter,
)
from hiddenweb.forms.submission import build_submission
from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, Form, Option

BOX = Field("q", "text")
RADIOS = (Field("r", "radio", value="1", checked=True), Field("r", "radio", value="2"))
BOXES = tuple(Field("c", "checkbox", value=value, checked=value == "1") for value in "123")
SELECT = Field(
    "s",
    "select",
    options=(Option("1", "one", selected=True), Option("2", "two"), Option("3", "three", disabled=True)),
)
MANY = replace(SELECT, multiple=True)


def form(*fields: Field, charset: str = "utf-8") -> Form:
    return Form("http://a.example/", "http://a.example/find", "GET", fields, charset=charset)


def sent(
    *fields: Field, submitter: Field | None = None, **filled: str | tuple[str, ...]
) -> list[tuple[str, str]]:
    return [(entry.name, entry.value) for entry in entry_list(form(*fields), filled, submitter)]


@pytest.mark.parametrize(
    ("fields", "filled", "expected"),
    [
        pytest.param((BOX,), {"q": "x"}, [("q", "x")], id="a box"),
        pytest.param((BOX, BOX), {"q": ("x", "y")}, [("q", "x"), ("q", "y")], id="two boxes of one name"),
        pytest.param((BOX, BOX), {"q": "x"}, [("q", "x"), ("q", "")], id="the first of two boxes"),
        pytest.param((Field("q", "hidden", value="0"), BOX), {"q": "x"}, [("q", "0"), ("q", "x")], id="beside a hidden value"),
        pytest.param(RADIOS, {}, [("r", "1")], id="a radio button as it stands"),
        pytest.param(RADIOS, {"r": "2"}, [("r", "2")], id="another radio button"),
        pytest.param(RADIOS, {"r": ()}, [], id="no radio button"),
        pytest.param(BOXES, {"c": ("2", "3")}, [("c", "2"), ("c", "3")], id="two boxes to tick"),
        pytest.param(BOXES, {"c": ()}, [], id="nothing ticked"),
        pytest.param((SELECT,), {"s": "2"}, [("s", "2")], id="an option"),
        pytest.param((SELECT, SELECT), {"s": ("2", "1")}, [("s", "2"), ("s", "1")], id="two selects of one name"),
        pytest.param((MANY,), {"s": ("2", "1")}, [("s", "1"), ("s", "2")], id="several options, in their order"),
        pytest.param((MANY,), {"s": "2"}, [("s", "2")], id="one of several"),
        pytest.param((MANY,), {"s": ()}, [], id="none of several"),
        pytest.param((*RADIOS, Field("r", "text")), {"r": ("2", "x")}, [("r", "2"), ("r", "x")], id="radio buttons and a box"),
        pytest.param((Field("n", "number"),), {"n": "5"}, [("n", "5")], id="a number"),
        pytest.param((Field("n", "range", maximum="10"),), {"n": "7"}, [("n", "7")], id="a range"),
        pytest.param((Field("n", "color"),), {"n": "#ABCDEF"}, [("n", "#abcdef")], id="a colour"),
        pytest.param((Field("t", "textarea", max_length=4),), {"t": "a\r\n\U0001f600b"}, [("t", "a\n\U0001f600")], id="cut in UTF-16"),
    ],
)  # fmt: skip
def test_a_visitor_fills_in_what_can_be_filled_in(
    fields: tuple[Field, ...], filled: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    assert [(entry.name, entry.value) for entry in entry_list(form(*fields), filled)] == expected


@pytest.mark.parametrize(
    ("fields", "filled", "message"),
    [
        ((BOX,), {"other": "x"}, "no control named 'other'"),
        ((replace(BOX, disabled=True),), {"q": "x"}, "it is disabled"),
        ((replace(BOX, readonly=True),), {"q": "x"}, "it is locked"),
        ((Field("q", "hidden"),), {"q": "x"}, "it is hidden"),
        ((Field("q", "file"),), {"q": "x.txt"}, "it is file"),
        ((Field("q", "submit"),), {"q": "x"}, "it is submit"),
        ((BOX,), {"q": ("x", "y")}, "takes no 'y' in 'q'"),
        (RADIOS, {"r": "3"}, "only '1', '2'"),
        (RADIOS, {"r": ("1", "2")}, "takes no '2'"),
        (BOXES, {"c": "4"}, "only '1', '2', '3'"),
        ((SELECT,), {"s": "3"}, "only '1', '2'"),
        ((SELECT,), {"s": ("1", "2")}, "takes no '2'"),
        ((MANY,), {"s": ("1", "1")}, "takes no '1'"),
        ((Field("n", "number"),), {"n": "five"}, "takes no 'five' in 'n', which is number"),
        ((Field("n", "date"),), {"n": "1.2.2024"}, "which is date"),
        ((Field("n", "range", maximum="10"),), {"n": "11"}, "which is range"),
    ],
)
def test_what_a_visitor_cannot_do_is_refused(
    fields: tuple[Field, ...], filled: dict[str, str], message: str
) -> None:
    with pytest.raises(UnreadableForm, match=message):
        fill_in(form(*fields), filled)


def test_many_choices_are_not_all_named() -> None:
    select = Field("s", "select", options=tuple(Option(str(n), "") for n in range(50)))

    with pytest.raises(UnreadableForm, match=r"'9', \.\.\.$"):
        sent(select, s="x")


def test_readonly_locks_only_what_is_written() -> None:
    assert sent(replace(SELECT, readonly=True), s="2") == [("s", "2")]


def test_a_select_of_several_lines_stands_on_nothing() -> None:
    options = (Option("1", "one"), Option("2", "two"))

    assert sent(Field("s", "select", options=options)) == [("s", "1")]
    assert sent(Field("s", "select", options=options, size=2)) == []


def test_a_file_that_nobody_chose_is_an_empty_file() -> None:
    assert entry_list(form(Field("f", "file", value="x"))) == [FormEntry("f", "", is_file=True)]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (Field("a", "text", value="אב", dirname="d", direction="auto"), [("a", "אב"), ("d", "rtl")]),
        (Field("a", "text", value="12", dirname="d", direction="auto"), [("a", "12"), ("d", "ltr")]),
        (Field("a", "textarea", value="x", dirname="", direction="rtl"), [("a", "x"), ("", "rtl")]),
        (Field("", "text", value="x", dirname="d"), []),
    ],
)
def test_a_direction_is_sent_beside_its_value(field: Field, expected: list[tuple[str, str]]) -> None:
    assert sent(field) == expected


def test_a_pressed_button_sends_its_direction_first_and_another_only_that() -> None:
    button = Field("b", "submit", value="1", dirname="d", direction="rtl")

    assert sent(button, submitter=button) == [("d", "rtl"), ("b", "1")]
    assert sent(button) == [("d", "rtl")]
    assert sent(replace(button, name="")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one two three four five", "one two \nthree four \nfive"),
        ("one\ntwo", "one\ntwo"),
        ("abcdefghijklmnopqrstuvwxyz a", "abcdefghijk\nlmnopqrstuv\nwxyz a"),
        ("", ""),
    ],
)
def test_hard_wrapping_breaks_lines_where_the_box_does(text: str, expected: str) -> None:
    assert sent(Field("t", "textarea", value=text, wrap=10)) == [("t", expected)]


@pytest.mark.parametrize(
    ("fields", "is_sent"),
    [
        ((BOX,), True),
        ((BOX, Field("p", "password")), False),
        ((BOX, Field("d", "date")), False),
        ((BOX, Field("t", "textarea"), SELECT, Field("h", "hidden")), True),
        ((BOX, BOX, Field("", "submit")), True),
        ((BOX, Field("", "submit", disabled=True), Field("", "submit")), False),
        ((BOX, BOX, Field("", "button")), False),
        ((SELECT,), True),
    ],
)
def test_enter_sends_a_form_by_its_first_button_or_its_only_box(
    fields: tuple[Field, ...], is_sent: bool
) -> None:
    assert is_sent_by_enter(form(*fields)) is is_sent


def test_the_default_button_is_the_first_that_submits() -> None:
    image = Field("i", "image")

    assert default_button(form(Field("b", "button"), image, Field("s", "submit"))) == image
    assert default_button(form(BOX)) is None


# Whatever a page says, it is read and made into a request, or refused with a reason.

_WORDS = st.sampled_from(
    ["", "a", "1", "-3.5e2", "2024-02-30", "#12", "é日 \n\r", "form", "_charset_", "x" * 300, "\0"]
)
_NAMES = st.sampled_from(["name", "value", "type", "form", "id", "min", "max", "step", "dirname", "dir", "list", "size", "maxlength",
                          "disabled", "checked", "selected", "multiple", "readonly", "style", "class", "wrap", "formaction",
                          "formmethod", "formenctype", "action", "method", "enctype", "accept-charset", "aria-labelledby", "for"])  # fmt: skip
_VALUES = st.one_of(
    _WORDS,
    st.sampled_from(["number", "range", "date", "week", "color", "email", "hidden", "submit", "image", "radio", "file", "post", "rtl",
                     "multipart/form-data", "text/plain", "gbk utf-16", "javascript:x", "//[", "http://b.example/?", "hard", "-9999999999"]),
)  # fmt: skip
_TAGS = st.sampled_from(["form", "input", "input", "select", "option", "optgroup", "textarea", "button", "label", "fieldset", "legend",
                         "table", "tr", "td", "datalist", "div", "p", "b", "template", "svg", "noscript"])  # fmt: skip
_ATTRIBUTE = st.builds('{}="{}"'.format, _NAMES, _VALUES)
_TOKEN = st.one_of(
    st.builds("<{} {}>".format, _TAGS, st.lists(_ATTRIBUTE, max_size=5).map(" ".join)),
    st.builds("</{}>".format, _TAGS),
    _WORDS,
)


@settings(max_examples=150)
@given(st.lists(_TOKEN, max_size=60).map("".join))
def test_no_form_makes_it_fail_or_takes_long(html: str) -> None:
    within(LONGEST, lambda: read_and_sent(html))


LONGEST = 0.1  # seconds


def read_and_sent(html: str) -> None:
    """Read the forms of a page and make requests of them."""
    page = read_page(f"<form>{html}".encode("utf-8", "replace"), "http://a.example/")
    for each in page.forms:
        for submitter in (None, default_button(each)):
            try:
                query = build_submission(each, submitter=submitter)
            except UnreadableForm as error:
                assert str(error).startswith("http://a.example/: ")  # noqa: PT017  # says where
            else:
                assert query.url.startswith(("http://", "https://"))
