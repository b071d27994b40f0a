"""The values we bring along, by the type of a control."""

from __future__ import annotations

import tomllib
from datetime import date
from importlib.resources import files

import pytest

from hiddenweb.forms.field_types import type_of
from hiddenweb.model import Field
from hiddenweb.querying.builtin_values import (
    ISBNS,
    MOST_NUMBERS,
    MOST_YEARS,
    as_text,
    built_in,
    categories,
    category_of,
    format_date,
    isbn10,
)

TODAY = date(2026, 11, 16)
LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "tr", "ru", "ar", "zh", "ja", "th")


def values_for(label: str = "", kind: str = "text", language: str = "en", **more: str) -> tuple[str, ...]:
    """The values of a control."""
    field = Field("f", kind, label, **more)  # type: ignore[arg-type]
    return built_in(type_of(field), field, language, TODAY)


@pytest.mark.parametrize(
    ("label", "language", "first"),
    [
        ("Weekday", "en", "Monday"),
        ("Wochentag", "de", "Montag"),
        ("Year", "en", "2026"),
        ("Month", "en", "1"),
        ("Code postal", "fr", "75001"),
        ("Farbe", "de", "schwarz"),
        ("Colour", "sv", "black"),  # there are no Swedish ones
        ("ISBN", "en", ISBNS[0]),
        ("Genre", "en", None),
        ("E-mail", "en", None),
    ],
)
def test_the_likeliest_value_comes_first_in_the_language_of_the_page(
    label: str, language: str, first: str | None
) -> None:
    assert next(iter(values_for(label, language=language)), None) == first


def test_years_count_back_from_the_given_day() -> None:
    years = values_for("Year")

    assert (len(years), years[0], years[-1]) == (MOST_YEARS, "2026", str(2026 - MOST_YEARS + 1))


def test_codes_of_currencies_come_before_their_names() -> None:
    currencies = values_for("Währung", language="de")

    assert currencies.index("GBP") < currencies.index("Britisches Pfund")
    assert len(currencies) == len(set(currencies))


@pytest.mark.parametrize(
    ("limits", "numbers"),
    [
        ({"minimum": "1", "maximum": "4"}, ("1", "2", "3", "4")),
        ({"minimum": "0", "maximum": "1", "step": "0.5"}, ("0", "0.5", "1")),
        ({"minimum": "9", "maximum": "1"}, ("9",)),  # the ends are the wrong way round
        ({"minimum": "5000"}, ("10000", "100000", "5000")),
        ({"maximum": "3"}, ("1", "2", "3", "3")),
    ],
)
def test_numbers_keep_to_the_limits_of_their_control(
    limits: dict[str, str], numbers: tuple[str, ...]
) -> None:
    assert values_for("Level", "number", **limits) == numbers


def test_of_a_large_range_both_ends_and_some_between_are_tried() -> None:
    numbers = values_for("Level", "number", minimum="0", maximum="1000")

    assert len(numbers) == MOST_NUMBERS
    assert (numbers[0], numbers[-1]) == ("0", "1000")


@pytest.mark.parametrize(
    ("kind", "formatted"),
    [("date", "2026-11-16"), ("month", "2026-11"), ("datetime-local", "2026-11-16T12:00")],
)
def test_days_are_written_as_the_control_wants_them(kind: str, formatted: str) -> None:
    days = values_for("", kind)

    assert days[0] == formatted
    assert len(days) == len(set(days))


def test_a_time_of_day_is_noon() -> None:
    assert format_date(TODAY, "%d.%m.%Y %H:%M") == "16.11.2026 12:00"


@pytest.mark.parametrize(("number", "text"), [(5.0, "5"), (-3, "-3"), (0.25, "0.25"), (0.1 + 0.2, "0.3")])
def test_numbers_are_written_as_people_type_them(number: float, text: str) -> None:
    assert as_text(number) == text


def test_the_names_are_complete_in_every_language() -> None:
    source = files("hiddenweb.querying").joinpath("categories.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(source)

    assert len(source.encode()) < 150_000
    assert "Unicode-3.0" in source
    for category, table in tables.items():
        names = {language: table[language].split("|") for language in LANGUAGES}
        assert {len(found) for found in names.values()} == {len(names["en"])}, category
        assert all(all(found) for found in names.values()), category


@pytest.mark.parametrize("isbn", ISBNS)
def test_isbns_have_right_check_digits(isbn: str) -> None:
    assert sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(isbn)) % 10 == 0
    ten = [10 if digit == "X" else int(digit) for digit in isbn10(isbn)]
    assert sum(weight * digit for weight, digit in zip(range(10, 0, -1), ten, strict=True)) % 11 == 0


def test_every_category_that_is_a_list_has_values_in_every_language() -> None:
    for language in LANGUAGES:
        listed = dict(categories(language))

        assert {"country", "colour", "zip", "city"} <= listed.keys()
        assert all(all(values) and values for values in listed.values())


@pytest.mark.parametrize(
    ("values", "category"),
    [
        (["Frankreich", "Italien", "Spanien", "Polen", "Sonstige"], "country"),
        (["france", " ITALY ", "Spain", "Poland"], "country"),
        (["France", "Italy", "Spain"], ""),  # too few
        (["France", "Italy", "Spain", "Drama", "Comedy", "Action"], ""),  # not most of them
        (["Drama", "Comedy", "Thriller", "Action"], ""),
        ([], ""),
    ],
)
def test_values_of_a_category_are_recognised_in_any_language(values: list[str], category: str) -> None:
    assert category_of(values) == category
