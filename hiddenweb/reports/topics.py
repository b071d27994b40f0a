"""The topics of a store: what it knows of each, and the import of what was learnt elsewhere."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.focused.stages import DEEP
from hiddenweb.store.errors import StateError
from hiddenweb.store.topic_knowledge import add_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.store.database import Store


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """What a state knows of a topic."""

    name: str
    visited: int = 0  # sites
    with_forms: int = 0  # those of them that have forms on the topic
    waiting: int = 0
    forms: int = 0  # on the topic
    terms: int = 0  # learnt


def list_topics(store: Store) -> list[str]:
    """Return the topics of a state."""
    return sorted(
        {
            topic
            for table in ("explored_sites", "candidates", "topic_knowledge")
            for topic in _list_topics(store, table)
        }
    )


def _list_topics(store: Store, table: str) -> Iterator[str]:
    """Yield the topics of a table, with one index lookup for each."""
    topic: str | None = ""
    while topic is not None:
        topic = cast(
            "str | None", store.rows(f"SELECT min(topic) FROM {table} WHERE topic > ?", (topic,))[0][0]
        )
        if topic is not None:
            yield topic


def summarize_topics(store: Store) -> list[TopicSummary]:
    """Return what a state knows of each of its topics."""
    # The key of a site is its domain, that of a page its address.
    visited = _count_by_topic(
        store, "SELECT topic, count(*) FROM explored_sites WHERE instr(key, '://') = 0 GROUP BY 1"
    )
    deep = _count_by_topic(
        store, f"SELECT topic, count(*) FROM explored_sites WHERE kind = {DEEP} GROUP BY 1"
    )
    waiting = _count_by_topic(store, "SELECT topic, count(*) FROM candidates GROUP BY 1")
    forms = _count_by_topic(store, "SELECT topic, count(*) FROM form_topics WHERE relevant GROUP BY 1")
    terms = _count_by_topic(store, "SELECT topic, count(*) FROM topic_knowledge GROUP BY 1")
    return [
        TopicSummary(name, *(counted.get(name, 0) for counted in (visited, deep, waiting, forms, terms)))
        for name in list_topics(store)
    ]


def list_sites_with_forms(store: Store, topic: str) -> list[str]:
    """Return the first addresses of the sites that have forms on a topic."""
    rows = store.rows(
        f"SELECT json_extract(candidate, '$.url') FROM explored_sites WHERE topic = ? AND kind = {DEEP} ORDER BY key",
        (topic,),
    )
    return [cast("str", row[0]) for row in rows]


def import_terms(store: Store, topic: str, rows: Iterable[tuple[str, str, Any]]) -> int:
    """Add what was learnt about a topic elsewhere; existing terms stay. Return how many rows are new."""
    try:
        new = add_terms(store, topic, rows)
    except sqlite3.Error as error:
        store.rows("ROLLBACK")
        raise StateError(f"{store.path}: cannot be written: {error}") from error
    store.commit()
    return new


def _count_by_topic(store: Store, sql: str) -> dict[str, int]:
    return dict(cast("list[tuple[str, int]]", store.rows(sql)))
