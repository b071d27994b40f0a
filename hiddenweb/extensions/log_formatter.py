"""What the log says of single pages: nothing, unless everything is to be logged."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.logformatter import LogFormatter

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure


class QuietFormatter(LogFormatter):
    """Says nothing about pages and items one by one, unless everything is to be logged: progress says it in sum."""

    def crawled(  # type: ignore[override]  # None is allowed, its documentation says
        self, request: Request, response: Response, spider: Spider
    ) -> LogFormatterResult | None:
        return super().crawled(request, response, spider) if _is_debugging() else None

    def scraped(  # type: ignore[override]
        self, item: object, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult | None:
        return super().scraped(item, response, spider) if _is_debugging() else None


def _is_debugging() -> bool:
    return logging.getLogger("scrapy").isEnabledFor(logging.DEBUG)
