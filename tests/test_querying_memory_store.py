"""Conversations that are kept in memory; what they share with the store of a crawl is in test_querying_conversation_store.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.forms.verdict import judge_form
from hiddenweb.frontier.scope import FIRST, QUERIES
from hiddenweb.model import (
    CrawlTask,
    Fetched,
    FetchFailure,
    Field,
    Form,
    HttpQuery,
    Page,
    PlannedQuery,
    PostSeed,
    Record,
    TaskSeed,
)
from hiddenweb.querying.memory_store import (
    GOOD_KEYWORDS,
    CountedStats,
    MemoryConversationStore,
    NoRecordPages,
)

HOME = "http://books.example/"
FORM = Form(HOME, f"{HOME}find", "GET", (Field("q", "search", label="Search books"),), text="Search books")
QUERY = HttpQuery((("q", "sea"),), "sea", url=f"{HOME}find?q=sea")


@pytest.fixture
def store() -> MemoryConversationStore:
    store = MemoryConversationStore()
    store.add_site(HOME)
    store.save_form(1, FORM, judge_form(FORM), 1.0)
    return store


def lease(store: MemoryConversationStore, *kinds: str) -> CrawlTask:
    task = store.lease(kinds) if kinds else store.lease()
    assert task is not None
    return task


def test_a_site_is_added_once_by_its_domain() -> None:
    store = MemoryConversationStore()

    numbers = [store.add_site(url) for url in (HOME, f"{HOME}about", "http://b.example/")]

    assert numbers == [1, 1, 2]
    assert not store.is_site_left(1)
    assert not store.add_task(TaskSeed("http://elsewhere.example/"))


def test_tasks_are_leased_by_bucket_then_by_age_and_each_once(store: MemoryConversationStore) -> None:
    for name, bucket in (("far", FIRST + 2), ("first", FIRST), ("second", FIRST)):
        store.add_task(TaskSeed(f"{HOME}{name}", bucket=bucket))
    store.plan_query(PlannedQuery(1, QUERY))

    urls = [lease(store).url.removeprefix(HOME) for _ in range(4)]

    assert urls == ["find?q=sea", "first", "second", "far"]
    assert store.lease() is None


def test_only_tasks_of_some_kinds_can_be_leased(store: MemoryConversationStore) -> None:
    store.add_task(TaskSeed(f"{HOME}page"))
    store.add_task(TaskSeed(f"{HOME}book/1", "record", FIRST + 3))

    assert lease(store, "record").kind == "record"
    assert store.lease(["record", "answer"]) is None


def test_a_task_that_failed_waits_again_if_it_is_to_be_retried(store: MemoryConversationStore) -> None:
    store.plan_query(PlannedQuery(1, QUERY))
    task = lease(store)

    store.finish(FetchFailure(task, "status 503", 1.0, retry_in=5.0))
    again = lease(store)
    store.finish(FetchFailure(again, "busy", 2.0, retry_in=5.0, counts=False))

    assert (again.link, again.attempts) == (task.link, 1)
    assert lease(store).attempts == 1
    assert store.list_missing_pages() == []


def test_a_redirected_answer_is_fetched_at_its_target(store: MemoryConversationStore) -> None:
    store.plan_query(PlannedQuery(1, QUERY))
    task = lease(store)
    store.finish(Fetched(task, task.url, 302, 1.0, redirect=f"{HOME}found"))

    there = lease(store)
    page = Page(there.url, "Found")
    store.finish(Fetched(there, there.url, 200, 1.0, body=b"found", page=page, outcome="all"))

    assert (there.kind, there.url, there.redirects, there.submission) == ("answer", f"{HOME}found", 1, 1)
    assert store.load_answer_page(1) == (b"found", "")
    assert store.list_submissions(1)[0].answered


def test_records_count_for_the_form_that_was_the_first_to_bring_them(store: MemoryConversationStore) -> None:
    store.save_form(1, replace(FORM, action=f"{HOME}other"), judge_form(FORM), 1.0)
    record = Record("1", "The sea", "A novel")
    for form in (1, 2):
        store.plan_query(PlannedQuery(form, replace(QUERY, url=f"{HOME}find?q=sea&form={form}")))
        task = lease(store)
        store.finish(Fetched(task, task.url, 200, 1.0, outcome="all", records=(record,)))

    assert [stored.records for stored in store.list_forms(1)] == [1, 0]
    assert [line.new for form in (1, 2) for line in store.list_submissions(form)] == [1, 0]
    assert [record.times for record in store.list_records(1)] == [2]


def test_the_words_that_brought_most_come_first_and_not_too_many(store: MemoryConversationStore) -> None:
    for number in range(GOOD_KEYWORDS + 5):
        word = f"word{number}"
        store.plan_query(PlannedQuery(1, HttpQuery((("q", word),), word, url=f"{HOME}find?q={word}")))
        task = lease(store)
        found = tuple(Record(f"{number} {each}", "t", "") for each in range(1 + number % 3))
        store.finish(Fetched(task, task.url, 200, 1.0, outcome="all", records=found))

    words = store.list_good_keywords()

    assert words[:3] == ["word11", "word14", "word17"]
    assert len(words) == GOOD_KEYWORDS


def test_two_further_pages_by_post_differ_in_what_is_sent(store: MemoryConversationStore) -> None:
    assert store.plan_query(PlannedQuery(1, QUERY))
    submission = lease(store, "answer").submission
    link = TaskSeed(f"{HOME}find", "paging", submission=submission, page_number=2)

    assert store.add_post(PostSeed(link, b"page=2", "text/plain"))
    assert store.add_post(PostSeed(link, b"page=3", "text/plain"))
    assert not store.add_post(PostSeed(link, b"page=3", "text/plain"))

    tasks = [lease(store, "paging") for _ in range(2)]
    assert [(task.query.method, task.query.body) for task in tasks if task.query] == [
        ("POST", b"page=2"),
        ("POST", b"page=3"),
    ]
    assert [post.body for task in tasks if (post := store.load_post(task))] == [b"page=2", b"page=3"]


def test_without_exploration_no_pages_of_records_are_wanted() -> None:
    pages = NoRecordPages()
    pages.adopt(f"{HOME}book/1", 1)

    assert not pages.are_wanted(1)
    assert pages.choose_bucket(1) == QUERIES


def test_stats_are_counted_and_set() -> None:
    stats = CountedStats()

    stats.inc_value("a")
    stats.inc_value("a", 4)
    stats.set_value("b", 7)
    stats.set_value("b", 3)

    assert stats.values == {"a": 5, "b": 3}
