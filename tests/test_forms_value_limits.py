"""Controls take the values that the page says they take, and no pattern of a page runs for long."""

from __future__ import annotations

from datetime import date

import pytest
from timing import within

from hiddenweb.forms.value_limits import fits
from hiddenweb.model import Field

TODAY = date(2026, 11, 16)
LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "tr", "ru", "ar", "zh", "ja", "th")


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a*)*",
        "(a|a)*$",
        "(?:a|aa)+!",
        "(a?){25}a{25}",
        "((a{1,9}){1,9}){1,9}!",
        ".?" * 26 + "!",
        "a*" * 12 + "!",
        "a{0,40}" * 6 + "!",
        "(?:a|a|a)" * 8 + "!",
        "((((){999}){999}){999}){999}",
        "(?:" * 20 + "a" + ")*" * 20 + "!",
        ".*.*.*!",
    ],
)
@pytest.mark.parametrize("length", [18, 40, 119, 20_000])
def test_no_pattern_of_a_page_runs_for_long(pattern: str, length: int) -> None:
    within(0.05, lambda: fits("a" * length, Field("f", "text", pattern=pattern)))


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        ".?" * 26 + "!",
        "(?=b)",
        r"(a)\1",
        r"\p{L}",
        "[]b]",
        "[[b]]",
        "[b--a]",
        "b{,3}",
        "b*+",
        "(b",
        "b)",
        "*",
    ],
)
def test_a_value_fits_a_pattern_that_is_not_understood(pattern: str) -> None:
    assert fits("a" * 18, Field("f", "text", pattern=pattern))


@pytest.mark.parametrize(
    ("pattern", "fitting", "other"),
    [
        (r"\d{5}(-\d{4})?", "10001-0001", "10001-1"),
        (r"[A-Z]{1,2}[0-9][0-9A-Z]?\s?[0-9][A-Z]{2}", "SW1A 1AA", "1010"),
        (r"(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[012])\.(19|20)\d{2}", "16.11.2026", "2026-11-16"),
        (r"^(?:\d{3}-?){2}\d{4}$", "555-123-4567", "555"),
        (r"[^()|?*+]+", "wine", "w(ine"),
        (r"[\w.-]+", "red-wine", "rosé"),
        (r".*\S.*", "the title of a book", " " * 20),
        (r"\d{1,3}(\.\d{3})*(,\d+)?", "1.200,50", "1.20"),
    ],
)
def test_usual_patterns_are_matched(pattern: str, fitting: str, other: str) -> None:
    field = Field("f", "text", pattern=pattern)

    assert fits(fitting, field)
    assert not fits(other, field)
