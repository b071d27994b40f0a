from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import within

from hiddenweb.model import Record
from hiddenweb.reports.changes import change_facts, describe_change
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.diff import record_changes, word_edits


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ("The red house", "The old house", [("red", "old")]),
        ("One two", "One two three", [("", "three")]),
        ("One two three", "Two three", [("One two", "Two")]),  # a stray space joins
        ("price 12.50 €", "price 14.00 €", [("12.50", "14.00")]),
        ("我们住在红色的房子里", "我们住在古老的房子里", [("红色", "古老")]),
        ("บ้านสีแดงหลังใหญ่", "บ้านสีเขียวหลังใหญ่", [("แดง", "เขียว")]),
        ("البيت الأحمر الكبير", "البيت الأخضر الكبير", [("الأحمر", "الأخضر")]),
        ("", "all of it", [("", "all of it")]),
        ("same  words", "same words", []),
    ],
)
def test_changed_words_are_named(before: str, after: str, edits: list[tuple[str, str]]) -> None:
    assert [(edit.before, edit.after) for edit in word_edits(before, after)] == edits


@given(st.text(max_size=200))
def test_text_does_not_differ_from_itself(text: str) -> None:
    assert word_edits(text, text) == ()


@given(st.text(max_size=80), st.text(max_size=80))
def test_all_differences_except_white_space_are_reported(first: str, second: str) -> None:
    edits = word_edits(first, second)

    assert bool(edits) or "".join(first.split()) == "".join(second.split())


def test_long_texts_are_compared_in_bounded_time() -> None:
    rng = Random(1)
    first, second = (" ".join(rng.choices("abcdefgh", k=100_000)) for _ in range(2))

    edits = within(1, lambda: word_edits(first, second))

    assert len(edits) == 1


# Records


def record(key: str, title: str = "", text: str = "", **pairs: str) -> Record:
    full_text = text or " ".join((title, *(f"{name}: {value}" for name, value in pairs.items())))
    return Record(key, title or key, full_text, pairs=tuple(pairs.items()))


def reported(
    before: list[Record], after: list[Record], **how: object
) -> list[tuple[str, str, str, str, str]]:
    changes = record_changes(before, after, **how)  # type: ignore[arg-type]
    return [(each.kind, each.record.key, each.attribute, each.before, each.after) for each in changes]


def test_order_of_records_does_not_count() -> None:
    records = [record(f"http://a.example/{number}", price=str(number)) for number in range(5)]

    assert reported(records, records[::-1]) == []


def test_attribute_that_changed_is_named_with_both_values() -> None:
    old, new = (
        record("http://a.example/1", price="12", year="1984"),
        record("http://a.example/1", price="14", year="1984"),
    )

    assert reported([old], [new]) == [("record changed", "http://a.example/1", "price", "12", "14")]


def test_words_next_to_a_changed_attribute_are_reported_too() -> None:
    old = Record("http://a.example/1", "Tea", "Tea, green Price: 12", pairs=(("Price", "12"),))
    new = Record("http://a.example/1", "Tea", "Tea, black Price: 14", pairs=(("Price", "14"),))

    assert [each[2:] for each in reported([old], [new])] == [
        ("Price", "12", "14"),
        ("", "Tea, green :", "Tea, black :"),
    ]


def test_added_and_removed_records_are_reported() -> None:
    old, common, new = (record(f"http://a.example/{name}") for name in ("old", "common", "new"))

    kinds = [each[:2] for each in reported([old, common], [common, new])]

    assert kinds == [("record added", "http://a.example/new"), ("record removed", "http://a.example/old")]


def test_record_pushed_to_another_page_is_neither_new_nor_removed() -> None:
    first, second, third = (record(f"http://a.example/{name}") for name in "abc")

    assert reported([first, second], [third, first], elsewhere=frozenset({second.key})) == [
        ("record added", third.key, "", "", third.text)
    ]
    assert reported([first, second], [first], is_whole=False) == []


def test_record_without_address_is_the_same_by_its_title() -> None:
    old = record("a.example#1111", "Green tea", "Green tea from Uji")
    new = record("a.example#2222", "Green tea", "Green tea from Nara")

    assert [each[0] for each in reported([old], [new])] == ["record changed"]


@given(st.permutations(range(8)), st.sets(st.integers(0, 7)))
def test_reported_changes_do_not_depend_on_order(order: list[int], gone: set[int]) -> None:
    records = [record(f"http://a.example/{number}") for number in range(8)]
    remaining = [records[number] for number in order if number not in gone]

    changes = reported(records, remaining)

    assert {each[1] for each in changes} == {records[number].key for number in gone}


# What is printed


CHANGE = Change(
    "content",
    "https://a.example/1",
    1_790_000_000.0,
    "a.example",
    "Tea",
    edits=(Edit("red", "green"), Edit("", "new")),
)


def test_change_is_shown_with_and_without_colours() -> None:
    assert describe_change(CHANGE, in_colour=False).splitlines() == [
        "2026-09-21 14:13  ~ content  https://a.example/1",
        "    title: Tea",
        "    [-red-] {+green+}",
        "    {+new+}",
    ]
    assert "\x1b[31;9mred\x1b[0m \x1b[32;4mgreen\x1b[0m" in describe_change(CHANGE)


def test_attribute_is_shown_with_both_values() -> None:
    change = Change(
        "record changed", "https://a.example/", 0.0, attribute="Price", before="12", after="14", number=7
    )

    assert describe_change(change, in_colour=False).splitlines()[0].startswith("7  1970-01-01")
    assert describe_change(change, in_colour=False).endswith("    Price: [-12-] {+14+}")


def test_text_of_strangers_cannot_steer_the_terminal() -> None:
    change = Change("gone", "https://a.example/\x1b[2J", 0.0, title="\x1b]0;owned\x07 a\u202eb")

    assert "\x1b" not in describe_change(change, in_colour=False)
    assert "\u202e" not in describe_change(change, in_colour=False)


def test_change_as_data_goes_through_json() -> None:
    data = json.loads(json.dumps(change_facts(CHANGE)))

    assert data["kind"] == "content"
    assert data["edits"] == [{"before": "red", "after": "green"}, {"before": "", "after": "new"}]
    assert "attribute" not in data
