"""The pattern of the repeated items of a page, to find them on other pages of the site.

An item is identified by its first element and the elements around it, each by its tag and classes (digits do not count). Classes may differ from item to item (`odd` and `even`,
`first`), so a step has several sets of them, and a page may add others: siblings with the same tag are items, too, but less surely. An item is one element, or a run that
continues to the next start (`h3` and `div`, `dt` and `dd`, two rows of a table). If nothing marks the start, every second or third sibling is one. Without elements
between items, lines are the items (`hiddenweb.extraction.item_lines`).

This is not the code that finds the results of an answer (`hiddenweb.records.repeated_items`), though both compare siblings by `class_names`. That code has no example: it scores the
groups of similar siblings of one page and takes the best. Here a person has shown one record. It may stand in any structure of the page, even in a menu, and in several nested
ones. So all structures around it are proposed (`hiddenweb.extraction.item_proposals`), the values found in them decide, and the chosen pattern must work on
unknown pages (`hiddenweb.extraction.item_spans`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.html.path_numbers import class_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiddenweb.html.skeleton import Skeleton

    Kind = tuple[str, ...]  # classes, sorted

_MOST_CHILDREN = 50
"""Children of an element that its mark describes; a limit of taste: more are not needed to distinguish a start."""


@dataclass(frozen=True, slots=True)
class ItemStep:
    """An element by its tag and possible sets of classes."""

    tag: str
    kinds: tuple[Kind, ...]

    def fits(self, skeleton: Skeleton, node: int) -> bool:
        """Return whether a node is such an element."""
        if skeleton.tags[node] != self.tag:
            return False
        classes = set(class_names(skeleton.classes[node]))
        return any(classes.issuperset(kind) if kind else not classes for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class ItemPattern:
    """How the items of a repeated structure are found on a page."""

    steps: tuple[ItemStep, ...]  # the first element of an item, then the elements around it, outwards
    is_run: bool = False  # an item continues to the next start
    mark: str = ""  # tags inside the start, if tag and classes do not identify it
    period: int = 0  # an item starts every so many siblings, if nothing else identifies the start
    offset: int = 0
    gap: int = 0  # if items are lines and not elements: the least line breaks before the first

    def to_json(self) -> dict[str, Any]:
        """Return the pattern as values for JSON."""
        return {
            "steps": [[step.tag, *map(list, step.kinds)] for step in self.steps],
            "is_run": self.is_run,
            "mark": self.mark,
            "period": self.period,
            "offset": self.offset,
            "gap": self.gap,
        }

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> ItemPattern:
        """Return the pattern that `to_json` returned; raises ValueError, KeyError or TypeError."""
        steps = tuple(
            ItemStep(str(tag), tuple(tuple(map(str, kind)) for kind in kinds))
            for tag, *kinds in read["steps"]
        )
        if not steps:
            raise ValueError("a list needs the element its items start with")
        return cls(
            steps,
            bool(read["is_run"]),
            str(read["mark"]),
            max(0, int(read["period"])),
            max(0, int(read["offset"])),
            max(0, int(read.get("gap", 0))),
        )


@dataclass(frozen=True, slots=True)
class ItemSpan:
    """Where an item is on a page: half-open ranges of its nodes and of its pieces of text."""

    start: int
    end: int
    first: int
    last: int
    parent: int
    is_sure: bool  # it has the classes of the others


def count_fitting(skeleton: Skeleton, node: int, steps: Sequence[ItemStep]) -> int:
    """Return how many elements around an item fit the pattern, from the nearest on."""
    for count, step in enumerate(steps):
        if node < 0 or not step.fits(skeleton, node):
            return count
        node = skeleton.parents[node]
    return len(steps)


def mark_of(skeleton: Skeleton, node: int) -> str:
    """Return a rough description of the content of a node: the tags of its children, each once, and for a row the number of cells."""
    children = list(skeleton.children(node))[:_MOST_CHILDREN]
    inside = {
        f"{skeleton.tags[child]}>{skeleton.tags[below]}"
        for child in children
        for below in list(skeleton.children(child))[:1]
    }
    tags = {skeleton.tags[child] for child in children}
    count = len(children) if skeleton.tags[node] == "tr" else 0
    return " ".join([*sorted(tags | inside), str(count)])
