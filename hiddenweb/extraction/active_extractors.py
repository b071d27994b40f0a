"""The extractors in use during a crawl, and what their watches remember.

They are read from the store when the first page of their site comes. What a watch remembers of the last pages is written with the commit of these pages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiddenweb.extraction.extractor import MOST_LEARNT
from hiddenweb.extraction.extractor_store import CRAWL, LEARNING, OFF, PERSON, PUT_OFF, WAITING, WATCHED
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hiddenweb.extraction.examples import Example
    from hiddenweb.extraction.extractor import ExtractedEntry, Extractor
    from hiddenweb.extraction.extractor_store import ExtractionStore, StoredExtractor

SAMPLED_ANSWERS = 4
"""Of so many pages of answers an automatic extractor reads one, once it knows their template; a limit of taste."""


@dataclass(slots=True)
class ActiveExtractor:
    """An extractor in use."""

    number: int
    name: str
    origin: str
    form: int | None
    state: str
    example: Example
    extractor: Extractor | None
    last: list[tuple[int, bool]]  # pages that its watch saw, and whether they deviate
    tried: int = 0  # known pages with which a repair was tried in vain
    lost: dict[int, list[Mapping[str, Sequence[str]]]] = field(default_factory=dict)
    """What pages said that lack an attribute now."""

    is_dirty: bool = False
    stored: int = 0  # pages of which is kept what they said
    passed: int = 0  # pages that it might have read

    @classmethod
    def restore(cls, kept: StoredExtractor, pages: int) -> ActiveExtractor:
        """Return an extractor as it was stored; so many pages of it are kept."""
        return cls(
            kept.number, kept.name, kept.origin, kept.form, kept.state, kept.example, kept.extractor,
            list(kept.last), stored=pages,
        )  # fmt: skip

    @property
    def is_automatic(self) -> bool:
        """Whether the crawl made it by itself."""
        return self.origin == CRAWL

    @property
    def deviating_pages(self) -> list[int]:
        """Those of the last pages that deviate from its template."""
        return [number for number, deviates in self.last if deviates]

    def might_want(self, url: str) -> bool:
        """Say whether it reads a page; one that only watches the answers of a form reads some of them."""
        if self.state in (OFF, PUT_OFF):
            return False
        if self.state == WAITING:
            return self.example.page == url
        if self.extractor is None or not self.extractor.wants(url):
            return False
        if self.origin == PERSON or self.extractor.kind == "page" or self.state != WATCHED:
            return True
        self.passed += 1
        return self.passed % SAMPLED_ANSWERS == 0

    def remember(self, page: int, *, deviates: bool) -> None:
        """Remember a page as one of the last."""
        self.last = [each for each in self.last if each[0] != page][-(MOST_LEARNT - 1) :]
        self.last.append((page, deviates))
        self.is_dirty = True

    def is_calm(self) -> bool:
        """Say whether it was learnt from few pages and has seen many since, none of which deviates."""
        return (
            self.origin == PERSON
            and self.extractor is not None
            and self.extractor.learnt_from < MOST_LEARNT
            and not self.extractor.repairs
            and len(self.last) >= MOST_LEARNT
            and not self.deviating_pages
        )


@dataclass(slots=True)
class SiteExtractors:
    """The extractors of a site."""

    active: list[ActiveExtractor] = field(default_factory=list)
    automatic: set[str] = field(default_factory=set)  # names, also of those that cannot be learnt


class ActiveExtractors:
    """The extractors of the sites that a crawl came to."""

    def __init__(self, store: ExtractionStore, count: Callable[[str], None]) -> None:
        self._store = store
        self._sites: dict[str, SiteExtractors] = {}
        self.count = count
        store.call_before_commit(self.save)

    def site_of(self, url: str) -> SiteExtractors:
        """Return the extractors of the site of an address."""
        return self._site(registered_domain(url))

    def find(self, name: str) -> tuple[StoredExtractor, ActiveExtractor] | None:
        """Return the extractor with a name, as it is stored and as it is in use."""
        for kept in self._store.all(name=name):
            return kept, next(each for each in self._site(kept.domain).active if each.number == kept.number)
        return None

    def take_over(
        self,
        active: ActiveExtractor,
        extractor: Extractor,
        at: float,
        kind: str,
        summary: str = "",
        detail: Mapping[str, object] | None = None,
    ) -> None:
        """Use what was learnt from now on, and note why."""
        active.extractor, active.last, active.tried, active.lost = extractor, [], 0, {}
        active.state = WATCHED if extractor.is_watched else LEARNING
        self._store.keep_learnt(active.number, extractor)
        self._store.note(active.number, kind, summary or summarise(extractor), at, detail)
        self.count(kind)

    def forget(self) -> None:
        """Read the extractors of all sites again when they are needed."""
        self.save()
        self._sites.clear()

    def save(self) -> None:
        """Write what the watches remember of the last pages."""
        for site in self._sites.values():
            for each in site.active:
                if each.is_dirty and each.extractor is not None:
                    self._store.keep_watch(each.number, each.extractor, each.last)
                    each.is_dirty = False

    def _site(self, domain: str) -> SiteExtractors:
        site = self._sites.get(domain)
        if site is None:
            kept = self._store.all(domain=domain)
            counts = self._store.counts() if kept else {}
            site = self._sites[domain] = SiteExtractors(
                [ActiveExtractor.restore(each, counts.get(each.number, (0, 0))[0]) for each in kept],
                {each.name for each in kept if each.origin == CRAWL},
            )
        return site


def summarise(extractor: Extractor) -> str:
    """Return in a sentence what was learnt."""
    what = "list of records" if extractor.kind == "list" else "record"
    return f"{', '.join(extractor.attributes)} of a {what}, learnt from {extractor.learnt_from} pages"


def keep_entries(
    store: ExtractionStore,
    number: int,
    extractor: Extractor,
    page: int,
    entries: Sequence[ExtractedEntry],
    at: float,
) -> None:
    """Keep what a page says, and let the index know if that is new."""
    is_list = extractor.kind == "list"
    numbered = [(place if is_list else 0, None, entry.values) for place, entry in enumerate(entries, start=1)]
    if store.keep(number, page, numbered, at, deviates=False):
        store.announce(page)
