"""Forms that were found: the verdict on each, the state of its queries, and its topics."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.forms.stored_form import StoredForm, form_as_json, form_from_json, form_hash
from hiddenweb.frontier.address_scope import EVERYWHERE
from hiddenweb.model import Verdict
from hiddenweb.store.errors import StateError
from hiddenweb.store.recent_rows import RecentRows
from hiddenweb.store.sqlite_file import LONGEST_REASON
from hiddenweb.urls import host as host_of
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.model import Form
    from hiddenweb.store.sites import SiteStore
    from hiddenweb.store.sqlite_file import SqliteFile

_FORM = (
    "forms.id, site, form, may_submit, kind, verdict, state, why, queries, records, conversation_state, domain, found, coverage"
    " FROM forms JOIN sites ON sites.id = forms.site"
)


class FormStore:
    """The forms of a store."""

    def __init__(self, file: SqliteFile, sites: SiteStore) -> None:
        self._file = file
        self._db = file.db
        self._sites = sites
        self._recent: RecentRows[StoredForm] = RecentRows(file)

    def load(self, number: int) -> StoredForm | None:
        """Return a form by its number."""
        if (recent := self._recent.find(number)) is not None:
            return recent
        rows = self._db.execute(f"SELECT {_FORM} WHERE forms.id = ?", (number,))
        if (read := next(map(_form_of_row, rows), None)) is not None:
            self._recent.add(number, read)
        return read

    def count(self) -> int:
        """Return how many forms are stored."""
        return int(self._db.execute("SELECT count(*) FROM forms").fetchone()[0])

    def find(self, site: int, form: Form) -> StoredForm | None:
        """Return the stored form of a site that is the same, wherever it was found."""
        rows = self._db.execute(f"SELECT {_FORM} WHERE site = ? AND hash = ?", (site, form_hash(form)))
        return next(map(_form_of_row, rows), None)

    def find_open(self, queries: int, site: int | None = None) -> Iterator[StoredForm]:
        """Yield the forms of one site, or of all explored now, that may be queried and had fewer queries than allowed.

        Those that are being queried come first.
        """
        rows = self._db.execute(
            f"SELECT {_FORM} WHERE may_submit = 1 AND (?1 IS NULL OR site = ?1)"
            " AND (state IN ('found', 'querying') OR (state = 'queried' AND queries < ?2))"
            " ORDER BY state = 'querying' DESC, forms.id",
            (site, queries),
        ).fetchall()
        yield from (form for form in map(_form_of_row, rows) if not self._sites.is_left(form.site))

    def load_all(self, *, site: str = "", kind: str = "") -> Iterator[StoredForm]:
        """Yield all stored forms, of one site or of one kind if these are named."""
        yield from map(
            _form_of_row,
            self._db.execute(
                f"SELECT {_FORM} WHERE ?1 IN ('', sites.domain) AND ?2 IN ('', kind) ORDER BY sites.domain, forms.id",
                (site, kind),
            ),
        )

    def load_site(self, site: int) -> list[StoredForm]:
        """Return all stored forms of a site."""
        rows = self._db.execute(f"SELECT {_FORM} WHERE site = ? ORDER BY forms.id", (site,))
        return list(map(_form_of_row, rows))

    def find_to_judge_again(
        self, post_hosts: Collection[str], *, nofollow: bool = False, scope: AddressScope = EVERYWHERE
    ) -> list[StoredForm]:
        """Return the forms of sites explored now whose verdict may be different now.

        These are forms that an earlier version judged, forms refused for being sent by POST to a host that is allowed now,
        and forms that are sent by POST to a host that is no longer allowed; with `nofollow` also those refused
        because of nofollow; and forms that are in the scope now and were not, or the other way round.
        """
        from hiddenweb.forms.verdict import NOFOLLOW, is_outside, refuse_outside  # noqa: PLC0415  most users of a store judge no forms, and commands start faster

        rows = self._db.execute(
            f"SELECT {_FORM} WHERE verdict = '' OR may_submit OR ?1 OR (?2 AND NOT may_submit) OR why LIKE '%its address is %' ORDER BY forms.id",
            (bool(post_hosts), nofollow),
        ).fetchall()
        open_forms = [form for form in map(_form_of_row, rows) if not self._sites.is_left(form.site)]
        return [
            form
            for form in open_forms
            if not form.verdict.why
            or (nofollow and NOFOLLOW in form.verdict.refusals)
            or is_outside(form.verdict)
            or is_outside(refuse_outside(form.form, form.verdict, scope))
            or (
                form.as_sent.method == "POST"
                and form.verdict.may_submit != (host_of(form.as_sent.action) in post_hosts)
            )
        ]

    def save_relevance(self, form: int, topic: str, near: float, *, relevant: bool) -> None:
        """Store the relevance of a form to a topic."""
        self._file.begin().execute(
            "INSERT OR REPLACE INTO form_topics VALUES (?, ?, ?, ?)", (form, topic, near, relevant)
        )

    def load_relevances(self, topic: str) -> dict[int, bool]:
        """Return the forms that were compared with a topic, and whether they are on it."""
        rows = self._db.execute("SELECT form, relevant FROM form_topics WHERE topic = ?", (topic,))
        return {form: bool(relevant) for form, relevant in rows}

    def is_relevant(self, form: int, topic: str) -> bool:
        """Say whether a form was found to be on a topic."""
        found = self._db.execute(
            "SELECT relevant FROM form_topics WHERE form = ? AND topic = ?", (form, topic)
        ).fetchone()
        return bool(found and found[0])

    def find_sites_to_query(self, topic: str) -> list[str]:
        """Return the seeds of the sites whose forms on a topic are to be queried, or are being queried."""
        rows = self._db.execute(
            "SELECT DISTINCT sites.seed FROM forms JOIN sites ON sites.id = forms.site JOIN form_topics t ON t.form = forms.id"
            " WHERE t.topic = ? AND t.relevant AND may_submit = 1 AND state IN ('found', 'querying', 'queried')",
            (topic,),
        )
        return [row[0] for row in rows]

    def save(self, site: int, form: Form, verdict: Verdict, at: float) -> int:
        """Store a form, where it was found, and the verdict on it; return its number."""
        db = self._file.begin()
        row = db.execute(
            "INSERT INTO forms (site, hash, page_url, form, may_submit, kind, probability, verdict, why, state, found)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (site, hash) DO UPDATE SET"
            " page_url = excluded.page_url, form = excluded.form, may_submit = excluded.may_submit, kind = excluded.kind, probability = excluded.probability,"
            " verdict = excluded.verdict, why = excluded.why, state = CASE"
            " WHEN state = 'left' AND excluded.may_submit THEN 'found' WHEN NOT excluded.may_submit THEN 'left' ELSE state END"
            " RETURNING id",
            (
                site, form_hash(form), form.page_url, form_as_json(form), verdict.may_submit,
                verdict.kind, verdict.probability, json.dumps(asdict(verdict), ensure_ascii=False),
                verdict.summary[:LONGEST_REASON], "found" if verdict.may_submit else "left", at,
            ),
        )  # fmt: skip
        number = int(row.fetchone()[0])
        self._recent.forget(number)
        return number

    def update(self, number: int, form: Form) -> None:
        """Store a form that was fetched again, with other hidden values."""
        self._file.begin().execute("UPDATE forms SET form = ? WHERE id = ?", (form_as_json(form), number))
        self._recent.forget(number)

    def end(self, number: int, why: str, *, for_now: bool = False) -> None:
        """End the queries of a form for good, or until more queries are allowed."""
        state = "queried" if for_now else "done"
        self._file.begin().execute("UPDATE forms SET state = ?, why = ? WHERE id = ?", (state, why, number))
        self._recent.change(number, lambda row: replace(row, state=state, why=why))

    def count_hops(self, form: int) -> int:
        """Return how far from a seed the page of a form is."""
        [(url,)] = self._db.execute("SELECT page_url FROM forms WHERE id = ?", (form,)).fetchall()
        link = self._db.execute("SELECT hops FROM links WHERE hash = ?", (url_hash(url),)).fetchone()
        return int(link[0]) if link else 0

    def save_conversation_state(self, form: int, conversation_state: str) -> None:
        """Store what was learnt about how to query a form."""
        self._file.begin().execute(
            "UPDATE forms SET conversation_state = ? WHERE id = ?", (conversation_state, form)
        )
        self._recent.change(form, lambda row: replace(row, conversation_state=conversation_state))

    def save_coverage(self, form: int, coverage: str) -> None:
        """Store how much of its database a form has shown."""
        self._file.begin().execute("UPDATE forms SET coverage = ? WHERE id = ?", (coverage, form))
        self._recent.change(form, lambda row: replace(row, coverage=coverage))

    def count_query(self, form: int, conversation_state: str | None) -> None:
        """Count one more query of a form, and store what was learnt about it, unless that is None."""
        self._file.begin().execute(
            "UPDATE forms SET state = 'querying', queries = queries + 1,"
            " conversation_state = coalesce(?, conversation_state) WHERE id = ?",
            (conversation_state, form),
        )
        self._recent.change(
            form,
            lambda row: replace(
                row, state="querying", queries=row.queries + 1,
                conversation_state=row.conversation_state if conversation_state is None else conversation_state,
            ),
        )  # fmt: skip

    def count_records(self, submission: int, new: int) -> None:
        """Count the new records of an answer."""
        rows = self._file.write_returning(
            "UPDATE forms SET records = records + ? WHERE id = (SELECT form FROM submissions WHERE id = ?) RETURNING id",
            (new, submission),
        )
        for (form,) in cast("list[tuple[int]]", rows):
            self._recent.change(form, lambda row: replace(row, records=row.records + new))


def _form_of_row(row: tuple[Any, ...]) -> StoredForm:
    number, site, form, may_submit, kind, verdict, *rest = row
    try:
        judged = _verdict(verdict) if verdict else Verdict(bool(may_submit), kind)
        return StoredForm(number, site, form_from_json(form), judged, *rest)
    except (ValueError, TypeError, KeyError) as error:
        raise StateError(f"the form {number} in the state cannot be read: {error}") from error


def _verdict(text: str) -> Verdict:
    values = json.loads(text)
    several = {name: tuple(values.get(name, ())) for name in ("why", "refusals", "overruled")}
    return Verdict(**{**values, **several})
