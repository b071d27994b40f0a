"""How near the words of a form are to a topic."""

from __future__ import annotations

from dataclasses import replace
from math import log, sqrt

import pytest

from hiddenweb.focused.form_relevance import has_few_words, relevance
from hiddenweb.language.terms import terms, weights
from hiddenweb.model import Field, Form, LabelHint, Option

FORM = Form("http://a.example/", "http://a.example/find", "GET", language="en")


def vector(text: str, language: str = "en") -> dict[str, float]:
    return weights(terms([text], language))


def test_a_form_that_says_exactly_the_topic_is_wholly_relevant_and_one_that_says_nothing_of_it_is_not() -> (
    None
):
    form = replace(FORM, text="used books and rare books")

    assert relevance(form, vector("books, rare book; used book")) > 0.95
    assert relevance(form, vector("cheap flights")) == 0
    assert relevance(form, {}) == 0
    assert relevance(FORM, vector("books")) == 0


def test_relevance_is_the_cosine_of_logarithmic_weights() -> None:
    form = replace(FORM, text="castle castle moat")

    expected = (1 + log(2)) / sqrt((1 + log(2)) ** 2 + 1)

    assert relevance(form, {"castl": 1.0}) == pytest.approx(expected)


@pytest.mark.parametrize(
    "form",
    [
        replace(FORM, heading="Find a castle"),
        replace(FORM, names="castle-finder"),
        replace(FORM, fields=(Field("castleTitle", "text"),)),
        replace(FORM, fields=(Field("t", "text", placeholder="a castle"),)),
        replace(FORM, fields=(Field("t", "text", hints=(LabelHint("label", "Title of the castle"),)),)),
        replace(FORM, fields=(Field("t", "select", options=(Option("1", "Castles"),)),)),
    ],
    ids=["heading", "name of the form", "name of a control", "placeholder", "label", "choice"],
)
def test_every_place_where_a_form_speaks_counts(form: Form) -> None:
    assert relevance(form, vector("castle")) > 0.3


def test_hidden_fields_do_not_count() -> None:
    assert (
        relevance(replace(FORM, fields=(Field("castle", "hidden", value="castle"),)), vector("castle")) == 0
    )


def test_words_are_stemmed_by_the_language_of_the_page() -> None:
    german = replace(FORM, text="Gebrauchte Bücher", language="de")

    assert relevance(german, vector("Buch Bücher gebrauchtes", "de")) > 0.5
    assert relevance(replace(german, language="en"), vector("Bücher", "de")) == 0


def test_numbers_and_stop_words_say_nothing() -> None:
    assert list(terms(["The tower of 1984 in the castles"], "en")) == ["tower", "castl"]


MAKES = tuple(
    Option(make.lower(), make)
    for make in ("Audi", "Citroen", "Ferrari", "Honda", "Mazda", "Peugeot", "Skoda", "Toyota", "Volvo")
)


@pytest.mark.parametrize(
    "form",
    [
        FORM,
        replace(FORM, text="Search", fields=(Field("q", "text"),)),
        replace(
            FORM,
            text=f"{' '.join(option.text for option in MAKES)} Search",
            fields=(Field("make", "select", options=MAKES),),
        ),
    ],
    ids=["nothing", "a box", "a list of makes"],
)
def test_options_do_not_count_as_words_of_a_form(form: Form) -> None:
    assert has_few_words(form)


def test_a_form_with_many_labels_has_enough_words() -> None:
    labels = ("Manufacturer", "Mileage", "Engine", "Gearbox", "Colour", "Dealer", "Registration")
    boxes = tuple(
        Field(f"f{number}", "text", hints=(LabelHint("label", label),)) for number, label in enumerate(labels)
    )

    assert not has_few_words(
        replace(FORM, text="Search", fields=(*boxes, Field("make", "select", options=MAKES)))
    )
