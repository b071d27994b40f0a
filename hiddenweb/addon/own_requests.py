"""The requests that submit forms in the crawl of a spider that is not ours.

A frontier of ours says which query may go next, at the pace of its host and after its robots.txt. It goes out as a request of the spider's crawl: through
its scheduler, its middlewares, its stats and its limits. Marks keep Scrapy's own middlewares from following its redirects, retrying
it, caching it or giving it cookies; that is decided by us, and the last middleware sends it with our client, under the address guard.

Records that an answer brings are items of the spider: they pass its pipelines and go into its feeds.
"""

from __future__ import annotations

import json
import logging
import time
from typing import TYPE_CHECKING, Any, Protocol

from scrapy import Request
from scrapy.exceptions import DontCloseSpider

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.feeds.record_reports import RecordReports
from hiddenweb.fetch.http_status import RetryPolicy
from hiddenweb.html.document import PARSED
from hiddenweb.model import CrawlTask, FailedTask, Fetched, FetchFailure
from hiddenweb.signals import record_found
from hiddenweb.spiders.explore import read_failure, read_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from hiddenweb.querying.conversation import Conversation
    from hiddenweb.scheduler import FrontierScheduler
    from hiddenweb.store.chosen_forms import ChosenForms

logger = logging.getLogger(__name__)

LONGEST_REASON = 500
"""Letters of an error of another part that are stored: a limit of taste."""

MARKS = {
    "dont_redirect": True,
    "dont_retry": True,
    "dont_merge_cookies": True,
    "dont_cache": True,
    "dont_obey_robotstxt": True,  # ours decides, with the rules of the state
    "handle_httpstatus_all": True,
    "allow_offsite": True,  # forms may be submitted to another host of their site
}
"""What keeps Scrapy's middlewares from deciding about a request of ours."""


UNREPORTED = "unreported records"
"""The part of the knowledge with the records that a limit kept from becoming items, by the name of the spider."""

RECORDS, NOWHERE = "records", "data:,records"
"""What a request carries, and its address, that is sent nowhere: its callback yields the records that are left at the end."""


class AnswerPipeline(Protocol):
    """A pipeline of ours that takes answers at once."""

    def process_item(self, item: object) -> object:
        """Take what came of a task; return what becomes of it."""


class OwnRequests:
    """Hands out requests of ours, and reads their answers."""

    def __init__(
        self,
        crawler: Crawler,
        conversation: Conversation,
        forms: ChosenForms,
        pipelines: Sequence[AnswerPipeline],
        build_scheduler: Callable[[OwnRequests, Crawler], FrontierScheduler],
        *,
        submits: bool,
    ) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._conversation = conversation
        self._forms = forms
        self._pipelines = pipelines
        self._submits = self._yields = submits
        self._store = CrawlContext.open(crawler).store
        self._retries = RetryPolicy(
            times=settings.getint("HIDDENWEB_RETRIES"), delay=settings.getfloat("HIDDENWEB_RETRY_DELAY")
        )
        self._agent: str = settings["USER_AGENT"]
        self._scheduler = build_scheduler(self, crawler)
        self._sent: dict[int, CrawlTask] = {}  # by link: under way
        reports = RecordReports.find(crawler)
        assert reports is not None, "the pipeline of records connects them"
        self._reports = reports
        self._rows: list[dict[str, Any]] = []  # records that are not items of the spider yet
        self._spider = ""
        if submits:
            crawler.signals.connect(self._collect, record_found)

    # The crawl

    def open(self, spider: Spider) -> None:
        """Begin a crawl, with the records that were no items yet when the last one of the spider ended."""
        self._spider = spider.name
        self._scheduler.open(spider)
        if self._yields and (left := self._store.knowledge.get(UNREPORTED, self._spider)):
            self._rows += json.loads(left)

    def stop(self, reason: str) -> None:
        """Hand out no more requests."""
        self._submits = False
        logger.debug("No more queries: %s", reason)

    def close(self, reason: str) -> None:
        """End the crawl; what waits is submitted by the next one, and records that are no items yet are then."""
        if self._yields:
            self._reports.finish()
            left = json.dumps(self._rows, ensure_ascii=False, default=str) if self._rows else ""
            self._store.knowledge.put(UNREPORTED, self._spider, left)
        self._scheduler.close(reason)

    def keep_open(self) -> None:
        """Keep an idle crawl open while queries wait for their turn, or records to become items."""
        if self._submits and self._sent:  # nothing is under way any more
            self._crawler.stats.inc_value("hiddenweb/addon/lost", len(self._sent))
            logger.warning(
                "Another part of this crawl drops requests of hiddenweb, such as %s: no more forms are queried",
                next(iter(self._sent.values())).url,
            )
            self.stop("requests were lost")
        self.feed()
        if self._submits and self._scheduler.has_pending_requests():
            raise DontCloseSpider
        self._reports.finish()
        if self._rows:
            request = Request(
                NOWHERE, self._yield_rows, meta={"hiddenweb": RECORDS, **MARKS}, dont_filter=True
            )
            self._crawler.engine.crawl(request)
            raise DontCloseSpider

    # Sites

    def begin_site(self, site: int) -> None:
        """Resume the queries to a site whose page was read for the first time in this crawl."""
        if self._submits:
            self._conversation.on_start(site)
            self.choose_forms(site)
            self._store.sites.wake(site)

    def choose_forms(self, site: int) -> None:
        """Query the forms of a site that may be submitted."""
        if self._submits:
            self._forms.add(form.id for form in self._store.forms.load_site(site) if form.verdict.may_submit)

    # Requests

    def feed(self) -> None:
        """Hand out the requests that may go now."""
        engine = self._crawler.engine
        while self._submits and (request := self._scheduler.next_request()) is not None:
            engine.crawl(self._marked(request))

    def _marked(self, request: Request) -> Request:
        meta = {**request.meta, **MARKS}
        if request.callback is not None:  # robots.txt, which the scheduler reads
            return request.replace(
                callback=self._then_feed(request.callback),
                errback=self._then_feed(request.errback) if request.errback is not None else None,
                meta=meta,
            )
        task: CrawlTask = request.meta["hiddenweb"]
        self._sent[task.link] = task
        return request.replace(callback=self.read, errback=self.miss, meta=meta)

    def _then_feed(self, read: Callable[[Any], object]) -> Callable[[Any], None]:
        def read_and_feed(outcome: Any) -> None:
            read(outcome)
            self.feed()

        return read_and_feed

    # Answers

    async def read(self, response: Response) -> AsyncIterator[dict[str, Any]]:
        """Read the answer to a request of ours, and yield the records that it brings."""
        task = response.meta["hiddenweb"]
        if isinstance(task, FailedTask):
            item: Fetched | FetchFailure = read_failure(task.task, task.error, self._retries)
        else:
            item = read_response(task, response, self._agent, self._retries, on_parse=self._count_parse)
        for row in self._end(item):
            yield row

    async def miss(self, failure: Failure) -> AsyncIterator[dict[str, Any]]:
        """Note that another part of the crawl has ended a request of ours with an error."""
        task = failure.request.meta["hiddenweb"]  # type: ignore[attr-defined]
        if isinstance(task, FailedTask):
            task = task.task
        why = f"another part of the crawl refused it: {failure.value!r}"[:LONGEST_REASON]
        for row in self._end(FetchFailure(task, why, time.time(), refused=True)):
            yield row

    def _end(self, item: Fetched | FetchFailure) -> list[dict[str, Any]]:
        """Store an outcome, and hand out what follows from it; return the records of which no more is expected."""
        self._sent.pop(item.task.link, None)
        result: object = self._conversation.on_item(item).result
        for pipeline in self._pipelines:
            result = pipeline.process_item(result)
        self._reports.note(result)
        self._reports.look()  # at once: items count for the limits of the crawl
        self._scheduler.end_task(result)
        self.choose_forms(item.task.site)
        self.feed()
        return self._take_rows()

    def _yield_rows(self, _: Response) -> list[dict[str, Any]]:
        return self._take_rows()

    def _collect(self, row: dict[str, Any]) -> None:
        self._rows.append(row)

    def _take_rows(self) -> list[dict[str, Any]]:
        rows = list(self._rows)
        self._rows.clear()
        return rows

    def _count_parse(self) -> None:
        self._crawler.stats.inc_value(PARSED)
