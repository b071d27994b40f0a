from __future__ import annotations

from hiddenweb.extraction.node_pieces import NodePieces
from hiddenweb.html.document import read_layout
from hiddenweb.html.layout import NOTHING


def test_a_node_has_the_pieces_of_all_that_is_inside_it() -> None:
    layout = read_layout(b"<body><div><p>one<p>two</div><hr><p>three")
    pieces = NodePieces(layout)
    tags = layout.skeleton.tags

    assert pieces.inside(tags.index("div")) == (0, 2)
    assert pieces.inside(tags.index("body")) == (0, 3)
    assert pieces.inside(tags.index("hr")) == (0, 0)


def test_loose_text_after_a_run_belongs_to_it_unless_it_is_the_last() -> None:
    layout = read_layout(b"<body><h3>one</h3>loose<h3>two</h3>behind")
    pieces = NodePieces(layout)
    first, second = (node for node, tag in enumerate(layout.skeleton.tags) if tag == "h3")

    assert pieces.pieces_between(first, first, is_last=False) == (0, 2)
    assert pieces.pieces_between(second, second, is_last=True) == (2, 3)


def test_a_page_without_text_has_no_pieces() -> None:
    assert NodePieces(NOTHING)._pieces_of_nodes(0, 1) == (0, 0)
