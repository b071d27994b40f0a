from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused.link_index import LinkIndex, MemoryLinkIndex
from hiddenweb.store.site_links import SqliteLinkIndex

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

TOPIC = "books"


def test_links_between_sites_are_known_from_both_ends_and_by_topic(store: Store) -> None:
    books, wine = SqliteLinkIndex(store, "books"), SqliteLinkIndex(store, "wine")

    new = books.note("a.example", "https://a.example/links", ["b.example", "c.example", "b.example"])
    known = books.note("a.example", "https://a.example/other", ["b.example"])

    assert (new, known) == (["b.example", "c.example"], [])
    assert sorted(books.targets("a.example")) == ["b.example", "c.example"]
    assert list(books.sources("b.example")) == ["a.example"]
    assert list(wine.sources("b.example")) == []


@pytest.fixture(params=["memory", "sqlite"])
def index(request: pytest.FixtureRequest, store: Store) -> LinkIndex:
    return MemoryLinkIndex() if request.param == "memory" else SqliteLinkIndex(store, TOPIC)


def test_link_between_two_sites_is_new_once(index: LinkIndex) -> None:
    first = index.note("a.example", "https://a.example/", ["b.example", "c.example", "b.example"])
    second = index.note("a.example", "https://a.example/2", ["c.example", "d.example"])
    other = index.note("b.example", "https://b.example/", ["c.example"])

    assert (first, second, other) == (["b.example", "c.example"], ["d.example"], ["c.example"])
    assert set(index.targets("a.example")) == {"b.example", "c.example", "d.example"}
    assert set(index.targets("x.example")) == set()
