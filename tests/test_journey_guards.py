"""Forms of simweb that guard themselves, ask in steps, or page by POST or by a button: crawled, and held against the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from crawling import Ran, crawl

from simweb.running import Simweb
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.plan import SitePlan

ASKED = ["token", "token_post", "load_more", "steps", "post", "aspnet"]
WORLD: dict[str, Any] = {"seed": 11, "sites": 36, "pages_per_site": 8, "largest_database": 80}


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

    def of_style(self, style: str) -> list[dict[str, Any]]:
        """Return the requests that sites of a style were sent."""
        hosts = [plan.host for plan in self.plans if plan.database and plan.database.style == style]
        return [request for host in hosts for request in self.requests[host]]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    world = World(**WORLD, styles=ASKED)
    every = [world.plan(number) for number in range(world.sites)]
    open_kinds = ("none", "empty", "allow_all", "section")
    plans = [
        plan for plan in every
        if plan.database and plan.robots.kind in open_kinds and plan.database.behaviour.too_many is None
    ]  # fmt: skip
    world.close()
    with Simweb.start(**WORLD, styles=",".join(ASKED)) as web:
        settings = {
            "HIDDENWEB_PROXY": web.proxy,
            "HIDDENWEB_ALLOW_POST": ",".join(plan.host for plan in plans),
            "HIDDENWEB_QUERIES_PER_FORM": 30,
            "HIDDENWEB_INDEX": False,
        }
        ran = crawl(tmp_path_factory.mktemp("guards"), [plan.url for plan in plans], settings)
        requests = {plan.host: web.get("requests", host=plan.host) for plan in plans}
        yield Crawled(ran, plans, requests)


@pytest.mark.parametrize("style", ASKED)
def test_nearly_all_records_are_found(crawled: Crawled, style: str) -> None:
    assert crawled.ran.code == 0, crawled.ran.output[-3000:]
    assert crawled.share(style) > 0.85


@pytest.mark.parametrize("style", ["token", "token_post"])
def test_hardly_a_question_is_refused(crawled: Crawled, style: str) -> None:
    requests = crawled.of_style(style)
    refused = [request for request in requests if request["kind"] == "answer:refused"]
    sites = len({request["host"] for request in requests})

    assert any(request["kind"] == "answer:results" for request in requests)
    assert len(refused) <= sites


def test_no_post_is_sent_twice(crawled: Crawled) -> None:
    posts = [
        (request["host"], request["target"], request["body"])
        for style in ("post", "aspnet", "token_post")
        for request in crawled.of_style(style)
        if request["method"] == "POST"
    ]

    assert len(posts) > 100
    assert len(posts) == len(set(posts))
