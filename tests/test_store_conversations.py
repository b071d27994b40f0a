"""The store of conversations hands everything on to the groups of tables that have it, and new tasks to the frontier of the crawl."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from stores import FORM, NOW, fetch, lease_all, lease_seeds, next_by_post, save_page

from hiddenweb.forms.verdict import judge_form
from hiddenweb.frontier.scope import FIRST, LAST
from hiddenweb.model import HttpQuery, PlannedQuery, TaskSeed, Verdict
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.conversations import StoredConversations

if TYPE_CHECKING:
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import FollowUp
    from hiddenweb.store.database import Store

HOME = "https://a.example/"
QUERY = HttpQuery((("q", "x"),), "x", url=f"{HOME}find?q=x")


class NotedFrontier(BreadthFirstFrontier):
    """A frontier that remembers what it was given."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.noted: list[FollowUp] = []

    def _add(self, seed: FollowUp) -> bool:
        self.noted.append(seed)
        return super()._add(seed)


@pytest.fixture
def frontier(store: Store) -> NotedFrontier:
    return NotedFrontier(store)


@pytest.fixture
def conversations(store: Store, frontier: NotedFrontier) -> StoredConversations:
    store.sites.want(HOME)
    return StoredConversations(store, frontier)


def saved_form(conversations: StoredConversations) -> StoredForm:
    return conversations.save_form(1, FORM, judge_form(FORM), NOW)


def test_all_tasks_go_through_the_frontier_of_the_crawl(
    conversations: StoredConversations, frontier: NotedFrontier
) -> None:
    planned = PlannedQuery(saved_form(conversations).id, QUERY, "it is the first")

    assert conversations.plan_query(planned)
    assert conversations.add_task(TaskSeed(f"{HOME}book/1", "record"))
    assert conversations.add_post(next_by_post(1))
    assert not conversations.retry_task(99)

    assert [type(seed).__name__ for seed in frontier.noted] == [
        "PlannedQuery",
        "TaskSeed",
        "PostSeed",
        "RetriedTask",
    ]
    assert frontier.noted[0] == planned


def test_a_page_requested_by_post_has_its_body(store: Store, conversations: StoredConversations) -> None:
    conversations.plan_query(PlannedQuery(saved_form(conversations).id, QUERY))
    seed = next_by_post(1)
    conversations.add_post(seed)

    posts = [conversations.load_post(task) for task in (*lease_all(store), *lease_all(store))]

    assert [(post.body, post.content_type) for post in posts if post] == [(seed.body, seed.content_type)]
    assert posts.count(None) == 1  # the answer itself


def test_the_first_page_that_waits_is_hastened_but_not_one_that_comes_last(
    store: Store, conversations: StoredConversations
) -> None:
    store.frontier.add([TaskSeed(f"{HOME}last", bucket=LAST)])
    conversations.hasten_page(1)
    assert store.rows("SELECT bucket FROM links") == [(LAST,)]

    store.frontier.add([TaskSeed(f"{HOME}deep", bucket=FIRST + 3), TaskSeed(f"{HOME}near", bucket=FIRST + 1)])
    conversations.hasten_page(1)

    first, _ = lease_all(store)
    assert first.url == f"{HOME}near"


def test_pages_and_answers_are_loaded_as_they_were_sent(
    store: Store, conversations: StoredConversations
) -> None:
    assert conversations.load_page(HOME) is None
    assert conversations.load_answer_page(1) is None
    [page] = lease_seeds(store, HOME)
    save_page(store, fetch(page, "home", content_type="text/html"))
    conversations.plan_query(PlannedQuery(saved_form(conversations).id, QUERY))
    [answer] = lease_all(store)
    save_page(store, fetch(answer, "found"))

    assert conversations.load_page(HOME) == (b"<p>home", "text/html")
    assert conversations.load_answer_page(1) == (b"<p>found", "")


def test_sites_that_were_left_are_known(store: Store, conversations: StoredConversations) -> None:
    assert not conversations.is_site_left(1)

    store.sites.leave(1, "its budget is spent")

    assert conversations.is_site_left(1)


def test_forms_whose_verdict_may_be_another_by_now_are_listed(
    conversations: StoredConversations,
) -> None:
    post = replace(FORM, method="POST", action=f"{HOME}post")
    stored = conversations.save_form(1, post, Verdict(False, "search", why=("it searches",)), NOW)
    saved_form(conversations)

    assert conversations.list_forms_to_judge((), nofollow=False) == []
    assert conversations.list_forms_to_judge(("a.example",), nofollow=False) == [stored]


def test_a_store_that_is_given_no_frontier_keeps_tasks_all_the_same(store: Store) -> None:
    store.sites.want(HOME)
    conversations = StoredConversations(store)

    assert conversations.add_task(TaskSeed(HOME))
    assert conversations.is_known(HOME)
