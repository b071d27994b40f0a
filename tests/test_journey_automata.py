"""Crawls by learning automata: on a small site they learn where forms are, on simweb they find what a crawl finds and continue after a stop."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from crawling import SmallSite, crawl

from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from pathlib import Path

LISTS, EACH = 12, 6
AUTOMATA: dict[str, object] = {"HIDDENWEB_POLICY": "automata", "HIDDENWEB_INDEX": False}


def page(path: str) -> str | None:
    """A homepage that names lists, lists of articles and tools, and tools with a search form each."""
    words = f"The page at {path} speaks of {' '.join(f'word{ord(c)}' for c in path)}."
    if path == "/":
        lists = "".join(f"<li><a href=/list/{at}>List {at}</a></li>" for at in range(LISTS))
        return f"<html lang=en><h1>Contents</h1><p>{words}</p><ol>{lists}</ol></html>"
    if match := re.fullmatch(r"/list/(\d+)", path):
        at = int(match[1])
        news = "".join(f"<li><a href=/news/{at}-{n}>Article {at}-{n}</a></li>" for n in range(EACH))
        tools = "".join(f"<li><a href=/tool/{at}-{n}>Tool {at}-{n}</a></li>" for n in range(EACH))
        return f"<html lang=en><p>{words}</p><ul class=news>{news}</ul><ul class=tools>{tools}</ul></html>"
    if path.startswith("/tool/"):
        name = path.rpartition("/")[2]
        form = f"<form role=search action=/find{name}>Search <input type=search name=q{name}><button>Search</button></form>"
        return f"<html lang=en><h1>Tool</h1><p>{words}</p>{form}</html>"
    return f"<html lang=en><h1>News</h1><p>{words}</p></html>" if path.startswith("/news/") else None


def forms_on_first(requested: list[str], pages: int) -> int:
    """Return how many of the first articles and tools that were read were tools."""
    read = [path for path in requested if path.startswith(("/tool/", "/news/"))]
    return sum(path.startswith("/tool/") for path in read[:pages])


def test_links_in_a_place_that_led_to_forms_come_before_others(tmp_path: Path) -> None:
    with SmallSite(page) as site:
        folders = [tmp_path / name for name in ("breadth", "automata")]
        for folder in folders:
            folder.mkdir()
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_INDEX": False}
        breadth = crawl(folders[0], [site.url], allowed, spider="explore")
        in_breadth, site.requested[:] = list(site.requested), []
        learnt = crawl(folders[1], [site.url], AUTOMATA | allowed, spider="explore")
        by_automata = list(site.requested)

    assert (breadth.code, learnt.code) == (0, 0), learnt.output[-3000:]
    assert sorted(set(by_automata)) == sorted(set(in_breadth))  # all of it is read, in another order
    half = LISTS * EACH
    assert forms_on_first(by_automata, half) > half / 2 * 1.2  # half of what lists name are tools
    [(written,)] = learnt.rows("SELECT value FROM knowledge WHERE part = 'link automata'")
    lists = next(dict(rows) for _, rows in json.loads(written)["kinds"] if "ul.tools/li/a" in dict(rows))
    assert lists["ul.tools/li/a"] > 0.5 > lists["ul.news/li/a"]


def test_a_crawl_of_simweb_by_automata_learns_goes_on_after_a_stop_and_misses_nothing(tmp_path: Path) -> None:
    sizes: dict[str, Any] = {"seed": 11, "sites": 8, "pages_per_site": 20, "largest_database": 100}
    world = World(**sizes)
    plans = [site.plan for site in Truth(world).sites()]
    world.close()
    hosts = [plan.host for plan in plans if not plan.robots.crawl_delay and not plan.host.startswith("127.")]
    seeds = [f"http://{host}/" for host in hosts]
    with Simweb.start(**sizes) as web:
        for name in ("automata", "usual"):
            (tmp_path / name).mkdir()
        proxy = {"HIDDENWEB_PROXY": web.proxy}
        stopped = crawl(tmp_path / "automata", seeds, AUTOMATA | proxy | {"CLOSESPIDER_PAGECOUNT": 40})
        learnt_before = dict(
            stopped.rows("SELECT subject, value FROM knowledge WHERE part = 'link automata'")
        )
        waiting = stopped.rows("SELECT count(*) FROM links WHERE state = 0")[0][0]
        ended = crawl(tmp_path / "automata", seeds, AUTOMATA | proxy)
        usual = crawl(tmp_path / "usual", seeds, proxy | {"HIDDENWEB_INDEX": False})

    assert (stopped.code, ended.code, usual.code) == (0, 0, 0), ended.output[-3000:]
    assert waiting > 0
    assert learnt_before
    assert ended.rows("SELECT count(*) FROM links WHERE state IN (0, 1)") == [(0,)]
    learnt = dict(ended.rows("SELECT subject, value FROM knowledge WHERE part = 'link automata'"))
    assert learnt.keys() >= learnt_before.keys()
    assert learnt != learnt_before
    linked = "SELECT url FROM links WHERE kind = 'page' AND state = 2"
    lost = {row[0] for row in usual.rows(linked)} - {
        row[0] for row in ended.rows("SELECT url FROM links WHERE state = 2")
    }
    assert lost == set()
    assert ended.rows("SELECT count(*) FROM records")[0][0] > 0
