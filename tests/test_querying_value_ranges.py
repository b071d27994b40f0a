"""Ranges get coherent values, and windows that do not overlap."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.fillings import fillings

if TYPE_CHECKING:
    from hiddenweb.model import Field


from test_querying_plan import QUERY, box, list_fillings, planned


@pytest.mark.parametrize(
    ("low", "high", "widest"),
    [
        (
            box("Year from", name="a", required=True),
            box("Year to", name="b", required=True),
            ("1900", "2026"),
        ),
        (
            box("Von", name="a", required=True, placeholder="TT.MM.JJJJ"),
            box("Bis", name="b", required=True, placeholder="TT.MM.JJJJ"),
            ("01.01.1900", "31.12.2026"),
        ),
        (
            box("From", "number", name="a", required=True, minimum="10", maximum="90"),
            box("To", "number", name="b", required=True, minimum="10", maximum="90"),
            ("10", "90"),
        ),
        (box("Price from", name="a", required=True), box("to", name="b", required=True), ("0", "1000000")),
        (
            box("Posted from", "date", name="a", required=True, minimum="2020-01-01"),
            box("Posted to", "date", name="b", required=True, maximum="2026-11-16"),
            ("2020-01-01", "2026-11-16"),
        ),
        (
            box("Year from", "number", name="a", required=True, minimum="1990", maximum="2020"),
            box("Year to", "number", name="b", required=True, minimum="1990", maximum="2020"),
            ("1990", "2020"),
        ),
    ],
    ids=[
        "years",
        "dates with a form",
        "numbers with limits",
        "type of one end",
        "dates with limits",
        "years with limits",
    ],
)
def test_a_required_range_gets_its_widest_extent(low: Field, high: Field, widest: tuple[str, str]) -> None:
    query_plan = planned(QUERY, low, high, query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": "wine", "a": widest[0], "b": widest[1]}]


def test_an_optional_range_stays_open_with_a_query_box() -> None:
    query_plan = planned(QUERY, box("Year from", name="a"), box("Year to", name="b"), query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": "wine"}]


@pytest.mark.parametrize(
    "ends",
    [
        (box("Year from", name="a"), box("Year to", name="b")),
        (box("Preis von", name="a"), box("Preis bis", name="b")),
        (
            box("From", "number", name="a", minimum="0", maximum="100", step="10"),
            box("To", "number", name="b", minimum="0", maximum="100", step="10"),
        ),
        (box("", "date", name="date_from"), box("", "date", name="date_to")),
    ],
    ids=["years", "prices", "steps", "dates"],
)
def test_windows_of_a_range_are_in_order_and_do_not_overlap(ends: tuple[Field, Field]) -> None:
    query_plan = planned(*ends)

    windows = [
        (in_order(filled[ends[0].name]), in_order(filled[ends[1].name]))
        for filled in list_fillings(query_plan)
        if filled
    ]

    assert len(windows) >= 3
    assert all(low <= high for low, high in windows)
    windows.sort()
    assert all(before[1] < after[0] for before, after in pairwise(windows))


def in_order(text: str | tuple[str, ...]) -> float:
    assert isinstance(text, str)
    return datetime.fromisoformat(text).timestamp() if text.count("-") == 2 else float(text)


def test_from_and_to_of_a_journey_are_no_range() -> None:
    query_plan = planned(box("From", name="a"), box("To", name="b"))

    assert query_plan.ranges == ()
