"""Whether the box of a form takes words, or something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.forms.query_box import all_text, find_objections_to_box, text_for_people
from hiddenweb.model import Field, Form, LabelHint


def against(box: Field, *others: Field) -> list[str]:
    return list(
        find_objections_to_box(Form("http://a.example/", "http://a.example/f", "GET", (box, *others)), box)
    )


def box(label: str = "", placeholder: str = "", **more: object) -> Field:
    return Field("q", "text", label=label, placeholder=placeholder, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "harmless",
    [
        box(),
        box("Keywords"),
        box("Title, author or call number"),
        box("Titel oder Signatur"),
        box("ISBN"),
        box("TEXT"),
        box("Search by number"),
        box("Words", pattern="[A-Za-z ]{2,}"),
        box("Words", "e.g. tea in China"),
        box("Words", value="type here"),
    ],
)
def test_a_box_for_words_takes_words(harmless: Field) -> None:
    assert against(harmless) == []


@pytest.mark.parametrize(
    "harmful",
    [
        box("Number"),
        box("Number, or title"),
        box("Aktenzeichen"),
        box("PNR"),
        box("IMEI:"),
        box("Parcel", "1Z999AA10123456784"),
        box("Call", "+44 7700 900123"),
        box("Words", pattern="[A-Z]{2}[0-9]{9}"),
        box("Words", "me@example.org"),
        box("Words", "SELECT * FROM books"),
        box("Find", hints=(LabelHint("title", "Your e-mail@host"),)),
        box("運送", hints=(LabelHint("description", "お問い合わせ番号"),)),
        box(value="Your order number"),
    ],
)
def test_a_box_for_something_else_is_told_by_all_that_stands_there(harmful: Field) -> None:
    assert against(harmful)


def test_endings_tell_of_numbers_only_in_a_form_with_one_box() -> None:
    assert against(box("Inventarnummer"))
    assert against(box("Inventarnummer"), Field("t", "text")) == []


def test_what_people_read_is_not_what_machines_are_told() -> None:
    named = box("order id", hints=(LabelHint("name", "order id"),))

    assert text_for_people(named) == ""
    assert text_for_people(replace(named, placeholder="Tea")) == "Tea"
    assert text_for_people(box("for")) == ""
    assert text_for_people(box("Words", "tea")) == "Words tea"
    assert text_for_people(None) == ""
    assert (
        all_text(box("A", "B", value="C", hints=(LabelHint("title", "D"), LabelHint("name", "e"))))
        == "A | B | C | D"
    )
