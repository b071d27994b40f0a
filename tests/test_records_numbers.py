from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.records.numbers import LONGEST, NumberReading, decimal_mark, number_in, plain, readings_of


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        ("0", "0"),
        ("1234", "1234"),
        ("-5", "-5"),
        ("−5", "-5"),  # a real minus
        ("+7", "7"),
        ("12.5", "12.5"),
        ("12,50", "12.50"),  # what was written behind the mark stays
        ("1,234.50", "1234.50"),
        ("1.234,50", "1234.50"),
        ("1 234,50", "1234.50"),
        ("1\u00a0234\u202f567", "1234567"),
        ("1'234.50", "1234.50"),  # Swiss
        ("1’234’567", "1234567"),
        ("12,34,567", "1234567"),  # Indian
        ("12,34,567.89", "1234567.89"),
        ("1.234.567", "1234567"),
        ("0.123", "0.123"),  # no thousands begin with a zero
        ("1234.567", "1234.567"),  # nor do they go on without a mark
        (".5", "0.5"),
        ("١٢٣٤", "1234"),
        ("٣٫٥", "3.5"),
        ("١٬٢٣٤٫٥", "1234.5"),
        ("१२३", "123"),
        ("１２３", "123"),
        ("\u200e42\u200e", "42"),
    ],
)
def test_numbers_are_read_in_one_way(raw: str, number: str) -> None:
    assert number_in(plain(raw)) == number


@pytest.mark.parametrize(
    "raw",
    ["", " ", "-", ".", "1.234", "12,345", "007", "1.2.3", "1,23,45", "12 34", "1 2", "5½", "2²", "1e5", "12a", "10-12", "(5)", "5-", "1,2345,678", "1.234,567.8", "1,,2", "1 234'567,5.5", "٣٫٥,٢"],
)  # fmt: skip
def test_what_is_no_number_or_two_is_not_read(raw: str) -> None:
    assert number_in(plain(raw)) is None


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1.234", [NumberReading("1234", ",", True), NumberReading("1.234", ".", True)]),
        ("0.123", [NumberReading("0.123", ".")]),  # no group begins with a zero
        ("1.23", [NumberReading("1.23", ".")]),
        ("1,234,567", [NumberReading("1234567", ".")]),  # a mark of groups decides the decimal mark as well
        ("1 234", [NumberReading("1234")]),  # a space does not
        ("-1'234", [NumberReading("-1234")]),
    ],
)
def test_a_reading_knows_the_decimal_mark_it_needs(text: str, readings: list[NumberReading]) -> None:
    assert list(readings_of(text)) == readings


def test_no_long_text_is_a_number() -> None:
    assert number_in("1" * LONGEST) == "1" * LONGEST
    assert number_in("1" * (LONGEST + 1)) is None


def test_a_number_that_is_written_with_another_mark_is_not_read() -> None:
    assert number_in("12,5", ",") == "12.5"
    assert number_in("12,5", ".") is None
    assert number_in("1.234", ".") == "1.234"
    assert number_in("12", ".") == "12"


@pytest.mark.parametrize(
    ("texts", "language", "mark"),
    [
        (["about 1.234,50 each", "x"], "", ","),  # within a text
        (["1.5", "2,5"], "", ""),  # they contradict each other
        (["1.5", "2,5"], "de", ""),  # and then no language helps
        (["1.5"], "de", "."),  # what is written decides before the language
        (["1.234"], "de_AT", ","),
        (["1.234"], "EN-gb", "."),
        (["1.234"], "xx", ""),
        (["1,5" + "0" * LONGEST], "", ""),  # too long to be looked at
        ([], "fr", ","),
    ],
)
def test_the_decimal_mark_is_told_by_numbers_or_else_by_the_language(
    texts: list[str], language: str, mark: str
) -> None:
    assert decimal_mark(texts, language) == mark


def test_marks_and_digits_of_all_scripts_become_those_of_ascii() -> None:
    assert plain("\u200e−１２\u202f３４０，५０\u00a0€ \n") == "-12 340,50 €"


@given(st.decimals(-10**12, 10**12, allow_nan=False, places=2), st.sampled_from([(",", "."), (".", ","), ("\u202f", ","), ("'", "."), (" ", ",")]))  # fmt: skip
def test_numbers_written_in_any_way_come_back(number: Decimal, marks: tuple[str, str]) -> None:
    group, decimal = marks
    written = f"{number:,.2f}".replace(",", "G").replace(".", decimal).replace("G", group)

    read = number_in(plain(written))

    assert read is not None
    assert Decimal(read) == number


@given(st.integers(0, 10**9), st.sampled_from([",", "."]))
def test_a_number_in_groups_is_never_read_as_another(number: int, group: str) -> None:
    written = f"{number:,}".replace(",", group)

    readings = {each.value for each in readings_of(written)}

    assert str(number) in readings
    assert number_in(written, "." if group == "," else ",") == str(number)
