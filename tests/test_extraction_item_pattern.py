from __future__ import annotations

import pytest

from hiddenweb.extraction.item_pattern import ItemPattern, ItemStep, count_fitting, mark_of
from hiddenweb.html.document import read_layout

PAGE = b"""<body><ul class=results><li class="book odd-1">A<li class="book even-2">B<li>C</ul>
<table><tr><td><b>x</b><td>y<tr><th>z</table>"""
SKELETON = read_layout(PAGE).skeleton
ITEMS = [node for node, tag in enumerate(SKELETON.tags) if tag == "li"]


def test_a_step_fits_elements_that_have_one_of_its_sets_of_classes() -> None:
    step = ItemStep("li", (("book",), ("album",)))

    assert [step.fits(SKELETON, node) for node in ITEMS] == [True, True, False]
    assert not ItemStep("div", (("book",),)).fits(SKELETON, ITEMS[0])


def test_a_step_without_classes_fits_only_elements_without_any() -> None:
    assert [ItemStep("li", ((),)).fits(SKELETON, node) for node in ITEMS] == [False, False, True]


def test_elements_around_are_counted_from_the_nearest_until_one_does_not_fit() -> None:
    right = [ItemStep("ul", (("results",),)), ItemStep("body", ((),)), ItemStep("html", ((),))]
    parent = SKELETON.parents[ITEMS[0]]

    assert count_fitting(SKELETON, parent, right) == 3
    assert count_fitting(SKELETON, parent, [*right, *right]) == 3
    assert count_fitting(SKELETON, parent, [right[0], right[0]]) == 1


def test_the_mark_of_a_row_has_its_number_of_cells() -> None:
    rows = [node for node, tag in enumerate(SKELETON.tags) if tag == "tr"]

    assert [mark_of(SKELETON, row) for row in rows] == ["td 2", "th 1"]


def test_a_pattern_is_the_same_after_it_was_written_and_read() -> None:
    pattern = ItemPattern((ItemStep("dt", (("a", "b"), ())),), is_run=True, mark="b 0", period=2, offset=1)

    assert ItemPattern.from_json(pattern.to_json()) == pattern


def test_a_pattern_without_steps_is_refused() -> None:
    with pytest.raises(ValueError, match="start with"):
        ItemPattern.from_json(ItemPattern(()).to_json())
