"""Our spiders keep their parts beside those of a user, wherever the user names them, and say which settings change nothing."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from crawling import ROOT, Ran, SmallSite, crawl
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from hiddenweb.addon import HiddenwebAddon
from hiddenweb.config import default_settings
from hiddenweb.journey import ADDON, EXPLORING, FIXED, REVISITING
from hiddenweb.spiders.explore import ExploreSpider
from hiddenweb.spiders.revisit import RevisitSpider

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

PROTECTED = ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES")
ROBOTS = "hiddenweb.middlewares.robots.RobotsMiddleware"


def settings_of(spider: type[Spider], *, priority: str = "project", **settings: object) -> Settings:
    """Return what the settings of a crawl are when the add-ons have seen them."""
    given = Settings({"ADDONS": {ADDON: 500}}, priority="project")
    given.setdict(settings, priority=priority)
    crawler = Crawler(spider, given)
    crawler.addons.load_settings(crawler.settings)
    return crawler.settings


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name.startswith("hiddenweb")]


def parts(settings: BaseSettings, name: str) -> dict[str, Any]:
    return dict(settings.getdict(name))


# What is installed


@pytest.mark.parametrize(("spider", "journey"), [(ExploreSpider, EXPLORING), (RevisitSpider, REVISITING)])
def test_a_spider_of_ours_gets_its_journey(spider: type[Spider], journey: Mapping[str, Any]) -> None:
    settings = settings_of(spider)

    assert {name: parts(settings, name) for name in journey} == journey
    assert {name: settings[name] for name in FIXED if not isinstance(FIXED[name], dict)} == {
        name: value for name, value in FIXED.items() if not isinstance(value, dict)
    }
    assert parts(settings, "DOWNLOADER_MIDDLEWARES_BASE") == {}


def test_a_spider_that_is_not_ours_gets_nothing_but_our_defaults() -> None:
    settings, scrapys = settings_of(Spider).copy_to_dict(), Settings().copy_to_dict()

    changed = {name for name in settings if settings[name] != scrapys.get(name)}

    assert changed == {"ADDONS", *(name for name, value in default_settings().items() if value is not None)}


@pytest.mark.parametrize("priority", ["project", "spider", "cmdline"])
@pytest.mark.parametrize("name", [*PROTECTED, "EXTENSIONS"])
def test_parts_of_a_user_stand_beside_ours(name: str, priority: str) -> None:
    settings = settings_of(ExploreSpider, priority=priority, **{name: {"own_parts.Part": 543}})

    assert parts(settings, name) == {**EXPLORING[name], "own_parts.Part": 543}


@pytest.mark.parametrize("addons", [{}, {ADDON: None}, {HiddenwebAddon: 3, "scrapy.Spider": None}])
def test_the_add_on_stays_whatever_add_ons_a_user_names(addons: dict[Any, int | None]) -> None:
    given = Settings({"ADDONS": addons}, priority="cmdline")

    crawler = Crawler(ExploreSpider, given)
    crawler.addons.load_settings(crawler.settings)

    assert [type(addon) for addon in crawler.addons.addons] == [HiddenwebAddon]
    assert ROBOTS in parts(crawler.settings, "DOWNLOADER_MIDDLEWARES")


@pytest.mark.parametrize("priority", ["project", "cmdline"])
def test_what_a_spider_of_ours_needs_stays_when_its_process_sets_its_own_settings_again(
    priority: str,
) -> None:
    given = Settings({"ADDONS": {}, "DOWNLOAD_DELAY": 5, **default_settings()}, priority=priority)
    crawler = Crawler(ExploreSpider, given)

    crawler.settings.update(given)  # as `CrawlerRunner.crawl` does

    assert list(crawler.settings["ADDONS"]) == [ADDON]
    assert crawler.settings["HIDDENWEB_DELAY"] == 5


class GreedyAddon:
    """An add-on of somebody else that wants to fetch everything itself."""

    def update_settings(self, settings: BaseSettings) -> None:
        settings.set("DOWNLOAD_HANDLERS", {"https": "greedy.Handler", "greedy": "greedy.Handler"}, "cmdline")
        settings.set("SCHEDULER", "greedy.Scheduler", "cmdline")


def test_other_add_ons_cannot_take_our_parts_away() -> None:
    settings = settings_of(ExploreSpider, ADDONS={GreedyAddon: 9_999, ADDON: 500})

    handlers = parts(settings, "DOWNLOAD_HANDLERS")
    assert handlers["https"] == EXPLORING["DOWNLOAD_HANDLERS"]["https"]
    assert handlers["greedy"] == "greedy.Handler"
    assert settings["SCHEDULER"] == FIXED["SCHEDULER"]


@pytest.mark.parametrize(
    ("name", "part"),
    [(name, part) for name in PROTECTED for part in EXPLORING[name]],
    ids=lambda each: str(each).rpartition(".")[2],
)
def test_parts_that_protect_a_crawl_stay_though_a_user_switches_them_off(
    name: str, part: str, caplog: pytest.LogCaptureFixture
) -> None:
    given: dict[str, Any] = {name: {part: None}}
    settings = settings_of(ExploreSpider, **given)

    assert parts(settings, name)[part] == EXPLORING[name][part]
    (warning,) = messages(caplog)
    assert warning.startswith(f"explore: {name}: {part} stays as it is; ")


@pytest.mark.parametrize("handler", [None, "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"])
def test_pages_are_fetched_under_the_address_guard_whatever_handler_a_user_names(
    handler: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    settings = settings_of(ExploreSpider, DOWNLOAD_HANDLERS={"http": handler, "ftp": "own.FtpHandler"})

    handlers = parts(settings, "DOWNLOAD_HANDLERS")
    assert handlers == {**EXPLORING["DOWNLOAD_HANDLERS"], "ftp": "own.FtpHandler"}
    (warning,) = messages(caplog)
    assert "HIDDENWEB_ALLOW_ADDRESSES" in warning


def test_what_people_see_can_be_switched_off(caplog: pytest.LogCaptureFixture) -> None:
    progress = "hiddenweb.extensions.progress.ProgressExtension"

    settings = settings_of(ExploreSpider, EXTENSIONS={progress: None})

    assert parts(settings, "EXTENSIONS")[progress] is None
    assert messages(caplog) == []


def test_settings_that_our_spiders_choose_can_be_changed() -> None:
    settings = settings_of(ExploreSpider, LOG_LEVEL="DEBUG", DOWNLOAD_TIMEOUT=7, TELNETCONSOLE_ENABLED=True)

    assert (settings["LOG_LEVEL"], settings["DOWNLOAD_TIMEOUT"]) == ("DEBUG", 7)
    assert settings.getbool("TELNETCONSOLE_ENABLED")


def test_bad_settings_of_ours_beside_another_spider_are_named() -> None:
    with pytest.raises(ValueError, match="HIDDENWEB_DELAY: 'soon' cannot be used"):
        settings_of(Spider, HIDDENWEB_ADDON_FORMS=True, HIDDENWEB_DELAY="soon")


# Crawls


def shop(path: str) -> str | None:
    match path:
        case "/robots.txt":
            return "User-agent: *\nDisallow: /private"
        case "/":
            return (
                "<html lang=en><title>Start</title><a href=/private>Private</a> <a href=/next>Next</a></html>"
            )
        case "/next" | "/private":
            return f"<html lang=en><title>{path}</title><p>Some words.</p></html>"
    return None


def explore(tmp_path: Path, site: SmallSite, **settings: object) -> Ran:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "tests" / "projects"), prepend=os.pathsep)
        given = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
            "HIDDENWEB_RETRIES": 0,
            "HIDDENWEB_SITEMAP_LINKS": 0,
            "STATS_DUMP": 1,
            **settings,
        }
        return crawl(tmp_path, [site.url], given, spider="explore")


def test_a_crawl_stays_polite_and_whole_with_parts_of_a_user_everywhere(tmp_path: Path) -> None:
    own = {
        "DOWNLOADER_MIDDLEWARES": {"own_parts.MarkingMiddleware": 543, ROBOTS: None},
        "SPIDER_MIDDLEWARES": {"own_parts.MarkingSpiderMiddleware": 543},
        "ITEM_PIPELINES": {"own_parts.MarkingPipeline": 300},
        "EXTENSIONS": {"own_parts.CountingExtension": 0},
        "DOWNLOAD_HANDLERS": {"http": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"},
    }
    with SmallSite(shop) as site:
        ran = explore(tmp_path, site, **{name: json.dumps(value) for name, value in own.items()})

    assert ran.code == 0, ran.output
    assert sorted(site.requested) == ["/", "/next", "/robots.txt"]
    assert len(ran.rows("SELECT * FROM pages")) == 2
    counted = dict(re.findall(r"'own/(\w+)': (\d+)", ran.output))
    assert counted == {"requests": "3", "yielded": "3", "items": "3", "opened": "1"}
    assert ran.output.count("stays as it is") == 2


def test_the_address_guard_stays_with_other_handlers(tmp_path: Path) -> None:
    handlers = {"http": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"}
    with SmallSite(shop) as site:
        ran = explore(tmp_path, site, HIDDENWEB_ALLOW_ADDRESSES="", DOWNLOAD_HANDLERS=json.dumps(handlers))

    assert ran.code == 1
    assert site.requested == []


def test_a_pipeline_that_knows_only_its_own_items_costs_no_page(tmp_path: Path) -> None:
    with SmallSite(shop) as site:
        ran = explore(tmp_path, site, ITEM_PIPELINES='{"own_parts.CarelessPipeline": 300}')

    assert ran.code == 0, ran.output
    assert len(ran.rows("SELECT * FROM pages")) == 2
    assert ran.rows("SELECT count(*) FROM links WHERE state IN (0, 1, 3)") == [(0,)]
    assert ran.output.count("CarelessPipeline cannot take items of hiddenweb") == 1
    assert "'hiddenweb/pipelines/failed': 3" in ran.output


def test_scrapys_own_limits_are_those_of_our_crawls(tmp_path: Path) -> None:
    with SmallSite(shop) as site:
        ran = explore(
            tmp_path, site, DEPTH_LIMIT=1, DOWNLOAD_DELAY=0, ROBOTSTXT_OBEY=0, JOBDIR=tmp_path / "job"
        )

    assert ran.code == 0, ran.output
    assert "/private" not in site.requested
    assert ran.output.count("ROBOTSTXT_OBEY=0 has no effect: robots.txt is always obeyed") == 1
    assert ran.output.count("has no effect: the same command always resumes, from HIDDENWEB_STATE") == 1
