"""Extracting from the pages of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bookshop import book, new_page, page
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler
from shop_state import NOW, REGION, SITE, fill_shop, keep, url_of

from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.html.document import read_layout
from hiddenweb.pipelines.extraction import PageExtraction
from hiddenweb.store.database import Store
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from pathlib import Path


def test_changes_are_stored(tmp_path: Path) -> None:
    crawler = get_crawler(settings_dict={"HIDDENWEB_REPAIR": "auto", "HIDDENWEB_AUTOMATIC_EXTRACTORS": False})
    stats = MemoryStatsCollector(crawler)
    with Store(tmp_path) as store:
        fill_shop(store)
        extraction = PageExtraction(store, crawler.settings, stats)
        dearer = page(3).replace(book(3)["price"], "99.99")
        number = keep(store, url_of(3), dearer)

        outcome, changes = extraction.extract(
            PageInput(url_of(3), number, store.sites.want(SITE), NOW + 1, read_layout(dearer.encode()))
        )

        assert extraction.wants(url_of(3))
        assert not extraction.wants("http://other.example/")
        (change,) = changes
        assert (change.kind, change.attribute, change.after) == ("record changed", "price", "99.99")
        assert [each.number for each in RevisitStore(store).changes.load_all()] == [change.number]
        assert [each.is_new for each in outcome.extracted] == [True]
        assert stats.get_value("hiddenweb/extractors/entries") == 1


def test_an_alarm_is_a_change_of_the_template(tmp_path: Path) -> None:
    crawler = get_crawler(settings_dict={"HIDDENWEB_REPAIR": "ask", "HIDDENWEB_AUTOMATIC_EXTRACTORS": False})
    stats = MemoryStatsCollector(crawler)
    with Store(tmp_path) as store:
        fill_shop(store)
        extraction = PageExtraction(store, crawler.settings, stats)
        kinds = []
        for number in range(1, 8):
            html = new_page(number)
            page = keep(store, url_of(number), html)
            _, changes = extraction.extract(
                PageInput(
                    url_of(number), page, store.sites.want(SITE), NOW + number, read_layout(html.encode())
                )
            )
            kinds += [(each.kind, each.key) for each in changes]

        assert kinds == [("template", REGION.name)]
        assert stats.get_value("hiddenweb/extractors/alarms") == 1
