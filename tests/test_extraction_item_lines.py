from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.extraction.item_lines import gaps_by_node, lines_of_node, runs_of_lines
from hiddenweb.extraction.item_pattern import ItemPattern
from hiddenweb.extraction.node_pieces import NodePieces
from hiddenweb.html.document import read_layout

if TYPE_CHECKING:
    from hiddenweb.extraction.item_lines import ItemLine
    from hiddenweb.html.layout import PageLayout


def lines_in_body(layout: PageLayout) -> list[ItemLine]:
    body = layout.skeleton.tags.index("body")
    return lines_of_node(layout, NodePieces(layout), body, gaps_by_node(layout)[body])


def runs(source: bytes, pattern: ItemPattern) -> list[list[str]]:
    layout = read_layout(source)
    lines = lines_in_body(layout)
    return [
        [piece.text for piece in layout.texts.pieces[lines[at].first : lines[end - 1].last]]
        for at, end in runs_of_lines(pattern, lines)
    ]


def test_breaks_rules_and_blocks_divide_an_element_into_lines() -> None:
    layout = read_layout(b"<body>one <b>bold</b><br>two<br><br>three<hr>four<div>five</div>six")

    lines = lines_in_body(layout)

    assert [layout.texts.pieces[line.first].text for line in lines] == [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
    ]
    assert [line.gap for line in lines[1:]] == [1, 2, 3, 3, 3]


def test_each_line_is_an_item() -> None:
    assert runs(b"<body>one<br>two<br>three", ItemPattern((), gap=1)) == [["one"], ["two"], ["three"]]


def test_items_continue_to_a_gap_that_is_large_enough() -> None:
    source = b"<body>one<br>1<br><br>two<br>2<br><br>three<br>3<hr>footer"

    assert runs(source, ItemPattern((), gap=2)) == [["one", "1"], ["two", "2"], ["three", "3"], ["footer"]]


def test_items_continue_to_the_next_line_that_starts_in_the_same_element() -> None:
    layout = read_layout(b"<body><b>one</b><br>1<br><b>two</b><br>2")
    bold = lines_in_body(layout)[0].mark

    found = runs(
        b"<body>head<br><b>one</b><br>1<br><b>two</b><br>2<br><br>end", ItemPattern((), gap=1, mark=bold)
    )

    assert found == [["one", "1"], ["two", "2"]]


def test_no_line_that_may_start_an_item_leaves_none() -> None:
    assert runs(b"<body>one<br>two", ItemPattern((), gap=1, mark="nothing like this")) == []
