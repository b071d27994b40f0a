"""Crawls of a project that knows hiddenweb by its add-on only (`tests/projects/bookshelf`), and a shop for them."""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawling import ROOT, Ran
from forking import other_project_environment, run_forked
from guarded_sites import RECORDS, WORDS, GuardedSite, Reply, SiteRequest, box, containing, listed, page

if TYPE_CHECKING:
    from pathlib import Path

PROJECT = ROOT / "tests" / "projects" / "bookshelf"


@dataclass
class Shop:
    """A shop with two books that links reach, and forty records behind a search."""

    robots: str = ""
    method: str = "get"
    price: str = "5.00"
    asked: list[float] = field(default_factory=list)  # when

    def __call__(self, request: SiteRequest) -> Reply | str | None:
        match request.path:
            case "/robots.txt":
                return self.robots
            case "/":
                form = box(method=self.method)
                return page(
                    f"<h1>Books</h1>{form}<p>{' '.join(WORDS)}</p><a href=/book/1>1</a> <a href=/book/2>2</a>"
                )
            case "/find":
                self.asked.append(time.monotonic())
                return listed(containing(request.sent.get("q", "")))
            case path if found := re.fullmatch(r"/record/(\d+)", path):
                return page(RECORDS[int(found[1])], "Record")
            case path if found := re.fullmatch(r"/book/(\d+)", path):
                words = "a long tale of rivers, bridges and a town that nobody finds twice " * 3
                return page(
                    f"<h1>The book {found[1]}</h1><p>{words}</p><p>Price: {self.price}</p>",
                    f"Book {found[1]}",
                )
        return None


@dataclass(frozen=True)
class Crawled(Ran):
    """A crawl that is over, with what it exported."""

    items: tuple[dict[str, Any], ...] = ()

    @property
    def records(self) -> list[dict[str, Any]]:
        """The items that the add-on brought."""
        return [item for item in self.items if item.get("kind") == "record"]

    @property
    def books(self) -> list[dict[str, Any]]:
        """The items of the spider itself."""
        return [item for item in self.items if item.get("from") == "the spider"]


def crawl_books(tmp_path: Path, site: GuardedSite, **settings: object) -> Crawled:
    """Run the spider `books` of the project until it ends."""
    state, feed = tmp_path / "state", tmp_path / "items.jsonl"
    command = [sys.executable, "-m", "scrapy", "crawl", "books", "-a", f"start={site.url}", "-O", str(feed)]
    usual: dict[str, object] = {
        "HIDDENWEB_STATE": state,
        "HIDDENWEB_ALLOW_ADDRESSES": site.place,
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_RETRIES": 0,
        "HIDDENWEB_PROXY": "",
        "HIDDENWEB_QUERIES_PER_FORM": 9,
        "LOG_LEVEL": "INFO",
    }
    for name, value in (usual | settings).items():
        command += ["-s", f"{name}={value}"]
    done = run_forked(command, cwd=PROJECT, env=other_project_environment())
    items = [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()]
    return Crawled(done.returncode, done.stdout + done.stderr, state, items=tuple(items))
