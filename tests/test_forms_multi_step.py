"""Forms over several pages: what is one form, what is another, and where it ends."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.forms.multi_step import (
    DEEPEST,
    ENOUGH,
    MOST_FRUITLESS,
    MOST_FRUITLESS_SIMILAR,
    MOST_VARIANTS,
    are_variants,
    look_alike,
    make_step,
    reason_to_skip_similar,
    reason_to_skip_step,
)
from hiddenweb.forms.stored_form import form_as_json, form_from_json, form_hash
from hiddenweb.model import Field, Form, HttpQuery, Option

FIRST = Form(
    "http://a.example/", "http://a.example/find", "GET", (Field("make", "select"), Field("", "submit"))
)
SUBMITTED = HttpQuery((("make", "opel"), ("year", "")), "Opel")


def second(*models: str, make: str = "opel", token: str = "a" * 6) -> Form:
    options = tuple(Option(model, model) for model in models)
    fields = (
        Field("make", "hidden", value=make),
        Field("csrf_token", "hidden", value=token),
        Field("model", "select", options=options),
    )
    return Form("http://a.example/find?make=opel", "http://a.example/find", "GET", fields)


def step(form: Form) -> Form:
    return make_step(form, FIRST, SUBMITTED, 7)


def test_a_step_remembers_what_was_chosen_and_by_which_query() -> None:
    found = step(second("corsa"))

    assert (found.step, found.chosen, found.asked_by) == (2, (("make", "opel"),), 7)
    assert make_step(second("corsa"), found, HttpQuery((("model", "corsa"),)), 9).chosen == (
        ("make", "opel"),
        ("model", "corsa"),
    )


def test_a_step_survives_being_written_down() -> None:
    found = step(second("corsa"))

    assert form_from_json(form_as_json(found)) == found


def test_second_forms_with_other_choices_or_hidden_values_are_forms_of_their_own() -> None:
    opel, fiat = step(second("corsa", "astra")), step(second("panda", "tipo", make="fiat"))

    assert form_hash(opel) != form_hash(fiat)
    assert form_hash(opel) != form_hash(step(second("corsa", "astra", make="vauxhall")))
    assert are_variants(opel, fiat)


def test_second_forms_that_differ_in_tokens_and_in_what_led_there_are_one() -> None:
    opel = step(second("corsa", token="b" * 32))

    assert form_hash(opel) == form_hash(replace(step(second("corsa", token="c" * 32)), asked_by=8, chosen=()))


def test_where_only_a_session_can_know_the_choice_every_choice_makes_a_form() -> None:
    plain = Form("http://a.example/", "http://a.example/more", "GET", (Field("model", "select"),))
    fiat = HttpQuery((("make", "fiat"),))

    with_session = [make_step(plain, FIRST, query, 7, has_session=True) for query in (SUBMITTED, fiat)]
    without = [make_step(plain, FIRST, query, 7) for query in (SUBMITTED, fiat)]

    assert form_hash(with_session[0]) != form_hash(with_session[1])
    assert form_hash(without[0]) == form_hash(without[1])
    assert not make_step(second("corsa"), FIRST, SUBMITTED, 7, has_session=True).in_session


def test_forms_of_one_page_are_told_apart_as_before() -> None:
    assert form_hash(second("corsa")) == form_hash(second("panda", make="fiat"))
    assert not are_variants(second("corsa"), step(second("corsa")))


def test_two_steps_are_followed_and_the_third_is_left() -> None:
    third = replace(second("corsa"), step=DEEPEST + 1)

    assert reason_to_skip_step(step(second("corsa")), [], 0) == ""
    assert "step 3" in reason_to_skip_step(third, [], 0)


def test_there_is_an_end_to_variants() -> None:
    found = step(second("corsa"))

    assert reason_to_skip_step(found, [1] * MOST_VARIANTS, MOST_VARIANTS) == ENOUGH
    assert reason_to_skip_step(found, [9] + [0] * MOST_FRUITLESS, MOST_FRUITLESS + 1) == ENOUGH
    assert reason_to_skip_step(found, [0] * MOST_FRUITLESS + [1], MOST_FRUITLESS + 1) == ""


def below(place: str, label: str = "Search below this page") -> Form:
    fields = (Field("in", "hidden", value=place), Field("q", "search", label=label), Field("", "submit"))
    return Form(f"http://a.example/{place}/", f"http://a.example/{place}/find", "GET", fields)


def test_similar_forms_look_the_same_wherever_they_are_sent() -> None:
    assert look_alike(below("hills"), below("rivers"))
    assert not look_alike(below("hills"), below("hills", label="Search people"))
    assert not look_alike(below("hills"), replace(below("rivers"), method="POST"))
    assert not look_alike(below("hills"), step(below("rivers")))


def test_similar_forms_are_skipped_after_a_few_in_a_row_that_brought_nothing_new() -> None:
    assert reason_to_skip_similar([0] * (MOST_FRUITLESS_SIMILAR - 1)) == ""
    assert reason_to_skip_similar([0] * MOST_FRUITLESS_SIMILAR + [1]) == ""
    assert "brought nothing new" in reason_to_skip_similar([9] + [0] * MOST_FRUITLESS_SIMILAR)
