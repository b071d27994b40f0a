"""Which of the pages that a crawl read were hidden ones, in the order of reading, and how deep they were.

A page is hidden if only a form leads to it, as far as the crawl knows, and it said something new: the page of a record that an answer
named, or an answer on which records were met for the first time. All others count against precision: pages that links reach, answers that brought
nothing new, and duplicates. Nobody knows how many hidden pages there are, so recall is relative to those that were found.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

MOST_POINTS = 100
RECALLS = tuple(part / 20 for part in range(1, 21))


class HiddenCount(NamedTuple):
    """How many pages had been read at some moment, and how many of them were hidden."""

    pages: int
    hidden: int


@dataclass(frozen=True, slots=True)
class HiddenPages:
    """The hidden pages that were found."""

    pages: int = 0
    hidden: int = 0
    course: list[HiddenCount] = field(default_factory=list)  # at so many moments at most
    precision: list[tuple[float, float]] = field(default_factory=list)  # by recall
    by_depth: dict[int, int] = field(default_factory=dict)  # links and questions from the seed


def hidden_pages(store: Store, points: int = MOST_POINTS) -> HiddenPages:
    """Return how hidden pages were found in the course of a crawl; all pages are read once."""
    rows = store.rows(
        "SELECT links.hops, pages.duplicate_of IS NULL AND (pages.kind = 'record'"
        " OR pages.kind IN ('answer', 'paging') AND pages.id IN (SELECT page FROM records))"
        " FROM pages JOIN links ON links.id = pages.link ORDER BY pages.id"
    )
    found = cast("list[tuple[int, int]]", rows)
    so_far = [0]
    for _, is_hidden in found:
        so_far.append(so_far[-1] + is_hidden)
    pages, hidden = len(found), so_far[-1]
    moments = sorted({pages * point // points for point in range(1, points + 1)} - {0})
    return HiddenPages(
        pages,
        hidden,
        [HiddenCount(at, so_far[at]) for at in moments],
        _by_recall(so_far),
        dict(sorted(Counter(hops for hops, is_hidden in found if is_hidden).items())),
    )


def _by_recall(so_far: list[int]) -> list[tuple[float, float]]:
    """Return the precision at the moments when each recall was reached."""
    hidden = so_far[-1]
    if not hidden:
        return []
    points = []
    waiting = iter(RECALLS)
    recall = next(waiting, None)
    for pages, reached in enumerate(so_far):
        while recall is not None and reached and reached >= recall * hidden:
            points.append((recall, reached / pages))
            recall = next(waiting, None)
    return points
