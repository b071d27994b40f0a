"""Texts for people and programs: nothing in them can move the cursor."""

from __future__ import annotations

import json

import pytest

from hiddenweb.reports.printable import clean_text, json_text, plural, quantity, time_text


def test_a_text_cannot_move_the_cursor_and_is_cut() -> None:
    assert clean_text("a\x1b[2Jb\nc") == "a [2Jb c"
    assert len(clean_text("x" * 1_000)) == 500


def test_json_keeps_its_meaning_and_has_no_direction_characters() -> None:
    facts = {"title": "a\u202eb\x9bc", "n": 1}

    text = json_text(facts)

    assert json.loads(text) == facts
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert json_text(facts, indent=None).count("\n") == 0


def test_a_number_agrees_with_its_noun() -> None:
    assert [quantity(number, "page") for number in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
    assert [quantity(number, "query") for number in (0, 1, 3)] == ["0 queries", "1 query", "3 queries"]


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("query", "queries"),
        ("entry", "entries"),
        ("day", "days"),
        ("reply", "replies"),
        ("match", "matches"),
        ("address", "addresses"),
        ("index", "indexes"),
        ("search form", "search forms"),
        ("public page", "public pages"),
        ("language", "languages"),
    ],
)
def test_plurals_follow_the_rules_of_english(noun: str, several: str) -> None:
    assert plural(noun) == several


def test_a_time_has_its_offset() -> None:
    assert time_text(0.0).startswith(("1970-01-01 ", "1969-12-31 "))
