"""The frontier, as Scrapy's scheduler.

Tasks wait in the frontier, come into memory a handful at a time for each open host, and become requests only when it is their turn. The links of a
page do not pass here: pipelines add them to the frontier. The seeds of a spider are put into the frontier
too, so the same command resumes; requests that cannot be stored (with callbacks or bodies, by other people's spiders) wait in memory and
are counted.

A host whose robots.txt is not known gets the request for it first: with a callback here, so that it passes neither spiders nor pipelines.
"""

from __future__ import annotations

import gc
import logging
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import _schedule_coro

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.host_rules import RobotsAnswer
from hiddenweb.frontier.address_scope import EVERYWHERE
from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.open_hosts import OpenHosts
from hiddenweb.frontier.protocol import Admission
from hiddenweb.frontier.stopping import TIME_IS_UP, parse_seconds
from hiddenweb.model import (
    CrawlTask,
    FailedTask,
    Fetched,
    FetchFailure,
)
from hiddenweb.store.errors import StateError
from hiddenweb.store.known_scope import reconsider_outside
from hiddenweb.urls import host as host_of
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector
    from twisted.python.failure import Failure

    from hiddenweb.fetch.host_rules import HostRules
    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.frontier.protocol import Frontier
    from hiddenweb.model import HttpQuery

logger = logging.getLogger(__name__)

COMMIT_SECONDS = 0.3
"""What a kill can cost: pages fetched in this time are fetched again. A limit of taste."""

OBJECTS_BETWEEN_COLLECTIONS = 10_000
"""New objects after which Python looks for cycles of garbage; its own 700 are made by half a page and cost a twentieth of the time of a crawl, whose
pages leave next to none (5 objects of 2,022 pages by `python -m benchmarks crawl`)."""

LONGEST_REASON = 500
"""Letters of an error of ours that are stored: a limit of taste."""


class FrontierScheduler(BaseScheduler):
    """Gives Scrapy the next polite request out of the frontier."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls.build(crawler, wake=lambda: _wake(crawler), stop=lambda reason: _stop(crawler, reason))

    @classmethod
    def build(cls, crawler: Crawler, *, wake: Callable[[], None], stop: Callable[[str], None]) -> Self:
        """Return a scheduler of a crawl, which calls `wake` when a request may go, and `stop` when none can any more."""
        context = CrawlContext.open(crawler)
        settings = context.settings
        reconsider_outside(context.store, context.address_scope)
        time_limit = settings.get("HIDDENWEB_TIME_LIMIT")
        scheduler = cls(
            context.frontier,
            context.host_rules,
            HostPace(
                delay=settings.getfloat("HIDDENWEB_DELAY"),
                at_once=settings.getint("HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST"),
                first_pause=settings.getfloat("HIDDENWEB_RETRY_DELAY"),
            ),
            crawler.stats,
            hosts=settings.getint("HIDDENWEB_MAX_OPEN_HOSTS"),
            post_hosts=frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
            seconds=parse_seconds(str(time_limit)) if time_limit else None,
            wake=wake,
            stop=stop,
        )
        scheduler.scope = context.address_scope
        crawler.signals.connect(scheduler.end_task, signals.item_scraped)
        crawler.signals.connect(scheduler.end_task, signals.item_dropped)
        crawler.signals.connect(scheduler.note_pipeline_error, signals.item_error)
        crawler.signals.connect(scheduler.note_spider_error, signals.spider_error)
        return scheduler

    def __init__(
        self,
        frontier: Frontier,
        rules: HostRules,
        pace: HostPace,
        stats: StatsCollector,
        *,
        hosts: int,
        wake: Callable[[], None],
        stop: Callable[[str], None],
        post_hosts: Container[str] = (),
        seconds: float | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.stats = stats
        self.now = now
        self._frontier = frontier
        self._rules = rules
        self._hosts = OpenHosts(frontier, rules, pace, hosts)
        self._post_hosts = post_hosts
        self.scope: AddressScope = EVERYWHERE
        self._wake = wake
        self._stop = stop
        self._seconds = seconds
        self._time_limit: Any = None
        self._memory: deque[Request] = deque()
        self._alarm: Any = None
        self._alarm_at = float("inf")
        self._under_way: set[int] = set()  # links

    # The crawl

    def open(self, spider: Spider) -> None:
        self._frontier.open(spider.name, self.now())
        if self._seconds is not None:
            self._time_limit = call_later(self._seconds, self._stop, TIME_IS_UP)
        gc.freeze()  # modules, tables and patterns stay; searching them for cycles again and again costs a tenth of the time
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        self._committing = create_looping_call(self._commit)
        self._committing.start(COMMIT_SECONDS, now=False)

    def close(self, reason: str) -> None:
        self._committing.stop()
        for alarm in (self._alarm, self._time_limit):
            if alarm is not None:
                alarm.cancel()
        self._hosts.close_all()
        self._count_figures()
        self._frontier.close(reason, self.now())

    def _commit(self) -> None:
        try:
            self._frontier.commit()
        except StateError as error:
            logger.critical("%s", error)
            self._committing.stop()
            self._stop("state_not_writable")

    def _count_figures(self) -> None:
        for name, value in self._frontier.figures().items():
            self.stats.set_value(name, value)

    # Requests

    def has_pending_requests(self) -> bool:
        if self._memory or self._hosts:
            return True
        self._hosts.open_waiting(self.now())
        return bool(self._hosts)

    def enqueue_request(self, request: Request) -> bool:
        if _is_plain(request):
            return self._frontier.add_seed(request.url)
        self.stats.inc_value("hiddenweb/frontier/in_memory")
        self._memory.append(request)
        return True

    def next_request(self) -> Request | None:
        if self._memory:
            return self._memory.popleft()
        now = self.now()
        while (request := self._next_polite_request(now)) is None:
            if not self._hosts.can_open_more():
                self._set_alarm(now)
                return None
        return request

    def _next_polite_request(self, now: float) -> Request | None:
        self._hosts.open_waiting(now)
        while task := self._hosts.next_task(now):
            if request := self._admit(task, now):
                return request
        return None

    def _admit(self, task: CrawlTask, now: float) -> Request | None:
        """Return the request for a task whose turn has come, unless nothing is to be sent for it."""
        if why := self._reason_outside(task):
            self.stats.inc_value("hiddenweb/frontier/outside_patterns")
            self._refuse(task, why, now)
            return None
        admission = self._frontier.admit(task)
        if admission is Admission.REFUSE:
            self._refuse(task, admission.value, now)
        elif admission is Admission.SEND:
            return self._request_for(task, now)
        elif admission is Admission.SKIP:
            self.stats.inc_value("hiddenweb/detail_pages/skipped")
            self._hosts.drop_task(task, now)
        else:
            self._hosts.drop_task(task, now)
            self._frontier.release([task])
            if admission is Admission.LEAVE_SITE:
                self._hosts.close_host(task)
        return None

    def _reason_outside(self, task: CrawlTask) -> str:
        """Return why the user wants no request to an address; that of an answer is refused later, where its conversation hears of it."""
        if not self.scope or (task.answered_submission is not None and not task.is_revisit):
            return ""
        return self.scope.reason_outside(task.url)

    def _request_for(self, task: CrawlTask, now: float) -> Request | None:
        query, meta = task.post_query, {"hiddenweb": task}
        if query is not None and (why := self._reason_not_to_post(task, query)):
            self._refuse(task, why, now)
            return None
        if (robots := self._hosts.hold_for_robots(task, now)) is not None:
            return self._robots_request(robots)
        self._under_way.add(task.link)
        if query is None:
            headers = self._frontier.conditions(task, now)
            return Request(task.url, headers=headers, meta=meta, dont_filter=True)
        headers = {"Content-Type": query.content_type}
        return Request(
            task.url, method=query.method, body=query.body, headers=headers, meta=meta, dont_filter=True
        )

    def _reason_not_to_post(self, task: CrawlTask, query: HttpQuery) -> str:
        if task.was_sent:
            return "a POST is sent at most once"
        if host_of(query.url) not in self._post_hosts:
            self.stats.inc_value("hiddenweb/queries/not_allowed")
            return "it is sent by POST, which is no longer allowed for its host"
        return ""

    def _refuse(self, task: CrawlTask, why: str, now: float) -> None:
        self.stats.inc_value("hiddenweb/frontier/refused")
        self._frontier.refuse(task, why)
        self._hosts.drop_task(task, now)

    # robots.txt

    def _robots_request(self, task: CrawlTask) -> Request | None:
        """Return the request of a robots task; None if the file is being fetched already, which is then waited for."""
        place = origin(task.url)
        if self._rules.is_under_way(place):
            self._rules.call_at_end(place, lambda: self._resume_host(task))
            return None
        self._rules.begin(place)
        self._under_way.add(task.link)
        self.stats.inc_value("hiddenweb/robots/requested")
        errback = partial(self._miss_robots, task)
        return Request(
            task.url, self._read_robots, meta={"hiddenweb": task}, dont_filter=True, errback=errback
        )

    def _resume_host(self, task: CrawlTask) -> None:
        self._hosts.end_task(FetchFailure(task, "", self.now(), 0.0, counts=False), self.now())
        self._wake()

    def _read_robots(self, response: Response) -> None:
        retry_after = (response.headers.get("Retry-After") or b"").decode("latin-1")
        latency = response.meta.get("download_latency", 0.0)
        answer = RobotsAnswer(response.status, response.body, retry_after, latency)
        self._end_robots(response.meta["hiddenweb"], answer)

    def _miss_robots(self, task: CrawlTask, failure: Failure) -> None:
        error = failure.value
        if isinstance(error, Refused):
            self._end_robots(task, error)
        else:
            logger.info("%s: %s", task.url, error)
            self._end_robots(task, RobotsAnswer(error=error if isinstance(error, FetchError) else None))

    def _end_robots(self, task: CrawlTask, answer: RobotsAnswer | Refused) -> None:
        outcome = self._rules.end_task(task, answer, self.now())
        if isinstance(outcome, FetchFailure) and outcome.remedy:
            self.stats.set_value("hiddenweb/run/remedy", outcome.remedy)
        if isinstance(outcome, FetchFailure) and not outcome.refused:
            self.stats.inc_value("hiddenweb/robots/unavailable")
            self._commit()  # what a host asked for holds after a kill too
        self.end_task(outcome)

    # Outcomes

    def end_task(self, item: object) -> None:
        """Note the outcome of a task, so that the next one of its host may go."""
        if not isinstance(item, Fetched | FetchFailure) or item.task.link not in self._under_way:
            return
        self._under_way.discard(item.task.link)
        if (why := self._hosts.end_task(item, self.now())) is not None:
            self.stats.inc_value("hiddenweb/hosts/given_up")
            logger.warning("%s is left for this time: %s", origin(item.task.url), why)
        if self._frontier.depends_on_pages:
            self._wake()

    def note_pipeline_error(self, item: object, failure: Failure) -> None:
        """Note an error of ours in a pipeline; the page counts as failed."""
        if isinstance(item, Fetched | FetchFailure):
            self._fail(item.task, f"keeping it failed: {failure.value!r}")

    def note_spider_error(self, failure: Failure, response: Response | Failure) -> None:
        """Note an error of ours in a spider; the page counts as failed."""
        request = getattr(response, "request", None)
        task = request.meta.get("hiddenweb") if request is not None else None
        if isinstance(task, FailedTask):
            task = task.task
        if isinstance(task, CrawlTask):
            self._fail(task, f"reading it failed: {failure.value!r}")

    def _fail(self, task: CrawlTask, why: str) -> None:
        if task.link not in self._under_way:
            return
        self.stats.inc_value("hiddenweb/frontier/crashed")
        if task.kind == "robots":
            self._end_robots(task, RobotsAnswer())
            return
        failure = FetchFailure(task, why[:LONGEST_REASON], self.now())
        self._frontier.fail(failure)
        self.end_task(failure)

    # For other parts

    def pace_of(self, url: str) -> HostPace:
        """Return the pace of an address's host, for requests that do not pass here; their senders wait for it and note the outcomes."""
        return self._hosts.find_pace(origin(url), self.now())

    def hosts(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of running tasks of every open host."""
        return self._hosts.paces()

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none is queued."""
        return self._hosts.next_turn()

    # Waiting

    def _set_alarm(self, now: float) -> None:
        """Have Scrapy call again when the next host is ready; by itself it does so every five seconds."""
        turn = self._hosts.next_turn()
        if turn is None:
            return
        if self._alarm is not None and now < self._alarm_at <= turn:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = turn
        self._alarm = call_later(max(0.0, turn - now), self._ring)

    def _ring(self) -> None:
        self._alarm, self._alarm_at = None, float("inf")
        self._wake()


def _is_plain(request: Request) -> bool:
    return request.method == "GET" and not request.body and request.callback is None and not request.cb_kwargs


def _stop(crawler: Crawler, reason: str) -> None:
    if crawler.engine is not None:
        _schedule_coro(crawler.engine.close_spider_async(reason=reason))


def _wake(crawler: Crawler) -> None:
    slot = crawler.engine._slot if crawler.engine else None  # Scrapy has no public way to be called again
    if slot is not None:
        slot.nextcall.schedule()
