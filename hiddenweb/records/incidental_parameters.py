"""Parameters in the addresses of records that say how a record was reached, and not which one it is.

They are known by their names and their values together, since names alone may be those of records: `order=asc` sorts, `order=5017` is an order.
"""

from __future__ import annotations

import re

_TRACES = frozenset(
    {
        "highlight",
        "hilit",
        "srchterm",
        "searchterm",
        "searchid",
        "search_id",
        "list_id",
        "query_desc",
        "_pos",
        "_ss",
    }
)
"""Parameters that forums, shops, trackers and catalogues add to the addresses of results."""

_CAMPAIGN = re.compile(r"utm_\w+|fbclid|gclid|msclkid")
_SORT = re.compile(r"[@_]?(?:sort|order)(?:[-_]?(?:by|dir|direction|field|key|col|column|desc|asc|mode))*")
_DIRECTION = re.compile(r"[@_]?(?:dir|direction|desc|asc)")
_DIRECTIONS = frozenset({"", "asc", "desc", "ascending", "descending", "up", "down"})
_TOKEN = re.compile(
    r"(?:csrf|xsrf|auth|access|session)?[-_]?(?:token|nonce|ticket)|sess(?:ion)?(?:[-_]?(?:id|key|hash))?"
)
_OPAQUE = re.compile(r"(?=.*\d)[a-z0-9+/=_.-]{12,}")
_RETURN = re.compile(
    r"(?:return|back|next|redirect|origin|referr?er|came[-_]?from|from)(?:[-_]?(?:to|url|uri|path|page|address))?"
)
_ADDRESS = re.compile(r"/|https?://")


def is_incidental(name: str, value: str) -> bool:
    """Say whether a parameter, in lower case, only says how a record was reached: a sort order, a session, a campaign, words to highlight.

    >>> is_incidental("sort", "title"), is_incidental("order", "desc"), is_incidental("order", "5017")
    (True, True, False)
    >>> is_incidental("token", "8f7e6d5c4b3a29180716"), is_incidental("token", "wine"), is_incidental("dir", "films/old")
    (True, False, False)
    """
    if name in _TRACES or _CAMPAIGN.fullmatch(name):
        return True
    if _SORT.fullmatch(name):
        return not value.isdigit()
    if _DIRECTION.fullmatch(name):
        return value in _DIRECTIONS
    return bool(_TOKEN.fullmatch(name) and _OPAQUE.fullmatch(value))


def is_return_address(name: str, value: str) -> bool:
    """Say whether a parameter, in lower case, is named for the way back and holds an address.

    >>> is_return_address("back", "/find"), is_return_address("return_url", "http://a.example/find"), is_return_address("back", "cover")
    (True, True, False)
    """
    return bool(_RETURN.fullmatch(name) and _ADDRESS.match(value))
