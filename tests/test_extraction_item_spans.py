from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.extraction.item_pattern import ItemPattern, ItemStep
from hiddenweb.extraction.item_spans import find_spans
from hiddenweb.html.document import read_layout

if TYPE_CHECKING:
    from hiddenweb.html.layout import PageLayout

ITEM, LIST = ItemStep("li", (("book",),)), ItemStep("ul", (("results",),))


def tiers(layout: PageLayout, pattern: ItemPattern) -> list[list[str]]:
    """The first text of each item, tier by tier."""
    return [[layout.texts.pieces[span.first].text for span in spans] for spans in find_spans(layout, pattern)]


def test_the_items_are_the_children_that_fit_and_their_siblings() -> None:
    layout = read_layout(
        b"<ul class=menu><li>Home</ul><ul class=results><li class=book>A<li class=book>B<li class=advert>C</ul>"
    )

    (spans,) = find_spans(layout, ItemPattern((ITEM, LIST)))

    assert [span.is_sure for span in spans] == [True, True, False]
    assert tiers(layout, ItemPattern((ITEM, LIST))) == [["A", "B", "C"]]


def test_items_of_which_more_around_is_right_come_in_a_tier_before_the_others() -> None:
    layout = read_layout(
        b"<body><ul class=results><li class=book>A</ul><div class=main><ul class=results><li class=book>B</ul></div>"
    )

    assert tiers(layout, ItemPattern((ITEM, LIST, ItemStep("div", (("main",),))))) == [["B"], ["A"]]


def test_an_item_inside_another_is_left_out() -> None:
    layout = read_layout(b"<body><div class=a>one<div class=a>two</div></div><div class=a>three</div>")
    pattern = ItemPattern((ItemStep("div", (("a",),)),))

    assert tiers(layout, pattern) == [["one", "three"]]


def test_a_run_continues_to_the_next_start_and_the_last_is_no_longer_than_the_others() -> None:
    layout = read_layout(b"<dl><dt>one<dd>1<dt>two<dd>2<dt>three<dd>3<dd>more</dl>")

    (spans,) = find_spans(layout, ItemPattern((ItemStep("dt", ((),)), ItemStep("dl", ((),))), is_run=True))

    texts = [[piece.text for piece in layout.texts.pieces[span.first : span.last]] for span in spans]
    assert texts == [["one", "1"], ["two", "2"], ["three", "3"]]


def test_every_third_sibling_starts_an_item_if_nothing_else_identifies_the_start() -> None:
    cells = "".join(f"<p>{number}" for number in range(7))
    layout = read_layout(f"<body>{cells}".encode())

    pattern = ItemPattern((ItemStep("p", ((),)), ItemStep("body", ((),))), is_run=True, period=3, offset=1)

    assert tiers(layout, pattern) == [["1", "4"]]


def test_lines_are_items_where_the_pattern_says_so() -> None:
    layout = read_layout(b"<body><div>one<br>two<br>three</div>")

    assert tiers(layout, ItemPattern((ItemStep("div", ((),)),), is_run=True, gap=1)) == [
        ["one", "two", "three"]
    ]


def test_a_page_with_nothing_like_it_has_no_items() -> None:
    assert tiers(read_layout(b"<body><p>one"), ItemPattern((ITEM, LIST))) == []
