"""The pattern of a path through a page: at each depth the element of the path, and its siblings before and after it.

The formulas of the bar-tree count elements and ignore their names. A pattern does not: an element is labelled by its tag and
its classes, and a path is described at each depth by components, which are compared with those of other pages of
the same template. Classes that belong to a page and not to the template would make every page look new, so they
are masked: the part of a class with digits (`item-4711`), and a class that contains a word of the page's own name (`film-casablanca`) and
is on no other page.
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
"""Elements of a path, from the root, whose siblings are compared; the siblings of deeper ones are only counted."""

MASK = "*"
VARIABLES = "variables"
"""The component with the paper's variables: d_max, P_d and, from the siblings before the path, Sigma and Delta."""

LABEL = "label"
"""The component with the tag and classes of a step; it is equal on equal paths."""

_PART_WITH_DIGITS = re.compile(r"[^\W_]*\d[^\W_]*")


@dataclass(frozen=True, slots=True)
class TargetPaths:
    """The region and the attributes of a page as nodes of its skeleton; None if not found."""

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
        """Return the components to compare with the same depth of another page."""
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
        """Digests of the components; the paths of a page share their steps, so they are computed once for all paths."""
        return tuple(map(digest, self.components().values()))


@dataclass(frozen=True)
class PathPattern:
    """A path from the root to a node, step by step."""

    steps: tuple[PathStep, ...]

    @cached_property
    def key(self) -> str:
        """The path of tags and classes, which distinguishes page variants."""
        return digest("\n".join(step.label for step in self.steps))

    @property
    def bars(self) -> BarTree:
        """The bar-tree of this path; it knows nothing of the rest of the page."""
        return bar_tree_of(
            [step.count_before for step in self.steps], [step.count_after for step in self.steps]
        )

    @cached_property
    def variables(self) -> str:
        """The paper's variables as a component; all of them follow from the siblings before and after the path."""
        return digest(" ".join(f"{step.count_before},{step.count_after}" for step in self.steps))

    @cached_property
    def components(self) -> dict[str, str]:
        """The components to compare with other pages, by their places: depth and kind."""
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


_step = lru_cache(maxsize=2_048)(PathStep)  # consecutive pages of an extractor share most steps


def digest(value: str) -> str:
    """Return a short text that differs if the value does; short values are not changed."""
    return value if len(value) <= 16 else xxh3_64_hexdigest(value.encode("utf-8", "replace"))


def patterns_of(paths: TargetPaths, literal: Collection[str]) -> dict[str | None, PathPattern]:
    """Return the patterns of a page's region (None) and of its attributes; `literal` are classes of the template."""
    labels = _Labels(paths.skeleton, literal)
    steps: dict[int, PathStep] = {}
    targets: list[tuple[str | None, int | None]] = [(None, paths.region), *paths.attributes.items()]
    return {
        name: PathPattern(tuple(labels.step(each, steps) for each in paths.skeleton.path(node)))
        for name, node in targets
        if node is not None
    }


def literal_classes(pages: Iterable[TargetPaths]) -> frozenset[str]:
    """Return the classes of the template: those on and next to the paths of more than one page."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({name for label in _classes_on(page) for name in label.split()})
    return frozenset(name for name, count in counts.items() if count > 1)


def mask_class(name: str, own_words: Collection[str], literal: Collection[str]) -> str:
    """Return a class without the parts that belong to a page and not to the template.

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
    """The labels of the nodes of a page, each computed once."""

    def __init__(self, skeleton: Skeleton, literal: Collection[str]) -> None:
        self._skeleton = skeleton
        self._literal = literal
        self._cache: dict[tuple[str, str], str] = {}

    def label(self, node: int) -> str:
        tag, classes = self._skeleton.tags[node], self._skeleton.classes[node]
        if not classes:
            return tag
        label = self._cache.get((tag, classes))
        if label is None:
            page_words = self._skeleton.name
            names = sorted({mask_class(name, page_words, self._literal) for name in classes.split()})
            label = self._cache[tag, classes] = f"{tag}.{'.'.join(names)}"
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
    """Return the classes of the elements on the paths of a page and of their siblings."""
    skeleton = page.skeleton
    on_path = {node for found in page.nodes() for node in skeleton.path(found)}
    siblings: Sequence[int] = [child for node in on_path for child in skeleton.children(node)]
    return {skeleton.classes[node] for node in (*on_path, *siblings)}
