"""The middleware beside the downloader, in the crawl of a spider that is not ours: it sends the requests of ours, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.http import Response

from hiddenweb.addon.companion import Companion
from hiddenweb.addon.own_requests import RECORDS
from hiddenweb.download_handler import HiddenwebDownloadHandler
from hiddenweb.fetch.errors import Disallowed, FetchError, Postponed
from hiddenweb.middlewares.failures import FailuresMiddleware
from hiddenweb.middlewares.form_session import FormSessionMiddleware
from hiddenweb.middlewares.ledger import LedgerMiddleware
from hiddenweb.middlewares.robots import RobotsMiddleware

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler


class OwnRequestsMiddleware:
    """Sends requests of ours as our own crawls do: after robots.txt, with the session of their form, through the ledger, under the address guard."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        Companion.open(crawler)  # it says what the state is, before the others ask
        middleware = cls(
            HiddenwebDownloadHandler.from_crawler(crawler),
            RobotsMiddleware.from_crawler(crawler),
            FormSessionMiddleware.from_crawler(crawler),
            LedgerMiddleware.from_crawler(crawler),
        )
        crawler.signals.connect(middleware.close, signals.engine_stopped)
        return middleware

    def __init__(
        self,
        handler: HiddenwebDownloadHandler,
        robots: RobotsMiddleware,
        sessions: FormSessionMiddleware,
        ledger: LedgerMiddleware,
    ) -> None:
        self._handler = handler
        self._robots = robots
        self._sessions = sessions
        self._ledger = ledger
        self._failures = FailuresMiddleware()

    async def process_request(self, request: Request) -> Response | None:
        if "hiddenweb" not in request.meta:
            return None
        if request.meta["hiddenweb"] == RECORDS:
            return Response(request.url, request=request)
        try:
            await self._robots.process_request(request)
            await self._sessions.process_request(request)
            self._ledger.process_request(request)
            response = await self._handler.download_request(request)
        except (FetchError, Disallowed, Postponed) as error:
            failed = self._failures.process_exception(request, error)
            if failed is None:
                raise
            return failed
        return self._sessions.process_response(request, response)

    async def close(self) -> None:
        """Close all connections."""
        await self._handler.close()
