"""Requests of ours are sent under our rules; all others are left to Scrapy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from crawling import Canary
from scrapy import Request, Spider
from scrapy.utils.test import get_crawler

from hiddenweb.addon.request_middleware import OwnRequestsMiddleware
from hiddenweb.config import default_settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.errors import Refused
from hiddenweb.model import CrawlTask, FailedTask

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.http import Response


def send(tmp_path: Path, request: Request) -> Response | None:
    """Pass a request to the middleware of a new crawl."""

    async def pass_request() -> Response | None:
        crawler = get_crawler(Spider, {**default_settings(), "HIDDENWEB_STATE": str(tmp_path / "state")})
        middleware = OwnRequestsMiddleware.from_crawler(crawler)
        context = CrawlContext.open(crawler)
        context.store.sites.want(request.url)
        try:
            return await middleware.process_request(request)
        finally:
            await middleware.close()
            context.close()

    return asyncio.run(pass_request())


def test_requests_of_the_spider_pass(tmp_path: Path) -> None:
    assert send(tmp_path, Request("http://127.0.0.1:9/")) is None


def test_robots_txt_of_ours_is_not_requested_from_a_private_address(tmp_path: Path) -> None:
    with Canary() as canary:
        url = f"http://127.0.0.1:{canary.port}/robots.txt"
        request = Request(url, meta={"hiddenweb": CrawlTask(-1, 1, 1, url, "robots")})
        with pytest.raises(Refused):
            send(tmp_path, request)

    assert canary.visits == 0


def test_the_failure_of_a_task_is_a_response_that_carries_it(tmp_path: Path) -> None:
    with Canary() as canary:
        url = f"http://127.0.0.1:{canary.port}/find"
        response = send(tmp_path, Request(url, meta={"hiddenweb": CrawlTask(1, 1, 1, url, "record")}))

    assert response is not None
    assert isinstance(response.meta["hiddenweb"], FailedTask)
    assert canary.visits == 0
