"""Looks at pages that were read before: which are planned, what is known for them, and what they found.

A look is planned by a row of its own and leaves the frontier alone: a page that cannot be reached today is as read as it was.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import zstandard

from hiddenweb.model import CrawlTask
from hiddenweb.revisit.change_rate import RevisitHistory
from hiddenweb.revisit.comparison_state import (
    change_from_json,
    change_to_json,
    content_to_json,
    state_from_json,
    state_to_json,
)
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.urls import host, text_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from hiddenweb.model import FetchFailure
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState
    from hiddenweb.revisit.noise import Mask
    from hiddenweb.store.database import Store
    from hiddenweb.store.versions import PageSource

VALIDATORS = "validators"
"""The part that says whose ETags and dates can be believed."""

MASKS = "masks"
"""The part of what is known that says what is noise."""

PLAN = "plan"
"""The part that says what was expected of the looks that are planned."""

_ERRAND = (
    "SELECT links.id, hosts.site, links.host, url, kind, hops, redirects, due.attempts, submission, page_number, 1 AS look"
    " FROM due JOIN links ON links.id = due.link JOIN hosts ON hosts.id = links.host"
)
LOOKED_AT = (
    "pages.kind IN ('page', 'record') AND duplicate_of IS NULL"
    " OR pages.kind = 'answer' AND links.page_number = 1 AND links.submission IN"
    " (SELECT id FROM submissions WHERE method = 'GET' AND state = 'answered')"
)
"""SQL that is true of pages which may be looked at."""

_MANY = 50_000


def _is_below(host: str, site: str) -> str:
    """Return SQL that says whether a host is a site, or below it."""
    return f"substr('.' || {host}, -length({site}) - 1) = '.' || {site}"


_HOST = "coalesce(json_extract(change, '$.site'), :site)"
_SITES = f"SELECT id FROM sites WHERE {_is_below('domain', ':site')} OR {_is_below(':site', 'domain')}"
_HONEST_ENOUGH = 3  # changes that came with a new ETag or date
_CHECKED = 7  # one page in so many is asked for in any case, every day
_DAY = 86_400.0
_MINUTE = 60


class RevisitPage(NamedTuple):
    """A page that may be looked at."""

    link: int
    site: int
    host: int
    kind: str
    last_look: float
    odds: bytes
    modified: float | None = None  # as its sitemap has it
    dated: float | None = None  # when the sitemap was read
    requests: int = 1  # that a look at it takes: an answer has several pages


class DueRevisit(NamedTuple):
    """A look that is planned."""

    link: int
    host: int
    not_before: float
    expected: float  # the chance that it finds a change
    gain: float = 0.0  # what it adds to the share of all pages that are as they were read
    said: int = 0  # what a sitemap said of the page: 1 that it changed, -1 that it did not, 0 nothing


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """What was expected of the looks that are planned, all of them made or not."""

    looks: int
    pages: int  # among which they were chosen
    fresh_before: float  # the share of pages that is as it was read
    fresh_after: float
    lost: float = 0.0  # of that, by looks that came to nothing
    wanted: str = ""  # the arguments it was made for
    further: int | None = None  # requests that are left for further pages of answers; None: nobody counted


@dataclass(frozen=True, slots=True)
class StoredReading:
    """What the store has for the next look at a page."""

    page: int
    site: int
    known: ComparisonState | None  # None: it was read once, and that has to be read again
    source: PageSource | None  # of the newest version, if that has to be read
    version: int | None  # its number
    at: float  # of the last look, or of the first reading
    odds: bytes
    etag: str = ""
    last_modified: str = ""


class RevisitStore:
    """The looks of a state."""

    def __init__(self, state: Store) -> None:
        self._state = state
        self._compressor = zstandard.ZstdCompressor(level=1)
        self._decompressor = zstandard.ZstdDecompressor()

    # Planning

    def pages(self, domains: Collection[str] = (), limit: int = -1) -> Iterator[RevisitPage]:
        """Yield all pages that may be looked at, or those of some sites."""
        rows = self._state.rows(
            "SELECT links.id, pages.site, links.host, pages.kind, coalesce(looks.at, pages.last_seen), coalesce(looks.odds, x''),"
            " sitemap_dates.modified, sitemaps.read,"
            " CASE pages.kind WHEN 'answer' THEN 1 + (SELECT count(*) FROM links further WHERE further.submission = links.submission"
            " AND further.kind = 'paging' AND further.state = 2) ELSE 1 END"
            " FROM pages JOIN links ON links.id = pages.link JOIN sites ON sites.id = pages.site"
            " LEFT JOIN looks ON looks.page = pages.id"
            " LEFT JOIN sitemap_dates ON sitemap_dates.link = links.id LEFT JOIN sitemaps ON sitemaps.id = sitemap_dates.sitemap"
            f" WHERE ({LOOKED_AT}) AND (? OR sites.domain IN (SELECT value FROM json_each(?))) ORDER BY pages.id LIMIT ?",
            (not domains, json.dumps(sorted(domains)), limit),
        )
        return (
            RevisitPage(
                *cast("tuple[int, int, int, str, float, bytes, float | None, float | None, int]", row)
            )
            for row in rows
        )

    def plan(self, looks: Iterable[DueRevisit], plan: StoredPlan | None = None) -> None:
        """Plan looks, and keep what is expected of them."""
        self._state.write_many(
            "INSERT OR IGNORE INTO due (link, host, not_before, expected, gain, said) VALUES (?, ?, ?, ?, ?, ?)",
            looks,
        )
        if plan is not None:
            self._keep_plan(plan)

    def planned(self) -> StoredPlan | None:
        """Return what was expected of the last plan."""
        kept = self._state.knowledge.get(PLAN, "")
        return StoredPlan(**json.loads(kept)) if kept else None

    def achieved(self) -> float | None:
        """Return the share of all pages that is likely as it was read, after the looks of the plan that were made."""
        plan = self.planned()
        if plan is None:
            return None
        left = cast("float", self._state.rows("SELECT coalesce(sum(gain), 0) FROM due")[0][0])
        return max(0.0, min(1.0, plan.fresh_after - plan.lost - left))

    def shorten(self, most: int) -> int:
        """Keep so many of the planned looks, those that gain most; return how many are left out."""
        rows = self._state.write_returning(
            "DELETE FROM due WHERE link NOT IN (SELECT link FROM due ORDER BY gain DESC, link LIMIT ?) RETURNING gain",
            (most,),
        )
        self.lose(sum(cast("float", gain) for (gain,) in rows))
        return len(rows)

    def drop(self) -> int:
        """Give up what is planned; return how many looks that were."""
        return len(self._state.write_returning("DELETE FROM due RETURNING link", ()))

    def lose(self, gain: float) -> None:
        """Take note of a look that was to gain so much and came to nothing."""
        plan = self.planned()
        if plan is not None and gain:
            self._keep_plan(replace(plan, lost=plan.lost + gain))

    def draw(self) -> bool:
        """Take a request of the budget for what follows from a look, such as the next page of an answer; say whether there is one left."""
        plan = self.planned()
        if plan is None or plan.further is None:
            return True
        if plan.further > 0:
            self._keep_plan(replace(plan, further=plan.further - 1))
        return plan.further > 0

    def reserve(self, further: int) -> None:
        """Leave so many requests for what follows from the looks that are planned."""
        if (plan := self.planned()) is not None:
            self._keep_plan(replace(plan, further=further))

    def further_wanted(self) -> int:
        """Return how many further pages the answers had that are to be looked at."""
        return cast(
            "int",
            self._state.rows(
                "SELECT count(*) FROM links WHERE kind = 'paging' AND state = 2 AND submission IN"
                " (SELECT submission FROM links JOIN due ON due.link = links.id WHERE links.kind = 'answer')"
            )[0][0],
        )

    def _keep_plan(self, plan: StoredPlan) -> None:
        self._state.knowledge.put(PLAN, "", json.dumps(asdict(plan)))

    def waiting(self) -> int:
        """Return how many looks are planned."""
        return cast("int", self._state.rows("SELECT count(*) FROM due")[0][0])

    # Budgets by the day

    def spend(self, at: float) -> None:
        """Count a request."""
        self._state.write(
            "INSERT INTO spent VALUES (?, 1) ON CONFLICT (minute) DO UPDATE SET requests = requests + 1",
            (int(at // _MINUTE),),
        )

    def spent(self, now: float) -> int:
        """Return how many requests were made within a day, to the minute; older ones are forgotten."""
        self._state.write(
            "DELETE FROM spent WHERE minute < ? OR minute > ?",  # those to come: the clock was set back
            (int((now - _DAY) // _MINUTE), int(now // _MINUTE)),
        )
        return cast("int", self._state.rows("SELECT coalesce(sum(requests), 0) FROM spent")[0][0])

    # What the scheduler asks

    def take_up(self, now: float = inf) -> list[int]:
        """Want the sites of the looks, and let their hosts get their turn; no site has too many pages for that.

        No plan is for longer than a day: a look that is planned for later was planned before the clock was set back.
        """
        self._state.write(
            "DELETE FROM due WHERE step = 1"
        )  # their answers are looked at from the first page on
        self._state.write("UPDATE due SET leased = 0, not_before = min(not_before, ?)", (now + _DAY,))
        for (seed,) in self._state.rows(
            "SELECT DISTINCT seed FROM sites WHERE id IN (SELECT site FROM hosts WHERE id IN (SELECT host FROM due))"
        ):
            self._state.sites.want(cast("str", seed))
        self._state.sites.woken_hosts.update(
            cast("int", row[0]) for row in self._state.rows("SELECT DISTINCT host FROM due")
        )
        return []

    def lease(
        self, host: int, count: int, now: float, *, asking: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the next looks at a host; if none may go now, say when the next one may."""
        del asking
        rows = self._state.rows(
            f"{_ERRAND} WHERE due.host = ? AND leased = 0 AND due.not_before <= ? ORDER BY due.not_before LIMIT ?",
            (host, now, count),
        )
        if not rows:
            later = self._state.rows("SELECT min(not_before) FROM due WHERE host = ? AND leased = 0", (host,))
            return [], cast("float | None", later[0][0])
        self._state.write_many("UPDATE due SET leased = 1 WHERE link = ?", [(row[0],) for row in rows])
        return [CrawlTask(*row) for row in cast("list[tuple[int, int, int, str]]", rows)], None

    def release(self, errands: Iterable[CrawlTask]) -> None:
        """Give back looks that were taken and not made."""
        self._state.write_many(
            "UPDATE due SET leased = 0 WHERE link = ?", [(errand.link,) for errand in errands]
        )

    def leave(self) -> None:
        """Nothing is left behind: what is still planned waits for the next crawl."""

    # A look

    def headers(self, errand: CrawlTask, now: float) -> dict[str, str]:
        """Return what asks a server to answer only if the page was modified, if it was seen to be honest about that.

        Some servers never change an ETag. So a host is trusted when changes of its pages came with new ones, never without, and even then some of its pages are
        asked for in any case, others each day.
        """
        honest, lies = self._honesty(errand.host)
        if (
            errand.asked is not None
        ):  # who is told that it was not modified does not see how the answer goes on
            return {}
        if honest < _HONEST_ENOUGH or lies or (errand.link + int(now // _DAY)) % _CHECKED == 0:
            return {}
        rows = self._state.rows("SELECT etag, last_modified FROM pages WHERE link = ?", (errand.link,))
        if not rows:
            return {}
        etag, modified = cast("tuple[str, str]", rows[0])
        return ({"If-None-Match": etag} if etag else {}) | (
            {"If-Modified-Since": modified} if modified else {}
        )

    def judge_validators(self, errand: CrawlTask, *, same: bool) -> None:
        """Take note of a change that a server announced by a new ETag or date, or kept the same for."""
        honest, lies = self._honesty(errand.host)
        self._state.knowledge.put(
            VALIDATORS, str(errand.host), json.dumps([honest + (not same), lies + same])
        )

    def _honesty(self, host: int) -> tuple[int, int]:
        known = self._state.knowledge.get(VALIDATORS, str(host))
        honest, lies = json.loads(known) if known else (0, 0)
        return honest, lies

    def kept(self, errand: CrawlTask) -> StoredReading | None:
        """Return what is known of the page that an errand looks at; None if there is no such page."""
        rows = self._state.rows(
            "SELECT pages.id, pages.site, looks.known, looks.version, coalesce(looks.at, pages.last_seen), coalesce(looks.odds, x''),"
            " (SELECT max(id) FROM versions WHERE versions.page = pages.id), pages.etag, pages.last_modified"
            " FROM pages LEFT JOIN looks ON looks.page = pages.id WHERE pages.link = ?",
            (errand.link,),
        )
        if not rows:
            return None
        page, site, known, said, at, odds, version, etag, modified = cast(
            "tuple[int, int, str | None, bytes, float, bytes, int | None, str, str]", rows[0]
        )
        source = None
        if known is None and version is not None:
            source = self._state.versions.source(version)
        return StoredReading(
            page,
            site,
            self._known(known, said) if known else None,
            source,
            version,
            at,
            odds,
            etag,
            modified,
        )

    def _known(self, known: str, said: bytes) -> ComparisonState:
        return state_from_json(known, self._decompressor.decompress(said).decode("utf-8", "surrogatepass"))

    def postpone(self, missed: FetchFailure) -> None:
        """Plan a look again that was not answered for now."""
        assert missed.retry_in is not None
        self._state.sites.woken_hosts.add(missed.errand.host)
        self._state.write(
            "UPDATE due SET leased = 0, attempts = attempts + ?, not_before = ? WHERE link = ?",
            (missed.counts, missed.at + missed.retry_in, missed.errand.link),
        )

    def end(self, errand: CrawlTask) -> DueRevisit | None:
        """End a look; return how it was planned."""
        rows = self._state.write_returning(
            "DELETE FROM due WHERE link = ? RETURNING link, host, not_before, expected, gain, said",
            (errand.link,),
        )
        return DueRevisit(*cast("tuple[int, int, float, float, float, int]", rows[0])) if rows else None

    def keep(
        self, kept: StoredReading, outcome: ComparisonOutcome, at: float, *, new_version: int | None
    ) -> list[Change]:
        """Keep what came of a look; return its changes with their numbers."""
        told = [change for change in outcome.changes if change.kind != "new"]
        failed = outcome.step in ("failed", "doubted")
        odds = kept.odds if failed else _learnt(kept.odds, at - kept.at, changed=bool(told))
        said = self._compressor.compress(content_to_json(outcome.known).encode("utf-8", "surrogatepass"))
        self._state.write(
            "INSERT INTO looks (page, at, looks, changed, step, why, known, version, odds) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (page) DO UPDATE SET at = excluded.at, looks = looks + 1, changed = changed + excluded.changed,"
            " step = excluded.step, why = excluded.why, known = excluded.known, version = excluded.version, odds = excluded.odds",
            (
                kept.page, kept.at if failed else at, bool(told), outcome.step, outcome.why, state_to_json(outcome.known),
                said, odds,
            ),
        )  # fmt: skip
        return [self._keep_change(kept, change, new_version) for change in told]

    def stood(self, kept: StoredReading, outcome: ComparisonOutcome, at: float) -> None:
        """Keep what came of a look that found what was there."""
        self._state.write(
            "UPDATE looks SET at = ?, looks = looks + 1, step = ?, why = '', known = ?, odds = ? WHERE page = ?",
            (
                at, outcome.step, state_to_json(outcome.known), _learnt(kept.odds, at - kept.at, changed=False), kept.page,
            ),
        )  # fmt: skip

    def _keep_change(self, kept: StoredReading, change: Change, new_version: int | None) -> Change:
        return self.tell(kept.page, kept.site, change, old=kept.version, new=new_version)

    def tell(
        self, page: int, site: int, change: Change, *, old: int | None = None, new: int | None = None
    ) -> Change:
        """Keep a change that somebody saw at a page; return it with its number."""
        number = self._state.write_returning(
            "INSERT INTO changes (page, site, kind, at, old, new, change, record, submission) VALUES (?, ?, ?, ?, ?, ?, ?,"
            " (SELECT id FROM records WHERE site = ? AND hash = ?),"
            " (SELECT submission FROM links JOIN pages ON pages.link = links.id WHERE pages.id = ? AND links.kind = 'answer'))"
            " RETURNING id",
            (
                page, site, change.kind, change.at, old, new, change_to_json(change), site,
                text_hash(change.key) if change.key else None, page,
            ),
        )[0][0]  # fmt: skip
        return replace(change, number=cast("int", number), old=old, new=new)

    # What changed

    def changes(
        self, *, site: str = "", kind: str = "", since: float = 0.0, noise: bool = False, limit: int = _MANY
    ) -> list[Change]:
        """Return changes, the latest first; those of a host and the hosts below it, if one is named."""
        rows = self._state.rows(
            "SELECT changes.id, kind, at, old, new, change FROM changes"
            f" WHERE (:site = '' OR changes.site IN ({_SITES}) AND {_is_below(_HOST, ':site')})"
            " AND (:kind = '' OR kind = :kind) AND at >= :since AND (:noise OR noise = '')"
            " ORDER BY at DESC, changes.id DESC LIMIT :limit",
            {"site": site, "kind": kind, "since": since, "noise": noise, "limit": limit},
        )
        return [_change(*cast("tuple[int, str, float, int | None, int | None, str]", row)) for row in rows]

    def knows_site(self, site: str) -> bool:
        """Say whether a host belongs to a site, or has one below it."""
        return bool(self._state.rows(_SITES, {"site": site}))

    def change(self, number: int) -> Change | None:
        """Return a change by its number."""
        rows = self._state.rows("SELECT id, kind, at, old, new, change FROM changes WHERE id = ?", (number,))
        return (
            _change(*cast("tuple[int, str, float, int | None, int | None, str]", rows[0])) if rows else None
        )

    def call_noise(self, number: int, why: str) -> None:
        """Take note that a person calls a change noise."""
        self._state.write("UPDATE changes SET noise = ? WHERE id = ?", (why, number))

    # Noise

    def masks(self) -> NoiseMasks:
        """Return what is known to be noise."""
        kept = self._state.knowledge.get(MASKS, "")
        return NoiseMasks.restore(kept) if kept else NoiseMasks()

    def masks_of_pages(self, masks: NoiseMasks, site: str = "") -> Iterator[Mask]:
        """Yield the masks of single pages, all of them or those of a host and the hosts below it."""
        rows = self._state.rows(
            "SELECT links.url, looks.known, looks.version FROM looks JOIN pages ON pages.id = looks.page JOIN links ON links.id = pages.link"
            " WHERE json_array_length(looks.known, '$.own') > 0 ORDER BY links.url"
        )
        for url, known, said in cast("list[tuple[str, str, bytes]]", rows):
            if site and not f".{host(url)}".endswith(f".{site}"):
                continue
            page = self._known(known, said)
            if page.version is not None:
                yield from masks.page_masks(url, page.version.structure, page.own)

    def keep_masks(self, masks: NoiseMasks) -> None:
        """Keep what is known to be noise."""
        self._state.knowledge.put(MASKS, "", masks.to_json())


def odds_of(pages: Iterable[RevisitPage]) -> RevisitHistory:
    """Return what the looks at pages have shown, for planning."""
    return RevisitHistory.unpack([page.odds for page in pages])


def _learnt(odds: bytes, seconds: float, *, changed: bool) -> bytes:
    looks = RevisitHistory.unpack([odds])
    looks.add(np.array([0]), np.array([seconds]), np.array([changed]))
    return looks.pack(0)


def _change(number: int, kind: str, at: float, old: int | None, new: int | None, change: str) -> Change:
    return change_from_json(change, number=number, kind=kind, at=at, old=old, new=new)
