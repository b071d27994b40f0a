"""Judging a harvest of a real site from outside: what the tap between crawler and site wrote, against the truth.

All here is pure: rows of a log, ids of a truth and rows of a state go in, figures come out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from protego import Protego

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

LEAST_REQUESTS = 100
"""That the script gets where a harvest gave up sooner: who stops at once must not hide what there was to find."""

NOT_FINDABLE = 0.005
"""Of the records of a truth, the share by which an interval may miss it: some applications index nearly all of their records."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that went through the tap."""

    method: str
    url: str
    status: int
    shown: int  # records of the truth on the answer
    new: int  # of them, those not seen before


@dataclass(frozen=True, slots=True)
class Estimate:
    """How large a database is said to be."""

    known: int
    size: float | None  # None: unknown
    low: float
    high: float | None  # None: nobody knows

    @property
    def in_words(self) -> str:
        """As the table shows it."""
        if self.size is None:
            return f"unknown, at least {self.low:.0f}"
        high = "?" if self.high is None else f"{self.high:.0f}"
        return f"{self.size:.0f} ({self.low:.0f}-{high})"

    def error(self, records: int) -> float | None:
        """Return by what share of the truth it is wrong; None where it says that the size is unknown."""
        return None if self.size is None else abs(self.size - records) / records

    def is_false(self, records: int) -> bool:
        """Say whether the interval does not hold the truth.

        >>> Estimate(50, 51, 50, 52).is_false(63_436), Estimate(50, None, 50, None).is_false(63_436)
        (True, False)
        """
        slack = NOT_FINDABLE * records
        return self.low > records + slack or (self.high or inf) < records - slack


@dataclass(frozen=True, slots=True)
class Stored:
    """What a harvest kept as records."""

    records: int
    right: int  # those that are records of the truth
    distinct: int  # records of the truth among them

    @property
    def precision(self) -> float | None:
        """The share that are records of the truth."""
        return self.right / self.records if self.records else None

    @property
    def duplicates(self) -> int:
        """Those that another stored record repeats."""
        return self.right - self.distinct


class Truth:
    """The records that a site has, and how their addresses look."""

    def __init__(self, ids: Collection[str], record_url: str) -> None:
        self.ids = frozenset(ids)
        self._pattern = re.compile(record_url)

    def id_at(self, url: str) -> str | None:
        """Return the id of the record that an address leads to; None if it leads to none."""
        found = self._pattern.search(url)
        return next((form for form in spellings(found[1]) if form in self.ids), None) if found else None

    def judge(self, urls: Iterable[str | None]) -> Stored:
        """Return how many stored records are records of the truth, by their addresses."""
        found = [self.id_at(url) if url else None for url in urls]
        right = [each for each in found if each is not None]
        return Stored(len(found), len(right), len(set(right)))


def spellings(found: str) -> list[str]:
    """Return the ways in which an id may stand in an address: escaped, with underscores or plus signs for spaces, in other case."""
    plain = unquote(found)
    return [
        found, plain, plain.replace("_", " "), plain.replace("+", " "), plain.upper()[-16:], plain.lower(),
        unquote(found, "euc-jp", "replace"),
    ]  # fmt: skip


def requests_in(lines: Iterable[str]) -> list[Sent]:
    """Return the requests that the lines of a tap's log tell of."""
    rows = (json.loads(line) for line in lines if line.strip())
    return [Sent(method, url, status, shown, new) for _, method, url, status, _, shown, new, *_ in rows]


def curve(requests: Sequence[Sent]) -> list[int]:
    """Return how many records were seen after each request.

    >>> curve([Sent("GET", "/", 200, 0, 0), Sent("GET", "/?q=a", 200, 10, 10), Sent("GET", "/?q=b", 200, 10, 4)])
    [0, 10, 14]
    """
    return list(accumulate(sent.new for sent in requests))


def count_seen(seen: Sequence[int], requests: int) -> int:
    """Return the records seen after so many requests; a crawl that ended earlier saw no more.

    >>> count_seen([0, 10, 14], 2), count_seen([0, 10, 14], 9), count_seen([], 3)
    (10, 14, 0)
    """
    return seen[min(requests, len(seen)) - 1] if seen and requests else 0


def last_useful_request(seen: Sequence[int]) -> int:
    """Return the number of the request that brought the last new record.

    >>> last_useful_request([0, 10, 14, 14, 14]), last_useful_request([0, 0])
    (3, 0)
    """
    return next((at for at, count in enumerate(seen, 1) if count == seen[-1]), 0) if seen and seen[-1] else 0


def versus(ours: Sequence[int], theirs: Sequence[int], requests: int, *, they_ended: bool) -> float | None:
    """Return our records by theirs at equal requests; None where the script found nothing.

    A script that was stopped, by its time, is compared where it was stopped; one that ended by itself sees no more.

    >>> versus([0, 10, 20, 30], [0, 5, 10], 4, they_ended=True), versus([0, 10, 20, 30], [0, 5, 10], 4, they_ended=False)
    (3.0, 2.0)
    """
    at = requests if they_ended else min(requests, len(theirs))
    script = count_seen(theirs, at)
    return count_seen(ours, at) / script if script else None


def comparison_points(seen: Sequence[int]) -> int:
    """Return the requests at which a harvest is compared: those it needed for what it saw, and not too few if that is nothing."""
    return last_useful_request(seen) or max(len(seen), LEAST_REQUESTS)


def page_size(given: int | None, requests: Iterable[Sent]) -> int:
    """Return how many records an answer shows: as the site's description says, else the most that one was seen to show."""
    return given or max((sent.shown for sent in requests), default=0) or 1


def times_the_best(requests: int, seen: int, records: int, size: int, queries: int) -> float:
    """Return the requests for a record, by those of the best possible: every record once on full pages, and the queries.

    >>> times_the_best(1100, 5000, 5000, 10, 50), times_the_best(6, 0, 5000, 10, 0)
    (2.0, inf)
    """
    best = records / size + queries
    return (requests / seen) / (best / records) if seen else inf


def forbidden(robots: str, agent: str, urls: Iterable[str]) -> Counter[str]:
    """Return the addresses that a robots.txt forbids; robots.txt itself never is."""
    rules = Protego.parse(robots)
    return Counter(
        url for url in urls if urlsplit(url).path != "/robots.txt" and not rules.can_fetch(url, agent)
    )


def posts(requests: Iterable[Sent]) -> int:
    """Return how many requests could have changed something."""
    return sum(sent.method not in ("GET", "HEAD") for sent in requests)


def estimate_of(coverages: Iterable[str]) -> Estimate | None:
    """Return the estimate of the form that has met most records, from what the state keeps of each form.

    A coverage is a list: records met, how many there are, at least, at most; or a mapping with these names. What is not known
    is null, or has no end.
    """
    found = [estimate for text in coverages if text and (estimate := _estimate(json.loads(text)))]
    return max(found, key=lambda estimate: estimate.known, default=None)


def _estimate(kept: Any) -> Estimate | None:
    if isinstance(kept, dict):
        kept = [kept.get(name) for name in ("known", "size", "low", "high")]
    if not isinstance(kept, list) or not kept or kept[0] is None:
        return None
    known, size, low, high = [*kept[:4], None, None, None][:4]
    is_known = size is not None and 0 <= size < inf
    return Estimate(
        int(known),
        float(size) if is_known else None,
        float(known if low is None else low),
        float(high) if is_known and high is not None and high < inf else None,
    )


_SITE = re.compile(r"(\w+): [\d,]+ records,")


def oracle_in(text: str) -> dict[str, dict[int, float]]:
    """Return, by site, the share that a greedy choice of words reaches with so many queries, from the table of the oracle."""
    found: dict[str, dict[int, float]] = {}
    site, ks = "", [0]
    for line in text.splitlines():
        if heading := _SITE.match(line):
            site = heading[1]
        name, *values = line.split() or [""]
        if name == "k":
            ks = [int(value) for value in values if value.isdecimal()]
        elif name == "greedy" and site and values[0] != "needs":
            found[site] = {k: float(value) / 100 for k, value in zip(ks, values[::2], strict=False)}
    return found


def interpolate(points: Mapping[int, float], queries: int) -> float | None:
    """Return the share at so many queries, on straight lines between the points; None beyond the last one.

    >>> interpolate({10: 0.25, 50: 0.75}, 30), interpolate({10: 0.25}, 11)
    (0.5, None)
    """
    before, share_before = 0, 0.0
    for k, share in sorted(points.items()):
        if queries <= k:
            return share_before + (share - share_before) * (queries - before) / (k - before)
        before, share_before = k, share
    return None
