from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.store.topic_knowledge import add_terms, load_terms

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_terms_from_elsewhere_do_not_replace_existing_ones(store: Store) -> None:
    assert add_terms(store, "books", [("sites", "url:book", 3), ("links", "word:shop", 1)]) == 2
    assert add_terms(store, "books", [("sites", "url:book", 9), ("sites", "url:wine", 2)]) == 1

    assert list(load_terms(store, "books")) == [
        ("links", "word:shop", 1),
        ("sites", "url:book", 3),
        ("sites", "url:wine", 2),
    ]
    assert list(load_terms(store, "wine")) == []
