"""Cells as texts."""

from __future__ import annotations

import pytest

from hiddenweb.exports.cells import clean_for_xml, defuse


@pytest.mark.parametrize(
    "text", ["=1+1", "+1+1", "-1-1", "@SUM(A1)", "\t=1", "\r=1", "-", "+", "=", "-1 of 2", "+49 30 12"]
)
def test_what_looks_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert defuse(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "-1.5", "-1,5", "-1,234.50", "1=1", "a-b", " =1", "-.5", "-2e10"]
)
def test_numbers_and_other_texts_get_none(text: str) -> None:
    assert defuse(text) == text


def test_what_xml_does_not_allow_is_a_space() -> None:
    assert clean_for_xml("a\x00b\x0bc\ufffed\ud800e\tf\ng") == "a b c d e\tf\ng"
