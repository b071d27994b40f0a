"""The log is silent about single pages, unless everything is to be logged."""

from __future__ import annotations

import logging

import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from hiddenweb.extensions.log_formatter import QuietFormatter


@pytest.mark.parametrize(("level", "is_said"), [("INFO", False), ("DEBUG", True), (logging.DEBUG, True)])
def test_single_pages_and_items_are_logged_only_with_everything(level: str | int, *, is_said: bool) -> None:
    crawler = get_crawler(Spider, {"LOG_LEVEL": level})
    formatter, spider, response = (
        QuietFormatter.from_crawler(crawler),
        Spider("explore"),
        Response("https://a.example/"),
    )

    lines = [
        formatter.crawled(Request(response.url), response, spider),
        formatter.scraped({"title": "a"}, response, spider),
    ]

    assert [line is not None for line in lines] == [is_said, is_said]
