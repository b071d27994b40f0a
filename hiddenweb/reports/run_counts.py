"""What a state holds, in five numbers: a crawl reads them when it begins and when it ends, and the difference is what it did.

So what a crawl says of itself agrees with `scrapy status`, also after a kill: pages that were fetched again count once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, cast

from hiddenweb.reports.summary import NOT_NAMED

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

REPEATS_ANOTHER = "the form on % sends the same query"
"""How the verdict on a form begins that another form stands for."""


@dataclass(frozen=True, slots=True)
class StateCounts:
    """How much is in a state, or how much a crawl added to it."""

    pages: int = 0
    forms: int = 0
    submittable: int = 0
    queries: int = 0  # that were submitted, whatever came of them
    records: int = 0

    def since(self, before: StateCounts) -> StateCounts:
        """Return what was added; a verdict may change, so that fewer forms are submittable."""
        pairs = zip(astuple(self), astuple(before), strict=True)
        return StateCounts(*(max(0, now - then) for now, then in pairs))


NOTHING_YET = StateCounts()
"""A state that no crawl has written to."""


def count_state(store: Store) -> StateCounts:
    """Return how much is in a state."""
    row = store.rows(
        "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM forms), (SELECT count(*) FROM forms WHERE may_submit),"
        " (SELECT count(*) FROM submissions WHERE state <> 'planned'), (SELECT count(*) FROM records)"
    )[0]
    return StateCounts(*cast("tuple[int, ...]", row))


def count_unused_searches(store: Store) -> list[tuple[str, int]]:
    """Return the first reason why each search form of the last crawl's sites is left alone, and how many there are, the most frequent first.

    Forms that only repeat another one do not count: what they would find is asked there.
    """
    rows = store.rows(
        "SELECT why FROM forms JOIN sites ON sites.id = forms.site WHERE kind = 'search' AND NOT may_submit"
        " AND why NOT LIKE ? AND (sites.left IS NULL OR sites.left <> ?) ORDER BY forms.id",
        (REPEATS_ANOTHER, NOT_NAMED),
    )
    return Counter(str(why).partition("; ")[0] for (why,) in rows).most_common()
