"""How long sites want to be left in peace between two queries.

A site may answer "please wait 30 seconds between searches", or show a page that asks whether we are human. Neither says anything of the
form: the same query is submitted again when the time has passed, and further ones keep the distance.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.model import FetchFailure

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.model import Fetched
    from hiddenweb.querying.conversation_store import Stats

BLOCKED_PAUSE = 600.0
"""Seconds in which a host is left in peace that took us for a robot it does not want: a limit of taste."""

LONGEST_WAIT = 120.0
"""Seconds that a site may have us wait before the next query: a limit of taste."""

MOST_WAITS = 3
"""How often one query is put off because of that: a limit of taste."""

MOST_IN_VAIN = 2
"""Queries that were put off as often, after which a site gets them as any other: a limit of taste."""


class SitePauses:
    """Knows when each site may get its next query."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self._intervals: dict[int, float] = {}  # seconds between two queries that sites asked for
        self._in_vain: Counter[int] = Counter()  # queries for which so much time was not enough, by site
        self._last_query: dict[int, float] = {}  # when a site answered the last one

    def note_query(self, site: int, at: float) -> None:
        """Note when a site answered a query."""
        self._last_query[site] = at

    def next_query_at(self, site: int) -> float:
        """Return when a site may get its next query, if it said how much time it wants between two; else 0."""
        if site not in self._intervals:
            return 0.0
        return self._last_query.get(site, 0.0) + self._intervals[site]

    def postpone(self, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure | None:
        """Return a query that got no answer as a failure, if its site wants to be left in peace for a while."""
        if answer.case == "blocked":
            return self._postpone_blocked(fetched, answer)
        return self._postpone_hasty(fetched, answer)

    def _postpone_blocked(self, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure:
        """Return a page that wants to know whether we are human as a failure; it is fetched once more, later."""
        self._stats.inc_value(f"hiddenweb/answers/{answer.case}")
        again = BLOCKED_PAUSE if fetched.task.attempts == 0 else None
        return FetchFailure(
            fetched.task, answer.why, fetched.at, again, host_pause=BLOCKED_PAUSE, status=fetched.status
        )

    def _postpone_hasty(self, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure | None:
        """Return a query as a failure for now if its site wants to be left in peace for a while before it; further ones wait as long.

        Whoever explores the site may search as well, so it may be too soon several times. A site that never answers after that means something else.
        """
        task, wait = fetched.task, answer.wait
        if wait is None or wait.seconds > LONGEST_WAIT or self._in_vain[task.site] >= MOST_IN_VAIN:
            return None
        if task.attempts >= MOST_WAITS:
            self._in_vain[task.site] += 1
            if self._in_vain[task.site] >= MOST_IN_VAIN:
                self._intervals.pop(task.site, None)
                return None
        self._stats.inc_value("hiddenweb/answers/too_soon")
        self._intervals[task.site] = min(wait.interval, LONGEST_WAIT) + 1
        later = wait.seconds + 1 if task.attempts < MOST_WAITS else None
        return FetchFailure(task, answer.why, fetched.at, later, status=fetched.status)
