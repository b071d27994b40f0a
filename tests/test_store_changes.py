"""Stored changes, and what is known to be noise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from stores import NOW, fetch, lease_seeds, save_page

from hiddenweb.model import Record, TaskSeed
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.store.changes import ChangeStore

if TYPE_CHECKING:
    from hiddenweb.model import CrawlTask
    from hiddenweb.store.database import Store

URL = "https://shop.example/lamp"
CHANGE = Change("content", URL, NOW, "shop.example", "Lamp", edits=(Edit("a", "b"),))


@pytest.fixture
def task(store: Store) -> CrawlTask:
    """The task of a page that was read; its page is the first of the store."""
    [task] = lease_seeds(store, URL)
    assert save_page(store, fetch(task)) == 1
    return task


def test_a_change_is_stored_with_its_versions_and_found_by_its_number(store: Store, task: CrawlTask) -> None:
    changes = ChangeStore(store)

    saved = changes.add(1, task.site, CHANGE, old=3, new=4)

    assert saved == replace(CHANGE, number=1, old=3, new=4)
    assert changes.load(1) == saved
    assert changes.load(2) is None


def test_changes_are_chosen_by_kind_and_time_the_latest_first(store: Store, task: CrawlTask) -> None:
    changes = ChangeStore(store)
    for kind, at in (("content", NOW), ("gone", NOW + 10), ("content", NOW + 20), ("back", NOW + 20)):
        changes.add(1, task.site, replace(CHANGE, kind=kind, at=at))  # type: ignore[arg-type]

    def numbers(**wanted: object) -> list[int]:
        return [change.number for change in changes.load_all(**wanted)]  # type: ignore[arg-type]

    assert numbers() == [4, 3, 2, 1]
    assert numbers(kind="content") == [3, 1]
    assert numbers(since=NOW + 10) == [4, 3, 2]
    assert numbers(limit=2) == [4, 3]


@pytest.mark.parametrize(
    ("site", "found"),
    [
        ("shop.example", True),
        ("www.shop.example", True),
        ("old.www.shop.example", False),
        ("other.example", False),
        ("op.example", False),  # the end of a name is no host above it
    ],
)
def test_changes_of_a_host_are_those_of_the_hosts_below_it_too(
    store: Store, task: CrawlTask, site: str, found: bool
) -> None:
    changes = ChangeStore(store)
    saved = changes.add(1, task.site, replace(CHANGE, site="www.shop.example"))

    assert changes.load_all(site=site) == ([saved] if found else [])


def test_a_site_is_known_by_its_hosts_and_by_what_is_above_it(store: Store, task: CrawlTask) -> None:
    del task
    hosts = ("shop.example", "www.shop.example", "example")

    assert [ChangeStore(store).has_site(site) for site in hosts] == [True, True, True]
    assert not ChangeStore(store).has_site("other.example")
    assert not ChangeStore(store).has_site("op.example")


def test_what_a_person_calls_noise_is_shown_on_demand_only(store: Store, task: CrawlTask) -> None:
    changes = ChangeStore(store)
    saved = changes.add(1, task.site, CHANGE)

    changes.mark_noise(saved.number, "a counter")

    assert changes.load_all() == []
    assert changes.load_all(noise=True) == [saved]


def test_a_change_of_a_record_knows_its_record_and_the_query_of_its_answer(
    store: Store, task: CrawlTask
) -> None:
    store.records.save(task.site, [Record("k", "A lamp", "of brass")], submission=None, page=1, at=NOW)
    [answer] = lease_all_of(store, TaskSeed("https://shop.example/find?q=x", "answer", submission=7))
    page = save_page(store, fetch(answer))
    changes = ChangeStore(store)

    for key in ("k", "unknown"):
        changes.add(page, task.site, replace(CHANGE, kind="record changed", key=key))
    changes.add(1, task.site, CHANGE)

    assert store.rows("SELECT record, submission FROM changes ORDER BY id") == [
        (1, 7),
        (None, 7),
        (None, None),
    ]


def lease_all_of(store: Store, seed: TaskSeed) -> list[CrawlTask]:
    store.frontier.add([seed])
    task = store.frontier.lease_url(seed.url)
    return [task] if task else []


def test_masks_are_stored_and_there_are_none_before(store: Store) -> None:
    changes = ChangeStore(store)
    assert changes.load_masks().masks() == []
    masks = NoiseMasks()
    before, after = (PageVersion("Lamp", (f"Visitors {count}",)) for count in (3, 4))
    [mask] = masks.mark(URL, before, after, "a counter")

    changes.save_masks(masks)

    assert changes.load_masks().masks() == [mask]
