"""Parts of other people's projects: a middleware, a pipeline and an extension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class MarkingMiddleware:
    """Leaves a flag on each response, and counts requests."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls()
        middleware.stats = crawler.stats
        return middleware

    stats: Any = None

    def process_request(self, request: Request) -> None:  # noqa: ARG002  Scrapy passes it
        self.stats.inc_value("own/requests")

    def process_response(self, request: Request, response: Response) -> Response:  # noqa: ARG002
        return response.replace(flags=[*response.flags, "seen by a middleware"])


class MarkingPipeline:
    """Marks items that are dictionaries, and counts all."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls()
        pipeline.stats = crawler.stats
        return pipeline

    stats: Any = None

    def process_item(self, item: object) -> object:
        self.stats.inc_value("own/items")
        if isinstance(item, dict):
            item["piped"] = True
        return item


class CarelessPipeline:
    """Believes that every item has a title, as that of its own project has."""

    def process_item(self, item: Any) -> Any:
        item["title"] = item["title"].strip()
        return item


class CountingExtension:
    """Counts that a spider was opened."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        extension.stats = crawler.stats
        crawler.signals.connect(extension.count, signals.spider_opened)
        return extension

    stats: Any = None

    def count(self) -> None:
        self.stats.inc_value("own/opened")


class MarkingSpiderMiddleware:
    """Counts what a spider yields."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls()
        middleware.stats = crawler.stats
        return middleware

    stats: Any = None

    async def process_spider_output(self, response: Response, result: Any) -> Any:  # noqa: ARG002
        async for item in result:
            self.stats.inc_value("own/yielded")
            yield item


class RefusingMiddleware:
    """Lets no search through."""

    def process_request(self, request: Request) -> None:
        if "/find" in request.url:
            raise IgnoreRequest("no searches here")


class ForgetfulScheduler(Scheduler):
    """Says that it will send a search, and does not."""

    def enqueue_request(self, request: Request) -> bool:
        return "/find" in request.url or super().enqueue_request(request)
