"""What distinguishes one form, and one query, from another."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from hiddenweb.forms.stored_form import StoredForm, form_as_json, form_from_json, form_hash, query_hash
from hiddenweb.model import Field, Form, HttpQuery, LabelHint, Option, Verdict
from hiddenweb.urls import url_hash

HOME = "http://books.example/"
FORM = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))


def test_hash_of_a_query_by_get_is_that_of_its_address() -> None:
    query = HttpQuery((), "x", url="https://a.example/find?q=x")

    assert query_hash(query) == url_hash(query.url)
    assert query_hash(replace(query, method="POST", body=b"a")) != query_hash(
        replace(query, method="POST", body=b"b")
    )


def test_form_is_one_whatever_session_its_address_and_its_hidden_names_carry() -> None:
    hidden = Field("d41d8cd98f00b204e9800998ecf8427e", "hidden", value="1")
    elsewhere = replace(FORM, action=f"{FORM.action};jsessionid=0A1B", fields=(hidden, *FORM.fields))

    assert form_hash(elsewhere) == form_hash(FORM)


def test_form_is_one_whatever_parameters_of_its_page_it_copies() -> None:
    copied = Field("sort", "hidden", value="year")
    filtered = replace(FORM, page_url=f"{HOME}list?sort=year", fields=(*FORM.fields, copied))
    own = replace(FORM, fields=(*FORM.fields, copied))

    further = replace(
        filtered,
        page_url=f"{filtered.page_url}&kind=red",
        fields=(*filtered.fields, Field("kind", "hidden", value="red")),
    )

    assert form_hash(further) == form_hash(filtered)
    assert len({form_hash(each) for each in (filtered, FORM, own)}) == 3


def test_form_is_one_however_many_numbered_rows_of_controls_it_has() -> None:
    def rows(*names: str) -> Form:
        return replace(FORM, fields=(*FORM.fields, *(Field(name, "text") for name in names)))

    assert form_hash(rows("column", "value")) == form_hash(rows("column_1", "value_1", "column", "value"))
    assert form_hash(rows("column", "value")) != form_hash(rows("column"))


@pytest.mark.parametrize("name", ["7", "the-river"])
def test_form_that_changes_the_page_it_stands_on_is_one_on_all_such_pages(name: str) -> None:
    def edit(page: str) -> Form:
        return Form(
            f"{HOME}{page}",
            f"{HOME}{page}",
            "POST",
            (Field("token", "hidden", value=page), Field("text", "textarea")),
        )

    assert form_hash(edit(f"book/{name}")) == form_hash(edit("book/8"))


def test_searches_of_several_tables_are_several_forms_though_each_is_sent_to_its_own_page() -> None:
    books, films = (Form(f"{HOME}{name}", f"{HOME}{name}", "GET", FORM.fields) for name in ("books", "films"))

    assert form_hash(books) != form_hash(films)


def test_a_stored_form_is_sent_as_its_button_says() -> None:
    button = Field("go", "submit", form_action=f"{HOME}other", form_method="POST")
    stored = StoredForm(
        1, 1, replace(FORM, fields=(*FORM.fields, button)), Verdict(True, "search", button=1), "found", ""
    )

    assert (stored.as_sent.method, stored.as_sent.action) == ("POST", f"{HOME}other")


def test_a_form_is_kept_without_what_every_form_has() -> None:
    options = (Option("1", "One"), Option("", "Any", True))
    field = Field(
        "in", "select", label="In", options=options, hints=(LabelHint("before", "In"),), suggestions=("a",)
    )
    form = Form("http://a.example/", "http://a.example/s", "GET", (field, Field("q", "text")))

    kept = form_as_json(form)

    assert form_from_json(kept) == form
    assert json.loads(kept)["fields"][1] == {"name": "q", "kind": "text"}
    assert form_from_json(json.dumps(asdict(form))) == form


def test_form_from_json_needs_no_pickle() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        form_from_json("cos\nsystem\n")
