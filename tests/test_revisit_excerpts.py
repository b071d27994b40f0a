"""Excerpts of one text that moved, and texts that changed."""

from __future__ import annotations

import pytest

from hiddenweb.model import Record
from hiddenweb.revisit.excerpts import is_other_excerpt, shows_excerpts

TEXT = (
    "A candle of wax stood in the old house on the hill, where nobody had lived for a hundred years or more."
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A candle of wax stood in the old...", TEXT),
        ("A candle of wax stood in the old ...", "... wax stood in the old house on the hill, ..."),
        ("… stood in the old house …", "A candle of wax stood in the old house on the hill …"),
        ("A candle of wax ... had lived for a hundred years ...", "A candle of wax stood in ... lived for a hundred years or more."),
        ("Candle A candle of wax stood... /item/5", "Candle ...in the old house on the hill... /item/5"),
    ],
)  # fmt: skip
def test_a_moved_excerpt_is_of_the_same_text(before: str, after: str) -> None:
    assert is_other_excerpt(before, after)
    assert is_other_excerpt(after, before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A candle of wax stood in the old...", "A candle of clay stood in the old..."),
        ("A candle of wax stood in the old...", "Sold: A candle of wax stood in the old..."),
        ("Price 5 A candle of wax stood...", "Price 6 A candle of wax stood..."),
        ("... wax stood in the old house on the hill ...", "... wax stood in the new house on the hill ..."),
        (TEXT, TEXT.replace("candle", "lamp")),
        (TEXT, TEXT.removesuffix(" or more.")),
    ],
)
def test_a_replaced_word_is_a_change(before: str, after: str) -> None:
    assert not is_other_excerpt(before, after)
    assert not is_other_excerpt(after, before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A candle of wax stood in the old house", "candle of wax stood in the old house on the hill"),
        ("Candle stood in the old house on the hill /5", "Candle wax stood in the old house on the /5"),
        ("A candle of wax stood in the old house", "A candle of wax stood in the old house on the hill"),
    ],
)
def test_where_answers_show_excerpts_their_ends_may_move_without_a_mark(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        assert is_other_excerpt(old, new, ends_move=True)
        assert not is_other_excerpt(old, new)


def test_a_difference_in_the_middle_of_an_excerpt_or_in_its_title_is_a_change() -> None:
    text = "Candle wax stood in the old house on the hill"
    for other in (text.replace("old", "new"), text.replace("Candle", "Lamp"), "Something quite different"):
        assert not is_other_excerpt(text, other, ends_move=True)


def test_answers_show_excerpts_if_some_of_their_texts_were_cut() -> None:
    whole, part = Record("a", "A", "A candle of wax."), Record("b", "B", "A candle of ...")
    assert shows_excerpts((whole, part, whole, part))
    assert not shows_excerpts((whole, whole, part, whole))
    assert not shows_excerpts(())


def test_very_long_texts_are_no_excerpts() -> None:
    assert not is_other_excerpt("word " * 2_000 + "...", "word " * 2_000 + "other...")
