"""The arguments of `scrapy crawl explore`."""

from __future__ import annotations

import pytest

from hiddenweb.spiders.explore import BadArguments, ExploreSpider

HOME = "https://a.example/"


def test_seeds_are_the_named_sites() -> None:
    assert list(ExploreSpider(sites=HOME).seeds) == [HOME]


def test_argument_that_the_spider_does_not_have_is_named() -> None:
    with pytest.raises(BadArguments, match="explore has no argument budget"):
        ExploreSpider.check_arguments(sites=HOME, budget="5")


def test_bad_budget_is_refused() -> None:
    with pytest.raises(BadArguments, match="pages: '0' cannot be used"):
        ExploreSpider.check_arguments(sites=HOME, pages="0")


def test_arguments_replace_settings_with_their_priorities() -> None:
    settings = ExploreSpider(sites=HOME, topic="books", time="30m").argument_settings()

    assert settings["HIDDENWEB_TOPIC"] == "books"
    assert settings["HIDDENWEB_TIME_LIMIT"] == "30m"
    assert settings["HIDDENWEB_FOLLOW_SITES"] is False
    assert (settings.getpriority("HIDDENWEB_TIME_LIMIT") or 0) > (
        settings.getpriority("HIDDENWEB_TOPIC") or 0
    )
