"""What people see of a running crawl: how far it is, why nothing happens, why it ended.

On a terminal a few lines are kept up to date below the log; elsewhere one line is logged every so often. Both are made
from a `ProgressSnapshot`, which is read from Scrapy's stats, from the scheduler (which host waits for what) and from the state
(how many links wait). Counting those reads an index as long as the frontier, so it is done only as often as costs
one per cent of the time.

When nothing was read for a few seconds, both say why: hosts that are paused, answers that do not come, a host that
wants its time between requests, links that are tried again later.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from rich.console import Console
from rich.live import Live
from rich.text import Text
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.logformatter import LogFormatter
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.log import get_scrapy_root_handler

from hiddenweb import __version__
from hiddenweb.fetch.address_guard import is_localhost, literal_address
from hiddenweb.frontier.stopping import TIME_IS_UP
from hiddenweb.index import location
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.querying.coverage import in_words
from hiddenweb.reports.summary import covered, last_document, named_sites, reason_to_wait, waiting
from hiddenweb.revisit.answer_changes import count_in_words
from hiddenweb.store.chosen_forms import ONLY_ASKED, ChosenForms
from hiddenweb.store.database import give_back, share
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from scrapy.settings import BaseSettings, Settings
    from scrapy.statscollectors import StatsCollector
    from twisted.python.failure import Failure

    from hiddenweb.frontier.host_pace import HostPace
    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

REFRESH = 0.5
"""Seconds between two pictures on a terminal."""

QUIET = 3.0
"""Seconds without a page after which we say why."""

PAUSES_SHOWN = 3
DATABASES_SHOWN = 3
FORMS_SHOWN = 3
RATE_WINDOW = 30.0
OUTCOME = "hiddenweb/run/outcome"


@runtime_checkable
class WaitingFrontier(Protocol):
    """What is asked of the scheduler."""

    state: Store

    def hosts(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of running errands of every open host."""

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none is in line."""


@dataclass(frozen=True, slots=True)
class RevisitProgress:
    """How far a crawl is that looks again at what was read."""

    planned: int | None = None  # for this run; None: not yet
    done: int = 0
    changed: int = 0  # those that found a change
    expected: float = 0.0  # to find one
    nothing: int = 0  # that came to nothing: the page was not there, or no answer
    unanswered: int = 0  # of these
    left_today: int | None = None  # of a budget by the day, before the run
    sitemaps: int = 0  # that were asked for
    fresh_before: float | None = None
    fresh: float | None = None  # the share of pages that is likely as it was read
    records: tuple[int, int, int, int] = (0, 0, 0, 0)  # new, gone, changed, perhaps gone
    in_part: int = 0  # answers of which not all pages were looked at
    requests: int = 0  # that the looks took: an answer has several pages


@dataclass(frozen=True, slots=True)
class ProgressSnapshot:
    """A crawl at one moment."""

    spider: str
    elapsed: float = 0.0
    pages: int = 0
    rate: float = 0.0  # pages a second, of late
    forms: int = 0
    askable: int = 0
    asked: int = 0
    answered: int = 0
    new_records: int = 0
    seen_records: int = 0
    databases: tuple[str, ...] = ()  # that are asked now: how much of each is known
    waiting: int = 0
    active: tuple[str, ...] = ()  # hosts that are being asked
    paused: tuple[tuple[float, str, str], ...] = ()  # seconds left, host, why; the shortest first
    unindexed: int | None = None
    quiet: float = 0.0  # seconds since the last page or failure
    next_in: float | None = None  # seconds until a host is ready
    next_why: str = ""
    looks: RevisitProgress | None = None


NOFOLLOW_STATS = (
    "hiddenweb/nofollow/forms",
    "hiddenweb/nofollow/answer_pages",
    "hiddenweb/nofollow/records",
)
"""What was done on pages that say nofollow."""


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """All that the last line is made of."""

    reason: str  # Scrapy's
    limit: str = ""  # NAME=VALUE of the setting that ended the crawl
    submit: bool = False
    errands: int = 0  # that ended in this run, well or not
    pages: int = 0
    forms: int = 0
    askable: int = 0
    asked: int = 0
    new_records: int = 0
    missed: int = 0
    refused: int = 0
    waiting: int = 0
    given_up: int = 0  # hosts that did not answer
    sites: tuple[tuple[str, int, str | None], ...] = ()  # domain, pages of all runs, why it was left
    trouble: str = ""  # the first one
    topic: str = ""  # of a crawl on a topic
    on_topic: int = 0  # forms
    nofollow: bool = False  # a search was submitted, or its answers were read on, though a page says nofollow
    chosen: tuple[tuple[int, str], ...] = ()  # the forms that were asked alone, and why no more
    not_come: int = 0  # pages of answers that the next crawl asks for again
    lost: int = 0  # and those that were sent by POST, which nobody asks for twice
    looks: RevisitProgress | None = None


class ProgressExtension:
    """Shows how a crawl is getting on, and says in the end why it ended and what to do next."""

    _on_screen: ClassVar[set[int]] = set()  # one display at a time, also where several crawls share a process

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if os.environ.get("SCRAPY_CHECK") == "true":
            raise NotConfigured("contracts need no progress")
        extension = cls(crawler, every=crawler.settings.getfloat("HIDDENWEB_PROGRESS_SECONDS", 10.0))
        crawler.signals.connect(extension.begin, signals.spider_opened)
        crawler.signals.connect(extension.note, signals.item_scraped)
        crawler.signals.connect(extension.count_up, signals.spider_closed)
        crawler.signals.connect(extension.say_last_line, signals.engine_stopped)
        return extension

    def __init__(self, crawler: Crawler, *, every: float, now: Callable[[], float] = time.time) -> None:
        self._crawler = crawler
        self._every = every
        self._now = now
        self._state: Store | None = None
        self._chosen: ChosenForms | None = None
        self._calls: Any = None
        self._screen: _Screen | None = None
        self._counts = _Counts()
        self._recount_at = 0.0
        self._waiting = 0
        self._last_line = ""

    # What Scrapy tells

    def begin(self) -> None:
        """Start to show progress."""
        self._counts = _Counts(begun=self._now(), last=self._now())
        if (frontier := _frontier(self._crawler)) is not None:
            self._state = share(frontier.state.folder)
            self._chosen = ChosenForms.of(self._state, self._crawler.settings.get("HIDDENWEB_FORMS"))
        if self._every <= 0:
            return
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not self._on_screen:
            self._on_screen.add(id(self))
            self._screen = _Screen()
            self._calls = create_looping_call(self._show)
            self._calls.start(REFRESH, now=True)
        else:
            self._calls = create_looping_call(self._log)
            self._calls.start(self._every, now=False)

    def note(self, item: object) -> None:
        """Count what came of an errand."""
        if isinstance(item, Fetched | FetchFailure):
            self._counts.add(item, self._now())

    def count_up(self, reason: str) -> None:
        """Stop showing progress, and count while the state can still be read."""
        if self._calls is not None:
            self._calls.stop()
        if self._screen is not None:
            self._screen.stop()
            self._on_screen.discard(id(self))
        outcome, self._last_line = last_line(self._ending(reason))
        self._stats.set_value(OUTCOME, outcome)
        if self._state is not None:
            give_back(self._state)
            self._state = None

    def say_last_line(self) -> None:
        """Say why the crawl ended, after all else was said."""
        if not _log_is_on_stderr():
            logger.info(self._last_line)
        print(self._last_line, file=sys.stderr, flush=True)  # noqa: T201

    # Showing

    def _show(self) -> None:
        if self._screen is not None:
            self._screen.show(picture(self._moment()))

    def _log(self) -> None:
        logger.info(line(self._moment()))

    def _moment(self) -> ProgressSnapshot:
        now, count = self._now(), self._stats.get_value
        counts, frontier = self._counts, _frontier(self._crawler)
        active, paused = _hosts(frontier, now) if frontier is not None else ((), ())
        quiet, next_in, next_why = now - counts.last, None, ""
        if frontier is not None:
            turn = frontier.next_turn()
            if turn is not None and quiet >= QUIET and not active:
                next_in, next_why = max(0.0, turn - now), self._why_next(frontier, now)
        return ProgressSnapshot(
            self._crawler.spidercls.name,
            elapsed=now - counts.begun,
            pages=count("hiddenweb/pages/read", 0),
            rate=counts.rate(now),
            forms=count("hiddenweb/forms/found", 0),
            askable=count("hiddenweb/forms/askable", 0),
            asked=count("hiddenweb/queries/planned", 0),
            answered=counts.answered,
            new_records=count("hiddenweb/records/new", 0),
            seen_records=count("hiddenweb/records/seen", 0),
            databases=self._databases(),
            waiting=self._links_waiting(now),
            active=active,
            paused=paused,
            unindexed=self._unindexed(),
            quiet=quiet,
            next_in=next_in,
            next_why=next_why,
            looks=self._looking(),
        )

    def _looking(self) -> RevisitProgress | None:
        count = self._stats.get_value
        if not self._crawler.settings.getbool("HIDDENWEB_REVISIT"):
            return None
        return RevisitProgress(
            planned=count("hiddenweb/looks/planned"),
            done=self._counts.looks,
            changed=count("hiddenweb/looks/found_changed", 0),
            expected=count("hiddenweb/looks/expected_changed", 0.0),
            nothing=sum(count(f"hiddenweb/looks/{step}", 0) for step in ("failed", "doubted", "refused")),
            records=(
                count("hiddenweb/changes/record_added", 0),
                count("hiddenweb/changes/record_removed", 0),
                count("hiddenweb/looks/records_changed", 0),
                count("hiddenweb/looks/records_not_seen", 0),
            ),
            in_part=count("hiddenweb/looks/answers_in_part", 0),
            requests=self._counts.requests,
            unanswered=self._counts.unanswered,
            left_today=count("hiddenweb/looks/left_today"),
            sitemaps=count("hiddenweb/sitemaps/asked", 0),
            fresh_before=count("hiddenweb/looks/fresh_before"),
            fresh=count("hiddenweb/looks/fresh_achieved"),
        )

    def _why_next(self, frontier: WaitingFrontier, now: float) -> str:
        """Say what the next host waits for that is not paused: the time between two requests, or another try."""
        free = [
            (pace.ready_at(now), pace.wait(), name)
            for name, pace, active in frontier.hosts()
            if not active and not pace.why_paused(now)
        ]
        if not free:
            return ""
        ready, wait, name = min(free)
        if ready > now:
            return f"{_bare(name)} gets {wait:.0f} s between requests"
        why = reason_to_wait(self._state, name) if self._state is not None else ""
        return f"{_bare(name)} is tried again: {_clean(why)}" if why else ""

    def _links_waiting(self, now: float) -> int:
        if self._state is not None and now >= self._recount_at:
            begun = time.perf_counter()
            self._waiting = self._count_waiting(self._state)
            self._recount_at = now + max(1.0, 100 * (time.perf_counter() - begun))
        return self._waiting

    def _databases(self) -> tuple[str, ...]:
        if self._state is None:
            return ()
        asked = covered(self._state, DATABASES_SHOWN, now_asked=True)
        return tuple(
            f"{each.domain}: {in_words(each.known, each.size, each.low, each.high)}, {_many(each.questions, 'query')}"
            for each in asked
        )

    def _count_waiting(self, state: Store) -> int:
        if self._crawler.settings.getbool("HIDDENWEB_REVISIT"):
            return RevisitStore(state).waiting()
        return self._chosen.waiting() if self._chosen is not None else waiting(state)

    def _unindexed(self) -> int | None:
        if self._state is None or not location.status(self._state.folder):
            return None
        return max(0, last_document(self._state) - location.acknowledged(self._state.folder))

    def _ending(self, reason: str) -> CrawlSummary:
        count, counts = self._stats.get_value, self._counts
        settings = self._crawler.settings
        return CrawlSummary(
            reason,
            limit=_limit(reason, settings),
            submit=settings.getbool("HIDDENWEB_SUBMIT"),
            errands=counts.errands,
            pages=count("hiddenweb/pages/read", 0),
            forms=count("hiddenweb/forms/found", 0),
            askable=count("hiddenweb/forms/askable", 0),
            asked=count("hiddenweb/queries/planned", 0),
            new_records=count("hiddenweb/records/new", 0),
            missed=count("hiddenweb/frontier/missed", 0) + count("hiddenweb/frontier/no_page", 0),
            refused=count("hiddenweb/frontier/refused", 0),
            waiting=self._count_waiting(self._state) if self._state is not None else 0,
            sites=tuple(named_sites(self._state)) if self._state is not None else (),
            given_up=count("hiddenweb/hosts/given_up", 0),
            trouble=counts.trouble,
            topic=settings.get("HIDDENWEB_TOPIC") or "",
            on_topic=count("hiddenweb/locating/forms_on_topic", 0),
            nofollow=any(map(count, NOFOLLOW_STATS)),
            chosen=tuple(self._chosen.reasons()) if self._chosen is not None else (),
            not_come=count("hiddenweb/answers/not_come", 0),
            lost=count("hiddenweb/answers/lost", 0),
            looks=self._looking(),
        )

    @property
    def _stats(self) -> StatsCollector:
        return self._crawler.stats


class QuietFormatter(LogFormatter):
    """Says nothing about pages and items one by one, unless everything is to be logged: progress says it in sum."""

    def crawled(  # type: ignore[override]  # None is allowed, its documentation says
        self, request: Request, response: Response, spider: Spider
    ) -> LogFormatterResult | None:
        return super().crawled(request, response, spider) if _logs_everything() else None

    def scraped(  # type: ignore[override]
        self, item: object, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult | None:
        return super().scraped(item, response, spider) if _logs_everything() else None


def _logs_everything() -> bool:
    return logging.getLogger("scrapy").isEnabledFor(logging.DEBUG)


class ContactAddon:
    """Puts HIDDENWEB_CONTACT into the User-Agent, and reminds of it once where it is missing.

    An add-on, since it comes before every part that reads USER_AGENT, in whatever way a crawl is started. Whoever sets
    USER_AGENT on the command line, or for a spider, means it.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        addon = cls()
        if not crawler.settings.get("HIDDENWEB_CONTACT"):
            addon._crawler = crawler
            crawler.signals.connect(addon.remind, signals.item_scraped)
        return addon

    def __init__(self) -> None:
        self._crawler: Crawler | None = None

    def update_settings(self, settings: Settings) -> None:
        """Name the contact in the User-Agent."""
        contact = settings.get("HIDDENWEB_CONTACT")
        if contact:
            settings.set("USER_AGENT", agent(contact), priority="project")

    def remind(self, item: object) -> None:
        """Ask for a contact once, when somebody else's host was asked."""
        if self._crawler is None or not isinstance(item, Fetched | FetchFailure) or _is_ours(item.errand.url):
            return
        self._crawler.signals.disconnect(self.remind, signals.item_scraped)
        logger.warning(
            "Nobody can reach you: please set HIDDENWEB_CONTACT to an address or a page,"
            " so that the owners of sites know whom to ask about this crawl"
        )


def agent(contact: str) -> str:
    """Return a User-Agent that names whom to ask."""
    return f"hiddenweb/{__version__} (+{contact})"


# Words


def picture(moment: ProgressSnapshot) -> Text:
    """Return a few lines for a terminal."""
    first = [f"{moment.spider} {_time(moment.elapsed)}"]
    if moment.looks is None:
        first += [_pages(moment), f"{_many(moment.waiting, 'link')} waiting"]
    else:
        first += [_looks(moment.looks, moment.rate)]
    first += [f"{_many(len(moment.active), 'host')} active, {len(moment.paused)} paused"]
    lines = ["  ".join(first), *filter(None, ["  ".join(_findings(moment))]), *moment.databases]
    longest = moment.paused[::-1]
    lines += [f"paused: {name}: {why}" for _, name, why in longest[:PAUSES_SHOWN]]
    if len(longest) > PAUSES_SHOWN:
        lines[-1] += f" (and {len(longest) - PAUSES_SHOWN} more)"
    if why := why_quiet(moment):
        lines.append(why)
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def line(moment: ProgressSnapshot) -> str:
    """Return the same in one line, for a log."""
    looks = moment.looks
    parts = [
        _pages(moment) if looks is None else _looks(looks, moment.rate),
        *_findings(moment),
        *moment.databases[:1],
        *([f"{_many(moment.waiting, 'link')} waiting"] if looks is None else []),
        f"{_many(len(moment.active), 'host')} active",
    ]
    if moment.paused:
        parts.append(f"{len(moment.paused)} paused")
    if why := why_quiet(moment):
        parts.append(why)
    return "; ".join(parts)


def why_quiet(moment: ProgressSnapshot) -> str:
    """Say why nothing is happening; nothing if something is."""
    if moment.quiet < QUIET:
        return ""
    if moment.looks is not None and moment.looks.planned is None:
        return f"waiting: sitemaps are read before looks are planned, {moment.looks.sitemaps:,} so far"
    if moment.active:
        asked = ", ".join(moment.active[:2])
        return f"waiting: {_many(len(moment.active), 'host')} asked, no answer for {moment.quiet:.0f} s ({asked})"
    if moment.paused and (moment.next_in is None or not moment.next_why):
        left, name, why = moment.paused[0]
        reason = why.rpartition("; ")[0] or why
        return f"waiting: {_many(len(moment.paused), 'host')} paused, next in {left:.0f} s ({name}: {reason})"
    if moment.next_in is not None and (moment.next_in > 0 or not moment.unindexed):
        because = f" ({moment.next_why})" if moment.next_why else ""
        return f"waiting: next request in {moment.next_in:.0f} s{because}"
    if moment.unindexed:
        return f"waiting: the index has {_many(moment.unindexed, 'document')} to take in, then the crawl ends"
    return "waiting: nothing is left to ask, the crawl is about to end"


def last_line(end: CrawlSummary) -> tuple[str, str]:
    """Return how a crawl ended, in one word (finished, limit, interrupted, failed) and in a line for people."""
    what = "link" if end.looks is None else "look"
    go_on = f"the same command goes on ({_many(end.waiting, what)} waiting)"
    if end.reason == "shutdown":
        return "interrupted", f"Interrupted (Ctrl-C or a signal): nothing is lost, {go_on}. {_result(end)}"
    if end.limit:
        return "limit", f"Stopped: limit {end.limit} reached; {go_on}. {_result(end)}"
    if end.reason != "finished":
        return "failed", f"Stopped: {_clean(end.reason)}; {go_on}. {_result(end)}"
    if end.looks is not None:
        return _last_line_of_looks(end, end.looks)
    if not end.pages and not any(pages for _, pages, _ in end.sites):
        trouble = end.trouble or "there was nothing to fetch"
        return "failed", f"Nothing could be read: {trouble}. Next: mend that, or see scrapy status."
    return "finished", f"Finished: {_what_was_done(end)}. {_result(end)} {_what_next(end)}"


def _last_line_of_looks(end: CrawlSummary, looks: RevisitProgress) -> tuple[str, str]:
    if looks.done and looks.unanswered == looks.done:
        return "failed", f"Nothing could be looked at: {end.trouble}. Next: mend that, or see scrapy status."
    if looks.left_today == 0 and not looks.done:
        return (
            "finished",
            "Finished: all looks of the last 24 hours that the budget allows were made. Next: scrapy changes.",
        )
    done = "all looks were made" if not end.waiting else f"{_many(end.waiting, 'look')} wait for their hosts"
    return "finished", f"Finished: {done}. {_result(end)} Next: scrapy changes, scrapy search WORDS."


def _result_of_looks(looks: RevisitProgress) -> str:
    expected = f"{looks.expected:.1f}" if 0 < looks.expected < 10 else f"{looks.expected:,.0f}"
    took = f" in {_many(looks.requests, 'request')}" if looks.requests > looks.done else ""
    said = f"{_many(looks.done, 'look')}{took}, {looks.changed:,} found a change ({expected} expected)"
    if looks.nothing:
        said += f", {looks.nothing:,} came to nothing"
    if any(looks.records):
        said += f"; records: {count_in_words(*looks.records)}"
    if looks.in_part:
        said += f"; {_many(looks.in_part, 'answer')} looked at in part (scrapy changes --answers)"
    if looks.fresh is not None and looks.fresh_before is not None:
        said += f"; about {100 * looks.fresh:.0f} % of all pages are as they were read, {100 * looks.fresh_before:.0f} % before"
    return f"{said}."


def _pages(moment: ProgressSnapshot) -> str:
    return f"{_many(moment.pages, 'page')} ({moment.rate:.1f}/s)"


def _looks(looks: RevisitProgress, rate: float) -> str:
    if looks.planned is None:
        return f"no look is planned yet, {_many(looks.sitemaps, 'sitemap')} asked for"
    took = f", {_many(looks.requests, 'request')}" if looks.requests > looks.done else ""
    return f"{looks.done:,} of {_many(looks.planned, 'look')}{took} ({rate:.1f}/s), {looks.changed:,} found a change"


def _findings(moment: ProgressSnapshot) -> list[str]:
    found = [f"{_many(moment.forms, 'form')} ({moment.askable} askable)"] if moment.looks is None else []
    if moment.asked:
        found.append(f"{_many(moment.asked, 'question')} ({moment.answered} answered)")
        found.append(f"records {moment.new_records:,} new, {moment.seen_records:,} seen")
    if moment.unindexed is not None:
        found.append(f"index {moment.unindexed:,} behind" if moment.unindexed else "index up to date")
    return found


def _what_was_done(end: CrawlSummary) -> str:
    sites = _many(len(end.sites), "site")
    left = [(domain, why) for domain, _, why in end.sites if why and why != ONLY_ASKED]
    if end.chosen and not left and not end.given_up:
        return _what_was_asked(end)
    if not end.errands and not left:
        return f"nothing was left to do, all links of {sites} were followed earlier"
    if end.topic:
        sites_now = _many(sum(not why for _, _, why in end.sites), "site")
        return (
            f"no site waits any more that may have search forms on {_clean(end.topic)}; {sites_now} visited"
        )
    if end.given_up:
        hosts = _many(end.given_up, "host")
        return f"{hosts} did not answer and {_many(end.waiting, 'link')} there wait, all others of {sites} were followed"
    if left:
        domain, why = left[0]
        were = "was" if len(left) == 1 else "were"
        return f"{len(left)} of {sites} {were} left early ({domain}: {_clean(why)}), all other links were followed"
    return f"all links of {sites} were followed"


def _what_was_asked(end: CrawlSummary) -> str:
    reasons = "; ".join(f"#{number}: {_clean(why)}" for number, why in end.chosen[:FORMS_SHOWN])
    more = f"; and {len(end.chosen) - FORMS_SHOWN:,} more" if end.chosen[FORMS_SHOWN:] else ""
    before = "" if end.errands else "nothing was left to do, "
    have = "form has had all its" if len(end.chosen) == 1 else "forms have had all their"
    return f"{before}{len(end.chosen):,} {have} questions for now ({reasons}{more})"


def _result(end: CrawlSummary) -> str:
    if end.looks is not None:
        return _result_of_looks(end.looks)
    parts = [_many(end.pages, "page")]
    parts.append(f"{_many(end.forms, 'form')} ({end.askable} askable)" if end.forms else "no new form")
    if end.topic:
        parts.append(f"{_many(end.on_topic, 'search form')} on the topic")
    if end.asked:
        parts.append(f"{_many(end.asked, 'question')} asked")
        parts.append(_many(end.new_records, "new record"))
    failed = end.missed + end.refused
    if failed:
        parts.append(f"{_many(failed, 'link')} not read")
    if end.not_come:
        parts.append(
            f"{_many(end.not_come, 'page')} of answers did not come, and the same command asks for them again"
        )
    if end.lost:
        parts.append(f"{_many(end.lost, 'page')} of answers lost that were sent by POST")
    said = " Pages say nofollow: their links were not explored, their searches were (HIDDENWEB_NOFOLLOW)."
    return f"{', '.join(parts)}.{said if end.nofollow else ''}"


def _what_next(end: CrawlSummary) -> str:
    ask = "scrapy crawl harvest to ask the forms, " if end.askable and not end.submit else ""
    return f"Next: {ask}scrapy search WORDS, scrapy status."


def _many(number: int, what: str) -> str:
    several = f"{what[:-1]}ies" if what.endswith("ry") else f"{what}s"
    return f"{number:,} {what if number == 1 else several}"


def _time(seconds: float) -> str:
    return str(timedelta(seconds=int(seconds)))


def _clean(text: str) -> str:
    """Return a text that cannot move the cursor: parts of it may come from a server."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:300])


def _bare(origin: str) -> str:
    return origin.partition("://")[2] or origin


# Facts


@dataclass(slots=True)
class _Counts:
    """What the stats do not say."""

    begun: float = 0.0
    last: float = 0.0  # when something came
    errands: int = 0
    answered: int = 0
    looks: int = 0
    requests: int = 0  # of looks
    unanswered: int = 0  # looks
    trouble: str = ""
    _reads: deque[float] = field(default_factory=lambda: deque(maxlen=1000))

    def add(self, item: Fetched | FetchFailure, now: float) -> None:
        if isinstance(item, FetchFailure) and not item.counts:
            return
        self.last = now
        self.errands += 1
        if item.errand.look and (isinstance(item, Fetched) or item.retry_in is None):
            is_further = item.errand.kind == "paging"
            self.requests += 1
            self.looks += not is_further
            self.unanswered += isinstance(item, FetchFailure) and not is_further
        if isinstance(item, Fetched):
            if item.page is not None or item.errand.look:
                self._reads.append(now)
            self.answered += item.errand.kind == "answer" and bool(item.outcome)
        if not self.trouble and item.why:
            why = item.why if item.errand.url in item.why else f"{item.errand.url}: {item.why}"
            self.trouble = _clean(why)

    def rate(self, now: float) -> float:
        """Return pages a second in the last half a minute; of a fast crawl in the last thousand pages."""
        recent = [at for at in self._reads if at > now - RATE_WINDOW]
        if not recent:
            return 0.0
        full = len(self._reads) == self._reads.maxlen == len(recent)
        begun = recent[0] if full else max(self.begun, now - RATE_WINDOW)
        return len(recent) / max(now - begun, 0.5)


def _frontier(crawler: Crawler) -> WaitingFrontier | None:
    scheduler: object = crawler.engine.scheduler
    return scheduler if isinstance(scheduler, WaitingFrontier) else None


def _hosts(
    frontier: WaitingFrontier, now: float
) -> tuple[tuple[str, ...], tuple[tuple[float, str, str], ...]]:
    """Return the hosts that are being asked, and those that are paused: for how long and why."""
    active, paused = [], []
    for name, pace, running in frontier.hosts():
        if running:
            active.append(_bare(name))
        elif why := pace.why_paused(now):
            paused.append((pace.ready_at(now) - now, _bare(name), _clean(why)))
    return tuple(active), tuple(sorted(paused))


def _limit(reason: str, settings: BaseSettings) -> str:
    if reason == "memusage_exceeded":
        return f"MEMUSAGE_LIMIT_MB={settings['MEMUSAGE_LIMIT_MB']}"
    if reason == TIME_IS_UP:
        return f"HIDDENWEB_TIME_LIMIT={settings['HIDDENWEB_TIME_LIMIT']}"
    if reason.startswith("closespider_"):
        name = reason.upper()
        return f"{name}={settings[name]}"
    return ""


def _is_ours(url: str) -> bool:
    """Say whether an address is nobody else's: this machine, or a name that is reserved for examples and tests."""
    name = host(url)
    address = literal_address(name)
    if address is not None:
        return address == "::1" or address.startswith("127.")
    return is_localhost(name) or name.endswith((".example", ".test", ".invalid"))


# The terminal


class _Screen:
    """The live lines on the terminal, and the log above them."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stderr, highlight=False)
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=True,
        )
        self._handler = _stderr_handler()
        self._stream = self._handler.stream if self._handler is not None else None
        self._live.start()
        if self._handler is not None:
            self._handler.setStream(_AboveTheLines(self._console))
        atexit.register(self.stop)  # a crawl that is ended by force never says that it ends

    def show(self, lines: Text) -> None:
        self._live.update(lines, refresh=True)

    def stop(self) -> None:
        atexit.unregister(self.stop)
        self._live.stop()
        if self._handler is not None:
            self._handler.setStream(self._stream)


class _AboveTheLines:
    """A stream for log messages that leaves the live lines whole."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def write(self, text: str) -> int:
        if stripped := text.removesuffix("\n"):
            self._console.out(stripped, highlight=False)
        return len(text)

    def flush(self) -> None:
        self._console.file.flush()


def _stderr_handler() -> logging.StreamHandler[Any] | None:
    handler = get_scrapy_root_handler()
    if isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr:
        return handler
    return None


def _log_is_on_stderr() -> bool:
    handler = _stderr_handler()
    return handler is not None and handler.level <= logging.INFO
