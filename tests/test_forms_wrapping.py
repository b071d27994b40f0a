"""Lines of a text area break where Chromium breaks them."""

from __future__ import annotations

import pytest
from timing import within

from hiddenweb.forms.wrapping import wrap_text


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("one two three four", 10, ["one two ", "three four"]),
        ("abdcabbc bcc d  aa", 5, ["abdcab", "bc bcc ", "d  aa"]),
        ("a  \n b\nbb  ", 2, ["a  ", " b", "bb  "]),
        ("a-b/c -b", 3, ["a-", "b/c ", "-b"]),
        ("b2-2 aa-2", 1, ["b2", "-2 ", "aa", "-2"]),
        ("+b[b@;c?=~+^", 8, ["+b[b@;c?", "=~+^"]),
        ("ab\t \ta\ta \tb", 10, ["ab\t \t", "a\ta \t", "b"]),
        ("über–all 2013–14", 4, ["über–", "all ", "2013–", "14"]),
        ("", 5, [""]),
    ],
)
def test_lines_end_where_those_of_chromium_do(text: str, columns: int, lines: list[str]) -> None:
    assert wrap_text(text, columns).split("\n") == lines


@pytest.mark.parametrize("columns", [1, 2, 7, 40, 80, 10**9])
@pytest.mark.parametrize(
    "text", ["one two-three?four (five)", "aaaa" * 30, "日本語、文字。" * 9, "a\tb " * 20]
)
def test_nothing_is_lost_or_added_but_line_feeds(text: str, columns: int) -> None:
    assert wrap_text(text, columns).replace("\n", "") == text


@pytest.mark.parametrize("unit", ["a", "a ", "-", "1-", "é", "日", "\t", "\n"])
def test_a_long_text_takes_no_longer_than_its_length_asks_for(unit: str) -> None:
    text = unit * 100_000

    assert within(2.0, lambda: wrap_text(text, 20)).replace("\n", "") == text.replace("\n", "")
