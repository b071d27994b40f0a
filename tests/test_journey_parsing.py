"""A page is parsed once, whatever is asked of it: real crawls of a small site, counted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawling import Ran, SmallSite, crawl

if TYPE_CHECKING:
    from pathlib import Path

LAMPS = {
    number: f"Lamp {number} of brass, made by hand in {1900 + number} for room {number % 4}."
    for number in range(8)
}


class Shop:
    """Lamps behind a search, and one that is changed between two crawls."""

    def __init__(self) -> None:
        self.lamps = dict(LAMPS)

    def answer(self, path: str) -> str | None:
        if path == "/":
            box = "<form action=/find role=search><input type=search name=q aria-label=Search><button>Search</button></form>"
            return self.page(
                "A house of lamps", f"<p>Lamps of brass, made by hand.</p>{box}<a href=/item/1>Lamp 1</a>"
            )
        if path.startswith("/find?"):
            word = path.rpartition("q=")[2].lower()
            found = [n for n, text in self.lamps.items() if word in re.findall(r"\w+", text.lower())]
            items = "".join(f"<li><a href=/item/{n}>Lamp {n}</a> <p>{self.lamps[n]}</p></li>" for n in found)
            return self.page(
                "Search",
                f"<p>{len(found)} results</p><ol>{items}</ol>" if found else "<p>Nothing was found.</p>",
            )
        number = path.removeprefix("/item/")
        return self.page(f"Lamp {number}", f"<p>{self.lamps[int(number)]}</p>") if number.isdigit() else None

    @staticmethod
    def page(title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><main>{body}</main></html>"
        )


def stat(ran: Ran, name: str) -> int:
    found = re.search(rf"'{name}': (\d+)", ran.output)
    return int(found[1]) if found else 0


def test_every_page_is_parsed_once_in_a_crawl_a_harvest_and_a_revisit(tmp_path: Path) -> None:
    shop, other = Shop(), tmp_path / "harvest"
    other.mkdir()
    with SmallSite(shop.answer) as served:
        settings = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
            "HIDDENWEB_INDEX": False,
            "HIDDENWEB_QUERIES_PER_FORM": 4,
            "HIDDENWEB_COMPARISON_PROCESSES": 1,  # each takes a second to start
            "STATS_DUMP": 1,
        }
        explored = crawl(tmp_path, [served.url], settings, spider="explore")
        harvested = crawl(other, [served.url], settings, spider="harvest")
        shop.lamps[1] = LAMPS[1].replace("brass", "silver")
        revisited = [crawl(tmp_path, [], settings, spider="revisit")]
        shop.lamps[1] = LAMPS[1].replace("brass", "copper")
        revisited.append(crawl(tmp_path, [], settings, spider="revisit"))

    assert [ran.code for ran in (explored, harvested, *revisited)] == [0, 0, 0, 0]
    assert stat(explored, "hiddenweb/pages/read") == 2
    assert stat(explored, "hiddenweb/html/parsed") == 2
    assert stat(harvested, "hiddenweb/queries/planned") > 1
    assert stat(harvested, "hiddenweb/html/parsed") == stat(harvested, "hiddenweb/pages/read") > 3
    # the first revisit reads the page that is as it was, and both versions of the other one; the second only the new version
    assert [stat(ran, "hiddenweb/html/parsed") for ran in revisited] == [3, 1]
