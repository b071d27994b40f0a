"""Pages whose template is changed: a tree that can be altered, and what webmasters do to it.

A page is read by Lexbor, altered and written again. The pages that are not altered go the same way, so that writing alone is never the change.
Seven single changes at one element, the target, and two whole redesigns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import TYPE_CHECKING
from zlib import crc32

from selectolax.lexbor import LexborHTMLParser

from hiddenweb.html.skeleton import FORMATTING, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from selectolax.lexbor import LexborNode

TEXT, COMMENT = 2, 4
_NAMES_OF_VOID = "area base br col embed hr img input link meta param source track wbr"
VOID = frozenset(_NAMES_OF_VOID.split())
RAW = frozenset(("script", "style", "xmp", "iframe", "noembed", "noframes"))
IN_TEXT = frozenset(("p", "span", "a", "h1", "h2", "h3", "h4", "h5", "h6", "label", "button"))
NEEDED_PLACE = frozenset(("tr", "td", "th", "tbody", "thead", "tfoot", "li", "dt", "dd"))
NOT_WRAPPED = NEEDED_PLACE - {"li", "dt", "dd"} | {"body", "html", "head", "option", "colgroup", "caption"}
OTHER_TAG = {
    "div": "section", "section": "div", "article": "div", "main": "div", "p": "div", "span": "label", "a": "span", "ul": "ol", "ol": "ul", "td": "th", "th": "td",
    "tbody": "thead", "h1": "h2", "h2": "h3", "h3": "h2", "h4": "h3", "h5": "h4", "form": "div", "center": "div", "dl": "div", "dt": "dd", "dd": "dt", "fieldset": "div",
}  # fmt: skip
REDESIGNED_TAG = OTHER_TAG | {
    "table": "div", "tbody": "div", "thead": "div", "tr": "div", "td": "div", "th": "div", "dl": "section", "dt": "div", "dd": "div", "b": "strong", "li": "li",
    "h1": "h2", "h2": "h3", "h3": "h4", "strong": "b", "caption": "div", "tfoot": "div", "font": "span", "colgroup": "div", "col": "hr",
}  # fmt: skip


@dataclass(eq=False, slots=True)
class Node:
    """An element that can be altered."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Node | str] = field(default_factory=list)
    parent: Node | None = None

    def elements(self) -> list[Node]:
        """Return the children that make a layout."""
        return [
            child
            for child in self.children
            if isinstance(child, Node) and child.tag not in FORMATTING and child.tag not in UNSEEN
        ]

    def all(self) -> Iterator[Node]:
        """Yield this element and all inside it, in the order of the document."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def place(self) -> int:
        """Return the place among the children of the parent."""
        assert self.parent is not None
        return next(at for at, child in enumerate(self.parent.children) if child is self)

    def neighbour(self, step: int) -> Node | None:
        """Return the layout element next to this one, before (-1) or after it (1)."""
        if self.parent is None:
            return None
        siblings = self.parent.elements()
        at = next((at for at, child in enumerate(siblings) if child is self), -1) + step
        return siblings[at] if 0 <= at < len(siblings) else None


def tree_of(html: str) -> Node:
    """Return a page as a tree that can be altered."""
    root = LexborHTMLParser(html).root
    assert root is not None
    top = _copy(root)
    waiting = [(root, top)]
    while waiting:
        element, node = waiting.pop()
        child = element.first_child
        while child is not None:
            if child.tag_id == TEXT:
                node.children.append(child.text_content or "")
            elif child.tag_id != COMMENT:
                copy = _copy(child)
                copy.parent = node
                node.children.append(copy)
                waiting.append((child, copy))
            child = child.next
    return top


def _copy(element: LexborNode) -> Node:
    return Node(element.tag or "", dict(element.attributes))


def write_tree(top: Node) -> str:
    """Return a tree as HTML."""
    pieces = ["<!DOCTYPE html>"]
    waiting: list[Node | str] = [top]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            pieces.append(node)
            continue
        named = "".join(
            f" {name}" if value is None else f' {name}="{escape(value)}"'
            for name, value in node.attributes.items()
        )
        pieces.append(f"<{node.tag}{named}>")
        if node.tag in VOID:
            continue
        waiting.append(f"</{node.tag}>")
        waiting.extend(
            child if isinstance(child, Node) else child if node.tag in RAW else escape(child, quote=False)
            for child in reversed(node.children)
        )
    return "".join(pieces)


def rewritten(html: str) -> str:
    """Return a page as it is without its comments, written as altered pages are."""
    return write_tree(tree_of(html))


def _banner(target: Node, number: int) -> Node:
    parent = target.parent.tag if target.parent else ""
    tag = target.tag if target.tag in NEEDED_PLACE else "span" if parent in IN_TEXT else "div"
    banner = Node(tag, {"class": "banner"}, [f"Our new offers {number}"], target.parent)
    if tag == "tr":
        banner.children = [Node("td", {}, ["Our new offers"], banner)]
    elif tag in {"tbody", "thead", "tfoot"}:
        row = Node("tr", {}, [], banner)
        row.children = [Node("td", {}, ["Our new offers"], row)]
        banner.children = [row]
    return banner


def wrap(target: Node) -> bool:
    """Put an element around the target."""
    parent = target.parent
    if parent is None or target.tag in NOT_WRAPPED:
        return False
    around = Node("span" if parent.tag in IN_TEXT else "div", {}, [target], parent)
    parent.children[target.place()] = around
    target.parent = around
    return True


def insert_before(target: Node) -> bool:
    """Put a block before the target."""
    if target.parent is None or target.tag in {"html", "head", "body"}:
        return False
    target.parent.children.insert(target.place(), _banner(target, 1))
    return True


def insert_both(target: Node) -> bool:
    """Put a block before the target and one after it."""
    if not insert_before(target):
        return False
    assert target.parent is not None
    target.parent.children.insert(target.place() + 1, _banner(target, 2))
    return True


def rename_tag(target: Node) -> bool:
    """Give the target another tag."""
    other = OTHER_TAG.get(target.tag)
    if other is None:
        return False
    target.tag = other
    return True


def remove_preceding(target: Node) -> bool:
    """Remove the block before the target."""
    before = target.neighbour(-1)
    if before is None or before.parent is None or before.tag == "head":
        return False
    del before.parent.children[before.place()]
    return True


def swap(target: Node) -> bool:
    """Exchange the target and the block before it, or else after it."""
    other = target.neighbour(-1) or target.neighbour(1)
    parent = target.parent
    if other is None or parent is None or "head" in {other.tag, target.tag}:
        return False
    one, two = target.place(), other.place()
    parent.children[one], parent.children[two] = other, target
    return True


def rename_classes(target: Node) -> bool:
    """Give the target other classes."""
    classes = target.attributes.get("class")
    if not classes or not classes.strip():
        return False
    target.attributes["class"] = " ".join(new_name(name) for name in classes.split())
    return True


SINGLE: dict[str, Callable[[Node], bool]] = {
    "wrap": wrap,
    "insert before": insert_before,
    "insert both sides": insert_both,
    "rename tag": rename_tag,
    "remove preceding block": remove_preceding,
    "swap with sibling": swap,
    "rename classes": rename_classes,
}
REDESIGNS = ("redesign", "redesign, labels renamed")


def new_name(name: str) -> str:
    """Return another name, always the same for the same."""
    letters = Random(crc32(name.encode()))
    return "".join(letters.choice("bcdfghklmnprstvw") + letters.choice("aeiou") for _ in range(4))


def redesign(top: Node, labels: Collection[str]) -> None:
    """Replace classes, ids and tags, and move blocks; texts that are labels get other words."""
    for node in top.all():
        for name in ("class", "id"):
            if value := node.attributes.get(name):
                node.attributes[name] = " ".join(new_name(part) for part in value.split())
        node.tag = REDESIGNED_TAG.get(node.tag, node.tag)
        if labels and node.tag not in RAW:
            node.children = [
                _other_words(child) if isinstance(child, str) and "".join(child.split()) in labels else child
                for child in node.children
            ]
    _move(top, 4)


def _other_words(text: str) -> str:
    return " ".join(new_name(word) + (":" if word.endswith(":") else "") for word in text.split())


def _move(node: Node, levels: int) -> None:
    """Put the last block of each element first, some levels down."""
    blocks = [child for child in node.elements() if child.tag not in {"head", "body"}]
    if len(blocks) > 1:
        last = blocks[-1]
        del node.children[last.place()]
        node.children.insert(0, last)
    if levels:
        for child in node.elements():
            _move(child, levels - 1)
