"""The extractors of a crawl at work: they extract from each page, watch its template, learn more, and are repaired.

A page that is read comes here with its layout. The extractors of its site extract what they want from it, their watches compare it, and whatever follows is written within
the transaction of the page: what it says, an alarm, a repair. Extractors that wait for the page they were shown on begin to learn when it comes; those that know too few
pages learn again when there are ten, and when there are thirty. What a crawl makes by itself is in `hiddenweb.extraction.automatic`, what becomes of an extractor
whose template has changed in `hiddenweb.extraction.template_repair`.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.extraction.active_extractors import ActiveExtractors, keep_entries, summarise
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
"""Pages of a site that are read again, in the midst of a crawl, to learn an extractor from."""

AT_ONCE = 500
"""Stored pages that are extracted from at once, in the midst of a crawl: a few seconds' worth."""

MOST_KNOWN = 50
"""Pages of an automatic extractor of which is kept what they said: enough to repair it by."""

_MORE = 1.3  # times as many pages as before, to learn again; a limit of taste


@dataclass(frozen=True, slots=True)
class AcceptedTemplate:
    """What became of an extractor whose new template was accepted."""

    summary: str
    is_watched: bool
    was_proposed: bool
    pages: int  # that were read again, and have what it wants


class CannotAccept(ValueError):
    """There is nothing that could be accepted; the message says why."""


class ExtractorMaintenance:
    """The extractors of a store, in a crawl that writes it."""

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
        """Say whether the layout of a page at this address is wanted by any extractor."""
        site = self._active.site_of(url)
        if self._automatic is not None and self._automatic.might_make(site, url, form, record_of):
            return True
        return any(active.might_want(url) for active in site.active)

    # What people say

    def add(self, example: Example, extractor: Extractor | None, at: float, why: str = "") -> int:
        """Keep what a person showed under its name, and extract it from all pages that are kept; return from how many.

        Without an extractor it waits for the page it was shown on.
        """
        self.remove(example.name)
        number = self._store.add(example, extractor, at, why=why)
        self._active.forget()
        if extractor is None:
            return 0
        self._store.note(number, "learnt", summarise(extractor), at)
        return self.extract_stored(example.name, at)

    def remove(self, name: str) -> bool:
        """Forget an extractor with all that it extracted, also in the index; False if there is none."""
        self._active.forget()
        for kept in self._store.all(name=name):
            pages = dict.fromkeys(each.page for each in self._store.load_extracted(extractor=kept.number))
            self._store.remove(name)
            for page in pages:
                self._store.announce(page)
            return True
        return False

    def accept(self, name: str, at: float) -> AcceptedTemplate:
        """Take over the pattern that was proposed for an extractor, or else learn its template again from the pages that its watch saw last.

        The pages that look new are read again. Raises CannotAccept.
        """
        found = self._active.find(name)
        if found is None:
            raise CannotAccept(f"there is no extractor {name!r}")
        kept, active = found
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
        self._active.take_over(active, extractor, at, "accepted", summary)
        again = self._extract_what_looks_new(kept, before, extractor, newest, at)
        active.last = [(number, False) for number in newest if number in again]
        active.is_dirty = True
        return AcceptedTemplate(summary, extractor.is_watched, proposed is not None, len(again))

    def _learn_accepted(
        self, name: str, before: Extractor, proposed: Extractor | None, newest: Iterable[int]
    ) -> Extractor:
        """Return what is accepted, with a template learnt from the newest pages; raises CannotAccept if none of them has what it wants."""
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

    def _extract_what_looks_new(
        self, kept: StoredExtractor, before: Extractor, extractor: Extractor, newest: Iterable[int], at: float
    ) -> set[int]:
        """Extract from the pages that are not as they were what is found there now; return which."""
        changed, surely = set(), frozenset(newest)
        for number, _, layout in self._store.layouts(self._store.pages_at(kept.domain, extractor.addresses)):
            if number in surely or not _is_as_before(before, layout):
                reading = extractor.read(layout)
                if reading.is_member:
                    keep_entries(self._store, kept.number, extractor, number, reading.entries, at)
                    changed.add(number)
        return changed

    # Pages of the crawl

    def extract(self, page: PageInput) -> PageOutcome:
        """Extract from a page what the extractors of its site want, and watch its template."""
        site = self._active.site_of(page.url)
        outcome = PageOutcome()
        for active in site.active:
            if active.state == WAITING and active.example.page == page.url:
                self._begin(active, page)
            extractor = active.extractor
            if extractor is None or active.state in (OFF, PUT_OFF) or not extractor.wants(page.url):
                continue
            if active.is_automatic and page.form is not None and len(page.records) < LEAST_RECORDS:
                continue  # an answer that shows too little
            one = self._extract_by(active, extractor, page)
            outcome = PageOutcome(
                outcome.extracted + one.extracted,
                outcome.changes + one.changes,
                outcome.deviates or one.deviates,
            )
        if self._automatic is not None:
            self._automatic.make(site, page)
        return outcome

    def _extract_by(self, active: ActiveExtractor, extractor: Extractor, page: PageInput) -> PageOutcome:
        """Return what one extractor finds on a page, after all that follows from it."""
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
            extracted = (self._keep(active, extractor, page, reading, deviates=deviates),)
            if active.origin == PERSON and before and not deviates:
                changes += _find_changes(page.url, before, reading.entries)
        if active.state == LEARNING or (active.state == WATCHED and active.is_calm()):
            self._learn_more(active, extractor, page)
        elif active.state == WATCHED and (alarm := extractor.alarm()) is not None:
            changes.append(self._repairs.raise_alarm(active, alarm, page))
        if active.state == ALARM and counts:
            self._repairs.repair(active, extractor, page)
        return PageOutcome(extracted, tuple(changes), deviates)

    def _keep(
        self,
        active: ActiveExtractor,
        extractor: Extractor,
        page: PageInput,
        reading: Extraction,
        *,
        deviates: bool,
    ) -> ExtractedValues:
        """Keep what a page says."""
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
            is_new = self._store.keep(active.number, page.page, numbered, page.at, deviates=deviates)
        self._active.count("entries" if is_new else "entries_unchanged")
        typed = tuple(_parse_values(extractor, each) for each in entries)
        return ExtractedValues(active.name, active.origin, tuple(entries), typed, is_list, is_new)

    def _name_records(
        self, active: ActiveExtractor, page: PageInput, entries: Sequence[ExtractedEntry]
    ) -> list[int | None]:
        """Give the records of an answer the attributes that a person named; return the record of each entry."""
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
        """Learn an extractor from the page it was shown on, which has come now, and others of its site; extract from those that came before."""
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
        self._active.take_over(active, extractor, page.at, "learnt")
        domain = registered_domain(page.url)
        active.stored += self._extract_pages(
            active.number, domain, extractor, page.at, but=page.page, most=AT_ONCE
        )

    def _learn_more(self, active: ActiveExtractor, extractor: Extractor, page: PageInput) -> None:
        """Learn again when there are enough pages more: the template, and the pattern unless it was repaired."""
        if len(active.last) < max(LEAST_PAGES, _MORE * extractor.learnt_from):
            return
        last = {number for number, _ in active.last}
        read = {number: (url, layout) for number, url, layout in self._store.layouts(last - {page.page})}
        if page.page in last:
            read[page.page] = page.url, page.layout
        pages = list(read.values())
        shown = self._find_shown(active.example.page, pages) if not extractor.repairs else None
        again = fit_extractor(extractor, pages)
        if shown is not None:
            try:
                again = learn_extractor(replace(active.example, kind=extractor.kind), shown, pages)
            except CannotLearn:  # the page it was shown on says something else now
                logger.debug("%s: the shown page has changed", active.name)
        again = replace(again, is_pure=is_pure_among(again, self._find_sharing(active, again, read)))
        voted = active.last
        summary = f"the template is known from {again.learnt_from} pages" if again.is_watched else ""
        self._active.take_over(active, again, page.at, "learnt", summary)
        active.last = voted

    def _find_shown(self, url: str, pages: Iterable[tuple[str, PageLayout]]) -> PageLayout | None:
        """Return the layout of the page that was shown: one that was read already, or the stored one."""
        known = next((layout for address, layout in pages if address == url), None)
        if known is not None:
            return known
        stored = self._store.layout_at(url)
        return stored[1] if stored is not None else None

    def _find_sharing(
        self, active: ActiveExtractor, extractor: Extractor, read: Mapping[int, tuple[str, PageLayout]]
    ) -> list[tuple[str, PageLayout]]:
        """Return some pages at the addresses of an extractor, whatever their kind; those that were read already are not read again."""
        domain = registered_domain(active.example.page)
        newest = self._store.pages_at(domain, extractor.addresses)[-OTHERS:]
        unread = (number for number in newest if number not in read)
        again = {number: (url, layout) for number, url, layout in self._store.layouts(unread)}
        found = {**read, **again}
        return [found[number] for number in newest if number in found]

    # Stored pages

    def extract_stored(self, name: str, at: float) -> int:
        """Extract what an extractor wants from all pages that are kept; return from how many."""
        return sum(
            self._extract_pages(kept.number, kept.domain, kept.extractor, at)
            for kept in self._store.all(name=name)
            if kept.extractor is not None
        )

    def _extract_pages(
        self,
        number: int,
        domain: str,
        extractor: Extractor,
        at: float,
        but: int | None = None,
        most: int | None = None,
    ) -> int:
        """Extract from pages that are kept, all or the newest, but one; return from how many."""
        count = 0
        wanted = [page for page in self._store.pages_at(domain, extractor.addresses) if page != but]
        if most is not None and len(wanted) > most:
            logger.warning(
                "%s: extracted from the newest %d of %d stored pages; to have all, import its example again after the crawl",
                extractor.example.name, most, len(wanted),
            )  # fmt: skip
            wanted = wanted[-most:]
        for page, _, layout in self._store.layouts(wanted):
            reading = extractor.read(layout)
            if reading.is_member:
                count += 1
                keep_entries(self._store, number, extractor, page, reading.entries, at)
        return count


def _parse_values(extractor: Extractor, entry: ExtractedEntry) -> dict[str, list[object]]:
    """Return what the values of an entry say, where all values of an attribute can be read."""
    read = {
        name: [extractor.parse_value(name, value) for value in values]
        for name, values in entry.values.items()
        if values
    }
    return {
        name: [each.value for each in all_ if each is not None]
        for name, all_ in read.items()
        if None not in all_
    }


def _is_as_before(extractor: Extractor, layout: PageLayout) -> bool:
    """Say whether a page looks like those that an extractor was learnt from."""
    reading = extractor.read(layout)
    return reading.is_member and (
        not extractor.is_watched or extractor.watch.deviation(reading.paths) is None
    )


def _find_changes(
    url: str, before: Sequence[Mapping[str, Sequence[str]]], entries: Sequence[ExtractedEntry]
) -> list[ExtractionChange]:
    """Return which attributes of a page about one record say something else."""
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
