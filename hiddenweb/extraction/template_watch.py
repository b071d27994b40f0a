"""Watching the template of an extractor: whether the layout around its attributes has changed, what, and where.

At least ten pages of an extractor teach the template along the path to the region of interest, and along the path to each
attribute. A page *deviates* if

- the region has other variables of the bar-tree, Sigma and Delta included, than it ever had, or a path of tags and classes it never had; or
- the paths of half of its attributes deviate: a path has unknown tags and classes; or, for its page variant (pages with the same path),
  there are unknown numbers, labels or kinds of siblings before or after it, at some depth; or the attribute, found on nearly all pages, is gone. A
  variant with too few pages is compared with what the paths of all variants have in common, including their tags and classes.

The paths of attributes are needed because the region, the deepest element that holds all attributes, can lie above what changed.
Pages of one template differ too: what was new on more than a fifth of the pages of learning (counted with one more page and one more new value,
so that little evidence counts little) is not compared at all. And unchanged pages sometimes have something new: one page never
raises an alarm. Seven of the last ten do, and more are needed if pages of learning deviate from each other so often that seven could be chance. And they have to
agree: a new template changes all pages at the same depth in the same way, chance does not. Six of ten are enough if all of them have the same new thing, unless pages of
learning had so many different ones there that this could be chance: a change may leave some pages unchanged.
Independently of this, the share of pages on which an attribute was filled is watched.

The paper uses the new pattern at once as long as the text of the region is found; to do so, learn again from the new pages.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil, comb
from typing import TYPE_CHECKING, Any

from hiddenweb.extraction.bartree import BarTreeDecision
from hiddenweb.extraction.path_patterns import (
    literal_classes,
    patterns_of,
)
from hiddenweb.extraction.template_paths import (
    REGION,
    Deviation,
    Finding,
    WatchedPath,
    find_deviation,
    learn_paths,
    share_deviating,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.extraction.bartree import BarTree
    from hiddenweb.extraction.path_patterns import TargetPaths


LEAST_PAGES = 10
"""The fewest pages to learn a template from."""

WINDOW = 10
"""The last pages of an extractor that vote."""

VOTES = 0.7
"""The share of them that must deviate."""

AGREEING = 0.7
"""The share of the needed votes that must agree at the same depth: a new template changes all pages in the same way."""

SAME = 0.6
"""The share of the last pages that is enough if all have the same new thing, which no page of learning had."""

SAME_CHANCE = 0.0025
"""The highest chance of that without a change, estimated from how many different things pages of learning had there."""

LEAST_VOTES = 5
"""The fewest pages for an alarm."""

VOTE_CHANCE = 0.01
"""The highest chance of so many deviating pages without a change, estimated from the pages of learning."""

FILL_CHANCE = 1e-4
"""The highest chance of finding an attribute so rarely without a change."""


class TooFewPages(ValueError):
    """There are too few pages to learn from."""


@dataclass(frozen=True, slots=True)
class TemplateAlarm:
    """Why an extractor needs attention."""

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
        return f"{self.pages} of the last {self.of} pages differ: {self.finding}"


@dataclass(frozen=True, slots=True)
class WatchedPage:
    """What is remembered of a page for the vote."""

    deviation: Deviation | None
    filled: frozenset[str]  # attributes with a value


class TemplateWatch:
    """The watch over one extractor."""

    def __init__(self) -> None:
        self.literal: frozenset[str] = frozenset()
        self.watched: dict[str | None, WatchedPath] = {}
        self.restless = 0.0  # the share of pages of learning that deviate from the others
        self.last: list[WatchedPage] = []

    def learn(self, pages: Sequence[TargetPaths], filled: Sequence[Collection[str]] | None = None) -> None:
        """Learn the template of pages, and forget what was known; raises TooFewPages.

        `filled` names the attributes with a value on each page; by default those with a place.
        """
        if len(pages) < LEAST_PAGES:
            raise TooFewPages(f"{len(pages)} pages, wanted {LEAST_PAGES} to learn from")
        self.literal = literal_classes(pages)
        self.last = []
        values = filled if filled is not None else [_names_with_place(page) for page in pages]
        names: list[str | None] = [REGION, *sorted({name for page in pages for name in page.attributes})]
        known = [(patterns_of(page, self.literal), each) for page, each in zip(pages, values, strict=True)]
        self.watched = learn_paths(names, known)
        self.restless = share_deviating(names, known)

    def see(self, page: TargetPaths, filled: Collection[str] | None = None) -> Deviation | None:
        """Return how a page deviates, and remember it for the vote."""
        patterns = patterns_of(page, self.literal)
        deviation = find_deviation(self.watched, patterns)
        values = frozenset(_names_with_place(page) if filled is None else filled)
        self.last.append(WatchedPage(deviation, values))
        del self.last[:-WINDOW]
        return deviation

    def pass_by(self, filled: Collection[str]) -> None:
        """Remember a page as one that does not deviate, without comparing it."""
        self.last.append(WatchedPage(None, frozenset(filled)))
        del self.last[:-WINDOW]

    def deviation(self, page: TargetPaths) -> Deviation | None:
        """Return how a page deviates, without remembering it."""
        return find_deviation(self.watched, patterns_of(page, self.literal))

    @property
    def alarms(self) -> tuple[TemplateAlarm, ...]:
        """The alarms of the last pages together; that of the template first."""
        if len(self.last) < LEAST_VOTES:
            return ()
        return (*self._template_alarms(), *self._fill_alarms())

    @property
    def alarm(self) -> TemplateAlarm | None:
        """The first alarm, if there is one."""
        return next(iter(self.alarms), None)

    def _template_alarms(self) -> Iterator[TemplateAlarm]:
        deviations = [seen.deviation for seen in self.last if seen.deviation is not None]
        if not self._is_seen_by_many(deviations) and not self._is_same_on_many(deviations):
            return
        topics = Counter(_topic(deviation.findings[0]) for deviation in deviations)
        common = topics.most_common(1)[0][0]
        newest = next(each for each in reversed(deviations) if _topic(each.findings[0]) == common)
        yield TemplateAlarm(
            "template",
            len(deviations),
            len(self.last),
            newest.findings[0],
            decision=newest.decision,
            old=newest.old,
            new=newest.new,
        )

    def _is_seen_by_many(self, deviations: Sequence[Deviation]) -> bool:
        """Return whether more pages deviate than by chance, and enough of them at the same depth in the same respect."""
        needed = votes_needed(len(self.last), self.restless)
        agreed = Counter(topic for each in deviations for topic in set(map(_topic, each.findings)))
        return len(deviations) >= needed and max(agreed.values(), default=0) >= AGREEING * needed

    def _is_same_on_many(self, deviations: Sequence[Deviation]) -> bool:
        """Return whether more pages have the same new thing than by chance, however restless the pages are otherwise."""
        pages = len(self.last)
        chances_by_finding: dict[tuple[int, str, str], dict[int, float]] = {}
        for number, deviation in enumerate(deviations):
            for each in deviation.findings:
                chances = chances_by_finding.setdefault((each.depth, each.what, each.now), {})
                chances[number] = min(each.chance, chances.get(number, 1.0))
        least = max(LEAST_VOTES, ceil(SAME * pages))
        return any(
            len(chances) >= least_unlikely(least, pages, max(chances.values()), SAME_CHANCE)
            for chances in chances_by_finding.values()
        )

    def _fill_alarms(self) -> Iterator[TemplateAlarm]:
        for name, watched in self.watched.items():
            if name is not None:
                count = sum(name in seen.filled for seen in self.last)
                rate = (watched.filled + 1) / (watched.pages + 2)
                if chance_of_at_most(count, len(self.last), rate) < FILL_CHANCE:
                    yield TemplateAlarm("fill", count, len(self.last), None, attribute=name)

    def to_json(self) -> dict[str, Any]:
        """Return the watch as values for JSON."""
        return {
            "literal": sorted(self.literal),
            "watched": [[name, watched.to_json()] for name, watched in self.watched.items()],
            "restless": self.restless,
            "last": self.last_to_json(),
        }

    def last_to_json(self) -> list[Any]:
        """Return what is remembered of the last pages, as values for JSON."""
        return [[seen.deviation and seen.deviation.to_json(), sorted(seen.filled)] for seen in self.last]

    def remember(self, state: Iterable[Any]) -> None:
        """Restore the last pages that `last_to_json` returned."""
        self.last = [
            WatchedPage(deviation and Deviation.from_json(deviation), frozenset(filled))
            for deviation, filled in state
        ]

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> TemplateWatch:
        """Return the watch that `to_json` returned."""
        watch = cls()
        watch.literal = frozenset(state["literal"])
        watch.restless = state["restless"]
        watch.watched = {name: WatchedPath.from_json(each) for name, each in state["watched"]}
        watch.remember(state["last"])
        return watch


def votes_needed(pages: int, rate: float) -> int:
    """Return how many pages must deviate for an alarm, if this share deviates anyway; more than all pages if no number is enough.

    >>> [votes_needed(10, rate) for rate in (0.1, 0.25, 0.33, 0.42, 0.8)], votes_needed(5, 0.1)
    ([7, 7, 8, 9, 11], 4)
    """
    return least_unlikely(ceil(VOTES * pages), pages, rate, VOTE_CHANCE)


def least_unlikely(least: int, pages: int, rate: float, chance: float) -> int:
    """Return on how many pages, at least `least`, something must be found to be no chance; more than all pages if no number is enough.

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


def chance_of_at_most(count: int, pages: int, rate: float) -> float:
    """Return the chance to find something on at most `count` pages, if it is on this share of all pages.

    >>> round(chance_of_at_most(1, 2, 0.5), 2)
    0.75
    """
    return sum(comb(pages, k) * rate**k * (1 - rate) ** (pages - k) for k in range(count + 1))


def _names_with_place(page: TargetPaths) -> list[str]:
    return [name for name, node in page.attributes.items() if node is not None]


def _topic(finding: Finding) -> tuple[int, str]:
    return finding.depth, finding.what
