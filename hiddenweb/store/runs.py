"""Runs: the crawls that wrote a store, and the tasks that a killed one left under way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hiddenweb.store.errors import StateInUse
from hiddenweb.store.frontier import LEASED, MISSED, PENDING

if TYPE_CHECKING:
    from hiddenweb.store.sites import SiteStore
    from hiddenweb.store.sqlite_file import SqliteFile


class RunStore:
    """The runs of a store."""

    def __init__(self, file: SqliteFile, sites: SiteStore) -> None:
        self._file = file
        self._sites = sites
        self._is_running = False

    def begin(self, command: str, at: float) -> int:
        """Note that a crawl begins, and release what a killed one left under way; all sites are left until they are wanted."""
        if self._is_running:
            raise StateInUse(f"{self._file.folder}: another crawl of this process is using this state")
        self._is_running = True
        for rows in self._file.recent_rows:
            rows.clear()
        db = self._file.begin()
        db.execute("UPDATE runs SET ended = ?, reason = 'killed' WHERE ended IS NULL", (at,))
        row = db.execute(
            "INSERT INTO runs (command, pid, started) VALUES (?, ?, ?)", (command, os.getpid(), at)
        )
        db.execute(
            "UPDATE submissions SET state = 'unknown', why = 'the crawl ended while the question was under way'"
            " WHERE state = 'sent'"
        )
        db.execute(
            "UPDATE links SET state = ?, why = 'a POST is sent at most once' WHERE state = ? AND submission IN"
            " (SELECT id FROM submissions WHERE state = 'unknown') AND kind = 'answer' AND redirects = 0",
            (MISSED, LEASED),
        )
        db.execute(
            "UPDATE links SET state = ?, why = 'a POST is sent at most once' WHERE state = ? AND redirects = 0 AND id IN"
            " (SELECT link FROM page_posts WHERE sent IS NOT NULL)",
            (MISSED, LEASED),
        )
        db.execute("UPDATE links SET state = ? WHERE state = ?", (PENDING, LEASED))
        db.execute(  # failed pages may answer now; pages of answers are fetched again one by one
            "UPDATE links SET state = CASE WHEN kind IN ('answer', 'paging') THEN state ELSE ? END,"
            " attempts = 0, not_before = 0 WHERE state = ?",
            (PENDING, MISSED),
        )
        db.execute(
            "UPDATE submissions SET state = 'failed', why = 'its request is gone' WHERE state = 'planned' AND"
            " NOT EXISTS (SELECT 1 FROM links WHERE links.submission = submissions.id AND links.state = ?)",
            (PENDING,),
        )
        self._sites.leave_all("not named this time")
        self._file.commit()
        return int(row.lastrowid or 0)

    def end(self, run: int, reason: str, at: float) -> None:
        """Note why a crawl ended."""
        self._is_running = False
        self._file.begin().execute("UPDATE runs SET ended = ?, reason = ? WHERE id = ?", (at, reason, run))
