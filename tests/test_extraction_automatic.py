"""Extractors that a crawl makes by itself."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from hiddenweb.extraction.active_extractors import ActiveExtractors
from hiddenweb.extraction.automatic import AutomaticExtractors
from hiddenweb.extraction.extractor import MOST_LEARNT
from hiddenweb.extraction.extractor_store import CRAWL, OFF
from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.extraction.template_watch import LEAST_PAGES
from hiddenweb.html.document import read_layout
from hiddenweb.model import Record
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://shop.example/find?q="
TITLES = ("The River", "A Short Walk", "Green Glass", "Old Houses", "Nine Lamps")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        store = opened
        yield store


def answer(number: int, *, records: int = 5) -> PageInput:
    """An answer of a form, with records that have a title and a price."""
    books = [(f"{title} {number}", f"{number + place}.50") for place, title in enumerate(TITLES[:records])]
    rows = "".join(
        f"<div class=book><h3>{title}</h3><b class=price>{price}</b></div>" for title, price in books
    )
    html = f"<html><body><h1>Found</h1><div class=list>{rows}</div></body></html>"
    found = tuple(
        Record(title, title, f"{title} {price}", attributes=(("title", title), ("price", price)))
        for title, price in books
    )
    return PageInput(f"{URL}{number}", number, 1, 5.0, read_layout(html.encode()), form=3, records=found)


def test_the_answers_of_a_form_become_an_extractor_when_there_are_ten(store: Store) -> None:
    extractors, counts = ExtractorStore(store), Counter[str]()
    active = ActiveExtractors(extractors, lambda what: counts.update([what]))
    automatic, site = AutomaticExtractors(extractors, active), active.site_of(URL)

    for number in range(1, LEAST_PAGES):
        automatic.make(site, answer(number))
    assert extractors.all() == []
    automatic.make(site, answer(LEAST_PAGES))

    (extractor,) = extractors.all()
    assert (extractor.name, extractor.origin, extractor.form) == ("shop.example answers 3", CRAWL, 3)
    assert [each.name for each in site.active] == [extractor.name]
    assert not automatic.might_make(site, URL, 3, None)
    assert automatic.might_make(site, URL, None, 3)
    assert counts == {"learnt": 1}


def test_answers_with_few_records_show_no_list(store: Store) -> None:
    extractors = ExtractorStore(store)
    active = ActiveExtractors(extractors, lambda _: None)
    automatic, site = AutomaticExtractors(extractors, active), active.site_of(URL)

    for number in range(3 * LEAST_PAGES):
        automatic.make(site, answer(number, records=2))

    assert extractors.all() == []


def test_an_extractor_that_cannot_be_learnt_is_given_up_after_thirty_pages(store: Store) -> None:
    extractors = ExtractorStore(store)
    active = ActiveExtractors(extractors, lambda _: None)
    automatic, site = AutomaticExtractors(extractors, active), active.site_of(URL)
    page = PageInput(f"{URL}x", 1, 1, 5.0, read_layout(b"<p>A lamp</p>"), record_of=3)

    for _ in range(MOST_LEARNT):
        assert automatic.might_make(site, URL, None, 3)
        automatic.make(site, page)

    (extractor,) = extractors.all()
    assert (extractor.name, extractor.state, extractor.why) == (
        "shop.example records 3",
        OFF,
        "nothing has a label",
    )
    assert not automatic.might_make(site, URL, None, 3)
