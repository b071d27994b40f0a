from __future__ import annotations

from typing import TYPE_CHECKING

from stores import NOW

from hiddenweb.model import (
    TaskSeed,
)
from hiddenweb.store.database import Store
from hiddenweb.store.sites import RecentKeys

if TYPE_CHECKING:
    from pathlib import Path


def test_site_wanted_later_is_no_longer_outside(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add([TaskSeed("https://b.example/")])

    store.sites.want("https://b.example/")

    assert store.frontier.add([TaskSeed("https://b.example/")]).new == 1


def test_site_a_seed_redirected_to_comes_back_with_its_seed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        old = store.sites.want("https://old.example/")
        new = store.sites.want("https://new.example/", via=old)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        store.sites.want("https://old.example/")

        assert not store.sites.is_left(new)


def test_sites_reached_through_several_redirects_come_back_with_the_seed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        first = store.sites.want("https://a.example/")
        second = store.sites.want("https://b.example/", via=first)
        third = store.sites.want("https://c.example/", via=second)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        store.sites.want("https://a.example/")

        assert not store.sites.is_left(second)
        assert not store.sites.is_left(third)


def test_pages_are_counted_by_kind_and_only_explored_ones_can_bring_nothing_new(store: Store) -> None:
    site = store.sites.want("https://a.example/")

    store.sites.count_page(site, new=False)
    store.sites.count_page(site, new=False, kind="answer")
    progress = store.sites.count_page(site, new=True, kind="record")

    assert (progress.pages, progress.explored, progress.record_pages, progress.nothing_new) == (3, 1, 1, 1)
    assert store.sites.load_progress(site) == progress


def test_keys_are_missing_that_were_never_added_or_long_ago() -> None:
    recent = RecentKeys(2)
    for key in ("a", "b", "c", "d", "e"):
        recent.add(key, 1)

    missing = recent.missing(["e", "x", "a", "c", "b", "x"])

    assert missing == ["x", "a", "b", "x"]
    assert [recent.get(key) is None for key in ("e", "x", "a", "c", "b")] == [False, True, True, False, True]
