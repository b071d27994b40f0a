from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from hiddenweb.model import CrawlTask, Fetched
from hiddenweb.revisit.comparison import SoftNotFoundTexts
from hiddenweb.revisit.noise import NoiseMasks, NoiseVerdict
from hiddenweb.revisit.revisit import (
    FetchedBody,
    PageReadings,
    PageToRead,
    Revisit,
    StoredBody,
    read_versions,
    revisit_page,
)

URL = "http://a.example/list"
TASK = CrawlTask(1, 1, 1, URL, is_revisit=True)


class WatchedMasks(NoiseMasks):
    """Masks that remember which threads used them."""

    threads: set[threading.Thread]

    def judge(self, *versions: Any, **more: Any) -> NoiseVerdict:
        self.threads = {threading.current_thread()}
        return super().judge(*versions, **more)


def revisit(masks: NoiseMasks, before: bytes, item: Fetched) -> Revisit:
    async def read(wanted: PageToRead) -> PageReadings:
        return read_versions(wanted)

    async def compare() -> Revisit:
        stored = StoredBody(FetchedBody(before, "text/html"), 0.0)
        return await revisit_page(
            None,
            stored,
            item,
            read=read,
            masks=masks,
            soft_not_found=SoftNotFoundTexts(),
            masks_lock=asyncio.Lock(),
        )

    return asyncio.run(compare())


def visit(body: bytes, content_type: str = "text/html", why: str = "", status: int = 200) -> Fetched:
    return Fetched(TASK, URL, status, 86_400.0, body, content_type=content_type, why=why)


@pytest.mark.parametrize(("lines", "is_by_another"), [(50, False), (2_100, True)])
def test_very_long_pages_are_compared_by_another_thread(lines: int, is_by_another: bool) -> None:
    masks = WatchedMasks()
    before = "\n".join(f"<p>Row {chr(97 + n % 26)}{n} of it" for n in range(lines)).encode()

    result = revisit(masks, before, visit(before.replace(b"Row b1 ", b"Line b1 ")))

    assert [change.kind for change in result.outcome.changes] == ["content"]
    assert (threading.main_thread() not in masks.threads) == is_by_another


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (
            visit(b"%PDF", "Application/PDF; x=y", "application/pdf is not a page"),
            "it is application/pdf now",
        ),
        (visit(b"", "application/pdf", "application/pdf is not a page"), "no page, status 200"),
        (visit(b"x", "", "unknown type is not a page"), "no page, status 200"),
        (
            visit(b"", why="not modified, though the request was not conditional", status=304),
            "not modified, though the request was not conditional",
        ),
    ],
)
def test_what_was_sent_instead_of_a_page_is_named(item: Fetched, why: str) -> None:
    result = revisit(NoiseMasks(), b"<p>A page.", item)

    assert (result.outcome.step, result.outcome.why) == ("failed", why)


def test_server_may_say_that_nothing_was_modified() -> None:
    assert (
        revisit(NoiseMasks(), b"<p>A page.", visit(b"", why="status 304", status=304)).outcome.step
        == "not_modified"
    )
