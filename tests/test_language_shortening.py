"""How texts are cut short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.language.shortening import shorten


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [("one  two", 20, "one two"), ("one two three", 9, "one two …"), ("abcdefgh", 4, "abc…"), ("abc", 0, "")],
)
def test_a_long_text_is_cut_between_words(text: str, length: int, expected: str) -> None:
    assert shorten(text, length) == expected


@given(st.text(max_size=100), st.integers(0, 50))
def test_nothing_is_too_long_after_shortening(text: str, length: int) -> None:
    assert len(shorten(text, length)) <= length
