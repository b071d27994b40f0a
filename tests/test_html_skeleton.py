"""The skeleton of a page: its layout, nothing else, in bounded time."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser
from timing import within

from hiddenweb.extraction.bartree import bar_tree
from hiddenweb.html.document import read_layout
from hiddenweb.html.limits import LIMITS
from hiddenweb.html.skeleton import MOST_NODES, Skeleton, skeleton_and_nodes, skeleton_of


def read_skeleton(body: bytes) -> Skeleton:
    return read_layout(body).skeleton


def test_formatting_belongs_to_the_element_around_it_and_what_nobody_sees_is_left_out() -> None:
    page = (
        b"<title>The Long Goodbye</title><script>x</script><div class='b  a'><b>Price <span>5</span></b><br>"
        b"<noscript><p>no</p></noscript><em>new</em></div><p>x</p>"
    )

    skeleton = read_skeleton(page)

    assert skeleton.tags == ("html", "head", "body", "div", "span", "p")
    assert skeleton.classes == ("", "", "", "a b", "", "")
    assert skeleton.parents == (-1, 0, 0, 2, 3, 2)
    assert skeleton.depths == (0, 1, 1, 2, 3, 2)
    assert skeleton.positions == (0, 0, 1, 0, 0, 1)
    assert skeleton.ends == (6, 2, 6, 5, 5, 6)
    assert skeleton.name == {"long", "goodbye"}


def test_every_element_that_is_seen_has_a_node() -> None:
    tree = LexborHTMLParser(
        "<div><b><i>x</i></b><p>y<template><u>z</u></template></p><select><option>1</select></div>"
    )

    skeleton, nodes = skeleton_and_nodes(tree)

    named = [
        (element.tag, skeleton.tags[nodes[element.mem_id]])
        for element in tree.css("*")
        if element.mem_id in nodes
    ]
    assert named[3:] == [("div", "div"), ("b", "div"), ("i", "div"), ("p", "p"), ("select", "select")]


def test_elements_come_in_the_order_of_the_document() -> None:
    tree = LexborHTMLParser("<table><tr><td>1<td>2</table><div><p>3<p>4</div>x<form><input></form>")

    walked = [node.tag for node in tree.root.traverse(include_text=False)] if tree.root else []

    assert list(skeleton_of(tree).tags) == walked


def test_children_and_common_ancestors() -> None:
    skeleton = read_skeleton(b"<div><p>1</p><p><a>2</a></p></div><div>3</div>")
    body, first, one, two, link, second = range(2, 8)

    assert list(skeleton.children(body)) == [first, second]
    assert skeleton.path(link) == [0, body, first, two, link]
    assert skeleton.common([one, link]) == first
    assert skeleton.common([link]) == link
    assert skeleton.common([one, second]) == body
    assert skeleton.common([first, link]) == first
    assert skeleton.common([]) == -1


@pytest.mark.parametrize("body", [b"", b"\x00\xff\xfe", b"<", b"<!-- ", b"plain", b"</p></div>"])
def test_anything_has_a_skeleton(body: bytes) -> None:
    skeleton = read_skeleton(body)

    assert skeleton.tags[:1] == ("html",)
    assert bar_tree(skeleton, len(skeleton) - 1).d_max >= 0


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<div>" * 100_000, id="deep"),
        pytest.param(b"<p>x" * 200_000, id="wide"),
        pytest.param(b"<b><i><p>" * 20_000, id="misnested"),
        pytest.param(b"<div class='" + b"a " * 100_000 + b"'>x</div>", id="many classes"),
    ],
)
def test_hostile_pages_are_cut_and_cost_little(body: bytes) -> None:
    skeleton = within(3, lambda: read_skeleton(body))
    tree = within(3, lambda: bar_tree(skeleton, len(skeleton) - 1))

    assert len(skeleton) <= MOST_NODES
    assert tree.d_max <= LIMITS.depth + 3
    assert max(map(len, skeleton.classes)) <= 200


def test_a_skeleton_that_is_cut_says_so_and_still_places_all_elements() -> None:
    tree = LexborHTMLParser("<p>x</p>" * 50)

    skeleton, nodes = skeleton_and_nodes(tree, most_nodes=10)

    assert skeleton.is_cut
    assert len(skeleton) == 10
    assert len(nodes) == 53
    assert list(nodes.values())[-1] == 2
