"""The plan of revisits: what it is made from, what is expected of it, and what it may cost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from stores import FORM, NOW, fetch, lease_all, lease_seeds, save_page

from hiddenweb.model import HttpQuery, TaskSeed, Verdict
from hiddenweb.revisit.change_rate import RevisitHistory
from hiddenweb.store.revisit_plan import DueRevisit, RevisitPlanStore, StoredPlan, odds_of
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from hiddenweb.model import CrawlTask
    from hiddenweb.store.database import Store

URL = "https://a.example/"
DAY = 86_400.0


@pytest.fixture
def task(store: Store) -> CrawlTask:
    """The task of a page that was read."""
    [task] = lease_seeds(store, URL)
    save_page(store, fetch(task))
    store.frontier.finish(task)
    return task


@pytest.fixture
def plan(store: Store) -> RevisitPlanStore:
    return RevisitPlanStore(store)


def read_answer(store: Store, query: HttpQuery, *further: str) -> CrawlTask:
    """Let a form be queried, and its answer and further pages of it be read."""
    form = store.forms.save(store.sites.want(URL), FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(form, query, None, NOW)
    assert number is not None
    store.frontier.add([TaskSeed(url, "paging", submission=number, page_number=2) for url in further])
    tasks = [*lease_all(store), *lease_all(store)]
    for task in tasks:
        save_page(store, fetch(task, f"{task.url} says this"))
        store.frontier.finish(task)
    store.submissions.mark_answered(number, "paged", "", NOW)
    return tasks[0]


# Pages


def test_pages_that_can_be_revisited_are_loaded_with_their_history(
    plan: RevisitPlanStore, task: CrawlTask
) -> None:
    [page] = plan.load_pages()

    assert (page.link, page.site, page.host) == (task.link, task.site, task.host)
    assert (page.kind, page.last_revisit, page.odds, page.requests) == ("page", NOW, b"", 1)
    assert list(plan.load_pages(["a.example"])) == [page]
    assert list(plan.load_pages(["other.example"])) == []
    assert list(plan.load_pages(limit=0)) == []


def test_an_answer_costs_as_many_requests_as_it_has_pages_and_these_are_no_pages_to_choose(
    store: Store, plan: RevisitPlanStore
) -> None:
    answer = read_answer(
        store, HttpQuery((), "x", url=f"{URL}find?q=x"), f"{URL}find?q=x&page=2", f"{URL}find?q=x&page=3"
    )

    assert [(page.link, page.kind, page.requests) for page in plan.load_pages()] == [
        (answer.link, "answer", 3)
    ]
    assert plan.count_further_pages() == 0
    plan.add([DueRevisit(answer.link, answer.host, NOW, 0.5)])
    assert plan.count_further_pages() == 2


def test_answers_by_post_and_duplicates_are_not_revisited(
    store: Store, plan: RevisitPlanStore, task: CrawlTask
) -> None:
    read_answer(store, HttpQuery((), "x", "POST", f"{URL}find", b"q=x"))
    store.frontier.add([TaskSeed(f"{URL}copy")])
    [copy] = lease_all(store)
    save_page(store, fetch(copy, duplicate_of=1))

    assert [page.link for page in plan.load_pages()] == [task.link]


def test_the_history_of_pages_is_in_their_order(plan: RevisitPlanStore, task: CrawlTask) -> None:
    del task
    [page] = plan.load_pages()
    changed = RevisitHistory.none(1)
    changed.add(np.array([0]), np.array([DAY]), np.array([True]))

    history = odds_of([page, page._replace(odds=changed.pack(0))])

    assert history.were_revisited(slice(0, 2)).tolist() == [False, True]
    assert history.pack(1) == changed.pack(0)


# What is expected


def test_freshness_is_estimated_while_a_plan_is_carried_out_and_after_a_kill(
    store: Store, plan: RevisitPlanStore, task: CrawlTask
) -> None:
    revisits = RevisitStore(store)
    assert plan.estimate_freshness() is None
    dues = [
        DueRevisit(task.link + n, task.host, 50.0, 0.5, gain) for n, gain in enumerate((0.2, 0.1, 0.06, 0.04))
    ]
    plan.add(dues, StoredPlan(4, 10, 0.5, 0.9))
    assert plan.estimate_freshness() == pytest.approx(0.5)
    assert revisits.end(task) == dues[0]
    assert RevisitPlanStore(store).estimate_freshness() == pytest.approx(0.7)
    lost = revisits.end(replace(task, link=task.link + 2))
    assert lost is not None
    plan.lose_gain(lost.gain)
    assert plan.estimate_freshness() == pytest.approx(0.7)
    assert plan.shorten(1) == 1
    assert plan.count() == 1
    assert plan.estimate_freshness() == pytest.approx(0.7)
    assert revisits.end(replace(task, link=task.link + 1)) == dues[1]
    assert plan.estimate_freshness() == pytest.approx(0.8)


def test_a_page_is_planned_once(plan: RevisitPlanStore, task: CrawlTask) -> None:
    plan.add([DueRevisit(task.link, task.host, NOW, 0.5)])
    plan.add([DueRevisit(task.link, task.host, NOW + 5, 0.9)], StoredPlan(1, 1, 0.5, 0.9))

    assert plan.count() == 1
    assert plan.load() == StoredPlan(1, 1, 0.5, 0.9)


def test_a_plan_that_is_given_up_leaves_nothing_behind(plan: RevisitPlanStore, task: CrawlTask) -> None:
    plan.add([DueRevisit(task.link, task.host, NOW, 0.5)])

    assert (plan.clear(), plan.clear(), plan.count()) == (1, 0, 0)


# What it costs


def test_requests_that_follow_from_revisits_are_drawn_from_a_reserve(plan: RevisitPlanStore) -> None:
    assert plan.draw_request()  # without a plan nothing is counted
    plan.add([], StoredPlan(0, 0, 0.5, 0.5))
    assert plan.draw_request()

    plan.reserve_requests(2)

    assert [plan.draw_request() for _ in range(4)] == [True, True, False, False]


def test_a_reserve_needs_a_plan(plan: RevisitPlanStore) -> None:
    plan.reserve_requests(2)

    assert plan.load() is None


def test_requests_of_the_last_day_are_counted(plan: RevisitPlanStore) -> None:
    for at in (0.0, 30.0, 120.0, 130.0, DAY / 2):
        plan.count_request(at)

    counts = [plan.count_requests_of_day(now) for now in (DAY / 2, DAY + 110.0, DAY + 240.0)]

    assert counts == [5, 3, 1]


def test_requests_of_a_time_to_come_do_not_count_when_the_clock_was_set_back(plan: RevisitPlanStore) -> None:
    plan.count_request(NOW + 365 * DAY)
    plan.count_request(NOW)

    assert plan.count_requests_of_day(NOW) == 1
