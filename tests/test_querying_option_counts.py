"""How many records choices have follows from submitted ones: the options of a control divide the records."""

from __future__ import annotations

import pytest

from hiddenweb.querying.option_counts import NOTHING, OptionCounts


def one(name: str, value: str) -> frozenset[tuple[str, str]]:
    return frozenset(((name, value),))


@pytest.fixture
def counts() -> OptionCounts:
    made = OptionCounts({"genre": 4, "decade": 5, "box": 3}, exclusive=["genre", "decade"])
    made.learn_answer(NOTHING, found=1_000, shown=100)
    return made


def test_options_have_equal_parts_before_anything_is_known(counts: OptionCounts) -> None:
    assert counts.found(one("genre", "a")) == 250
    assert counts.found(one("genre", "a") | one("decade", "x")) == pytest.approx(50)


def test_submitted_options_leave_the_other_records_to_other_options(counts: OptionCounts) -> None:
    counts.learn_answer(one("genre", "a"), found=700, shown=100)
    assert counts.found(one("genre", "b")) == 100

    counts.learn_answer(one("genre", "b"), found=300, shown=100)

    assert counts.found(one("genre", "c")) == 0


def test_pairs_are_guessed_from_the_records_left_for_their_parts(counts: OptionCounts) -> None:
    counts.learn_answer(one("genre", "a"), found=600, shown=100)
    counts.learn_answer(one("decade", "x"), found=500, shown=100)
    pair = one("genre", "a") | one("decade", "x")
    assert counts.found(pair) == pytest.approx(300)

    counts.learn_answer(pair, found=480, shown=100)

    # 120 of genre a are left for decades that have 500 of 1,000 records together
    assert counts.found(one("genre", "a") | one("decade", "y")) == pytest.approx(30)
    # 20 of decade x are left for other genres, which have 400 together
    assert counts.found(one("genre", "b") | one("decade", "x")) == pytest.approx(20 / 3)


def test_known_records_count_by_the_choices_that_found_them_and_in_parts_otherwise(
    counts: OptionCounts,
) -> None:
    counts.learn_answer(one("genre", "a"), found=200, shown=100)
    counts.count_new(one("genre", "a"), 100)
    assert counts.known == 100
    assert counts.count_known(one("genre", "a")) == 100
    assert counts.count_known(one("genre", "b")) == 0
    assert counts.count_known(one("decade", "x")) == pytest.approx(20)  # a fifth of them

    counts.count_new(NOTHING, 50)  # by a word

    assert counts.count_known(one("genre", "a")) == pytest.approx(110)
    assert counts.hidden(one("genre", "a")) == pytest.approx(90)
    assert counts.count_known(one("genre", "a") | one("decade", "x")) == pytest.approx(20 + 2)


def test_options_with_too_many_records_together_do_not_exclude_each_other(
    counts: OptionCounts,
) -> None:
    for value in ("a", "b", "c"):
        counts.learn_answer(one("genre", value), found=500, shown=100)

    assert counts.found(one("genre", "d")) == 500


def test_the_records_of_a_value_of_a_box_say_nothing_about_its_other_values(counts: OptionCounts) -> None:
    counts.learn_answer(one("box", "a"), found=990, shown=100)

    assert counts.found(one("box", "b")) == 990
    assert counts.found(one("box", "b") | one("genre", "a")) == pytest.approx(1_000 * 0.99 * 0.25)


def test_a_half_of_a_window_has_the_records_that_the_other_half_leaves() -> None:
    counts = OptionCounts({"year": 2}, exclusive=["year"])
    counts.learn_answer(one("year", "1..8"), found=400, shown=100)
    counts.note_halves(("year", "1..8"), [("year", "1..4"), ("year", "5..8")])
    assert counts.found(one("year", "1..4")) == 200

    counts.learn_answer(one("year", "1..4"), found=390, shown=100)
    counts.count_new(one("year", "1..4"), 100)

    assert counts.found(one("year", "5..8")) == 10
    assert counts.count_known(one("year", "1..8")) == 100
    assert counts.found(one("year", "9..16")) == 400  # halves are no further windows


def test_the_size_follows_from_the_options_if_the_site_reports_none() -> None:
    counts = OptionCounts({"genre": 4}, exclusive=["genre"])
    assert counts.size == 1_000
    counts.learn_answer(one("genre", "a"), found=30, shown=30)
    counts.learn_answer(one("genre", "b"), found=50, shown=50)
    assert counts.size == 160
    assert counts.reported_size is None

    counts.size_by_words = lambda: 90.0
    counts.learn_answer(one("genre", "c"), found=20, shown=20)
    assert counts.size == 1_000  # a few records tell nothing

    counts.count_new(one("genre", "a"), 100)
    counts.learn_answer(one("genre", "d"), found=130, shown=100)

    assert counts.size == 230  # what the options have, at least


def test_an_answer_that_was_cut_without_a_word_has_more_than_was_shown(counts: OptionCounts) -> None:
    counts.learn_answer(one("genre", "a"), found=None, shown=400)

    assert counts.found(one("genre", "a")) == 800
    assert not counts.is_known(one("genre", "a"))


def test_records_that_name_their_choices_show_how_many_have_them(counts: OptionCounts) -> None:
    counts.note_names("genre", ["a", "b"])
    for number in range(200):
        counts.count_guess("genre", ["a"] if number % 10 else ["b"])

    assert counts.found(one("genre", "a")) == pytest.approx(900, rel=0.02)
    assert counts.found(one("genre", "b")) == pytest.approx(100, rel=0.1)
    assert counts.found(one("genre", "c")) == pytest.approx(0, abs=3)
    assert counts.found(one("decade", "x")) == 200
