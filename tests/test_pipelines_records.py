"""Keeping what answers hold, and completing it with what the pages of records say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from hiddenweb.answers.detail_pages import MOST_FAILED
from hiddenweb.model import (
    CrawlTask,
    Fetched,
    FetchFailure,
    Field,
    Form,
    HttpQuery,
    Page,
    Record,
    TaskSeed,
    Verdict,
)
from hiddenweb.pipelines.records import RecordsPipeline
from hiddenweb.store.database import Store
from hiddenweb.store.detail_pages import DetailPages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = "http://a.example/"
NOW = 1_700_000_000.0


class Desk:
    """A form with a submitted query, whose answer is read by the pipeline."""

    def __init__(self, store: Store) -> None:
        self.state = store
        self.stats = MemoryStatsCollector(get_crawler())
        self.pipeline = RecordsPipeline(store, self.stats, details=DetailPages(store))
        site = store.sites.want(HOME)
        form = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))
        number = store.forms.save(site, form, Verdict(True, "search"), NOW)
        self.submission = store.submissions.plan(
            number, HttpQuery((("q", "x"),), "x", url=f"{HOME}find?q=x"), "", NOW
        )
        self.answer = self.task()

    def task(self) -> CrawlTask:
        (task,), _ = self.state.frontier.lease(self.state.sites.find_host(HOME) or 0, 1, NOW)
        return task

    def list_record(self, name: str) -> None:
        url = f"{HOME}{name}"
        self.state.frontier.add([TaskSeed(url, "record", submission=self.submission)])
        self.pipeline.process_item(
            Fetched(
                self.answer, self.answer.url, 200, NOW, outcome="all", records=(Record(url, name, name, url),)
            )
        )

    def visit(self, task: CrawlTask, text: str) -> Fetched:
        page = Page(task.url, "Title", text, fingerprint=hash(text))
        visit = Fetched(task, task.url, 200, NOW, text.encode(), page=page)
        self.state.pages.save(visit, page)
        return visit

    def details(self) -> list[tuple[object, ...]]:
        return self.state.rows("SELECT key, detail FROM records ORDER BY id")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        yield Desk(store)


def test_the_page_of_a_record_completes_it_and_is_counted_once(desk: Desk) -> None:
    desk.list_record("amber")
    visit = desk.visit(desk.task(), "all of amber")

    for _ in range(2):
        done = desk.pipeline.process_item(visit)

    assert isinstance(done, Fetched)
    assert done.record == 1
    assert desk.details() == [(f"{HOME}amber", "all of amber")]
    assert desk.stats.get_value("hiddenweb/records/completed") == 1
    assert desk.stats.get_value("hiddenweb/records/new") == 1


def test_a_record_that_is_found_again_with_attributes_is_indexed_with_them(desk: Desk) -> None:
    desk.list_record("amber")
    (before,) = desk.state.rows("SELECT max(id) FROM outbox")
    described = Record(f"{HOME}amber", "Amber", "amber", f"{HOME}amber", attributes=(("colour", "gold"),))

    for _ in range(2):
        desk.pipeline.process_item(
            Fetched(desk.answer, desk.answer.url, 200, NOW, outcome="all", records=(described,))
        )

    announced = desk.state.rows(
        "SELECT d.key FROM outbox JOIN documents d ON d.id = document WHERE outbox.id > ?", before
    )
    assert announced == [(f"{HOME}amber",)]


def test_a_record_whose_page_is_elsewhere_and_was_read_there_is_complete(desk: Desk) -> None:
    desk.state.frontier.add([TaskSeed(f"{HOME}stones/amber", "page", 1)])
    desk.visit(desk.task(), "all of amber")
    desk.list_record("5")
    task = desk.task()

    desk.pipeline.process_item(Fetched(task, task.url, 302, NOW, redirect=f"{HOME}stones/amber"))

    assert desk.details() == [(f"{HOME}5", "all of amber")]


def test_the_only_match_is_its_own_page(desk: Desk) -> None:
    url = f"{HOME}stones/amber"
    page = Page(url, "Amber", "all of amber", canonical=f"{HOME}5", fingerprint=1)
    record = Record(f"{HOME}5", "Amber", page.text, url)

    done = desk.pipeline.process_item(
        Fetched(desk.answer, url, 200, NOW, page=page, outcome="all", records=(record,))
    )

    assert isinstance(done, Fetched)
    assert done.record == 1
    assert desk.details() == [(f"{HOME}5", "all of amber")]


@pytest.mark.parametrize("ending", ["missing", "missed", "sent where all are sent"])
def test_pages_that_cannot_be_read_are_given_up_in_the_end(desk: Desk, ending: str) -> None:
    desk.state.frontier.add([TaskSeed(f"{HOME}login", "page", 1)])
    desk.task()
    wanted = []
    for at in range(MOST_FAILED):
        desk.list_record(str(at))
        task = desk.task()
        wanted.append(desk.pipeline._details.are_wanted(1))
        desk.pipeline.process_item(
            {
                "missing": Fetched(task, task.url, 404, NOW, why="status 404"),
                "missed": FetchFailure(task, "status 500", NOW),
                "sent where all are sent": Fetched(task, task.url, 302, NOW, redirect=f"{HOME}login"),
            }[ending]
        )
        desk.pipeline.process_item(
            FetchFailure(task, "status 503", NOW, retry_in=60.0)
        )  # this one is tried again

    assert wanted == [True] * MOST_FAILED
    assert not desk.pipeline._details.are_wanted(1)
