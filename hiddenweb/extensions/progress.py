"""The progress of a running crawl: how far it is, why nothing happens, why it ended.

On a terminal a few lines below the log are updated; elsewhere one line is logged at intervals. Both are made
from a `ProgressSnapshot`, which is read from the state (what was found since the crawl began, how many links wait), from the scheduler
(which host waits for what) and from Scrapy's stats. Counting reads indexes as long as the frontier, so it is limited to one per cent of
the time.

When nothing was read for a few seconds, both say why: paused hosts, slow responses, a host with a delay
between requests, links that are tried again later.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.extensions.crawl_summary import NOFOLLOW_STATS, OUTCOME, CrawlSummary, describe_end
from hiddenweb.extensions.live_lines import LiveLines, is_log_on_stderr
from hiddenweb.extensions.progress_text import (
    QUIET,
    ProgressSnapshot,
    RevisitProgress,
    log_line,
    terminal_lines,
)
from hiddenweb.frontier.stopping import TIME_IS_UP
from hiddenweb.index import location
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.querying.coverage import describe_coverage
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.reports.run_counts import StateCounts, count_state, count_unused_searches
from hiddenweb.reports.summary import (
    last_document,
    last_pause,
    load_coverage,
    reason_to_wait,
    sites_of_last_crawl,
    waiting,
)
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.frontier.host_pace import HostPace
    from hiddenweb.store.chosen_forms import ChosenForms
    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

REFRESH = 0.5
"""Seconds between two updates on a terminal. A limit of taste."""

MAX_DATABASES = 3
"""Databases whose coverage is shown. A limit of taste."""

RATE_WINDOW = 30.0
"""Seconds over which pages a second are counted. A limit of taste."""

READS_COUNTED = 1_000
"""Pages whose times are remembered for the rate; in a faster crawl it is the rate of so many pages. A limit of taste."""

COUNTING_SHARE = 0.01
"""The share of the time for counting waiting links, which reads an index as long as the frontier. A limit of taste."""


@runtime_checkable
class WaitingFrontier(Protocol):
    """What progress reads from the scheduler."""

    def hosts(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of requests under way of every open host."""

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none waits."""


class ProgressExtension:
    """Shows the progress of a crawl, and says at its end why it ended and what to do next."""

    _on_screen: ClassVar[set[int]] = set()  # one display at a time, also where several crawls share a process

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if os.environ.get("SCRAPY_CHECK") == "true":
            raise NotConfigured("contracts need no progress")
        extension = cls(crawler, every=crawler.settings.getfloat("HIDDENWEB_PROGRESS_SECONDS", 10.0))
        crawler.signals.connect(extension.start, signals.spider_opened)
        crawler.signals.connect(extension.count_item, signals.item_scraped)
        crawler.signals.connect(extension.finish, signals.spider_closed)
        crawler.signals.connect(extension.say_last_line, signals.engine_stopped)
        return extension

    def __init__(self, crawler: Crawler, *, every: float, now: Callable[[], float] = time.time) -> None:
        self._crawler = crawler
        self._settings: BaseSettings = crawler.settings
        self._every = every
        self._now = now
        self._store: Store | None = None
        self._chosen: ChosenForms | None = None
        self._calls: Any = None
        self._screen: LiveLines | None = None
        self._counts = _Counts()
        self._recount_at = 0.0
        self._waiting = 0
        self._before = self._found = StateCounts()
        self._last_line = ""

    # What Scrapy signals

    def start(self) -> None:
        """Start to show progress."""
        self._counts = _Counts(begun=self._now(), last=self._now())
        if _frontier_of(self._crawler) is not None:
            context = CrawlContext.open(self._crawler)
            self._store = context.store
            self._chosen = context.chosen_forms
            self._settings = context.settings
            self._before = count_state(context.store)
        if self._every <= 0:
            return
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not self._on_screen:
            self._on_screen.add(id(self))
            self._screen = LiveLines()
            self._calls = create_looping_call(self._show)
            self._calls.start(REFRESH, now=True)
        else:
            self._calls = create_looping_call(self._log)
            self._calls.start(self._every, now=False)

    def count_item(self, item: object) -> None:
        """Count the outcome of a task."""
        if isinstance(item, Fetched | FetchFailure):
            self._counts.add(item, self._now())

    def finish(self, reason: str) -> None:
        """Stop showing progress, and summarise the crawl while the state can still be read."""
        if self._calls is not None:
            self._calls.stop()
        if self._screen is not None:
            self._screen.stop()
            self._on_screen.discard(id(self))
        outcome, self._last_line = describe_end(self._summary(reason))
        self._stats.set_value(OUTCOME, outcome)
        self._store = None

    def say_last_line(self) -> None:
        """Print why the crawl ended, after all other messages."""
        if not is_log_on_stderr():
            logger.info(self._last_line)
        print(self._last_line, file=sys.stderr, flush=True)  # noqa: T201

    # Showing

    def _show(self) -> None:
        if self._screen is not None:
            self._screen.show(terminal_lines(self._snapshot()))

    def _log(self) -> None:
        logger.info(log_line(self._snapshot()))

    def _snapshot(self) -> ProgressSnapshot:
        now, count = self._now(), self._stats.get_value
        counts, frontier = self._counts, _frontier_of(self._crawler)
        active, paused = _active_and_paused(frontier, now) if frontier is not None else ((), ())
        self._count_now_and_then(now)
        found = self._found
        quiet, next_in, next_why = now - counts.last, None, ""
        if frontier is not None:
            turn = frontier.next_turn()
            if turn is not None and quiet >= QUIET and not active:
                next_in, next_why = max(0.0, turn - now), self._why_next(frontier, now)
        return ProgressSnapshot(
            self._crawler.spidercls.name,
            elapsed=now - counts.begun,
            pages=found.pages,
            rate=counts.rate(now),
            forms=found.forms,
            submittable=found.submittable,
            submitted=found.queries,
            answered=counts.answered,
            new_records=found.records,
            seen_records=count("hiddenweb/records/seen", 0),
            databases=self._databases(),
            waiting=self._waiting,
            active=active,
            paused=paused,
            unindexed=self._count_unindexed(),
            quiet=quiet,
            next_in=next_in,
            next_why=next_why,
            revisits=self._revisit_progress(),
        )

    def _revisit_progress(self) -> RevisitProgress | None:
        count = self._stats.get_value
        if not self._settings.getbool("HIDDENWEB_REVISIT"):
            return None
        return RevisitProgress(
            planned=count("hiddenweb/revisits/planned"),
            done=self._counts.revisits,
            changed=count("hiddenweb/revisits/found_changed", 0),
            expected=count("hiddenweb/revisits/expected_changed", 0.0),
            fruitless=sum(
                count(f"hiddenweb/revisits/{step}", 0) for step in ("failed", "doubted", "refused")
            ),
            records=(
                count("hiddenweb/changes/record_added", 0),
                count("hiddenweb/changes/record_removed", 0),
                count("hiddenweb/revisits/records_changed", 0),
                count("hiddenweb/revisits/records_not_seen", 0),
            ),
            in_part=count("hiddenweb/revisits/answers_in_part", 0),
            requests=self._counts.requests,
            unanswered=self._counts.unanswered,
            left_today=count("hiddenweb/revisits/budget_left"),
            sitemaps=count("hiddenweb/sitemaps/requested", 0),
            fresh_before=count("hiddenweb/revisits/fresh_before"),
            fresh=count("hiddenweb/revisits/fresh_achieved"),
        )

    def _why_next(self, frontier: WaitingFrontier, now: float) -> str:
        """Return what the next host waits for that is not paused: its delay between requests, or a retry."""
        free = [
            (pace.ready_at(now), pace.usual_delay(), name)
            for name, pace, active in frontier.hosts()
            if not active and not pace.why_paused(now)
        ]
        if not free:
            return ""
        ready, wait, name = min(free)
        if ready > now:
            return f"{_host_name(name)} gets {wait:.0f} s between requests"
        why = reason_to_wait(self._store, name) if self._store is not None else ""
        return f"{_host_name(name)} is tried again: {clean_text(why)}" if why else ""

    def _count_now_and_then(self, now: float) -> None:
        if self._store is not None and now >= self._recount_at:
            started = time.perf_counter()
            self._waiting = self._count_waiting(self._store)
            self._found = self._count_found(self._store)
            self._recount_at = now + max(1.0, (time.perf_counter() - started) / COUNTING_SHARE)

    def _count_found(self, store: Store) -> StateCounts:
        return count_state(store).since(self._before)

    def _databases(self) -> tuple[str, ...]:
        if self._store is None:
            return ()
        queried = load_coverage(self._store, MAX_DATABASES, queried_now=True)
        return tuple(
            f"{each.domain}: {describe_coverage(each.known, each.size, each.low, each.high)}, {quantity(each.queries, 'query')}"
            for each in queried
        )

    def _count_waiting(self, store: Store) -> int:
        if self._settings.getbool("HIDDENWEB_REVISIT"):
            return RevisitStore(store).plan.count()
        return self._chosen.count_waiting() if self._chosen is not None else waiting(store)

    def _count_unindexed(self) -> int | None:
        if self._store is None or not location.status(self._store.folder):
            return None
        return max(0, last_document(self._store) - location.last_indexed(self._store.folder))

    def _summary(self, reason: str) -> CrawlSummary:
        count, counts = self._stats.get_value, self._counts
        settings = self._settings
        found = self._count_found(self._store) if self._store is not None else StateCounts()
        return CrawlSummary(
            reason,
            limit=_limit_reached(reason, settings),
            submit=settings.getbool("HIDDENWEB_SUBMIT"),
            tasks=counts.tasks,
            pages=found.pages,
            forms=found.forms,
            submittable=found.submittable,
            submitted=found.queries,
            new_records=found.records,
            before=self._before,
            unused=tuple(count_unused_searches(self._store)) if self._store is not None else (),
            forbidden=count("hiddenweb/robots/forbidden", 0),
            remedy=count("hiddenweb/run/remedy") or "",
            looked=settings.getbool("HIDDENWEB_DRY_RUN"),
            program=settings["HIDDENWEB_PROGRAM"],
            failed=count("hiddenweb/frontier/missed", 0) + count("hiddenweb/frontier/no_page", 0),
            refused=count("hiddenweb/frontier/refused", 0),
            waiting=self._count_waiting(self._store) if self._store is not None else 0,
            sites=tuple(sites_of_last_crawl(self._store)) if self._store is not None else (),
            given_up=count("hiddenweb/hosts/given_up", 0),
            trouble=counts.trouble
            or (clean_text(last_pause(self._store)) if self._store is not None else ""),
            topic=settings.get("HIDDENWEB_TOPIC") or "",
            on_topic=count("hiddenweb/locating/forms_on_topic", 0),
            nofollow=any(map(count, NOFOLLOW_STATS)),
            chosen=tuple(self._chosen.load_reasons()) if self._chosen is not None else (),
            not_come=count("hiddenweb/answers/not_come", 0),
            lost=count("hiddenweb/answers/lost", 0),
            revisits=self._revisit_progress(),
        )

    @property
    def _stats(self) -> StatsCollector:
        return self._crawler.stats


def _host_name(origin: str) -> str:
    return origin.partition("://")[2] or origin


# Facts


@dataclass(slots=True)
class _Counts:
    """Counts that the stats do not have."""

    begun: float = 0.0
    last: float = 0.0  # time of the last result
    tasks: int = 0
    answered: int = 0
    revisits: int = 0
    requests: int = 0  # of revisits
    unanswered: int = 0  # revisits
    trouble: str = ""
    _reads: deque[float] = field(default_factory=lambda: deque(maxlen=READS_COUNTED))

    def add(self, item: Fetched | FetchFailure, now: float) -> None:
        if isinstance(item, FetchFailure) and not item.counts:
            return
        self.last = now
        self.tasks += 1
        if item.task.is_revisit and (isinstance(item, Fetched) or item.retry_in is None):
            is_further = item.task.kind == "paging"
            self.requests += 1
            self.revisits += not is_further
            self.unanswered += isinstance(item, FetchFailure) and not is_further
        if isinstance(item, Fetched):
            if item.page is not None or item.task.is_revisit:
                self._reads.append(now)
            self.answered += item.task.kind == "answer" and bool(item.outcome)
        if not self.trouble and item.why:
            why = item.why if item.task.url in item.why else f"{item.task.url}: {item.why}"
            self.trouble = clean_text(why)

    def rate(self, now: float) -> float:
        """Return pages a second in the last half minute; of a fast crawl over the last thousand pages."""
        recent = [at for at in self._reads if at > now - RATE_WINDOW]
        if not recent:
            return 0.0
        full = len(self._reads) == self._reads.maxlen == len(recent)
        begun = recent[0] if full else max(self.begun, now - RATE_WINDOW)
        return len(recent) / max(now - begun, 0.5)


def _frontier_of(crawler: Crawler) -> WaitingFrontier | None:
    scheduler: object = crawler.engine.scheduler
    return scheduler if isinstance(scheduler, WaitingFrontier) else None


def _active_and_paused(
    frontier: WaitingFrontier, now: float
) -> tuple[tuple[str, ...], tuple[tuple[float, str, str], ...]]:
    """Return the hosts with a request under way, and those that are paused: for how long and why."""
    active, paused = [], []
    for name, pace, running in frontier.hosts():
        if running:
            active.append(_host_name(name))
        elif why := pace.why_paused(now):
            paused.append((pace.ready_at(now) - now, _host_name(name), clean_text(why)))
    return tuple(active), tuple(sorted(paused))


def _limit_reached(reason: str, settings: BaseSettings) -> str:
    if reason == "memusage_exceeded":
        return f"MEMUSAGE_LIMIT_MB={settings['MEMUSAGE_LIMIT_MB']}"
    if reason == TIME_IS_UP:
        return f"HIDDENWEB_TIME_LIMIT={settings['HIDDENWEB_TIME_LIMIT']}"
    if reason.startswith("closespider_"):
        name = reason.upper()
        return f"{name}={settings[name]}"
    return ""
