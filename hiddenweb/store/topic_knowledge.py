"""What the two stages of a crawl learnt about a topic, term by term.

It is written with the next commit, in the transaction of the pages it was learnt from: after a kill the two agree.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.focused.adaptive import AdaptiveCrawler

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.focused.smartcrawler import SmartCrawler
    from hiddenweb.store.database import Store


def load_terms(store: Store, topic: str) -> Iterator[tuple[str, str, Any]]:
    """Yield all that was learnt about a topic: part, term and value."""
    rows = store.rows(
        "SELECT part, term, value FROM topic_knowledge WHERE topic = ? ORDER BY part, term", (topic,)
    )
    for part, term, value in cast("list[tuple[str, str, str]]", rows):
        yield part, term, json.loads(value)


def add_terms(store: Store, topic: str, rows: Iterable[tuple[str, str, Any]]) -> int:
    """Add what was learnt about a topic elsewhere; existing terms stay. Return how many rows are new."""
    new = 0
    for part, term, value in rows:
        new += store.write(
            "INSERT OR IGNORE INTO topic_knowledge VALUES (?, ?, ?, ?)",
            (topic, part, term, json.dumps(value)),
        )
    return new


def save_terms(store: Store, topic: str, stages: AdaptiveCrawler | SmartCrawler) -> None:
    """Write what the learners of the stages learnt since the last time; None is the value of what was forgotten."""
    for part, learner in _learners(stages):
        changed = list(learner.changes())
        store.write_many(
            "INSERT OR REPLACE INTO topic_knowledge VALUES (?, ?, ?, ?)",
            [(topic, part, term, json.dumps(value)) for term, value in changed if value is not None],
        )
        store.write_many(
            "DELETE FROM topic_knowledge WHERE topic = ? AND part = ? AND term = ?",
            [(topic, part, term) for term, value in changed if value is None],
        )


def restore_learners(stages: AdaptiveCrawler | SmartCrawler, rows: Iterable[tuple[str, str, Any]]) -> None:
    """Give the learners of the stages what was learnt earlier."""
    by_part: dict[str, list[tuple[str, Any]]] = {}
    for part, term, value in rows:
        by_part.setdefault(part, []).append((term, value))
    for part, learner in _learners(stages):
        learner.take(by_part.get(part, ()))


def _learners(stages: AdaptiveCrawler | SmartCrawler) -> Iterator[tuple[str, Any]]:
    yield "sites", stages.site_learner.space
    yield "links", stages.link_learner.space
    if isinstance(stages, AdaptiveCrawler):
        yield "site odds", stages.site_probit
        yield "page odds", stages.page_probit
        yield "link odds", stages.link_probit
