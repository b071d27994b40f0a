"""The ledger of questions, for whoever wants to read it: every question with what it was, what came of it, and why.

It is read in pieces, so that a long one takes no memory and a crawl that writes it is not held up.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.store.frontier import MISSED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hiddenweb.store.database import Store

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A question, and what came of it so far."""

    question: int
    form: int
    site: str
    keyword: str
    filled: tuple[tuple[str, str], ...]  # names of controls and what they got
    method: str
    url: str
    body: str
    state: str  # planned, sent, answered, failed, unknown
    planned: float
    sent: float | None  # by POST only
    answered: float | None
    outcome: str  # one of the cases of an answer
    why: str
    total: int | None  # as the site says
    pages: int  # of its answer that were read
    new_records: int
    seen_records: int
    reason: str = ""  # why it was asked
    not_come: str = ""  # which further page of its answer did not come, and why


def entries(store: Store, *, forms: Collection[int] = (), site: str = "") -> Iterator[LedgerRow]:
    """Yield the questions in the order of asking, to some forms or of one site where these are named."""
    last = 0
    while rows := store.rows(_ENTRIES, (last, not forms, json.dumps(sorted(forms)), site, _AT_ONCE)):
        yield from (_entry(cast("tuple[Any, ...]", row)) for row in rows)
        last = cast("int", rows[-1][0])


_ENTRIES = (
    "SELECT s.id, s.form, domain, keyword, filled, method, url, body, s.state, planned, sent, answered, outcome, s.why, total,"
    " s.pages, new_records, seen_records, s.reason, coalesce((SELECT 'page ' || page_number || ' did not come: ' || links.why FROM links"
    f" WHERE links.submission = s.id AND links.kind = 'paging' AND links.state = {MISSED} LIMIT 1), '') FROM submissions s JOIN forms ON forms.id = s.form JOIN sites ON sites.id = forms.site"
    " WHERE s.id > ? AND (? OR s.form IN (SELECT value FROM json_each(?))) AND ? IN ('', domain) ORDER BY s.id LIMIT ?"
)


def _entry(row: tuple[Any, ...]) -> LedgerRow:
    number, form, site, keyword, filled, method, url, body, *rest = row
    pairs = tuple((name, value) for name, value in json.loads(filled))
    return LedgerRow(number, form, site, keyword, pairs, method, url, body.decode("utf-8", "replace"), *rest)
