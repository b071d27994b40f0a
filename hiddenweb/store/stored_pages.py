"""The pages of a state with their sources, version by version, for readers; in one order, by address and time."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.store.stored_records import EVERY_RECORD, find_extractor, require_known
from hiddenweb.store.versions import unpack_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.store.database import Store
    from hiddenweb.store.stored_records import RecordFilter

_CHOOSE = (
    "SELECT v.id FROM versions v JOIN pages p ON p.id = v.page JOIN sites s ON s.id = p.site JOIN links l ON l.id = p.link"
    " WHERE (:site = '' OR s.domain = :site) AND (:since IS NULL OR v.at >= :since) AND (:until IS NULL OR v.at < :until)"
    " AND (:form IS NULL OR l.submission IN (SELECT id FROM submissions WHERE form = :form) OR p.link IN"
    " (SELECT r.link FROM answer_records a JOIN submissions q ON q.id = a.submission JOIN records r ON r.id = a.record"
    " WHERE q.form = :form))"
    " AND (:extractor IS NULL OR p.id IN (SELECT page FROM extractions WHERE extractor = :extractor))"
    " ORDER BY p.url, v.id LIMIT :limit"
)
_LOAD = (
    "SELECT p.url, v.at, v.content_type, c.content, q.form, q.keyword, q.method, coalesce(b.body, q.body),"
    " coalesce(b.content_type, q.content_type) FROM versions v JOIN contents c ON c.id = v.content JOIN pages p ON p.id = v.page"
    " JOIN links l ON l.id = p.link LEFT JOIN page_posts b ON b.link = l.id"
    " LEFT JOIN submissions q ON q.id = l.submission AND l.kind IN ('answer', 'paging') WHERE v.id = ?"
)


@dataclass(frozen=True, slots=True)
class AnsweredQuery:
    """The query that a page answers."""

    form: int
    keyword: str
    method: str
    body: bytes  # of a POST
    content_type: str


@dataclass(frozen=True, slots=True)
class StoredPage:
    """What a page said at a time. Its body is decoded; headers and redirects are not stored."""

    url: str
    at: float
    content_type: str
    body: bytes
    query: AnsweredQuery | None = None


class StoredPages:
    """The versions of pages that fit a filter. Raises UnknownName for a site, form or extractor that is not known."""

    def __init__(self, store: Store, wanted: RecordFilter = EVERY_RECORD) -> None:
        self._store = store
        require_known(store, wanted)
        times = (wanted.since, wanted.changed_since)
        values = {
            "site": wanted.site, "form": wanted.form, "extractor": find_extractor(store, wanted),
            "since": max((at for at in times if at is not None), default=None), "until": wanted.until,
            "limit": -1 if wanted.limit is None else wanted.limit,
        }  # fmt: skip
        self._numbers = array("q", (row[0] for row in store.db.execute(_CHOOSE, values)))

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[StoredPage]:
        for number in self._numbers:
            for row in self._store.rows(_LOAD, (number,)):
                yield _read_page(row)


def _read_page(row: tuple[Any, ...]) -> StoredPage:
    url, at, content_type, content, form, keyword, method, body, body_type = row
    query = None if form is None else AnsweredQuery(form, keyword, method, body or b"", body_type or "")
    return StoredPage(url, at, content_type, unpack_content(content)[1], query)
