"""The words of a record, and the part of it in which each stands."""

from __future__ import annotations

import pytest

from hiddenweb.querying.record_words import NUMBER, TEXT, TITLE, HasParts, RecordWords


@pytest.mark.parametrize(
    ("title", "text", "words"),
    [
        ("Red fox", "A fox runs", ["red", "fox", "a", "fox", "runs"]),
        ("Red fox", "Red fox: a fox runs", ["red", "fox", "a", "fox", "runs"]),  # not twice
        ("", "A fox", ["a", "fox"]),
        ("", "", []),
    ],
)
def test_the_words_of_title_and_text_come_in_their_order(title: str, text: str, words: list[str]) -> None:
    assert list(RecordWords(title, text)) == words


def test_words_can_be_read_more_than_once() -> None:
    words = RecordWords("Red fox", "runs")

    assert list(words) == list(words) != []


def test_the_first_part_that_has_a_word_gets_it() -> None:
    words = RecordWords(
        "Red fox",
        "by Ann Fox in 1999 for Bob",
        [("author", "Ann Fox"), ("editor", "Ann Bob"), ("year", "2001")],
    )

    assert words.parts() == {
        "red": TITLE, "fox": TITLE, "by": TEXT, "ann": "author", "in": TEXT, "1999": NUMBER, "for": TEXT,
        "bob": "editor",
    }  # fmt: skip


def test_words_with_parts_are_distinguished_from_plain_ones() -> None:
    assert isinstance(RecordWords("", ""), HasParts)
    assert not isinstance(["plain"], HasParts)
