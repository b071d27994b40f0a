"""The labelled values of a crawl, loaded when it begins and saved when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.querying.labelled_values import LabelledValueSet

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from hiddenweb.querying.conversation_store import KnowledgeKeeper

VALUES = "values"
"""The part of the knowledge with the labelled values."""


def load_values(store: KnowledgeKeeper, today: date, user_file: Path | None = None) -> LabelledValueSet:
    """Return what earlier crawls learnt, and the user's own values; raises BadValueFile."""
    values = LabelledValueSet.from_rows(store.list_knowledge(VALUES), today)
    if user_file is not None:
        values.load_user_file(user_file)
    return values


def save_values(store: KnowledgeKeeper, values: LabelledValueSet) -> None:
    """Save what changed since the last time."""
    for subject, row in values.changes():
        store.save_knowledge(VALUES, subject, row)
