"""When to stop: a site whose budget is spent or that shows nothing new, and within a site pages that are all alike.

A trap makes addresses without end whose pages say what others said: every combination of filters, every session. Such
addresses differ in numbers and in their query only. When enough of them in a row were duplicates, exact or near, all
others of that shape are refused without a request; one page that says something new starts the count again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from hiddenweb.identity import shape

REMEMBERED = 20_000
"""Shapes that are counted at a time."""


@dataclass(frozen=True, slots=True)
class Patience:
    """What a site may cost."""

    pages: int = 5000
    nothing_new: int = 200  # pages in a row
    alike: int = 30  # pages in a row of one shape


def reason_to_leave(pages: int, nothing_new: int, patience: Patience) -> str | None:
    """Return why a site should be left; None to stay.

    >>> reason_to_leave(5000, 0, Patience())
    'its budget of 5000 pages is spent'
    >>> reason_to_leave(300, 200, Patience())
    'nothing new on the last 200 pages'
    >>> reason_to_leave(300, 20, Patience())
    """
    if pages >= patience.pages:
        return f"its budget of {patience.pages} pages is spent"
    if nothing_new >= patience.nothing_new:
        return f"nothing new on the last {patience.nothing_new} pages"
    return None


def common_shape(url: str) -> str:
    """Return what an address shares with its like: its path with numbers masked, without the query.

    >>> common_shape("http://a.example/list/7?colour=red&size=5")
    'http://a.example/list/0'
    """
    return shape(url.partition("?")[0])


class Sameness:
    """Counts duplicates in a row, by site and shape."""

    def __init__(self, patience: Patience) -> None:
        self._most = patience.alike
        self._in_a_row: OrderedDict[tuple[int, str], int] = OrderedDict()

    def is_too_much(self, site: int, url: str, *, new: bool) -> bool:
        """Count a page; say whether its like are to be refused from now on."""
        key = (site, common_shape(url))
        if new:
            self._in_a_row.pop(key, None)
            return False
        count = self._in_a_row[key] = self._in_a_row.get(key, 0) + 1
        self._in_a_row.move_to_end(key)
        if len(self._in_a_row) > REMEMBERED:
            self._in_a_row.popitem(last=False)
        return count == self._most
