"""Records: what answers listed, each once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from hiddenweb.querying.conversation_store import KnownRecord
from hiddenweb.urls import text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hiddenweb.model import Record
    from hiddenweb.store.forms import FormStore
    from hiddenweb.store.outbox import OutboxStore
    from hiddenweb.store.record_attributes import RecordAttributes
    from hiddenweb.store.sqlite_file import SqliteFile


class RecordStore:
    """The records of a store."""

    def __init__(
        self,
        file: SqliteFile,
        outbox: OutboxStore,
        forms: FormStore,
        attributes: Callable[[], RecordAttributes],
    ) -> None:
        self._file = file
        self._db = file.db
        self._outbox = outbox
        self._forms = forms
        self._attributes = attributes

    def find_known(self, site: int, keys: Sequence[str]) -> set[str]:
        """Return those keys that the site has records of already."""
        hashes = {text_hash(key): key for key in keys}
        marks = ",".join("?" * len(hashes))
        rows = self._db.execute(
            f"SELECT hash FROM records WHERE site = ? AND hash IN ({marks})", (site, *hashes)
        )
        return {hashes[row[0]] for row in rows}

    def save(
        self, site: int, records: Iterable[Record], *, submission: int | None, page: int | None, at: float
    ) -> list[tuple[int, Record]]:
        """Store records, each once; return the new ones with their numbers."""
        db, new, count = self._file.begin(), [], 0
        listings: list[tuple[int, Record, Sequence[tuple[str, str]]]] = []
        records = tuple(records)
        for record in records:
            count += 1
            row = db.execute(
                "INSERT INTO records (site, hash, key, title, text, url, submission, page, first_seen, last_seen, link,"
                " attributes, shown) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (site, hash) DO UPDATE SET last_seen = excluded.last_seen, times = times + 1,"
                " title = CASE WHEN excluded.title <> '' AND (substr(title, 1, length(excluded.title) + 1) = excluded.title || ' '"
                " OR substr(title, -length(excluded.title) - 1) = ' ' || excluded.title) THEN excluded.title ELSE title END"
                " RETURNING id, times, attributes, shown, listed",
                (
                    site, text_hash(record.key), record.key, record.title, record.text, record.url, submission, page,
                    at, at, self._find_link(record), json.dumps([*record.attributes], ensure_ascii=False),
                    json.dumps([*record.shown], ensure_ascii=False),
                ),
            )  # fmt: skip
            number, times, attributes, shown, listed = row.fetchone()
            earlier = () if times == 1 or not record.attributes else json.loads(listed or attributes)
            if record.attributes and submission is not None:
                listings.append((int(number), record, earlier))
            if times == 1:
                new.append((int(number), record))
            elif record.attributes and (
                all(name == "title" for name, _ in earlier) or not set(record.shown) <= set(json.loads(shown))
            ):
                self._attributes().add_answer(int(number), record)
            if submission is not None:
                db.execute(
                    "INSERT OR IGNORE INTO answer_records (record, submission) VALUES (?, ?)",
                    (number, submission),
                )
        if submission is not None and listings:
            self._attributes().watch_answer(submission, listings)
        if submission is not None and count:
            db.execute(
                "UPDATE submissions SET new_records = new_records + ?, seen_records = seen_records + ? WHERE id = ?",
                (len(new), count - len(new), submission),
            )
            self._forms.count_records(submission, len(new))
        return new

    def _find_link(self, record: Record) -> int | None:
        """Return the link to the own page of a record, if it is in the frontier: by its bare address, or by that of the answer."""
        if record.url is None:
            return None
        bare = record.key if record.key.startswith("http") else record.url
        row = self._db.execute(
            "SELECT id FROM links WHERE hash IN (?1, ?2) AND kind IN ('page', 'record') ORDER BY hash <> ?1 LIMIT 1",
            (url_hash(bare), url_hash(record.url)),
        ).fetchone()
        return row[0] if row else None

    def load_form(self, form: int) -> Iterator[KnownRecord]:
        """Yield the records that were first found by a form."""
        rows = self._file.rows(
            "SELECT hash, records.title, text, attributes, times FROM records WHERE submission IN (SELECT id FROM submissions WHERE form = ?)"
            " ORDER BY records.id",
            (form,),
        )
        for number, title, text, attributes, times in cast("list[tuple[int, str, str, str, int]]", rows):
            named = tuple((name, value) for name, value in json.loads(attributes))
            yield KnownRecord(number, title, text, named, times)

    def find_in_other_forms(
        self, site: int, form: int, titles: Sequence[str]
    ) -> dict[int, list[tuple[str, str]]]:
        """Return titles and texts of the records with some titles that other forms of a site found, by form."""
        found: dict[int, list[tuple[str, str]]] = {}
        marks = ",".join("?" * len(titles))
        for other, title, text in self._file.rows(
            "SELECT s.form, r.title, r.text FROM records r JOIN submissions s ON s.id = r.submission"
            f" WHERE r.site = ? AND s.form <> ? AND r.title IN ({marks})",
            (site, form, *titles),
        ):
            found.setdefault(cast("int", other), []).append((str(title), str(text)))
        return found

    def load_text(self, site: int, number: int) -> str:
        """Return the text of a record by the hash of its key; empty if there is none."""
        rows = self._file.rows("SELECT title, text FROM records WHERE site = ? AND hash = ?", (site, number))
        return whole_text(*cast("tuple[str, str]", rows[0])) if rows else ""


def whole_text(title: str, text: str) -> str:
    """Return the title and the text of a record; most often the text begins with the title."""
    return text if title in text else f"{title}\n{text}"
