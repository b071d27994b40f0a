"""Pages with forms and pages of answers pass through the conversation, everything else passes as it is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

import hiddenweb.settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.html.reader import read_page
from hiddenweb.middlewares.form_submission import FormSubmissionMiddleware, read_settings
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, TaskSeed
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from scrapy.crawler import Crawler

HOME = "http://books.example/"
FORM_PAGE = (
    "<title>Bookshop</title><h1>Search our books</h1><p>Novels, novels, poems and old maps of the coast.</p>"
    "<form action=/find><label>Search books <input type=search name=q></label><button>Search</button></form>"
)
ANSWER = "<title>Results</title><h1>Results</h1><ul>" + "".join(
    f"<li class=hit><a href=/book/{number}>Novel number {number}</a> novels: a story about {subject}</li>"
    for number, subject in enumerate(("the sea", "a long road", "two cities", "the moon", "winter"), 1)
)


@pytest.fixture
def crawler(tmp_path: Path) -> Iterator[Crawler]:
    settings = {
        name: value for name, value in vars(hiddenweb.settings).items() if name.startswith("HIDDENWEB_")
    }
    crawler = get_crawler(
        settings_dict=settings | {"HIDDENWEB_STATE": str(tmp_path), "HIDDENWEB_SUBMIT": True}
    )
    store = CrawlContext.open(crawler).store
    store.runs.begin("harvest", 1.0)
    store.sites.want(HOME)
    store.frontier.add([TaskSeed(HOME)])
    yield crawler
    store.close()


def test_a_form_page_plans_a_query_and_passes_on(crawler: Crawler) -> None:
    middleware = FormSubmissionMiddleware.from_crawler(crawler)
    task = lease(crawler)

    [item] = asyncio.run(collect(middleware, [fetched(task, FORM_PAGE)]))

    assert isinstance(item, Fetched)
    assert lease(crawler).kind == "answer"


def test_other_items_pass_as_they_are(crawler: Crawler) -> None:
    middleware = FormSubmissionMiddleware.from_crawler(crawler)
    task = lease(crawler)
    items = [Request(HOME), fetched(task, "<title>Nothing</title>"), FetchFailure(task, "it broke", 2.0)]

    assert asyncio.run(collect(middleware, items)) == items


def test_start_requests_pass_before_conversations_resume(crawler: Crawler) -> None:
    middleware = FormSubmissionMiddleware.from_crawler(crawler)

    async def seeds() -> AsyncIterator[Request]:
        yield Request(HOME)

    async def started() -> list[Any]:
        return [request async for request in middleware.process_start(seeds())]

    assert [request.url for request in asyncio.run(started())] == [HOME]


def test_a_page_of_an_answer_is_not_disturbed_by_another_that_comes_in_between(crawler: Crawler) -> None:
    middleware = FormSubmissionMiddleware.from_crawler(crawler)
    task = lease(crawler)
    asyncio.run(collect(middleware, [fetched(task, FORM_PAGE)]))
    CrawlContext.open(crawler).store.frontier.finish(task)
    visit = fetched(lease(crawler), ANSWER)

    async def interleaved() -> list[Any]:
        first = outputs(middleware, [visit, visit])
        begun = [await anext(first)]
        await collect(middleware, [visit])
        return begun + [item async for item in first]

    first, last = asyncio.run(interleaved())

    assert len(first.records) == len(last.records) == 5


def test_a_setting_of_0_pages_means_all_of_an_answer(crawler: Crawler) -> None:
    crawler.settings.frozen = False
    crawler.settings.set("HIDDENWEB_PAGES_PER_ANSWER", 0)

    assert read_settings(crawler.settings).pages > 1_000_000


def lease(crawler: Crawler) -> CrawlTask:
    """Take the next task of the site."""
    store = CrawlContext.open(crawler).store
    (task, *_), _ = store.frontier.lease(store.sites.find_host(HOME) or 0, 1, 2.0)
    return task


def fetched(task: CrawlTask, source: str) -> Fetched:
    read = read_page if task.submission is None else read_page_with_items
    page = read(source.encode(), task.url)
    return Fetched(task, task.url, 200, 2.0, body=source.encode(), page=page)


async def collect(middleware: FormSubmissionMiddleware, items: list[Any]) -> list[Any]:
    return [item async for item in outputs(middleware, items)]


def outputs(middleware: FormSubmissionMiddleware, items: list[Any]) -> AsyncIterator[Any]:
    async def result() -> AsyncIterator[Any]:
        for item in items:
            yield item

    return middleware.process_spider_output(Response(HOME), result())
