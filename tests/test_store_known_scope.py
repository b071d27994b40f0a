"""Links that were refused for the patterns of an earlier crawl wait again when the patterns change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.frontier.address_scope import EVERYWHERE, EXCLUDED, AddressScope
from hiddenweb.model import TaskSeed
from hiddenweb.store.database import Store
from hiddenweb.store.known_scope import reconsider_outside

if TYPE_CHECKING:
    from pathlib import Path

URLS = [f"https://a.example/{name}" for name in ("private/a", "private/b", "old/c", "d")]


def refuse(store: Store, url: str, why: str) -> None:
    task = store.frontier.lease_url(url)
    assert task is not None
    store.frontier.refuse(task, why)


def waiting(store: Store) -> set[str]:
    return {str(url) for (url,) in store.rows("SELECT url FROM links WHERE state = 0")}


def test_links_wait_again_that_are_inside_of_other_patterns(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.sites.want("https://a.example/")
        store.frontier.add(TaskSeed(url) for url in URLS)
        reconsider_outside(store, AddressScope.parse("", "/private,/old"))
        for url in URLS[:3]:
            refuse(store, url, EXCLUDED)
        refuse(store, URLS[3], "robots.txt forbids it")

        unchanged = reconsider_outside(store, AddressScope.parse("", "/private,/old"))
        fewer = reconsider_outside(store, AddressScope.parse("", "/private"))
        after_fewer = waiting(store)
        none = reconsider_outside(store, EVERYWHERE)

        assert (unchanged, fewer, none) == (0, 1, 2)
        assert after_fewer == {URLS[2]}
        assert waiting(store) == set(URLS[:3])
