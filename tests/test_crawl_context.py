"""What the parts of one crawl share."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from scrapy import Spider, signals
from scrapy.utils.project import get_project_settings
from scrapy.utils.test import get_crawler

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.spiders.explore import ExploreSpider
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateInUse

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler


HOME = "https://a.example/"


def crawler_with(folder: Path, **given: object) -> Crawler:
    usual = {name: value for name, value in get_project_settings().items() if name.startswith("HIDDENWEB_")}
    return get_crawler(settings_dict={**usual, "HIDDENWEB_STATE": str(folder), **given})


def test_all_parts_of_a_crawler_share_one_context(tmp_path: Path) -> None:
    crawler = crawler_with(tmp_path, HIDDENWEB_TOPIC="books")

    context = CrawlContext.open(crawler)

    assert CrawlContext.open(crawler) is context
    assert context.topic is context.topic
    assert context.topic is not None
    assert context.topic.stages is context.focused
    context.close()


class Located(ExploreSpider):
    """A spider that follows links to other sites."""

    name = "located"
    follows_sites = True


def test_arguments_of_the_spider_replace_settings_and_change_none(tmp_path: Path) -> None:
    crawler = crawler_with(tmp_path)
    crawler.spider = Located(sites=HOME, topic="books", pages="7", time="30m")

    context = CrawlContext.open(crawler)

    assert context.topic is not None
    assert context.budget.pages == context.budget.explored == context.budget.record_pages == 7
    assert context.settings["HIDDENWEB_TIME_LIMIT"] == "30m"
    assert context.settings.getbool("HIDDENWEB_FOLLOW_SITES")
    assert not crawler.settings.get("HIDDENWEB_TOPIC")
    context.close()


def test_budget_of_an_argument_overrules_the_command_line_and_the_kind_of_a_spider_does_not(
    tmp_path: Path,
) -> None:
    crawler = crawler_with(tmp_path)
    given = {"HIDDENWEB_PAGES_PER_SITE": 5, "HIDDENWEB_FOLLOW_SITES": False}
    crawler.settings = crawler.settings.copy()
    crawler.settings.frozen = False
    crawler.settings.setdict(given, priority="cmdline")
    crawler.spider = Located(sites=HOME, pages="7")

    context = CrawlContext.open(crawler)

    assert context.budget.pages == 7
    assert not context.settings.getbool("HIDDENWEB_FOLLOW_SITES")
    context.close()


def test_context_ends_when_the_engine_has_stopped(tmp_path: Path) -> None:
    crawler = crawler_with(tmp_path)
    context = CrawlContext.open(crawler)

    crawler.signals.send_catch_log(signals.engine_stopped)

    with pytest.raises(sqlite3.ProgrammingError):
        context.store.counts()


def test_another_crawler_cannot_write_the_same_store(tmp_path: Path) -> None:
    context = CrawlContext.open(crawler_with(tmp_path))

    with pytest.raises(StateInUse):
        CrawlContext.open(crawler_with(tmp_path))

    context.close()


def test_usual_crawl_has_no_topic_no_automata_no_chosen_forms_and_no_revisits(tmp_path: Path) -> None:
    context = CrawlContext.open(crawler_with(tmp_path))

    shared = (
        context.topic,
        context.focused,
        context.automata,
        context.chosen_forms,
        context.revisits,
    )
    assert shared == (None,) * 5
    context.close()


def test_only_the_policy_of_that_name_has_automata_and_all_parts_share_them(tmp_path: Path) -> None:
    context = CrawlContext.open(crawler_with(tmp_path, HIDDENWEB_POLICY="automata"))

    assert context.automata is not None
    assert context.automata is context.automata
    context.close()


def test_crawl_on_a_topic_has_no_automata(tmp_path: Path) -> None:
    context = CrawlContext.open(crawler_with(tmp_path, HIDDENWEB_POLICY="automata", HIDDENWEB_TOPIC="books"))

    assert context.automata is None
    context.close()


@pytest.mark.parametrize(("named", "numbers"), [("1 2", {1, 2}), ([3], {3})])
def test_chosen_forms_are_those_that_the_setting_names(
    tmp_path: Path, named: object, numbers: set[int]
) -> None:
    context = CrawlContext.open(crawler_with(tmp_path, HIDDENWEB_FORMS=named))

    assert context.chosen_forms is not None
    assert context.chosen_forms.numbers == numbers
    context.close()


def test_pages_of_records_are_fetched_as_the_setting_says(tmp_path: Path) -> None:
    context = CrawlContext.open(crawler_with(tmp_path, HIDDENWEB_DETAIL_PAGES="always"))

    assert context.detail_pages is context.detail_pages
    assert context.detail_pages.are_wanted(1)
    context.close()


def test_a_crawl_uses_the_store_that_was_opened_for_it(tmp_path: Path) -> None:
    crawler, store = crawler_with(tmp_path), Store(tmp_path)

    CrawlContext.hold(crawler, store)

    with pytest.raises(StateInUse):
        CrawlContext.open(crawler_with(tmp_path))
    assert CrawlContext.open(crawler).store is store
    CrawlContext.open(crawler).close()


class Shelf(Spider):
    """A spider of somebody else: Scrapy keeps all of its arguments."""

    name = "shelf"


def test_the_state_of_any_spider_may_be_named_after_spider_and_job(tmp_path: Path) -> None:
    crawler = crawler_with(tmp_path / "{spider}" / "{job}")
    crawler.spidercls = Shelf
    crawler.spider = Shelf.from_crawler(crawler, _job="7")

    context = CrawlContext.open(crawler)

    assert context.store.folder == tmp_path / "shelf" / "7"
    context.close()


def test_a_state_that_is_named_after_a_job_needs_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"HIDDENWEB_STATE: \{job\}: there is none"):
        CrawlContext.open(crawler_with(tmp_path / "{job}"))
