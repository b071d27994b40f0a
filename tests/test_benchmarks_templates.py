"""The templates benchmark changes pages as it says, finds attributes from pasted texts only, and notices when it cannot."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from benchmarks._template_generated import OURS, SETS, SIMPLE, Template, change, experiment
from benchmarks._template_pages import SINGLE, Node, redesign, rewritten, tree_of, write_tree
from benchmarks._template_real import KINDS, Site, anchor, learn_source, run_watch, target
from benchmarks._template_sites import generate_sites
from benchmarks.templates import figures_of_generated, figures_of_sites
from hiddenweb.extraction.path_patterns import TargetPaths
from hiddenweb.html.document import Document
from hiddenweb.html.skeleton import Skeleton, skeleton_of

if TYPE_CHECKING:
    from hiddenweb.html.layout import PageLayout

PAGE = (
    "<title>Shop</title><div class=top>Shop</div><div class=main id=main><h1>A <b>big</b> book</h1><table><tr><td>Author<td>Ann &amp; Bo"
    "<tr><td>Price<td>$5</table></div><div class=foot>Shop &lt;3</div>"
)


def skeleton(html: str) -> Skeleton:
    return skeleton_of(LexborHTMLParser(html))


def main_of(top: Node) -> Node:
    return next(node for node in top.all() if node.attributes.get("id") == "main")


def blocks(top: Node) -> list[str]:
    body = next(node for node in top.all() if node.tag == "body")
    return [f"{node.tag}.{node.attributes.get('class')}" for node in body.elements()]


def test_writing_a_page_again_changes_nothing_but_comments() -> None:
    html = (
        PAGE.replace("<h1>", "<!-- x --><h1>")
        + "<script>if (a < b) { c('&amp;') }</script><p>a<br>b<img alt='\"x'>"
    )

    again = rewritten(html)

    assert skeleton(again) == skeleton(html)
    assert rewritten(again) == again
    assert "if (a < b) { c('&amp;') }" in again
    assert "Shop &lt;3" in again


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("wrap", ["div.top", "div.None", "div.foot"]),
        ("insert before", ["div.top", "div.banner", "div.main", "div.foot"]),
        ("insert both sides", ["div.top", "div.banner", "div.main", "div.banner", "div.foot"]),
        ("rename tag", ["div.top", "section.main", "div.foot"]),
        ("remove preceding block", ["div.main", "div.foot"]),
        ("swap with sibling", ["div.main", "div.top", "div.foot"]),
    ],
)
def test_a_single_change_is_what_its_name_says(kind: str, left: list[str]) -> None:
    top = tree_of(PAGE)

    assert SINGLE[kind](main_of(top))

    assert blocks(top) == left
    assert skeleton(write_tree(top)) != skeleton(PAGE)


def test_classes_are_renamed_always_alike_and_only_where_there_are_some() -> None:
    one, two = tree_of(PAGE), tree_of(PAGE.replace("Shop", "Store"))

    assert SINGLE["rename classes"](main_of(one))
    assert SINGLE["rename classes"](main_of(two))

    assert main_of(one).attributes["class"] == main_of(two).attributes["class"] != "main"
    assert not SINGLE["rename classes"](next(node for node in one.all() if node.tag == "h1"))


def test_a_redesign_leaves_the_values_and_no_class() -> None:
    top = tree_of(PAGE)

    redesign(top, {"Author", "Price"})

    html = write_tree(top)
    assert "Ann &amp; Bo" in html
    assert "$5" in html
    assert not any(word in html for word in ("Author", "Price", "main", "<table", "<td"))


def layout(html: str) -> PageLayout:
    return Document(LexborHTMLParser(html)).layout


def test_on_other_pages_no_text_is_needed_and_what_is_missing_is_not_made_up() -> None:
    others = [
        PAGE.replace("big", f"small {number}")
        .replace("Ann &amp; Bo", f"Cy {number}")
        .replace("$5", f"${number}7")
        for number in range(1, 10)
    ]
    site = Site("shop", (PAGE,), {"title": "A big book", "author": "Ann & Bo", "price": "$5"})
    source = learn_source(site, [layout(page) for page in (PAGE, *others)])

    (entry,) = source.read(layout(others[2])).entries
    assert entry.values == {"title": ["A small 3 book"], "author": ["Cy 3"], "price": ["$37"]}
    empty = source.read(layout("<p>Nothing here</p>")).paths
    assert set(empty.attributes.values()) == {None}
    assert empty.region is None


def test_the_target_lies_on_the_path_to_half_of_the_attributes() -> None:
    page = layout(rewritten(PAGE))
    nodes = {text.text: text.node for text in page.texts.all()}
    found = {"title": nodes["A big book"], "author": nodes["Ann & Bo"], "price": nodes["$5"]}
    paths = TargetPaths(page.skeleton, page.skeleton.common(list(found.values())), found)

    names, node = anchor(paths)

    assert names == ["author", "price"]
    assert page.skeleton.tags[node] == "tbody"
    assert target(rewritten(PAGE), paths, names, 2)[1].attributes["id"] == "main"
    assert target(rewritten(PAGE), paths, names, 99)[1].tag == "tbody"


def test_every_random_change_changes_the_layout() -> None:
    draw = Random(3)
    template = Template(10, draw)

    for _ in range(100):
        top = template.page(draw)
        before = skeleton(write_tree(top))
        change(top, draw)
        after = skeleton(write_tree(top))
        assert (after.tags, after.classes, after.parents) != (before.tags, before.classes, before.parents)


def test_the_experiment_of_the_paper_ranks_the_sets_as_the_paper_does() -> None:
    results = experiment(5, 5)

    figures = figures_of_generated(results)

    by_set = figures["detected_generated_by_set"]
    assert isinstance(by_set, dict)
    assert list(by_set) == list(SETS)
    assert sorted(by_set.values()) == list(by_set.values())
    assert by_set[SIMPLE] < by_set[OURS] == figures["detected_generated"] == 1.0
    assert figures["false_alarms_generated"] == 0
    assert figures["pages_generated"] == 100


def test_generated_sites_are_watched_like_real_ones() -> None:
    sites = list(islice(generate_sites(7), 2))

    seen = {number: run_watch(site, seed=7, most_batches=1) for number, site in enumerate(sites)}
    figures = figures_of_sites(seen, sites, is_real=False)

    assert figures["false_alarms_real"] == 0
    assert figures["detected_real"] == 1.0
    assert figures["unchanged_batches_real"] == 2
    assert set(seen[0].detected) <= set(KINDS)
    assert figures["sites_are_real"] is False
