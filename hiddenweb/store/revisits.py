"""Revisits of pages that were read before: which are due, what to compare with, and their outcomes."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, cast

import numpy as np
import zstandard

from hiddenweb.model import CrawlTask
from hiddenweb.revisit.change_rate import RevisitHistory
from hiddenweb.revisit.comparison_state import (
    content_to_json,
    state_from_json,
    state_to_json,
)
from hiddenweb.revisit.revisit import FetchedBody, StoredBody
from hiddenweb.revisit.revisit_store import StoredReading
from hiddenweb.store.changes import ChangeStore
from hiddenweb.store.revisit_plan import DueRevisit, RevisitPlanStore
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.model import FetchFailure
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState
    from hiddenweb.revisit.noise import Mask, NoiseMasks
    from hiddenweb.store.database import Store

VALIDATORS = "validators"
"""The part that says whose ETags and dates can be believed."""

_SELECT_TASK = (
    "SELECT links.id, hosts.site, links.host, url, kind, hops, redirects, revisit_queue.attempts, submission, page_number, 1 AS look"
    " FROM revisit_queue JOIN links ON links.id = revisit_queue.link JOIN hosts ON hosts.id = links.host"
)


_MIN_HONEST_CHANGES = 3
"""Changes that came with a new ETag or date, before we send either back; a limit of taste."""

_CHECKED_ONE_IN = 7  # one page in so many is fetched in any case, every day; a limit of taste
_DAY = 86_400.0  # seconds


class RevisitStore:
    """The revisits of a store, with their plan and the changes they found."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.plan = RevisitPlanStore(store)
        self.changes = ChangeStore(store)
        self._compressor = zstandard.ZstdCompressor(level=1)
        self._decompressor = zstandard.ZstdDecompressor()

    def resume(self, now: float = inf) -> list[int]:
        """Open the sites of the revisits, also those whose budget is spent, and wake their hosts.

        No plan is for longer than a day: a revisit that is planned for later was planned before the clock was set back.
        """
        self._store.write(
            "DELETE FROM revisit_queue WHERE step = 1"
        )  # their answers are compared from the first page on
        self._store.write(
            "UPDATE revisit_queue SET leased = 0, not_before = min(not_before, ?)", (now + _DAY,)
        )
        for (seed,) in self._store.rows(
            "SELECT DISTINCT seed FROM sites WHERE id IN (SELECT site FROM hosts WHERE id IN (SELECT host FROM revisit_queue))"
        ):
            self._store.sites.want(cast("str", seed))
        self._store.sites.woken_hosts.update(
            cast("int", row[0]) for row in self._store.rows("SELECT DISTINCT host FROM revisit_queue")
        )
        return []

    def lease(
        self, host: int, count: int, now: float, *, with_queries: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the next revisits of a host; if none may go now, return when the next one may."""
        del with_queries
        rows = self._store.rows(
            f"{_SELECT_TASK} WHERE revisit_queue.host = ? AND leased = 0 AND revisit_queue.not_before <= ? ORDER BY revisit_queue.not_before LIMIT ?",
            (host, now, count),
        )
        if not rows:
            later = self._store.rows(
                "SELECT min(not_before) FROM revisit_queue WHERE host = ? AND leased = 0", (host,)
            )
            return [], cast("float | None", later[0][0])
        self._store.write_many(
            "UPDATE revisit_queue SET leased = 1 WHERE link = ?", [(row[0],) for row in rows]
        )
        return [CrawlTask(*row) for row in cast("list[tuple[int, int, int, str]]", rows)], None

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        """Give back leased revisits that were not made."""
        self._store.write_many(
            "UPDATE revisit_queue SET leased = 0 WHERE link = ?", [(task.link,) for task in tasks]
        )

    def leave(self) -> None:
        """Do nothing: planned revisits wait for the next crawl."""

    def headers(self, task: CrawlTask, now: float) -> dict[str, str]:
        """Return the headers of a conditional request, if the host proved to be honest about modifications.

        Some servers never change an ETag. So a host is trusted if changes of its pages came with new ones, never without. Even then some of its pages,
        others each day, are fetched without conditions.
        """
        honest, lies = self._load_honesty(task.host)
        if (
            task.answered_submission is not None
        ):  # an unmodified first page says nothing about the further pages
            return {}
        if honest < _MIN_HONEST_CHANGES or lies or (task.link + int(now // _DAY)) % _CHECKED_ONE_IN == 0:
            return {}
        rows = self._store.rows("SELECT etag, last_modified FROM pages WHERE link = ?", (task.link,))
        if not rows:
            return {}
        etag, modified = cast("tuple[str, str]", rows[0])
        return ({"If-None-Match": etag} if etag else {}) | (
            {"If-Modified-Since": modified} if modified else {}
        )

    def judge_validators(self, task: CrawlTask, *, same: bool) -> None:
        """Note whether a server had a new ETag or date for a changed page."""
        honest, lies = self._load_honesty(task.host)
        self._store.knowledge.put(VALIDATORS, str(task.host), json.dumps([honest + (not same), lies + same]))

    def _load_honesty(self, host: int) -> tuple[int, int]:
        written = self._store.knowledge.get(VALIDATORS, str(host))
        honest, lies = json.loads(written) if written else (0, 0)
        return honest, lies

    def load(self, task: CrawlTask) -> StoredReading | None:
        """Return the stored state of the page that a task revisits; None if there is no such page."""
        rows = self._store.rows(
            "SELECT pages.id, pages.site, revisits.known, revisits.version, coalesce(revisits.at, pages.last_seen), coalesce(revisits.history, x''),"
            " (SELECT max(id) FROM versions WHERE versions.page = pages.id), pages.etag, pages.last_modified"
            " FROM pages LEFT JOIN revisits ON revisits.page = pages.id WHERE pages.link = ?",
            (task.link,),
        )
        if not rows:
            return None
        page, site, state_json, content, at, odds, version, etag, modified = cast(
            "tuple[int, int, str | None, bytes, float, bytes, int | None, str, str]", rows[0]
        )
        body = None
        if (
            state_json is None
            and version is not None
            and (source := self._store.versions.load_source(version)) is not None
        ):
            body = StoredBody(FetchedBody(source.body, source.content_type), at, etag, modified)
        state = self._unpack(state_json, content) if state_json else None
        return StoredReading(page, site, state, body, version, at, odds, etag, modified)

    def _unpack(self, state_json: str, content: bytes) -> ComparisonState:
        return state_from_json(
            state_json, self._decompressor.decompress(content).decode("utf-8", "surrogatepass")
        )

    def postpone(self, failure: FetchFailure) -> None:
        """Plan a revisit again that was not answered for now."""
        assert failure.retry_in is not None
        self._store.sites.woken_hosts.add(failure.task.host)
        self._store.write(
            "UPDATE revisit_queue SET leased = 0, attempts = attempts + ?, not_before = ? WHERE link = ?",
            (failure.counts, failure.at + failure.retry_in, failure.task.link),
        )

    def end(self, task: CrawlTask) -> DueRevisit | None:
        """End a revisit; return how it was planned."""
        rows = self._store.write_returning(
            "DELETE FROM revisit_queue WHERE link = ? RETURNING link, host, not_before, expected, gain, sitemap_says",
            (task.link,),
        )
        return DueRevisit(*cast("tuple[int, int, float, float, float, int]", rows[0])) if rows else None

    def save(
        self, stored: StoredReading, outcome: ComparisonOutcome, at: float, *, new_version: int | None
    ) -> list[Change]:
        """Store the outcome of a revisit; return its changes with their numbers."""
        changes = [change for change in outcome.changes if change.kind != "new"]
        failed = outcome.step in ("failed", "doubted")
        odds = stored.odds if failed else _update_history(stored.odds, at - stored.at, changed=bool(changes))
        content = self._compressor.compress(content_to_json(outcome.known).encode("utf-8", "surrogatepass"))
        self._store.write(
            "INSERT INTO revisits (page, at, times, changed, step, why, known, version, history) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (page) DO UPDATE SET at = excluded.at, times = times + 1, changed = changed + excluded.changed,"
            " step = excluded.step, why = excluded.why, known = excluded.known, version = excluded.version, history = excluded.history",
            (
                stored.page, stored.at if failed else at, bool(changes), outcome.step, outcome.why, state_to_json(outcome.known),
                content, odds,
            ),
        )  # fmt: skip
        return [
            self.changes.add(stored.page, stored.site, change, old=stored.version, new=new_version)
            for change in changes
        ]

    def save_unchanged(self, stored: StoredReading, outcome: ComparisonOutcome, at: float) -> None:
        """Store the outcome of a revisit that found no change."""
        self._store.write(
            "UPDATE revisits SET at = ?, times = times + 1, step = ?, why = '', known = ?, history = ? WHERE page = ?",
            (
                at, outcome.step, state_to_json(outcome.known), _update_history(stored.odds, at - stored.at, changed=False), stored.page,
            ),
        )  # fmt: skip

    def load_page_masks(self, masks: NoiseMasks, site: str = "") -> Iterator[Mask]:
        """Yield the masks of single pages, all of them or those of a host and the hosts below it."""
        rows = self._store.rows(
            "SELECT links.url, revisits.known, revisits.version FROM revisits JOIN pages ON pages.id = revisits.page JOIN links ON links.id = pages.link"
            " WHERE json_array_length(revisits.known, '$.own') > 0 ORDER BY links.url"
        )
        for url, state_json, content in cast("list[tuple[str, str, bytes]]", rows):
            if site and not f".{host(url)}".endswith(f".{site}"):
                continue
            page = self._unpack(state_json, content)
            if page.version is not None:
                yield from masks.page_masks(url, page.version.structure, page.own)


def _update_history(odds: bytes, seconds: float, *, changed: bool) -> bytes:
    history = RevisitHistory.unpack([odds])
    history.add(np.array([0]), np.array([seconds]), np.array([changed]))
    return history.pack(0)
