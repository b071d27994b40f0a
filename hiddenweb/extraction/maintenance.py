"""The work of extractors in a crawl: they extract from each page, watch its template, learn more, and are repaired.

Each page that was read is passed here with its layout. The extractors of its site extract their attributes from it, their watches compare it, and the results are written within
the transaction of the page: entries, an alarm, a repair. Extractors that wait for their example page begin to learn when it is read; those that know too few
pages learn again at ten pages, and at thirty. Extractors that a crawl makes automatically are in `hiddenweb.extraction.automatic`, repairs
after a change of the template in `hiddenweb.extraction.template_repair`.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.extraction.active_extractors import ActiveExtractors, save_entries, summarise
from hiddenweb.extraction.automatic import LEAST_RECORDS, AutomaticExtractors
from hiddenweb.extraction.extractor import CannotLearn, fit_extractor, is_pure_among, learn_extractor
from hiddenweb.extraction.extractor_store import ALARM, LEARNING, OFF, PERSON, PUT_OFF, WAITING, WATCHED
from hiddenweb.extraction.list_induction import ListPattern
from hiddenweb.extraction.page_extraction import ExtractedValues, ExtractionChange, PageOutcome
from hiddenweb.extraction.template_repair import TemplateRepairs
from hiddenweb.extraction.template_watch import LEAST_PAGES, WINDOW
from hiddenweb.language.folding import fold_text
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hiddenweb.extraction.active_extractors import ActiveExtractor
    from hiddenweb.extraction.examples import Example
    from hiddenweb.extraction.extractor import ExtractedEntry, Extraction, Extractor
    from hiddenweb.extraction.extractor_store import ExtractionStore, StoredExtractor
    from hiddenweb.extraction.page_extraction import PageInput
    from hiddenweb.extraction.template_repair import Repairs
    from hiddenweb.html.layout import PageLayout

logger = logging.getLogger(__name__)

OTHERS = 60
"""Pages of a site that are read again during a crawl to learn an extractor."""

AT_ONCE = 500
"""Stored pages that are extracted from at once during a crawl: a few seconds of work."""

MOST_KNOWN = 50
"""Pages of an automatic extractor whose values are stored: enough for a repair."""

_MORE = 1.3  # it learns again from so many times as many pages; a limit of taste


@dataclass(frozen=True, slots=True)
class AcceptedTemplate:
    """The result of accepting the new template of an extractor."""

    summary: str
    is_watched: bool
    was_proposed: bool
    pages: int  # that were read again and have its attributes


class CannotAccept(ValueError):
    """There is nothing to accept; the message says why."""


class ExtractorMaintenance:
    """Maintains the extractors of a store while a crawl writes it."""

    def __init__(
        self,
        store: ExtractionStore,
        *,
        repairs: Repairs = "auto",
        is_automatic: bool = True,
        count: Callable[[str], None] | None = None,
    ) -> None:
        self._store = store
        self._active = ActiveExtractors(store, count or (lambda _: None))
        self._repairs = TemplateRepairs(store, self._active, repairs)
        self._automatic = AutomaticExtractors(store, self._active) if is_automatic else None

    def wants(self, url: str, form: int | None = None, record_of: int | None = None) -> bool:
        """Return whether any extractor needs the layout of a page at this address."""
        site = self._active.site_of(url)
        if self._automatic is not None and self._automatic.might_make(site, url, form, record_of):
            return True
        return any(active.might_want(url) for active in site.active)

    # Commands of people

    def add(self, example: Example, extractor: Extractor | None, at: float, why: str = "") -> int:
        """Save an example with its extractor, and extract from all stored pages; return from how many.

        Without an extractor it waits for its example page.
        """
        self.remove(example.name)
        number = self._store.add(example, extractor, at, why=why)
        self._active.forget()
        if extractor is None:
            return 0
        self._store.note(number, "learnt", summarise(extractor), at)
        return self.extract_stored(example.name, at)

    def remove(self, name: str) -> bool:
        """Remove an extractor and all that it extracted, also from the index; False if there is none."""
        self._active.forget()
        for stored in self._store.all(name=name):
            pages = dict.fromkeys(each.page for each in self._store.load_extracted(extractor=stored.number))
            self._store.remove(name)
            for page in pages:
                self._store.announce(page)
            return True
        return False

    def accept(self, name: str, at: float) -> AcceptedTemplate:
        """Accept the proposed pattern of an extractor, or else learn its template again from the last pages of its watch.

        Pages with the new template are read again. Raises CannotAccept.
        """
        found = self._active.find(name)
        if found is None:
            raise CannotAccept(f"there is no extractor {name!r}")
        stored, active = found
        before = active.extractor
        if before is None:
            raise CannotAccept(f"{name}: nothing was learnt yet ({active.state})")
        proposed = self._repairs.find_proposal(active.number)
        deviating = active.deviating_pages
        if active.last and not deviating and proposed is None and active.state not in (ALARM, PUT_OFF):
            raise CannotAccept(f"{name}: no page deviates from its template, so there is nothing to accept")
        newest = deviating or [number for number, _ in active.last[-WINDOW:]]
        extractor = self._learn_accepted(name, before, proposed, newest)
        how = "the template was learnt again" if proposed is None else "the proposed pattern was accepted"
        summary = f"{how}, with the template learnt from {extractor.learnt_from} pages"
        self._active.replace_extractor(active, extractor, at, "accepted", summary)
        extracted = self._extract_changed_pages(stored, before, extractor, newest, at)
        active.last = [(number, False) for number in newest if number in extracted]
        active.is_dirty = True
        return AcceptedTemplate(summary, extractor.is_watched, proposed is not None, len(extracted))

    def _learn_accepted(
        self, name: str, before: Extractor, proposed: Extractor | None, newest: Iterable[int]
    ) -> Extractor:
        """Return the accepted extractor with a template learnt from the newest pages; raises CannotAccept if none of them is a member."""
        pages = [(url, layout) for _, url, layout in self._store.layouts(newest)]
        extractor = proposed or before
        if pages and (proposed is None or len(pages) > proposed.learnt_from):
            extractor = fit_extractor(extractor, pages)
        if proposed is None and not any(extractor.read(layout).is_member for _, layout in pages):
            raise CannotAccept(
                f"{name}: none of the {len(pages)} pages it saw last has what it wants: choose again (scrapy extract add)"
                if pages
                else f"{name}: no page was seen since it was learnt"
            )
        return extractor

    def _extract_changed_pages(
        self, row: StoredExtractor, before: Extractor, extractor: Extractor, newest: Iterable[int], at: float
    ) -> set[int]:
        """Extract from the pages that no longer fit the old template; return them."""
        changed, newest_pages = set(), frozenset(newest)
        for number, _, layout in self._store.layouts(self._store.pages_at(row.domain, extractor.addresses)):
            if number in newest_pages or not _is_unchanged(before, layout):
                reading = extractor.read(layout)
                if reading.is_member:
                    save_entries(self._store, row.number, extractor, number, reading.entries, at)
                    changed.add(number)
        return changed

    # Pages of the crawl

    def extract(self, page: PageInput) -> PageOutcome:
        """Extract from a page with the extractors of its site, and watch its template."""
        site = self._active.site_of(page.url)
        outcome = PageOutcome()
        for active in site.active:
            if active.state == WAITING and active.example.page == page.url:
                self._begin(active, page)
            extractor = active.extractor
            if extractor is None or active.state in (OFF, PUT_OFF) or not extractor.wants(page.url):
                continue
            if active.is_automatic and page.form is not None and len(page.records) < LEAST_RECORDS:
                continue  # an answer with too few records
            result = self._extract_by(active, extractor, page)
            outcome = PageOutcome(
                outcome.extracted + result.extracted,
                outcome.changes + result.changes,
                outcome.deviates or result.deviates,
            )
        if self._automatic is not None:
            self._automatic.make(site, page)
        return outcome

    def _extract_by(self, active: ActiveExtractor, extractor: Extractor, page: PageInput) -> PageOutcome:
        """Extract from a page with one extractor, update its watch, and return the outcome."""
        reading = extractor.read(page.layout)
        before = (
            []
            if active.is_automatic and reading.is_member
            else self._store.attributes_on(active.number, page.page)
        )
        deviates = (
            extractor.see(reading, was_member=bool(before), only_if_lost=active.is_automatic) is not None
        )
        counts = reading.is_member or bool(before) or (extractor.is_watched and extractor.is_pure)
        if counts:
            active.remember(page.page, deviates=deviates)
        changes: list[ExtractionChange] = []
        extracted: tuple[ExtractedValues, ...] = ()
        if reading.is_member:
            extracted = (self._save(active, extractor, page, reading, deviates=deviates),)
            if active.origin == PERSON and before and not deviates:
                changes += _find_changes(page.url, before, reading.entries)
        if active.state == LEARNING or (active.state == WATCHED and active.is_calm()):
            self._learn_more(active, extractor, page)
        elif active.state == WATCHED and (alarm := extractor.alarm()) is not None:
            changes.append(self._repairs.raise_alarm(active, alarm, page))
        if active.state == ALARM and counts:
            self._repairs.repair(active, extractor, page)
        return PageOutcome(extracted, tuple(changes), deviates)

    def _save(
        self,
        active: ActiveExtractor,
        extractor: Extractor,
        page: PageInput,
        reading: Extraction,
        *,
        deviates: bool,
    ) -> ExtractedValues:
        """Save the entries of a page."""
        is_list = isinstance(extractor.pattern, ListPattern)
        entries = reading.entries
        is_new = True
        if active.origin == PERSON or not is_list or active.stored < MOST_KNOWN:
            active.stored += 1
            records = self._name_records(active, page, entries) if is_list else [None] * len(entries)
            numbered = [
                (place if is_list else 0, record, entry.values)
                for place, (entry, record) in enumerate(zip(entries, records, strict=True), start=1)
            ]
            is_new = self._store.save_entries(active.number, page.page, numbered, page.at, deviates=deviates)
        self._active.count("entries" if is_new else "entries_unchanged")
        return ExtractedValues(active.name, active.origin, tuple(entries), is_list, is_new)

    def _name_records(
        self, active: ActiveExtractor, page: PageInput, entries: Sequence[ExtractedEntry]
    ) -> list[int | None]:
        """Add attributes that a person named to the records of an answer; return the record of each entry."""
        if active.origin != PERSON or not page.records:
            return [None] * len(entries)
        texts = [(record.key, fold_text(record.text)) for record in page.records]
        found: list[int | None] = []
        for entry in entries:
            values = [fold_text(value) for each in entry.values.values() for value in each]
            keys = [key for key, text in texts if all(value in text for value in values)]
            record = self._store.record_by_key(page.site, keys[0]) if len(keys) == 1 else None
            if record is not None:
                self._store.name_record(record, entry.values)
            found.append(record)
        return found

    # Learning

    def _begin(self, active: ActiveExtractor, page: PageInput) -> None:
        """Learn an extractor from its example page and other stored pages of the site; extract from those."""
        try:
            extractor = learn_extractor(
                active.example, page.layout, self._store.other_pages(page.url, OTHERS)
            )
        except CannotLearn as error:
            active.state = OFF
            self._store.set_state(active.number, OFF, str(error))
            self._store.note(active.number, "put_off", f"cannot be learnt: {error}", page.at)
            logger.warning("%s: cannot be learnt from %s: %s", active.name, page.url, error)
            self._active.count("not_learnt")
            return
        self._active.replace_extractor(active, extractor, page.at, "learnt")
        domain = registered_domain(page.url)
        active.stored += self._extract_pages(
            active.number, domain, extractor, page.at, excluded=page.page, most=AT_ONCE
        )

    def _learn_more(self, active: ActiveExtractor, extractor: Extractor, page: PageInput) -> None:
        """Learn again when there are enough new pages: the template, and the pattern unless it was repaired."""
        if len(active.last) < max(LEAST_PAGES, _MORE * extractor.learnt_from):
            return
        numbers = {number for number, _ in active.last}
        read = {number: (url, layout) for number, url, layout in self._store.layouts(numbers - {page.page})}
        if page.page in numbers:
            read[page.page] = page.url, page.layout
        pages = list(read.values())
        example_page = self._find_example_page(active.example.page, pages) if not extractor.repairs else None
        new = fit_extractor(extractor, pages)
        if example_page is not None:
            try:
                new = learn_extractor(replace(active.example, kind=extractor.kind), example_page, pages)
            except CannotLearn:  # the example page has other texts now
                logger.debug("%s: the shown page has changed", active.name)
        new = replace(new, is_pure=is_pure_among(new, self._find_sharing(active, new, read)))
        last = active.last
        summary = f"the template is known from {new.learnt_from} pages" if new.is_watched else ""
        self._active.replace_extractor(active, new, page.at, "learnt", summary)
        active.last = last

    def _find_example_page(self, url: str, pages: Iterable[tuple[str, PageLayout]]) -> PageLayout | None:
        """Return the layout of the example page: from the pages read already, or from the store."""
        known = next((layout for address, layout in pages if address == url), None)
        if known is not None:
            return known
        stored = self._store.layout_at(url)
        return stored[1] if stored is not None else None

    def _find_sharing(
        self, active: ActiveExtractor, extractor: Extractor, read: Mapping[int, tuple[str, PageLayout]]
    ) -> list[tuple[str, PageLayout]]:
        """Return some pages at the addresses of an extractor, whatever their kind; pages read already are not read again."""
        domain = registered_domain(active.example.page)
        newest = self._store.pages_at(domain, extractor.addresses)[-OTHERS:]
        unread = (number for number in newest if number not in read)
        newly_read = {number: (url, layout) for number, url, layout in self._store.layouts(unread)}
        found = {**read, **newly_read}
        return [found[number] for number in newest if number in found]

    # Stored pages

    def extract_stored(self, name: str, at: float) -> int:
        """Extract from all stored pages with an extractor; return from how many."""
        return sum(
            self._extract_pages(stored.number, stored.domain, stored.extractor, at)
            for stored in self._store.all(name=name)
            if stored.extractor is not None
        )

    def _extract_pages(
        self,
        number: int,
        domain: str,
        extractor: Extractor,
        at: float,
        excluded: int | None = None,
        most: int | None = None,
    ) -> int:
        """Extract from stored pages, all or the newest, except one; return from how many."""
        count = 0
        pages = [page for page in self._store.pages_at(domain, extractor.addresses) if page != excluded]
        if most is not None and len(pages) > most:
            logger.warning(
                "%s: extracted from the newest %d of %d stored pages; to have all, import its example again after the crawl",
                extractor.example.name, most, len(pages),
            )  # fmt: skip
            pages = pages[-most:]
        for page, _, layout in self._store.layouts(pages):
            reading = extractor.read(layout)
            if reading.is_member:
                count += 1
                save_entries(self._store, number, extractor, page, reading.entries, at)
        return count


def _is_unchanged(extractor: Extractor, layout: PageLayout) -> bool:
    """Return whether a page fits the template that an extractor was learnt from."""
    reading = extractor.read(layout)
    return reading.is_member and (
        not extractor.is_watched or extractor.watch.deviation(reading.paths) is None
    )


def _find_changes(
    url: str, before: Sequence[Mapping[str, Sequence[str]]], entries: Sequence[ExtractedEntry]
) -> list[ExtractionChange]:
    """Return the changed attributes of a page about one record."""
    if len(before) != 1 or len(entries) != 1:
        return []
    old, new = before[0], entries[0].values
    return [
        ExtractionChange(
            "record changed", url, name, "; ".join(old.get(name, ())), "; ".join(new.get(name, ()))
        )
        for name in dict.fromkeys((*old, *new))
        if _single_spaces(old.get(name, ())) != _single_spaces(new.get(name, ()))
    ]


def _single_spaces(values: Iterable[str]) -> list[str]:
    return [" ".join(value.split()) for value in values]
