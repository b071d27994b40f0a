"""The paper's experiment, on generated pages: 20 sources, five maximum depths, random changes of the template.

Four sources for each d_max of 5, 10, 15, 20 and 25; 500 pages of each in a full run, so 10,000 in all. Every page has its own texts, and lists off the path that are
longer or shorter from page to page. Every page is changed once, twice or three times at random places on the path to its region or beside it: an element comes, goes, changes places
with its neighbour, is wrapped or unwrapped, or gets another tag or class. The region is found by its text, as in the paper. "Found" means that a variable of the set
is not what it was before the change, or, for ours, that the page deviates from ten others of its source.

Where the same page without its change is called changed, that is a false alarm. Time is from the source of the page to the verdict, parsing included, as the paper counts.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from benchmarks._template_pages import Node, new_name, write_tree
from hiddenweb.extraction.bartree import BarTreeDecision, bar_tree, decide
from hiddenweb.extraction.path_patterns import TargetPaths
from hiddenweb.extraction.template_watch import LEAST_PAGES, TemplateWatch
from hiddenweb.html.skeleton import skeleton_and_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.extraction.bartree import BarTree

DEPTHS = (5, 10, 15, 20, 25)
SOURCES = 20
SIMPLE, FULL, EXACT, OURS = "{d_max, A_total}", "{d_max, A_total, P_d, A_d}", "with Delta", "ours"
SETS = (SIMPLE, FULL, EXACT, OURS)
WORDS = "archive catalogue journal volume author abstract library review article index science paper report".split()  # noqa: SIM905
TAGS = ("div", "div", "section", "article", "ul", "p", "h2")
REGION_TEXT = "The region of interest"


@dataclass(slots=True)
class Counts:
    """What was found at one d_max."""

    pages: int = 0
    found: Counter[str] = field(default_factory=Counter)
    false_alarms: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(SETS, 0.0))
    unchanged: int = 0


def experiment(seed: int, pages_of_source: int) -> dict[int, Counts]:
    """Return what each set of variables finds, by d_max."""
    results = {depth: Counts() for depth in DEPTHS}
    for source in range(SOURCES):
        depth = DEPTHS[source % len(DEPTHS)]
        draw = Random(f"{seed} {source}")
        _one_source(Template(depth, draw), pages_of_source, draw, results[depth])
    return results


def _one_source(template: Template, pages: int, draw: Random, counts: Counts) -> None:
    watch = TemplateWatch()
    watch.learn([_paths(write_tree(template.page(draw))) for _ in range(LEAST_PAGES)])
    for _ in range(pages):
        top = template.page(draw)
        old_source = write_tree(top)
        old = _bars(_paths(old_source))
        change(top, draw)
        _judge(write_tree(top), old, watch, counts.found, counts.seconds, counts.pages)
        counts.pages += 1
        again = write_tree(template.page(draw))
        _judge(again, old, watch, counts.false_alarms, None)
        counts.unchanged += 1


def _judge(
    source: str,
    old: BarTree,
    watch: TemplateWatch,
    found: Counter[str],
    seconds: dict[str, float] | None,
    order: int = 0,
) -> None:
    started = time.process_time()
    paths = _paths(source)
    read = time.process_time() - started

    def timed(name: str, verdict: Callable[[], bool]) -> None:
        begun = time.process_time()
        found[name] += verdict()
        if seconds is not None:
            seconds[name] += read + time.process_time() - begun

    def exact() -> bool:
        new = _bars(paths)
        return new.full != old.full or decide(old, new) is not BarTreeDecision.SAME

    verdicts: list[tuple[str, Callable[[], bool]]] = [
        (SIMPLE, lambda: _bars(paths).simple != old.simple),
        (FULL, lambda: _bars(paths).full != old.full),
        (EXACT, exact),
        (OURS, lambda: watch.deviation(paths) is not None),
    ]
    first = order % len(verdicts)  # what comes first finds the memory cold
    for name, verdict in verdicts[first:] + verdicts[:first]:
        timed(name, verdict)


def _bars(paths: TargetPaths) -> BarTree:
    assert paths.region is not None
    return bar_tree(paths.skeleton, paths.region)


def _paths(source: str) -> TargetPaths:
    """Return where a page has the text of its region."""
    tree = LexborHTMLParser(source)
    skeleton, nodes = skeleton_and_nodes(tree)
    for element in tree.css(".words"):
        if element.attributes.get("class") == "words" and element.text() == REGION_TEXT:
            node = nodes[element.mem_id]
            return TargetPaths(skeleton, node, {"text": node})
    raise AssertionError("the region is gone")


class Template:
    """A layout: on the path to the region, at each depth, so many blocks before and after."""

    def __init__(self, depth: int, draw: Random) -> None:
        self.depth = depth
        self.beside = [(draw.randrange(4), draw.randrange(4)) for _ in range(depth + 1)]
        self.tags = [draw.choice(("div", "section", "article")) for _ in range(depth + 1)]
        self.classes = [new_name(f"{draw.random()}") for _ in range(depth + 1)]
        self.seed = draw.random()

    def page(self, draw: Random) -> Node:
        """Return a page of this template, with its own words."""
        layout = Random(self.seed)
        top = Node("html", {})
        head = Node("head", {}, [], top)
        head.children = [Node("title", {}, [" ".join(draw.choices(WORDS, k=3))], head)]
        node = Node("body", {}, [], top)
        top.children = [head, node]
        for depth in range(2, self.depth + 1):
            is_last = depth == self.depth
            before, after = self.beside[depth]
            child = Node(
                "p" if is_last else self.tags[depth],
                {"class": "words" if is_last else self.classes[depth]},
                [],
                node,
            )
            node.children = [
                *(self._block(node, layout, draw) for _ in range(before)),
                child,
                *(self._block(node, layout, draw) for _ in range(after)),
            ]
            node = child
        node.children = [REGION_TEXT]
        return top

    @staticmethod
    def _block(parent: Node, layout: Random, draw: Random) -> Node:
        """Return a block beside the path: its tag and class are of the template, its words and the length of its list are not."""
        block = Node(layout.choice(TAGS), {"class": new_name(f"{layout.randrange(40)}")}, [], parent)
        words = " ".join(draw.choices(WORDS, k=4))
        if block.tag == "ul":
            items = [Node("li", {}, [words], block) for _ in range(draw.randint(1, 6))]
            block.children = list(items)
        else:
            block.children = [words]
        return block


def change(top: Node, draw: Random) -> None:
    """Change the template of a page at one, two or three places on the path or beside it, and never back to what it was."""
    before = _layout(top)
    while _layout(top) == before:
        for _ in range(draw.randint(1, 3)):
            path = _path(top)
            at = draw.randrange(2, len(path))
            draw.choice(CHANGES)(path[at], draw)


def _path(top: Node) -> list[Node]:
    node = next(node for node in top.all() if node.children == [REGION_TEXT])
    path = [node]
    while node.parent is not None:
        node = node.parent
        path.append(node)
    return path[::-1]


def _layout(top: Node) -> list[tuple[int, list[tuple[str, str | None]]]]:
    """Return what there is on the path and beside it, and in which place the path goes on."""
    found = []
    for node in _path(top)[1:]:
        assert node.parent is not None
        siblings = node.parent.elements()
        named = [(each.tag, each.attributes.get("class")) for each in siblings]
        found.append((next(at for at, each in enumerate(siblings) if each is node), named))
    return found


def _comes(node: Node, draw: Random) -> None:
    parent = node.parent
    assert parent is not None
    block = Node(draw.choice(TAGS), {"class": new_name(str(draw.random()))}, ["news"], parent)
    parent.children.insert(draw.randint(0, len(parent.children)), block)


def _goes(node: Node, draw: Random) -> None:
    parent = node.parent
    assert parent is not None
    others = [child for child in parent.elements() if child is not node and child.tag not in {"head", "body"}]
    if others:
        del parent.children[draw.choice(others).place()]


def _moves(node: Node, draw: Random) -> None:
    parent = node.parent
    assert parent is not None
    others = [child for child in parent.elements() if child is not node and child.tag not in {"head", "body"}]
    if others:
        one, two = node.place(), draw.choice(others).place()
        parent.children[one], parent.children[two] = parent.children[two], parent.children[one]


def _is_wrapped(node: Node, _draw: Random) -> None:
    parent = node.parent
    assert parent is not None
    around = Node("div", {}, [node], parent)
    parent.children[node.place()] = around
    node.parent = around


def _is_unwrapped(node: Node, _draw: Random) -> None:
    parent = node.parent
    if parent is None or not node.elements():
        return
    at = node.place()
    for child in node.elements():
        child.parent = parent
    parent.children[at : at + 1] = node.children


def _is_renamed(node: Node, draw: Random) -> None:
    if node.elements() and draw.random() < 0.5:
        node.tag = "section" if node.tag == "div" else "div"
    elif node.elements():
        node.attributes["class"] = new_name(str(draw.random()))


CHANGES: tuple[Callable[[Node, Random], None], ...] = (
    _comes,
    _goes,
    _moves,
    _is_wrapped,
    _is_unwrapped,
    _is_renamed,
)
