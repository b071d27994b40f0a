"""Which numbers are amounts of money."""

from __future__ import annotations

import pytest

from hiddenweb.language.money import is_money


@pytest.mark.parametrize(
    ("before", "after", "label"),
    [("only ", " €", ""), ("$", "", ""), ("", "", "Price: "), ("", "", "Preis"), ("", " euros", ""), ("", " 万円", ""), ("CHF ", "", "")],
)  # fmt: skip
def test_a_currency_or_a_label_makes_money_of_a_number(before: str, after: str, label: str) -> None:
    assert is_money(before, after, label)


def test_other_numbers_are_no_money() -> None:
    assert not is_money("in ", " rooms", "Visits")
