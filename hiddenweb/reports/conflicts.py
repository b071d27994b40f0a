"""What the pages about a record disagree about: an answer says one value, the record's own page another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.records.merging import Conflict
from hiddenweb.urls import canonical_url, text_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.store.database import Store

MOST_NAMED = 20
"""Records with conflicts that a site names; a limit of taste."""


@dataclass(frozen=True, slots=True)
class ExplainedRecord:
    """A record, with what pages disagree about."""

    title: str
    url: str
    attributes: list[tuple[str, str]]
    conflicts: list[Conflict]


def find_record_at(store: Store, url: str) -> ExplainedRecord | None:
    """Return the record at an address; None if there is none."""
    rows = store.rows(
        "SELECT title, coalesce(url, key), attributes, conflicts FROM records WHERE hash = ?1 UNION ALL"
        " SELECT r.title, coalesce(r.url, r.key), attributes, conflicts FROM links JOIN records r ON r.link = links.id WHERE links.url = ?2 LIMIT 1",
        (text_hash(canonical_url(url)), url),
    )
    return next(map(_record, rows), None)


def list_conflicting(store: Store, domain: str) -> list[ExplainedRecord]:
    """Return the first records of a site about which pages disagree."""
    rows = store.rows(
        "SELECT title, coalesce(url, key), attributes, conflicts FROM records JOIN sites ON sites.id = records.site"
        " WHERE domain = ? AND conflicts <> '' ORDER BY records.id LIMIT ?",
        (domain, MOST_NAMED),
    )
    return list(map(_record, rows))


def describe_conflicts(record: ExplainedRecord) -> Iterator[str]:
    """Yield a line for each attribute that pages disagree about."""
    for each in record.conflicts:
        where = "its own page says" if each.source == "page" else "answers say"
        yield f"{each.name}: {each.chosen!r} is kept, {where} {each.other!r}"


def _record(row: tuple[object, ...]) -> ExplainedRecord:
    title, url, attributes, conflicts = cast("tuple[Any, ...]", row)
    return ExplainedRecord(
        title,
        url,
        [(name, value) for name, value in json.loads(attributes)],
        [Conflict(*each) for each in json.loads(conflicts or "[]")],
    )
