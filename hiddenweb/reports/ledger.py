"""The ledger of submissions as a report: every query with its values, its outcome, and the reasons.

It is read in pieces, so that a long ledger needs little memory and does not delay a crawl that writes it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.reports.printable import quantity, time_text
from hiddenweb.store.frontier import MISSED

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator

    from hiddenweb.store.database import Store

_AT_ONCE = 500  # rows in memory at a time: a limit of taste


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A query and its outcome so far."""

    query: int
    form: int
    site: str
    keyword: str
    filled: tuple[tuple[str, str], ...]  # names of controls and their values
    method: str
    url: str
    body: str
    state: str  # planned, sent, answered, failed, unknown
    planned: float
    sent: float | None  # for POST only
    answered: float | None
    outcome: str  # the case of the answer
    why: str
    total: int | None  # as the site says
    pages: int  # pages of its answer that were read
    new_records: int
    seen_records: int
    reason: str = ""  # why it was submitted
    not_come: str = ""  # which further page of its answer could not be read, and why


def load_ledger(store: Store, *, forms: Collection[int] = (), site: str = "") -> Iterator[LedgerRow]:
    """Yield the queries in the order in which they were planned: all, or those of some forms or of one site."""
    last = 0
    while rows := store.rows(_ENTRIES, (last, not forms, json.dumps(sorted(forms)), site, _AT_ONCE)):
        yield from (_ledger_row(cast("tuple[Any, ...]", row)) for row in rows)
        last = cast("int", rows[-1][0])


_ENTRIES = (
    "SELECT s.id, s.form, domain, keyword, filled, method, url, body, s.state, planned, sent, answered, outcome, s.why, total,"
    " s.pages, new_records, seen_records, s.reason, coalesce((SELECT 'page ' || page_number || ' did not come: ' || links.why FROM links"
    f" WHERE links.submission = s.id AND links.kind = 'paging' AND links.state = {MISSED} LIMIT 1), '') FROM submissions s JOIN forms ON forms.id = s.form JOIN sites ON sites.id = forms.site"
    " WHERE s.id > ? AND (? OR s.form IN (SELECT value FROM json_each(?))) AND ? IN ('', domain) ORDER BY s.id LIMIT ?"
)


def _ledger_row(row: tuple[Any, ...]) -> LedgerRow:
    number, form, site, keyword, filled, method, url, body, *rest = row
    pairs = tuple((name, value) for name, value in json.loads(filled))
    return LedgerRow(number, form, site, keyword, pairs, method, url, body.decode("utf-8", "replace"), *rest)


def ledger_facts(entry: LedgerRow, allowed_by_hand: Container[int] = ()) -> dict[str, Any]:
    """Return a row of the ledger, for programs."""
    facts = {**asdict(entry), "filled": [list(pair) for pair in entry.filled]}
    return {**facts, "form_allowed_by_hand": entry.form in allowed_by_hand}


def ledger_lines(entries: Iterable[LedgerRow], allowed_by_hand: Container[int] = ()) -> Iterator[str]:
    """Yield the ledger for people: what was submitted, why, and the outcome; then the totals."""
    states: Counter[str] = Counter()
    forms: set[int] = set()
    new = 0
    for entry in entries:
        states[entry.state] += 1
        forms.add(entry.form)
        new += entry.new_records
        yield f"{time_text(entry.planned)}  #{entry.form} of {entry.site}, {entry.method}: {_query_text(entry)}"
        if entry.form in allowed_by_hand:
            yield "    of a form that the user allowed by hand"
        if entry.reason:
            yield f"    submitted, for {entry.reason}"
        yield f"    {_outcome_text(entry)}"
    if not states:
        yield "No queries."
        return
    counted = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
    yield ""
    yield f"{quantity(states.total(), 'query')} to {quantity(len(forms), 'form')} ({counted}); {quantity(new, 'new record')}."


def _query_text(entry: LedgerRow) -> str:
    """Return what was filled in: the keyword and the other values."""
    others = [f"{name}={value}" for name, value in entry.filled if value != entry.keyword]
    with_others = f" with {', '.join(others)}" if others else ""
    return f"{entry.keyword!r}{with_others}" if entry.keyword else ", ".join(others) or "nothing filled in"


def _outcome_text(entry: LedgerRow) -> str:
    outcome = f", {entry.outcome}" if entry.outcome else ""
    why = f" ({entry.why})" if entry.why else ""
    parts = [f"{entry.state}{outcome}{why}"]
    if entry.state == "answered":
        total = f"{entry.total:,} found as it says" if entry.total is not None else "no total"
        records = f"{entry.new_records:,} new and {entry.seen_records:,} seen records"
        parts += [total, f"{quantity(entry.pages, 'page')} read", records, *filter(None, [entry.not_come])]
    return "; ".join(parts)
