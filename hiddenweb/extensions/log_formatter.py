"""The log of single pages: nothing, unless everything is logged."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.logformatter import LogFormatter

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure


class QuietFormatter(LogFormatter):
    """Logs nothing about single pages and items, unless everything is logged: progress reports the totals.

    Scrapy's loggers format every message, and only the handler drops those below LOG_LEVEL: a dropped line costs as much as a printed one.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        handler = logging.Handler(crawler.settings["LOG_LEVEL"])
        return cls(is_debugging=handler.level <= logging.DEBUG)

    def __init__(self, *, is_debugging: bool = False) -> None:
        self._is_debugging = is_debugging

    def crawled(  # type: ignore[override]  # None is allowed, its documentation says
        self, request: Request, response: Response, spider: Spider
    ) -> LogFormatterResult | None:
        return super().crawled(request, response, spider) if self._is_debugging else None

    def scraped(  # type: ignore[override]
        self, item: object, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult | None:
        return super().scraped(item, response, spider) if self._is_debugging else None
