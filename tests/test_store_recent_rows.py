"""A page of an answer reads its submission and its form once, and writes the state of its conversation once."""

from __future__ import annotations

import asyncio
import inspect
import re
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

import hiddenweb.settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.html.reader import read_page
from hiddenweb.middlewares.form_session import FormSessionMiddleware
from hiddenweb.middlewares.form_submission import FormSubmissionMiddleware
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from hiddenweb.model import CrawlTask

HOME = "http://books.example/"
FORM_PAGE = (
    "<title>Bookshop</title><h1>Search our books</h1><p>Novels, novels, poems and old maps of the coast.</p>"
    "<form action=/find><label>Search books <input type=search name=q></label><button>Search</button></form>"
)
ANSWER = "<title>Results</title><h1>Results</h1><ul>" + "".join(
    f"<li class=hit><a href=/book/{number}>Novel number {number}</a> novels: a story about {subject}</li>"
    for number, subject in enumerate(("the sea", "a long road", "two cities", "the moon", "winter"), 1)
)
PIPELINES = (
    "duplicates.DuplicatesPipeline",
    "pages.PagesPipeline",
    "records.RecordsPipeline",
    "frontier.FrontierPipeline",
)


class Crawl:
    """The parts that a page of an answer passes, in the order of a crawl."""

    def __init__(self, folder: Path) -> None:
        named = vars(hiddenweb.settings).items()
        settings = {name: value for name, value in named if name.startswith("HIDDENWEB_")}
        self.crawler = get_crawler(
            settings_dict=settings | {"HIDDENWEB_STATE": str(folder), "HIDDENWEB_SUBMIT": True}
        )
        self.store = CrawlContext.open(self.crawler).store
        self.store.runs.begin("harvest", 1.0)
        self.store.sites.want(HOME)
        self.store.frontier.add([TaskSeed(HOME)])
        self.session = FormSessionMiddleware.from_crawler(self.crawler)
        self.submission = FormSubmissionMiddleware.from_crawler(self.crawler)
        self.pipelines: list[Any] = [
            build_from_crawler(load_object(f"hiddenweb.pipelines.{name}"), self.crawler) for name in PIPELINES
        ]

    async def visit(self, source: str) -> CrawlTask:
        """Let the next task be fetched, read, stored and ended."""
        (task, *_), _ = self.store.frontier.lease(self.store.sites.find_host(HOME) or 0, 1, 2.0)
        (task,) = self.store.submissions.attach([task])
        request = Request(task.url, meta={"hiddenweb": task})
        await self.session.process_request(request)
        response = HtmlResponse(task.url, body=source.encode(), encoding="utf-8", request=request)
        self.session.process_response(request, response)
        page = read_page(source.encode(), task.url)
        fetched = Fetched(task, task.url, 200, 2.0, body=source.encode(), page=page)

        async def items() -> AsyncIterator[Any]:
            yield fetched

        async for item in self.submission.process_spider_output(response, items()):
            passed = item
            for pipeline in self.pipelines:
                passed = pipeline.process_item(passed)
                passed = await passed if inspect.isawaitable(passed) else passed
        return task


def test_a_page_of_an_answer_reads_and_writes_each_row_once(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    asyncio.run(crawl.visit(FORM_PAGE))
    for rows in crawl.store.recent_rows:
        rows.clear()
    statements: list[str] = []
    crawl.store.db.set_trace_callback(statements.append)

    task = asyncio.run(crawl.visit(ANSWER))

    crawl.store.db.set_trace_callback(None)
    assert task.kind == "answer"
    assert count(statements, r"SELECT id, form, filled, .* FROM submissions") == 1
    assert count(statements, r"SELECT forms\.id, .* FROM forms .* WHERE forms\.id = ") == 1
    assert count(statements, r"SET conversation_state = '") == 1
    assert crawl.store.rows("SELECT state FROM submissions ORDER BY id") == [("answered",), ("planned",)]


@pytest.mark.parametrize("part", ["submissions", "forms"])
def test_a_row_that_was_read_is_as_it_is_now(tmp_path: Path, part: str) -> None:
    crawl = Crawl(tmp_path)
    asyncio.run(crawl.visit(FORM_PAGE))
    asyncio.run(crawl.visit(ANSWER))
    crawl.store.submissions.mark_failed(2, "the host is down")
    crawl.store.forms.save_coverage(1, "[5, 9, 6, 20]")
    crawl.store.forms.end(1, "nothing left", for_now=True)
    loaded = [getattr(crawl.store, part).load(number) for number in (1, 2)]
    for rows in crawl.store.recent_rows:
        rows.clear()

    assert loaded == [getattr(crawl.store, part).load(number) for number in (1, 2)]


def test_a_reader_beside_a_crawl_reads_every_time(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    asyncio.run(crawl.visit(FORM_PAGE))
    crawl.store.commit()
    with Store(tmp_path, write=False) as reader:
        before = reader.forms.load(1)
        crawl.store.forms.end(1, "nothing left")
        crawl.store.commit()
        now = reader.forms.load(1)

    assert before is not None
    assert now is not None
    assert (before.state, now.state) == ("querying", "done")


def count(statements: list[str], pattern: str) -> int:
    return sum(re.search(pattern, statement, re.DOTALL) is not None for statement in statements)
