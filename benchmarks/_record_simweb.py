"""Sites of simweb with their databases as rows, to be harvested and judged as other applications are."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks._record_judging import one_line
from simweb.messages import Request
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from simweb.site import Site

LARGEST = 400
"""Records of a database: what a harvest finds within the queries of a form."""


@dataclass(frozen=True, slots=True)
class SimwebSite:
    """A site of simweb, with its rows by number."""

    host: str
    url: str
    rows: Mapping[str, Mapping[str, tuple[str, ...]]]
    labels: Mapping[str, str]
    site: Site
    truth: Truth

    def find_id(self, url: str, text: str) -> str | None:
        """Return the number of the row that a stored record is: by its address, or by what it says."""
        database = self.site.plan.database
        assert database is not None
        if not database.has_details:
            said = one_line(text)
            found = [number for number, row in self.rows.items() if row["title"][0] in said]
            return max(found, key=lambda number: self._count_said(number, said), default=None)
        parts = urlsplit(self.truth.identity(url)) if url else None
        if parts is None or parts.netloc != self.host:
            return None
        number = self.site.record_at(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        return str(number) if number is not None else None

    def _count_said(self, number: str, said: str) -> int:
        return sum(value[0] in said for value in self.rows[number].values())


@contextmanager
def serve_simweb(seed: int, hosts: int, count: int) -> Iterator[tuple[Simweb, list[SimwebSite]]]:
    """Serve a world; give it and so many of its sites with databases."""
    with (
        closing(World(seed, hosts, direct=0, largest_database=LARGEST)) as world,
        Simweb.start(seed=seed, sites=hosts, direct=0, largest_database=LARGEST) as web,
    ):
        truth, numbers = Truth(world), list(world.numbers)
        Random(seed).shuffle(numbers)
        chosen: list[SimwebSite] = []
        for number in numbers:
            plan = world.plan(number)
            if plan.database is None or plan.robots.rules or plan.traps:
                continue
            chosen.append(_describe(world.site(number), truth))
            if len(chosen) == count:
                break
        yield web, chosen


def keep_shown(sites: Sequence[SimwebSite], journal: Sequence[Mapping[str, Any]]) -> list[SimwebSite]:
    """Return the sites with those rows only that answers showed: what is asked is measured by other benchmarks."""
    by_host = {each.host: each for each in sites}
    shown: dict[str, set[str]] = {}
    for row in journal:
        site = by_host.get(row["host"])
        if site is not None and row["status"] == 200 and row["kind"].startswith("answer"):
            path, _, query = row["target"].partition("?")
            asked = Request(row["method"], row["host"], path, query, body=row["body"].encode())
            shown.setdefault(site.host, set()).update(map(str, site.site.respond(asked).records))
    return [
        replace(each, rows={number: row for number, row in each.rows.items() if number in shown[each.host]})
        for each in sites
        if each.host in shown
    ]


def _describe(site: Site, truth: Truth) -> SimwebSite:
    rows = {}
    for each in truth.records(site.plan.host):
        record = each.record
        cells = {name: (value,) for name, value in zip(site.labels, record.values, strict=True) if value}
        rows[str(record.number)] = {"title": (record.title,), **cells, "text": (record.text,)}
    labels = {name: name for name in site.labels}
    return SimwebSite(site.plan.host, site.plan.url, rows, labels, site, truth)
