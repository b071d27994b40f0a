"""Feeds of records take the place of Scrapy's own."""

from __future__ import annotations

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from hiddenweb.feeds.record_feeds import RecordFeeds
from hiddenweb.journey import EXPLORING


def test_without_feeds_there_is_no_receiver() -> None:
    with pytest.raises(NotConfigured):
        RecordFeeds.from_crawler(get_crawler())


def test_feeds_of_records_take_the_place_of_scrapys_own() -> None:
    extensions = EXPLORING["EXTENSIONS"]

    assert extensions["scrapy.extensions.feedexport.FeedExporter"] is None
    assert extensions["hiddenweb.feeds.record_feeds.RecordFeeds"] == 0
