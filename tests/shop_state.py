"""States with pages of the bookshop, made without a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bookshop import page, shown

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.html.layout import read_layout
from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiddenweb.extraction.maintenance import ExtractorMaintenance
    from hiddenweb.extraction.page_extraction import PageOutcome
    from hiddenweb.store.database import Store

SITE = "http://shop.example"
NOW = 1_763_409_600.0  # 2025-11-17 20:00
REGION = Example("shop.example", "", shown(), f"{SITE}/item/1", "books")


def url_of(number: int) -> str:
    """The address of a book."""
    return f"{SITE}/item/{number}"


def keep(state: Store, url: str, html: str, at: float = NOW) -> int:
    """Keep a page as the pipelines do; return its number."""
    site, body = state.sites.want(url), html.encode()
    state.frontier.add([TaskSeed(url)])
    state.write("UPDATE links SET state = 0 WHERE hash = ?", (url_hash(url),))  # also if it was read before
    errand = state.frontier.lease_url(url)
    assert errand is not None
    assert errand.site == site
    read = read_page(body, url)
    visit = Fetched(errand, url, 200, at, body, content_type="text/html", page=read)
    return state.pages.save(visit, read, is_changed=True)


def keep_books(state: Store, numbers: Iterable[int], look: Callable[[int], str] = page) -> None:
    """Keep the pages of some books."""
    for number in numbers:
        keep(state, url_of(number), look(number))


def passes(
    knowledge: ExtractorMaintenance, state: Store, url: str, html: str, at: float = NOW
) -> PageOutcome:
    """Keep a page, and let the sources take from it, as a crawl does."""
    number = keep(state, url, html, at)
    layout = read_layout(html.encode())
    return knowledge.extract(PageInput(url, number, state.sites.want(url), at, layout))
