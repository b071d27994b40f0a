"""A page is parsed once, whatever is read from it: real crawls of a small site, counted."""

from __future__ import annotations

import re
import shutil
import time
from typing import TYPE_CHECKING

from bookshop import book, new_page, page, page_example
from crawling import Ran, SmallSite, crawl

from hiddenweb.actions.learned_example import load_layouts
from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.html.document import ParseCount
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.extraction.extractor import Extractor

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


BOOKS = 16


class Bookshop:
    """Books with a page each; prices may change, and the template too."""

    def __init__(self) -> None:
        self.prices: dict[int, str] = {}
        self.is_redesigned = False

    def answer(self, path: str) -> str | None:
        if path == "/":
            links = " ".join(f"<a href=/item/{n}>{book(n)['title']}</a>" for n in range(1, BOOKS + 1))
            return f"<!doctype html><title>All books</title><p>{links}</p></html>"
        number = path.removeprefix("/item/")
        if not number.isdigit():
            return None
        price = {"price": self.prices[int(number)]} if int(number) in self.prices else {}
        return (new_page if self.is_redesigned else page)(int(number), **price)


def test_an_extractor_that_a_person_added_reads_pages_from_the_parse_they_were_read_by(
    tmp_path: Path,
) -> None:
    shop, plain, fresh = Bookshop(), tmp_path / "plain", tmp_path / "fresh"
    plain.mkdir()
    fresh.mkdir()
    with SmallSite(shop.answer) as served:
        settings = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
            "HIDDENWEB_INDEX": False,
            "HIDDENWEB_COMPARISON_PROCESSES": 1,
            "HIDDENWEB_REPAIR": "ask",
            "STATS_DUMP": 1,
        }
        example = Example("127.0.0.1", "", page_example(), f"{served.url}item/1", "books")
        crawl(tmp_path, [served.url], settings, spider="explore")
        shutil.copytree(tmp_path / "state", plain / "state")
        extractor = add_extractor(tmp_path / "state", example)
        with Store(fresh / "state") as state:
            ExtractorStore(state).add(example, extractor, time.time())

        explored = crawl(fresh, [served.url], settings, spider="explore")
        shop.prices[3] = "1.23"
        changed = [revisit(folder, settings) for folder in (tmp_path, plain)]
        shop.is_redesigned = True
        redesigned = revisit(tmp_path, settings)

    assert stat(explored, "hiddenweb/extractors/entries") == BOOKS
    assert stat(explored, "hiddenweb/html/parsed") == stat(explored, "hiddenweb/pages/read") == BOOKS + 1
    assert stat(changed[0], "hiddenweb/extractors/entries") == 1
    # all pages, and what the changed one said before
    assert [stat(ran, "hiddenweb/html/parsed") for ran in changed] == [BOOKS + 2, BOOKS + 2]
    # an alarm reads no page again; the proposal to repair reads those that raised it, which are few
    assert stat(redesigned, "hiddenweb/extractors/alarms") == 1
    assert BOOKS <= stat(redesigned, "hiddenweb/html/parsed") < BOOKS + 10


def test_scrapy_extract_test_reads_each_stored_page_once(tmp_path: Path) -> None:
    with SmallSite(Bookshop().answer) as served:
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}", "HIDDENWEB_INDEX": False}
        example = Example("127.0.0.1", "", page_example(), f"{served.url}item/1", "books")
        crawl(tmp_path, [served.url], settings, spider="explore")
    extractor = add_extractor(tmp_path / "state", example)

    count = ParseCount()
    with Store(tmp_path / "state", write=False) as state:
        found = load_layouts(ExtractorStore(state, count), "127.0.0.1", extractor)

    assert len(found) == count.pages > 1


def add_extractor(folder: Path, example: Example) -> Extractor:
    """Add what is learnt from the stored pages, as `scrapy extract add` does."""
    with Store(folder) as state:
        extractors = ExtractorStore(state)
        shown = extractors.layout_at(example.page)
        assert shown is not None
        extractor = learn_extractor(example, shown[1], extractors.other_pages(example.page))
        extractors.add(example, extractor, time.time())
    return extractor


def revisit(folder: Path, settings: dict[str, object]) -> Ran:
    """Revisit all pages; what the crawl has seen is a day old for it."""
    with Store(folder / "state") as state:
        state.write("UPDATE pages SET last_seen = last_seen - 86400")
    ran = crawl(folder, [], settings, spider="revisit", budget=200)
    assert ran.code == 0, ran.output
    return ran
