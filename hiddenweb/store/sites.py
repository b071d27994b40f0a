"""Sites and their hosts: which are explored, how far each has come, and which may be requested now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.frontier.protocol import WaitingHost
from hiddenweb.urls import origin, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiddenweb.model import TaskKind
    from hiddenweb.store.knowledge import KnowledgeStore
    from hiddenweb.store.sqlite_file import SqliteFile

REMEMBERED = 30_000
"""Recent addresses that are held in memory, twice this number at most. A limit of taste."""

CLOSED_SHAPES = "closed shapes"
"""The part of the knowledge that says which shapes of addresses are not followed, by the number of the site."""

_OUTSIDE = 0  # stands for the host of a site that is not explored


@dataclass(frozen=True, slots=True)
class SiteProgress:
    """How many pages of a site were read, by all crawls."""

    pages: int  # of all kinds
    nothing_new: int  # in a row, of those that links led to
    explored: int  # that links led to
    record_pages: int


class RecentKeys:
    """Remembers the last so many keys, in two generations."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}

    def get(self, key: str) -> int | None:
        value = self._young.get(key)
        return self._old.get(key) if value is None else value

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Return the keys that are not remembered."""
        young, old = self._young, self._old
        return [key for key in keys if key not in young and key not in old]

    def add(self, key: str, value: int) -> None:
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = value


class SiteStore:
    """The sites and hosts of a store."""

    def __init__(self, file: SqliteFile, knowledge: KnowledgeStore) -> None:
        self._file = file
        self._db = file.db
        self._knowledge = knowledge
        self._hosts = RecentKeys(REMEMBERED)
        self.recent_urls = RecentKeys(REMEMBERED)  # forgotten when a site is new: they may be on it
        self._sites: dict[str, int] = {
            domain: number for number, domain in self._db.execute("SELECT id, domain FROM sites")
        }
        self._left = {row[0] for row in self._db.execute("SELECT id FROM sites WHERE left IS NOT NULL")}
        self._closed = {
            int(site): set(json.loads(shapes)) for site, shapes in knowledge.load_all(CLOSED_SHAPES)
        }
        self._stopped: dict[
            int, dict[TaskKind, str]
        ] = {}  # by site: kinds of links that are not leased, and why
        self._sites_of_hosts: dict[int, int] = {}
        self.woken_hosts: set[int] = set()  # that got new links since the last call of `take_woken_hosts`
        self.urgent_hosts: set[int] = set()  # of those, the ones that got queries or further pages of answers

    def want(self, url: str, via: int | None = None) -> int:
        """Return the number of the site of an address, which is explored from now on."""
        domain = registered_domain(url)
        number = self._sites.get(domain)
        if number is None:
            row = self._file.begin().execute(
                "INSERT INTO sites (domain, seed, via) VALUES (?, ?, ?)", (domain, url, via)
            )
            number = self._sites[domain] = int(row.lastrowid or 0)
            self._hosts = RecentKeys(REMEMBERED)
            self.recent_urls = RecentKeys(REMEMBERED)
            return number
        if via is not None and via != number:
            self._file.begin().execute("UPDATE sites SET via = coalesce(via, ?) WHERE id = ?", (via, number))
        if number in self._left:
            self._return_to(number)
        return number

    def _return_to(self, site: int) -> None:
        rows = self._file.begin().execute(
            "WITH RECURSIVE reached (id) AS (SELECT ? UNION SELECT sites.id FROM sites JOIN reached ON via = reached.id)"
            " UPDATE sites SET left = NULL, nothing_new = 0 WHERE id IN (SELECT id FROM reached) RETURNING id",
            (site,),
        )
        for (number,) in rows.fetchall():
            self._left.discard(number)
            self.woken_hosts.update(
                row[0] for row in self._db.execute("SELECT id FROM hosts WHERE site = ?", (number,))
            )

    def list_seeds(self) -> list[str]:
        """Return the addresses by which the sites were named, or found."""
        return [
            str(seed) for (seed,) in self._db.execute("SELECT seed FROM sites WHERE via IS NULL ORDER BY id")
        ]

    def find_site(self, url: str) -> int | None:
        """Return the site of an address, if it is known."""
        return self._sites.get(registered_domain(url))

    def find_host(self, url: str) -> int | None:
        """Return the number of an address's host; None if its site is unknown."""
        name = origin(url)
        number = self._hosts.get(name)
        if number is None:
            site = self.find_site(url)
            number = self._insert_host(name, site) if site is not None else _OUTSIDE
            self._hosts.add(name, number)
        return None if number == _OUTSIDE else number

    def load_host(self, number: int) -> WaitingHost:
        """Return what is known of a host."""
        row = self._db.execute(
            "SELECT id, origin, site, paused_until, coalesce(paused_why, '') FROM hosts WHERE id = ?",
            (number,),
        ).fetchone()
        return WaitingHost(*row)

    def _insert_host(self, name: str, site: int) -> int:
        found = self._db.execute("SELECT id FROM hosts WHERE origin = ?", (name,)).fetchone()
        if found:
            return int(found[0])
        row = self._file.begin().execute("INSERT INTO hosts (origin, site) VALUES (?, ?)", (name, site))
        return int(row.lastrowid or 0)

    def load_robots(self, host_origin: str) -> str | None:
        """Return the stored robots rules of a host."""
        found = self._db.execute("SELECT robots FROM hosts WHERE origin = ?", (host_origin,)).fetchone()
        return found[0] if found else None

    def save_robots(self, host_origin: str, rules: str) -> None:
        """Store the robots rules of a host."""
        self._file.begin().execute("UPDATE hosts SET robots = ? WHERE origin = ?", (rules, host_origin))

    def pause_host(self, host: int, until: float, why: str) -> None:
        """Pause a host for a while, also after a restart."""
        self._file.begin().execute(
            "UPDATE hosts SET paused_until = ?, paused_why = ? WHERE id = ? AND paused_until < ?",
            (until, why, host, until),
        )

    def close_shape(self, site: int, shape: str) -> None:
        """Stop following addresses of this shape."""
        self._closed.setdefault(site, set()).add(shape)
        self._knowledge.put(CLOSED_SHAPES, str(site), json.dumps(sorted(self._closed[site])))

    def has_closed_shapes(self, site: int) -> bool:
        """Say whether some shape of a site's addresses is not followed."""
        return site in self._closed

    def is_shape_closed(self, site: int, shape: str) -> bool:
        """Say whether addresses of this shape are not followed."""
        return shape in self._closed.get(site, ())

    def leave(self, site: int, why: str) -> None:
        """Stop exploring a site; its waiting links stay."""
        self._left.add(site)
        self._file.begin().execute("UPDATE sites SET left = ? WHERE id = ? AND left IS NULL", (why, site))

    def stop(self, site: int, kind: TaskKind, why: str) -> None:
        """Lease no more links of a kind on a site: pages that would be explored, or own pages of records."""
        self._stopped.setdefault(site, {})[kind] = why

    def is_stopped(self, site: int, kind: TaskKind) -> bool:
        """Say whether links of a kind are not leased on a site any more; sitemaps are stopped with pages."""
        return ("page" if kind == "sitemap" else kind) in self._stopped.get(site, ())

    def leave_stopped(self) -> None:
        """Leave the sites with a kind of links that is not leased any more; a crawl that names them resumes them."""
        for site, reasons in self._stopped.items():
            self.leave(site, next(iter(reasons.values())))

    def load_progress(self, site: int) -> SiteProgress:
        """Return how many pages of each kind were read on a site, by all crawls."""
        row = self._db.execute(
            "SELECT pages, nothing_new, explored, record_pages FROM sites WHERE id = ?", (site,)
        ).fetchone()
        return SiteProgress(*row)

    def is_left(self, site: int) -> bool:
        """Say whether a site was left."""
        return site in self._left

    def count_page(self, site: int, *, new: bool, kind: TaskKind = "page") -> SiteProgress:
        """Count a page of a site; return its counts."""
        row = self._file.begin().execute(
            "UPDATE sites SET pages = pages + 1, explored = explored + (?2 = 'page'),"
            " record_pages = record_pages + (?2 = 'record'),"
            " nothing_new = CASE WHEN ?2 <> 'page' THEN nothing_new WHEN ?1 THEN 0 ELSE nothing_new + 1 END"
            " WHERE id = ?3 RETURNING pages, nothing_new, explored, record_pages",
            (new, kind, site),
        )
        return SiteProgress(*row.fetchone())

    def wake(self, site: int) -> None:
        """Wake the hosts of a site."""
        self.woken_hosts.update(
            row[0] for row in self._db.execute("SELECT id FROM hosts WHERE site = ?", (site,))
        )

    def find_site_of_host(self, host: int) -> int:
        site = self._sites_of_hosts.get(host)
        if site is None:
            site = self._sites_of_hosts[host] = self.load_host(host).site
        return site

    def kinds_on_hold(self, host: int) -> Mapping[TaskKind, str]:
        """Return the kinds of links that are not leased from a host, and why."""
        return self._stopped.get(self.find_site_of_host(host), {}) if self._stopped else {}

    def leave_all(self, why: str) -> None:
        """Leave every site until it is wanted again."""
        self._file.begin().execute("UPDATE sites SET left = ? WHERE left IS NULL", (why,))
        self._left = {row[0] for row in self._db.execute("SELECT id FROM sites")}
