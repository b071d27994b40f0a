"""Running the extractors of people and of the crawl, and watching templates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.extraction.extractor_store import PERSON
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.extraction.template_repair import parse_repairs
from hiddenweb.feeds.rows import report_record
from hiddenweb.html.document import PARSED, document_of
from hiddenweb.model import Fetched
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.revisit.change import Change
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.urls import host

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.signalmanager import SignalManager
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.extraction.page_extraction import ExtractedValues, PageOutcome
    from hiddenweb.store.database import Store


class PageExtraction:
    """The extractors of a crawl. Changes that they find are stored, and feeds get the values."""

    def __init__(
        self, store: Store, settings: BaseSettings, stats: StatsCollector, signals: SignalManager
    ) -> None:
        self._extractors = ExtractorMaintenance(
            ExtractorStore(store, partial(stats.inc_value, PARSED)),
            repairs=parse_repairs(str(settings["HIDDENWEB_REPAIR"])),
            is_automatic=settings.getbool("HIDDENWEB_AUTOMATIC_EXTRACTORS"),
            count=lambda what: stats.inc_value(f"hiddenweb/extractors/{what}"),
        )
        self._signals = signals
        self._attributes = store.record_attributes
        self._revisits = RevisitStore(store)
        self.wants = self._extractors.wants

    def extract(self, page: PageInput) -> tuple[PageOutcome, list[Change]]:
        """Return what was extracted from a page, and the changes that this shows, which are stored."""
        outcome = self._extractors.extract(page)
        return outcome, [
            self._revisits.changes.add(
                page.page, page.site,
                Change(
                    found.kind, page.url, page.at, host(page.url), page.title, key=found.key,
                    attribute=found.attribute, before=found.before, after=found.after,
                ),
            )
            for found in outcome.changes
        ]  # fmt: skip

    def report(self, fetched: Fetched, outcome: PageOutcome) -> None:
        """Pass what was extracted from a page to the feeds."""
        title = fetched.page.title if fetched.page is not None else ""
        kind = "record" if fetched.behind_form else "page"
        for values in outcome.extracted:
            if values.is_reported and values.origin != PERSON and fetched.record is not None:
                self._report_record(fetched, fetched.record, values)
            elif values.is_reported:
                for entry, typed in zip(values.entries, values.typed, strict=True):
                    pairs = [(name, value) for name, texts in entry.values.items() for value in texts]
                    report_record(
                        self._signals, fetched, title, fetched.url, pairs, source=values.extractor, kind=kind, typed=typed
                    )  # fmt: skip

    def _report_record(self, fetched: Fetched, record: int, values: ExtractedValues) -> None:
        """Pass a record that is complete now to the feeds: what was guessed on its page overwrites nothing that is known."""
        title, url, attributes = self._attributes.load_record(record)
        known = set(attributes)
        typed = {
            name: each
            for entry, types in zip(values.entries, values.typed, strict=True)
            for name, each in types.items()
            if all((name, value) in known for value in entry.values[name])
        }
        report_record(self._signals, fetched, title, url, attributes, source=values.extractor, typed=typed)


class ExtractionPipeline(StatePipeline):
    """Runs the extractors of a site on its pages.

    The layout of a page is made from the same parse, and only if an extractor wants it.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        assert crawler.stats is not None
        store = CrawlContext.open(crawler).store
        extraction = PageExtraction(store, crawler.settings, crawler.stats, crawler.signals)
        return cls(store, crawler.stats, extraction)

    def __init__(self, store: Store, stats: StatsCollector, extraction: PageExtraction) -> None:
        super().__init__(store, stats)
        self._extraction = extraction

    def process_item(self, item: object) -> object:
        if (
            not isinstance(item, Fetched)
            or item.page is None
            or item.stored_page is None
            or item.duplicate_of is not None
        ):
            return item
        form = item.task.form
        answer, record_of = (
            (form, None)
            if item.task.answered_submission is not None
            else (None, form if item.record is not None else None)
        )
        if not self._extraction.wants(item.url, answer, record_of):
            return item
        document = document_of(item.page)
        if document is None:
            return item
        outcome, _ = self._extraction.extract(
            PageInput(
                item.url, item.stored_page, item.task.site, item.at, document.layout, item.page.title, answer, record_of, item.records
            )
        )  # fmt: skip
        self._extraction.report(item, outcome)
        return replace(item, attributes=outcome.attributes)
