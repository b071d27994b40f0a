from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.store.site_links import SqliteLinkIndex

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_links_between_sites_are_known_from_both_ends_and_by_topic(store: Store) -> None:
    books, wine = SqliteLinkIndex(store, "books"), SqliteLinkIndex(store, "wine")

    new = books.note("a.example", "https://a.example/links", ["b.example", "c.example", "b.example"])
    known = books.note("a.example", "https://a.example/other", ["b.example"])

    assert (new, known) == (["b.example", "c.example"], [])
    assert sorted(books.targets("a.example")) == ["b.example", "c.example"]
    assert list(books.sources("b.example")) == ["a.example"]
    assert list(wine.sources("b.example")) == []
