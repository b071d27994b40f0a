"""Labelled values are loaded when a crawl begins and saved when they change."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from hiddenweb.model import Field
from hiddenweb.querying.memory_store import MemoryConversationStore
from hiddenweb.querying.stored_values import VALUES, load_values, save_values
from hiddenweb.querying.user_values import BadValueFile

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.querying.labelled_values import LabelledValueSet

TODAY = date(2026, 11, 16)


def genres(values: LabelledValueSet) -> list[str]:
    return [value.text for value in values.lookup(Field("g", "text", label="Genre")).values]


def test_the_next_crawl_knows_what_one_crawl_learnt() -> None:
    store = MemoryConversationStore()
    values = load_values(store, TODAY)
    values.learn_values("Genre", ["Drama", "Comedy"], "test")

    save_values(store, values)

    assert genres(load_values(store, TODAY)) == ["Drama", "Comedy"]


def test_only_labels_that_changed_are_saved_again() -> None:
    store = MemoryConversationStore()
    values = load_values(store, TODAY)
    values.learn_values("Genre", ["Drama"], "test")
    values.learn_values("Fuel", ["Diesel"], "test")
    save_values(store, values)
    for subject, _ in store.list_knowledge(VALUES):
        store.save_knowledge(VALUES, subject, "")

    values.learn_values("Genre", ["Comedy"], "test")
    save_values(store, values)

    assert len(store.list_knowledge(VALUES)) == 1
    assert genres(load_values(store, TODAY)) == ["Drama", "Comedy"]


def test_the_users_values_join_what_was_learnt(tmp_path: Path) -> None:
    store = MemoryConversationStore()
    learnt = load_values(store, TODAY)
    learnt.learn_values("Genre", ["Drama"], "test")
    save_values(store, learnt)
    mine = tmp_path / "mine.toml"
    mine.write_text('Genre = ["Noir"]', encoding="utf-8")

    assert genres(load_values(store, TODAY, mine)) == ["Noir", "Drama"]


def test_a_bad_file_of_the_user_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValueFile):
        load_values(MemoryConversationStore(), TODAY, tmp_path / "gone.toml")
