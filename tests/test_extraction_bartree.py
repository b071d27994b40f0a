"""The variables of the bar-tree, against vectors computed by hand; they are written out in docs/templates.md."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, prod
from random import Random

import pytest
from selectolax.lexbor import LexborHTMLParser

from hiddenweb.extraction.bartree import BarTree, BarTreeDecision, bar_tree, bar_tree_of, decide
from hiddenweb.html.skeleton import skeleton_and_nodes

SHOP = (
    "<html><head></head><body><div class=top><ul><li>a</li><li>b</li></ul></div>"
    "<div class=main><h1>Name</h1><p id=region>Text</p><p>more</p><p>more</p></div><div class=foot>foot</div></body></html>"
)


def bars_of(html: str) -> BarTree:
    tree = LexborHTMLParser(html)
    skeleton, nodes = skeleton_and_nodes(tree)
    return bar_tree(skeleton, nodes[tree.css("#region")[0].mem_id])


def test_the_variables_of_a_page_are_those_computed_by_hand() -> None:
    tree = bars_of(SHOP)

    assert tree.d_max == 3
    assert tree.parallel == (1, 2, 3, 4)
    assert tree.widths == pytest.approx((1, 1, 1 / 3, 1 / 27))
    assert tree.areas == pytest.approx((0, 1, 2 / 3, 1 / 9))
    assert tree.total == pytest.approx(37 / 27)
    assert (tree.upper.sigma, tree.lower.sigma, tree.delta) == (0, 0, 0)
    assert (tree.upper.whole_sigma, tree.lower.whole_sigma, tree.whole_delta) == (-3, 0, -3)
    assert tree.symmetry == "symmetric"


def test_a_banner_above_narrows_the_bar_below_it_and_is_in_the_upper_part() -> None:
    old, new = bars_of(SHOP), bars_of(SHOP.replace("<div class=main>", "<div>banner</div><div class=main>"))

    assert new.parallel == (1, 2, 4, 4)
    assert new.widths == pytest.approx((1, 1, 1 / 3, 1 / 36))
    assert new.total == pytest.approx(49 / 36)
    assert (new.upper.sigma, new.lower.sigma, new.delta) == (-1, 0, -1)
    assert new.symmetry == "lower asymmetry"
    assert decide(old, new) is BarTreeDecision.UPPER


def test_a_wrapper_adds_a_depth_and_an_open_tag_to_both_parts() -> None:
    old = bars_of(SHOP)
    new = bars_of(SHOP.replace("<body>", "<body><div>").replace("</body>", "</div></body>"))

    assert new.parallel == (1, 2, 1, 3, 4)
    assert new.widths == pytest.approx((1, 1, 3 / 8, 3 / 16, 1 / 64))
    assert new.total == pytest.approx(101 / 64)
    assert (new.upper.sigma, new.lower.sigma, new.delta) == (1, 1, 0)
    assert decide(old, new) is BarTreeDecision.BOTH_ALIKE


def test_a_sibling_of_the_region_is_in_no_square_but_in_p_and_sigma() -> None:
    old, new = bars_of(SHOP), bars_of(SHOP.replace("<p>more</p>", "<p>more</p><p>new</p>", 1))

    assert new.simple == old.simple
    assert new.full != old.full
    assert decide(old, new) is BarTreeDecision.LOWER


def test_the_root_alone_has_a_bar_and_no_square() -> None:
    tree = bar_tree_of([0], [0])

    assert (tree.d_max, tree.widths, tree.total, tree.areas, tree.delta) == (0, (1.0,), 0, (0.0,), 0)


@pytest.mark.parametrize("seed", range(20))
def test_total_is_the_sum_of_the_products_of_equation_7(seed: int) -> None:
    draw = Random(seed)
    size = draw.randint(2, 25)
    before = [0, *(draw.randrange(5) for _ in range(size))]
    after = [0, *(draw.randrange(5) for _ in range(size))]

    tree = bar_tree_of(before, after)

    parallel = [one + 1 + two for one, two in zip(before, after, strict=True)]
    ratio = Fraction(1, size)
    exact = sum(
        prod((1 - (d - 1 - n) * ratio) / parallel[d - 1 - n] for n in range(d)) for d in range(1, size + 1)
    )
    assert isclose(tree.total, exact, rel_tol=1e-12)
    assert tree.areas == pytest.approx([depth * width for depth, width in enumerate(tree.widths)])


@pytest.mark.parametrize(
    ("before", "after", "decision"),
    [
        ([0, 1, 2], [0, 0, 3], BarTreeDecision.SAME),
        ([0, 1, 3], [0, 0, 4], BarTreeDecision.BOTH_ALIKE),
        ([0, 1, 3], [0, 0, 3], BarTreeDecision.UPPER),
        ([0, 1, 1], [0, 0, 3], BarTreeDecision.UPPER),
        ([0, 1, 2], [0, 0, 2], BarTreeDecision.LOWER),
        ([0, 1, 3], [0, 0, 2], BarTreeDecision.BOTH),
        ([0, 1, 3], [0, 0, 5], BarTreeDecision.BOTH),
        (
            [0, 1, 0, 3],
            [0, 0, 0, 4],
            BarTreeDecision.SAME,
        ),  # a wrapper and a new element cancel out: the table is wrong
    ],
)
def test_the_decision_table(before: list[int], after: list[int], decision: BarTreeDecision) -> None:
    old = bar_tree_of([0, 1, 2], [0, 0, 3])

    assert decide(old, bar_tree_of(before, after)) is decision


def test_what_delta_cannot_see_the_depth_shows() -> None:
    old, new = bar_tree_of([0, 1, 2], [0, 0, 3]), bar_tree_of([0, 1, 0, 3], [0, 0, 0, 4])

    assert decide(old, new) is BarTreeDecision.SAME
    assert old.simple != new.simple


def test_by_the_letter_every_tag_of_the_page_counts() -> None:
    old, new = bars_of(SHOP), bars_of(SHOP.replace("<li>b</li>", "<li>b</li><li>c</li>"))

    assert decide(old, new) is BarTreeDecision.SAME
    assert decide(old, new, by_all_tags=True) is BarTreeDecision.UPPER
    assert new.full == old.full


def test_widths_too_small_for_a_number_become_zero() -> None:
    tree = bar_tree_of([0, *[50] * 300], [0, *[50] * 300])

    assert tree.widths[-1] == 0.0
    assert tree.total > 1
