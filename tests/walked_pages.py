"""Pages that were walked through and are not yet read: what the parts of reading work on."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from hiddenweb.html.document import parse_document
from hiddenweb.html.links import resolver
from hiddenweb.html.tags import numbers_of
from hiddenweb.html.tree_walk import TreeWalk
from hiddenweb.records.cells import CellMember

if TYPE_CHECKING:
    from hiddenweb.html.page_parts import Element

URL = "http://a.example/dir/"


def walk_page(html: str) -> tuple[TreeWalk, str]:
    """Return a walk through a page that kept its elements, and the text that was written down on it."""
    document = parse_document(html.encode())
    assert document.root is not None
    walk = TreeWalk(document, URL, inf, keep_elements=True)
    walk.visit(document.root)
    walk.resolve = resolver(URL, "utf-8")
    return walk, "".join(walk.pieces)


def elements_of(walk: TreeWalk) -> list[Element]:
    assert walk.elements is not None
    return walk.elements


def places_of(walk: TreeWalk, tags: str) -> list[int]:
    """Return the places of all elements of some tags."""
    numbers = numbers_of(tags)
    return [place for place, element in enumerate(elements_of(walk)) if element.tag in numbers]


def members_of(walk: TreeWalk, tag: str) -> list[CellMember]:
    """Return all elements of a tag as repeated parts."""
    spans = {place: elements_of(walk)[place].span for place in places_of(walk, tag)}
    return [CellMember((place,), span.start, span.end) for place, span in spans.items()]
