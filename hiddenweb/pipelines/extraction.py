"""Taking what sources want from pages, and watching their templates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenweb.extraction.maintenance import ExtractorMaintenance, PageInput, attributes_of, parse_repairs
from hiddenweb.feeds.rows import tell_record
from hiddenweb.html.document import document_of
from hiddenweb.model import Fetched
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.store.database import share
from hiddenweb.store.extractors import PERSON

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.signalmanager import SignalManager
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.extraction.maintenance import PageOutcome
    from hiddenweb.store.database import Store


def sources_of(state: Store, settings: BaseSettings, stats: StatsCollector) -> ExtractorMaintenance:
    """Return the sources of a state, as the settings want them treated."""
    return ExtractorMaintenance(
        state,
        repairs=parse_repairs(str(settings["HIDDENWEB_REPAIR"])),
        is_automatic=settings.getbool("HIDDENWEB_AUTOMATIC_EXTRACTORS"),
        count=counting(stats),
    )


def counting(stats: StatsCollector) -> Callable[[str], None]:
    """Return what counts events of sources."""
    return lambda what: stats.inc_value(f"hiddenweb/sources/{what}")


def tell_taken(signals: SignalManager, visit: Fetched, seen: PageOutcome) -> None:
    """Tell feeds what sources took from a page; the records of answers were told already, by whoever read the answer."""
    title = visit.page.title if visit.page is not None else ""
    kind = "record" if visit.behind_form else "page"
    for taken in seen.taken:
        if taken.is_new and (taken.made_by == PERSON or not taken.is_list):
            for entry, typed in zip(taken.entries, taken.typed, strict=True):
                pairs = [(name, value) for name, values in entry.values.items() for value in values]
                tell_record(
                    signals, visit, title, visit.url, pairs, source=taken.source, kind=kind, typed=typed
                )


class ExtractionPipeline(StatePipeline):
    """Lets the sources of a site take what they want from its pages.

    The layout of a page is made from the parse it was read by, and only where a source wants it.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        state = share(Path(settings["HIDDENWEB_STATE"]))
        return cls(state, crawler.stats, crawler.signals, sources_of(state, settings, crawler.stats))

    def __init__(
        self, state: Store, stats: StatsCollector, signals: SignalManager, sources: ExtractorMaintenance
    ) -> None:
        super().__init__(state, stats)
        self._signals = signals
        self._sources = sources

    def process_item(self, item: object) -> object:
        if (
            not isinstance(item, Fetched)
            or item.page is None
            or item.kept_as is None
            or item.duplicate_of is not None
        ):
            return item
        form = self._form(item.errand.submission)
        answer, record_of = (
            (form, None)
            if item.errand.asked is not None
            else (None, form if item.record is not None else None)
        )
        if not self._sources.wants(item.url, answer, record_of):
            return item
        document = document_of(item.page)
        if document is None:
            return item
        seen = self._sources.passes(
            PageInput(
                item.url, item.kept_as, item.errand.site, item.at, document.layout, item.page.title, answer, record_of, item.records
            )
        )  # fmt: skip
        tell_taken(self._signals, item, seen)
        return replace(item, attributes=attributes_of(seen))

    def _form(self, submission: int | None) -> int | None:
        asked = self.state.submission(submission) if submission is not None else None
        return asked.form if asked is not None else None
