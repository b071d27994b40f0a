"""Records as they are stored, for readers: each with what the extractors that people made found on its own page.

Beside the records of answers there are entries that an extractor found on pages that links reach; they are records of kind `page`.
All come in one order, by site and key, so two crawls that found the same say the same. Numbers are sorted first and records are loaded in
batches, so memory does not grow with what a record says.
"""

from __future__ import annotations

import json
from array import array
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.records.attribute_names import fold_name
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.store.database import Store

    Pairs = tuple[tuple[str, str], ...]

BATCH = 500
"""Records that are in memory at once. A limit of taste."""

_TABLES = (
    "CREATE TEMP TABLE IF NOT EXISTS entries_of_records (record INTEGER, extractor INTEGER, PRIMARY KEY (record, extractor))",
    "CREATE TEMP TABLE IF NOT EXISTS changed_pages (page INTEGER PRIMARY KEY, at REAL)",
    "DELETE FROM temp.entries_of_records",
    "DELETE FROM temp.changed_pages",
    "INSERT INTO temp.entries_of_records SELECT DISTINCT record, extractor FROM extractions WHERE record IS NOT NULL",
    """INSERT INTO temp.changed_pages SELECT page, max(at) FROM changes WHERE noise = '' AND record IS NULL
    AND kind IN ('content', 'record changed') GROUP BY page""",
)
"""What has no index in the state, as a copy of its own."""

_HAS_OWN_PAGE = "NOT EXISTS (SELECT 1 FROM records other WHERE other.link = r.link AND other.id <> r.id)"
_OWN_PAGE = f"(SELECT id FROM pages WHERE pages.link = r.link AND {_HAS_OWN_PAGE})"
_CHANGED = (
    "max(coalesce((SELECT max(at) FROM changes WHERE changes.record = r.id AND noise = '' AND kind = 'record changed'), 0),"
    f" coalesce((SELECT at FROM changed_pages WHERE page = {_OWN_PAGE}), 0))"
)
_NEWEST = (
    "NOT EXISTS (SELECT 1 FROM extractions newer WHERE newer.page = x.page AND newer.extractor = x.extractor"
    " AND newer.at > x.at)"
)
_ENTRY_KEY = "(p.url || ' ' || e.name || ' ' || printf('%06d', x.place))"
_ENTRIES = "extractions x JOIN extractors e ON e.id = x.extractor JOIN pages p ON p.id = x.page JOIN sites s ON s.id = p.site"
_IS_OWN_ENTRY = (
    f"x.record IS NULL AND (x.place = 0 OR e.origin = 'person') AND {_NEWEST}"
    " AND (x.place > 0 OR (SELECT count(*) FROM records WHERE records.link = p.link) <> 1)"
)
_CHOOSE_RECORDS = (
    "SELECT r.id AS number, s.domain AS site, r.key AS key FROM records r JOIN sites s ON s.id = r.site WHERE"
    " (:site = '' OR s.domain = :site) AND (:since IS NULL OR r.first_seen >= :since)"
    " AND (:until IS NULL OR r.first_seen < :until)"
    " AND (:form IS NULL OR r.submission IN (SELECT id FROM submissions WHERE form = :form) OR r.id IN"
    " (SELECT record FROM answer_records a JOIN submissions q ON q.id = a.submission WHERE q.form = :form))"
    " AND (:extractor IS NULL OR r.id IN (SELECT record FROM extractions WHERE extractor = :extractor AND record IS NOT NULL)"
    f" OR EXISTS (SELECT 1 FROM extractions x WHERE x.page = {_OWN_PAGE} AND x.extractor = :extractor AND x.place = 0))"
    f" AND (:changed IS NULL OR r.first_seen >= :changed OR {_CHANGED} >= :changed)"
)
_CHOOSE_ENTRIES = (
    f"SELECT -x.id, s.domain, {_ENTRY_KEY} FROM {_ENTRIES} WHERE {_IS_OWN_ENTRY}"
    " AND (:site = '' OR s.domain = :site) AND (:since IS NULL OR p.first_seen >= :since)"
    " AND (:until IS NULL OR p.first_seen < :until) AND (:form IS NULL OR e.form = :form)"
    " AND (:extractor IS NULL OR x.extractor = :extractor) AND (:changed IS NULL OR p.first_seen >= :changed"
    " OR (SELECT at FROM changed_pages WHERE page = p.id) >= :changed)"
)
_FORM = (
    "coalesce((SELECT min(q.form) FROM answer_records a JOIN submissions q ON q.id = a.submission WHERE a.record = r.id),"
    " (SELECT form FROM submissions WHERE submissions.id = r.submission))"
)
_LOAD_RECORDS = (
    "SELECT r.id, 'record', s.domain, r.key, coalesce(r.url, (SELECT url FROM pages WHERE pages.id = r.page), ''), r.title,"
    f" r.attributes, {_FORM}, r.first_seen, {_CHANGED}, r.gone,"
    " (SELECT json_group_array(json_array(name, origin, json(attributes))) FROM (SELECT e.name, e.origin, x.attributes"
    f" FROM extractions x JOIN extractors e ON e.id = x.extractor WHERE x.page = {_OWN_PAGE} AND x.place = 0"
    f" AND e.origin = 'person' AND {_NEWEST} ORDER BY e.id)),"
    " (SELECT json_group_array(json_array(name, origin, json('{}'))) FROM (SELECT DISTINCT e.name, e.origin FROM entries_of_records n"
    " JOIN extractors e ON e.id = n.extractor WHERE n.record = r.id ORDER BY e.origin = 'crawl', e.id))"
    " FROM records r JOIN sites s ON s.id = r.site WHERE r.id IN (SELECT value FROM json_each(?))"
)
_LOAD_ENTRIES = (
    f"SELECT -x.id, CASE p.kind WHEN 'page' THEN 'page' ELSE 'record' END, s.domain, {_ENTRY_KEY}, p.url, p.title, '[]', e.form,"
    " p.first_seen, (SELECT at FROM changed_pages WHERE page = p.id), NULL,"
    " json_array(json_array(e.name, e.origin, json(x.attributes))), '[]'"
    f" FROM {_ENTRIES} WHERE x.id IN (SELECT -value FROM json_each(?))"
)


class UnknownName(LookupError):
    """A site, form or extractor is not in the state; the message says which."""


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records are wanted: all that fit. Times are POSIX seconds."""

    site: str = ""  # registered domain
    form: int | None = None  # one of its answers shows it
    extractor: str = ""  # its name
    since: float | None = None  # found then or later
    until: float | None = None  # found before
    changed_since: float | None = None  # found or changed then or later
    limit: int | None = None  # the first so many


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record with all that is known of it."""

    number: int  # of an entry that an extractor found on a page: negative
    kind: str  # record: an answer showed it, or led to its page; page: links reach it
    site: str
    key: str
    url: str
    title: str
    attributes: Pairs  # what extractors of people found comes first
    form: int | None
    extractors: tuple[str, ...]
    source: str  # whose it is: an extractor that a person made, or else a form
    found_at: float
    changed_at: float | None
    gone_at: float | None

    @property
    def id(self) -> str:
        """Sixteen digits that stay the same in every crawl of the site."""
        return f"{text_hash(f'{self.site} {self.key}') & 0xFFFFFFFFFFFFFFFF:016x}"


EVERY_RECORD = RecordFilter()


@contextmanager
def read_at_once(store: Store) -> Iterator[None]:
    """Read everything as it was at one moment, though a crawl may write meanwhile."""
    if store.db.in_transaction:
        yield
        return
    store.db.execute("BEGIN")
    try:
        yield
    finally:
        store.db.rollback()


class StoredRecords:
    """The records of a state that fit a filter, in one order.

    Raises UnknownName for a site, form or extractor that is not known. To read twice what does not change in between, use `read_at_once`.
    """

    def __init__(self, store: Store, wanted: RecordFilter = EVERY_RECORD) -> None:
        self._store = store
        self._wanted = wanted
        prepare(store)
        self._numbers = self._choose()

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[StoredRecord]:
        for start in range(0, len(self._numbers), BATCH):
            yield from load_records(self._store, self._numbers[start : start + BATCH])

    def _choose(self) -> array[int]:
        wanted = self._wanted
        require_known(self._store, wanted)
        values = {
            "site": wanted.site, "form": wanted.form, "extractor": find_extractor(self._store, wanted), "since": wanted.since,
            "until": wanted.until, "changed": wanted.changed_since, "limit": -1 if wanted.limit is None else wanted.limit,
        }  # fmt: skip
        rows = self._store.db.execute(
            f"{_CHOOSE_RECORDS} UNION ALL {_CHOOSE_ENTRIES} ORDER BY site, key LIMIT :limit", values
        )
        return array("q", (row[0] for row in rows))


def require_known(store: Store, wanted: RecordFilter) -> None:
    """Raise UnknownName for a site, form or extractor that a state does not have."""
    for what, sql, value, command in (
        ("site", "SELECT 1 FROM sites WHERE domain = ?", wanted.site or None, "status"),
        ("form", "SELECT 1 FROM forms WHERE id = ?", wanted.form, "forms"),
        ("extractor", "SELECT 1 FROM extractors WHERE name = ?", wanted.extractor or None, "extract"),
    ):
        if value is not None and not store.rows(sql, (value,)):
            raise UnknownName(f"there is no {what} {value!r} in this state; scrapy {command} lists all")


def find_extractor(store: Store, wanted: RecordFilter) -> int | None:
    """Return the number of the extractor that a filter names."""
    rows = store.rows("SELECT id FROM extractors WHERE name = ?", (wanted.extractor,))
    return cast("int", rows[0][0]) if rows else None


def prepare(store: Store) -> None:
    """Bring up to date what `load_records` needs."""
    for sql in _TABLES:
        store.db.execute(sql)


def load_records(store: Store, numbers: Sequence[int] | array[int]) -> list[StoredRecord]:
    """Return records by their numbers, in the same order; those that are gone from the state are left out."""
    wanted = json.dumps(list(numbers))
    found = {
        record.number: record
        for sql in (_LOAD_RECORDS, _LOAD_ENTRIES)
        for record in map(_read_record, store.rows(sql, (wanted,)))
    }
    return [found[number] for number in numbers if number in found]


def _read_record(row: tuple[Any, ...]) -> StoredRecord:
    number, kind, site, key, url, title, listed, form, found, changed, gone, extracted, named = row
    entries = [*json.loads(extracted), *json.loads(named)]
    names = tuple(dict.fromkeys(name for name, _, _ in entries))
    by_people = [name for name, origin, _ in entries if origin == "person"]
    source = (
        by_people[0]
        if by_people
        else f"{site} form {form}"
        if form is not None
        else names[0]
        if names
        else site
    )
    attributes = _merge(
        [(name, value) for _, _, values in entries for name, each in values.items() for value in each],
        json.loads(listed),
    )
    return StoredRecord(
        number, kind, site, key, url, title, attributes, form, names, source, found, changed or None, gone
    )


def _merge(extracted: Iterable[tuple[str, str]], listed: Iterable[Sequence[str]]) -> Pairs:
    """Return what extractors found, and those attributes of the answer that they did not find."""
    pairs = list(extracted)
    names = {fold_name(name) for name, _ in pairs}
    rest = [(name, value) for name, value in listed if fold_name(name) not in names]
    return tuple(dict.fromkeys((*pairs, *rest)))
