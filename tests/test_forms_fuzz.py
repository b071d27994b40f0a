"""Any form HTML, however broken: reading, judging, planning and submitting it raises nothing and takes no time."""

from __future__ import annotations

from datetime import date
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hiddenweb.forms.judging import judge
from hiddenweb.forms.planning import fillings, plan, questions
from hiddenweb.forms.submission import UnreadableForm, submission
from hiddenweb.forms.values import ValueSet
from hiddenweb.page import read_page

if TYPE_CHECKING:
    from hiddenweb.items import Form

LONGEST = 0.050  # seconds for one case
TRIES = 4  # the machine may be busy with something else

VALUES = ValueSet(date(2026, 1, 1))
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
]  # fmt: skip
TELLING = [
    *TYPES, "", "q", "search", "Search", "f", "g", "a b", "post", "GET", "dialog", "multipart/form-data", "text/plain", "rtl",
    "auto", "javascript:x()", "/find?x=1#y", "http://[", "mailto:a@b", "utf-7", "koi8-r, utf-8", "-1", "1e999", "any", "Ж",
    "\U0001f600", "a\nb", "[(", "(a+)+$", "{q}", "_charset_", "isindex", "Suche", "検索", "9" * 400, "display:none", "0000-00-00",
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
    if draw(st.integers(0, 3)) == 0:
        return f"</{name}>"
    quoted = "".join(
        f' {key}="{value}"' if '"' not in value else f" {key}='{value}'" for key, value in draw(attributes)
    )
    return f"<{name}{quoted}>"


sources = st.lists(tags() | words, max_size=40).map("".join)
charsets = st.sampled_from(["utf-8", "windows-1251", "shift_jis", "iso-8859-8", "utf-16", "nonsense"])


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(sources, charsets)
def test_any_html_is_read_judged_planned_and_sent_in_no_time(source: str, charset: str) -> None:
    body, kind = source.encode("utf-8", "replace"), f"text/html; charset={charset}"

    seconds = [_time_of(body, kind)]
    while seconds[-1] >= LONGEST and len(seconds) < TRIES:
        seconds.append(_time_of(body, kind))

    assert min(seconds) < LONGEST, source


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(tags(), st.integers(100, 1500))
def test_the_same_tag_again_and_again_is_no_different(tag: str, times: int) -> None:
    body = f"<form action=/find>{tag * times}".encode("utf-8", "replace")

    seconds = [_time_of(body, "text/html") for _ in range(2)]

    assert min(seconds) < 20 * LONGEST, tag


def _time_of(body: bytes, content_type: str) -> float:
    begun = process_time()
    for form in read_page(body, "http://a.example/", content_type=content_type).forms:
        _use(form)
    return process_time() - begun


def _use(form: Form) -> None:
    verdict = judge(form, allow_post=True)
    assert verdict.why
    assert 0 <= verdict.probability <= 1
    assert verdict.ask is not bool(verdict.refusals)
    planned = plan(form, verdict.query_box, VALUES)
    ways = fillings(planned, "wine") if verdict.query_box is not None else questions(planned)
    button = form.fields[verdict.button] if verdict.button is not None else None
    for filled in ({}, *islice(ways, 3)):
        try:
            query = submission(form, filled, submitter=button)
        except UnreadableForm:
            continue
        assert query.method in ("GET", "POST")
        assert query.url.startswith(("http://", "https://"))
