"""One record from what answers and its own page say."""

from __future__ import annotations

import pytest

from hiddenweb.records.merging import Conflict, merge_answers, merge_page

ANSWER = [("title", "The River"), ("year", "1999")]
LONG = "The river comes down from the hills, and nobody in the town knows how old it is."


def test_what_only_the_page_says_is_added() -> None:
    merged = merge_page(ANSWER, ["title", "year"], [("year", "1999"), ("pages", "320")])

    assert merged.attributes == [*ANSWER, ("pages", "320")]
    assert merged.shown == ["title", "year", "pages"]
    assert merged.conflicts == []


def test_a_value_that_the_answer_shows_is_kept_and_the_conflict_too() -> None:
    merged = merge_page(ANSWER, ["year"], [("year", "2001")])

    assert merged.attributes == ANSWER
    assert merged.conflicts == [Conflict("year", "1999", "2001", "page")]


def test_a_guess_of_the_answer_gives_way_to_a_label_of_the_page() -> None:
    merged = merge_page(ANSWER, [], [("year", "2001")])

    assert merged.attributes == [("title", "The River"), ("year", "2001")]
    assert merged.conflicts == [Conflict("year", "2001", "1999", "answer")]


def test_a_guess_gives_way_to_a_part_of_it_that_the_page_labels() -> None:
    merged = merge_page([("title", "Ticket: The River (5 May)")], [], [("title", "The River")])

    assert (merged.attributes, merged.conflicts) == ([("title", "The River")], [])


def test_a_guessed_name_gives_way_to_the_label_of_the_same_value() -> None:
    merged = merge_page([("title", "The River"), ("text 2", "Jane Smith")], [], [("author", "Jane Smith")])

    assert merged.attributes == [("title", "The River"), ("author", "Jane Smith")]


def test_a_title_stays_whatever_the_page_calls_it() -> None:
    merged = merge_page(ANSWER, [], [("name", "The River")])

    assert merged.attributes == [*ANSWER, ("name", "The River")]


@pytest.mark.parametrize(
    ("listed", "stated"),
    [
        ("Jane  Smith", "jane smith"),
        ("Jane, John", "John; Jane"),
        ("Comedy 2", "2"),
        ("2024-03-05", "March 5, 2024"),
    ],
)
def test_two_ways_to_write_a_value_are_no_conflict(listed: str, stated: str) -> None:
    merged = merge_page([("about", listed)], ["about"], [("about", stated)])

    assert (merged.attributes, merged.conflicts) == ([("about", listed)], [])


def test_what_the_answer_cuts_off_is_whole_on_the_page() -> None:
    cut = [("summary", f"{LONG[:30]} ...")]

    assert merge_page(cut, ["summary"], [("summary", LONG)]).attributes == [("summary", LONG)]
    assert merge_page(cut, [], [], [LONG]).attributes == [("summary", LONG)]


def test_another_text_does_not_take_the_place_of_one_that_is_cut_off() -> None:
    cut, other = [("summary", f"{LONG[:30]} ...")], LONG.upper().replace("THE", "A")

    assert merge_page(cut, [], [], [other]).attributes == [*cut, ("text", other)]


def test_a_text_that_answers_leave_out_is_added_once() -> None:
    assert merge_page(ANSWER, [], [], [LONG, "short"]).attributes == [*ANSWER, ("text", LONG)]
    with_text = [("title", "The River"), ("abstract", LONG)]
    assert merge_page(with_text, [], [], [LONG]).attributes == with_text


def test_the_answer_that_shows_more_names_is_the_better_one() -> None:
    guessed, shown = [("title", "The River"), ("text 2", "1999")], ["title", "year"]

    assert merge_answers(guessed, [], ANSWER, shown) == (ANSWER, shown)
    assert merge_answers(ANSWER, shown, guessed, []) == (ANSWER, shown)


def test_other_answers_add_the_columns_that_only_they_show() -> None:
    merged = merge_answers(
        ANSWER, ["title", "year"], [("title", "The River"), ("pages", "320")], ["title", "pages"]
    )

    assert merged == ([*ANSWER, ("pages", "320")], ["title", "year", "pages"])
