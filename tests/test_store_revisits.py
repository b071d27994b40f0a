"""What is stored for the next revisit of a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, TaskSeed
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState, SeenPage, compare_page
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.noise_counts import OwnCount
from hiddenweb.revisit.noise_place import NoisePlace
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.store.database import Store
from hiddenweb.store.revisit_plan import DueRevisit
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://shop.example/lamp"
HTML = b"<!doctype html><title>Lamp</title><p>A lamp of brass, made by hand in a small house by the sea.</p></html>"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


@pytest.fixture
def task(store: Store) -> CrawlTask:
    """A page that was read once, at second 100."""
    store.sites.want(URL)
    store.frontier.add([TaskSeed(URL)])
    task = store.frontier.lease_url(URL)
    assert task is not None
    page = read_page(HTML, URL)
    store.pages.save(Fetched(task, URL, 200, 100.0, HTML, '"e1"', "Mon", "text/html", page), page)
    store.frontier.finish(task)
    return task


def test_a_page_that_was_read_once_is_read_again_for_the_first_revisit(store: Store, task: CrawlTask) -> None:
    stored = RevisitStore(store).load(task)
    assert stored is not None
    assert stored.known is None
    assert stored.body is not None
    assert stored.body.body.body == HTML
    assert (stored.at, stored.etag) == (100.0, '"e1"')


def test_requests_are_conditional_once_a_host_was_honest(store: Store, task: CrawlTask) -> None:
    revisits = RevisitStore(store)
    days = [86_400.0 * day for day in range(7)]
    assert not any(revisits.headers(task, day) for day in days)
    for _ in range(3):
        revisits.judge_validators(task, same=False)
    headers = [revisits.headers(task, day) for day in days]
    assert headers.count({"If-None-Match": '"e1"', "If-Modified-Since": "Mon"}) == 6
    assert headers.count({}) == 1
    revisits.judge_validators(task, same=True)
    assert not any(revisits.headers(task, day) for day in days)


def test_outcome_of_a_revisit_is_stored_for_the_next(store: Store, task: CrawlTask) -> None:
    revisits = RevisitStore(store)
    stored = revisits.load(task)
    assert stored is not None
    first = compare_page(None, SeenPage(URL, 100.0, page=read_page(HTML, URL)), NoiseMasks())
    changed = replace(
        first, step="changed", changes=(Change("content", URL, 200.0, edits=(Edit("a", "b"),)),)
    )
    (change,) = revisits.save(stored, changed, 200.0, new_version=None)
    again = revisits.load(task)
    assert again is not None
    assert again.known == first.known
    assert again.at == 200.0
    assert again.odds
    assert revisits.changes.load(change.number) == change
    assert revisits.changes.load_all(site="shop.example", kind="content", since=150.0) == [change]
    assert (
        revisits.changes.load_all(site="other.example")
        == revisits.changes.load_all(kind="gone")
        == revisits.changes.load_all(since=300.0)
        == []
    )


def test_a_failed_revisit_does_not_count_as_unchanged(store: Store, task: CrawlTask) -> None:
    revisits = RevisitStore(store)
    stored = revisits.load(task)
    assert stored is not None
    revisits.save(
        stored, ComparisonOutcome("failed", ComparisonState(URL), why="status 503"), 200.0, new_version=None
    )
    again = revisits.load(task)
    assert again is not None
    assert (again.at, again.odds) == (100.0, b"")


def test_planned_revisits_are_leased_once_and_wait_after_a_kill(store: Store, task: CrawlTask) -> None:
    revisits = RevisitStore(store)
    revisits.plan.add([DueRevisit(task.link, task.host, 50.0, 0.25)])
    assert revisits.lease(task.host, 5, 40.0) == ([], 50.0)
    (leased,), _ = revisits.lease(task.host, 5, 60.0)
    assert leased == replace(task, is_revisit=True)
    assert revisits.lease(task.host, 5, 60.0) == ([], None)
    revisits.resume(0.0)
    assert task.host in store.sites.woken_hosts
    (again,), _ = revisits.lease(task.host, 5, 60.0)
    revisits.postpone(FetchFailure(again, "status 503", 60.0, retry_in=30.0))
    assert revisits.lease(task.host, 5, 60.0) == ([], 90.0)
    assert revisits.plan.count() == 1
    assert revisits.end(task) == DueRevisit(task.link, task.host, 90.0, 0.25)
    assert revisits.plan.count() == 0
    assert revisits.end(task) is None


def test_a_clock_that_is_set_back_spends_no_budget_and_postpones_no_revisit(
    store: Store, task: CrawlTask
) -> None:
    revisits, year, now = RevisitStore(store), 365 * 86_400.0, 1_000_000.0
    revisits.plan.count_request(now + year)
    revisits.plan.count_request(now)
    revisits.plan.add([DueRevisit(task.link, task.host, now + year, 0.25)])

    revisits.resume(now)

    assert revisits.plan.count_requests_of_day(now) == 1
    assert revisits.lease(task.host, 5, now) == ([], now + 86_400.0)


def test_masks_of_single_pages_are_listed(store: Store, task: CrawlTask) -> None:
    revisits = RevisitStore(store)
    stored = revisits.load(task)
    assert stored is not None
    own = (
        OwnCount(NoisePlace("number", "visitors #"), 3, 4),
        OwnCount(NoisePlace("number", "rooms #"), 1, 4),
        OwnCount(NoisePlace("start", "status …"), 3, 3),
    )
    known = ComparisonState(URL, version=PageVersion("t", ("Visitors 3",), 5), own=own)
    revisits.save(stored, ComparisonOutcome("only_noise", known), 200.0, new_version=None)

    found = list(revisits.load_page_masks(NoiseMasks(), "shop.example"))

    assert [(mask.template, str(mask.place), mask.why) for mask in found] == [
        (URL, 'the number in "visitors #"', "changed at 3 of 4 revisits of this page"),
        (
            URL,
            'parts that begin with "status …"',
            "changed at 3 of 3 revisits of this page, hides what was there before",
        ),
    ]
    assert list(revisits.load_page_masks(NoiseMasks(), "other.example")) == []
