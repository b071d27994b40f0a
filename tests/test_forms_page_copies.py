"""What a form has only because of its page, and what follows for whether it is submitted."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.forms.page_copies import copied_names
from hiddenweb.forms.verdict import repeats_form
from hiddenweb.model import Field, Form

HOME = "http://books.example/list"
FORM = Form(
    HOME, HOME, "GET", (Field("q", "search"), Field("column", "select"), Field("lang", "hidden", value="en"))
)
FILTERED = replace(
    FORM,
    page_url=f"{HOME}?kind=red&q=wine",
    fields=(*FORM.fields, Field("column_1", "select"), Field("kind", "hidden", value="red")),
)


def test_hidden_controls_that_the_page_has_as_parameters_are_copies() -> None:
    assert copied_names(FILTERED) == {"kind"}
    assert copied_names(FORM) == set()
    assert copied_names(replace(FILTERED, step=2)) == set()


def test_a_form_that_its_page_narrows_repeats_the_one_that_finds_everything() -> None:
    assert repeats_form(FILTERED, 0, FORM, 0)
    assert not repeats_form(FORM, 0, FILTERED, 0)


def test_a_hidden_value_that_is_no_copy_makes_another_search() -> None:
    other = replace(FORM, fields=(*FORM.fields, Field("kind", "hidden", value="red")))

    assert not repeats_form(other, 0, FORM, 0)
