"""The arguments of `scrapy crawl locate`."""

from __future__ import annotations

import pytest

from hiddenweb.spiders.explore import BadArguments
from hiddenweb.spiders.locate import LocateSpider


def test_topic_is_needed() -> None:
    with pytest.raises(BadArguments, match="locate needs a topic"):
        LocateSpider.check_arguments(seeds="https://a.example/")


def test_it_begins_with_the_seeds_and_follows_links_to_other_sites() -> None:
    spider = LocateSpider(topic="books", seeds="https://a.example/")

    assert "https://a.example/" in spider.seeds
    assert spider.argument_settings()["HIDDENWEB_FOLLOW_SITES"] is True
