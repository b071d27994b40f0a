"""What became of the records of an answer."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.model import Record
from hiddenweb.revisit.answer_changes import (
    add_unseen,
    find_surely_new,
    join_records,
    keep_record_changes,
)
from hiddenweb.revisit.change import Change
from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState

URL = "http://a.example/"


def records(*texts: str) -> list[Record]:
    return [Record(f"r{number}", "", text) for number, text in enumerate(texts)]


def changed(before: list[Record], now: list[Record]) -> list[str]:
    """Return the keys of records that are reported as changed."""
    old_texts = {each.key: each.text for each in before}
    changes = [
        Change("record changed", URL, 1.0, key=each.key, before=old_texts[each.key], after=each.text)
        for each in now
        if old_texts.get(each.key, each.text) != each.text
    ]
    outcome = ComparisonOutcome("changed", ComparisonState(URL), (Change("content", URL, 1.0), *changes))
    return [each.key for each in keep_record_changes(outcome, before, now).changes]


def test_records_of_all_pages_are_joined_once_and_in_order() -> None:
    first, second, third = records("a", "b", "c")

    assert join_records([[first, second], [second, third]]) == (first, second, third)
    assert add_unseen([first, third], [second]) == (second, first, third)


def test_only_records_before_an_old_one_are_surely_new() -> None:
    first, second, third = records("a", "b", "c")

    assert find_surely_new(["r0", "r2"], [second], [first, second, third]) == {"r0"}


def test_words_around_records_are_no_change_of_records() -> None:
    same = records("A lamp", "A shade")

    assert changed(same, same) == []


def test_a_rank_that_moves_with_its_record_is_no_change() -> None:
    before = records("1. A lamp", "2. A shade")
    now = [replace(before[1], text="1. A shade"), replace(before[0], text="2. A lamp")]

    assert changed(before, now) == []


def test_a_score_that_moves_in_most_records_is_no_change_and_a_price_is() -> None:
    before = records(*(f"Lamp {letter}, score: {number}, 5 €" for number, letter in enumerate("abcd", 20)))
    now = [replace(each, text=each.text.replace("score: 2", "score: 7")) for each in before]
    dearer = [replace(each, text=each.text.replace("5 €", "6 €")) for each in before]

    assert changed(before, now) == []
    assert changed(before, dearer) == ["r0", "r1", "r2", "r3"]
