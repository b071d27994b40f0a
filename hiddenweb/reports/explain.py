"""What is known of one site, of one link, and of each topic: for people who ask why, and for those who take it elsewhere.

Everything here only reads, but for `take_over`. Whoever asks several questions about a running crawl calls `at_one_moment` first.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.stages import DEEP
from hiddenweb.frontier.stopping import common_shape
from hiddenweb.store.candidates import SqliteCandidates, candidate_from_json
from hiddenweb.store.errors import StateError
from hiddenweb.store.frontier import DONE
from hiddenweb.store.topic_knowledge import add_terms
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.focused.locating.candidates import SiteCandidate
    from hiddenweb.store.database import Store

LINK_STATES = ("pending", "leased", "done", "missed", "refused")
"""The states of links by their numbers."""

_MOST_VISITED = 2_000  # links of one site that say what its links are worth


@dataclass(frozen=True, slots=True)
class WaitingCandidate:
    """Where a candidate waits."""

    queue: str  # high or low, or rested
    place: int  # in its queue, from 1
    of: int  # that wait in its queue
    before: int  # that come before it, in the high and the low queue or among those that rest
    rank: float  # when it was last ranked


@dataclass(frozen=True, slots=True)
class VisitedSite:
    """What became of a site that was opened."""

    kind: int  # 0 off topic, 1 on topic, 2 with search forms on the topic
    seed: bool
    progress: list[list[int]]  # depth, pages, forms, pages without
    barren: int  # pages since the last form on the topic
    features: list[str]  # for its links
    forms: int  # on the topic
    language: str
    verdict: dict[str, Any]  # of the site classifier; empty before the homepage was read
    opened: float
    ended: str | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the crawls on a topic know of a site, or of a page that may name some."""

    topic: str
    candidate: SiteCandidate
    waiting: WaitingCandidate | None = None
    visited: VisitedSite | None = None


@dataclass(frozen=True, slots=True)
class LinkingSite:
    """A site that links to another, and the page that does."""

    domain: str
    page: str
    kind: int | None  # what the site is, if it was visited


@dataclass(frozen=True, slots=True)
class KnownPause:
    """A host that is left in peace."""

    origin: str
    until: float
    why: str


@dataclass(frozen=True, slots=True)
class KnownSite:
    """A site that was opened, whatever crawl did."""

    number: int
    domain: str
    seed: str  # where it begins
    via: str  # the site that redirected here
    pages: int
    nothing_new: int  # pages in a row that were known already
    left: str | None
    links: dict[str, int] = field(default_factory=dict)  # by state
    pauses: list[KnownPause] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What was read at an address."""

    title: str
    status: int
    first_seen: float
    duplicate_of: str  # the address of the page that it repeats
    duplicate_why: str = ""


@dataclass(frozen=True, slots=True)
class KnownLink:
    """A link of the frontier."""

    url: str
    domain: str
    state: str
    shape: str  # that it shares with its like, if those are not followed any more
    page: KnownPage | None
    kind: str
    depth: int
    bucket: int
    redirects: int
    attempts: int
    not_before: float
    parent: str  # the page that had it
    why: str
    anchor: str
    around: str
    tag_path: str
    keyword: str  # of the question that it belongs to


@dataclass(frozen=True, slots=True)
class TopicFit:
    """How far a form is on a topic."""

    relevance: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """What a state has on a topic."""

    name: str
    visited: int = 0  # sites
    with_forms: int = 0  # those of them that have forms on the topic
    waiting: int = 0
    forms: int = 0  # on the topic
    terms: int = 0  # learnt


def at_one_moment(store: Store) -> None:
    """Have all that is read from now on, until the state is closed, be as it is at this moment."""
    store.rows("BEGIN")


def has_run_under_way(store: Store) -> bool:
    """Say whether the last crawl has not said that it ended: it runs, or was killed."""
    rows = store.rows("SELECT ended FROM runs ORDER BY id DESC LIMIT 1")
    return bool(rows) and rows[0][0] is None


# Sites


def site_named(store: Store, domain: str, now: float) -> KnownSite | None:
    """Return what is known of a site that was opened; None if none of that name was."""
    rows = store.rows(
        "SELECT id, domain, seed, coalesce((SELECT domain FROM sites others WHERE others.id = sites.via), ''), pages,"
        " nothing_new, left FROM sites WHERE domain = ?",
        (domain,),
    )
    if not rows:
        return None
    site = KnownSite(*cast("tuple[Any, ...]", rows[0]))
    site.links.update(_links_of(store, site.number))
    site.pauses.extend(_pauses_of(store, site.number, now))
    return site


def _links_of(store: Store, site: int) -> dict[str, int]:
    rows = store.rows(
        "SELECT state, count(*) FROM links WHERE host IN (SELECT id FROM hosts WHERE site = ?) GROUP BY state",
        (site,),
    )
    counted = dict(cast("list[tuple[int, int]]", rows))
    return {name: counted.get(number, 0) for number, name in enumerate(LINK_STATES)}


def _pauses_of(store: Store, site: int, now: float) -> list[KnownPause]:
    rows = store.rows(
        "SELECT origin, paused_until, coalesce(paused_why, '') FROM hosts WHERE site = ? AND paused_until > ?"
        " ORDER BY paused_until DESC",
        (site, now),
    )
    return [KnownPause(*cast("tuple[str, float, str]", row)) for row in rows]


def sightings(store: Store, key: str) -> list[Sighting]:
    """Return what crawls know of a site, or of a page that may name some, topic by topic."""
    found = (_sighting(store, topic, key) for topic in topics_in(store))
    return [sighting for sighting in found if sighting is not None]


def _sighting(store: Store, topic: str, key: str) -> Sighting | None:
    candidate, waiting = _waiting(store, topic, key)
    rows = store.rows(
        "SELECT candidate, kind, seed, progress, barren, features, forms, language, verdict, opened, ended"
        " FROM explored_sites WHERE topic = ? AND key = ?",
        (topic, key),
    )
    if not rows:
        return Sighting(topic, candidate, waiting) if candidate is not None else None
    known, kind, seed, progress, barren, features, forms, language, verdict, opened, ended = cast(
        "tuple[Any, ...]", rows[0]
    )
    visited = VisitedSite(
        kind, bool(seed), json.loads(progress), barren, json.loads(features), forms, language,
        json.loads(verdict) if verdict else {}, opened, ended,
    )  # fmt: skip
    return Sighting(topic, candidate or candidate_from_json(key, known), waiting, visited)


def _waiting(store: Store, topic: str, key: str) -> tuple[SiteCandidate | None, WaitingCandidate | None]:
    rows = store.rows(
        "SELECT queue, rank, candidate FROM candidates WHERE topic = ? AND key = ?", (topic, key)
    )
    if not rows:
        return None, None
    queue, rank, known = cast("tuple[int, float, str]", rows[0])
    candidates = SqliteCandidates(store, topic)
    in_queue = _number(store, "SELECT count(*) FROM candidates WHERE topic = ? AND queue = ?", topic, queue)
    better = _number(
        store,
        "SELECT count(*) FROM candidates WHERE topic = ? AND queue = ? AND rank > ?",
        topic,
        queue,
        rank,
    )
    name = candidates.name_of(queue)
    all_high = "SELECT count(*) FROM candidates WHERE topic = ? AND queue = ?"
    before = better + (_number(store, all_high, topic, 1 - queue) if name == "low" else 0)
    return candidate_from_json(key, known), WaitingCandidate(name, better + 1, in_queue, before, rank)


def sources_of(store: Store, domain: str, topic: str | None, limit: int) -> tuple[int, list[LinkingSite]]:
    """Return how many sites link to a site, and the best of them for a topic."""
    count = _number(store, "SELECT count(*) FROM site_links WHERE target = ?", domain)
    rows = store.rows(
        "SELECT source, page, kind FROM site_links LEFT JOIN explored_sites ON explored_sites.topic = ? AND explored_sites.key = source"
        " WHERE target = ? ORDER BY coalesce(kind, -1) DESC, source LIMIT ?",
        (topic, domain, limit),
    )
    return count, [LinkingSite(*cast("tuple[str, str, int | None]", row)) for row in rows]


def topic_fits(store: Store, topic: str, site: int) -> dict[int, TopicFit]:
    """Return how far the forms of a site are on a topic, by their numbers."""
    rows = store.rows(
        "SELECT forms.id, relevance, relevant FROM forms JOIN form_topics ON form_topics.form = forms.id"
        " WHERE forms.site = ? AND topic = ?",
        (site, topic),
    )
    return {form: TopicFit(near, bool(on)) for form, near, on in cast("list[tuple[int, float, int]]", rows)}


# Links


def link_at(store: Store, url: str) -> KnownLink | None:
    """Return the link of an address; None if it was never met."""
    rows = store.rows(
        "SELECT links.id, links.url, sites.id, sites.domain, links.state, links.kind, hops, bucket, redirects, attempts,"
        " not_before, coalesce((SELECT parents.url FROM links parents WHERE parents.id = links.parent), ''),"
        " coalesce(links.why, ''), anchor, around, tag_path, coalesce(submissions.keyword, '')"
        " FROM links JOIN hosts ON hosts.id = links.host JOIN sites ON sites.id = hosts.site"
        " LEFT JOIN submissions ON submissions.id = links.submission WHERE links.hash = ?",
        (url_hash(url),),
    )
    if not rows:
        return None
    number, address, site, domain, link_state, *rest = cast("tuple[Any, ...]", rows[0])
    shape = common_shape(address)
    closed = shape if store.sites.is_shape_closed(site, shape) else ""
    return KnownLink(address, domain, LINK_STATES[link_state], closed, _page_of(store, number), *rest)


def _page_of(store: Store, link: int) -> KnownPage | None:
    rows = store.rows(
        "SELECT title, status, first_seen, coalesce((SELECT url FROM pages firsts WHERE firsts.id = pages.duplicate_of), ''),"
        " duplicate_why FROM pages WHERE link = ?",
        (link,),
    )
    return KnownPage(*cast("tuple[str, int, float, str, str]", rows[0])) if rows else None


def visited_links(store: Store, sighting: Sighting) -> list[tuple[LinkCandidate, bool]]:
    """Return the links of a site that were visited, and whether each gave a form on the topic."""
    rows = store.rows(
        "SELECT links.url, hops, anchor, around, tag_path, EXISTS (SELECT 1 FROM forms JOIN form_topics t ON t.form = forms.id"
        " WHERE t.topic = ? AND t.relevant AND forms.page_url = links.url AND forms.site = hosts.site)"
        " FROM links JOIN hosts ON hosts.id = links.host JOIN sites ON sites.id = hosts.site"
        " WHERE domain = ? AND state = ? AND kind = 'page' AND submission IS NULL AND redirects = 0"
        " ORDER BY links.id LIMIT ?",
        (sighting.topic, sighting.candidate.key, DONE, _MOST_VISITED),
    )
    language = sighting.visited.language if sighting.visited else ""
    return [
        (LinkCandidate(url, depth, anchor, around, tag_path, language), bool(gave))
        for url, depth, anchor, around, tag_path, gave in cast("list[tuple[Any, ...]]", rows)
    ]


# Topics


def topics_in(store: Store) -> list[str]:
    """Return the topics of a state."""
    return sorted(
        {
            topic
            for table in ("explored_sites", "candidates", "topic_knowledge")
            for topic in _topics_of(store, table)
        }
    )


def _topics_of(store: Store, table: str) -> Iterator[str]:
    """Yield the topics of a table, by one step in its index for each."""
    topic: str | None = ""
    while topic is not None:
        topic = cast(
            "str | None", store.rows(f"SELECT min(topic) FROM {table} WHERE topic > ?", (topic,))[0][0]
        )
        if topic is not None:
            yield topic


def topic_summaries(store: Store) -> list[TopicSummary]:
    """Return what a state has on each of its topics."""
    # The key of a site is its domain, that of a page its address.
    visited = _by_topic(
        store, "SELECT topic, count(*) FROM explored_sites WHERE instr(key, '://') = 0 GROUP BY 1"
    )
    deep = _by_topic(store, f"SELECT topic, count(*) FROM explored_sites WHERE kind = {DEEP} GROUP BY 1")
    waiting = _by_topic(store, "SELECT topic, count(*) FROM candidates GROUP BY 1")
    forms = _by_topic(store, "SELECT topic, count(*) FROM form_topics WHERE relevant GROUP BY 1")
    terms = _by_topic(store, "SELECT topic, count(*) FROM topic_knowledge GROUP BY 1")
    return [
        TopicSummary(name, *(counted.get(name, 0) for counted in (visited, deep, waiting, forms, terms)))
        for name in topics_in(store)
    ]


def sites_with_forms(store: Store, topic: str) -> list[str]:
    """Return where the sites begin that have forms on a topic."""
    rows = store.rows(
        f"SELECT json_extract(candidate, '$.url') FROM explored_sites WHERE topic = ? AND kind = {DEEP} ORDER BY key",
        (topic,),
    )
    return [cast("str", row[0]) for row in rows]


def take_over(store: Store, topic: str, rows: Iterable[tuple[str, str, Any]]) -> int:
    """Keep what was learnt about a topic elsewhere; what is known here already stays. Return how many rows are new."""
    try:
        new = add_terms(store, topic, rows)
    except sqlite3.Error as error:
        store.rows("ROLLBACK")
        raise StateError(f"{store.path}: cannot be written: {error}") from error
    store.commit()
    return new


def _by_topic(store: Store, sql: str) -> dict[str, int]:
    return dict(cast("list[tuple[str, int]]", store.rows(sql)))


def _number(store: Store, sql: str, *values: object) -> int:
    return cast("int", store.rows(sql, values)[0][0])
