"""Single items: parts of a page that stand alone where similar parts could stand in a row, such as a list of one result.

A single item cannot be recognised by repetition. But its list can: an element that holds nothing but one other. The innermost element
of such a chain (`<section><ol><li>`) is a single item if it holds several elements; so is the only row of a table below its heads. Most
single items are no records. A caller who knows the title or the address of a record finds it among them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.html.tags import BLOCKS, CELLS, NUMBERS, numbers_of
from hiddenweb.records.cells import CellMember
from hiddenweb.records.repeated_items import make_items, names_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.html.page_parts import Element
    from hiddenweb.html.tree_walk import TreeWalk
    from hiddenweb.model import RepeatedItem

_MOST = 12  # parts of one page; a limit of taste
_MOST_ELEMENTS = 20_000  # of a page with a list of one; a limit of taste
_LONGEST = 20_000  # characters; a limit of taste
_NO_PARTS = CELLS | numbers_of("html head body h1 h2 h3 h4 h5 h6 p form fieldset table thead tbody tfoot")
_CHAINED = BLOCKS | CELLS
_TR, _TH = NUMBERS["tr"], NUMBERS["th"]


def single_items(walk: TreeWalk, flat: str) -> list[RepeatedItem]:
    """Return the single items in the order of the page."""
    elements = walk.elements or []
    if len(elements) > _MOST_ELEMENTS:
        return []
    inside = Counter(element.parent for element in elements)
    places = [place for place in _innermost(elements, flat) if inside[place] > 1]
    members = [
        CellMember((place,), elements[place].span.start, elements[place].span.end) for place in places[:_MOST]
    ]
    return [block for member in members for block in make_items(walk, flat, [member])]


def _innermost(elements: list[Element], flat: str) -> Iterator[int]:
    """Yield the elements that fill the element around them, and hold none that fills them."""
    fills = {
        place
        for place, element in enumerate(elements)
        if element.tag in _CHAINED and _fills(elements, element, flat)
    }
    around = {elements[place].parent for place in fills}
    for place in sorted(fills | set(_only_rows(elements, flat))):
        element = elements[place]
        is_small = element.span.end - element.span.start <= _LONGEST
        if (
            place not in around
            and element.tag in BLOCKS
            and element.tag not in _NO_PARTS
            and not element.aside
            and is_small
        ):
            yield place


def _fills(elements: list[Element], element: Element, flat: str) -> bool:
    """Return whether an element holds all the text of the one around it."""
    if element.parent < 0 or element.span.end == element.span.start:
        return False
    outer = elements[element.parent].span
    before, behind = element.span.start - outer.start, outer.end - element.span.end
    if before > 2 or behind > 2:
        return False
    return not (flat[outer.start : element.span.start].strip() or flat[element.span.end : outer.end].strip())


def _only_rows(elements: list[Element], flat: str) -> Iterator[int]:
    """Yield the rows of tables that have one row, not counting rows of heads."""
    heads = {element.parent for element in elements if element.tag == _TH}
    plain = {element.parent for element in elements if element.tag in CELLS and element.tag != _TH}
    rows: dict[int, list[int]] = {}
    for place, element in enumerate(elements):
        if element.tag == _TR and place in plain:
            rows.setdefault(element.parent, []).append(place)
    with_heads = {elements[head].parent for head in heads - plain}
    for parent, below in rows.items():
        is_only = len(below) == 1 and parent in with_heads
        if is_only or (len(below) == 2 and names_columns(elements, below, flat)):
            yield below[-1]
