"""Passing failures to the spider, as something it reads like any answer.

Scrapy calls an errback for a failed request, and what that yields passes by all spider middlewares. But a query
that got no answer must be followed by the next one. So a failure becomes a response without content, whose request
says what happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import Response

from hiddenweb.model import CrawlTask, FailedTask

if TYPE_CHECKING:
    from scrapy import Request

NO_ANSWER = 0
"""The status of a response that stands for a failure."""


class FailuresMiddleware:
    """Turns the failure of a task into a response that carries it."""

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        task = request.meta.get("hiddenweb")
        if not isinstance(task, CrawlTask) or task.kind == "robots":
            return None
        request.meta["hiddenweb"] = FailedTask(task, exception)
        return Response(request.url, NO_ANSWER, request=request)
