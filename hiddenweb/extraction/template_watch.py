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

VOTE_CHANCE = 0.01
"""So unlikely must it be that so many pages deviate, going by how many did in learning."""

FILL_CHANCE = 1e-4
"""So unlikely must it be to find an attribute so seldom, if nothing had changed."""


class TooFewPages(ValueError):
    """There are fewer pages than something can be learnt from."""


@dataclass(frozen=True, slots=True)
class TemplateAlarm:
    """Why somebody should look at an extractor."""

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
        """Remember a page as one that looks as it should, without comparing it."""
        self.last.append(WatchedPage(None, frozenset(filled)))
        del self.last[:-WINDOW]

    def deviation(self, page: TargetPaths) -> Deviation | None:
        """Return how a page deviates, without remembering it."""
        return find_deviation(self.watched, patterns_of(page, self.literal))

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
        if not self._is_seen_by_many(deviations) and not self._is_seen_alike(deviations):
            return
        topics = Counter(_topic(deviation.findings[0]) for deviation in deviations)
        common = topics.most_common(1)[0][0]
        shown = next(each for each in reversed(deviations) if _topic(each.findings[0]) == common)
        yield TemplateAlarm(
            "template",
            len(deviations),
            len(self.last),
            shown.findings[0],
            decision=shown.decision,
            old=shown.old,
            new=shown.new,
        )

    def _is_seen_by_many(self, deviations: Sequence[Deviation]) -> bool:
        """Say whether more pages deviate than would by chance, and enough of them at the same depth in the same respect."""
        needed = votes_needed(len(self.last), self.restless)
        agreed = Counter(said for each in deviations for said in set(map(_topic, each.findings)))
        return len(deviations) >= needed and max(agreed.values(), default=0) >= AGREEING * needed

    def _is_seen_alike(self, deviations: Sequence[Deviation]) -> bool:
        """Say whether more pages have one and the same new thing than would by chance, however restless the pages are otherwise."""
        pages = len(self.last)
        alike: dict[tuple[int, str, str], dict[int, float]] = {}
        for number, deviation in enumerate(deviations):
            for each in deviation.findings:
                chances = alike.setdefault((each.depth, each.what, each.now), {})
                chances[number] = min(each.chance, chances.get(number, 1.0))
        least = max(LEAST_VOTES, ceil(ALIKE * pages))
        return any(
            len(chances) >= least_unlikely(least, pages, max(chances.values()), ALIKE_CHANCE)
            for chances in alike.values()
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
            "watched": [[name, watched.to_json()] for name, watched in self.watched.items()],
            "restless": self.restless,
            "last": self.last_to_json(),
        }

    def last_to_json(self) -> list[Any]:
        """Return what is remembered of the last pages, as what JSON can hold."""
        return [[seen.deviation and seen.deviation.to_json(), sorted(seen.filled)] for seen in self.last]

    def remember(self, state: Iterable[Any]) -> None:
        """Take for the last pages what `last_to_json` described."""
        self.last = [
            WatchedPage(deviation and Deviation.from_json(deviation), frozenset(filled))
            for deviation, filled in state
        ]

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> TemplateWatch:
        """Return the watch that `to_json` described."""
        watch = cls()
        watch.literal = frozenset(state["literal"])
        watch.restless = state["restless"]
        watch.watched = {name: WatchedPath.from_json(each) for name, each in state["watched"]}
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


def chance_of_at_most(count: int, pages: int, rate: float) -> float:
    """Return how likely it is to find something on so few pages, if it is on this share of all.

    >>> round(chance_of_at_most(1, 2, 0.5), 2)
    0.75
    """
    return sum(comb(pages, k) * rate**k * (1 - rate) ** (pages - k) for k in range(count + 1))


def _names_with_place(page: TargetPaths) -> list[str]:
    return [name for name, node in page.attributes.items() if node is not None]


def _topic(finding: Finding) -> tuple[int, str]:
    return finding.depth, finding.what
