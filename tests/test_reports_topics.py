from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from topic_states import read_one_site

from hiddenweb.reports.topics import (
    TopicSummary,
    import_terms,
    list_topics,
    summarize_topics,
)
from hiddenweb.store.database import Store
from hiddenweb.store.topic_knowledge import load_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        yield store


def test_topics_are_counted_separately(store: Store) -> None:
    read_one_site(store)
    import_terms(store, "cars", [("site odds", "u:car", [0.5, 0.1])])

    assert list_topics(store) == ["books", "cars"]
    books, cars = summarize_topics(store)
    assert (books.visited, books.with_forms, books.waiting, books.forms) == (1, 1, 1, 1)
    assert books.terms > 0
    assert cars == TopicSummary("cars", terms=1)


def test_existing_terms_win_over_imported_ones(store: Store) -> None:
    import_terms(store, "cars", [("site odds", "u:car", [0.5, 0.1])])

    new = import_terms(store, "cars", [("site odds", "u:car", [9.0, 0.1]), ("sites", "url:car", 3)])

    assert new == 1
    assert list(load_terms(store, "cars")) == [("site odds", "u:car", [0.5, 0.1]), ("sites", "url:car", 3)]
