"""Requests of ours get marks that keep Scrapy's middlewares from deciding about them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from scrapy import Request, Spider
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from hiddenweb.addon.companion import Companion
from hiddenweb.addon.intake_middleware import PageIntakeMiddleware
from hiddenweb.addon.own_requests import MARKS
from hiddenweb.config import default_settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.model import CrawlTask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from scrapy.crawler import Crawler

URL = "https://shop.example/find?q=river"
TASK = CrawlTask(1, 1, 1, URL, "answer", submission=1)


@pytest.fixture
def crawler(tmp_path: Path) -> Iterator[Crawler]:
    settings = {**default_settings(), "HIDDENWEB_STATE": str(tmp_path / "state"), "COOKIES_ENABLED": True}
    crawler = get_crawler(Spider, settings)
    yield crawler
    CrawlContext.open(crawler).close()


def test_requests_of_ours_are_marked_and_those_of_the_spider_are_not(crawler: Crawler) -> None:
    middleware = PageIntakeMiddleware.from_crawler(crawler)
    ours, theirs = Request(URL, meta={"hiddenweb": TASK}), Request(URL)

    middleware.process_request(ours)
    middleware.process_request(theirs)

    assert ours.meta == {"hiddenweb": TASK, **MARKS}
    assert theirs.meta == {}


def test_marked_requests_are_neither_redirected_nor_retried_nor_given_cookies(crawler: Crawler) -> None:
    ours = Request(URL, meta={"hiddenweb": TASK})
    PageIntakeMiddleware.from_crawler(crawler).process_request(ours)
    moved, failed = Response(URL, 302, {"Location": "/elsewhere"}), Response(URL, 503)

    assert RedirectMiddleware.from_crawler(crawler).process_response(ours, moved) is moved
    assert RetryMiddleware.from_crawler(crawler).process_response(ours, failed) is failed
    assert CookiesMiddleware.from_crawler(crawler).process_request(ours) is None
    assert b"Cookie" not in ours.headers


def test_there_is_one_companion_in_a_crawl(crawler: Crawler) -> None:
    assert Companion.open(crawler) is Companion.open(crawler)


def test_responses_before_the_spider_is_open_pass(crawler: Crawler) -> None:
    response = Response(URL)

    passed = asyncio.run(PageIntakeMiddleware.from_crawler(crawler).process_response(Request(URL), response))

    assert passed is response
