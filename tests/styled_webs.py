"""A simweb whose sites have forms of some styles, crawled once and held against the truth."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawling import Ran, crawl

from simweb.running import Simweb
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from simweb.plan import SitePlan

OPEN = ("none", "empty", "allow_all", "section")
"""Kinds of robots.txt that let a search be asked."""


@dataclass(frozen=True)
class Crawled:
    """A crawl that is over, and the sites that it was in."""

    ran: Ran
    plans: list[SitePlan]
    requests: dict[str, list[dict[str, Any]]]

    def share(self, style: str) -> float:
        """Return the share of the records behind all forms of a style that was found."""
        sizes = {
            plan.url: plan.database.size
            for plan in self.plans
            if plan.database and plan.database.style == style
        }
        rows = self.ran.rows(
            "SELECT sites.seed, count(*) FROM records JOIN sites ON sites.id = site GROUP BY site"
        )
        found: int = sum(count for seed, count in rows if seed in sizes)
        return found / sum(sizes.values())

    def requests_of_style(self, style: str) -> list[dict[str, Any]]:
        """Return the requests that sites of a style were sent."""
        hosts = [plan.host for plan in self.plans if plan.database and plan.database.style == style]
        return [request for host in hosts for request in self.requests[host]]


@contextmanager
def crawl_web(
    folder: Path, styles: Sequence[str], world: dict[str, Any], **settings: object
) -> Iterator[Crawled]:
    """Crawl all sites of a world whose forms have these styles, as far as their robots.txt lets them be asked."""
    with_styles = World(**world, styles=list(styles))
    every = [with_styles.plan(number) for number in range(with_styles.sites)]
    plans = [
        plan for plan in every
        if plan.database and plan.robots.kind in OPEN and plan.database.behaviour.too_many is None
    ]  # fmt: skip
    with_styles.close()
    with Simweb.start(**world, styles=",".join(styles)) as web:
        usual = {
            "HIDDENWEB_PROXY": web.proxy,
            "HIDDENWEB_ALLOW_POST": ",".join(plan.host for plan in plans),
            "HIDDENWEB_INDEX": False,
        }
        ran = crawl(folder, [plan.url for plan in plans], usual | settings)
        yield Crawled(ran, plans, {plan.host: web.get("requests", host=plan.host) for plan in plans})
