"""Plots of the harvest: the rates they show, in a terminal and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.reports.plots import COLUMNS, ROWS, harvest_lines, harvest_svg, rates, round_up, ticks
from hiddenweb.reports.summary import HarvestPoint

NOW = 1_700_000_000.0


def points(*forms: int, on_topic: bool = False) -> list[HarvestPoint]:
    """A harvest that had so many forms after every ten pages."""
    return [
        HarvestPoint(NOW + number, 10 * number, found, found // 2 if on_topic else None)
        for number, found in enumerate(forms, 1)
    ]


def test_the_rate_at_a_point_is_that_of_the_tenth_of_all_pages_before_it() -> None:
    pages = list(range(10, 1_001, 10))

    found = rates(pages, [0 if read <= 900 else read - 900 for read in pages])

    assert found[:90] == [0.0] * 90
    assert found[-1] == 1_000.0


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 9)), min_size=1, max_size=40))
def test_rates_are_never_negative_and_one_for_each_point(steps: list[tuple[int, int]]) -> None:
    pages = [sum(step for step, _ in steps[: at + 1]) for at in range(len(steps))]
    forms = [sum(more for _, more in steps[: at + 1]) for at in range(len(steps))]

    found = rates(pages, forms)

    assert len(found) == len(pages)
    assert min(found) >= 0.0


def test_a_plot_in_a_terminal_needs_two_points() -> None:
    assert harvest_lines(points(1)) == []
    assert len(harvest_lines(points(1, 2))) == ROWS + 3


def test_a_plot_is_no_wider_than_its_columns() -> None:
    lines = harvest_lines(points(*range(1, 4 * COLUMNS)))

    assert max(map(len, lines)) <= COLUMNS + len("1,000 |") + 1


def test_a_terminal_without_blocks_gets_plain_signs() -> None:
    assert all(line.isascii() for line in harvest_lines(points(1, 5, on_topic=True), blocks=False))


def test_a_harvest_on_a_topic_has_a_key() -> None:
    assert harvest_lines(points(1, 5))[0] == "forms per 1,000 pages"
    assert harvest_lines(points(1, 5, on_topic=True))[0].endswith("on topic")


@pytest.mark.parametrize("series", [[], points(3), points(1, 2, 3), points(1, 2, 3, on_topic=True)])
def test_a_drawing_is_well_formed_however_little_there_is(series: list[HarvestPoint]) -> None:
    drawing = ET.fromstring(harvest_svg(series))

    assert drawing.tag.endswith("svg")
    lines = [each for each in drawing if each.get("class") == "on" and each.tag.endswith("path")]
    assert bool(lines) == bool(series and series[-1].forms_on_topic is not None)


@given(st.floats(0.001, 1e9))
def test_ticks_are_few_and_end_at_the_round_value_above(most: float) -> None:
    high = round_up(most)

    assert high >= most * (1 - 1e-9)
    assert 2 <= len(ticks(high)) <= 12
    assert ticks(high)[-1] == pytest.approx(high)
