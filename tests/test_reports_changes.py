"""Changes as a terminal shows them, and as data."""

from __future__ import annotations

import json

import pytest

from hiddenweb.model import Record
from hiddenweb.reports.changes import (
    change_facts,
    comparison_facts,
    comparison_lines,
    describe_change,
    safe,
    utc_time,
)
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.diff import RecordChange
from hiddenweb.revisit.versions import VersionDiff

AT = 1_763_409_600.0
URL = "https://a.example/lamp"
LAMP = Change("content", URL, AT, edits=(Edit("brass", "silver"),), number=3)


def test_a_change_shows_what_went_and_what_came() -> None:
    text = describe_change(LAMP, in_colour=False)

    assert text.splitlines() == [f"3  2025-11-17 20:00  ~ content  {URL}", "    [-brass-] {+silver+}"]


def test_colours_are_added_only_when_wanted() -> None:
    assert "\x1b[" in describe_change(LAMP)
    assert "\x1b[" not in describe_change(LAMP, in_colour=False)


def test_long_texts_are_cut_as_wanted() -> None:
    long = Change("content", URL, AT, edits=(Edit("a " * 500, "b"),))

    assert (
        len(describe_change(long, in_colour=False, longest=50))
        < 150
        < len(describe_change(long, in_colour=False))
    )


def test_a_page_that_is_gone_shows_no_edit() -> None:
    assert describe_change(Change("gone", URL, AT), in_colour=False) == f"2025-11-17 20:00  - gone  {URL}"


def test_facts_leave_out_what_a_change_does_not_say_and_can_be_written_as_json() -> None:
    facts = json.loads(json.dumps(change_facts(LAMP)))

    assert facts == {
        "kind": "content", "url": URL, "at": AT, "number": 3, "edits": [{"before": "brass", "after": "silver"}],
    }  # fmt: skip


def test_a_comparison_shows_the_words_around_an_edit_and_the_records() -> None:
    part = Edit("a lamp of brass, made in 1920", "a lamp of silver, made in 1920")
    price = RecordChange("record changed", Record("k", "Lamp", "Lamp 5 EUR"), "price", "5 EUR", "6 EUR")
    comparison = VersionDiff((part,), (price,))

    lines = comparison_lines(comparison, in_colour=False)

    assert lines[0] == "    a lamp of [-brass-]{+silver+}, made in 1920"
    assert lines[1] == "    ~ record changed  Lamp"
    assert lines[2].startswith("        price: ")
    data = json.loads(json.dumps(comparison_facts(comparison)))
    assert data["edits"] == [{"before": "brass", "after": "silver"}]
    assert data["records"] == [
        {"kind": "record changed", "key": "k", "title": "Lamp", "attribute": "price", "before": "5 EUR", "after": "6 EUR"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "printed"),
    [("plain", "plain"), ("a\x1b[2Jb", "a[2Jb"), ("a\u202eb", "ab"), ("می\u200cخواهم", "می\u200cخواهم")],
)
def test_foreign_texts_cannot_move_the_cursor(text: str, printed: str) -> None:
    assert safe(text) == printed


def test_times_are_shown_in_utc_to_the_minute() -> None:
    assert utc_time(AT + 59) == "2025-11-17 20:00"
