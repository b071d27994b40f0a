"""Links that were refused for the patterns of an earlier crawl, and that a crawl with other patterns may follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.frontier.address_scope import OUTSIDE
from hiddenweb.store.frontier import PENDING, REFUSED

if TYPE_CHECKING:
    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.store.database import Store

PART, LAST = "address scope", "last"
"""The part and the subject of the knowledge that says which patterns the last crawl had."""


def reconsider_outside(store: Store, scope: AddressScope) -> int:
    """Let links wait again that were outside of the last crawl's patterns and are in this scope; return how many.

    All links are read once, and only if the patterns have changed.
    """
    last = dict(store.knowledge.load_all(PART)).get(LAST, "")
    if last == str(scope):
        return 0
    store.knowledge.put(PART, LAST, str(scope))
    return _retry_refused(store, scope) if last else 0


def _retry_refused(store: Store, scope: AddressScope) -> int:
    rows = store.db.execute(
        "SELECT id, host, url FROM links WHERE state = ? AND why IN (?, ?)", (REFUSED, *OUTSIDE)
    ).fetchall()
    wanted = [(link, host) for link, host, url in rows if not scope.reason_outside(url)]
    store.begin().executemany(
        "UPDATE links SET state = ?, why = NULL WHERE id = ?", [(PENDING, link) for link, _ in wanted]
    )
    store.sites.woken_hosts.update(host for _, host in wanted)
    return len(wanted)
