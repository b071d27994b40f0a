"""Saved pages are read as expected, by the page reader and by contracts; `scrapy check` needs nothing else."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crawling import SmallSite
from forking import other_project_environment, run_forked
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.misc import walk_modules_iter
from scrapy.utils.spider import iter_spider_classes

from hiddenweb.contracts import OfflineMiddleware, find_saved_page, pages_folder
from hiddenweb.forms.verdict import judge_form
from hiddenweb.records.page import read_page_with_items
from hiddenweb.records.records import records_in

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "tests" / "pages"

WRONG = [
    ("@page bookshop/home.html\n@submits 2", "@submits 2: the page has 1"),
    ("@page bookshop/home.html\n@forms 1", "@forms 1: the page has 2"),
    ("@page bookshop/home.html\n@links 10", "@links 10: the page has 9"),
    ("@page bookshop/results.html answer\n@records 4", "@records 4: the page has 5"),
    ("@page bookshop/home.html\n@submits some", "@submits wants a number, not 'some'"),
    ("@page bookshop/nowhere.html\n@submits 1", "there is no saved page 'bookshop/nowhere.html'"),
    ("@page ../../pyproject.toml\n@submits 1", "there is no saved page '../../pyproject.toml'"),
    ("@page bookshop/home.html nonsense\n@submits 1", "a page is one of page, answer, paging, record"),
    ("@page bookshop/home.html ftp://a.example/\n@submits 1", "an address begins with http"),
    ("@url https://bookshop.example/\n@submits 1", "contracts use no network"),
]
RIGHT = "@page bookshop/results.html answer\n@records 5\n@links 12\n@returns items 1 1"

SPIDER = """
from hiddenweb.spiders.explore import ExploreSpider

class WrongSpider(ExploreSpider):
    name = "wrong"
"""


OF_TEXTS = ("records", "attributes", "says", "does_not_say")


def all_pages() -> list[str]:
    return sorted(str(path.relative_to(PAGES)) for path in PAGES.rglob("*.html"))


@pytest.mark.parametrize("name", all_pages())
def test_saved_pages_are_read_as_expected(name: str) -> None:
    expected = json.loads((PAGES / name).with_suffix(".json").read_text(encoding="utf-8"))

    page = read_page_with_items((PAGES / name).read_bytes(), f"https://bookshop.example/{Path(name).name}")

    assert {
        "title": page.title,
        "language": page.language,
        "links": [link.url for link in page.links],
        "nofollow_links": [link.url for link in page.links if link.nofollow],
        "canonical": page.canonical,
        "nofollow": page.nofollow,
        "noindex": page.noindex,
        "forms": [facts_of(form) for form in page.forms],
    } == {key: value for key, value in expected.items() if key not in OF_TEXTS}
    if "records" in expected:
        assert [[record.title, record.url] for record in records_in(page)] == expected["records"]
    if "attributes" in expected:
        assert [[list(pair) for pair in record.attributes] for record in records_in(page)] == expected[
            "attributes"
        ]
    assert [words for words in expected["says"] if words not in page.text] == []
    assert [words for words in expected["does_not_say"] if words in page.text] == []


def facts_of(form: Any) -> dict[str, object]:
    verdict = judge_form(form)
    return {
        "method": form.method,
        "action": form.action,
        "names": [field.name for field in form.fields if field.name],
        "label": next(field.label for field in form.fields),
        "kind": verdict.kind,
        "may_submit": verdict.may_submit,
    }


def check(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the real command, with a state folder that would show if it was used, and a proxy that does not exist."""
    settings = ["-s", f"HIDDENWEB_STATE={folder / 'state'}", "-s", "HIDDENWEB_PROXY=http://127.0.0.1:9"]
    command = [sys.executable, "-m", "scrapy", "check", *arguments, *settings]
    return run_forked(command, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    """What became of a spider with wrong contracts, each in a callback of its own, and one right one."""
    folder = tmp_path_factory.mktemp("wrong")
    spider = SPIDER + "".join(
        f"    def parse_{name}(self, response):\n        {contracts!r}\n        yield from self.parse(response)\n"
        for name, contracts in [
            ("right", RIGHT),
            *((str(number), case[0]) for number, case in enumerate(WRONG)),
        ]
    )
    (folder / "wrong_spiders.py").write_text(spider, encoding="utf-8")
    return check("-v", "-s", "SPIDER_MODULES=wrong_spiders", folder=folder, PYTHONPATH=str(folder)), folder


def test_the_contracts_of_our_spiders_hold(tmp_path: Path) -> None:
    done = check("-v", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    for spider in ("explore", "harvest", "locate", "revisit"):
        assert f"[{spider}] parse (@submits post-hook)" in done.stderr
    assert done.stderr.rstrip().endswith("OK")
    assert list(tmp_path.iterdir()) == []


def test_every_callback_of_our_spiders_has_a_contract() -> None:
    spiders = [
        spider for module in walk_modules_iter("hiddenweb.spiders") for spider in iter_spider_classes(module)
    ]
    callbacks = {
        f"{spider.name}.{name}": method.__doc__ or ""
        for spider in spiders
        for name, method in inspect.getmembers(spider, inspect.isfunction)
        if "response" in inspect.signature(method).parameters and not name.startswith("_")
    }

    assert len(spiders) >= 4
    assert {f"{spider.name}.parse" for spider in spiders} <= callbacks.keys()
    assert [name for name, promise in callbacks.items() if "@page " not in promise] == []


def test_wrong_contracts_fail_the_check_and_use_no_state(
    wrong: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    done, folder = wrong

    assert done.returncode == 1
    assert "FAILED (failures=5, errors=5)" in done.stderr
    assert not (folder / "state").exists()


@pytest.mark.parametrize(("number", "complaint"), [(number, case[1]) for number, case in enumerate(WRONG)])
def test_a_wrong_contract_says_why(
    number: int, complaint: str, wrong: tuple[subprocess.CompletedProcess[str], Path]
) -> None:
    reports = wrong[0].stderr.split("=" * 70)[1:]

    report = next(report for report in reports if f"[wrong] parse_{number} (" in report)
    assert complaint in report


def test_an_answer_is_read_with_its_records(wrong: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    assert "[wrong] parse_right (@records post-hook) ... ok" in wrong[0].stderr
    assert "[wrong] parse_right (@links post-hook) ... ok" in wrong[0].stderr


def test_saved_pages_lie_beside_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs")
    pages_folder.cache_clear()

    assert pages_folder() == PAGES
    assert find_saved_page("bookshop/home.html") == PAGES / "bookshop" / "home.html"


THEIRS = """
import scrapy

class ShopSpider(scrapy.Spider):
    name = "shop"

    def parse(self, response):
        '''Yield the books of a page.

        @page shop/books.html {address}
        @returns items 2 2
        @scrapes title url
        @links 3
        @forms 1
        @submits 1
        '''
        for link in response.css("li a"):
            yield {{"title": link.css("::text").get(), "url": response.urljoin(link.attrib["href"])}}

    def parse_prices(self, response):
        '''Yield prices.

        @page prices.json
        @returns items 1 1
        '''
        yield response.json()

    def parse_alive(self, response):
        '''Read a page of a server.

        @url {alive}
        @returns items 1 1
        '''
        yield {{"status": response.status}}

    def parse_missing(self, response):
        '''Read what nobody saved.

        @page shop/{missing}.html
        '''
"""


NAMED = """
SPIDER_CONTRACTS = {
    "hiddenweb.contracts.PageContract": 10,
    "hiddenweb.contracts.LinksContract": 20,
    "hiddenweb.contracts.FormsContract": 20,
    "hiddenweb.contracts.SubmitsContract": 20,
}
DOWNLOADER_MIDDLEWARES = {"hiddenweb.contracts.SavedPagesMiddleware": -1000}
"""


@pytest.mark.parametrize(
    "settings",
    [
        "ADDONS = {'hiddenweb.addon.HiddenwebAddon': 500}",
        NAMED,
    ],
    ids=["with the add-on", "without it"],
)
@pytest.mark.parametrize("missing", ["books", "nowhere"])
def test_spiders_of_other_projects_have_contracts_on_saved_pages(
    settings: str, missing: str, tmp_path: Path
) -> None:
    pages = tmp_path / "tests" / "pages"
    (pages / "shop").mkdir(parents=True)
    (pages / "prices.json").write_text('{"price": 12}', encoding="utf-8")
    (pages / "shop" / "books.html").write_text(
        "<html lang=en><form action=/find role=search>Search <input type=search name=q></form>"
        "<ul><li><a href=/book/1>One</a><li><a href=book/2>Zwölf</a></ul><a href=/about>About us</a></html>",
        encoding="utf-8",
    )
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = shops\n", encoding="utf-8")
    (tmp_path / "shops.py").write_text(
        f"SPIDER_MODULES = ['shop']\nROBOTSTXT_OBEY = True\n{settings}\n", encoding="utf-8"
    )

    with SmallSite(lambda path: "here" if path == "/alive" else None) as site:
        spider = THEIRS.format(alive=f"{site.url}alive", missing=missing, address="https://b.example/shelf/1")
        (tmp_path / "shop.py").write_text(spider, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "check", "-v"], cwd=tmp_path, capture_output=True, text=True,
            env={**other_project_environment(), "PYTHONPATH": str(ROOT)}, check=False,
        )  # fmt: skip

    assert "[shop] parse (@links post-hook) ... ok" in done.stderr
    assert "[shop] parse (@submits post-hook) ... ok" in done.stderr
    assert "[shop] parse_prices (@returns post-hook) ... ok" in done.stderr
    assert "[shop] parse_alive (@returns post-hook) ... ok" in done.stderr
    assert site.requested == ["/robots.txt", "/alive"]
    assert done.returncode == (missing == "nowhere"), done.stderr
    if missing == "nowhere":
        assert f"there is no saved page 'shop/nowhere.html' in {pages}; scrapy fetch" in done.stderr
        assert "FAILED (errors=1)" in done.stderr
    made = {path.name for path in tmp_path.iterdir()} - {"__pycache__"}
    assert made == {"scrapy.cfg", "shop.py", "shops.py", "tests"}


def test_requests_without_a_saved_page_are_not_sent() -> None:
    with pytest.raises(IgnoreRequest, match="no network"):
        OfflineMiddleware().process_request(Request("https://a.example/"))
