"""The arguments of `scrapy crawl explore`."""

from __future__ import annotations

import pytest

from hiddenweb.spiders.explore import BadArguments, ExploreSpider

HOME = "https://a.example/"


def test_seeds_are_the_sites_that_were_named() -> None:
    assert list(ExploreSpider(sites=HOME).seeds) == [HOME]


def test_argument_that_the_spider_does_not_have_is_named() -> None:
    with pytest.raises(BadArguments, match="explore has no argument budget"):
        ExploreSpider.check_arguments(sites=HOME, budget="5")


def test_budget_that_cannot_be_meant_so_is_refused() -> None:
    with pytest.raises(BadArguments, match="pages: '0' cannot be used"):
        ExploreSpider.check_arguments(sites=HOME, pages="0")


def test_arguments_take_the_place_of_settings_with_their_priorities() -> None:
    given = ExploreSpider(sites=HOME, topic="books", time="30m").argument_settings()

    assert given["HIDDENWEB_TOPIC"] == "books"
    assert given["HIDDENWEB_TIME_LIMIT"] == "30m"
    assert given["HIDDENWEB_FOLLOW_SITES"] is False
    assert (given.getpriority("HIDDENWEB_TIME_LIMIT") or 0) > (given.getpriority("HIDDENWEB_TOPIC") or 0)
