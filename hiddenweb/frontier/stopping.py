"""When to stop: at a site whose budget is spent or that has nothing new, and within a site at pages that are all alike.

Where forms on a topic are looked for, the five criteria of SmartCrawler hold as well, which count by depth, the number of links
from the homepage:

    SC1  no page deeper than `depth`
    SC2  no more than `pages` of one depth
    SC3  when one depth gave `forms`, the next depth follows
    SC4  also when `formless` pages of it gave none
    SC5  when `formless_in_all` pages gave none, the site is left

A page gives a form if it has a searchable one that is new to the site: a form in the header of every page counts only once.

A trap makes endless addresses whose pages repeat others: every combination of filters, every session. Such
addresses differ in numbers and in their query only. When enough of them in a row were duplicates, exact or near, all
others of that shape are refused without a request; one new page starts the count again.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.urls import shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

REMEMBERED = 20_000
"""Shapes that are counted at the same time. A limit of taste."""

_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_TIME = re.compile(r"(?:\d+(?:\.\d+)?[smhd])+|\d+(?:\.\d+)?", re.ASCII)
_PART = re.compile(r"([\d.]+)([smhd]?)", re.ASCII)
TIME_IS_UP = "time is up"
"""Why a crawl ended at its time limit."""

LONGEST_TIME = 366 * 86_400.0
"""Seconds that a crawl can be given. A limit of taste."""


@dataclass(frozen=True, slots=True)
class SiteBudget:
    """What a site may cost."""

    pages: int = 20_000  # of all kinds
    nothing_new: int = 200  # pages in a row
    alike: int = 30  # pages in a row of one shape
    explored: int = 5_000  # pages that links lead to
    record_pages: int = 5_000  # own pages of records


def reason_to_leave(pages: int, patience: SiteBudget) -> str | None:
    """Return why a site should be left, with all its waiting links; None to stay.

    >>> reason_to_leave(20_000, SiteBudget())
    'its budget of 20000 pages is spent'
    >>> reason_to_leave(300, SiteBudget())
    """
    return f"its budget of {patience.pages} pages is spent" if pages >= patience.pages else None


def reason_to_stop_exploring(explored: int, nothing_new: int, patience: SiteBudget) -> str | None:
    """Return why no more links of a site should be explored, while its queries continue; None to explore.

    >>> reason_to_stop_exploring(5000, 0, SiteBudget())
    'its budget of 5000 pages to explore is spent'
    >>> reason_to_stop_exploring(300, 200, SiteBudget())
    'nothing new on the last 200 pages'
    >>> reason_to_stop_exploring(300, 20, SiteBudget())
    """
    if explored >= patience.explored:
        return f"its budget of {patience.explored} pages to explore is spent"
    if nothing_new >= patience.nothing_new:
        return f"nothing new on the last {patience.nothing_new} pages"
    return None


def reason_to_skip_records(record_pages: int, patience: SiteBudget) -> str | None:
    """Return why no more own pages of a site's records should be read; None to continue.

    >>> reason_to_skip_records(5000, SiteBudget())
    'its budget of 5000 pages of records is spent'
    >>> reason_to_skip_records(300, SiteBudget())
    """
    if record_pages >= patience.record_pages:
        return f"its budget of {patience.record_pages} pages of records is spent"
    return None


def parse_seconds(text: str) -> float:
    """Return the seconds of a time as people write it; raises ValueError for anything else, and for times out of range.

    >>> parse_seconds("90"), parse_seconds("30m"), parse_seconds("1h30m")
    (90.0, 1800.0, 5400.0)
    """
    duration = text.strip().lower()
    parts = _PART.findall(duration) if _TIME.fullmatch(duration) else []
    seconds = sum((float(number) * _SECONDS[unit] for number, unit in parts), 0.0)
    if not 0 < seconds <= LONGEST_TIME:
        raise ValueError(f"{text[:100]!r} cannot be used; wanted a time such as 90s, 30m, 2h or 1h30m")
    return seconds


@dataclass(frozen=True, slots=True)
class StopCriteria:
    """What the search for forms on one site may cost; 0 switches a criterion off, except the first."""

    depth: int = 3
    pages: int = 100
    forms: int = 10
    formless: int = 30
    formless_in_all: int = 60


class ExplorationProgress:
    """The pages and forms of one site so far, depth by depth, and what follows from them."""

    def __init__(self, criteria: StopCriteria) -> None:
        self._criteria = criteria
        self._pages: Counter[int] = Counter()
        self._forms: Counter[int] = Counter()
        self._formless: Counter[int] = Counter()

    def note(self, depth: int, forms: int) -> None:
        """Count a page and the new searchable forms it gave."""
        self._pages[depth] += 1
        self._forms[depth] += forms
        self._formless[depth] += not forms

    @property
    def pages(self) -> int:
        """How many pages were read."""
        return self._pages.total()

    @property
    def forms(self) -> int:
        """How many forms they gave."""
        return self._forms.total()

    def reason_to_leave(self) -> str | None:
        """Return why the site is left; None to stay."""
        most = self._criteria.formless_in_all
        if most and self._formless.total() >= most:
            return f"SC5: {most} pages without a new search form"
        return None

    def reason_to_skip(self, depth: int) -> str | None:
        """Return why no more pages of a depth are read; None if some may be."""
        most = self._criteria
        if depth > most.depth:
            return f"SC1: deeper than {most.depth}"
        if most.pages and self._pages[depth] >= most.pages:
            return f"SC2: {most.pages} pages at depth {depth}"
        if most.forms and self._forms[depth] >= most.forms:
            return f"SC3: {most.forms} forms at depth {depth}"
        if most.formless and self._formless[depth] >= most.formless:
            return f"SC4: {most.formless} pages at depth {depth} without a new search form"
        return None

    def to_json(self) -> list[list[int]]:
        """Return the counts as JSON can hold them: depth, pages, forms and pages without forms."""
        return [
            [depth, self._pages[depth], self._forms[depth], self._formless[depth]]
            for depth in sorted(self._pages)
        ]

    @classmethod
    def from_json(cls, criteria: StopCriteria, counted: Iterable[Sequence[int]]) -> Self:
        """Return the progress that `to_json` wrote."""
        progress = cls(criteria)
        for depth, pages, forms, formless in counted:
            progress._pages[depth], progress._forms[depth], progress._formless[depth] = pages, forms, formless
        return progress


def common_shape(url: str) -> str:
    """Return what similar addresses have in common: the path with numbers masked, without the query.

    >>> common_shape("http://a.example/list/7?colour=red&size=5")
    'http://a.example/list/0'
    """
    return shape(url.partition("?")[0])


class TrapDetector:
    """Counts duplicates in a row, by site and shape."""

    def __init__(self, patience: SiteBudget) -> None:
        self._most = patience.alike
        self._in_a_row: OrderedDict[tuple[int, str], int] = OrderedDict()

    def closes_shape(self, site: int, url: str, *, new: bool) -> bool:
        """Count a page; say whether pages of its shape are refused from now on."""
        key = (site, common_shape(url))
        if new:
            self._in_a_row.pop(key, None)
            return False
        count = self._in_a_row[key] = self._in_a_row.get(key, 0) + 1
        self._in_a_row.move_to_end(key)
        if len(self._in_a_row) > REMEMBERED:
            self._in_a_row.popitem(last=False)
        return count == self._most
