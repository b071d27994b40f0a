"""The records that a run found or changed, until they are reported: each once, when no more of it is expected in this run.

Triggers of the connection note every record that is new or says something else, and every new entry of an extractor, whatever part writes them, and in the
same transaction. They are in temporary tables on disk, so memory does not grow with them, and a state that is opened again knows nothing of them.

No more of a record is expected when its own page was read or will not be read: it is done, missed or refused in the frontier, or the record has no page. A page
that still waits at the end of the run is not waited for (`take_rest`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from hiddenweb.store.frontier import DONE
from hiddenweb.store.stored_records import prepare
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.store.database import Store

WINDOW = 200
"""Records that are looked at together: a few milliseconds."""

_NOTE = """INSERT INTO waiting_records (number) SELECT {number} {where}
    AND NOT EXISTS (SELECT 1 FROM waiting_records WHERE number = {number})
    AND NOT EXISTS (SELECT 1 FROM reported_records WHERE number = {number});"""
_NOTE_RECORD = _NOTE.format(number="new.id", where="WHERE 1")
_TABLES = (
    "CREATE TEMP TABLE waiting_records (number INTEGER PRIMARY KEY, looks INTEGER NOT NULL DEFAULT 0)",
    "CREATE TEMP TABLE reported_records (number INTEGER PRIMARY KEY)",
    """CREATE TEMP TABLE entries_before
    (page INTEGER, extractor INTEGER, place INTEGER, attributes TEXT, PRIMARY KEY (page, extractor, place))""",
    f"CREATE TEMP TRIGGER note_new_record AFTER INSERT ON records BEGIN {_NOTE_RECORD} END",
    f"""CREATE TEMP TRIGGER note_changed_record AFTER UPDATE OF title, url, attributes ON records
    WHEN new.title IS NOT old.title OR new.url IS NOT old.url OR new.attributes IS NOT old.attributes
    BEGIN {_NOTE_RECORD} END""",
    """CREATE TEMP TRIGGER note_old_entry BEFORE DELETE ON extractions BEGIN
    DELETE FROM entries_before WHERE page = old.page AND extractor = old.extractor AND place = old.place;
    INSERT INTO entries_before VALUES (old.page, old.extractor, old.place, old.attributes); END""",
    f"""CREATE TEMP TRIGGER note_new_entry AFTER INSERT ON extractions
    WHEN NOT EXISTS (SELECT 1 FROM entries_before WHERE page = new.page AND extractor = new.extractor
        AND place = new.place AND attributes = new.attributes) BEGIN
    DELETE FROM reported_records WHERE number = -new.id;
    INSERT INTO entries_of_records SELECT new.record, new.extractor WHERE new.record IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM entries_of_records WHERE record = new.record AND extractor = new.extractor);
    {_NOTE.format(number="new.record", where="WHERE new.record IS NOT NULL")}
    {_NOTE.format(number="r.id", where="FROM pages p JOIN records r ON r.link = p.link WHERE p.id = new.page AND new.place = 0")}
    {_NOTE.format(number="-new.id", where="WHERE new.record IS NULL")} END""",
)


class FoundRecords:
    """The records that a run found or changed, by their numbers; entries of extractors have negative ones."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._after = -(2**62)  # the last number that was looked at
        prepare(store)
        for sql in _TABLES:
            store.db.execute(sql)

    def take_of_link(self, link: int) -> list[int]:
        """Take the records whose own page is at a link, if it was read or will not be."""
        rows = self._store.rows(
            "SELECT r.id FROM records r JOIN waiting_records w ON w.number = r.id JOIN links l ON l.id = r.link"
            " WHERE r.link = ? AND l.state >= ?",
            (link, DONE),
        )
        return self._take([cast("int", number) for (number,) in rows])

    def take_settled(self) -> list[int]:
        """Look at some that wait, others each time; take those of which no more is expected."""
        rows = self._store.rows(
            "SELECT w.number, w.looks, l.state, r.url, r.key FROM (SELECT * FROM waiting_records WHERE number > ? ORDER BY number LIMIT ?) w"
            " LEFT JOIN records r ON r.id = w.number LEFT JOIN links l ON l.id = r.link ORDER BY w.number",
            (self._after, WINDOW),
        )
        self._after = cast("int", rows[-1][0]) if len(rows) == WINDOW else -(2**62)
        settled, seen = [], []
        for number, looks, linked, url, key in cast(
            "list[tuple[int, int, int | None, str | None, str]]", rows
        ):
            state = self._find_state(url, key) if linked is None and url is not None else linked
            if state is not None and state < DONE:
                continue
            if state is None and url is not None and not looks:
                seen.append(number)  # its link may be on its way into the frontier
            else:
                settled.append(number)
        self._store.db.executemany(
            "UPDATE waiting_records SET looks = 1 WHERE number = ?", [(each,) for each in seen]
        )
        return self._take(settled)

    def take_rest(self) -> Iterator[list[int]]:
        """Take all that still wait, some at a time."""
        while rows := self._store.rows(
            "SELECT number FROM waiting_records ORDER BY number LIMIT ?", (WINDOW,)
        ):
            yield self._take([cast("int", number) for (number,) in rows])

    def _find_state(self, url: str, key: str) -> int | None:
        """Return the state of the page of a record whose link was not known when the record was stored."""
        bare = key if key.startswith("http") else url
        rows = self._store.rows(
            "SELECT state FROM links WHERE hash IN (?, ?) AND kind IN ('page', 'record') ORDER BY state LIMIT 1",
            (url_hash(bare), url_hash(url)),
        )
        return cast("int", rows[0][0]) if rows else None

    def _take(self, numbers: list[int]) -> list[int]:
        marked = [(number,) for number in numbers]
        self._store.db.executemany("DELETE FROM waiting_records WHERE number = ?", marked)
        self._store.db.executemany("INSERT OR IGNORE INTO reported_records VALUES (?)", marked)
        return numbers
