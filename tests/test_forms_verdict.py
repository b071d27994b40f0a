"""The verdict on a form: what the button that is pressed makes of method and address, and which searches are one."""

from __future__ import annotations

import pytest

from hiddenweb.forms import verdict as verdicts
from hiddenweb.forms.verdict import is_same_search, judge_form, overrule, repeats_form
from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, Form

HOME = "http://www.books.com/"
BOX = "<label>Search books <input type=search name=q></label>"


def only_form(source: str) -> Form:
    (form,) = read_page(f"<title>Books</title><body>{source}".encode(), HOME).forms
    return form


BY_FORM = only_form(f"<form action=/find method=post role=search>{BOX}<button>Search</button></form>")
BY_BUTTON = only_form(
    f"<form action=/find role=search>{BOX}"
    "<button formmethod=post formaction=http://shop.books.com/find>Search</button></form>"
)
BY_OTHER_BUTTON = only_form(
    f"<form action=/find role=search>{BOX}<button>Search</button>"
    "<button name=more formmethod=post formaction=http://shop.books.com/more>More</button></form>"
)


@pytest.mark.parametrize(
    ("form", "hosts", "ask"),
    [
        pytest.param(BY_FORM, ["www.books.com"], True, id="the form's host is allowed"),
        pytest.param(BY_FORM, ["shop.books.com"], False, id="another host is allowed"),
        pytest.param(BY_FORM, [], False, id="no host is allowed"),
        pytest.param(BY_BUTTON, ["shop.books.com"], True, id="the button's host is allowed"),
        pytest.param(BY_BUTTON, ["www.books.com"], False, id="only the form's host is allowed"),
        pytest.param(BY_OTHER_BUTTON, [], True, id="a button that is not pressed posts"),
    ],
)
def test_post_is_allowed_by_the_host_to_which_the_button_sends(
    form: Form, hosts: list[str], ask: bool
) -> None:
    verdict = judge_form(form, post_hosts=hosts)

    assert verdict.may_submit is ask
    assert any("POST" in why for why in verdict.refusals) is not ask


@pytest.mark.parametrize("form", [BY_FORM, BY_BUTTON])
def test_whoever_allows_post_allows_it_everywhere(form: Form) -> None:
    assert judge_form(form, allow_post=True).may_submit


@pytest.mark.parametrize(("form", "ask"), [(BY_FORM, False), (BY_BUTTON, False), (BY_OTHER_BUTTON, True)])
def test_what_the_button_sends_by_post_has_to_be_surer(
    form: Form, ask: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "SURE_BY_POST", 1.01)

    verdict = judge_form(form, allow_post=True)

    assert verdict.may_submit is ask
    assert any("not sure enough" in why for why in verdict.refusals) is not ask


def test_a_search_on_a_page_that_says_nofollow_is_not_submitted_for_that_reason() -> None:
    verdict = judge_form(BY_OTHER_BUTTON, nofollow=True)

    assert (verdict.may_submit, verdict.searchable, verdict.refusals) == (False, True, (verdicts.NOFOLLOW,))


@pytest.mark.parametrize(
    ("template", "action", "method", "same"),
    [
        ("http://a.example/find?q={words}", "http://a.example/find", "GET", True),
        ("http://a.example/find/?q={words}", "http://a.example/find", "GET", True),  # one slash more
        ("http://a.example/find?q={words}", "https://a.example/find", "GET", True),  # the scheme is another
        ("http://a.example/find?q={words}", "http://a.example/find", "POST", False),
        ("http://a.example/find?q={words}", "http://a.example/other", "GET", False),
        ("http://a.example/find?page={words}", "http://a.example/find", "GET", False),  # the box is another
    ],
)
def test_a_declared_search_and_a_form_are_one_search_if_they_ask_the_same_there(
    template: str, action: str, method: str, same: bool
) -> None:
    declared = Form("http://a.example/", action, "GET", (Field("words", "text"),), template=template)
    form = Form("http://a.example/", action, method, (Field("q", "search"),))

    assert is_same_search(declared, form) is same


def test_searches_declared_twice_are_one_if_their_templates_are() -> None:
    declared = Form("http://a.example/", "http://a.example/", "GET", template="http://a.example/{words}")
    other = Form("http://a.example/", "http://a.example/", "GET", template="http://a.example/tag/{words}")

    assert is_same_search(declared, declared)
    assert not is_same_search(declared, other)


SMALL = Form(
    "http://a.example/", "http://a.example/search", "GET", (Field("q", "search"), Field("go", "submit"))
)


@pytest.mark.parametrize(
    ("later", "same"),
    [
        ((Field("q", "text"), Field("", "submit")), True),
        (
            (Field("q", "text"), Field("quick", "hidden", value="1"), Field("wiki", "checkbox", value="on")),
            True,
        ),
        ((Field("q", "text"), Field("shelf", "hidden", value="maps")), False),
        ((Field("q", "text"), Field("year", "select")), False),
        ((Field("q", "text"), Field("author", "text")), False),
        ((Field("words", "text"),), False),
    ],
    ids=["the same", "flags and ticks", "another scope", "a choice", "another box", "another name"],
)
def test_a_form_repeats_another_if_it_asks_nothing_else(later: tuple[Field, ...], same: bool) -> None:
    form = Form("http://a.example/search", "http://a.example/search?x=1", "GET", later)

    assert repeats_form(form, 0, SMALL, 0) is same


@pytest.mark.parametrize("sent_along", ["shelf", "year"])
def test_a_form_repeats_no_other_that_sends_along_or_asks_for_more(sent_along: str) -> None:
    narrow = (Field("q", "text"), Field(sent_along, "hidden", value="maps"))

    assert not repeats_form(SMALL, 0, Form("http://a.example/", SMALL.action, "GET", narrow), 0)
    assert not repeats_form(
        SMALL, 0, Form("http://a.example/", "http://a.example/else", "GET", SMALL.fields), 0
    )
    assert not repeats_form(SMALL, 0, Form("http://a.example/", SMALL.action, "POST", SMALL.fields), 0)


UNKNOWN = only_form("<form action=/go><input name=q><button>Frobnicate</button></form>")
LOGIN = only_form(
    "<form action=/login method=post><input name=user><input type=password name=pass><button>Log in</button></form>"
)


def test_the_user_overrules_what_a_form_is_taken_for_and_keeps_what_spoke_against_it() -> None:
    verdict = judge_form(UNKNOWN)

    allowed = overrule(verdict, UNKNOWN, "allow")

    assert not verdict.may_submit
    assert (allowed.may_submit, allowed.refusals, allowed.overruled) == (True, (), verdict.refusals)
    assert allowed.query_box == 0
    assert "allowed by hand" in allowed.summary
    assert "Frobnicate" in allowed.summary


def test_the_user_overrules_no_manners() -> None:
    by_post = overrule(judge_form(LOGIN), LOGIN, "allow")
    nofollow = overrule(judge_form(UNKNOWN, nofollow=True), UNKNOWN, "allow")
    elsewhere = only_form(
        "<form action=http://other.example.org/><input name=q><button>Frobnicate</button></form>"
    )

    assert by_post.refusals == ("it is sent by POST, which is not allowed for its site",)
    assert nofollow.refusals == (verdicts.NOFOLLOW,)
    assert not overrule(judge_form(elsewhere), elsewhere, "allow").may_submit
    allowed = judge_form(LOGIN, post_hosts=["www.books.com"])
    assert overrule(allowed, LOGIN, "allow", post_hosts=["www.books.com"]).may_submit


def test_the_user_forbids_a_search_and_takes_that_back() -> None:
    verdict = judge_form(BY_OTHER_BUTTON)

    never = overrule(verdict, BY_OTHER_BUTTON, "never")

    assert (never.may_submit, never.refusals) == (False, (verdicts.NEVER,))
    assert overrule(verdict, BY_OTHER_BUTTON, "") == verdict
