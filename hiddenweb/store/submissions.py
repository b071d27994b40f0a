"""What the state knows of the questions to one form: those asked, the records they brought, and where reading was left."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hiddenweb.forms.stored_form import filled_as_json
from hiddenweb.store.database import MISSED, PENDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.model import HttpQuery
    from hiddenweb.store.database import Store


@dataclass(frozen=True, slots=True)
class SubmissionLine:
    """A question that was answered, or never will be."""

    keyword: str
    values: tuple[tuple[str, str], ...]
    outcome: str
    found: int  # records on the pages that were read
    new: int
    total: int | None
    left: bool  # reading can go on
    answered: bool = True  # False: no page of its answer came


@dataclass(frozen=True, slots=True)
class UnfinishedAnswer:
    """Where the reading of an answer was left."""

    submission: int
    url: str
    page: int


def lines(state: Store, form: int) -> list[SubmissionLine]:
    """Return what was asked of a form, but for the question under way."""
    rows = state.rows(
        "SELECT keyword, filled, outcome, new_records, seen_records, total, next_url IS NOT NULL OR EXISTS (SELECT 1 FROM links"
        f" WHERE links.submission = submissions.id AND links.state = {MISSED} AND links.kind = 'paging'), state = 'answered'"
        " FROM submissions WHERE form = ? AND state IN ('answered', 'failed', 'unknown') ORDER BY id",
        (form,),
    )
    return [_line(cast("tuple[Any, ...]", row)) for row in rows]


def records_of_other_forms(
    state: Store, site: int, form: int, titles: Sequence[str]
) -> dict[int, list[tuple[str, str]]]:
    """Return titles and texts of the records with some titles that other forms of a site brought, by the form."""
    found: dict[int, list[tuple[str, str]]] = {}
    marks = ",".join("?" * len(titles))
    for other, title, text in state.rows(
        "SELECT s.form, r.title, r.text FROM records r JOIN submissions s ON s.id = r.submission"
        f" WHERE r.site = ? AND s.form <> ? AND r.title IN ({marks})",
        (site, form, *titles),
    ):
        found.setdefault(cast("int", other), []).append((str(title), str(text)))
    return found


class KnownRecord(NamedTuple):
    """A record that a form was the first to bring."""

    number: int  # the hash of its key
    title: str
    text: str
    attributes: tuple[tuple[str, str], ...]
    times: int  # it was met


def records_of_form(state: Store, form: int) -> Iterator[KnownRecord]:
    """Yield the records that a form was the first to bring."""
    rows = state.rows(
        "SELECT hash, records.title, text, attributes, times FROM records WHERE submission IN (SELECT id FROM submissions WHERE form = ?)"
        " ORDER BY records.id",
        (form,),
    )
    for number, title, text, attributes, times in cast("list[tuple[int, str, str, str, int]]", rows):
        named = tuple((name, value) for name, value in json.loads(attributes))
        yield KnownRecord(number, title, text, named, times)


def whole_text(title: str, text: str) -> str:
    """Return all that is known of a record; most often its text begins with the title."""
    return text if title in text else f"{title}\n{text}"


def text_of_record(state: Store, site: int, number: int) -> str:
    """Return the text of a record by the hash of its key; empty if there is none."""
    rows = state.rows("SELECT title, text FROM records WHERE site = ? AND hash = ?", (site, number))
    return whole_text(*cast("tuple[str, str]", rows[0])) if rows else ""


def leave(state: Store, submission: int, left: tuple[str, int] | None) -> None:
    """Keep the address and the number of the page at which the reading of an answer was left; None: it is read on."""
    url, page = left or (None, None)
    state.write("UPDATE submissions SET next_url = ?, next_page = ? WHERE id = ?", (url, page, submission))


def left_of(state: Store, form: int, query: HttpQuery) -> UnfinishedAnswer | None:
    """Return where the answer to a question was left, if it was."""
    rows = state.rows(
        "SELECT id, next_url, next_page FROM submissions"
        " WHERE form = ? AND keyword = ? AND filled = ? AND next_url IS NOT NULL",
        (form, query.keyword, filled_as_json(query.values)),
    )
    return UnfinishedAnswer(*cast("tuple[int, str, int]", rows[0])) if rows else None


class MissingAnswerPage(NamedTuple):
    """A page of an answer that did not come, and may be asked for again."""

    link: int  # its number in the frontier
    form: int
    site: int


def pages_not_come(state: Store) -> list[MissingAnswerPage]:
    """Return the pages of answers that did not come in earlier crawls, but for those sent by POST: these are sent at most once."""
    rows = state.rows(
        "SELECT links.id, s.form, hosts.site FROM links JOIN submissions s ON s.id = links.submission"
        f" JOIN hosts ON hosts.id = links.host WHERE links.state = {MISSED} AND {_CAN_BE_ASKED_AGAIN} ORDER BY links.id"
    )
    return [MissingAnswerPage(*cast("tuple[int, int, int]", row)) for row in rows]


def ask_again(state: Store, link: int) -> bool:
    """Let a page of an answer wait again that did not come; say whether it did not."""
    rows = state.write_returning(
        f"UPDATE links SET state = {PENDING}, not_before = 0 WHERE id = ? AND state = {MISSED} RETURNING host, submission",
        (link,),
    )
    for host, submission in cast("list[tuple[int, int]]", rows):
        state.write(
            "UPDATE submissions SET state = 'planned', why = '' WHERE id = ? AND state = 'failed'",
            (submission,),
        )
        state.woken.add(host)
        state.hurried.add(host)
    return bool(rows)


_CAN_BE_ASKED_AGAIN = (
    "(links.kind = 'paging' OR (links.kind = 'answer' AND s.method = 'GET'))"
    " AND links.id NOT IN (SELECT link FROM page_posts WHERE sent IS NOT NULL)"
)


def was_asked(state: Store, form: int, query: HttpQuery) -> bool:
    """Say whether a question stands in the ledger."""
    return bool(
        state.rows(
            "SELECT 1 FROM submissions WHERE form = ? AND keyword = ? AND filled = ?",
            (form, query.keyword, filled_as_json(query.values)),
        )
    )


def keep_coverage(state: Store, form: int, coverage: str) -> None:
    """Keep how much of its database a form has shown."""
    state.write("UPDATE forms SET coverage = ? WHERE id = ?", (coverage, form))


def _line(row: tuple[Any, ...]) -> SubmissionLine:
    keyword, filled, outcome, new, seen, total, left, answered = row
    values = tuple((name, value) for name, value in json.loads(filled))
    return SubmissionLine(keyword, values, outcome, new + seen, new, total, bool(left), bool(answered))
