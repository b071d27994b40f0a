"""Which type all values of a column have."""

from __future__ import annotations

from datetime import date

import pytest

from hiddenweb.records.value_types import ColumnValues


def column_of(values: list[str], name: str = "") -> ColumnValues:
    column = ColumnValues(name)
    for value in values:
        column.add(value)
    column.decide()
    return column


@pytest.mark.parametrize(
    ("values", "type_", "first"),
    [
        (["12", "1,234,567", "-3"], "integer", 12),
        (["1998", "2004"], "integer", 1998),
        (["1998", "2004.5"], "number", 1998.0),
        (["12,5", "1.234"], "number", 12.5),
        (["12.50 €", "7 EUR"], "price", (12.5, "EUR")),
        (["2024-03-01", "1 May 2011"], "date", date(2024, 3, 1)),
    ],
)
def test_values_that_can_all_be_read_have_a_type(values: list[str], type_: str, first: object) -> None:
    column = column_of(values)

    assert (column.type, column.parse(values[0])) == (type_, first)


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["12", "about 13"],
        ["007", "008"],  # a number would lose its zeros
        ["1.234", "5.678"],  # may be read in two ways
        ["1234567890123456"],  # more than a float holds
        ["2024-03-01 10:30"],  # a day would lose its time
        ["March 2024", "2024-03-01"],
        ["5 - 7 €", "8 €"],
        ["12 %", "13 %"],
        ["yes", "no"],
        ["x" * 500, "12"],
        *([str(number) for number in range(600)] + [last] for last in ("about 600", "1.23456789012345678")),
    ],
)
def test_other_values_are_text(values: list[str]) -> None:
    column = column_of(values)

    assert column.type == "text"
    assert [column.parse(value) for value in values] == [None] * len(values)


def test_a_fraction_that_comes_late_makes_numbers_of_all() -> None:
    column = column_of([*map(str, range(600)), "600.5"])

    assert (column.type, column.parse("3")) == ("number", 3.0)
