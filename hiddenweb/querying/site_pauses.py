"""How long to wait between two queries to a site.

A site may answer "please wait 30 seconds between searches", or show a page that asks whether we are human. Neither says anything about the
form: the same query is submitted again when the time has passed, and later ones keep the interval.
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
"""Seconds of pause for a host that blocks us as a robot: a limit of taste."""

LONGEST_WAIT = 120.0
"""The most seconds that we wait before the next query if a site says so: a limit of taste."""

MOST_WAITS = 3
"""How often one query is postponed for that: a limit of taste."""

MOST_IN_VAIN = 2
"""Queries postponed so often in vain, after which a site is no longer waited for: a limit of taste."""


class SitePauses:
    """Knows when each site may get its next query."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self._intervals: dict[int, float] = {}  # seconds between two queries, by site
        self._in_vain: Counter[int] = Counter()  # queries postponed in vain, by site
        self._last_query: dict[int, float] = {}  # when a site answered the last query

    def note_query(self, site: int, at: float) -> None:
        """Note when a site answered a query."""
        self._last_query[site] = at

    def next_query_at(self, site: int) -> float:
        """Return when a site may get its next query, if it wants an interval between two; else 0."""
        if site not in self._intervals:
            return 0.0
        return self._last_query.get(site, 0.0) + self._intervals[site]

    def postpone(self, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure | None:
        """Return a query without an answer as a failure, if its site wants us to wait."""
        if answer.case == "blocked":
            return self._postpone_blocked(fetched, answer)
        return self._postpone_hasty(fetched, answer)

    def _postpone_blocked(self, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure:
        """Return a page that asks whether we are human as a failure; it is fetched once more, later."""
        self._stats.inc_value(f"hiddenweb/answers/{answer.case}")
        retry_in = BLOCKED_PAUSE if fetched.task.attempts == 0 else None
        return FetchFailure(
            fetched.task, answer.why, fetched.at, retry_in, host_pause=BLOCKED_PAUSE, status=fetched.status
        )

    def _postpone_hasty(self, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure | None:
        """Return a query as a failure for now if its site wants us to wait before it; later queries wait as long.

        Exploring the site may also search it, so a query may be too soon several times. If waiting never helps, the site means something else.
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
        retry_in = wait.seconds + 1 if task.attempts < MOST_WAITS else None
        return FetchFailure(task, answer.why, fetched.at, retry_in, status=fetched.status)
