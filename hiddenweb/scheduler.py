"""The frontier, as Scrapy's scheduler.

Links wait in the state on disk, come into memory a handful at a time for each open host, and become requests only
when it is their turn. What a page links to does not pass here at all: pipelines hand it to the state in one batch.
Requests that a spider or a middleware yields are put into the state too, so the same command resumes; those that
cannot be written down (callbacks or bodies of somebody else's spider) wait in memory and are counted.
"""

from __future__ import annotations

import gc
import logging
import time
from collections import deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import _schedule_coro

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.host_queues import HostQueues
from hiddenweb.frontier.scope import ASKED, FIRST
from hiddenweb.frontier.stopping import (
    TIME_IS_UP,
    SiteBudget,
    common_shape,
    reason_to_leave,
    reason_to_spare_records,
    reason_to_stop_exploring,
    seconds_of,
)
from hiddenweb.model import (
    CrawlTask,
    FailedTask,
    Fetched,
    FetchFailure,
    PlannedQuery,
    PostSeed,
    RetriedTask,
    TaskSeed,
)
from hiddenweb.signals import host_paced
from hiddenweb.store.detail_pages import DetailPages
from hiddenweb.store.errors import StateError
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

    from hiddenweb.forms.stored_form import Submission
    from hiddenweb.store.chosen_forms import ChosenForms
    from hiddenweb.store.database import Store
    from hiddenweb.store.focused import FocusedStore
    from hiddenweb.store.link_automata import LinkAutomata
    from hiddenweb.store.revisits import RevisitStore

logger = logging.getLogger(__name__)

MOST_FAILURES = 10
"""In a row, of one host: then it is left for this run."""

LONGEST_WAIT = 3 * 3600.0
"""Seconds for which a run waits for a host that asks to be left in peace."""

MOST_PACES = 10_000
"""Hosts whose pace is held in memory."""

UNLIMITED = SiteBudget(pages=1_000_000, nothing_new=1_000_000, explored=1_000_000, record_pages=1_000_000)
"""For crawls that others limit."""

COMMIT_SECONDS = 0.3
"""What a kill can cost: pages fetched in this time are fetched again."""


class FrontierScheduler(BaseScheduler):
    """Gives Scrapy the next polite request out of the state."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        context = CrawlContext.open(crawler)
        most_time = settings.get("HIDDENWEB_TIME_LIMIT")
        scheduler = cls(
            context.store,
            HostPace(
                delay=settings.getfloat("HIDDENWEB_DELAY"),
                at_once=settings.getint("HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST"),
                first_pause=settings.getfloat("HIDDENWEB_RETRY_DELAY"),
            ),
            hosts=settings.getint("HIDDENWEB_MAX_OPEN_HOSTS"),
            post_hosts=frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
            asking=settings.getbool("HIDDENWEB_SUBMIT"),
            stages=context.focused,
            automata=context.automata,
            sites=settings.getint("HIDDENWEB_CONCURRENT_SITES"),
            forms=context.chosen_forms,
            looks=context.revisits,
            patience=SiteBudget(
                pages=settings.getint("HIDDENWEB_PAGES_PER_SITE"),
                nothing_new=settings.getint("HIDDENWEB_MAX_DUPLICATES_PER_SITE"),
                explored=settings.getint("HIDDENWEB_EXPLORED_PAGES_PER_SITE"),
                record_pages=settings.getint("HIDDENWEB_DETAIL_PAGES_PER_SITE"),
            ),
            seconds=seconds_of(str(most_time)) if most_time else None,
            details=context.detail_pages,
            stats=crawler.stats,
            wake=lambda: _wake(crawler),
            stop=lambda reason: _stop(crawler, reason),
        )
        crawler.signals.connect(scheduler.errand_ended, signals.item_scraped)
        crawler.signals.connect(scheduler.errand_ended, signals.item_dropped)
        crawler.signals.connect(scheduler.errand_crashed, signals.item_error)
        crawler.signals.connect(scheduler.reading_crashed, signals.spider_error)
        crawler.signals.connect(scheduler.slow_down, host_paced)
        return scheduler

    def __init__(
        self,
        state: Store,
        manners: HostPace,
        *,
        hosts: int,
        stats: StatsCollector,
        wake: Callable[[], None],
        stop: Callable[[str], None],
        post_hosts: Container[str] = (),
        asking: bool = True,
        stages: FocusedStore | None = None,
        automata: LinkAutomata | None = None,
        sites: int = 1,
        forms: ChosenForms | None = None,
        looks: RevisitStore | None = None,
        patience: SiteBudget = UNLIMITED,
        seconds: float | None = None,
        details: DetailPages | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.state = state
        self.manners = manners
        self.stats = stats
        self.now = now
        self._most_hosts = hosts
        self._post_hosts = post_hosts
        self._wake = wake
        self._stop = stop
        self._given_up: set[int] = set()
        self._asking = asking
        self._stages = stages
        self._automata = automata
        self._most_sites = sites
        self._looks = looks
        self._forms = forms or looks
        self._patience = patience
        self._seconds = seconds
        self._details = details or DetailPages(state)
        self._time_is_up: Any = None
        if self._forms is not None:
            self._queues = HostQueues(partial(self._forms.lease, asking=asking))
        elif stages is None:
            self._queues = HostQueues(partial(state.frontier.lease, asking=asking))
        else:  # one at a time: what comes next depends on what came
            self._queues = HostQueues(partial(stages.lease, asking=asking), batch=1)
        self._paces: dict[str, HostPace] = {}
        self._memory: deque[Request] = deque()
        self._more_on_disk = True
        self._cursor = self._opened = 0
        self._alarm: Any = None
        self._alarm_at = float("inf")
        self._under_way: set[int] = set()

    # What Scrapy asks

    def open(self, spider: Spider) -> None:
        self.spider = spider
        self._run = self.state.runs.begin(spider.name, self.now())
        if self._stages is not None:
            self._more_on_disk = False  # the stages say which sites are opened
            if self._asking:
                self._stages.take_up_questions()
        if self._forms is not None:
            self._more_on_disk = False  # they say which hosts are opened
            for site in self._forms.take_up():
                self._leave_if_spent(site)
        if self._seconds is not None:
            self._time_is_up = call_later(self._seconds, self._stop, TIME_IS_UP)
        gc.freeze()  # modules, tables and patterns stay; to look through them for cycles again and again costs a tenth of the time
        self._committing = create_looping_call(self._commit)
        self._committing.start(COMMIT_SECONDS, now=False)

    def close(self, reason: str) -> None:
        self._committing.stop()
        for alarm in (self._alarm, self._time_is_up):
            if alarm is not None:
                alarm.cancel()
        self._release(self._queues.drop_all())
        self.state.sites.leave_stopped()
        if self._forms is not None:
            self._forms.leave()
        self._count_ranking()
        self.state.runs.end(self._run, reason, self.now())
        self.state.commit()

    def _commit(self) -> None:
        try:
            self.state.commit()
        except StateError as error:
            logger.critical("%s", error)
            self._committing.stop()
            self._stop("state_not_writable")

    def has_pending_requests(self) -> bool:
        if self._memory or self._queues:
            return True
        self._open_hosts(self.now())
        return bool(self._queues)

    def enqueue_request(self, request: Request) -> bool:
        match request.meta.get("hiddenweb"):
            case PlannedQuery() as question:
                bucket = ASKED if self._automata is None else self._automata.bucket_of_question(question.form)
                number = self.state.submissions.plan(
                    question.form,
                    question.query,
                    question.chooser,
                    self.now(),
                    bucket=bucket,
                    reason=question.reason,
                    not_before=question.not_before,
                )
                return number is not None
            case TaskSeed() as link:
                return bool(self.state.frontier.add([link]).new)
            case PostSeed() as post:
                return self.state.frontier.add_post(post)
            case RetriedTask() as again:
                return self.state.submissions.retry_page(again.link)
        if not _is_plain(request):
            self.stats.inc_value("hiddenweb/frontier/in_memory")
            self._memory.append(request)
            return True
        if self._stages is not None:
            self._stages.start([request.url])
            return True
        self._leave_if_spent(self.state.sites.want(request.url))
        added = self.state.frontier.add([TaskSeed(request.url, "page", FIRST)])
        return bool(added.new) or self.state.frontier.retry(request.url)

    def next_request(self) -> Request | None:
        if self._memory:
            return self._memory.popleft()
        now = self.now()
        while (request := self._next_polite_request(now)) is None:
            if self._can_open_sites():  # one that rested or ended a moment ago made room
                continue
            if not self._more_on_disk or len(self._queues) >= self._most_hosts:
                self._set_alarm(now)
                return None
        return request

    def _next_polite_request(self, now: float) -> Request | None:
        self._open_hosts(now)
        while errand := self._queues.next(now):
            if self.state.sites.is_left(errand.site):
                self._leave(errand)
            elif not errand.look and self.state.sites.is_stopped(errand.site, errand.kind):
                self._queues.not_sent(errand.host, now)
                self._release([errand])
            elif (
                not errand.look
                and self.state.sites.has_closed_shapes(errand.site)
                and self._is_closed(errand)
            ):
                self._refuse(errand, "pages like it brought nothing new", now)
            elif not errand.look and self._details.spare(errand):
                self.stats.inc_value("hiddenweb/details/spared")
                self._queues.not_sent(errand.host, now)
            elif request := self._request(errand, now):
                self._under_way.add(errand.link)
                return request
        return None

    # Hosts

    def _open_hosts(self, now: float) -> None:
        if self._stages is not None:
            self._open_sites(now)
        hurried, self.state.sites.urgent_hosts = self.state.sites.urgent_hosts, set()
        for host in hurried:
            if host in self._queues:
                self._release(self._queues.give_back(host))
        woken, self.state.sites.woken_hosts = self.state.sites.woken_hosts, set()
        for host in woken:
            if host in self._queues:
                self._queues.wake(host, now)
            elif len(self._queues) < self._most_hosts:
                self._open_host(host, now)
            elif self._stages is None and self._forms is None:
                self._more_on_disk = True
            else:
                self.state.sites.woken_hosts.add(host)
        while self._more_on_disk and len(self._queues) < self._most_hosts:
            self._open_next_on_disk(now)

    def _open_sites(self, now: float) -> None:
        """Open sites that the first stage chooses, as many as may be explored at once."""
        assert self._stages is not None
        while self._stages.open_sites < self._most_sites:
            begun = time.perf_counter()
            opened = self._stages.open_site(now)
            self.stats.max_value("hiddenweb/locating/slowest_choice_ms", 1000 * (time.perf_counter() - begun))
            if not opened:
                return
            self.stats.inc_value("hiddenweb/locating/sites_opened")
            self.stats.set_value("hiddenweb/locating/sites_waiting", self._stages.waiting)

    def _can_open_sites(self) -> bool:
        stages = self._stages
        return stages is not None and stages.waiting > 0 and stages.open_sites < self._most_sites

    def _count_ranking(self) -> None:
        """Say what ranking again cost."""
        if self._stages is not None:
            frontier = self._stages.stages.frontier
            self.stats.set_value("hiddenweb/locating/ranked_again", frontier.ranked_again)
            self.stats.set_value("hiddenweb/locating/ranking_seconds", round(frontier.seconds, 3))

    def _open_next_on_disk(self, now: float) -> None:
        """Open the next host that waits on disk; a whole round that opened none was the last."""
        found = self.state.frontier.find_waiting_host(self._cursor)
        if found is None:
            self._more_on_disk, self._cursor, self._opened = self._opened > 0, 0, 0
            return
        self._cursor = found
        if found not in self._queues and self._open_host(found, now):
            self._opened += 1

    def _open_host(self, number: int, now: float) -> bool:
        host = self.state.sites.load_host(number)
        if self._stages is None and self._looks is None:
            self._leave_if_spent(host.site)
        if self.state.sites.is_left(host.site) or number in self._given_up:
            return False
        pace = self._pace(host.origin)
        if host.paused_until > now:
            pace.pause(host.paused_until, host.paused_why)
        self._queues.open(number, host.origin, pace, now)
        return True

    def _leave_if_spent(self, site: int) -> None:
        """Leave a site that has had its pages, before it gets one more."""
        if self.state.sites.is_left(site):
            return
        progress, patience = self.state.sites.load_progress(site), self._patience
        if why := reason_to_leave(progress.pages, patience):
            self.state.sites.leave(site, why)
        if why := reason_to_stop_exploring(progress.explored, progress.nothing_new, patience):
            self.state.sites.stop(site, "page", why)
        if why := reason_to_spare_records(progress.record_pages, patience):
            self.state.sites.stop(site, "record", why)

    def _pace(self, place: str) -> HostPace:
        name = place.partition("://")[2]
        if name not in self._paces:
            if len(self._paces) >= MOST_PACES:
                self._forget_paces()
            self._paces[name] = replace(self.manners)
        return self._paces[name]

    def _forget_paces(self) -> None:
        """Let go of the paces of hosts that are not open and not in trouble."""
        opened, now = {id(pace) for _, pace, _ in self._queues.paces()}, self.now()
        self._paces = {
            name: pace
            for name, pace in self._paces.items()
            if id(pace) in opened or pace.active or pace.failures or pace.pause_left(now)
        }

    def slow_down(self, place: str, delay: float) -> None:
        """Obey the Crawl-delay of a host, named by its origin."""
        pace = self._pace(place)
        pace.crawl_delay = max(pace.crawl_delay, delay)

    # Requests

    def _request(self, errand: CrawlTask, now: float) -> Request | None:
        arguments: dict[str, Any] = {}
        if self._looks is not None:
            arguments = {"headers": self._looks.headers(errand, now)}
        elif errand.kind == "answer" and errand.submission is not None and not errand.redirects:
            submission = self.state.submissions.load(errand.submission)
            assert submission is not None
            if submission.query.method != "GET":
                if why := self._reason_not_to_post(submission):
                    self.state.submissions.mark_failed(errand.submission, why)
                    self._refuse(errand, why, now)
                    return None
                arguments = {
                    "method": submission.query.method,
                    "body": submission.query.body,
                    "headers": {"Content-Type": submission.query.content_type},
                }
        elif post := self.state.frontier.load_post(errand):
            if why := self._reason_not_to_send(errand.url, is_sent=post.sent is not None):
                self._refuse(errand, why, now)
                return None
            arguments = {
                "method": "POST",
                "body": post.body,
                "headers": {"Content-Type": post.content_type},
            }
        return Request(
            errand.url,
            meta={"hiddenweb": errand},
            dont_filter=True,
            **arguments,
        )

    def _reason_not_to_post(self, submission: Submission) -> str:
        return self._reason_not_to_send(submission.query.url, is_sent=submission.state != "planned")

    def _reason_not_to_send(self, url: str, *, is_sent: bool) -> str:
        if is_sent:
            return "a POST is sent at most once"
        if host_of(url) not in self._post_hosts:
            self.stats.inc_value("hiddenweb/queries/not_allowed")
            return "it is sent by POST, which is no longer allowed for its host"
        return ""

    def _is_closed(self, errand: CrawlTask) -> bool:
        return errand.kind == "page" and self.state.sites.is_shape_closed(
            errand.site, common_shape(errand.url)
        )

    def _refuse(self, errand: CrawlTask, why: str, now: float) -> None:
        self.stats.inc_value("hiddenweb/frontier/refused")
        if self._stages is not None:
            self._stages.skipped(errand)
        self.state.frontier.refuse(errand, why)
        self._queues.not_sent(errand.host, now)

    def _leave(self, errand: CrawlTask) -> None:
        if self._stages is not None:
            self._stages.give_up(errand.site)
        self._queues.not_sent(errand.host, self.now())
        self._release([errand, *self._queues.drop(errand.host)])

    def _release(self, errands: list[CrawlTask]) -> None:
        (self._looks or self.state.frontier).release(errands)

    # What became of them

    def errand_ended(self, item: object) -> None:
        """Let the next errand of a host go."""
        if not isinstance(item, Fetched | FetchFailure):
            return
        now, errand = self.now(), item.errand
        if errand.link not in self._under_way:
            return
        self._under_way.discard(errand.link)
        pace = self._pace(origin(errand.url))
        self._tell_pace(pace, item, now)
        self._queues.finished(errand.host, pace, now)
        if pace.failures >= MOST_FAILURES or pace.pause_left(now) > LONGEST_WAIT:
            self._give_up(errand, pace, now)
        if self._stages is not None:
            self._wake()  # the next link depends on the page that was just read

    def _give_up(self, errand: CrawlTask, pace: HostPace, now: float) -> None:
        """Leave a host for this run that does not answer, or not for long; its links wait for the next."""
        if errand.host not in self._queues:
            return
        self._given_up.add(errand.host)
        self.stats.inc_value("hiddenweb/hosts/given_up")
        logger.warning("%s is left for this time: %s", origin(errand.url), pace.why_paused(now))
        if self._stages is not None:
            self._stages.give_up(errand.site)
        self._release(self._queues.drop(errand.host))

    def _tell_pace(self, pace: HostPace, item: Fetched | FetchFailure, now: float) -> None:
        if isinstance(item, Fetched):
            pace.answered(now, item.latency)
            return
        if item.host_pause is not None:
            pace.pause(now + item.host_pause, item.why)
        if item.refused or not item.counts:
            pace.ended(now)
        else:
            pace.failed(now, item.why)

    def errand_crashed(self, item: object, failure: Failure) -> None:
        """Note an error of ours in keeping what came; the page counts as missed."""
        if isinstance(item, Fetched | FetchFailure):
            self._crashed(item.errand, f"keeping it failed: {failure.value!r}")

    def reading_crashed(self, failure: Failure, response: Response | Failure) -> None:
        """Note an error of ours in reading what came; the page counts as missed."""
        request = getattr(response, "request", None)
        errand = request.meta.get("hiddenweb") if request is not None else None
        if isinstance(errand, FailedTask):
            errand = errand.errand
        if isinstance(errand, CrawlTask):
            self._crashed(errand, f"reading it failed: {failure.value!r}")

    def _crashed(self, errand: CrawlTask, why: str) -> None:
        if errand.link not in self._under_way:
            return
        self.stats.inc_value("hiddenweb/frontier/crashed")
        if errand.submission is not None and errand.kind == "answer":
            self.state.submissions.mark_failed(errand.submission, why[:500])
        missed = FetchFailure(errand, why[:500], self.now())
        if self._stages is not None:
            self._stages.missed(errand)
        self.state.frontier.fail(missed)
        self.errand_ended(missed)

    # What others ask

    def pace_of(self, url: str) -> HostPace:
        """Return the pace of an address's host, for requests that do not pass here; whoever sends one waits for it and tells it."""
        return self._pace(origin(url))

    def hosts(self) -> Iterator[tuple[str, HostPace, int]]:
        """Yield the name, the pace and the number of running errands of every open host."""
        return self._queues.paces()

    def next_turn(self) -> float | None:
        """Return when the next host is ready; None if none is in line."""
        return self._queues.next_turn()

    # Waiting

    def _set_alarm(self, now: float) -> None:
        """Have Scrapy ask again when the next host is ready; it would do so every five seconds only."""
        turn = self._queues.next_turn()
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
    slot = crawler.engine._slot if crawler.engine else None  # Scrapy has no public way to be asked again
    if slot is not None:
        slot.nextcall.schedule()
