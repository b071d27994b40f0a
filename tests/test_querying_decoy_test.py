"""Distinguishing a search from a decoy by its answers."""

from __future__ import annotations

import json

import pytest

from hiddenweb.querying.decoy_test import DecoyTest, hash_texts, is_nonsense, nonsense

KEYS = ("a", "b", "c", "d")


def new_test() -> DecoyTest:
    return DecoyTest(nonsense(7))


def test_a_made_up_word_depends_on_its_seed_only_and_is_recognised() -> None:
    assert nonsense(7) == nonsense(7)
    assert nonsense(7) != nonsense(8)
    assert is_nonsense(nonsense(7))
    assert not is_nonsense("xylophone")


def test_records_that_hold_the_word_confirm_a_search_without_a_probe() -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=0.75)

    assert test.stage == "confirmed"
    assert test.next_probe == ""
    assert "75% of 4 records hold 'bridge'" in test.why


def test_records_without_the_word_raise_a_doubt_that_only_nonsense_settles() -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=0.25)
    assert test.next_probe == test.word

    test.learn_answer("river", "all", KEYS, holding=1.0)
    assert test.next_probe == test.word


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
def test_the_answer_to_nonsense_distinguishes_a_search_from_a_decoy(
    case: str, keys: tuple[str, ...], stage: str
) -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=0.0)
    test.learn_answer(test.word, case, keys, holding=0.0)

    assert test.stage == stage
    assert test.next_probe == ""


@pytest.mark.parametrize(
    ("cases", "stage"),
    [(["form_again", "error"], "open"), (["form_again", "error", "another_form"], "decoy")],
)
def test_three_answers_that_are_none_in_a_row_end_the_patience(cases: list[str], stage: str) -> None:
    test = new_test()
    for number, case in enumerate(cases):
        test.learn_answer(f"word {number}", case, (), holding=0.0)

    assert test.stage == stage


@pytest.mark.parametrize("holding", [0.0, 1.0])
def test_the_same_records_for_another_word_raise_a_doubt_once_whatever_they_hold(holding: float) -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=1.0)
    test.learn_answer("stone", "duplicate", (), holding=holding)
    assert test.next_probe == test.word

    test.learn_answer(test.word, "nothing_found", (), holding=0.0)
    test.learn_answer("coast", "duplicate", (), holding=holding)
    assert test.stage == "confirmed"
    assert test.next_probe == ""


def test_records_that_say_the_same_but_for_the_word_raise_a_doubt() -> None:
    test = new_test()
    for word, text_hash in (("bridge", 7), ("stone", 8), ("river", 7)):
        assert test.next_probe == ""
        test.learn_answer(word, "all", [f"{word} {key}" for key in KEYS], holding=1.0, text_hash=text_hash)

    assert test.next_probe == test.word


def test_texts_are_hashed_without_the_word() -> None:
    text_hash = hash_texts("Amber", ["The best amber", "Amber for sale"])

    assert text_hash == hash_texts("beetle", ["Beetle for sale", "The best  BEETLE"]) != 0
    assert text_hash != hash_texts("amber", ["The best amber", "Amber for rent"])
    assert hash_texts("amber", []) == 0


@pytest.mark.parametrize(
    ("case", "keys", "holding", "signature", "stage"),
    [
        pytest.param("all", ("w", "x", "y", "z"), 1.0, 2, "decoy", id="an echo"),
        pytest.param("duplicate", (), 1.0, 2, "decoy", id="an echo in a list that another word brought"),
        pytest.param("duplicate", (), 0.0, 1, "decoy", id="the list that the first word brought"),
        pytest.param("duplicate", (), 0.0, 2, "confirmed", id="what is shown when nothing is found"),
        pytest.param("all", ("w",), 1.0, 2, "confirmed", id="a proposal to search elsewhere"),
        pytest.param("nothing_found", (), 0.0, 0, "confirmed", id="nothing"),
    ],
)
def test_nonsense_decides_on_a_form_whose_first_records_held_their_word(
    case: str, keys: tuple[str, ...], holding: float, signature: int, stage: str
) -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=1.0, signature=1)
    test.learn_answer("stone", "all", ("e", "f"), holding=0.0, signature=2)
    test.learn_answer("river", "duplicate", (), holding=0.0, signature=2)

    test.learn_answer(test.word, case, keys, holding=holding, signature=signature)

    assert test.stage == stage


def test_nonsense_that_fails_is_replaced_by_another_word_that_decides() -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=0.0)
    first = test.next_probe
    test.learn_silence(first)
    assert test.next_probe == ""

    test.learn_answer("river", "all", ("e", "f"), holding=0.0)
    second = test.next_probe
    assert is_nonsense(second)
    assert second != first
    test.learn_answer(second, "all", KEYS, holding=0.0)
    assert test.stage == "decoy"


@pytest.mark.parametrize(
    ("holding", "next_case", "stage"),
    [
        pytest.param(0.0, "duplicate", "decoy", id="two words brought the same, and it did not hold them"),
        pytest.param(0.0, "all", "confirmed", id="two words brought different records"),
        pytest.param(1.0, "duplicate", "confirmed", id="records held their word"),
    ],
)
def test_nonsense_that_fails_twice_leaves_the_decision_to_the_existing_answers(
    holding: float, next_case: str, stage: str
) -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=holding)
    test.learn_answer("stone", next_case, (), holding=holding)
    for word in ("river", "coast"):
        test.learn_silence(test.next_probe)
        test.learn_answer(word, "nothing_found", (), holding=0.0)

    assert test.stage == stage
    assert test.next_probe == ""


def test_a_word_that_fails_says_nothing() -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=0.0)
    test.learn_silence("river")

    assert test.next_probe == test.word


@pytest.mark.parametrize(
    ("answers", "stage"),
    [
        ([("all", KEYS), ("duplicate", ()), ("duplicate", ())], "decoy"),
        ([("all", KEYS), ("duplicate", ())], "open"),
        ([("all", KEYS), ("duplicate", ()), ("all", ("e",)), ("duplicate", ())], "confirmed"),
        ([("all", KEYS), ("nothing_found", ()), ("duplicate", ()), ("duplicate", ())], "confirmed"),
        ([("nothing_found", ()), ("all", KEYS), ("duplicate", ()), ("duplicate", ())], "confirmed"),
        ([("form_again", ()), ("form_again", ()), ("another_form", ())], "open"),
    ],
)
def test_a_form_without_a_box_is_a_decoy_if_three_choices_bring_the_same(
    answers: list[tuple[str, tuple[str, ...]]], stage: str
) -> None:
    test = new_test()
    for number, (case, keys) in enumerate(answers):
        for _ in range(2):  # after a kill an answer is read again
            test.learn_choice(f"choice {number}", case, keys)

    assert test.stage == stage


def test_an_answer_that_is_read_twice_counts_once() -> None:
    test = new_test()
    for _ in range(5):
        test.learn_answer("bridge", "form_again", (), holding=0.0)

    assert test.stage == "open"


def test_saying_that_nothing_was_found_is_an_answer() -> None:
    test = new_test()
    for word in ("one", "two"):
        test.learn_answer(word, "form_again", (), holding=0.0)
    test.learn_answer("three", "nothing_found", (), holding=0.0)
    for word in ("four", "five"):
        test.learn_answer(word, "form_again", (), holding=0.0)

    assert test.stage == "open"


def test_a_form_that_only_comes_again_insists_from_then_on() -> None:
    assert not new_test().insists
    test = new_test()
    test.learn_answer("bridge", "form_again", (), holding=0.0)
    test.learn_answer("river", "all", KEYS, holding=1.0)

    assert test.insists
    assert test.stage == "confirmed"
    assert DecoyTest.from_json(test.to_json()) == test


def test_the_test_is_saved_and_restored() -> None:
    test = new_test()
    test.learn_answer("bridge", "all", KEYS, holding=1.0, signature=3, text_hash=4)
    test.learn_answer("stone", "duplicate", (), holding=1.0)
    test.learn_silence(test.word)

    assert DecoyTest.from_json(json.loads(json.dumps(test.to_json()))) == test
