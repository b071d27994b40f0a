"""The extractors in use during a crawl, and what their watches remember.

They are read from the store at the first page of their site. What a watch remembers of the last pages is written with the commit of these pages.
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
"""An automatic extractor that knows its template reads one in so many pages of answers; a limit of taste."""


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
    last: list[tuple[int, bool]]  # the last pages of its watch, and whether they deviate
    tried: int = 0  # known pages with which a repair failed
    lost: dict[int, list[Mapping[str, Sequence[str]]]] = field(default_factory=dict)
    """Earlier values of pages that lack an attribute now."""

    is_dirty: bool = False
    stored: int = 0  # pages whose values are stored
    passed: int = 0  # pages that it could have read

    @classmethod
    def restore(cls, row: StoredExtractor, pages: int) -> ActiveExtractor:
        """Return an extractor as it was stored, with so many stored pages."""
        return cls(
            row.number, row.name, row.origin, row.form, row.state, row.example, row.extractor,
            list(row.last), stored=pages,
        )  # fmt: skip

    @property
    def is_automatic(self) -> bool:
        """Whether the crawl made it automatically."""
        return self.origin == CRAWL

    @property
    def deviating_pages(self) -> list[int]:
        """The last pages that deviate from its template."""
        return [number for number, deviates in self.last if deviates]

    def might_want(self, url: str) -> bool:
        """Return whether it reads a page; an automatic one that knows its template reads only some answers."""
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
        """Return whether it was learnt from few pages and none of many later pages deviates."""
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
    """The extractors of the sites of a crawl."""

    def __init__(self, store: ExtractionStore, count: Callable[[str], None]) -> None:
        self._store = store
        self._sites: dict[str, SiteExtractors] = {}
        self.count = count
        store.call_before_commit(self.save)

    def site_of(self, url: str) -> SiteExtractors:
        """Return the extractors of the site of an address."""
        return self._site(registered_domain(url))

    def find(self, name: str) -> tuple[StoredExtractor, ActiveExtractor] | None:
        """Return the extractor with a name, as stored and as in use."""
        for row in self._store.all(name=name):
            return row, next(each for each in self._site(row.domain).active if each.number == row.number)
        return None

    def replace_extractor(
        self,
        active: ActiveExtractor,
        extractor: Extractor,
        at: float,
        kind: str,
        summary: str = "",
        detail: Mapping[str, object] | None = None,
    ) -> None:
        """Use a newly learnt extractor from now on, and note why."""
        active.extractor, active.last, active.tried, active.lost = extractor, [], 0, {}
        active.state = WATCHED if extractor.is_watched else LEARNING
        self._store.save_learnt(active.number, extractor)
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
                    self._store.save_watch(each.number, each.extractor, each.last)
                    each.is_dirty = False

    def _site(self, domain: str) -> SiteExtractors:
        site = self._sites.get(domain)
        if site is None:
            rows = self._store.all(domain=domain)
            counts = self._store.counts() if rows else {}
            site = self._sites[domain] = SiteExtractors(
                [ActiveExtractor.restore(each, counts.get(each.number, (0, 0))[0]) for each in rows],
                {each.name for each in rows if each.origin == CRAWL},
            )
        return site


def summarise(extractor: Extractor) -> str:
    """Return a sentence about what was learnt."""
    what = "list of records" if extractor.kind == "list" else "record"
    return f"{', '.join(extractor.attributes)} of a {what}, learnt from {extractor.learnt_from} pages"


def save_entries(
    store: ExtractionStore,
    number: int,
    extractor: Extractor,
    page: int,
    entries: Sequence[ExtractedEntry],
    at: float,
) -> None:
    """Save the entries of a page, and tell the index if they are new."""
    is_list = extractor.kind == "list"
    numbered = [(place if is_list else 0, None, entry.values) for place, entry in enumerate(entries, start=1)]
    if store.save_entries(number, page, numbered, at, deviates=False):
        store.announce(page)
