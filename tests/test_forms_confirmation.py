"""Telling a search from a decoy by what it answers."""

from __future__ import annotations

import json

import pytest

from hiddenweb.forms.confirmation import Confirmation, is_nonsense, nonsense

KEYS = ("a", "b", "c", "d")


def fresh() -> Confirmation:
    return Confirmation(nonsense(7))


def test_a_made_up_word_depends_on_its_seed_only_and_is_recognised() -> None:
    assert nonsense(7) == nonsense(7)
    assert nonsense(7) != nonsense(8)
    assert is_nonsense(nonsense(7))
    assert not is_nonsense("xylophone")


def test_records_that_hold_the_word_confirm_a_search_without_a_probe() -> None:
    found = fresh()
    found.answered("bridge", "all", KEYS, holding=0.75)

    assert found.stage == "confirmed"
    assert found.next_probe == ""
    assert "75% of 4 records hold 'bridge'" in found.why


def test_records_without_the_word_raise_a_doubt_that_only_nonsense_settles() -> None:
    found = fresh()
    found.answered("bridge", "all", KEYS, holding=0.25)
    assert found.next_probe == found.word

    found.answered("river", "all", KEYS, holding=1.0)
    assert found.next_probe == found.word


@pytest.mark.parametrize(
    ("case", "keys", "stage"),
    [
        ("duplicate", (), "decoy"),
        ("all", KEYS, "decoy"),
        ("all", ("a", "b", "c", "d", "e"), "decoy"),
        ("all", ("a", "x", "y", "z"), "confirmed"),
        ("nothing_found", (), "confirmed"),
        ("form_again", (), "confirmed"),
    ],
)
def test_what_nonsense_brings_tells_a_search_from_a_decoy(
    case: str, keys: tuple[str, ...], stage: str
) -> None:
    found = fresh()
    found.answered("bridge", "all", KEYS, holding=0.0)
    found.answered(found.word, case, keys, holding=0.0)

    assert found.stage == stage
    assert found.next_probe == ""


@pytest.mark.parametrize(
    ("cases", "stage"),
    [(["form_again", "error"], "open"), (["form_again", "error", "another_form"], "decoy")],
)
def test_three_answers_that_are_none_in_a_row_end_the_patience(cases: list[str], stage: str) -> None:
    found = fresh()
    for number, case in enumerate(cases):
        found.answered(f"word {number}", case, (), holding=0.0)

    assert found.stage == stage


def test_the_same_records_for_another_word_raise_a_doubt_once() -> None:
    found = fresh()
    found.answered("bridge", "all", KEYS, holding=1.0)
    found.answered("stone", "duplicate", (), holding=1.0)
    assert found.next_probe == ""
    found.answered("river", "duplicate", (), holding=0.0)
    assert found.next_probe == found.word

    found.answered(found.word, "nothing_found", (), holding=0.0)
    found.answered("coast", "duplicate", (), holding=0.0)
    assert found.stage == "confirmed"


def test_an_answer_that_is_read_twice_counts_once() -> None:
    found = fresh()
    for _ in range(5):
        found.answered("bridge", "form_again", (), holding=0.0)

    assert found.stage == "open"


def test_saying_that_nothing_was_found_is_an_answer() -> None:
    found = fresh()
    for word in ("one", "two"):
        found.answered(word, "form_again", (), holding=0.0)
    found.answered("three", "nothing_found", (), holding=0.0)
    for word in ("four", "five"):
        found.answered(word, "form_again", (), holding=0.0)

    assert found.stage == "open"


def test_a_form_that_only_comes_again_insists_on_more_from_then_on() -> None:
    found = fresh()
    assert not found.insists
    found.answered("bridge", "form_again", (), holding=0.0)
    found.answered("river", "all", KEYS, holding=1.0)

    assert found.insists
    assert found.stage == "confirmed"
    assert Confirmation.from_json(found.to_json()[:-1]).insists is False
    assert Confirmation.from_json(found.to_json()) == found


def test_what_is_written_down_is_taken_up_again() -> None:
    found = fresh()
    found.answered("bridge", "all", KEYS, holding=0.0)

    assert Confirmation.from_json(json.loads(json.dumps(found.to_json()))) == found
