"""Drawings of bar-trees."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hiddenweb.extraction.bartree import bar_tree_of
from hiddenweb.reports.bartree_plot import MOST_ROWS, bars_lines, bars_svg

OLD = bar_tree_of([0, 1, 1, 1], [0, 0, 1, 2])
NEW = bar_tree_of([0, 1, 2, 1], [0, 0, 1, 2])
SVG = "{http://www.w3.org/2000/svg}"


def test_each_bar_lies_in_the_part_of_the_one_above_that_is_on_the_path() -> None:
    lines = bars_lines(OLD, blocks=False)

    bars = [line[11:59] for line in lines[1:-1]]
    assert [bar.count("#") for bar in bars] == [48, 48, 16, 2]
    assert [len(bar) - len(bar.lstrip()) for bar in bars] == [0, 0, 24, 29]
    assert lines[-1] == "d_max 3, A_total 1.37, Sigma upper 0, lower 0, Delta 0 (symmetric)"


def test_depths_that_differ_are_marked() -> None:
    assert [line[0] for line in bars_lines(NEW, OLD)[1:-1]] == [" ", " ", ">", " "]
    assert ">" not in "".join(line[0] for line in bars_lines(OLD, OLD))


def test_the_svg_has_a_bar_for_each_depth_of_width_w() -> None:
    drawing = ET.fromstring(bars_svg("Old & <new>", [("old", OLD), ("new", NEW)]))

    bars = [rect for rect in drawing.iter(f"{SVG}rect") if rect.get("class") in {"bar", "new"}]
    assert [rect.get("class") for rect in bars] == [*["bar"] * 6, "new", "bar"]
    assert [float(rect.get("width", "")) for rect in bars[:4]] == [560.0, 560.0, 186.67, 20.74]
    assert drawing.findtext(f"{SVG}title") == "Old & <new>"


def test_very_deep_trees_are_drawn_up_to_a_limit() -> None:
    deep = bar_tree_of([0] * 900, [0, *[3] * 899])

    lines = bars_lines(deep)

    assert len(lines) == MOST_ROWS + 3
    assert lines[-2] == f"  and {900 - MOST_ROWS} depths more"
    ET.fromstring(bars_svg("deep", [("deep", deep)]))
