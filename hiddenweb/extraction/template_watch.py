"""Watching the template of a source: whether the layout around what we want has changed, what, and where.

Of at least ten pages of a source it is learnt how they look on the path to the region of interest, and on the path to each
attribute. A page *deviates* if

- the region has other variables of the bar-tree, Sigma and Delta included, than it ever had, or a path of tags and classes it never had; or
- of half of its attributes the own path deviates: it is a path of tags and classes never seen; or, for its page variant (pages with the same path),
  there are numbers, labels or kinds of siblings before or after it, at some depth, never seen; or the attribute, found on nearly all pages, is gone. A
  variant of which too few pages were seen is compared with what the paths of all variants have in common, tags and classes of the path included.

The paths of attributes are needed because the region, the deepest element that holds all attributes, can lie above what changed.
Pages of one template differ too: what was new on more than a fifth of the pages of learning (counted as if one page and one new value more had been
seen, so that little evidence counts little) is not compared at all. And what is left is new on some unchanged page now and then: one page never
raises an alarm. Seven of the last ten do, and more are needed where pages of learning deviate from each other so often that seven could be chance. And they have to
agree: a new template changes all pages at the same depth in the same way, chance does not. Six of ten are enough if all of them have one and the same new thing, unless pages of
learning had so many different ones there that this could be chance: a change may leave some pages as others were before.
Beside it and apart from it the share of pages on which an attribute was filled is watched.

The paper takes the new pattern over at once as long as the region's text is found; to do so, learn again from the new pages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import ceil, comb
from typing import TYPE_CHECKING, Any

from hiddenweb.extraction.bartree import BarTreeDecision, bar_tree_of, decide
from hiddenweb.extraction.path_patterns import (
    LABEL,
    STEP_OF,
    VARIABLES,
    PathPattern,
    PathStep,
    literal_classes,
    patterns_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.extraction.bartree import BarTree
    from hiddenweb.extraction.path_patterns import TargetPaths

    Known = tuple[Mapping[str | None, PathPattern], Collection[str]]

LEAST_PAGES = 10
"""Pages that something is learnt from, at the least."""

WINDOW = 10
"""The last pages of a source that vote."""

VOTES = 0.7
"""The share of them that must deviate."""

AGREEING = 0.7
"""The share of the votes needed that must say the same of the same depth: a new template changes all pages alike."""

ALIKE = 0.6
"""The share of them that is enough if all say one and the same thing, which no page of learning said."""

ALIKE_CHANCE = 0.0025
"""So unlikely must that be, going by how many different things pages of learning had there."""

LEAST_VOTES = 5
"""Pages that must have been seen before there can be an alarm."""

MOST_NEW = 0.2
"""What is new on a larger share of the pages of learning is not compared."""

DEVIATING_ATTRIBUTES = 0.5
"""A page deviates if this share of its attributes does."""

VOTE_CHANCE = 0.01
"""So unlikely must it be that so many pages deviate, going by how many did in learning."""

FILL_CHANCE = 1e-4
"""So unlikely must it be to find an attribute so seldom, if nothing had changed."""

MOST_FINDINGS = 20
"""Findings of a page that are kept."""

FOLDS = 10
"""Parts into which the pages of learning are split, to judge each by the others."""

REGION = None
"""The name of the region among the paths of a page."""


class TooFewPages(ValueError):
    """There are fewer pages than something can be learnt from."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it was."""

    path: str | None  # the attribute; None: the region
    what: str
    depth: int
    was: str  # tag and classes, a number of siblings or their labels
    now: str
    part: str  # of the page: upper, lower, both, or path, if only names changed
    chance: float = 1.0  # of something new there, going by what pages of learning had

    def facts(self) -> dict[str, object]:
        """Return what there is to tell of it, by name."""
        told = asdict(self)
        del told["chance"]
        return told

    def __str__(self) -> str:
        of = "the region" if self.path is None else repr(self.path)
        where = {"path": "on the path", "both": "above and below"}.get(self.part, f"in the {self.part} part")
        return f"{self.what} of {of} at depth {self.depth} {where}: was {self.was or 'nothing'}, is {self.now or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Deviation:
    """How a page differs from what its source's pages were like."""

    findings: tuple[Finding, ...]  # the most telling one first
    decision: BarTreeDecision  # of the paper's table, for the path of the first finding
    old: BarTree | None
    new: BarTree | None  # None: what was looked for is gone


@dataclass(frozen=True, slots=True)
class TemplateAlarm:
    """Why somebody should look at a source."""

    kind: str  # template or fill
    pages: int  # of the last ones
    of: int
    finding: Finding | None
    attribute: str = ""
    decision: BarTreeDecision = BarTreeDecision.SAME
    old: BarTree | None = None
    new: BarTree | None = None

    def __str__(self) -> str:
        if self.kind == "fill":
            return f"{self.attribute!r} was found on only {self.pages} of the last {self.of} pages"
        return f"{self.pages} of the last {self.of} pages look different: {self.finding}"


@dataclass(frozen=True)
class TemplateVariant:
    """What the pages of learning had that share one path of tags and classes."""

    pages: int
    example: PathPattern
    seen: Mapping[str, frozenset[str]]  # the values of each component that is compared

    def unknown(self, pattern: PathPattern) -> list[str]:
        """Return the components that are compared and have a value never seen, of a pattern with the same path."""
        variables = self.seen.get(VARIABLES)
        found = [VARIABLES] if variables and pattern.variables not in variables else []
        steps = pattern.steps
        return found + [
            place
            for place, depth, kind, values in self._compared
            if depth < len(steps) and steps[depth].digests[kind] not in values
        ]

    def chance(self, place: str) -> float:
        """Return how likely a value never seen is there: the more different ones there were, the more."""
        return len(self.seen[place]) / (self.pages + 2)

    @cached_property
    def _compared(self) -> list[tuple[str, int, int, frozenset[str]]]:
        """What is compared of the steps: the place, its depth, the number of the component, and what was seen there."""
        return [(place, *STEP_OF[place], values) for place, values in self.seen.items() if place in STEP_OF]


@dataclass(frozen=True, slots=True)
class WatchedPath:
    """What is known of one path: the region's, or an attribute's."""

    pages: int  # of learning
    filled: int  # those with a value
    found: int  # those on which it had a place
    variants: Mapping[str, TemplateVariant]
    together: TemplateVariant | None = (
        None  # what all of them have, for paths of which too few pages were seen
    )

    @property
    def expects_a_place(self) -> bool:
        """Whether a page without it deviates."""
        return not is_often_new(self.pages - self.found, self.pages)

    @property
    def expects_known_paths(self) -> bool:
        """Whether a page with an unknown path deviates."""
        alone = sum(variant.pages == 1 for variant in self.variants.values())
        return bool(self.found) and not is_often_new(alone, self.found)


@dataclass(frozen=True, slots=True)
class WatchedPage:
    """What is remembered of a page for the vote."""

    deviation: Deviation | None
    filled: frozenset[str]  # attributes with a value


class TemplateWatch:
    """The watch over one source."""

    def __init__(self) -> None:
        self.literal: frozenset[str] = frozenset()
        self.watched: dict[str | None, WatchedPath] = {}
        self.restless = 0.0  # the share of pages of learning that deviate from the others
        self.last: list[WatchedPage] = []

    def learn(self, pages: Sequence[TargetPaths], filled: Sequence[Collection[str]] | None = None) -> None:
        """Learn what pages of the source look like, and forget what was known; raises TooFewPages.

        `filled` names the attributes with a value on each page; without it these are the ones with a place.
        """
        if len(pages) < LEAST_PAGES:
            raise TooFewPages(f"{len(pages)} pages, wanted {LEAST_PAGES} to learn from")
        self.literal = literal_classes(pages)
        self.last = []
        values = filled if filled is not None else [_with_a_place(page) for page in pages]
        names: list[str | None] = [REGION, *sorted({name for page in pages for name in page.attributes})]
        known = [(patterns_of(page, self.literal), each) for page, each in zip(pages, values, strict=True)]
        self.watched = _learnt(names, known)
        self.restless = _restless(names, known)

    def see(self, page: TargetPaths, filled: Collection[str] | None = None) -> Deviation | None:
        """Return how a page deviates, and remember it for the vote."""
        patterns = patterns_of(page, self.literal)
        deviation = _deviation(self.watched, patterns)
        values = frozenset(_with_a_place(page) if filled is None else filled)
        self.last.append(WatchedPage(deviation, values))
        del self.last[:-WINDOW]
        return deviation

    def pass_by(self, filled: Collection[str]) -> None:
        """Remember a page as one that looks as it should, without looking at it."""
        self.last.append(WatchedPage(None, frozenset(filled)))
        del self.last[:-WINDOW]

    def deviation(self, page: TargetPaths) -> Deviation | None:
        """Return how a page deviates, without remembering it."""
        return _deviation(self.watched, patterns_of(page, self.literal))

    @property
    def alarms(self) -> tuple[TemplateAlarm, ...]:
        """What the last pages say together; that of the template first."""
        if len(self.last) < LEAST_VOTES:
            return ()
        return (*self._template_alarms(), *self._fill_alarms())

    @property
    def alarm(self) -> TemplateAlarm | None:
        """The first of the alarms, if there is one."""
        return next(iter(self.alarms), None)

    def _template_alarms(self) -> Iterator[TemplateAlarm]:
        deviations = [seen.deviation for seen in self.last if seen.deviation is not None]
        if not self._is_told_by_many(deviations) and not self._is_told_alike(deviations):
            return
        told = Counter(_said(deviation.findings[0]) for deviation in deviations)
        common = told.most_common(1)[0][0]
        shown = next(each for each in reversed(deviations) if _said(each.findings[0]) == common)
        yield TemplateAlarm(
            "template",
            len(deviations),
            len(self.last),
            shown.findings[0],
            decision=shown.decision,
            old=shown.old,
            new=shown.new,
        )

    def _is_told_by_many(self, deviations: Sequence[Deviation]) -> bool:
        """Say whether more pages deviate than would by chance, and enough of them at the same depth in the same respect."""
        needed = votes_needed(len(self.last), self.restless)
        agreed = Counter(said for each in deviations for said in set(map(_said, each.findings)))
        return len(deviations) >= needed and max(agreed.values(), default=0) >= AGREEING * needed

    def _is_told_alike(self, deviations: Sequence[Deviation]) -> bool:
        """Say whether more pages have one and the same new thing than would by chance, however restless the pages are otherwise."""
        pages = len(self.last)
        alike: dict[tuple[int, str, str], dict[int, float]] = {}
        for number, deviation in enumerate(deviations):
            for each in deviation.findings:
                told = alike.setdefault((each.depth, each.what, each.now), {})
                told[number] = min(each.chance, told.get(number, 1.0))
        least = max(LEAST_VOTES, ceil(ALIKE * pages))
        return any(
            len(told) >= least_unlikely(least, pages, max(told.values()), ALIKE_CHANCE)
            for told in alike.values()
        )

    def _fill_alarms(self) -> Iterator[TemplateAlarm]:
        for name, watched in self.watched.items():
            if name is not None:
                count = sum(name in seen.filled for seen in self.last)
                rate = (watched.filled + 1) / (watched.pages + 2)
                if chance_of_at_most(count, len(self.last), rate) < FILL_CHANCE:
                    yield TemplateAlarm("fill", count, len(self.last), None, attribute=name)

    def to_json(self) -> dict[str, Any]:
        """Return all that is known as what JSON can hold."""
        return {
            "literal": sorted(self.literal),
            "watched": [[name, _watched_to_json(watched)] for name, watched in self.watched.items()],
            "restless": self.restless,
            "last": self.last_to_json(),
        }

    def last_to_json(self) -> list[Any]:
        """Return what is remembered of the last pages, as what JSON can hold."""
        return [[_deviation_to_json(seen.deviation), sorted(seen.filled)] for seen in self.last]

    def remember(self, state: Iterable[Any]) -> None:
        """Take for the last pages what `last_to_json` described."""
        self.last = [
            WatchedPage(_deviation_from_json(deviation), frozenset(filled)) for deviation, filled in state
        ]

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> TemplateWatch:
        """Return the watch that `to_json` described."""
        watch = cls()
        watch.literal = frozenset(state["literal"])
        watch.restless = state["restless"]
        watch.watched = {name: _watched_from_json(each) for name, each in state["watched"]}
        watch.remember(state["last"])
        return watch


def votes_needed(pages: int, rate: float) -> int:
    """Return how many of so many pages must deviate for an alarm, where this share deviates anyway; more than there are, if none are enough.

    >>> [votes_needed(10, rate) for rate in (0.1, 0.25, 0.33, 0.42, 0.8)], votes_needed(5, 0.1)
    ([7, 7, 8, 9, 11], 4)
    """
    return least_unlikely(ceil(VOTES * pages), pages, rate, VOTE_CHANCE)


def least_unlikely(least: int, pages: int, rate: float, chance: float) -> int:
    """Return on how many of so many pages, and at the least, something must be that it is no chance; more than there are, if none are enough.

    >>> [least_unlikely(6, 10, rate, 0.0025) for rate in (0.1, 0.2, 0.25, 0.6)]
    [6, 7, 8, 11]
    """
    return next(
        (
            votes
            for votes in range(least, pages + 1)
            if 1 - chance_of_at_most(votes - 1, pages, rate) < chance
        ),
        pages + 1,
    )


def is_often_new(new: int, pages: int) -> bool:
    """Return whether something is new on too many pages to be compared; on few pages that is never known.

    >>> is_often_new(1, 10), is_often_new(2, 10), is_often_new(0, 3), is_often_new(0, 2)
    (False, True, False, True)
    """
    return (new + 1) / (pages + 2) > MOST_NEW


def chance_of_at_most(count: int, pages: int, rate: float) -> float:
    """Return how likely it is to find something on so few pages, if it is on this share of all.

    >>> round(chance_of_at_most(1, 2, 0.5), 2)
    0.75
    """
    return sum(comb(pages, k) * rate**k * (1 - rate) ** (pages - k) for k in range(count + 1))


def _learnt(names: Sequence[str | None], pages: Sequence[Known]) -> dict[str | None, WatchedPath]:
    return {
        name: _watched(name, pages, [patterns[name] for patterns, _ in pages if name in patterns])
        for name in names
    }


def _watched(name: str | None, pages: Sequence[Known], patterns: Sequence[PathPattern]) -> WatchedPath:
    filled = sum(name in values for _, values in pages) if name is not None else len(pages)
    variants = _variants(name, patterns)
    together = _together(patterns) if len(variants) > 1 and name is not REGION else None
    return WatchedPath(len(pages), filled, len(patterns), variants, together)


def _restless(names: Sequence[str | None], pages: Sequence[Known]) -> float:
    """Return how many pages of learning deviate from the others; as if one page more did, and one did not."""
    deviating = 0
    for fold in range(FOLDS):
        watched = _learnt(names, [page for number, page in enumerate(pages) if number % FOLDS != fold])
        deviating += sum(_deviation(watched, patterns) is not None for patterns, _ in pages[fold::FOLDS])
    return (deviating + 1) / (len(pages) + 2)


def _deviation(
    known: Mapping[str | None, WatchedPath], patterns: Mapping[str | None, PathPattern]
) -> Deviation | None:
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
    return _told(known, found, patterns)


def _told(
    known: Mapping[str | None, WatchedPath],
    found: Mapping[str | None, list[Finding]],
    patterns: Mapping[str | None, PathPattern],
) -> Deviation:
    """Return what was found, that first on which most paths agree."""
    everything = [finding for findings in found.values() for finding in findings]
    agreed = Counter((each.depth, each.what, each.now) for each in everything)
    everything.sort(key=lambda each: (-agreed[each.depth, each.what, each.now], each.depth))
    name = everything[0].path
    new = patterns.get(name)
    example = _nearest(known[name].variants, new)
    old = example.bars if example else None
    decision = decide(old, new.bars) if old and new else BarTreeDecision.BOTH
    return Deviation(tuple(everything[:MOST_FINDINGS]), decision, old, new.bars if new else None)


def _with_a_place(page: TargetPaths) -> list[str]:
    return [name for name, node in page.attributes.items() if node is not None]


def _compared(name: str | None, pattern: PathPattern) -> dict[str, str]:
    return {VARIABLES: pattern.variables} if name is REGION else pattern.components


def _variants(name: str | None, patterns: Sequence[PathPattern]) -> dict[str, TemplateVariant]:
    groups: dict[str, list[PathPattern]] = {}
    for pattern in patterns:
        groups.setdefault(pattern.key, []).append(pattern)
    return {key: _variant(name, group) for key, group in groups.items()}


def _variant(name: str | None, patterns: Sequence[PathPattern]) -> TemplateVariant:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pattern in patterns:
        for place, value in _compared(name, pattern).items():
            counts[place][value] += 1
    return TemplateVariant(len(patterns), patterns[0], _seen(counts, len(patterns)))


def _together(patterns: Sequence[PathPattern]) -> TemplateVariant:
    """Return what stands beside paths of whatever tags and classes, as deep as all of them lead."""
    depth = min(len(pattern.steps) for pattern in patterns)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pattern in patterns:
        for place, value in pattern.components.items():
            if place in STEP_OF and STEP_OF[place][0] < depth:
                counts[place][value] += 1
    return TemplateVariant(len(patterns), patterns[0], _seen(counts, len(patterns)))


def _seen(counts: Mapping[str, Counter[str]], pages: int) -> dict[str, frozenset[str]]:
    """Return the values of each place that is compared."""
    return {
        place: frozenset(values)
        for place, values in counts.items()
        if not is_often_new(sum(count == 1 for count in values.values()), pages)
    }


def _findings(name: str | None, watched: WatchedPath, pattern: PathPattern | None) -> list[Finding] | None:
    """Return what is not as it was on one path; None if nothing can be said."""
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
    """Return the known pattern that shares the longest way from the root; the most frequent of these."""
    if not variants:
        return None
    steps = pattern.steps if pattern else ()
    best = max(variants.values(), key=lambda each: (_shared(each.example.steps, steps), each.pages))
    return best.example


def _shared(one: Sequence[PathStep], other: Sequence[PathStep]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left.label != right.label:
            break
        count += 1
    return count


def _first_difference(name: str | None, old: PathPattern, new: PathPattern) -> Finding:
    return _other_label(name, _shared(old.steps, new.steps), old, new)


def _other_label(name: str | None, depth: int, old: PathPattern, new: PathPattern) -> Finding:
    was = old.steps[depth].label if depth < len(old.steps) else ""
    now = new.steps[depth].label if depth < len(new.steps) else ""
    what = "the class" if was.partition(".")[0] == now.partition(".")[0] else "the element"
    return Finding(name, what, depth, was, now, _part(old, new))


def _difference(name: str | None, place: str, old: PathPattern, new: PathPattern) -> Finding:
    """Return what a component that is new says, against a page of the same variant."""
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
    """Return the first depth at which there are other numbers of siblings, on paths of which the variables differ."""
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


def _said(finding: Finding) -> tuple[int, str]:
    return finding.depth, finding.what


def _watched_to_json(watched: WatchedPath) -> dict[str, Any]:
    return {
        "pages": watched.pages,
        "filled": watched.filled,
        "found": watched.found,
        "variants": {key: _variant_to_json(variant) for key, variant in watched.variants.items()},
        "together": _variant_to_json(watched.together) if watched.together else None,
    }


def _variant_to_json(variant: TemplateVariant) -> dict[str, Any]:
    return {
        "pages": variant.pages,
        "example": [
            [step.label, step.before, step.after, step.count_before, step.count_after]
            for step in variant.example.steps
        ],
        "seen": {place: sorted(values) for place, values in variant.seen.items()},
    }


def _watched_from_json(state: Mapping[str, Any]) -> WatchedPath:
    variants = {key: _variant_from_json(each) for key, each in state["variants"].items()}
    together = _variant_from_json(state["together"]) if state.get("together") else None
    return WatchedPath(state["pages"], state["filled"], state["found"], variants, together)


def _variant_from_json(state: Mapping[str, Any]) -> TemplateVariant:
    example = PathPattern(
        tuple(
            PathStep(label, tuple(before), tuple(after), count_before, count_after)
            for label, before, after, count_before, count_after in state["example"]
        )
    )
    return TemplateVariant(
        state["pages"], example, {place: frozenset(values) for place, values in state["seen"].items()}
    )


def _deviation_to_json(deviation: Deviation | None) -> dict[str, Any] | None:
    if deviation is None:
        return None
    return {
        "findings": [
            [each.path, each.what, each.depth, each.was, each.now, each.part, each.chance]
            for each in deviation.findings
        ],
        "decision": deviation.decision.name,
        "old": bars_to_json(deviation.old),
        "new": bars_to_json(deviation.new),
    }


def _deviation_from_json(state: Mapping[str, Any] | None) -> Deviation | None:
    if state is None:
        return None
    return Deviation(
        tuple(Finding(*each) for each in state["findings"]),
        BarTreeDecision[state["decision"]],
        bars_from_json(state["old"]),
        bars_from_json(state["new"]),
    )


def bars_to_json(bars: BarTree | None) -> list[list[int]] | None:
    """Return a bar-tree as what JSON can hold: the siblings before and after its path."""
    if bars is None:
        return None
    after = [parallel - 1 - before for parallel, before in zip(bars.parallel, bars.before, strict=True)]
    return [list(bars.before), after]


def bars_from_json(state: Sequence[Sequence[int]] | None) -> BarTree | None:
    """Return what `bars_to_json` described."""
    return bar_tree_of(state[0], state[1]) if state else None
