"""Writing a POST into the ledger, at the last moment before it is sent.

Later is too late: a crawl that is killed in between would send it again. Earlier is too early: a request that waits for
robots.txt is not sent yet.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.model import CrawlTask

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

    from hiddenweb.store.database import Store


class LedgerMiddleware:
    """Notes that a query is sent which must not be sent twice. Nothing may come between it and the downloader."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(CrawlContext.open(crawler).store)

    def __init__(self, state: Store, now: Callable[[], float] = time.time) -> None:
        self._state = state
        self._now = now

    def process_request(self, request: Request) -> None:
        if request.method == "GET":
            return
        task = request.meta.get("hiddenweb")
        if not isinstance(task, CrawlTask) or task.submission is None:
            return
        if task.kind == "paging":
            self._state.frontier.mark_post_sent(task, self._now())
        else:
            self._state.submissions.mark_sent(task.submission, self._now())
