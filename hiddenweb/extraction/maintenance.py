"""What is known of the sources of a crawl: what pages are read for, what they said, and what became of their templates.

A page that is read passes here with its layout. The sources of its site take what they want from it, their watches look at it, and whatever follows is written within
the transaction of the page: what it says, an alarm, a repair. Sources that wait for the page they were shown on begin to learn when it comes; those that know too few pages
learn again when there are ten, and when there are thirty.

Sources of a crawl's own are made from the answers of forms: when ten pages of answers are there, the attributes of the fullest record become a region, and when ten
pages of records are there, what they label (`hiddenweb.extraction.labelled_values`). From then on their attributes are taken and their templates watched. The pages that come first are no fair sample of those
that come later: first questions have long answers with many pages, later ones short answers. So a page deviates for these sources only if what they take is no longer found on it.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from hiddenweb.extraction.example_texts import Example
from hiddenweb.extraction.extractor import (
    MOST_LEARNT,
    CannotLearn,
    Extractor,
    UnreadableExtractor,
    fit_extractor,
    is_pure_among,
    learn_extractor,
    repair_extractor,
)
from hiddenweb.extraction.labelled_values import make_example
from hiddenweb.extraction.list_induction import ListPattern
from hiddenweb.extraction.template_paths import bars_to_json
from hiddenweb.extraction.template_watch import LEAST_PAGES, WINDOW
from hiddenweb.html.document import read_layout
from hiddenweb.html.texts import fold_text
from hiddenweb.revisit.change import Change
from hiddenweb.store.extractors import (
    ALARM,
    CRAWL,
    LEARNING,
    OFF,
    PERSON,
    PUT_OFF,
    WAITING,
    WATCHED,
    ExtractorStore,
)
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.urls import host, registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hiddenweb.extraction.extractor import ExtractedEntry, RepairProof
    from hiddenweb.extraction.template_watch import TemplateAlarm
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.model import Record
    from hiddenweb.store.database import Store
    from hiddenweb.store.extractors import StoredExtractor

logger = logging.getLogger(__name__)

Repairs = Literal["auto", "ask"]

OTHERS = 60
"""Pages of a site that are read again, in the midst of a crawl, to learn a source from."""

AT_ONCE = 500
"""Stored pages that are taken from at once, in the midst of a crawl: a few seconds' worth."""

MOST_KNOWN = 50
"""Pages of a source of the crawl's own of which is kept what they said: enough to repair it by."""

_ENDING_A_PROPOSAL = ("proposed", "learnt", "repaired", "accepted", "put_off")
ENOUGH = LEAST_PAGES + 4
"""Pages that a source of the crawl's own is learnt from: some of them may be of another kind."""

LEAST_RECORDS = 3
"""Records of an answer without which it does not show what a list of them looks like."""

SOME = 4
"""Of so many pages of answers one is looked at, once their template is known."""

_MOST_ATTRIBUTES = 12
_MOST_VERSIONS = 3  # of a page in which something lost is looked for
_MORE = 1.3  # times as many pages as before, to learn again


@dataclass(frozen=True, slots=True)
class TakenValues:
    """What one source took from a page."""

    source: str
    made_by: str
    entries: tuple[ExtractedEntry, ...]
    typed: tuple[Mapping[str, list[object]], ...]  # of each entry: what values say that are more than texts
    is_list: bool
    is_new: bool  # it is not what the page said before


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of a page that passed: what was taken, and what changed."""

    taken: tuple[TakenValues, ...] = ()
    changes: tuple[Change, ...] = ()
    deviates: bool = False


@dataclass(frozen=True, slots=True)
class PageInput:
    """A page that passes."""

    url: str
    page: int  # its number in the store
    site: int
    at: float
    layout: PageLayout
    title: str = ""
    form: int | None = None  # whose answer it is
    record_of: int | None = None  # the form whose answers led to it, if it is the page of a record
    records: tuple[Record, ...] = ()  # of an answer


@dataclass(frozen=True, slots=True)
class AcceptedTemplate:
    """What became of a source whose new template was taken over."""

    told: str
    is_watched: bool
    was_proposed: bool
    pages: int  # that were read again, and have what it wants


class CannotAccept(ValueError):
    """There is nothing that could be taken over; the message says why."""


@dataclass(slots=True)
class _ActiveExtractor:
    """A source in use."""

    number: int
    name: str
    made_by: str
    form: int | None
    state: str
    region: Example
    source: Extractor | None
    last: list[tuple[int, bool]]
    tried: int = 0  # known pages with which a repair was tried in vain
    lost: dict[int, list[Mapping[str, Sequence[str]]]] = field(default_factory=dict)
    """What pages said that lack an attribute now."""

    is_dirty: bool = False
    kept: int = 0  # pages of which is kept what they said
    passed: int = 0  # pages that it might have looked at


@dataclass(slots=True)
class _SiteExtractors:
    """The sources of a site."""

    live: list[_ActiveExtractor] = field(default_factory=list)
    made: set[str] = field(
        default_factory=set
    )  # names of the crawl's own, also of those that cannot be learnt


def parse_repairs(name: str) -> Repairs:
    """Return what becomes of new patterns; raises ValueError for a way that there is not."""
    ways: dict[str, Repairs] = {"auto": "auto", "ask": "ask"}
    if name not in ways:
        raise ValueError(f"{name!r} is no way to treat a new pattern; there are {', '.join(ways)}")
    return ways[name]


def attributes_of(seen: PageOutcome) -> tuple[tuple[str, str], ...]:
    """Return names and values of what was taken from a page that is about one record."""
    return tuple(
        dict.fromkeys(
            (name, value)
            for taken in seen.taken
            if not taken.is_list
            for entry in taken.entries
            for name, values in entry.values.items()
            for value in values
        )
    )


class ExtractorMaintenance:
    """The sources of a state, in a crawl that writes it."""

    def __init__(
        self,
        state: Store,
        *,
        repairs: Repairs = "auto",
        is_automatic: bool = True,
        count: Callable[[str], None] | None = None,
    ) -> None:
        self._kept = ExtractorStore(state)
        self._looks = RevisitStore(state)
        self._state = state
        self._repairs = repairs
        self._is_automatic = is_automatic
        self._count = count or (lambda _: None)
        self._sites: dict[str, _SiteExtractors] = {}
        self._met: Counter[str] = Counter()  # pages that a source of the crawl's own could be made from
        state.before_commit.append(self._write)

    def wants(self, url: str, form: int | None = None, record_of: int | None = None) -> bool:
        """Say whether the layout of a page at this address is wanted by anybody."""
        if self._is_automatic and self._is_to_make(self._site(url), url, form, record_of):
            return True
        return any(
            live.region.page == url if live.state == WAITING else _has_turn(live, url)
            for live in self._site(url).live
            if live.state not in (OFF, PUT_OFF)
        )

    # What people say

    def add(self, region: Example, source: Extractor | None, at: float, why: str = "") -> int:
        """Keep what a person showed under its name, and take it from all pages that are kept; return from how many.

        Without a source it waits for the page it was shown on.
        """
        self.remove(region.name)
        number = self._kept.add(region, source, at, why=why)
        self._forget_what_is_live()
        if source is None:
            return 0
        self._kept.note(number, "learnt", _what_was_learnt(source), at)
        return self.take_from_store(region.name, at)

    def remove(self, name: str) -> bool:
        """Forget a source with all that was taken by it, also in the index; False if there is none."""
        self._forget_what_is_live()
        for kept in self._kept.all(name=name):
            pages = dict.fromkeys(each.page for each in self._kept.extracted(source=kept.number))
            self._kept.remove(name)
            for page in pages:
                self._state.announce(page)
            return True
        return False

    def accept(self, name: str, at: float) -> AcceptedTemplate:
        """Take over the pattern that was proposed for a source, or else learn its template anew from the pages that its watch saw last.

        The pages that look new are read again. Raises CannotAccept.
        """
        kept, live = self._named(name)
        before = live.source
        if before is None:
            raise CannotAccept(f"{name}: nothing was learnt yet ({live.state})")
        proposed = self._proposed(live.number)
        deviating = [number for number, deviates in live.last if deviates]
        if live.last and not deviating and proposed is None and live.state not in (ALARM, PUT_OFF):
            raise CannotAccept(f"{name}: no page deviates from its template, so there is nothing to accept")
        newest = deviating or [number for number, _ in live.last[-WINDOW:]]
        pages = [(url, layout) for _, url, layout in self._kept.layouts(newest)]
        source = proposed or before
        if pages and (proposed is None or len(pages) > proposed.learnt_from):
            source = fit_extractor(source, pages)
        members = sum(source.read(layout).is_member for _, layout in pages)
        if not members and proposed is None:
            raise CannotAccept(
                f"{name}: none of the {len(pages)} pages it saw last has what it wants: choose anew (scrapy regions add)"
                if pages
                else f"{name}: no page was seen since it was learnt"
            )
        how = "the template was learnt anew" if proposed is None else "the proposed pattern was taken over"
        told = f"{how}, with {source.learnt_from} pages to know the template from"
        self._learnt(live, source, at, "accepted", told)
        again = self._take_what_looks_new(kept, before, source, newest, at)
        live.last = [(number, False) for number in newest if number in again]
        live.is_dirty = True
        return AcceptedTemplate(told, source.is_watched, proposed is not None, len(again))

    def _proposed(self, number: int) -> Extractor | None:
        """Return what is proposed for a source, unless it is out of date."""
        for event in self._kept.events(number, kinds=_ENDING_A_PROPOSAL, limit=1):
            if event.kind == "proposed":
                try:
                    return Extractor.from_json(event.detail["source"])
                except (KeyError, UnreadableExtractor):
                    logger.debug("source %d: the proposal cannot be read", number)
        return None

    def _is_proposed(self, number: int) -> bool:
        newest = self._kept.events(number, kinds=_ENDING_A_PROPOSAL, limit=1)
        return bool(newest) and newest[0].kind == "proposed"

    def _named(self, name: str) -> tuple[StoredExtractor, _ActiveExtractor]:
        for kept in self._kept.all(name=name):
            return kept, next(live for live in self._of(kept.domain).live if live.number == kept.number)
        raise CannotAccept(f"there is no source {name!r}")

    def _take_what_looks_new(
        self, kept: StoredExtractor, before: Extractor, source: Extractor, newest: Iterable[int], at: float
    ) -> set[int]:
        """Take from the pages that are not as they were what a source finds there now; return which."""
        taken, surely = set(), frozenset(newest)
        for number, _, layout in self._kept.layouts(self._kept.pages_at(kept.domain, source.addresses)):
            if number in surely or not _is_as_before(before, layout):
                reading = source.read(layout)
                if reading.is_member:
                    self._keep_entries(kept.number, source, number, reading.entries, at)
                    taken.add(number)
        return taken

    def _forget_what_is_live(self) -> None:
        self._write()
        self._sites.clear()

    # Pages that pass

    def passes(self, page: PageInput) -> PageOutcome:
        """Take from a page what the sources of its site want, and watch its template."""
        site = self._site(page.url)
        taken: list[TakenValues] = []
        changes: list[Change] = []
        deviates = False
        for live in site.live:
            if live.state == WAITING and live.region.page == page.url:
                self._begin(live, page)
            if live.source is None or live.state in (OFF, PUT_OFF) or not live.source.wants(page.url):
                continue
            if live.made_by == CRAWL and page.form is not None and len(page.records) < LEAST_RECORDS:
                continue  # an answer that shows too little
            took, told, is_different = self._read(live, live.source, page)
            taken += [took] if took is not None else []
            changes += told
            deviates = deviates or is_different
        if self._is_automatic:
            self._make(site, page)
        return PageOutcome(tuple(taken), tuple(changes), deviates)

    # Reading

    def _read(
        self, live: _ActiveExtractor, source: Extractor, page: PageInput
    ) -> tuple[TakenValues | None, list[Change], bool]:
        reading = source.read(page.layout)
        before = (
            self._kept.said(live.number, page.page) if live.made_by == PERSON or not reading.is_member else []
        )
        deviation = source.see(reading, was_member=bool(before), only_if_lost=live.made_by == CRAWL)
        counts = reading.is_member or bool(before) or (source.is_watched and source.is_pure)
        if counts:
            live.last = [each for each in live.last if each[0] != page.page][-(MOST_LEARNT - 1) :]
            live.last.append((page.page, deviation is not None))
            live.is_dirty = True
        taken = (
            self._take(live, source, page, reading.entries, deviates=deviation is not None)
            if reading.is_member
            else None
        )
        changes: list[Change] = []
        if taken is not None and live.made_by == PERSON and before and deviation is None:
            changes = [
                self._looks.tell(page.page, page.site, change)
                for change in _attribute_changes(page, before, taken.entries)
            ]
        if live.state == LEARNING or (live.state == WATCHED and self._is_worth_more(live, source)):
            self._learn_more(live, source, page.at)
        elif live.state == WATCHED and (alarm := source.alarm()) is not None:
            changes.append(self._raise(live, alarm, page))
        if live.state == ALARM and counts:
            self._repair(live, source, page)
        return taken, changes, deviation is not None

    def _take(
        self,
        live: _ActiveExtractor,
        source: Extractor,
        page: PageInput,
        entries: Sequence[ExtractedEntry],
        *,
        deviates: bool,
    ) -> TakenValues:
        """Keep what a page says."""
        is_list = isinstance(source.pattern, ListPattern)
        is_new = True
        if live.made_by == PERSON or not is_list or live.kept < MOST_KNOWN:
            live.kept += 1
            records = self._records_of(live, page, entries) if is_list else [None] * len(entries)
            numbered = [
                (place if is_list else 0, record, entry.values)
                for place, (entry, record) in enumerate(zip(entries, records, strict=True), start=1)
            ]
            is_new = self._kept.keep(live.number, page.page, numbered, page.at, deviates=deviates)
        self._count("entries" if is_new else "entries_as_before")
        return TakenValues(
            live.name,
            live.made_by,
            tuple(entries),
            tuple(_parse_values(source, each) for each in entries),
            is_list,
            is_new,
        )

    def _records_of(
        self, live: _ActiveExtractor, page: PageInput, entries: Sequence[ExtractedEntry]
    ) -> list[int | None]:
        """Give the records of an answer the attributes that a person named; return the record of each entry."""
        if live.made_by != PERSON or not page.records:
            return [None] * len(entries)
        texts = [(record.key, fold_text(record.text)) for record in page.records]
        found: list[int | None] = []
        for entry in entries:
            said = [fold_text(value) for values in entry.values.values() for value in values]
            keys = [key for key, text in texts if all(value in text for value in said)]
            record = self._kept.record_keyed(page.site, keys[0]) if len(keys) == 1 else None
            if record is not None:
                self._kept.name_record(record, entry.values)
            found.append(record)
        return found

    # Learning

    def _is_worth_more(self, live: _ActiveExtractor, source: Extractor) -> bool:
        """Say whether a source that was learnt from few pages has calmly seen many."""
        return (
            live.made_by == PERSON
            and source.learnt_from < MOST_LEARNT
            and not source.repairs
            and len(live.last) >= MOST_LEARNT
            and not any(deviates for _, deviates in live.last)
        )

    def _begin(self, live: _ActiveExtractor, page: PageInput) -> None:
        """Learn a source from the page it was shown on, which has come now, and others of its site; take from those that came before."""
        try:
            source = learn_extractor(live.region, page.layout, self._kept.others(page.url, OTHERS))
        except CannotLearn as error:
            live.state = OFF
            self._kept.set_state(live.number, OFF, str(error))
            self._kept.note(live.number, "put_off", f"cannot be learnt: {error}", page.at)
            logger.warning("%s: cannot be learnt from %s: %s", live.name, page.url, error)
            self._count("not_learnt")
            return
        self._learnt(live, source, page.at, "learnt")
        live.kept += self._take_stored(
            live.number, registered_domain(page.url), source, page.at, passing=page.page, most=AT_ONCE
        )

    def _learnt(
        self,
        live: _ActiveExtractor,
        source: Extractor,
        at: float,
        kind: str,
        told: str = "",
        detail: dict[str, object] | None = None,
    ) -> None:
        live.source, live.last, live.tried, live.lost = source, [], 0, {}
        live.state = WATCHED if source.is_watched else LEARNING
        self._kept.learnt(live.number, source)
        self._kept.note(live.number, kind, told or _what_was_learnt(source), at, detail)
        self._count(kind)

    def _learn_more(self, live: _ActiveExtractor, source: Extractor, at: float) -> None:
        """Learn again when there are enough pages more: the template, and the pattern unless it was repaired."""
        if len(live.last) < max(LEAST_PAGES, _MORE * source.learnt_from):
            return
        pages = [(url, layout) for _, url, layout in self._kept.layouts(number for number, _ in live.last)]
        shown = self._kept.shown(live.region.page) if not source.repairs else None
        again = fit_extractor(source, pages)
        if shown is not None:
            try:
                again = learn_extractor(replace(live.region, kind=source.kind), shown[1], pages)
            except CannotLearn:  # the page it was shown on says something else now
                logger.debug("%s: the shown page has changed", live.name)
        again = replace(again, is_pure=is_pure_among(again, self._sharing(live, again)))
        last = live.last
        told = f"the template is known from {again.learnt_from} pages" if again.is_watched else ""
        self._learnt(live, again, at, "learnt", told)
        live.last = last

    def _sharing(self, live: _ActiveExtractor, source: Extractor) -> list[tuple[str, PageLayout]]:
        """Return some pages at the addresses of a source, whatever their kind."""
        domain = registered_domain(live.region.page)
        newest = self._kept.pages_at(domain, source.addresses)[-OTHERS:]
        return [(url, layout) for _, url, layout in self._kept.layouts(newest)]

    # Sources of the crawl's own

    def _is_to_make(self, site: _SiteExtractors, url: str, form: int | None, record_of: int | None) -> str:
        """Return the name of the source that pages like this one could make; empty if there is one, or cannot be."""
        domain = registered_domain(url)
        name = (
            f"{domain} answers {form}"
            if form is not None
            else f"{domain} records {record_of}"
            if record_of is not None
            else ""
        )
        return "" if name in site.made else name

    def _make(self, site: _SiteExtractors, page: PageInput) -> None:
        """Make a source of the answers of a form, or of the pages of its records, when there are enough."""
        name = self._is_to_make(site, page.url, page.form, page.record_of)
        if not name or (
            page.form is not None and sum(bool(each.attributes) for each in page.records) < LEAST_RECORDS
        ):
            return
        self._met[name] += 1
        if self._met[name] % LEAST_PAGES:
            return
        form = page.form if page.form is not None else page.record_of
        assert form is not None
        if page.form is not None:
            region, shown, pages = self._answers(page, form, name)
        else:
            region, shown, pages = self._pages_of_records(page, form, name)
        try:
            if region is None or shown is None:
                raise CannotLearn("nothing has a label")
            source = learn_extractor(region, shown, pages)
        except CannotLearn as error:
            if self._met[name] < MOST_LEARNT:
                return  # another page may show more
            site.made.add(name)
            kept = region or Example(registered_domain(page.url), "", (), page.url, name)
            number = self._kept.add(kept, None, page.at, made_by=CRAWL, form=form)
            self._kept.set_state(number, OFF, str(error))
            self._count("not_learnt")
            return
        del self._met[name]
        site.made.add(name)
        number = self._kept.add(region, source, page.at, made_by=CRAWL, form=form)
        live = _ActiveExtractor(number, name, CRAWL, form, LEARNING, region, source, [])
        self._learnt(live, source, page.at, "learnt")
        site.live.append(live)

    def _answers(
        self, page: PageInput, form: int, name: str
    ) -> tuple[Example | None, PageLayout | None, list[tuple[str, PageLayout]]]:
        """Return what the fullest record of an answer shows, and further answers."""
        fullest = max(page.records, key=lambda record: len(dict(record.attributes)))
        attributes: dict[str, list[str]] = {}
        for attribute, value in fullest.attributes:
            attributes.setdefault(attribute, []).append(value)
        shown = tuple((attribute, tuple(values)) for attribute, values in attributes.items())
        region = Example(
            registered_domain(page.url), "", shown[:_MOST_ATTRIBUTES], page.url, name, kind="list"
        )
        return region, page.layout, self._kept.answers(form, ENOUGH)

    def _pages_of_records(
        self, page: PageInput, form: int, name: str
    ) -> tuple[Example | None, PageLayout | None, list[tuple[str, PageLayout]]]:
        """Return what the page of a record that says most shows, and further pages of records."""
        read = self._kept.pages_of_records(form, ENOUGH)
        pages = [(url, layout.texts) for url, _, layout in read]
        region = make_example(pages, registered_domain(page.url), name, [title for _, title, _ in read])
        shown = next((layout for url, _, layout in read if region is not None and url == region.page), None)
        return region, shown, [(url, layout) for url, _, layout in read]

    # What is kept already

    def take_from_store(self, name: str, at: float) -> int:
        """Take what a source wants from all pages that are kept; return from how many."""
        return sum(
            self._take_stored(kept.number, kept.domain, kept.source, at)
            for kept in self._kept.all(name=name)
            if kept.source is not None
        )

    def _take_stored(
        self,
        number: int,
        domain: str,
        source: Extractor,
        at: float,
        passing: int | None = None,
        most: int | None = None,
    ) -> int:
        """Take what a source wants from pages that are kept, all or the newest, but the one that passes; return from how many."""
        count = 0
        wanted = [page for page in self._kept.pages_at(domain, source.addresses) if page != passing]
        if most is not None and len(wanted) > most:
            logger.warning(
                "%s: taken from the newest %d of %d stored pages; to have all, import its region again after the crawl",
                source.region.name, most, len(wanted),
            )  # fmt: skip
            wanted = wanted[-most:]
        for page, _, layout in self._kept.layouts(wanted):
            reading = source.read(layout)
            if reading.is_member:
                count += 1
                self._keep_entries(number, source, page, reading.entries, at)
        return count

    def _keep_entries(
        self, number: int, source: Extractor, page: int, entries: Sequence[ExtractedEntry], at: float
    ) -> None:
        """Keep what a page says, and let the index know."""
        is_list = source.kind == "list"
        numbered = [
            (place if is_list else 0, None, entry.values) for place, entry in enumerate(entries, start=1)
        ]
        if self._kept.keep(number, page, numbered, at, deviates=False):
            self._state.announce(page)

    # Alarms

    def _raise(self, live: _ActiveExtractor, alarm: TemplateAlarm, page: PageInput) -> Change:
        """Tell that the template of a source has changed."""
        live.state = ALARM
        told = str(alarm)
        detail: dict[str, object] = {
            "kind": alarm.kind,
            "decision": alarm.decision.value,
            "finding": alarm.finding.facts() if alarm.finding else None,
            "old": bars_to_json(alarm.old),
            "new": bars_to_json(alarm.new),
            "pages": [number for number, deviates in live.last if deviates],
        }
        self._kept.set_state(live.number, ALARM, told)
        self._kept.note(live.number, "alarm", told, page.at, detail)
        self._count("alarms")
        logger.warning("%s: the template has changed: %s", live.name, told)
        change = Change(
            "template", page.url, page.at, host(page.url), page.title, key=live.name,
            attribute=alarm.attribute or (alarm.finding.path or "" if alarm.finding else ""),
            before=alarm.finding.was if alarm.finding else "", after=alarm.finding.now if alarm.finding else told,
        )  # fmt: skip
        return self._looks.tell(page.page, page.site, change)

    def _repair(self, live: _ActiveExtractor, source: Extractor, page: PageInput) -> None:
        """Find what is known of records in their new pages, and learn from there."""
        if self._repairs == "ask" and self._is_proposed(live.number):
            return
        self._find_what_was_lost(live, source, page)
        new = [number for number, deviates in live.last if deviates]
        known = live.lost | {number: said for number in new if (said := self._kept.said(live.number, number))}
        if len(known) <= live.tried:
            return
        live.tried = len(known)
        read = {number: (url, layout) for number, url, layout in self._kept.layouts({*new, *live.lost})}
        read[page.page] = page.url, page.layout  # its version may not be kept yet
        fixed, proof = repair_extractor(
            source,
            [(read[number][1], said) for number, said in known.items() if number in read],
            list(read.values()),
        )
        if proof.still_holds:
            fixed = fit_extractor(source, list(read.values()))
        is_better = proof.is_convincing or proof.still_holds
        if is_better and self._repairs == "auto":
            self._learnt(live, fixed, page.at, "repaired", str(proof), _proof_as_json(proof))
            self._read_again(live, fixed, read, page.at)
            logger.info("%s: repaired: %s", live.name, proof)
        elif is_better:
            detail = {**_proof_as_json(proof), "source": fixed.to_json()}
            self._kept.set_state(live.number, ALARM, f"{proof}: scrapy templates accept takes it over")
            self._kept.note(live.number, "proposed", str(proof), page.at, detail)
            self._count("proposed")
        elif proof.is_gone:
            live.state = PUT_OFF
            why = f"what was known stands on none of {proof.pages} new pages: choose a new region (scrapy regions add)"
            self._kept.set_state(live.number, PUT_OFF, why)
            self._kept.note(live.number, "put_off", why, page.at, _proof_as_json(proof))
            self._count("put_off")
            logger.warning("%s: put off: %s", live.name, why)

    def _find_what_was_lost(self, live: _ActiveExtractor, source: Extractor, page: PageInput) -> None:
        """Where one attribute is gone from pages that look as before, find what they said of it in their earlier versions."""
        alarm = source.alarm()
        if alarm is None or alarm.kind != "fill" or source.kind != "page" or len(live.lost) >= MOST_LEARNT:
            return
        urls = {page.page: page.url}
        if not live.lost:
            urls |= {number: url for number, url, _ in self._kept.layouts(n for n, _ in live.last[-WINDOW:])}
        for number, url in urls.items():
            if (said := self._when_it_had(source, url, alarm.attribute)) is not None:
                live.lost[number] = [said]

    def _when_it_had(self, source: Extractor, url: str, attribute: str) -> Mapping[str, Sequence[str]] | None:
        """Return what a page said when it last had an attribute."""
        for version in reversed(self._state.versions.of(url)[-_MOST_VERSIONS:]):
            kept = self._state.versions.source(version.number)
            if kept is not None:
                entries = source.read(read_layout(kept.body, content_type=kept.content_type)).entries
                if len(entries) == 1 and entries[0].values.get(attribute):
                    return entries[0].values
        return None

    def _read_again(
        self,
        live: _ActiveExtractor,
        source: Extractor,
        pages: Mapping[int, tuple[str, PageLayout]],
        at: float,
    ) -> None:
        """Take from the pages that came since the template changed what the new pattern finds."""
        for number, (_, layout) in pages.items():
            reading = source.read(layout)
            if reading.is_member:
                self._keep_entries(live.number, source, number, reading.entries, at)
                live.last.append((number, False))
        live.is_dirty = True

    # The state

    def _site(self, url: str) -> _SiteExtractors:
        return self._of(registered_domain(url))

    def _of(self, domain: str) -> _SiteExtractors:
        site = self._sites.get(domain)
        if site is None:
            kept = self._kept.all(domain=domain)
            counts = self._kept.counts() if kept else {}
            site = self._sites[domain] = _SiteExtractors(
                [_live(each, counts.get(each.number, (0, 0))[0]) for each in kept],
                {each.name for each in kept if each.made_by == CRAWL},
            )
        return site

    def _write(self) -> None:
        """Write what the watches remember of the last pages, with the commit of these pages."""
        for site in self._sites.values():
            for live in site.live:
                if live.is_dirty and live.source is not None:
                    self._kept.saw(live.number, live.source, live.last)
                    live.is_dirty = False


def _parse_values(source: Extractor, entry: ExtractedEntry) -> dict[str, list[object]]:
    """Return what the values of an entry say, where all values of an attribute can be read."""
    read = {
        name: [source.parse_value(name, value) for value in values]
        for name, values in entry.values.items()
        if values
    }
    return {
        name: [each.value for each in all_ if each is not None]
        for name, all_ in read.items()
        if None not in all_
    }


def _has_turn(live: _ActiveExtractor, url: str) -> bool:
    """Say whether a source looks at a page; one that only watches the answers of a form looks at some of them."""
    if live.source is None or not live.source.wants(url):
        return False
    if live.made_by == PERSON or live.source.kind == "page" or live.state != WATCHED:
        return True
    live.passed += 1
    return live.passed % SOME == 0


def _live(kept: StoredExtractor, pages: int) -> _ActiveExtractor:
    return _ActiveExtractor(
        kept.number,
        kept.name,
        kept.made_by,
        kept.form,
        kept.state,
        kept.region,
        kept.source,
        list(kept.last),
        kept=pages,
    )


def _what_was_learnt(source: Extractor) -> str:
    what = "list of records" if source.kind == "list" else "record"
    return f"{', '.join(source.attributes)} of a {what}, learnt from {source.learnt_from} pages"


def _is_as_before(source: Extractor, layout: PageLayout) -> bool:
    """Say whether a page looks like those that a source was learnt from."""
    reading = source.read(layout)
    return reading.is_member and (not source.is_watched or source.watch.deviation(reading.paths) is None)


def _attribute_changes(
    page: PageInput, before: Sequence[Mapping[str, Sequence[str]]], entries: Sequence[ExtractedEntry]
) -> list[Change]:
    """Return which attributes of a page about one record say something else."""
    if len(before) != 1 or len(entries) != 1:
        return []
    old, new = before[0], entries[0].values
    return [
        Change(
            "record changed", page.url, page.at, host(page.url), page.title, key=page.url, attribute=name,
            before="; ".join(old.get(name, ())), after="; ".join(new.get(name, ())),
        )
        for name in dict.fromkeys((*old, *new))
        if _folded(old.get(name, ())) != _folded(new.get(name, ()))
    ]  # fmt: skip


def _folded(values: Iterable[str]) -> list[str]:
    return [" ".join(value.split()) for value in values]


def _proof_as_json(proof: RepairProof) -> dict[str, object]:
    return {
        "pages": proof.pages,
        "known": proof.known,
        "found_by_old": proof.found_by_old,
        "found_by_new": proof.found_by_new,
        "standing": proof.standing,
        "by_attribute": [list(each) for each in proof.by_attribute],
    }
