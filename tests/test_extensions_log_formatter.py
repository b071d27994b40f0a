"""The log is silent about single pages, unless everything is to be logged."""

from __future__ import annotations

import logging

import pytest
from scrapy import Request, Spider
from scrapy.http import Response

from hiddenweb.extensions.log_formatter import QuietFormatter


@pytest.mark.parametrize(("level", "is_said"), [(logging.INFO, False), (logging.DEBUG, True)])
def test_single_pages_and_items_are_logged_only_with_everything(level: int, is_said: bool) -> None:
    logger, formatter, spider = logging.getLogger("scrapy"), QuietFormatter(), Spider("explore")
    before, response = logger.level, Response("https://a.example/")
    logger.setLevel(level)
    try:
        lines = [
            formatter.crawled(Request(response.url), response, spider),
            formatter.scraped({"title": "a"}, response, spider),
        ]
    finally:
        logger.setLevel(before)

    assert [line is not None for line in lines] == [is_said, is_said]
