"""A failed request becomes something the spider reads like any answer."""

from __future__ import annotations

from scrapy import Request

from hiddenweb.fetch.errors import FetchError
from hiddenweb.middlewares.failures import NO_ANSWER, FailuresMiddleware
from hiddenweb.model import CrawlTask, FailedTask

TASK = CrawlTask(1, 1, 1, "https://a.example/")


def test_failure_of_a_task_becomes_a_response_that_carries_it() -> None:
    request, error = Request(TASK.url, meta={"hiddenweb": TASK}), FetchError("no connection")

    response = FailuresMiddleware().process_exception(request, error)

    assert response is not None
    assert (response.status, response.meta["hiddenweb"]) == (NO_ANSWER, FailedTask(TASK, error))


def test_failure_of_a_robots_task_goes_to_its_own_errback() -> None:
    task = CrawlTask(-1, 1, 1, "https://a.example/robots.txt", "robots")
    request = Request(task.url, meta={"hiddenweb": task})

    assert FailuresMiddleware().process_exception(request, FetchError("no connection")) is None


def test_failure_of_other_requests_stays_one() -> None:
    assert FailuresMiddleware().process_exception(Request(TASK.url), FetchError("no connection")) is None
