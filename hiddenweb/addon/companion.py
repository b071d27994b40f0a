"""What works beside a spider that is not ours: its pages go into a state of ours, and their search forms are submitted if it wants that.

There is one companion in a crawl; two middlewares share it. Its requests pass through the spider's own scheduler and middlewares like all others,
with marks that keep these from changing them (`hiddenweb.addon.own_requests`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals

from hiddenweb.addon.own_requests import OwnRequests
from hiddenweb.addon.page_intake import PageIntake
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.middlewares.form_submission import build_conversation
from hiddenweb.pipelines.changes import ChangesPipeline
from hiddenweb.pipelines.duplicates import DuplicatesPipeline
from hiddenweb.pipelines.extraction import ExtractionPipeline
from hiddenweb.pipelines.frontier import FrontierPipeline
from hiddenweb.pipelines.pages import PagesPipeline
from hiddenweb.pipelines.records import RecordsPipeline
from hiddenweb.pipelines.search_index import SearchIndexPipeline
from hiddenweb.scheduler import FrontierScheduler
from hiddenweb.store.chosen_forms import ChosenForms
from hiddenweb.store.form_frontier import FormFrontier

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_NAME = "hiddenweb_companion"


class Companion:
    """The parts of ours that work beside a spider."""

    @classmethod
    def open(cls, crawler: Crawler) -> Self:
        """Return the companion of a crawl; the first call makes it."""
        companion: Self | None = getattr(crawler, _NAME, None)
        if companion is None:
            companion = cls(crawler)
            setattr(crawler, _NAME, companion)
            crawler.signals.connect(companion.start, signals.spider_opened)
            crawler.signals.connect(companion.requests.keep_open, signals.spider_idle)
            crawler.signals.connect(companion.finish, signals.spider_closed)
        return companion

    def __init__(self, crawler: Crawler) -> None:
        context, settings = CrawlContext.open(crawler), crawler.settings
        forms, submits = ChosenForms(context.store, ()), settings.getbool("HIDDENWEB_ADDON_QUERY")
        context.frontier = FormFrontier(
            context.store, forms, context.budget, context.detail_pages, submits=submits
        )
        conversation = build_conversation(crawler)
        self._index = SearchIndexPipeline.from_crawler(crawler)
        self._changes = (
            ChangesPipeline.from_crawler(crawler) if settings.getbool("HIDDENWEB_ADDON_CHANGES") else None
        )
        records = RecordsPipeline.from_crawler(crawler)
        storing = (
            DuplicatesPipeline.from_crawler(crawler),
            PagesPipeline.from_crawler(crawler),
            records,
            ExtractionPipeline.from_crawler(crawler),
            self._index,
        )
        self.requests = OwnRequests(
            crawler,
            conversation,
            forms,
            (*storing, FrontierPipeline.from_crawler(crawler)),
            self._build_scheduler,
            submits=submits,
        )
        self._intake = PageIntake(
            crawler,
            conversation if submits or settings.getbool("HIDDENWEB_ADDON_FORMS") else None,
            storing,
            (self._changes, records, self._index) if self._changes is not None else (),
            self.requests,
        )
        self._crawler = crawler
        self._is_started = False

    def _build_scheduler(self, requests: OwnRequests, crawler: Crawler) -> FrontierScheduler:
        return FrontierScheduler.build(crawler, wake=requests.feed, stop=requests.stop)

    async def start(self, spider: Spider) -> None:
        """Begin a crawl."""
        self.requests.open(spider)
        self._index.open_spider()
        if self._changes is not None:
            await self._changes.open_spider()
        self._is_started = True

    async def take(self, response: Response) -> None:
        """Take a page of the spider into the state."""
        if self._is_started:
            await self._intake.take(response)

    async def finish(self, reason: str) -> None:
        """End the crawl: all that was read is stored, and indexed if that is wanted."""
        if not self._is_started:
            return
        self.requests.stop(reason)
        if self._changes is not None:
            await self._changes.close_spider()
        await self._index.close_spider()
        self.requests.close(reason)
