"""Words in a form for another purpose than searching."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.forms.other_purposes import find_other_purposes, find_purposes_around
from hiddenweb.model import Field, Form

BOX, BUTTON = Field("q", "text", label="Keywords"), Field("", "submit", label="Search")
FORM = Form("http://a.example/", "http://a.example/find", "GET", (BOX, BUTTON), text="Keywords | Search")


def test_a_search_speaks_of_nothing_else() -> None:
    assert not list(find_other_purposes(FORM, BUTTON, BOX, trusted=False))
    assert not list(find_purposes_around(FORM, BUTTON, sure=False, trusted=False))


def test_a_heading_that_speaks_of_logging_in_is_found_with_its_word() -> None:
    form = replace(FORM, heading="Log in to your account")

    assert any("'log in'" in found for found in find_other_purposes(form, BUTTON, BOX, trusted=False))


def test_the_text_of_a_form_may_speak_of_another_purpose() -> None:
    form = replace(FORM, text="Subscribe to our newsletter.")

    assert list(find_purposes_around(form, BUTTON, sure=False, trusted=False))
