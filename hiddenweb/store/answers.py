"""Answers that are revisited: their further pages, the records they list, and which of these are gone.

A record is gone when all answers that listed it were revisited and none lists it any more. What one answer lost, another may still list.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.frontier.scope import FrontierScope, reason_to_ignore
from hiddenweb.model import TaskSeed
from hiddenweb.revisit.revisit import FetchedBody
from hiddenweb.revisit.revisit_store import AnswerRevisit, StoredAnswerPage
from hiddenweb.store.frontier import DONE, REFUSED, SKIPPED
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import CrawlTask, Record, TaskKind
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.revisit_store import Miss
    from hiddenweb.store.database import Store

_MIN_CAPPED = 3  # answers of a form that end at the same number, its highest; a limit of taste


class AnswerStore:
    """The answers of a state."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load_further_pages(self, submission: int) -> list[StoredAnswerPage]:
        """Return the further pages of an answer as they were read, in their order."""
        rows = self._store.rows(
            "SELECT pages.url, links.page_number, (SELECT max(id) FROM versions WHERE versions.page = pages.id) FROM links"
            " JOIN pages ON pages.link = links.id WHERE links.submission = ? AND links.kind = 'paging' ORDER BY links.page_number",
            (submission,),
        )
        found = []
        for url, number, version in cast("list[tuple[str, int, int | None]]", rows):
            source = self._store.versions.load_source(version) if version is not None else None
            if source is not None:
                body = FetchedBody(source.body, source.content_type)
                found.append(StoredAnswerPage(url, number, body))
        return found

    def find_cap(self, form: int) -> int:
        """Return the round number at which several answers of a form end and which none exceeds: the limit of the site. 0: there is none."""
        rows = self._store.rows(
            "SELECT found, count(*) FROM (SELECT count(*) AS found FROM answer_records WHERE missing IS NULL AND submission IN"
            " (SELECT id FROM submissions WHERE form = ? AND next_url IS NULL) GROUP BY submission) GROUP BY found ORDER BY found DESC LIMIT 1",
            (form,),
        )
        most, times = cast("tuple[int, int]", rows[0]) if rows else (0, 0)
        is_round = most % 5 == 0 or not most & (most - 1)
        return most if most > 1 and times >= _MIN_CAPPED and is_round else 0

    def plan_page(self, task: CrawlTask, url: str, number: int) -> int | None:
        """Plan the revisit of a further page of an answer, before all others; return its link, None for an unknown host."""
        return self._plan_next(task, url, "paging", number)

    def _plan_next(self, task: CrawlTask, url: str, kind: TaskKind, number: int) -> int | None:
        host = self._store.sites.find_host(url)
        if host is None:
            return None
        seed = TaskSeed(
            url, kind, 0, task.hops, parent=task.link, submission=task.submission, page_number=number
        )
        identity = self._store.frontier.link_hash(seed)
        if self._store.frontier.add([seed]).new:
            self._store.write("UPDATE links SET state = ? WHERE hash = ?", (DONE, identity))
        link = cast("int", self._store.rows("SELECT id FROM links WHERE hash = ?", (identity,))[0][0])
        self._store.write(
            "INSERT INTO revisit_queue (link, host, not_before, expected, step) VALUES (?, ?, 0, 0, 1) ON CONFLICT (link) DO NOTHING",
            (link, host),
        )
        self._store.sites.woken_hosts.add(host)
        return link

    def end_page(self, link: int) -> bool:
        """End the revisit of a further page; say whether nothing else was planned for it."""
        return bool(
            self._store.write_returning(
                "DELETE FROM revisit_queue WHERE link = ? AND step = 1 RETURNING link", (link,)
            )
        ) or not self._store.rows("SELECT 1 FROM revisit_queue WHERE link = ?", (link,))

    def find_record(self, site: int, key: str) -> tuple[int, bool] | None:
        """Return the number of a record, and whether it is gone; None for an unknown record."""
        rows = self._store.rows(
            "SELECT id, gone IS NOT NULL FROM records WHERE site = ? AND hash = ?", (site, text_hash(key))
        )
        return (cast("int", rows[0][0]), bool(rows[0][1])) if rows else None

    def mark_shown(self, submission: int, site: int, records: Iterable[Record]) -> None:
        """Note the records that an answer lists now."""
        for record in records:
            if (stored := self.find_record(site, record.key)) is not None:
                self._store.write(
                    "INSERT INTO answer_records (record, submission) VALUES (?, ?) ON CONFLICT DO UPDATE SET missing = NULL, proof = 0",
                    (stored[0], submission),
                )
                if stored[1]:
                    self._store.write("UPDATE records SET gone = NULL WHERE id = ?", (stored[0],))

    def mark_missing(self, submission: int, site: int, key: str, at: float, *, is_proof: bool) -> Miss:
        """Note that an answer does not list a record any more; return what follows from that.

        The record is gone if an answer that was read completely lost it, and all others that listed it were revisited since and do not list it either.
        Without a complete answer among them it is not proved.
        """
        stored = self.find_record(site, key)
        if stored is None or stored[1]:
            return "known to be gone"
        record = stored[0]
        self._store.write(
            "INSERT INTO answer_records VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET missing = excluded.missing, proof = excluded.proof",
            (record, submission, at, is_proof),
        )
        still, proved = cast(
            "tuple[int, int]",
            self._store.rows(
                "SELECT coalesce(sum(missing IS NULL), 0), coalesce(max(proof), 0) FROM answer_records WHERE record = ?",
                (record,),
            )[0],
        )
        if still or not proved:
            return "shown elsewhere" if still else "not proved"
        self._store.write("UPDATE records SET gone = ? WHERE id = ?", (at, record))
        return "gone"

    def mark_gone(self, site: int, key: str, at: float) -> None:
        """Note that a record is gone."""
        self._store.write(
            "UPDATE records SET gone = ? WHERE site = ? AND hash = ? AND gone IS NULL",
            (at, site, text_hash(key)),
        )

    def find_detail_page(self, site: int, key: str) -> str | None:
        """Return the address of the own page of a record; None if there is none that we may fetch.

        If answers say enough, own pages are no links yet; read pages of other records of the site show that they may be fetched.
        """
        rows = self._store.rows(
            "SELECT records.url, links.state, links.why, EXISTS (SELECT 1 FROM links read WHERE read.kind = 'record' AND read.state = ?"
            " AND read.host IN (SELECT id FROM hosts WHERE hosts.site = records.site))"
            " FROM records LEFT JOIN links ON links.id = records.link WHERE records.site = ? AND records.hash = ?",
            (DONE, site, text_hash(key)),
        )
        if not rows or rows[0][0] is None:
            return None
        url, state, why, are_read = cast("tuple[str, int | None, str | None, int]", rows[0])
        if state is None:
            may_fetch = (
                bool(are_read)
                and self._store.sites.find_host(url) is not None
                and not reason_to_ignore(url, FrontierScope())
            )
        else:
            may_fetch = state != REFUSED or why == SKIPPED
        return url if may_fetch else None

    def plan_detail_page(self, task: CrawlTask, url: str) -> int | None:
        """Plan the revisit of the own page of a record that an answer lost, before all others; return its link."""
        return self._plan_next(task, url, "record", 1)

    def load_record(self, site: int, key: str) -> tuple[str, str]:
        """Return the title and the text of a stored record."""
        rows = self._store.rows(
            "SELECT title, text FROM records WHERE site = ? AND hash = ?", (site, text_hash(key))
        )
        return cast("tuple[str, str]", rows[0])

    def is_reported(self, site: int, change: Change, since: float) -> bool:
        """Say whether another answer reported the same change of a record, since a time."""
        stored = self.find_record(site, change.key)
        if stored is None:
            return False
        return bool(
            self._store.rows(
                "SELECT 1 FROM changes WHERE record = ? AND kind = ? AND at > ? AND coalesce(json_extract(change, '$.attribute'), '') = ?"
                " AND (? = '' OR coalesce(json_extract(change, '$.after'), '') = ?)",
                (stored[0], change.kind, since, change.attribute, change.attribute, change.after),
            )
        )

    def update_record(self, site: int, record: Record) -> None:
        """Store the present title, text and attributes of a record."""
        self._store.write(
            "UPDATE records SET title = ?, text = ? WHERE site = ? AND hash = ?",
            (record.title, record.text, site, text_hash(record.key)),
        )
        if (stored := self.find_record(site, record.key)) is not None:
            self._store.record_attributes.replace_answer(stored[0], record)

    def save_revisit(self, revisit: AnswerRevisit) -> None:
        """Store the outcome of a revisit of an answer."""
        self._store.write(
            "INSERT OR REPLACE INTO answer_revisits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                revisit.submission, revisit.at, revisit.pages, revisit.whole, revisit.why, revisit.added, revisit.removed,
                revisit.changed, revisit.not_seen,
            ),
        )  # fmt: skip

    def count_without_revisits(self) -> int:
        """Return how many answers with records are never revisited: they are fetched by POST."""
        return cast(
            "int",
            self._store.rows(
                "SELECT count(*) FROM submissions WHERE method <> 'GET' AND state = 'answered' AND new_records + seen_records > 0"
            )[0][0],
        )

    def load_revisits(
        self, *, site: str = "", since: float = 0.0
    ) -> list[tuple[str, int, str, AnswerRevisit]]:
        """Return the revisits of answers, the latest first, each with domain, form and query."""
        rows = self._store.rows(
            "SELECT domain, forms.id, keyword, answer_revisits.* FROM answer_revisits JOIN submissions ON submissions.id = submission"
            " JOIN forms ON forms.id = submissions.form JOIN sites ON sites.id = forms.site"
            " WHERE (:site = '' OR domain = :site) AND answer_revisits.at >= :since ORDER BY answer_revisits.at DESC",
            {"site": site, "since": since},
        )
        return [
            (domain, form, keyword, replace(AnswerRevisit(*revisit), whole=bool(revisit[3])))
            for domain, form, keyword, *revisit in cast("list[tuple[Any, ...]]", rows)
        ]
