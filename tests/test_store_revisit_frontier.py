"""The frontier of a crawl that fetches again what was read before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.frontier.protocol import Admission
from hiddenweb.model import CrawlTask, FetchFailure, TaskSeed
from hiddenweb.store.database import Store
from hiddenweb.store.revisit_frontier import RevisitFrontier
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
HOME = "https://a.example/"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        store.sites.want(HOME)
        store.frontier.add([TaskSeed(HOME)])
        [task], _ = store.frontier.lease(store.sites.find_host(HOME) or 0, 1, NOW)
        store.frontier.finish(task)
        store.write(
            "INSERT INTO revisit_queue (link, host, not_before, expected, gain) VALUES (?, ?, ?, 0.5, 0.25)",
            (task.link, task.host, NOW),
        )
        yield store


def lease(store: Store) -> tuple[RevisitFrontier, CrawlTask]:
    frontier = RevisitFrontier(store, RevisitStore(store))
    frontier.open("revisit", NOW)
    [task], _ = frontier.lease(min(frontier.take_woken_hosts()), 16, NOW)
    return frontier, task


def test_revisit_is_marked_as_one(store: Store) -> None:
    frontier, task = lease(store)

    assert task.is_revisit
    assert frontier.admit(task) is Admission.SEND


def test_revisit_that_fails_leaves_its_link_as_read_as_it_was(store: Store) -> None:
    frontier, task = lease(store)

    frontier.fail(FetchFailure(task, "reading it failed: ValueError()", NOW))

    assert store.rows("SELECT state FROM links") == [(2,)]
    assert store.rows("SELECT count(*) FROM revisit_queue") == [(0,)]


def test_revisit_that_is_tried_again_stays_planned(store: Store) -> None:
    frontier, task = lease(store)

    frontier.fail(FetchFailure(task, "status 503", NOW, retry_in=60.0))

    assert store.rows("SELECT leased, attempts, not_before FROM revisit_queue") == [(0, 1, NOW + 60)]
