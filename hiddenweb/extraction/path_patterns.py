"""The pattern of a path through a page: at each depth what stands there, and what stands before and after it.

The formulas of the bar-tree count elements and do not see what they are called. A pattern does: an element is labelled by its tag and
its classes, and a path is described depth by depth by components, each of which can be compared with what other pages of
the same template have there. Classes that belong to a page and not to the template would make every page look new, so they
are masked: the part of a class that has digits (`item-4711`), and a class that holds a word of the page's own name (`film-casablanca`) and
stands on no other page.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from xxhash import xxh3_64_hexdigest

from hiddenweb.extraction.bartree import bar_tree_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hiddenweb.extraction.bartree import BarTree
    from hiddenweb.html.skeleton import Skeleton

MOST_SIBLINGS = 40
"""Siblings on each side that are compared one by one; the rest is counted."""

MOST_DEPTH = 200
"""Elements of a path, from the root, of which the siblings are compared; of deeper ones they are counted."""

MASK = "*"
VARIABLES = "variables"
"""The component that holds the paper's variables: d_max, P_d and, by what stands before the path, Sigma and Delta."""

LABEL = "label"
"""The component that holds tag and classes of a step; it differs only between paths that do."""

_PART_WITH_DIGITS = re.compile(r"[^\W_]*\d[^\W_]*")


@dataclass(frozen=True, slots=True)
class TargetPaths:
    """Where a page has its region and its attributes, as nodes of its skeleton; what was not found is None."""

    skeleton: Skeleton
    region: int | None
    attributes: Mapping[str, int | None]

    def nodes(self) -> list[int]:
        """Return the nodes that were found."""
        found = (self.region, *self.attributes.values())
        return [node for node in found if node is not None]


@dataclass(frozen=True)
class PathStep:
    """An element of a path and its siblings, by their labels; the nearest siblings first."""

    label: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    count_before: int
    count_after: int

    def components(self) -> dict[str, str]:
        """Return what can be compared with the same depth of another page."""
        before, after = self.before, self.after
        return {
            "count before": str(self.count_before),
            "count after": str(self.count_after),
            "labels before": "\n".join(before),
            "labels after": "\n".join(after),
            "kinds before": "\n".join(sorted(set(before))),
            "kinds after": "\n".join(sorted(set(after))),
            "nearest before": before[0] if before else "",
            "nearest after": after[0] if after else "",
            LABEL: self.label,
        }

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """The same, in short; the paths of a page share their steps, so this is made once for all of them."""
        return tuple(map(digest, self.components().values()))


@dataclass(frozen=True)
class PathPattern:
    """A path from the root to a node, step by step."""

    steps: tuple[PathStep, ...]

    @cached_property
    def key(self) -> str:
        """The path of tags and classes: what tells page variants apart."""
        return digest("\n".join(step.label for step in self.steps))

    @property
    def bars(self) -> BarTree:
        """The bar-tree of this path; of the tags of the rest of the page it knows nothing."""
        return bar_tree_of(
            [step.count_before for step in self.steps], [step.count_after for step in self.steps]
        )

    @cached_property
    def variables(self) -> str:
        """The paper's variables as a component; all of them follow from what stands before and after the path."""
        return digest(" ".join(f"{step.count_before},{step.count_after}" for step in self.steps))

    @cached_property
    def components(self) -> dict[str, str]:
        """What can be compared with other pages, by its place: depth and kind."""
        found = {VARIABLES: self.variables}
        for step, places in zip(self.steps[1:], _PLACES, strict=False):
            found.update(zip(places, step.digests, strict=True))
        return found


_PLACES = [
    [f"{depth} {kind}" for kind in PathStep("", (), (), 0, 0).components()] for depth in range(1, MOST_DEPTH)
]
STEP_OF = {
    place: (depth, kind) for depth, places in enumerate(_PLACES, 1) for kind, place in enumerate(places)
}
"""The depth of each place, and the number of its component among the digests of the step there."""


_step = lru_cache(maxsize=2_048)(PathStep)  # the next page of a source has most steps of this one


def digest(value: str) -> str:
    """Return a text that is short and differs when the value does; short values stay as they are."""
    return value if len(value) <= 16 else xxh3_64_hexdigest(value.encode("utf-8", "replace"))


def patterns_of(paths: TargetPaths, literal: Collection[str]) -> dict[str | None, PathPattern]:
    """Return the patterns of a page's region (None) and of its attributes; `literal` are classes of the template."""
    labels = _Labels(paths.skeleton, literal)
    steps: dict[int, PathStep] = {}
    wanted: list[tuple[str | None, int | None]] = [(None, paths.region), *paths.attributes.items()]
    return {
        name: PathPattern(tuple(labels.step(each, steps) for each in paths.skeleton.path(node)))
        for name, node in wanted
        if node is not None
    }


def literal_classes(pages: Iterable[TargetPaths]) -> frozenset[str]:
    """Return the classes on and beside the paths of pages that stand on more than one of them: those of the template."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({name for label in _classes_on(page) for name in label.split()})
    return frozenset(name for name, count in counts.items() if count > 1)


def mask_class(name: str, own_words: Collection[str], literal: Collection[str]) -> str:
    """Return a class without what belongs to a page and not to the template.

    >>> mask_class("item-4711", (), ()), mask_class("film-casablanca", {"casablanca"}, ()), mask_class("h1-big", (), {"h1-big"})
    ('item-*', '*', '*-big')
    """
    if name not in literal and own_words:
        lowered = name.lower()
        if any(word in lowered for word in own_words):
            return MASK
    return _mask_digits(name)


@lru_cache(maxsize=4096)
def _mask_digits(name: str) -> str:
    return _PART_WITH_DIGITS.sub(MASK, name)


class _Labels:
    """The labels of the nodes of a page, each made once."""

    def __init__(self, skeleton: Skeleton, literal: Collection[str]) -> None:
        self._skeleton = skeleton
        self._literal = literal
        self._known: dict[tuple[str, str], str] = {}

    def label(self, node: int) -> str:
        tag, classes = self._skeleton.tags[node], self._skeleton.classes[node]
        if not classes:
            return tag
        label = self._known.get((tag, classes))
        if label is None:
            own = self._skeleton.name
            names = sorted({mask_class(name, own, self._literal) for name in classes.split()})
            label = self._known[tag, classes] = f"{tag}.{'.'.join(names)}"
        return label

    def step(self, node: int, steps: dict[int, PathStep]) -> PathStep:
        step = steps.get(node)
        if step is None:
            step = steps[node] = self._make_step(node)
        return step

    def _make_step(self, node: int) -> PathStep:
        skeleton = self._skeleton
        parent = skeleton.parents[node]
        if parent < 0:
            return _step(self.label(node), (), (), 0, 0)
        siblings = list(skeleton.children(parent))
        at = skeleton.positions[node]
        if skeleton.depths[node] >= MOST_DEPTH:
            return _step(self.label(node), (), (), at, len(siblings) - at - 1)
        before = siblings[max(0, at - MOST_SIBLINGS) : at][::-1]
        after = siblings[at + 1 : at + 1 + MOST_SIBLINGS]
        return _step(
            self.label(node),
            tuple(map(self.label, before)),
            tuple(map(self.label, after)),
            at,
            len(siblings) - at - 1,
        )


def _classes_on(page: TargetPaths) -> set[str]:
    """Return what the elements on the paths of a page, and their siblings, have as classes."""
    skeleton = page.skeleton
    on_path = {node for found in page.nodes() for node in skeleton.path(found)}
    beside: Sequence[int] = [child for node in on_path for child in skeleton.children(node)]
    return {skeleton.classes[node] for node in (*on_path, *beside)}
