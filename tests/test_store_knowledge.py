from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_knowledge_that_was_forgotten_leaves_nothing_behind(store: Store) -> None:
    store.knowledge.put("values", "colour", "red")
    store.knowledge.put("values", "size", "large")
    store.knowledge.put("values", "colour", "")
    store.knowledge.put("values", "never known", "")

    assert store.knowledge.load_all("values") == [("size", "large")]
    assert store.knowledge.get("values", "colour") is None
