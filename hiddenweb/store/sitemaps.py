"""What the sitemaps of hosts say about stored pages, and how often they were right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from hiddenweb.revisit.planner import SitemapTrust
from hiddenweb.store.revisit_plan import CAN_BE_REVISITED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.revisit.change_rate import Floats
    from hiddenweb.store.database import Store

TRUST = "sitemaps"
"""The part of the knowledge about which hosts have reliable sitemaps."""


class SitemapHost(NamedTuple):
    """A host with pages that may be revisited."""

    number: int
    origin: str
    pages: int
    robots: str | None  # as stored
    paused_until: float


class StoredSitemap(NamedTuple):
    """The outcome of the last request for a sitemap."""

    asked: float  # when
    parts: tuple[str, ...]
    why: str


class SitemapStore:
    """The sitemaps of a state."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load_hosts(self, domains: Collection[str] = ()) -> list[SitemapHost]:
        """Return the hosts of all pages that may be revisited, or of those of some sites; the one with most pages first."""
        rows = self._store.rows(
            "SELECT hosts.id, origin, count(*), robots, paused_until"
            " FROM pages JOIN links ON links.id = pages.link JOIN hosts ON hosts.id = links.host JOIN sites ON sites.id = pages.site"
            f" WHERE ({CAN_BE_REVISITED}) AND (? OR sites.domain IN (SELECT value FROM json_each(?)))"
            " GROUP BY hosts.id ORDER BY count(*) DESC, hosts.id",
            (not domains, json.dumps(sorted(domains))),
        )
        return [SitemapHost(*cast("tuple[int, str, int, str | None, float]", row)) for row in rows]

    def load_pages(self, host: int) -> dict[int, int]:
        """Return the pages of a host: the hash of an address and its link."""
        rows = self._store.rows(
            "SELECT links.hash, links.id FROM links JOIN pages ON pages.link = links.id WHERE links.host = ?",
            (host,),
        )
        return dict(cast("list[tuple[int, int]]", rows))

    def load(self, host: int) -> dict[str, StoredSitemap]:
        """Return the sitemaps of a host that were requested, by address."""
        rows = self._store.rows("SELECT url, asked, parts, why FROM sitemaps WHERE host = ?", (host,))
        return {
            url: StoredSitemap(asked, tuple(json.loads(parts)), why)
            for url, asked, parts, why in cast("list[tuple[str, float, str, str]]", rows)
        }

    def save(
        self, host: int, url: str, sitemap: StoredSitemap, dates: Iterable[tuple[int, float]] | None = None
    ) -> None:
        """Store a sitemap, and when it says that pages changed, by link; None: it was not read, and its earlier dates stay."""
        read = sitemap.asked if dates is not None else None
        ((number,),) = self._store.write_returning(
            "INSERT INTO sitemaps (host, url, asked, read, parts, why) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (host, url) DO UPDATE SET asked = excluded.asked, read = coalesce(excluded.read, read), parts = excluded.parts,"
            " why = excluded.why RETURNING id",
            (host, url, sitemap.asked, read, json.dumps(sitemap.parts), sitemap.why),
        )
        if dates is None:
            return
        self._store.write("DELETE FROM sitemap_dates WHERE sitemap = ?", (number,))
        self._store.write_many(
            "INSERT OR REPLACE INTO sitemap_dates (link, sitemap, modified) VALUES (?, ?, ?)",
            ((link, number, modified) for link, modified in dates),
        )

    def forget_others(self, host: int, urls: Collection[str]) -> None:
        """Forget all sitemaps of a host but these."""
        values = (host, json.dumps(sorted(urls)))
        which = "host = ? AND url NOT IN (SELECT value FROM json_each(?))"
        self._store.write(
            f"DELETE FROM sitemap_dates WHERE sitemap IN (SELECT id FROM sitemaps WHERE {which})", values
        )
        self._store.write(f"DELETE FROM sitemaps WHERE {which}", values)

    # Trust

    def count_verdict(self, host: int, claim: int, *, changed: bool) -> None:
        """Note the outcome of a revisit of a page about which a sitemap of its host made a claim."""
        trust = SitemapTrust(1, self._parse_counts(self._store.knowledge.get(TRUST, str(host))))
        trust.add(np.array([0]), np.array([claim]), np.array([changed]))
        self._store.knowledge.put(TRUST, str(host), json.dumps(trust.counts[0].tolist()))

    def load_trust(self, hosts: Sequence[int]) -> SitemapTrust:
        """Return how reliable the sitemaps of hosts are, in the order of these."""
        written = dict(self._store.knowledge.load_all(TRUST))
        counts = [self._parse_counts(written.get(str(host))) for host in hosts]
        return SitemapTrust(len(hosts), np.concatenate(counts) if counts else None)

    @staticmethod
    def _parse_counts(written: str | None) -> Floats:
        return np.array(json.loads(written) if written else [[0.0, 0.0], [0.0, 0.0]]).reshape(1, 2, 2)
