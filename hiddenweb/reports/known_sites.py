"""What is known of one site and of one link.

To read several things about a running crawl consistently, call `begin_snapshot` first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.frontier.stopping import common_shape
from hiddenweb.reports.topics import list_topics
from hiddenweb.store.candidates import SqliteCandidates, candidate_from_json
from hiddenweb.store.frontier import DONE
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from hiddenweb.focused.locating.candidates import SiteCandidate
    from hiddenweb.store.database import Store

LINK_STATES = ("pending", "leased", "done", "missed", "refused")
"""The states of links by their numbers."""

_MAX_VISITED = 2_000  # visited links of one site to learn from; a limit of taste


@dataclass(frozen=True, slots=True)
class WaitingCandidate:
    """The position of a waiting candidate."""

    queue: str  # high or low, or rested
    place: int  # in its queue, from 1
    of: int  # how many wait in its queue
    before: int  # how many come before it, in the high and the low queue or among those that rest
    rank: float  # when it was last ranked


@dataclass(frozen=True, slots=True)
class VisitedSite:
    """What became of a site that was opened."""

    kind: int  # 0 off topic, 1 on topic, 2 with search forms on the topic
    seed: bool
    progress: list[list[int]]  # depth, pages, forms, pages without forms
    barren: int  # pages since the last form on the topic
    features: list[str]  # for its links
    forms: int  # on the topic
    language: str
    verdict: dict[str, Any]  # of the site classifier; empty before the homepage was read
    opened: float
    ended: str | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the crawls on a topic know of a site, or of a page that may name sites."""

    topic: str
    candidate: SiteCandidate
    waiting: WaitingCandidate | None = None
    visited: VisitedSite | None = None


@dataclass(frozen=True, slots=True)
class LinkingSite:
    """A site that links to another one, and its linking page."""

    domain: str
    page: str
    kind: int | None  # what the site is, if it was visited


@dataclass(frozen=True, slots=True)
class KnownPause:
    """A host that is paused."""

    origin: str
    until: float
    why: str


@dataclass(frozen=True, slots=True)
class KnownSite:
    """A site that was opened by any crawl."""

    number: int
    domain: str
    seed: str  # its first address
    via: str  # the site that redirected here
    pages: int
    nothing_new: int  # pages in a row without anything new
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
    shape: str  # of its address, if links of this shape are not followed any more
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
    keyword: str  # of the query that it belongs to


@dataclass(frozen=True, slots=True)
class TopicFit:
    """How far a form is on a topic."""

    relevance: float
    relevant: bool


def begin_snapshot(store: Store) -> None:
    """Begin a snapshot: what is read from now on is the state of this moment."""
    store.rows("BEGIN")


def has_run_under_way(store: Store) -> bool:
    """Return whether the last crawl has not reported its end: it runs, or was killed."""
    rows = store.rows("SELECT ended FROM runs ORDER BY id DESC LIMIT 1")
    return bool(rows) and rows[0][0] is None


# Sites


def find_site(store: Store, domain: str, now: float) -> KnownSite | None:
    """Return what is known of a site; None if it was never opened."""
    rows = store.rows(
        "SELECT id, domain, seed, coalesce((SELECT domain FROM sites others WHERE others.id = sites.via), ''), pages,"
        " nothing_new, left FROM sites WHERE domain = ?",
        (domain,),
    )
    if not rows:
        return None
    site = KnownSite(*cast("tuple[Any, ...]", rows[0]))
    site.links.update(_count_links(store, site.number))
    site.pauses.extend(_load_pauses(store, site.number, now))
    return site


def _count_links(store: Store, site: int) -> dict[str, int]:
    rows = store.rows(
        "SELECT state, count(*) FROM links WHERE host IN (SELECT id FROM hosts WHERE site = ?) GROUP BY state",
        (site,),
    )
    counted = dict(cast("list[tuple[int, int]]", rows))
    return {name: counted.get(number, 0) for number, name in enumerate(LINK_STATES)}


def _load_pauses(store: Store, site: int, now: float) -> list[KnownPause]:
    rows = store.rows(
        "SELECT origin, paused_until, coalesce(paused_why, '') FROM hosts WHERE site = ? AND paused_until > ?"
        " ORDER BY paused_until DESC",
        (site, now),
    )
    return [KnownPause(*cast("tuple[str, float, str]", row)) for row in rows]


def find_sightings(store: Store, key: str) -> list[Sighting]:
    """Return what crawls know of a site, or of a page that may name sites, topic by topic."""
    found = (_find_sighting(store, topic, key) for topic in list_topics(store))
    return [sighting for sighting in found if sighting is not None]


def _find_sighting(store: Store, topic: str, key: str) -> Sighting | None:
    candidate, waiting = _find_candidate(store, topic, key)
    rows = store.rows(
        "SELECT candidate, kind, seed, progress, barren, features, forms, language, verdict, opened, ended"
        " FROM explored_sites WHERE topic = ? AND key = ?",
        (topic, key),
    )
    if not rows:
        return Sighting(topic, candidate, waiting) if candidate is not None else None
    candidate_json, kind, seed, progress, barren, features, forms, language, verdict, opened, ended = cast(
        "tuple[Any, ...]", rows[0]
    )
    visited = VisitedSite(
        kind, bool(seed), json.loads(progress), barren, json.loads(features), forms, language,
        json.loads(verdict) if verdict else {}, opened, ended,
    )  # fmt: skip
    return Sighting(topic, candidate or candidate_from_json(key, candidate_json), waiting, visited)


def _find_candidate(
    store: Store, topic: str, key: str
) -> tuple[SiteCandidate | None, WaitingCandidate | None]:
    rows = store.rows(
        "SELECT queue, rank, candidate FROM candidates WHERE topic = ? AND key = ?", (topic, key)
    )
    if not rows:
        return None, None
    queue, rank, candidate_json = cast("tuple[int, float, str]", rows[0])
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
    return candidate_from_json(key, candidate_json), WaitingCandidate(
        name, better + 1, in_queue, before, rank
    )


def find_linking_sites(
    store: Store, domain: str, topic: str | None, limit: int
) -> tuple[int, list[LinkingSite]]:
    """Return how many sites link to a site, and the best of them for a topic."""
    count = _number(store, "SELECT count(*) FROM site_links WHERE target = ?", domain)
    rows = store.rows(
        "SELECT source, page, kind FROM site_links LEFT JOIN explored_sites ON explored_sites.topic = ? AND explored_sites.key = source"
        " WHERE target = ? ORDER BY coalesce(kind, -1) DESC, source LIMIT ?",
        (topic, domain, limit),
    )
    return count, [LinkingSite(*cast("tuple[str, str, int | None]", row)) for row in rows]


def load_topic_fits(store: Store, topic: str, site: int) -> dict[int, TopicFit]:
    """Return how far the forms of a site are on a topic, by their numbers."""
    rows = store.rows(
        "SELECT forms.id, relevance, relevant FROM forms JOIN form_topics ON form_topics.form = forms.id"
        " WHERE forms.site = ? AND topic = ?",
        (site, topic),
    )
    return {
        form: TopicFit(relevance, bool(relevant))
        for form, relevance, relevant in cast("list[tuple[int, float, int]]", rows)
    }


# Links


def find_link(store: Store, url: str) -> KnownLink | None:
    """Return the link of an address; None if it was never found."""
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
    return KnownLink(address, domain, LINK_STATES[link_state], closed, _load_page(store, number), *rest)


def _load_page(store: Store, link: int) -> KnownPage | None:
    rows = store.rows(
        "SELECT title, status, first_seen, coalesce((SELECT url FROM pages firsts WHERE firsts.id = pages.duplicate_of), ''),"
        " duplicate_why FROM pages WHERE link = ?",
        (link,),
    )
    return KnownPage(*cast("tuple[str, int, float, str, str]", rows[0])) if rows else None


def load_visited_links(store: Store, sighting: Sighting) -> list[tuple[LinkCandidate, bool]]:
    """Return the visited links of a site, and whether each led to a form on the topic."""
    rows = store.rows(
        "SELECT links.url, hops, anchor, around, tag_path, EXISTS (SELECT 1 FROM forms JOIN form_topics t ON t.form = forms.id"
        " WHERE t.topic = ? AND t.relevant AND forms.page_url = links.url AND forms.site = hosts.site)"
        " FROM links JOIN hosts ON hosts.id = links.host JOIN sites ON sites.id = hosts.site"
        " WHERE domain = ? AND state = ? AND kind = 'page' AND submission IS NULL AND redirects = 0"
        " ORDER BY links.id LIMIT ?",
        (sighting.topic, sighting.candidate.key, DONE, _MAX_VISITED),
    )
    language = sighting.visited.language if sighting.visited else ""
    return [
        (LinkCandidate(url, depth, anchor, around, tag_path, language), bool(led_to_form))
        for url, depth, anchor, around, tag_path, led_to_form in cast("list[tuple[Any, ...]]", rows)
    ]


def _number(store: Store, sql: str, *values: object) -> int:
    return cast("int", store.rows(sql, values)[0][0])
