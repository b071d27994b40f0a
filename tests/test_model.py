"""What travels through a crawl."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.model import CrawlTask, HttpQuery, TaskKind

POST = HttpQuery((("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "text/plain")
TASK = CrawlTask(1, 1, 1, "https://a.example/find", "answer", submission=7, query=POST)


def test_query_by_post_is_what_is_sent_for_its_answer() -> None:
    assert TASK.post_query == POST


@pytest.mark.parametrize(
    "task",
    [
        replace(TASK, redirects=1),
        replace(TASK, kind="record"),
        replace(TASK, query=replace(POST, method="GET")),
    ],
    ids=["redirected", "page of a record", "by GET"],
)
def test_everything_else_is_fetched_by_get(task: CrawlTask) -> None:
    assert task.post_query is None


@pytest.mark.parametrize(
    ("kind", "submission"), [("answer", 7), ("paging", 7), ("record", None), ("page", None)]
)
def test_only_pages_of_an_answer_answer_a_submission(kind: TaskKind, submission: int | None) -> None:
    assert replace(TASK, kind=kind).answered_submission == submission
