"""An example of a person is extracted from all pages, also after a redesign of the site."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from bookshop import book, new_page, page, page_example, search
from crawling import SmallSite, crawl

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from crawling import Ran

BOOKS = 16


class Shop:
    """A bookshop that can change its prices and its looks."""

    def __init__(self) -> None:
        self.prices: dict[int, str] = {}
        self.is_new = False
        self.is_closed = False

    def answer(self, path: str) -> str | None:
        if path == "/":
            links = " ".join(f"<a href=/item/{n}>{book(n)['title']}</a>" for n in range(1, BOOKS + 1))
            return f"<!doctype html><title>All books</title><p>{links}</p></html>"
        if not path.startswith("/item/"):
            return None
        number = int(path.rpartition("/")[2])
        if self.is_closed:
            return other_page(number)
        price = {"price": self.prices[number]} if number in self.prices else {}
        return (new_page if self.is_new else page)(number, **price)


def other_page(number: int) -> str:
    """A page of somebody else, who has the address now."""
    lines = "".join(
        f"<li>{word} travel to place {number * 10 + at}, cheap</li>"
        for at, word in enumerate(("Sun", "Snow", "City"))
    )
    return f"<!doctype html><html><title>Travel {number}</title><body><div class=t><h2>Journeys</h2><ul>{lines}</ul></div></body></html>"


def settings(site: SmallSite, **more: object) -> dict[str, object]:
    return {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_INDEX": False} | more


def region_of(site: SmallSite) -> Example:
    return Example("127.0.0.1", "", page_example(), f"{site.url}item/1", "books")


def learn(ran: Ran, site: SmallSite) -> None:
    with Store(ran.state) as state:
        sources, region = ExtractorStore(state), region_of(site)
        first = sources.layout_at(region.page)
        assert first is not None
        sources.add(region, learn_extractor(region, first[1], sources.other_pages(region.page)), time.time())
        assert ExtractorMaintenance(ExtractorStore(state)).extract_stored("books", time.time()) == BOOKS


def extracted(ran: Ran) -> dict[str, dict[str, Sequence[str]]]:
    with Store(ran.state, write=False) as state:
        return {
            each.url.rpartition("/")[2]: dict(each.attributes)
            for each in ExtractorStore(state).load_extracted()
        }


def truth(number: int, **other: str) -> dict[str, list[str]]:
    return {name: [value] for name, value in (book(number) | other).items()}


def looked_again(folder: Path, site: SmallSite, **more: object) -> Ran:
    """Look at everything again; the prices that the crawl has seen are a day old for it."""
    with Store(folder / "state") as state:
        state.write("UPDATE pages SET last_seen = last_seen - 86400")
    ran = crawl(folder, [], settings(site, **more), spider="revisit", budget=200)
    assert ran.code == 0, ran.output
    return ran


def test_a_region_that_waits_for_its_page_is_learnt_during_the_crawl_and_takes_from_every_page_after_it(
    tmp_path: Path,
) -> None:
    with SmallSite(Shop().answer) as site:
        with Store(tmp_path / "state") as state:
            ExtractorStore(state).add(region_of(site), None, time.time())
        ran = crawl(tmp_path, [site.url], settings(site), spider="explore")

    assert ran.code == 0, ran.output
    taken = extracted(ran)
    assert len(taken) >= BOOKS - 1
    assert all(said == truth(int(number)) for number, said in taken.items())
    assert ran.rows("SELECT state FROM extractors") == [("watched",)]


def test_prices_that_change_are_told_by_name_and_a_redesign_is_repaired_without_anyone(
    tmp_path: Path,
) -> None:
    shop = Shop()
    with SmallSite(shop.answer) as site:
        ran = crawl(tmp_path, [site.url], settings(site), spider="explore")
        assert ran.code == 0, ran.output
        learn(ran, site)
        shop.prices[3] = "1.23"
        ran = looked_again(tmp_path, site)
        told = ran.rows("SELECT change FROM changes WHERE kind = 'record changed'")
        assert [
            (c["attribute"], c["before"], c["after"]) for (text,) in told for c in [json.loads(text)]
        ] == [("price", book(3)["price"], "1.23")]
        shop.is_new = True
        ran = looked_again(tmp_path, site)

    assert ran.rows("SELECT count(*) FROM changes WHERE kind = 'template'") == [(1,)]
    assert [kind for (kind,) in ran.rows("SELECT kind FROM template_events ORDER BY id")] == [
        "alarm",
        "repaired",
        "learnt",
    ]
    taken = extracted(ran)
    assert len(taken) == BOOKS
    assert all(said == truth(int(n), **({"price": "1.23"} if n == "3" else {})) for n, said in taken.items())


def test_a_region_whose_text_is_gone_is_put_off_and_the_user_told_to_choose_again(tmp_path: Path) -> None:
    shop = Shop()
    with SmallSite(shop.answer) as site:
        ran = crawl(tmp_path, [site.url], settings(site), spider="explore")
        learn(ran, site)
        shop.is_closed = True
        ran = looked_again(tmp_path, site)

    ((state, why),) = ran.rows("SELECT state, why FROM extractors")
    assert state == "put_off"
    assert "show the attributes again" in why
    assert {int(number): said for number, said in kept(ran).items()} == {
        number: truth(number) for number in range(1, BOOKS + 1)
    }


def kept(ran: Ran) -> dict[str, dict[str, list[str]]]:
    rows = ran.rows(
        "SELECT pages.url, attributes FROM extractions JOIN pages ON pages.id = page WHERE NOT deviates"
    )
    return {url.rpartition("/")[2]: json.loads(said) for url, said in rows}


def test_records_of_a_harvest_have_attributes_and_their_templates_are_watched_without_anyone(
    tmp_path: Path,
) -> None:
    books = 80

    def answer(path: str) -> str | None:
        if path == "/" or path.startswith("/search"):
            return search(path, books)
        return page(int(path.rpartition("/")[2])) if path.startswith("/item/") else None

    with SmallSite(answer) as site:
        ran = crawl(tmp_path, [site.url], settings(site, HIDDENWEB_DETAIL_PAGES="always"), spider="harvest")

    assert ran.code == 0, ran.output
    made = dict(ran.rows("SELECT name, state FROM extractors WHERE origin = 'crawl'"))
    assert made == {"127.0.0.1 answers 1": "watched", "127.0.0.1 records 1": "watched"}
    records = ran.rows("SELECT url, attributes FROM records")
    assert len(records) > 0.8 * books
    named = [(int(url.rpartition("/")[2]), json.loads(said)) for url, said in records if said != "[]"]
    assert len(named) > 0.8 * len(records)  # an answer with one record has no columns to tell
    for number, said in named:
        true = book(number)
        assert dict(said) | {"isbn": true["isbn"]} == {  # only its own page says that
            name: true[name] for name in ("title", "author", "price", "isbn")
        }
    own = [
        (int(url.rpartition("/")[2]), json.loads(said))
        for url, said in ran.rows(
            "SELECT pages.url, attributes FROM extractions JOIN pages ON pages.id = page WHERE place = 0"
        )
    ]
    assert len(own) > 0.5 * books
    assert all(said == {name: [book(n)[name]] for name in ("title", "price", "isbn")} for n, said in own)
