"""Which pages are revisited: the planned revisits, what was expected of the plan, and what it may cost.

A planned revisit is a row of its own and does not change the frontier: a page that cannot be fetched today stays read.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from hiddenweb.revisit.change_rate import RevisitHistory

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from hiddenweb.store.database import Store

PLAN = "plan"
"""The part of the knowledge that says what was expected of the revisits that are planned."""

CAN_BE_REVISITED = (
    "pages.kind IN ('page', 'record') AND duplicate_of IS NULL"
    " OR pages.kind = 'answer' AND links.page_number = 1 AND links.submission IN"
    " (SELECT id FROM submissions WHERE method = 'GET' AND state = 'answered')"
)
"""SQL that is true of pages which may be revisited."""

_DAY = 86_400.0  # seconds
_MINUTE = 60  # seconds


class RevisitPage(NamedTuple):
    """A page that may be revisited."""

    link: int
    site: int
    host: int
    kind: str
    last_revisit: float
    odds: bytes
    modified: float | None = None  # as its sitemap has it
    dated: float | None = None  # when the sitemap was read
    requests: int = 1  # that a revisit of it takes: an answer has several pages


class DueRevisit(NamedTuple):
    """A planned revisit."""

    link: int
    host: int
    not_before: float
    expected: float  # the chance that it finds a change
    gain: float = 0.0  # what it adds to the share of all pages that are as they were read
    sitemap_says: int = 0  # 1: the page changed; -1: it did not; 0: nothing


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """What was expected of the planned revisits, whether they were made or not."""

    looks: int  # revisits
    pages: int  # among which they were chosen
    fresh_before: float  # the share of pages that is as it was read
    fresh_after: float
    lost: float = 0.0  # of that, by failed revisits
    wanted: str = ""  # the arguments it was made for
    further: int | None = None  # requests that are left for further pages of answers; None: not counted


class RevisitPlanStore:
    """The plan of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load_pages(self, domains: Collection[str] = (), limit: int = -1) -> Iterator[RevisitPage]:
        """Yield all pages that may be revisited, or those of some sites."""
        rows = self._store.rows(
            "SELECT links.id, pages.site, links.host, pages.kind, coalesce(revisits.at, pages.last_seen), coalesce(revisits.history, x''),"
            " sitemap_dates.modified, sitemaps.read,"
            " CASE pages.kind WHEN 'answer' THEN 1 + (SELECT count(*) FROM links further WHERE further.submission = links.submission"
            " AND further.kind = 'paging' AND further.state = 2) ELSE 1 END"
            " FROM pages JOIN links ON links.id = pages.link JOIN sites ON sites.id = pages.site"
            " LEFT JOIN revisits ON revisits.page = pages.id"
            " LEFT JOIN sitemap_dates ON sitemap_dates.link = links.id LEFT JOIN sitemaps ON sitemaps.id = sitemap_dates.sitemap"
            f" WHERE ({CAN_BE_REVISITED}) AND (? OR sites.domain IN (SELECT value FROM json_each(?))) ORDER BY pages.id LIMIT ?",
            (not domains, json.dumps(sorted(domains)), limit),
        )
        return (
            RevisitPage(
                *cast("tuple[int, int, int, str, float, bytes, float | None, float | None, int]", row)
            )
            for row in rows
        )

    def add(self, revisits: Iterable[DueRevisit], plan: StoredPlan | None = None) -> None:
        """Plan revisits, and store what is expected of them."""
        self._store.write_many(
            "INSERT OR IGNORE INTO revisit_queue (link, host, not_before, expected, gain, sitemap_says) VALUES (?, ?, ?, ?, ?, ?)",
            revisits,
        )
        if plan is not None:
            self._save(plan)

    def load(self) -> StoredPlan | None:
        """Return what was expected of the last plan."""
        written = self._store.knowledge.get(PLAN, "")
        return StoredPlan(**json.loads(written)) if written else None

    def estimate_freshness(self) -> float | None:
        """Return the share of all pages that is probably unchanged since the last read, after the revisits made so far."""
        plan = self.load()
        if plan is None:
            return None
        left = cast("float", self._store.rows("SELECT coalesce(sum(gain), 0) FROM revisit_queue")[0][0])
        return max(0.0, min(1.0, plan.fresh_after - plan.lost - left))

    def shorten(self, most: int) -> int:
        """Keep the planned revisits with the largest gains, at most so many; return how many were dropped."""
        rows = self._store.write_returning(
            "DELETE FROM revisit_queue WHERE link NOT IN (SELECT link FROM revisit_queue ORDER BY gain DESC, link LIMIT ?) RETURNING gain",
            (most,),
        )
        self.lose_gain(sum(cast("float", gain) for (gain,) in rows))
        return len(rows)

    def clear(self) -> int:
        """Drop the planned revisits; return how many there were."""
        return len(self._store.write_returning("DELETE FROM revisit_queue RETURNING link", ()))

    def lose_gain(self, gain: float) -> None:
        """Subtract the expected gain of a failed revisit."""
        plan = self.load()
        if plan is not None and gain:
            self._save(replace(plan, lost=plan.lost + gain))

    def draw_request(self) -> bool:
        """Take a request of the budget for a further page of a revisited answer or record; say whether one was left."""
        plan = self.load()
        if plan is None or plan.further is None:
            return True
        if plan.further > 0:
            self._save(replace(plan, further=plan.further - 1))
        return plan.further > 0

    def reserve_requests(self, further: int) -> None:
        """Reserve so many requests for the further pages of the planned revisits."""
        if (plan := self.load()) is not None:
            self._save(replace(plan, further=further))

    def count_further_pages(self) -> int:
        """Return how many further pages the answers had that are to be revisited."""
        return cast(
            "int",
            self._store.rows(
                "SELECT count(*) FROM links WHERE kind = 'paging' AND state = 2 AND submission IN"
                " (SELECT submission FROM links JOIN revisit_queue ON revisit_queue.link = links.id WHERE links.kind = 'answer')"
            )[0][0],
        )

    def _save(self, plan: StoredPlan) -> None:
        self._store.knowledge.put(PLAN, "", json.dumps(asdict(plan)))

    def count(self) -> int:
        """Return how many revisits are planned."""
        return cast("int", self._store.rows("SELECT count(*) FROM revisit_queue")[0][0])

    def count_request(self, at: float) -> None:
        """Count a request."""
        self._store.write(
            "INSERT INTO request_counts VALUES (?, 1) ON CONFLICT (minute) DO UPDATE SET requests = requests + 1",
            (int(at // _MINUTE),),
        )

    def count_requests_of_day(self, now: float) -> int:
        """Return how many requests were made within a day, to the minute; older ones are forgotten."""
        self._store.write(
            "DELETE FROM request_counts WHERE minute < ? OR minute > ?",  # those to come: the clock was set back
            (int((now - _DAY) // _MINUTE), int(now // _MINUTE)),
        )
        return cast("int", self._store.rows("SELECT coalesce(sum(requests), 0) FROM request_counts")[0][0])


def odds_of(pages: Iterable[RevisitPage]) -> RevisitHistory:
    """Return the outcomes of earlier revisits of pages, for planning."""
    return RevisitHistory.unpack([page.odds for page in pages])
