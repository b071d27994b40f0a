"""Which responses of other people's spiders go into the state, and what an error of ours costs."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.test import get_crawler

from hiddenweb.addon.page_intake import PageIntake, run_pipelines
from hiddenweb.config import default_settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.pipelines.pages import PagesPipeline

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://shop.example/book/1"
PAGE = b"<html lang=en><title>A book</title><p>Some words about a book.</p></html>"


class NoQueries:
    """Submits nothing."""

    def begin_site(self, site: int) -> None: ...
    def choose_forms(self, site: int) -> None: ...
    def feed(self) -> None: ...


class BrokenPipeline:
    """Is not able to do anything."""

    def process_item(self, item: object) -> object:
        raise RuntimeError(f"cannot take {type(item).__name__}")


def response_to(request: Request, body: bytes = PAGE, **more: Any) -> Response:
    headers = {"Content-Type": "text/html; charset=utf-8"}
    return HtmlResponse(request.url, body=body, headers=headers, request=request, **more)


def take(tmp_path: Path, response: Response, *pipelines: Any) -> tuple[int, dict[str, Any]]:
    """Take a response; return how many pages are stored then, and the stats."""
    settings = {**default_settings(), "HIDDENWEB_STATE": str(tmp_path / "state")}
    crawler = get_crawler(Spider, settings)
    context = CrawlContext.open(crawler)
    context.store.runs.begin("books", 0.0)
    storing = pipelines or (PagesPipeline.from_crawler(crawler),)
    intake = PageIntake(crawler, None, storing, (), NoQueries())

    asyncio.run(intake.take(response))

    (stored,) = context.store.rows("SELECT count(*) FROM pages")[0]
    context.close()
    return int(str(stored)), crawler.stats.get_stats()


def test_a_page_is_stored_and_counted(tmp_path: Path) -> None:
    stored, stats = take(tmp_path, response_to(Request(URL)))

    assert stored == stats["hiddenweb/addon/pages"] == 1


@pytest.mark.parametrize(
    "response",
    [
        response_to(Request(URL), status=404),
        response_to(Request(URL, method="POST", body=b"q=1")),
        response_to(Request(URL, callback=NO_CALLBACK)),  # of a media pipeline, or robots.txt
        response_to(Request("data:text/html,words")),
        Response(URL, body=b"\x89PNG\r\n", headers={"Content-Type": "image/png"}, request=Request(URL)),
    ],
    ids=["error", "post", "media", "data", "image"],
)
def test_what_is_no_page_of_the_spider_is_not_taken(tmp_path: Path, response: Response) -> None:
    stored, stats = take(tmp_path, response)

    assert stored == 0
    assert "hiddenweb/addon/failed" not in stats


def test_an_error_of_ours_is_counted_and_logged_and_does_not_reach_the_spider(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        _, stats = take(tmp_path, response_to(Request(URL)), BrokenPipeline())

    assert stats["hiddenweb/addon/failed"] == 1
    assert f"{URL}: the page was not taken into the state" in caplog.text


def test_pipelines_may_take_their_time() -> None:
    class Slow:
        async def process_item(self, item: object) -> object:
            return f"{item}, later"

    assert asyncio.run(run_pipelines([Slow(), Slow()], "now")) == "now, later, later"
