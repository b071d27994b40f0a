"""How controls change the values they are given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from timing import within

from hiddenweb.forms.sanitisation import sanitise
from hiddenweb.model import Field


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("text", " a\r\nb\n ", " ab "),
        ("hidden", "a\nb", "a\nb"),
        ("url", " http://x\n/ ", "http://x/"),
        ("email", " a@bücher.example\n", "a@xn--bcher-kva.example"),
        ("email", "ü@ü.example", "ü@ü.example"),
        ("number", "1e3", "1e3"),
        ("number", "-.5", "-.5"),
        ("number", "1.", ""),
        ("number", "+1", ""),
        ("number", "1e309", ""),
        ("number", "٣", ""),
        ("number", "9" * 5_000, ""),
        ("number", "1e9999999", ""),
        ("number", "-1e9999999", ""),
        ("number", "1e99999999999999999999", ""),
        ("number", "1e-9999999", "1e-9999999"),
        ("number", "1e-99999999999999999999", "1e-99999999999999999999"),
        ("number", "0e9999999", "0e9999999"),
        ("month", "2024-12", "2024-12"),
        ("month", "2024-13", ""),
        ("week", "2020-W53", "2020-W53"),
        ("week", "2024-W53", ""),
        ("date", "2024-02-29", "2024-02-29"),
        ("date", "1900-02-29", ""),
        ("date", "12024-02-29", "12024-02-29"),
        ("date", "275760-09-14", ""),
        ("date", "0000-01-01", ""),
        ("time", "23:59:59.999", "23:59:59.999"),
        ("time", "24:00", ""),
        ("datetime-local", "2024-02-29 12:30:00.00", "2024-02-29T12:30"),
        ("datetime-local", "2024-02-29T12:30:05.10", "2024-02-29T12:30:05.1"),
        ("datetime-local", "2024-02-29", ""),
        ("color", " #ABC ", "#aabbcc"),
        ("color", "RebeccaPurple", "#663399"),
        ("color", "rgb(1, 2 3)", "#010203"),
        ("color", "nonsense", "#000000"),
    ],
)
def test_values_are_made_what_the_type_allows(kind: str, value: str, expected: str) -> None:
    assert sanitise(Field("a", kind, value=value)) == expected


def test_addresses_of_several_people_are_trimmed_one_by_one() -> None:
    assert sanitise(Field("a", "email", value=" a@b.c , d ,,", multiple=True)) == "a@b.c,d,,"


@pytest.mark.parametrize(
    ("value", "minimum", "maximum", "step", "expected"),
    [
        ("", "", "", "", "50"),
        ("x", "10", "20", "", "15"),
        ("", "20", "10", "", "20"),
        ("200", "", "", "", "100"),
        ("-1", "", "", "", "0"),
        ("13", "", "", "5", "13"),  # steps are counted from the value
        ("13", "0", "", "5", "15"),
        ("12.5", "0", "", "5", "15"),
        ("10", "1", "10", "4", "9"),
        ("0.3", "0", "1", "0.1", "0.3"),
        ("7.35", "0", "", "any", "7.35"),
        ("7.35", "0", "", "-1", "7"),
        ("1e300", "0", "1e301", "", "1e+300"),
        ("5", "0", "1e-3", "", "0"),
        ("1e9999999", "", "", "", "50"),
        ("7", "1e9999999", "-1e9999999", "1e9999999", "7"),
        ("7", "1e-9999999", "", "", "7"),
        ("7", "", "1e-9999999", "", "0"),
        ("7.4", "0", "", "1e-9999999", "7"),  # nothing is no step
        ("7.4", "0", "", "1e-99999999999999999999", "7"),
        ("7.4", "0", "", "1e-1000", "7.4"),
        ("0e9999999", "0e9999999", "", "", "0"),
        ("-1e308", "-1.7e308", "1.7e308", "1e-1000", "-1e+308"),
    ],
)
def test_a_range_stands_in_its_bounds_on_a_step(
    value: str, minimum: str, maximum: str, step: str, expected: str
) -> None:
    field = Field("a", "range", value=value, minimum=minimum, maximum=maximum, step=step)

    assert sanitise(field) == expected


@pytest.mark.parametrize(
    "number", ["9" * 1_000_000, "." + "9" * 1_000_000, "1e" + "9" * 1_000_000, "1e-999999"]
)
@pytest.mark.parametrize("attribute", ["value", "minimum", "maximum", "step"])
def test_a_range_of_a_million_digits_takes_little_time(attribute: str, number: str) -> None:
    field = replace(Field("a", "range"), **{attribute: number})  # type: ignore[arg-type]

    stands = within(0.5, lambda: sanitise(field))

    assert float(stands) >= 0


def test_another_value_than_the_standing_one_can_be_tried() -> None:
    assert sanitise(Field("a", "number", value="5"), "six") == ""
