from __future__ import annotations

from hiddenweb.focused.link_index import LinkIndex, MemoryLinkIndex


def test_only_links_that_are_new_to_a_site_are_returned() -> None:
    index: LinkIndex = MemoryLinkIndex()

    assert index.note("a.example", "https://a.example/", ["b.example", "c.example", "b.example"]) == [
        "b.example",
        "c.example",
    ]
    assert index.note("a.example", "https://a.example/2", ["c.example", "d.example"]) == ["d.example"]


def test_links_are_known_in_both_directions() -> None:
    index = MemoryLinkIndex()
    index.note("a.example", "https://a.example/", ["c.example"])
    index.note("b.example", "https://b.example/", ["c.example"])

    assert list(index.targets("a.example")) == ["c.example"]
    assert list(index.sources("c.example")) == ["a.example", "b.example"]
    assert list(index.sources("a.example")) == []
