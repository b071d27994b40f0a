"""The frontier of a crawl on a topic."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.store.database import Store
from hiddenweb.store.focused import FocusedStore
from hiddenweb.store.topic_frontier import TopicFrontier

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
A, B = "https://a.example/", "https://b.example/"


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[TopicFrontier]:
    with Store(tmp_path) as store:
        focused = FocusedStore(store, "books", ["book"], Random(0), FocusedLimits())
        frontier = TopicFrontier(store, focused, most_sites=1)
        frontier.open("test", NOW)
        frontier.add_seed(A)
        frontier.add_seed(B)
        yield frontier


def test_no_more_sites_are_opened_than_are_explored_at_once(frontier: TopicFrontier) -> None:
    assert frontier.can_choose_sites()

    frontier.choose_sites(NOW)

    assert len(frontier.take_woken_hosts()) == 1
    assert not frontier.can_choose_sites()


def test_site_that_is_abandoned_makes_room_for_the_next(frontier: TopicFrontier) -> None:
    frontier.choose_sites(NOW)
    [host] = frontier.take_woken_hosts()
    [task], _ = frontier.lease(host, 1, NOW)

    frontier.abandon_site(task.site)
    frontier.choose_sites(NOW)

    [other] = frontier.take_woken_hosts()
    assert other != host


def test_what_was_opened_is_counted(frontier: TopicFrontier) -> None:
    assert "hiddenweb/locating/sites_opened" not in frontier.figures()

    frontier.choose_sites(NOW)

    assert frontier.figures()["hiddenweb/locating/sites_opened"] == 1
    assert frontier.figures()["hiddenweb/locating/sites_waiting"] == 1
