"""Pages made to break or to stall the judging of their forms cost a moment, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from timing import within

from hiddenweb.forms.stored_form import form_as_json
from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.model import Form
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import plan

SEARCH = "<label>Search <input name=q></label><button>Search</button>"
SECONDS = 5.0  # of CPU, on a slow machine; they took minutes, or never ended

HOSTILE = {
    "an address that nobody can read": f"<form action='http://[bad'>{SEARCH}</form>",
    "another one": f"<form action=//[x]/>{SEARCH}</form>",
    "a host that is none": f"<form action=http://℀.com/>{SEARCH}</form>",
    "a button with such an address": "<form><input name=q><button formaction='http://[bad'>Search</button></form>",
    "a thousand articles": f"<h1>{'و' * 3000}</h1><form>{SEARCH}</form>",
    "a name of articles": f"<form><input name={'و' * 3000}>{SEARCH}</form>",
    "half a letter": '<script type=application/ld+json>{"@type":"WebSite","name":"d\\udfff","potentialAction":{"@type":'
    '"SearchAction","description":"d\\udfff","target":"/s?q={q}","query-input":"required name=q"}}</script>',
    "a heading of a megabyte over a hundred forms": f"<h1>{'find words ' * 100_000}</h1>" + f"<form>{SEARCH}</form>" * 100,
    "a title of a megabyte": f"<title>{'find words ' * 100_000}</title>" + f"<form>{SEARCH}</form>" * 100,
    "a style of noughts": f"<div style='opacity:{'0' * 30_000}x'><form>{SEARCH}</form></div>",
    "a box of noughts": f"<form><input name=q style='height:{'0' * 30_000}x'><button>Search</button></form>",
    "a statement without an end": f"<form><input name=q placeholder='{'select ' * 20_000}'><button>Search</button></form>",
    "a word without an end": f"<form><input name=q placeholder='{'n' * 100_000}'><button>Search</button></form>",
    "a name without an end": f"<form><input name={'n' * 500_000}><button>Search</button></form>",
    "tags that never end": "<form><div></form><form>" + SEARCH + "<xmp>" * 2_900 + "x" * 1_000_000,
    "buttons": f"<form>{SEARCH}{'<button>Other</button>' * 2_000}</form>",
    "options that repeat": f"<form>{SEARCH}<select name=s>{'<option>and so on' * 20_000}</select></form>",
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_page_is_judged_in_a_moment(case: str) -> None:
    def read_and_planned() -> int:
        page = read_page(HOSTILE[case].encode(), "http://a.example/", content_type="text/html; charset=utf-8")
        for form in page.forms:
            verdict = judge_form(form, allow_post=True)
            plan(form, verdict.query_box, LabelledValueSet(date(2026, 1, 1)))
            form_as_json(form).encode("utf-8")
        return len(page.forms)

    assert within(SECONDS, read_and_planned)


@pytest.mark.parametrize("case", ["an address that nobody can read", "another one", "a host that is none"])
def test_a_form_that_is_sent_nowhere_is_not_submitted(case: str) -> None:
    (form,) = read_page(
        HOSTILE[case].encode(), "http://a.example/", content_type="text/html; charset=utf-8"
    ).forms

    assert isinstance(form, Form)
    assert form.action == "about:invalid"
    assert not judge_form(form, allow_post=True).may_submit
