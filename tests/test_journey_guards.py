"""Forms of simweb that guard themselves, have steps, or page by POST or by a button: crawled, and held against the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from styled_webs import Crawled, crawl_web

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED = ["token", "token_post", "load_more", "steps", "post", "aspnet"]
WORLD: dict[str, Any] = {"seed": 11, "sites": 36, "pages_per_site": 8, "largest_database": 80}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("guards")
    with crawl_web(folder, ASKED, WORLD, HIDDENWEB_QUERIES_PER_FORM=30) as web:
        yield web


@pytest.mark.parametrize("style", ASKED)
def test_nearly_all_records_are_found(crawled: Crawled, style: str) -> None:
    assert crawled.ran.code == 0, crawled.ran.output[-3000:]
    assert crawled.share(style) > 0.85


@pytest.mark.parametrize("style", ["token", "token_post"])
def test_hardly_a_question_is_refused(crawled: Crawled, style: str) -> None:
    requests = crawled.requests_of_style(style)
    refused = [request for request in requests if request["kind"] == "answer:refused"]
    sites = len({request["host"] for request in requests})

    assert any(request["kind"] == "answer:results" for request in requests)
    assert len(refused) <= sites


def test_no_post_is_sent_twice(crawled: Crawled) -> None:
    posts = [
        (request["host"], request["target"], request["body"])
        for style in ("post", "aspnet", "token_post")
        for request in crawled.requests_of_style(style)
        if request["method"] == "POST"
    ]

    assert len(posts) > 100
    assert len(posts) == len(set(posts))
