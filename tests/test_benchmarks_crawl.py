"""The crawl benchmark compares like with like, or says that it does not."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import pytest
from lxml.html import fromstring

from benchmarks import _growing_web as growing
from benchmarks._crawls import Crawls, Job, Taken
from benchmarks._measuring import PARTS, Sampler, part_of
from benchmarks._plain_sites import PlainSite, enough, plain_sites
from benchmarks.crawl import (
    Asked,
    Crawl,
    DifferentPages,
    Pair,
    check_same_pages,
    figures_of,
    read_journal,
    slope,
)
from simweb.running import Simweb
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks._crawls import Side


def asked(*pages: str, faults: int = 0) -> Asked:
    return Asked(Counter(pages), faults, 11_000 * len(pages))


def crawl(cpu: float, pages: int = 100, *, wall: float = 1.0, rss_mb: float = 80.0) -> Crawl:
    addresses = (f"http://a.example/{number}" for number in range(pages))
    return Crawl(asked(*addresses), Taken(cpu, wall, rss_mb, 0.0, "finished"))


def row(target: str, status: int = 200) -> dict[str, object]:
    return {"host": "a.example", "target": target, "status": status, "bytes": 500}


def test_the_journal_is_read_without_robots_txt() -> None:
    found = read_journal([row("/robots.txt", 404), row("/"), row("/b", 500), row("/")])

    assert found == Asked(Counter({"http://a.example/": 2, "http://a.example/b": 1}), 1, 1500)


@pytest.mark.parametrize(
    ("bare", "ours"),
    [
        pytest.param(asked("/a", "/b"), asked("/a"), id="ours left a page out"),
        pytest.param(asked("/a"), asked("/a", "/b"), id="ours asked for one more"),
        pytest.param(asked("/a", "/b"), asked("/a", "/c"), id="as many, but others"),
        pytest.param(asked("/a", "/b"), asked("/a", "/b", "/b"), id="ours asked twice"),
        pytest.param(asked("/a", "/a"), asked("/a", "/a"), id="both asked twice"),
        pytest.param(asked("/a"), asked("/a", faults=1), id="an answer was not good"),
        pytest.param(asked(), asked(), id="nothing was asked"),
    ],
)
def test_different_pages_give_no_figure(bare: Asked, ours: Asked) -> None:
    with pytest.raises(DifferentPages):
        check_same_pages(bare, ours)


def test_the_same_pages_in_another_order_are_the_same() -> None:
    check_same_pages(asked("/a", "/b"), asked("/b", "/a"))


def test_ratios_are_medians_over_pairs() -> None:
    small = [Pair(crawl(1.2), crawl(ours, rss_mb=80 + ours), indexing=0.2) for ours in (0.2, 0.4, 0.3)]
    large = [Pair(crawl(4.0), crawl(0.5, wall=2.0), indexing=1.0)]

    figures = figures_of({"11 KB": small, "80 KB": large}, [(70_000, 90.0), (300_000, 113.0)])

    assert figures["pages_ratio"] == 4.0
    assert figures["pages_ratio_80k"] == 8.0
    assert figures["end_to_end_ratio"] == 2.4
    assert figures["bare_ms"] == 12.0
    assert figures["rss_mb"] == 80.4
    assert figures["rss_growth_mb_per_100k_urls"] == 10.0


def test_growth_before_the_warm_up_does_not_count() -> None:
    samples = [(0, 10.0), (60_000, 80.0), (100_000, 90.0), (200_000, 93.0), (300_000, 96.0)]

    assert slope(samples) == pytest.approx(3.0)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World(7, 60, pages_per_site=20, largest_database=50)
    yield world
    world.close()


def test_plain_sites_have_nothing_that_crawlers_treat_differently(world: World) -> None:
    found = list(plain_sites(world, world.numbers))

    plans = {world.plan(number).host: world.plan(number) for number in world.numbers}
    assert 0 < len(found) < len(plans)
    for site in found:
        plan = plans[site.host]
        assert (plan.traps, plan.session_ids, plan.robots.rules, plan.robots.crawl_delay) == (
            (),
            "",
            (),
            None,
        )
        assert len(site.pages) == plan.pages


def test_sites_are_taken_until_they_have_enough_pages() -> None:
    sites = [PlainSite(f"{name}.example", "", ("/1", "/2", "/3"), None) for name in "abc"]

    assert [site.host for site in enough(sites, 4)] == ["a.example", "b.example"]
    with pytest.raises(RuntimeError, match="fewer than 10"):
        enough(sites, 10)


def test_every_page_of_the_growing_web_is_linked_from_one_page() -> None:
    linked = [target for number in range(3 * growing.HOSTS) for target in links_of(number)]

    expected = {growing.address(n) for n in range(growing.HOSTS, growing.HOSTS + len(linked))}
    assert len(linked) == len(set(linked)) == 3 * growing.HOSTS * growing.LINKS
    assert set(linked) == expected


def links_of(number: int) -> list[str]:
    url = growing.address(number)
    parts = urlsplit(url)
    head = f"GET http://{parts.netloc}{parts.path} HTTP/1.1\r\n\r\n".encode()
    body = growing.answer(head).partition(b"\r\n\r\n")[2]
    return [urljoin(url, str(link.attrib["href"])) for link in fromstring(body).iter("a")]


def test_the_growing_web_has_no_robots_txt() -> None:
    assert growing.answer(b"GET http://h7.example/robots.txt HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 404")


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("/x/hiddenweb/html/document.py", "reading the page"),
        ("/x/hiddenweb/pipelines/frontier.py", "choosing links"),
        ("/x/hiddenweb/pipelines/pages.py", "pipelines"),
        ("/x/site-packages/scrapy/core/engine.py", "Scrapy"),
        ("/usr/lib/python3.11/json/encoder.py", ""),
    ],
)
def test_functions_belong_to_parts_by_their_file(file: str, part: str) -> None:
    assert part_of(file) == part


def test_a_sample_counts_for_the_innermost_part() -> None:
    sampler = Sampler()
    source = "def outer(call):\n    return call()\n"
    scope: dict[str, object] = {}
    exec(compile(source, "/x/hiddenweb/scheduler.py", "exec"), scope)
    exec(compile("import sys\ndef frame():\n    return sys._getframe()\n", "/x/library.py", "exec"), scope)

    sampler.sample(0, scope["outer"](scope["frame"]))  # type: ignore[operator]

    assert json.loads(json.dumps(sampler.functions)) == {"politeness, robots, outcomes: outer": 1}


def test_the_parts_named_are_there() -> None:
    root = Path(__file__).resolve().parent.parent
    named = [name for name in PARTS if name.startswith("hiddenweb/")]

    assert named
    assert [name for name in named if not list(root.glob(f"{name}*"))] == []


def test_both_sides_crawl_the_same_pages_of_a_site_and_say_what_it_took(tmp_path: Path) -> None:
    shape: dict[str, Any] = {"sites": 20, "pages_per_site": 8}
    with closing(World(7, **shape)) as world:
        [site] = enough((site for site in plain_sites(world, world.numbers) if not site.style), 1)
    sides: tuple[Side, Side] = ("bare", "ours")
    found: dict[str, Asked] = {}
    taken: dict[str, Taken] = {}
    with Simweb.start(seed=7, **shape) as web:
        for side in sides:
            web.post("clear-journal")
            with Crawls(side) as crawls:
                taken[side] = crawls.crawl(Job(str(tmp_path / side), web.proxy, (site.url,)))
            found[side] = read_journal(web.get("requests"))

    check_same_pages(found["bare"], found["ours"])
    assert set(found["ours"].pages) == set(site.pages)
    assert all(each.reason == "finished" and 0 < each.cpu <= each.wall + 1 for each in taken.values())
    assert taken["ours"].others_cpu > 0.05 > taken["bare"].others_cpu
