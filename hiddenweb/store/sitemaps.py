"""What the sitemaps of hosts say of pages that were read, and how often they were right."""

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
"""The part of what is known that says whose sitemaps can be believed."""


class SitemapHost(NamedTuple):
    """A host of which pages may be revisited."""

    number: int
    origin: str
    pages: int
    robots: str | None  # as they were kept
    paused_until: float


class StoredSitemap(NamedTuple):
    """What came of asking for a sitemap."""

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
        """Return the sitemaps of a host that were asked for, by address."""
        rows = self._store.rows("SELECT url, asked, parts, why FROM sitemaps WHERE host = ?", (host,))
        return {
            url: StoredSitemap(asked, tuple(json.loads(parts)), why)
            for url, asked, parts, why in cast("list[tuple[str, float, str, str]]", rows)
        }

    def save(
        self, host: int, url: str, kept: StoredSitemap, dates: Iterable[tuple[int, float]] | None = None
    ) -> None:
        """Keep what came of asking for a sitemap, and when it says that pages changed, by link; None: it was not read, and what it said before stays."""
        read = kept.asked if dates is not None else None
        ((number,),) = self._store.write_returning(
            "INSERT INTO sitemaps (host, url, asked, read, parts, why) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (host, url) DO UPDATE SET asked = excluded.asked, read = coalesce(excluded.read, read), parts = excluded.parts,"
            " why = excluded.why RETURNING id",
            (host, url, kept.asked, read, json.dumps(kept.parts), kept.why),
        )
        if dates is None:
            return
        self._store.write("DELETE FROM sitemap_dates WHERE sitemap = ?", (number,))
        self._store.write_many(
            "INSERT OR REPLACE INTO sitemap_dates (link, sitemap, modified) VALUES (?, ?, ?)",
            ((link, number, modified) for link, modified in dates),
        )

    def forget_others(self, host: int, urls: Collection[str]) -> None:
        """Forget all sitemaps of a host but these: nobody names them any more."""
        others = (host, json.dumps(sorted(urls)))
        which = "host = ? AND url NOT IN (SELECT value FROM json_each(?))"
        self._store.write(
            f"DELETE FROM sitemap_dates WHERE sitemap IN (SELECT id FROM sitemaps WHERE {which})", others
        )
        self._store.write(f"DELETE FROM sitemaps WHERE {which}", others)

    # Trust

    def count_verdict(self, host: int, said: int, *, changed: bool) -> None:
        """Take note of a look at a page of which a sitemap of its host had said something."""
        trust = SitemapTrust(1, self._parse_counts(self._store.knowledge.get(TRUST, str(host))))
        trust.add(np.array([0]), np.array([said]), np.array([changed]))
        self._store.knowledge.put(TRUST, str(host), json.dumps(trust.counts[0].tolist()))

    def load_trust(self, hosts: Sequence[int]) -> SitemapTrust:
        """Return how far the sitemaps of hosts are to be believed, in the order of these."""
        known = dict(self._store.knowledge.load_all(TRUST))
        counts = [self._parse_counts(known.get(str(host))) for host in hosts]
        return SitemapTrust(len(hosts), np.concatenate(counts) if counts else None)

    @staticmethod
    def _parse_counts(kept: str | None) -> Floats:
        return np.array(json.loads(kept) if kept else [[0.0, 0.0], [0.0, 0.0]]).reshape(1, 2, 2)
