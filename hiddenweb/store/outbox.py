"""Documents, and the outbox from which the search index takes them: written by a crawl, read at the same time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiddenweb.model import IndexDocument
from hiddenweb.store.sqlite_file import FILE, connect
from hiddenweb.store.versions import newest_content, unpack_content
from hiddenweb.urls import canonical_url, text_hash

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.store.sqlite_file import SqliteFile

_DOCUMENT = (
    "d.key, d.page, d.behind_form, d.digest, p.url, p.title, p.language, p.last_seen, r.url, r.title, r.text,"
    " r.first_seen, s.domain,"
    f" {newest_content('d.page')},"
    " (SELECT url FROM pages WHERE pages.id = r.page), d.record, r.attributes,"
    " (SELECT json_group_array(json(attributes)) FROM (SELECT attributes FROM extractions WHERE extractions.page = d.page"
    " AND ((place = 0 AND d.record IS NULL) OR 'crawl' IS NOT (SELECT origin FROM extractors WHERE extractors.id = extractions.extractor))"
    " AND at = (SELECT max(at) FROM extractions newer WHERE newer.page = d.page AND newer.extractor = extractions.extractor) ORDER BY extractor, place))"
)

_SOURCES = (
    "LEFT JOIN pages p ON p.id = d.page LEFT JOIN records r ON r.id = d.record"
    " LEFT JOIN sites s ON s.id = coalesce(p.site, r.site)"
)


class OutboxStore:
    """The documents and the outbox of a store."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._db = file.db

    def save_page(
        self, page: int, url: str, digest: str, *, behind_form: bool, record: int | None = None
    ) -> bool:
        """Put a page into the outbox; False if the index has it already. A record's own page replaces the record."""
        key = url
        if record is not None:
            ((record_key,),) = self._db.execute("SELECT key FROM records WHERE id = ?", (record,))
            key = self._find_key(document_key(record_key), url) or document_key(record_key)
        return self._save(key, page=page, record=record, digest=digest, behind_form=behind_form)

    def save_record(self, record: int, key: str, digest: str) -> bool:
        """Put a record into the outbox; False if its own page is known already, which then stands for both and is queued again if need be."""
        own_page = self._db.execute(
            "SELECT pages.url FROM records r JOIN pages ON pages.link = r.link WHERE r.id = ?"
            " AND NOT EXISTS (SELECT 1 FROM records o WHERE o.link = r.link AND o.id <> r.id)",
            (record,),
        ).fetchone()
        found = self._find_key(key, *(canonical_url(url) for url in own_page or ()))
        if found is not None and (page := self._find_page(found)) is not None:
            db = self._file.begin()
            number = db.execute(
                "UPDATE documents SET record = ? WHERE hash = ? AND page = ? AND record IS NULL RETURNING id",
                (record, text_hash(found), page),
            ).fetchone()
            if number is not None:
                db.execute("INSERT INTO outbox (document) VALUES (?)", number)
            return False
        return self._save(key, page=None, record=record, digest=digest, behind_form=True)

    def _find_key(self, *keys: str) -> str | None:
        """Return the first of some keys under which the index knows a document."""
        hashes = {text_hash(key): key for key in reversed(keys)}
        rows = self._db.execute(
            f"SELECT hash FROM documents WHERE hash IN ({','.join('?' * len(hashes))})", tuple(hashes)
        )
        found = {hashes[row[0]] for row in rows}
        return next((key for key in keys if key in found), None)

    def _find_page(self, key: str) -> int | None:
        row = self._db.execute("SELECT page FROM documents WHERE hash = ?", (text_hash(key),)).fetchone()
        return row[0] if row else None

    def _save(
        self, key: str, *, page: int | None, record: int | None, digest: str, behind_form: bool
    ) -> bool:
        db = self._file.begin()
        row = db.execute(
            "INSERT INTO documents (hash, key, page, record, digest, behind_form) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (hash) DO UPDATE SET page = excluded.page, record = coalesce(excluded.record, record),"
            " digest = excluded.digest, behind_form = min(behind_form, excluded.behind_form)"
            " WHERE digest <> excluded.digest OR page IS NOT excluded.page OR (record IS NULL AND excluded.record IS NOT NULL)"
            " OR (behind_form AND NOT excluded.behind_form) RETURNING id",
            (text_hash(key), key, page, record, digest, behind_form),
        ).fetchone()
        if row is None:
            return False
        db.execute("INSERT INTO outbox (document) VALUES (?)", row)
        return True

    def announce_page(self, page: int) -> None:
        """Have a page indexed again: its attributes have changed, though its text has not."""
        self._file.begin().execute(
            "INSERT INTO outbox (document) SELECT id FROM documents WHERE page = ?", (page,)
        )

    def announce_record(self, record: int) -> None:
        """Have a record indexed again: its attributes have changed."""
        self._file.begin().execute(
            "INSERT INTO outbox (document) SELECT id FROM documents WHERE record = ?", (record,)
        )

    def trim(self, acknowledged: int) -> None:
        """Delete what the index has acknowledged."""
        self._file.begin().execute("DELETE FROM outbox WHERE id <= ?", (acknowledged,))


class SqliteOutbox:
    """The outbox for the search index, read beside a running crawl."""

    def __init__(self, folder: Path) -> None:
        self._db = connect(folder / FILE, write=False)

    def read_after(self, position: int, limit: int) -> list[tuple[int, IndexDocument | str]]:
        """Return what was put into the outbox after a position, in order: what to index, or the key of what to delete."""
        rows = self._db.execute(
            f"SELECT outbox.id, {_DOCUMENT} FROM outbox JOIN documents d ON d.id = outbox.document {_SOURCES}"
            " WHERE outbox.id > ? ORDER BY outbox.id LIMIT ?",
            (position, limit),
        ).fetchall()
        return [(row[0], _document(row[1:])) for row in rows]

    def last(self) -> int:
        """Return the last number given out, also when its row is gone."""
        found = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").fetchone()
        return int(found[0]) if found else 0

    def documents(self) -> Iterator[IndexDocument]:
        """Yield every document of the index."""
        position = 0
        while rows := self._db.execute(
            f"SELECT d.id, {_DOCUMENT} FROM documents d {_SOURCES} WHERE d.id > ? ORDER BY d.id LIMIT 500",
            (position,),
        ).fetchall():
            yield from (_document(row[1:]) for row in rows)
            position = rows[-1][0]

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def open_outbox(folder: Path) -> SqliteOutbox:
    """Open the outbox of a state for reading."""
    return SqliteOutbox(folder)


def document_key(record_key: str) -> str:
    """Return the key under which a record is found: its address, or a name for one that has none."""
    return record_key if record_key.startswith("http") else f"record:{record_key}"


def _document(row: tuple[Any, ...]) -> IndexDocument:
    (key, page, behind_form, digest, url, title, language, at, record_url, record_title, record_text, record_at,
     domain, content, answer_url, record, listed, extracted) = row  # fmt: skip
    attributes = _attributes(listed, extracted)
    if page is not None:
        text = unpack_content(content)[0] if content else ""
        kind = "page" if record is None else "record"
        return IndexDocument(
            key, url, domain, title, text, language, kind, bool(behind_form), at, digest, attributes
        )
    where = record_url or answer_url or key
    return IndexDocument(
        key, where, domain, record_title, record_text, "", "record", True, record_at, digest, attributes
    )


def _attributes(listed: str | None, extracted: str) -> tuple[tuple[str, str], ...]:
    """Return what was extracted from a page, and those attributes from the answer that have other names."""
    pairs = [
        (name, value) for entry in json.loads(extracted) for name, values in entry.items() for value in values
    ]
    names = {name for name, _ in pairs}
    rest = [(name, value) for name, value in json.loads(listed or "[]") if name not in names]
    return tuple(dict.fromkeys((*pairs, *rest)))
