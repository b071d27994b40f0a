"""Hidden values that change: which they are, and how a query gets fresh ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.forms.csrf_tokens import (
    copy_hidden_fields,
    find_changed_tokens,
    find_same_form,
    find_tokens,
    renew_query,
)
from hiddenweb.forms.submission import build_submission
from hiddenweb.model import Field, Form

ACTION = "http://a.example/find"
BOX = Field("q", "search", label="Search")
BUTTON = Field("", "submit", label="Search")


def form(
    *hidden: tuple[str, str],
    method: str = "GET",
    enctype: str = "application/x-www-form-urlencoded",
    action: str = ACTION,
) -> Form:
    fields = tuple(Field(name, "hidden", value=value) for name, value in hidden)
    return Form("http://a.example/", action, method, (*fields, BOX, BUTTON), enctype)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("csrf_token", "k3Jd82nslQ"),
        ("authenticity_token", "8Zg3+gP5jX=="),
        ("__VIEWSTATE", "/wEPDwUKLTE"),
        ("__RequestVerificationToken", "CfDJ8Nz1"),
        ("_wpnonce", "ab12cd34ef"),
        ("form_build_id", "form-Ux8w2"),
        ("PHPSESSID", "9b0f6c8d7a"),
        ("sid", "9b0f6c8d7a"),
        ("x", "9f86d081884c7d659a2feaa0c55ad015"),
        ("d41d8cd98f00b204e9800998ecf8427e", "1"),
    ],
)
def test_a_token_is_known_by_its_name_or_its_value(name: str, value: str) -> None:
    assert find_tokens(form((name, value))) == (name,)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lang", "en"),
        ("page", "1"),
        ("collection", "books-and-manuscripts"),
        ("return", "/catalogue/search/advanced"),
        ("token", ""),
        ("sort", "newest"),
        ("version", "2.4.1"),
        ("date", "2024-01-31"),
        ("side", "left-and-right"),
        ("__EVENTTARGET", ""),
    ],
)
def test_what_a_site_always_sends_is_no_token(name: str, value: str) -> None:
    assert find_tokens(form((name, value))) == ()


def test_the_same_form_is_found_again_whatever_it_hides() -> None:
    wanted = form(("csrf", "aaaaaaaaaa"), ("in", "books"))
    again = replace(form(("csrf", "bbbbbbbbbb"), action=ACTION + ";jsessionid=1F"), place=3)
    other = Form("http://a.example/", "http://a.example/login", "GET", (BOX, BUTTON))

    assert find_same_form(wanted, [other, again]) == again
    assert find_same_form(wanted, [other]) is None
    assert find_same_form(wanted, [replace(again, method="POST")]) is None


def test_of_several_such_forms_the_one_in_the_same_place_is_taken() -> None:
    forms = [replace(form(("csrf", str(place) * 10)), place=place) for place in range(3)]

    assert find_same_form(replace(form(), place=2), forms) == forms[2]


def test_a_query_by_get_has_the_fresh_hidden_values() -> None:
    old, new = form(("lang", "en"), ("csrf", "aaaa aaaa&")), form(("lang", "en"), ("csrf", "bbbb=bbbb"))
    query = build_submission(old, {"q": "red wine"})

    fresh = copy_hidden_fields(old, new)

    assert renew_query(query, old, fresh) == build_submission(fresh, {"q": "red wine"})
    assert renew_query(query, old, fresh).url.endswith("?lang=en&csrf=bbbb%3Dbbbb&q=red+wine")


@pytest.mark.parametrize("enctype", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_query_by_post_keeps_what_was_filled_in(enctype: str) -> None:
    old = form(("csrf", "aaaaaaaaaa"), ("lang", "en"), method="POST", enctype=enctype)
    new = form(("csrf", "bbbbbbbbbb"), ("lang", "en"), method="POST", enctype=enctype)
    query = build_submission(old, {"q": "wine"})

    body = renew_query(query, old, copy_hidden_fields(old, new)).body

    assert b"bbbbbbbbbb" in body
    assert b"aaaaaaaaaa" not in body
    assert body.count(b"wine") == 1
    assert len(body) == len(query.body)


def test_a_query_written_before_the_last_fetch_is_renewed_by_name() -> None:
    first, second, third = (form(("csrf", letter * 10)) for letter in "abc")
    query = build_submission(first, {"q": "wine"})

    fresh = renew_query(query, second, copy_hidden_fields(second, third))

    assert fresh.url == f"{ACTION}?csrf=cccccccccc&q=wine"


def test_a_token_in_the_name_of_a_control_is_replaced() -> None:
    old, new = (
        form(("d41d8cd98f00b204e9800998ecf8427e", "1")),
        form(("0cc175b9c0f1b6a831c399e269772661", "1")),
    )
    query = build_submission(old, {"q": "wine"})

    fresh = copy_hidden_fields(old, new)

    assert renew_query(query, old, fresh).url == f"{ACTION}?0cc175b9c0f1b6a831c399e269772661=1&q=wine"
    assert fresh.fields.index(BOX) == old.fields.index(BOX)


def test_what_is_hidden_no_more_is_not_sent_and_what_is_new_is() -> None:
    old, new = form(("a", "1"), ("b", "2")), form(("b", "2"))
    grown = form(("b", "2"), ("c", "3"), ("d", "4"))
    query = build_submission(old, {"q": "wine"})

    less = copy_hidden_fields(old, new)
    more = copy_hidden_fields(less, grown)

    assert renew_query(query, old, less).url == f"{ACTION}?b=2&q=wine"
    assert build_submission(more, {"q": "wine"}).url == f"{ACTION}?c=3&b=2&q=wine&d=4"
    assert more.fields[: len(old.fields)].index(BOX) == old.fields.index(BOX)
    assert len(copy_hidden_fields(copy_hidden_fields(more, new), grown).fields) == len(more.fields)


def test_the_address_of_the_form_may_change_with_the_session() -> None:
    old, new = form(action=ACTION + ";jsessionid=1"), form(action=ACTION + ";jsessionid=2")
    posted = replace(old, method="POST"), replace(new, method="POST")

    fresh = copy_hidden_fields(old, new)

    assert renew_query(build_submission(old, {"q": "x"}), old, fresh).url == f"{ACTION};jsessionid=2?q=x"
    assert renew_query(build_submission(posted[0], {"q": "x"}), *posted).url == f"{ACTION};jsessionid=2"


def test_only_tokens_are_taken_from_an_answer() -> None:
    old = form(("csrf", "aaaaaaaaaa"), ("before", ""))
    on_answer = form(("csrf", "bbbbbbbbbb"), ("before", "wine"))

    changed = find_changed_tokens(old, on_answer)

    assert changed == ("csrf",)
    assert copy_hidden_fields(old, on_answer, changed) == form(("csrf", "bbbbbbbbbb"), ("before", ""))


def test_a_form_without_hidden_values_asks_as_before() -> None:
    query = build_submission(form(), {"q": "wine"})

    assert renew_query(query, form(), copy_hidden_fields(form(), form())) == query
