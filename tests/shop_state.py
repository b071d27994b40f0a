"""States with pages of the bookshop, made without a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bookshop import book, new_page, page, page_example

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.html.document import read_layout
from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiddenweb.extraction.page_extraction import PageOutcome
    from hiddenweb.extraction.template_repair import Repairs
    from hiddenweb.store.database import Store

SITE = "http://shop.example"
BOOKS = 16
NOW = 1_763_409_600.0  # 2025-11-17 20:00
REGION = Example("shop.example", "", page_example(), f"{SITE}/item/1", "books")


def url_of(number: int) -> str:
    """The address of a book."""
    return f"{SITE}/item/{number}"


def keep(store: Store, url: str, html: str, at: float = NOW) -> int:
    """Store a page as the pipelines do; return its number."""
    site, body = store.sites.want(url), html.encode()
    store.frontier.add([TaskSeed(url)])
    store.write("UPDATE links SET state = 0 WHERE hash = ?", (url_hash(url),))  # also if it was read before
    task = store.frontier.lease_url(url)
    assert task is not None
    assert task.site == site
    read = read_page(body, url)
    visit = Fetched(task, url, 200, at, body, content_type="text/html", page=read)
    return store.pages.save(visit, read, is_changed=True)


def keep_books(store: Store, numbers: Iterable[int], make_page: Callable[[int], str] = page) -> None:
    """Store the pages of some books."""
    for number in numbers:
        keep(store, url_of(number), make_page(number))


def passes(
    knowledge: ExtractorMaintenance, store: Store, url: str, html: str, at: float = NOW
) -> PageOutcome:
    """Store a page, and let the extractors extract from it, as a crawl does."""
    number = keep(store, url, html, at)
    layout = read_layout(html.encode())
    return knowledge.extract(PageInput(url, number, store.sites.want(url), at, layout))


def extracted(store: Store) -> dict[int, dict[str, list[str]]]:
    """What was extracted, by the number of the book."""
    return {
        int(entry.url.rpartition("/")[2]): {name: list(values) for name, values in entry.attributes.items()}
        for entry in ExtractorStore(store).load_extracted()
    }


def truth(number: int, **other: str) -> dict[str, list[str]]:
    """The values on the page of a book."""
    return {name: [value] for name, value in (book(number) | other).items()}


def state_of(store: Store, name: str = "books") -> str:
    """The state of an extractor."""
    (stored,) = ExtractorStore(store).all(name=name)
    return stored.state


def fill_shop(store: Store) -> None:
    """Store sixteen books, and an extractor that extracted from them."""
    keep_books(store, range(1, BOOKS + 1))
    extractors = ExtractorStore(store)
    example_page = extractors.layout_at(REGION.page)
    assert example_page is not None
    extractor = learn_extractor(REGION, example_page[1], extractors.other_pages(REGION.page))
    assert ExtractorMaintenance(extractors).add(REGION, extractor, NOW) == BOOKS


def rebuild(store: Store, numbers: Iterable[int], repairs: Repairs = "auto") -> ExtractorMaintenance:
    """Let a crawl read the new pages of some books."""
    knowledge = ExtractorMaintenance(ExtractorStore(store), repairs=repairs)
    for number in numbers:
        passes(knowledge, store, url_of(number), new_page(number), NOW + number)
    return knowledge


def events(store: Store) -> list[str]:
    """The kinds of the events of templates, the oldest first."""
    return [event.kind for event in reversed(ExtractorStore(store).events())]
