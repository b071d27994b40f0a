"""Any form HTML, however broken: reading, judging, planning and submitting it raises nothing and takes no time."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from timing import within

from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.querying.fillings import fillings, fillings_without_box
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import plan

if TYPE_CHECKING:
    from hiddenweb.model import Form

# Seconds of the processor for one page with as much in it as people put there; huge pages have tests of their own.
LONGEST = 0.1
MOST_TAGS = 40
MOST_ALIKE = 30  # controls of one kind: a very large form

TODAY = date(2026, 1, 1)
VALUES = LabelledValueSet(TODAY)
TAGS = [
    "form",
    "input",
    "select",
    "option",
    "optgroup",
    "textarea",
    "button",
    "label",
    "fieldset",
    "legend",
    "datalist",
    "table",
    "tr",
    "td",
    "th",
    "div",
    "p",
    "template",
    "object",
    "output",
    "search",
    "svg",
    "math",
    "script",
    "h1",
    "ul",
    "li",
    "a",
    "base",
    "title",
    "noscript",
    "keygen",
    "isindex",
]
TYPES = [
    "text",
    "search",
    "number",
    "range",
    "date",
    "time",
    "month",
    "week",
    "datetime-local",
    "color",
    "email",
    "url",
    "tel",
    "password",
    "hidden",
    "checkbox",
    "radio",
    "file",
    "submit",
    "image",
    "reset",
    "button",
    "bogus",
]
NAMES = [
    "type", "name", "value", "id", "form", "for", "action", "method", "enctype", "disabled", "checked", "selected", "multiple",
    "size", "required", "readonly", "maxlength", "min", "max", "step", "pattern", "list", "dirname", "dir", "formaction",
    "formmethod", "formenctype", "accept-charset", "placeholder", "aria-label", "aria-labelledby", "title", "role", "style",
    "hidden", "class", "autocomplete", "wrap", "cols", "label", "rel", "href", "itemprop", "itemscope", "itemtype", "content",
    "v-model", "ng-model", "contenteditable", "data-bind",
]  # fmt: skip
OF_BOXES = [
    "value",
    "min",
    "max",
    "step",
    "pattern",
    "style",
    "required",
    "maxlength",
    "dirname",
    "dir",
    "list",
    "placeholder",
]
OF_NUMBERS = ["value", "min", "max", "step"]
NUMBERS = [
    "1", "-1", "1e999", "1e9999999", "-1e9999999", "1e-9999999", "1e99999999999999999999", "0e9999999", "1e-1000", "1.7e308",
    "999999999", "." + "1" * 300, "9" * 400,
]  # fmt: skip
TELLING = [
    *TYPES, "", "q", "search", "Search", "f", "g", "a b", "post", "GET", "dialog", "multipart/form-data", "text/plain", "rtl",
    "auto", "javascript:x()", "/find?x=1#y", "http://[", "mailto:a@b", "utf-7", "koi8-r, utf-8", "-1", "1e999", "any", "Ж",
    "\U0001f600", "a\nb", "[(", "(a+)+$", "{q}", "_charset_", "isindex", "Suche", "検索", "9" * 400, "display:none", "0000-00-00",
    ".?" * 26 + "!", "(a|a)*$", "a{0,40}" * 6 + "!", "[[a]", "((){999}){999}", "searchbox", "\xa0" * 300, "opacity:" + "0" * 300 + "x",
    "(1) " * 50, "a@ü,b@ü", "rgb(1,2,3",
]  # fmt: skip

attributes = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(TELLING) | st.text(max_size=12)), max_size=6
)
words = st.sampled_from(
    ["Search", "Passwort", "Ihre E-Mail", "from", "to", "\n", "Year:", "найти"]
) | st.text(max_size=15)


@st.composite
def tags(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(TAGS))
    return f"</{name}>" if draw(st.integers(0, 3)) == 0 else _tag(name, draw(attributes))


@st.composite
def boxes(draw: st.DrawFn) -> str:
    said = draw(st.dictionaries(st.sampled_from(OF_BOXES), st.sampled_from(TELLING), max_size=6))
    return _tag("input", [("type", draw(st.sampled_from(TYPES))), ("name", "q"), *said.items()])


@st.composite
def numbers(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["number", "range"]))
    limits = draw(st.dictionaries(st.sampled_from(OF_NUMBERS), st.sampled_from(NUMBERS), max_size=4))
    return _tag("input", [("type", kind), ("name", "n"), *limits.items()])


def _tag(name: str, attributes: list[tuple[str, str]]) -> str:
    quoted = (f' {key}="{value}"' if '"' not in value else f" {key}='{value}'" for key, value in attributes)
    return f"<{name}{''.join(quoted)}>"


sources = st.builds(
    "{}{}".format,
    st.sampled_from(["", "<form action=/find>"]),
    st.lists(tags() | boxes() | numbers() | words, max_size=MOST_TAGS).map("".join),
)
charsets = st.sampled_from(["utf-8", "windows-1251", "shift_jis", "iso-8859-8", "utf-16", "nonsense"])


@settings(max_examples=400)
@given(sources, charsets)
def test_any_html_is_read_judged_planned_and_sent_in_no_time(source: str, charset: str) -> None:
    within(LONGEST, lambda: _use_all(source, f"text/html; charset={charset}"))


@settings(max_examples=100)
@given(tags() | boxes() | numbers(), st.integers(2, MOST_ALIKE))
def test_the_same_tag_again_and_again_is_no_different(tag: str, times: int) -> None:
    within(LONGEST, lambda: _use_all(f"<form action=/find>{tag * times}", "text/html"))


def _use_all(source: str, content_type: str) -> None:
    body = source.encode("utf-8", "replace")
    for form in read_page(body, "http://a.example/", content_type=content_type).forms:
        _use(form)


def _use(form: Form) -> None:
    verdict = judge_form(form, allow_post=True)
    assert verdict.why
    assert 0 <= verdict.probability <= 1
    assert verdict.may_submit is not bool(verdict.refusals)
    assert LabelledValueSet(TODAY).learn_form(form, "a.example") >= 0
    planned = plan(form, verdict.query_box, VALUES)
    ways = fillings(planned, "wine") if verdict.query_box is not None else fillings_without_box(planned)
    button = form.fields[verdict.button] if verdict.button is not None else None
    for filled in ({}, *islice(ways, 3)):
        try:
            query = build_submission(form, filled, submitter=button)
        except UnreadableForm:
            continue
        assert query.method in ("GET", "POST")
        assert query.url.startswith(("http://", "https://"))
