"""The template of pages along the paths to the region of interest and to each attribute, and how one page deviates from it.

At least ten pages teach for each path its variants (pages with the same tags and classes on it), and for each variant the values of every place next to it. What
was new on too many of these pages is not compared. The last pages vote in `hiddenweb.extraction.template_watch`, which describes the rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hiddenweb.extraction.bartree import BarTreeDecision, bar_tree_of, decide
from hiddenweb.extraction.path_patterns import (
    LABEL,
    STEP_OF,
    VARIABLES,
    PathPattern,
    PathStep,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hiddenweb.extraction.bartree import BarTree

    PagePaths = tuple[Mapping[str | None, PathPattern], Collection[str]]

MOST_NEW = 0.2
"""A component that is new on a larger share of the pages of learning is not compared."""

DEVIATING_ATTRIBUTES = 0.5
"""A page deviates if this share of its attributes deviates."""

MOST_FINDINGS = 20
"""Findings of a page that are stored."""

FOLDS = 10
"""Parts into which the pages of learning are split, to judge each by the others."""

REGION = None
"""The name of the region among the paths of a page."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference from the template."""

    path: str | None  # the attribute; None: the region
    what: str
    depth: int
    was: str  # tag and classes, a number of siblings or their labels
    now: str
    part: str  # of the page: upper, lower, both, or path, if only names changed
    chance: float = 1.0  # of a new value there, estimated from the pages of learning

    def facts(self) -> dict[str, object]:
        """Return the facts of the finding, by name."""
        facts = asdict(self)
        del facts["chance"]
        return facts

    def __str__(self) -> str:
        of = "the region" if self.path is None else repr(self.path)
        where = {"path": "on the path", "both": "above and below"}.get(self.part, f"in the {self.part} part")
        return f"{self.what} of {of} at depth {self.depth} {where}: was {self.was or 'nothing'}, is {self.now or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Deviation:
    """How a page deviates from the template of its extractor."""

    findings: tuple[Finding, ...]  # the clearest one first
    decision: BarTreeDecision  # of the paper's table, for the path of the first finding
    old: BarTree | None
    new: BarTree | None  # None: the path is gone

    def to_json(self) -> dict[str, Any]:
        """Return this as values for JSON."""
        return {
            "findings": [
                [each.path, each.what, each.depth, each.was, each.now, each.part, each.chance]
                for each in self.findings
            ],
            "decision": self.decision.name,
            "old": bars_to_json(self.old),
            "new": bars_to_json(self.new),
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Deviation:
        """Return the deviation that `to_json` returned."""
        return cls(
            tuple(Finding(*each) for each in facts["findings"]),
            BarTreeDecision[facts["decision"]],
            bars_from_json(facts["old"]),
            bars_from_json(facts["new"]),
        )


@dataclass(frozen=True)
class TemplateVariant:
    """What the pages of learning with one path of tags and classes have in common."""

    pages: int
    example: PathPattern
    seen: Mapping[str, frozenset[str]]  # the values of each component that is compared

    def unknown(self, pattern: PathPattern) -> list[str]:
        """Return the compared components with unknown values, of a pattern with the same path."""
        variables = self.seen.get(VARIABLES)
        found = [VARIABLES] if variables and pattern.variables not in variables else []
        steps = pattern.steps
        return found + [
            place
            for place, depth, kind, values in self._comparisons
            if depth < len(steps) and steps[depth].digests[kind] not in values
        ]

    def chance(self, place: str) -> float:
        """Return how likely an unknown value is there: the more different values there were, the more likely."""
        return len(self.seen[place]) / (self.pages + 2)

    def to_json(self) -> dict[str, Any]:
        """Return this as values for JSON."""
        return {
            "pages": self.pages,
            "example": [
                [step.label, step.before, step.after, step.count_before, step.count_after]
                for step in self.example.steps
            ],
            "seen": {place: sorted(values) for place, values in self.seen.items()},
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> TemplateVariant:
        """Return the variant that `to_json` returned."""
        example = PathPattern(
            tuple(
                PathStep(label, tuple(before), tuple(after), count_before, count_after)
                for label, before, after, count_before, count_after in facts["example"]
            )
        )
        return cls(
            facts["pages"], example, {place: frozenset(values) for place, values in facts["seen"].items()}
        )

    @cached_property
    def _comparisons(self) -> list[tuple[str, int, int, frozenset[str]]]:
        """The comparisons of the steps: place, depth, index of the component, and known values."""
        return [(place, *STEP_OF[place], values) for place, values in self.seen.items() if place in STEP_OF]


@dataclass(frozen=True, slots=True)
class WatchedPath:
    """What is known of the path of the region or of an attribute."""

    pages: int  # of learning
    filled: int  # those with a value
    found: int  # those on which it had a place
    variants: Mapping[str, TemplateVariant]
    together: TemplateVariant | None = None  # what all variants have in common, for paths with too few pages

    @property
    def expects_a_place(self) -> bool:
        """Whether a page without it deviates."""
        return not is_often_new(self.pages - self.found, self.pages)

    @property
    def expects_known_paths(self) -> bool:
        """Whether a page with an unknown path deviates."""
        single = sum(variant.pages == 1 for variant in self.variants.values())
        return bool(self.found) and not is_often_new(single, self.found)

    def to_json(self) -> dict[str, Any]:
        """Return this as values for JSON."""
        return {
            "pages": self.pages,
            "filled": self.filled,
            "found": self.found,
            "variants": {key: variant.to_json() for key, variant in self.variants.items()},
            "together": self.together.to_json() if self.together else None,
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> WatchedPath:
        """Return the path that `to_json` returned."""
        variants = {key: TemplateVariant.from_json(each) for key, each in facts["variants"].items()}
        together = TemplateVariant.from_json(facts["together"]) if facts.get("together") else None
        return cls(facts["pages"], facts["filled"], facts["found"], variants, together)


def is_often_new(new: int, pages: int) -> bool:
    """Return whether a component is new on too many pages to be compared; few pages never decide that.

    >>> is_often_new(1, 10), is_often_new(2, 10), is_often_new(0, 3), is_often_new(0, 2)
    (False, True, False, True)
    """
    return (new + 1) / (pages + 2) > MOST_NEW


def learn_paths(names: Sequence[str | None], pages: Sequence[PagePaths]) -> dict[str | None, WatchedPath]:
    """Return the paths with these names as learnt from pages, each with the names of its filled attributes."""
    return {
        name: _learn_path(name, pages, [patterns[name] for patterns, _ in pages if name in patterns])
        for name in names
    }


def _learn_path(name: str | None, pages: Sequence[PagePaths], patterns: Sequence[PathPattern]) -> WatchedPath:
    filled = sum(name in values for _, values in pages) if name is not None else len(pages)
    variants = _variants(name, patterns)
    together = _together(patterns) if len(variants) > 1 and name is not REGION else None
    return WatchedPath(len(pages), filled, len(patterns), variants, together)


def share_deviating(names: Sequence[str | None], pages: Sequence[PagePaths]) -> float:
    """Return the share of pages of learning that deviate from the others, with one more page of each kind added."""
    deviating = 0
    for fold in range(FOLDS):
        watched = learn_paths(names, [page for number, page in enumerate(pages) if number % FOLDS != fold])
        deviating += sum(find_deviation(watched, patterns) is not None for patterns, _ in pages[fold::FOLDS])
    return (deviating + 1) / (len(pages) + 2)


def find_deviation(
    known: Mapping[str | None, WatchedPath], patterns: Mapping[str | None, PathPattern]
) -> Deviation | None:
    """Return how a page with these patterns deviates from the known paths."""
    found: dict[str | None, list[Finding]] = {}
    compared = 0
    for name, watched in known.items():
        findings = _findings(name, watched, patterns.get(name))
        if findings is not None:
            compared += name is not None
            if findings:
                found[name] = findings
    attributes = [name for name in found if name is not None]
    if REGION not in found and (not attributes or len(attributes) < DEVIATING_ATTRIBUTES * compared):
        return None
    return _summarise(known, found, patterns)


def _summarise(
    known: Mapping[str | None, WatchedPath],
    found: Mapping[str | None, list[Finding]],
    patterns: Mapping[str | None, PathPattern],
) -> Deviation:
    """Return the findings, those first on which most paths agree."""
    everything = [finding for findings in found.values() for finding in findings]
    agreed = Counter((each.depth, each.what, each.now) for each in everything)
    everything.sort(key=lambda each: (-agreed[each.depth, each.what, each.now], each.depth))
    name = everything[0].path
    new = patterns.get(name)
    example = _nearest(known[name].variants, new)
    old = example.bars if example else None
    decision = decide(old, new.bars) if old and new else BarTreeDecision.BOTH
    return Deviation(tuple(everything[:MOST_FINDINGS]), decision, old, new.bars if new else None)


def _components_to_compare(name: str | None, pattern: PathPattern) -> dict[str, str]:
    return {VARIABLES: pattern.variables} if name is REGION else pattern.components


def _variants(name: str | None, patterns: Sequence[PathPattern]) -> dict[str, TemplateVariant]:
    groups: dict[str, list[PathPattern]] = {}
    for pattern in patterns:
        groups.setdefault(pattern.key, []).append(pattern)
    return {key: _variant(name, group) for key, group in groups.items()}


def _variant(name: str | None, patterns: Sequence[PathPattern]) -> TemplateVariant:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pattern in patterns:
        for place, value in _components_to_compare(name, pattern).items():
            counts[place][value] += 1
    return TemplateVariant(len(patterns), patterns[0], _values_to_compare(counts, len(patterns)))


def _together(patterns: Sequence[PathPattern]) -> TemplateVariant:
    """Return the components next to all paths, whatever their tags and classes, to the depth of the shortest."""
    depth = min(len(pattern.steps) for pattern in patterns)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pattern in patterns:
        for place, value in pattern.components.items():
            if place in STEP_OF and STEP_OF[place][0] < depth:
                counts[place][value] += 1
    return TemplateVariant(len(patterns), patterns[0], _values_to_compare(counts, len(patterns)))


def _values_to_compare(counts: Mapping[str, Counter[str]], pages: int) -> dict[str, frozenset[str]]:
    """Return the known values of each compared place."""
    return {
        place: frozenset(values)
        for place, values in counts.items()
        if not is_often_new(sum(count == 1 for count in values.values()), pages)
    }


def _findings(name: str | None, watched: WatchedPath, pattern: PathPattern | None) -> list[Finding] | None:
    """Return the differences on one path; None if nothing can be said."""
    if pattern is None:
        if not watched.expects_a_place:
            return None
        return [Finding(name, "the place", 0, "found", "gone", "path")]
    variant = watched.variants.get(pattern.key)
    if variant is None and watched.expects_known_paths:
        example = _nearest(watched.variants, pattern)
        chance = len(watched.variants) / (watched.found + 2)
        return [replace(_first_difference(name, example, pattern), chance=chance)] if example else None
    if variant is not None and variant.seen:
        return _differences(name, variant, pattern)
    together = watched.together
    if together is None:
        return None
    return _differences(name, together, pattern) or None


def _differences(name: str | None, variant: TemplateVariant, pattern: PathPattern) -> list[Finding]:
    return [
        replace(_difference(name, place, variant.example, pattern), chance=variant.chance(place))
        for place in variant.unknown(pattern)
    ]


def _nearest(variants: Mapping[str, TemplateVariant], pattern: PathPattern | None) -> PathPattern | None:
    """Return the known pattern that shares the longest path from the root; the most frequent of these."""
    if not variants:
        return None
    steps = pattern.steps if pattern else ()
    best = max(
        variants.values(), key=lambda each: (_count_shared_steps(each.example.steps, steps), each.pages)
    )
    return best.example


def _count_shared_steps(steps: Sequence[PathStep], other_steps: Sequence[PathStep]) -> int:
    count = 0
    for left, right in zip(steps, other_steps, strict=False):
        if left.label != right.label:
            break
        count += 1
    return count


def _first_difference(name: str | None, old: PathPattern, new: PathPattern) -> Finding:
    return _other_label(name, _count_shared_steps(old.steps, new.steps), old, new)


def _other_label(name: str | None, depth: int, old: PathPattern, new: PathPattern) -> Finding:
    was = old.steps[depth].label if depth < len(old.steps) else ""
    now = new.steps[depth].label if depth < len(new.steps) else ""
    what = "the class" if was.partition(".")[0] == now.partition(".")[0] else "the element"
    return Finding(name, what, depth, was, now, _part(old, new))


def _difference(name: str | None, place: str, old: PathPattern, new: PathPattern) -> Finding:
    """Return the finding for a new component, compared with a page of the same variant."""
    if place == VARIABLES:
        return _first_other_number(name, old, new)
    number, _, kind = place.partition(" ")
    depth = int(number)
    if kind == LABEL:
        return _other_label(name, depth, old, new)
    part = "upper" if kind.endswith("before") else "lower"
    was, now = (steps[depth].components()[kind].replace("\n", " ") for steps in (old.steps, new.steps))
    return Finding(name, f"the {kind}", depth, was[:200], now[:200], part)


def _first_other_number(name: str | None, old: PathPattern, new: PathPattern) -> Finding:
    """Return the first depth at which the numbers of siblings differ, on paths with different variables."""
    depth, (was, now) = next(
        (depth, (was, now))
        for depth, (was, now) in enumerate(zip(old.steps, new.steps, strict=True))
        if (was.count_before, was.count_after) != (now.count_before, now.count_after)
    )
    above, below = was.count_before != now.count_before, was.count_after != now.count_after
    return Finding(
        name,
        "the number of siblings",
        depth,
        f"{was.count_before} before, {was.count_after} after",
        f"{now.count_before} before, {now.count_after} after",
        "both" if above and below else "upper" if above else "lower",
    )


def _part(old: PathPattern, new: PathPattern) -> str:
    decision = decide(old.bars, new.bars)
    return {BarTreeDecision.SAME: "path", BarTreeDecision.UPPER: "upper", BarTreeDecision.LOWER: "lower"}.get(
        decision, "both"
    )


def bars_to_json(bars: BarTree | None) -> list[list[int]] | None:
    """Return a bar-tree as values for JSON: the numbers of siblings before and after its path."""
    if bars is None:
        return None
    after = [parallel - 1 - before for parallel, before in zip(bars.parallel, bars.before, strict=True)]
    return [list(bars.before), after]


def bars_from_json(state: Sequence[Sequence[int]] | None) -> BarTree | None:
    """Return the bar-tree that `bars_to_json` returned."""
    return bar_tree_of(state[0], state[1]) if state else None
