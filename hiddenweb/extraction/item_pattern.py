"""What the repeated items of a page look like: how they are found again on other pages of the site.

An item is known by the element it starts with and by those around it, each by its tag and its classes (digits do not count). Classes may differ from item to item (`odd` and `even`,
`first`), so a step knows several sets of them, and a page may bring others: siblings with the same tag are items, too, but less surely. An item is that one element, or a run: it
goes on to the next start (`h3` and `div`, `dt` and `dd`, two rows of a table). Where nothing tells the start, every second or third sibling is one. Where there are no elements
between items, lines are (`hiddenweb.extraction.item_lines`).

This is not the engine that finds the results of an answer (`hiddenweb.records.repeated_items`), though both compare siblings by `class_names`. That one is shown nothing: it weighs the
groups of like siblings of one page, and one of them wins. Here a person has shown one record. It may stand in any structure of the page, in a menu too, and in several that lie in
each other. So all structures around it are proposed (`hiddenweb.extraction.item_proposals`), the values found in them decide, and the pattern that is left has to hold on pages
that nobody has seen yet (`hiddenweb.extraction.item_spans`).
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
"""Children of an element that its mark tells of; a limit of taste: a start with more of them is told by the first."""


@dataclass(frozen=True, slots=True)
class ItemStep:
    """An element by its tag and the sets of classes of which it has one."""

    tag: str
    kinds: tuple[Kind, ...]

    def fits(self, skeleton: Skeleton, node: int) -> bool:
        """Say whether a node is such an element."""
        if skeleton.tags[node] != self.tag:
            return False
        classes = set(class_names(skeleton.classes[node]))
        return any(classes.issuperset(kind) if kind else not classes for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class ItemPattern:
    """How the items of a repeated structure are found on a page."""

    steps: tuple[ItemStep, ...]  # what an item starts with, then what is around it, outwards
    is_run: bool = False  # an item goes on to the next start
    mark: str = ""  # tags inside the start, where tag and classes do not tell it
    period: int = 0  # every how many siblings an item starts, where nothing else tells it
    offset: int = 0
    gap: int = 0  # where lines and not elements are items: line breaks before the first, at the least

    def to_json(self) -> dict[str, Any]:
        """Return the pattern as JSON writes it."""
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
        """Return the pattern that was written so; ValueError, KeyError or TypeError if none was."""
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
    """Where an item is on a page: its nodes from the first to before the last, and its pieces of text likewise."""

    start: int
    end: int
    first: int
    last: int
    parent: int
    is_sure: bool  # it has the classes of the others


def count_fitting(skeleton: Skeleton, node: int, steps: Sequence[ItemStep]) -> int:
    """Return how many elements around an item are as they should be, from the nearest on."""
    for count, step in enumerate(steps):
        if node < 0 or not step.fits(skeleton, node):
            return count
        node = skeleton.parents[node]
    return len(steps)


def mark_of(skeleton: Skeleton, node: int) -> str:
    """Return what is inside a node, roughly: its children's tags, each once, and for a row how many cells there are."""
    children = list(skeleton.children(node))[:_MOST_CHILDREN]
    inside = {
        f"{skeleton.tags[child]}>{skeleton.tags[below]}"
        for child in children
        for below in list(skeleton.children(child))[:1]
    }
    tags = {skeleton.tags[child] for child in children}
    count = len(children) if skeleton.tags[node] == "tr" else 0
    return " ".join([*sorted(tags | inside), str(count)])
