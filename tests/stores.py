"""What tests of stores share: a form, and the steps of a crawl without the network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.model import (
    CrawlTask,
    Fetched,
    Field,
    Form,
    HttpQuery,
    Option,
    Page,
    PostSeed,
    TaskSeed,
    Verdict,
)
from hiddenweb.near_duplicates.sketch import sketch, text_fingerprint

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

NOW = 1_000_000.0

FORM = Form(
    "https://a.example/",
    "https://a.example/find",
    "GET",
    (
        Field("q", "text", "Words", required=True),
        Field("genre", "select", options=(Option("1", "All", selected=True), Option("2", "Novels"))),
    ),
)


def lease_all(store: Store, count: int = 100, now: float = NOW) -> list[CrawlTask]:
    """Lease all waiting links of all hosts."""
    found, host = [], 0
    while (host := store.frontier.find_waiting_host(host) or 0) > 0:
        found += store.frontier.lease(host, count, now)[0]
    return found


def lease_seeds(store: Store, *urls: str) -> list[CrawlTask]:
    for url in urls:
        store.sites.want(url)
        store.frontier.add([TaskSeed(url)])
    return lease_all(store)


def fetch(task: CrawlTask, text: str = "some text", **more: object) -> Fetched:
    words = Page(task.url, "title", text, fingerprint=text_fingerprint(text), sketch=sketch(text))
    return replace(Fetched(task, task.url, 200, NOW, b"<p>" + text.encode(), page=words), **more)  # type: ignore[arg-type]


def save_page(store: Store, fetched: Fetched) -> int:
    assert fetched.page is not None
    return store.pages.save(fetched, fetched.page)


def plan_query(store: Store) -> int:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(
        form, HttpQuery((), "x", "POST", "https://a.example/find", b"q=x"), "{}", NOW
    )
    assert number is not None
    store.submissions.mark_answered(number, "paged", "", NOW)
    store.frontier.finish(lease_all(store)[0])
    return number


def next_by_post(submission: int | None, body: bytes = b"q=x&page=2") -> PostSeed:
    link = TaskSeed("https://a.example/find", "paging", submission=submission, page_number=2)
    return PostSeed(link, body, "application/x-www-form-urlencoded")
