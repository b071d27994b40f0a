"""The contents of a state in numbers, for people and for the progress of a crawl.

`summary` reads all links once, which takes about a second for a million; `waiting` reads only the index of waiting
links. `harvest` reads a hundred pages by their numbers, which follow the order of reading, and all search forms once.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hiddenweb.store.frontier import DONE, LEASED, MISSED, PENDING, REFUSED

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

MOST_POINTS = 100
"""Points of the curve of a harvest. A limit of taste."""

NOT_NAMED = "not named this time"
"""Why sites are left that the last crawl did not name."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A crawl, and how it ended."""

    command: str
    started: float
    ended: float | None
    reason: str | None
    pid: int


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """The results of a site so far."""

    domain: str
    pages: int
    left: str | None  # why it is not explored now
    forms: int = 0
    submittable: int = 0
    queries: int = 0
    records: int = 0
    pending: int = 0
    done: int = 0
    missed: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class PausedHost:
    """A host that is paused."""

    origin: str
    until: float
    why: str


@dataclass(frozen=True, slots=True)
class UnreadReason:
    """Why links were not read, and how many."""

    ended: str  # missed, refused, or answered without a page
    why: str
    links: int
    example: str


@dataclass(frozen=True, slots=True)
class FormCoverage:
    """How many records of the database behind a form are known."""

    form: int
    domain: str
    page_url: str
    known: int
    size: int  # by our estimate
    low: int
    high: float  # infinite: nobody knows
    queries: int
    state: str
    why: str  # why it is in its state


class HarvestPoint(NamedTuple):
    """The pages read and the forms found up to a moment."""

    at: float
    pages: int
    search_forms: int
    forms_on_topic: int | None  # None where no crawl had a topic


@dataclass(frozen=True, slots=True)
class Summary:
    """What is in a state."""

    runs: list[RunSummary] = field(default_factory=list)  # the last one first
    sites: list[SiteSummary] = field(default_factory=list)  # those with most pages first
    site_count: int = 0
    links: dict[str, int] = field(default_factory=dict)
    waiting: int = 0  # links that the next crawl would follow: their sites are not left
    pages: int = 0
    duplicates: int = 0
    forms: dict[str, int] = field(default_factory=dict)
    queries: dict[str, int] = field(default_factory=dict)
    records: int = 0
    databases: list[FormCoverage] = field(default_factory=list)  # those with most known records first
    completed: int = 0  # records whose own pages were read
    extractors: dict[str, int] = field(default_factory=dict)  # by state
    documents: int = 0
    last_document: int = 0  # the last number of the outbox
    pauses: list[PausedHost] = field(default_factory=list)  # the longest first
    reasons: list[UnreadReason] = field(default_factory=list)  # the most frequent first
    harvest: list[HarvestPoint] = field(default_factory=list)  # over the life of the state


def summary(store: Store, now: float, *, sites: int = 20, runs: int = 5, reasons: int = 10) -> Summary:
    """Return the contents of a state, with so many sites, runs and reasons."""
    links = _links_by_site(store)
    return Summary(
        runs=_runs(store, runs),
        sites=_sites(store, sites, links),
        site_count=_number(store, "SELECT count(*) FROM sites"),
        links={
            name: sum(counted[number] for counted in links.values())
            for name, number in (
                ("pending", PENDING), ("leased", LEASED), ("done", DONE), ("missed", MISSED), ("refused", REFUSED),
            )
        },
        waiting=waiting(store),
        pages=_number(store, "SELECT count(*) FROM pages"),
        duplicates=_number(store, "SELECT count(*) FROM pages WHERE duplicate_of IS NOT NULL"),
        forms=_counts_of(store, "SELECT CASE WHEN may_submit THEN 'submittable' ELSE 'left alone' END, count(*) FROM forms GROUP BY 1"),
        queries=_counts_of(store, "SELECT state, count(*) FROM submissions GROUP BY 1"),
        records=_number(store, "SELECT count(*) FROM records"),
        databases=load_coverage(store, sites),
        extractors=_counts_of(store, "SELECT state, count(*) FROM extractors GROUP BY 1"),
        completed=_number(store, "SELECT count(detail) FROM records"),
        documents=_number(store, "SELECT count(*) FROM documents"),
        last_document=last_document(store),
        pauses=_pauses(store, now),
        reasons=_reasons(store, reasons),
        harvest=harvest(store),
    )  # fmt: skip


def load_coverage(store: Store, count: int, *, queried_now: bool = False) -> list[FormCoverage]:
    """Return the coverage of the databases behind forms: of those with most records, or of those that are queried now."""
    rows = store.rows(
        "SELECT forms.id, domain, page_url, coverage, queries, state, why FROM forms JOIN sites ON sites.id = forms.site"
        " WHERE coverage <> '' AND (state = 'querying' OR NOT ?)"
        " ORDER BY json_extract(coverage, '$[0]') DESC, forms.id LIMIT ?",
        (queried_now, count),
    )
    return [_coverage_of(cast("tuple[Any, ...]", row)) for row in rows]


def _coverage_of(row: tuple[Any, ...]) -> FormCoverage:
    form, domain, url, coverage, queries, form_state, why = row
    known, size, low, high = json.loads(coverage)
    return FormCoverage(
        form, domain, url, known, size, low, inf if high is None else high, queries, form_state, why
    )


def harvest(store: Store, points: int = MOST_POINTS) -> list[HarvestPoint]:
    """Return how the number of forms grew with the pages that were read, at so many moments at most."""
    # Pages are never deleted and are numbered in order, so the last number says how many there are.
    last = _number(store, "SELECT coalesce(max(id), 0) FROM pages")
    numbers = sorted({last * point // points for point in range(1, points + 1)} - {0})
    rows = store.rows(
        "SELECT first_seen, id FROM pages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(numbers),),
    )
    found, on_topic = _when_found(store)
    series: list[HarvestPoint] = []
    for first_seen, pages in cast("list[tuple[float, int]]", rows):
        at = max(first_seen, series[-1].at if series else 0.0)  # clocks may be set back
        until = float("inf") if pages == last else at  # a form is noted a moment after its page was read
        topic_count = None if on_topic is None else bisect_right(on_topic, until)
        series.append(HarvestPoint(at, pages, bisect_right(found, until), topic_count))
    return series


def _when_found(store: Store) -> tuple[list[float], list[float] | None]:
    """Return when each search form was found, and when each of those on a topic was; None if no crawl had a topic."""
    rows = store.rows(
        "SELECT found, EXISTS (SELECT 1 FROM form_topics WHERE form_topics.form = forms.id AND relevant) FROM forms"
        " WHERE kind = 'search' ORDER BY found"
    )
    found = cast("list[tuple[float, int]]", rows)
    has_topic = bool(store.rows("SELECT 1 FROM explored_sites UNION ALL SELECT 1 FROM form_topics LIMIT 1"))
    return [at for at, _ in found], [at for at, on in found if on] if has_topic else None


def waiting(store: Store) -> int:
    """Return how many links wait or are under way at the sites that are explored now."""
    hosts = "(SELECT hosts.id FROM hosts JOIN sites ON sites.id = hosts.site WHERE sites.left IS NULL)"
    # Few links are under way: the unary plus keeps SQLite from reading all links of the hosts instead.
    return _number(
        store, f"SELECT count(*) FROM links WHERE state = {PENDING} AND host IN {hosts}"
    ) + _number(store, f"SELECT count(*) FROM links WHERE state = {LEASED} AND +host IN {hosts}")


def reason_to_wait(store: Store, host_origin: str) -> str:
    """Return why a waiting link of a host was not read when it was tried; nothing if none was tried."""
    # The unary plus keeps SQLite to the index of the links that wait.
    rows = store.rows(
        "SELECT why FROM links WHERE host = (SELECT id FROM hosts WHERE origin = ?) AND state = 0"
        " AND +why IS NOT NULL LIMIT 1",
        (host_origin,),
    )
    return str(rows[0][0]) if rows else ""


def last_document(store: Store) -> int:
    """Return the last number that the outbox assigned."""
    return _number(store, "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'outbox'")


def sites_of_last_crawl(store: Store) -> list[tuple[str, int, str | None]]:
    """Return the domain, the pages and the reason for leaving of every site of the last crawl."""
    rows = store.rows(
        "SELECT domain, pages, left FROM sites WHERE left IS NULL OR left <> ? ORDER BY id", (NOT_NAMED,)
    )
    return cast("list[tuple[str, int, str | None]]", rows)


def _runs(store: Store, count: int) -> list[RunSummary]:
    rows = store.rows(
        "SELECT command, started, ended, reason, pid FROM runs ORDER BY id DESC LIMIT ?", (count,)
    )
    return [RunSummary(*cast("tuple[Any, ...]", row)) for row in rows]


def _links_by_site(store: Store) -> dict[int, Counter[int]]:
    rows = store.rows("SELECT host, state, count(*) FROM links GROUP BY host, state")
    site_of = dict(cast("list[tuple[int, int]]", store.rows("SELECT id, site FROM hosts")))
    counted: dict[int, Counter[int]] = {}
    for host, link_state, number in cast("list[tuple[int, int, int]]", rows):
        counted.setdefault(site_of[host], Counter())[link_state] += number
    return counted


def _sites(store: Store, count: int, links: dict[int, Counter[int]]) -> list[SiteSummary]:
    rows = store.rows("SELECT id, domain, pages, left FROM sites ORDER BY pages DESC, id LIMIT ?", (count,))
    forms = {
        row[0]: cast("tuple[int, int, int]", row[1:])
        for row in store.rows("SELECT site, count(*), sum(may_submit), sum(queries) FROM forms GROUP BY site")
    }
    records = dict(
        cast("list[tuple[int, int]]", store.rows("SELECT site, count(*) FROM records GROUP BY site"))
    )
    return [
        SiteSummary(
            domain, pages, left, *forms.get(number, (0, 0, 0)), records.get(number, 0),
            pending=links.get(number, Counter())[PENDING] + links.get(number, Counter())[LEASED],
            done=links.get(number, Counter())[DONE],
            missed=links.get(number, Counter())[MISSED],
            refused=links.get(number, Counter())[REFUSED],
        )
        for number, domain, pages, left in cast("list[tuple[int, str, int, str | None]]", rows)
    ]  # fmt: skip


def _pauses(store: Store, now: float) -> list[PausedHost]:
    rows = store.rows(
        "SELECT origin, paused_until, coalesce(paused_why, '') FROM hosts WHERE paused_until > ?"
        " ORDER BY paused_until DESC",
        (now,),
    )
    return [PausedHost(*cast("tuple[str, float, str]", row)) for row in rows]


def last_pause(store: Store) -> str:
    """Return which host is paused longest, and why; nothing if none ever was."""
    rows = store.rows(
        "SELECT origin || '/: ' || paused_why FROM hosts WHERE paused_why <> '' ORDER BY paused_until DESC LIMIT 1"
    )
    return cast("str", rows[0][0]) if rows else ""


def _reasons(store: Store, count: int) -> list[UnreadReason]:
    rows = store.rows(
        "SELECT CASE state WHEN 2 THEN 'no page' WHEN 3 THEN 'missed' ELSE 'refused' END,"
        " coalesce(why, 'no reason was noted'), count(*), min(url) FROM links"
        " WHERE state IN (3, 4) OR state = 2 AND why IS NOT NULL AND why NOT LIKE 'redirects to %'"
        " GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT ?",
        (count,),
    )
    return [UnreadReason(*cast("tuple[str, str, int, str]", row)) for row in rows]


def _number(store: Store, sql: str) -> int:
    return cast("int", store.rows(sql)[0][0])


def _counts_of(store: Store, sql: str) -> dict[str, int]:
    return dict(cast("list[tuple[str, int]]", store.rows(sql)))
