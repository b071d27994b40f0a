"""Groups of similar siblings: of one tag and class, or with classes that differ in generated parts, or of two kinds that alternate."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.html.path_numbers import class_names
from hiddenweb.html.tags import CELLS, INLINE, NUMBERS, numbers_of

if TYPE_CHECKING:
    from hiddenweb.html.page_parts import Element


_NOT_REPEATED = INLINE | CELLS | numbers_of("h1 h2 h3 h4 h5 h6 option label br hr head body thead th button")
_MOST_STYLES = 50  # of the elements below one other, that are compared; a limit of taste
MOST_INSIDE = 200  # elements that are read to compare two results; a limit of taste
_MARKING_ONE = frozenset({"first", "last", "active", "current", "selected"})
Group = list[int]  # places of elements


def style_of(element: Element) -> str:
    """Return the classes of an element by which it is compared."""
    return sibling_classes(element.style)


@lru_cache(maxsize=4096)
def sibling_classes(style: str) -> str:
    """Return classes in their order, without digits and without those that mark one of many.

    >>> sibling_classes("row-12 odd last")
    'odd row-'
    """
    names = {name.replace("0", "") for name in class_names(style)}
    return " ".join(sorted(names - _MARKING_ONE - {""}))


def group_siblings(elements: list[Element]) -> dict[tuple[int, int, str], Group]:
    """Return similar siblings, by their parent, tag and classes. Boilerplate, inline elements and heads are left out."""
    groups: dict[tuple[int, int, str], Group] = {}
    heads = head_rows(elements)
    for place, element in enumerate(elements):
        if not (
            element.aside or element.tag in _NOT_REPEATED or place in heads or element.tag == NUMBERS["dd"]
        ):
            groups.setdefault((element.parent, element.tag, style_of(element)), []).append(place)
    return _join_alternating(elements, _join_similar(groups))


def _join_similar(groups: dict[tuple[int, int, str], Group]) -> dict[tuple[int, int, str], Group]:
    """Make one group of those that share most of their classes: many applications write the subject of a result into a class."""
    joined: dict[tuple[int, int, str], Group] = {}
    styles: dict[tuple[int, int], list[set[str]]] = {}
    for (parent, tag, style), group in groups.items():
        classes = set(style.split())
        others = styles.setdefault((parent, tag), [])
        similar = next((other for other in others if _are_similar(classes, other)), classes)
        if similar is classes and len(others) < _MOST_STYLES:
            others.append(classes)
        key = parent, tag, " ".join(sorted(similar))
        joined[key] = sorted([*joined.get(key, []), *group])
    return joined


def _are_similar(one: set[str], other: set[str]) -> bool:
    shared = len(one & other)
    return shared > 1 and 2 * shared >= len(one | other)


def _join_alternating(
    elements: list[Element], groups: dict[tuple[int, int, str], Group]
) -> dict[tuple[int, int, str], Group]:
    """Make one group of two whose members alternate, such as odd and even rows."""
    joined: dict[tuple[int, int, str], Group] = {}
    previous: dict[tuple[int, int], tuple[int, int, str]] = {}
    for key, group in groups.items():
        other = previous.get(key[:2])
        if other and (merged := _merge_alternating(elements, joined[other], group)):
            joined[other] = merged
        else:
            joined[key] = group
            previous[key[:2]] = key
    return joined


def _merge_alternating(elements: list[Element], first: Group, second: Group) -> Group:
    """Return the members of two groups in their order if they alternate, else none; two groups of one must have similar children.

    The children of table rows may differ in number, since empty cells are left out.
    """
    merged = sorted(first + second)
    if merged[::2] != first or merged[1::2] != second:
        return []
    if len(merged) > 2:
        return merged
    one, other = (_kinds_inside(elements, place) for place in (first[0], second[0]))
    are_alike = set(one) == set(other) if elements[first[0]].tag == NUMBERS["tr"] else one == other
    return merged if one and are_alike else []


def _kinds_inside(elements: list[Element], place: int) -> list[tuple[int, str]]:
    """Return the tags and styles of the children of an element."""
    found: list[tuple[int, str]] = []
    for at in range(place + 1, min(len(elements), place + MOST_INSIDE)):
        element = elements[at]
        if element.parent < place:
            break
        if element.parent == place:
            found.append((element.tag, style_of(element)))
    return found


def head_rows(elements: list[Element]) -> set[int]:
    """Return the table rows that have head cells and no others."""
    cells: dict[int, set[int]] = {}
    for element in elements:
        if element.tag in CELLS:
            cells.setdefault(element.parent, set()).add(element.tag)
    return {row for row, kinds in cells.items() if kinds == {NUMBERS["th"]}}
