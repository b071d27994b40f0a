"""`scrapy check` opens neither state nor network for spiders of ours; other spiders are checked as Scrapy does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from hiddenweb.addon import HiddenwebAddon
from hiddenweb.extensions.offline_check import keep_offline
from hiddenweb.spiders.explore import ExploreSpider

if TYPE_CHECKING:
    import pytest

SAVED_PAGES = "hiddenweb.contracts.SavedPagesMiddleware"


def settings_of(spider: type[Spider], monkeypatch: pytest.MonkeyPatch, *, checking: bool) -> Settings:
    """Return the settings of a crawl, with those of the add-on."""
    if checking:
        monkeypatch.setenv("SCRAPY_CHECK", "true")
    else:
        monkeypatch.delenv("SCRAPY_CHECK", raising=False)
    crawler = Crawler(spider, {"ADDONS": {HiddenwebAddon: 500}})
    crawler.addons.load_settings(crawler.settings)
    return crawler.settings


def test_nothing_is_left_that_opens_the_state_or_the_network() -> None:
    keep_offline(settings := Settings())

    assert not settings.getdict("ITEM_PIPELINES")
    assert not settings.getdict("EXTENSIONS")
    assert set(settings.getdict("DOWNLOAD_HANDLERS").values()) == {None}
    assert "hiddenweb" not in settings["SCHEDULER"]


def test_spiders_of_ours_are_offline_only_while_contracts_are_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = settings_of(ExploreSpider, monkeypatch, checking=True)
    crawling = settings_of(ExploreSpider, monkeypatch, checking=False)

    assert "hiddenweb" not in checked["SCHEDULER"]
    assert "hiddenweb" in crawling["SCHEDULER"]


def test_other_spiders_get_saved_pages_and_keep_all_of_scrapys_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = settings_of(Spider, monkeypatch, checking=True)
    crawling = settings_of(Spider, monkeypatch, checking=False)

    assert checked.getdict("DOWNLOADER_MIDDLEWARES") == {SAVED_PAGES: -1_000}
    assert crawling.getdict("DOWNLOADER_MIDDLEWARES") == {}
    assert checked["SCHEDULER"] == crawling["SCHEDULER"] == "scrapy.core.scheduler.Scheduler"
