"""The middleware beside the engine, in the crawl of a spider that is not ours: it sees responses as the spider gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.addon.companion import Companion
from hiddenweb.addon.own_requests import MARKS

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class PageIntakeMiddleware:
    """Takes the pages of the spider, and marks requests of ours."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Companion.open(crawler))

    def __init__(self, companion: Companion) -> None:
        self._companion = companion

    def process_request(self, request: Request) -> None:
        if "hiddenweb" in request.meta:
            request.meta.update(MARKS)

    async def process_response(self, request: Request, response: Response) -> Response:
        if "hiddenweb" not in request.meta:
            if response.request is None:
                response.request = request
            await self._companion.take(response)
        return response
