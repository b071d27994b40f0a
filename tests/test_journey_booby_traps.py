"""A real harvest among booby-trapped forms, POST allowed everywhere: searches are submitted, and nothing is sprung."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from crawling import crawl

from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from pathlib import Path

SEED, SITES_CRAWLED = 11, 10
SHAPE: dict[str, Any] = {
    "sites": 40,
    "pages_per_site": 10,
    "direct": 0,
    "largest_database": 80,
    "text_bytes": 400,
    "booby_traps": True,
}


def test_harvest_asks_the_searches_and_springs_no_trap(tmp_path: Path) -> None:
    with closing(World(SEED, **SHAPE)) as world:
        truth = Truth(world)
        sites = [
            site.plan
            for site in truth.sites(databases=True)
            if site.plan.robots.kind in ("none", "allow_all")
        ]
        sites = sorted(sites, key=lambda plan: plan.pages)[:SITES_CRAWLED]
        traps = [form for plan in sites for form in truth.forms(plan.host) if form.form.booby_trap]

    with Simweb.start(seed=SEED, **SHAPE) as web:
        settings = {
            "HIDDENWEB_PROXY": web.proxy,
            "HIDDENWEB_ALLOW_POST": ",".join(plan.host for plan in sites),
            "HIDDENWEB_QUERIES_PER_FORM": 2,
            "HIDDENWEB_PAGES_PER_ANSWER": 1,
            "HIDDENWEB_INDEX": False,
        }
        ran = crawl(tmp_path, [plan.url for plan in sites], settings)
        effects, requests = web.effects(), web.get("requests", most=10**6)

    served = {f"http://{row['host']}{row['target']}" for row in requests if row["status"] == 200}
    assert ran.code == 0, ran.output
    assert len({trap.form.booby_trap for trap in traps if trap.page in served}) >= 35
    assert sum(row["kind"].startswith("answer:") for row in requests) >= 10
    assert effects == []
