"""Taking the pages of a spider that is not ours into the state.

A page gets a link of the frontier, which stays as it is: nothing here follows links, and a later `explore` of the site still may. The rest is done by the
pipelines of our own crawls. What a page shows is reported with signals, stats and log lines; the spider need not know of it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from scrapy.http.request import NO_CALLBACK

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.http_status import RetryPolicy
from hiddenweb.forms.stored_form import form_hash
from hiddenweb.frontier.scope import FIRST
from hiddenweb.html.document import PARSED
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.pipelines.frontier import release_documents
from hiddenweb.signals import form_found
from hiddenweb.spiders.explore import read_response
from hiddenweb.store.frontier import ANSWERS
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from hiddenweb.model import CrawlTask
    from hiddenweb.querying.conversation import Conversation

logger = logging.getLogger(__name__)

HTTP = ("http://", "https://")
"""How the addresses begin of pages that are taken."""


class PagePipeline(Protocol):
    """A pipeline of ours that takes pages."""

    def process_item(self, item: object) -> object | Awaitable[object]:
        """Take what came of a task."""


class SiteQueries(Protocol):
    """What submits the forms of sites."""

    def begin_site(self, site: int) -> None:
        """Resume the queries to a site whose page was read for the first time in this crawl."""

    def choose_forms(self, site: int) -> None:
        """Query the forms of a site that may be submitted."""

    def feed(self) -> None:
        """Hand out the requests that may go now."""


class PageIntake:
    """Takes pages: judges their forms, compares them with what they said before, stores them, and has them indexed."""

    def __init__(
        self,
        crawler: Crawler,
        conversation: Conversation | None,
        storing: Sequence[PagePipeline],
        comparing: Sequence[PagePipeline],
        queries: SiteQueries,
    ) -> None:
        """Take a conversation if forms are wanted, and the pipelines for new pages and for known ones; without the second all are as new."""
        self._crawler = crawler
        self._store = CrawlContext.open(crawler).store
        self._revisits = RevisitStore(self._store)
        self._conversation = conversation
        self._storing = storing
        self._comparing = comparing
        self._queries = queries
        self._agent: str = crawler.settings["USER_AGENT"]
        self._sites: set[int] = set()  # met in this crawl
        self._forms: set[tuple[int, int]] = set()  # met in this crawl: their sites and hashes

    async def take(self, response: Response) -> None:
        """Take a page; an error of ours costs this page, not the crawl."""
        if not _is_page(response):
            return
        try:
            await self._take(response)
        except Exception:  # the spider is not to suffer from what is wrong with a page, or with us
            self._count("hiddenweb/addon/failed")
            logger.exception("%s: the page was not taken into the state", response.url)

    async def _take(self, response: Response) -> None:
        task = self._task_for(response.url)
        if task is None or task.kind in ANSWERS:
            return
        fetched = self._read(task, response)
        if not isinstance(fetched, Fetched) or fetched.page is None:
            return
        self._count("hiddenweb/addon/pages")
        if task.site not in self._sites:
            self._sites.add(task.site)
            self._queries.begin_site(task.site)
        result: object = fetched
        if self._conversation is not None and fetched.page.forms:
            result = self._conversation.on_item(fetched).result
            self._queries.choose_forms(task.site)
            self._report_forms(fetched)
        if self._comparing and self._revisits.load(task) is not None:
            revisit = replace(task, is_revisit=True)
            revisited = replace(fetched, task=revisit, marks=tuple(response.flags))  # parsed already
            await run_pipelines(self._comparing, revisited)
        else:
            result = await run_pipelines(self._storing, result)
        release_documents(fetched)
        if isinstance(result, Fetched):
            release_documents(result)
        self._queries.feed()

    def _task_for(self, url: str) -> CrawlTask | None:
        self._store.sites.want(url)
        self._store.frontier.add([TaskSeed(url, "page", FIRST)])
        return self._store.frontier.find_task(url)

    def _read(self, task: CrawlTask, response: Response) -> object:
        return read_response(
            task, response, self._agent, RetryPolicy(times=0), on_parse=partial(self._count, PARSED)
        )

    def _report_forms(self, fetched: Fetched) -> None:
        assert fetched.page is not None
        site = fetched.task.site
        for form in fetched.page.forms:
            key = (site, form_hash(form))
            if key in self._forms:
                continue
            self._forms.add(key)
            stored = self._store.forms.find(site, form)
            if stored is not None:
                logger.info("%s: form %d: %s", fetched.url, stored.id, stored.verdict.summary)
                self._crawler.signals.send_catch_log(form_found, form=stored)

    def _count(self, stat: str) -> None:
        self._crawler.stats.inc_value(stat)


async def run_pipelines(pipelines: Sequence[PagePipeline], item: object) -> object:
    """Pass an item through pipelines; return what becomes of it."""
    for pipeline in pipelines:
        result = pipeline.process_item(item)
        item = await result if isinstance(result, Awaitable) else result
    return item


def _is_page(response: Response) -> bool:
    """Say whether a response is a page that the spider reads: no error, no file of a media pipeline, no answer to a POST."""
    request = response.request
    return (
        request is not None
        and request.method == "GET"
        and request.callback is not NO_CALLBACK
        and 200 <= response.status < 300
        and response.url.startswith(HTTP)
    )
