"""What extraction keeps between crawls, and the protocol of the store that keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.extraction.examples import Example
    from hiddenweb.extraction.extractor import Extractor
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.urls import UrlPatterns

    Attributes = Mapping[str, Sequence[str]]

WAITING, LEARNING, WATCHED, ALARM, PUT_OFF, OFF = "waiting", "learning", "watched", "alarm", "put_off", "off"
"""The states of an extractor."""

PERSON, CRAWL = "person", "crawl"
"""Where an extractor comes from."""

MOST_SHOWN = 300
"""Pages of a site among which those like a shown one are looked for: a few seconds of reading."""


@dataclass(frozen=True, slots=True)
class StoredExtractor:
    """An extractor as it is stored."""

    number: int
    name: str
    domain: str
    origin: str
    form: int | None
    state: str
    why: str
    added: float
    example: Example
    extractor: Extractor | None  # None: nothing was learnt yet, or cannot be read any more
    last: tuple[tuple[int, bool], ...] = ()  # pages that the watch saw, and whether they deviate


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a page says of one record."""

    number: int
    extractor: int
    page: int
    url: str
    place: int
    at: float
    deviates: bool
    record: int | None
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class TemplateEvent:
    """Something that happened to the template of an extractor."""

    number: int
    extractor: int
    at: float
    kind: str
    summary: str
    detail: Mapping[str, Any]


class ExtractionStore(Protocol):
    """Where extractors are kept, with what they extracted and what happened to their templates."""

    def all(self, *, domain: str = "", name: str = "", form: int | None = None) -> list[StoredExtractor]:
        """Return all extractors, those of a site, of a form, or the one with a name; in the order in which they came."""

    def add(
        self,
        example: Example,
        extractor: Extractor | None,
        at: float,
        *,
        origin: str = PERSON,
        form: int | None = None,
        why: str = "",
    ) -> int:
        """Keep an extractor under the name of its example, instead of the one that had the name; return its number."""

    def remove(self, name: str) -> bool:
        """Forget an extractor, and all that it extracted; False if there is none."""

    def keep_learnt(self, number: int, extractor: Extractor, why: str = "") -> None:
        """Keep what an extractor learnt, with an empty memory of the last pages."""

    def keep_watch(self, number: int, extractor: Extractor, last: Iterable[tuple[int, bool]]) -> None:
        """Keep what the watch of an extractor remembers of the last pages."""

    def set_state(self, number: int, state: str, why: str = "") -> None:
        """Say what an extractor is doing, and why."""

    def call_before_commit(self, write: Callable[[], None]) -> None:
        """Call this before what was written is made lasting."""

    def layouts(self, pages: Iterable[int]) -> Iterator[tuple[int, str, PageLayout]]:
        """Yield numbers, addresses and layouts of pages, read again; those without a version are left out."""

    def earlier_layouts(self, url: str, most: int) -> Iterator[PageLayout]:
        """Yield the layouts of the last versions of a page, the newest first."""

    def layout_at(self, url: str) -> tuple[int, PageLayout] | None:
        """Return the number and the layout of the page at an address."""

    def other_pages(self, url: str, limit: int = MOST_SHOWN) -> list[tuple[str, PageLayout]]:
        """Return pages of the site of an address with their layouts; those at like addresses first."""

    def pages_at(self, domain: str, addresses: UrlPatterns) -> list[int]:
        """Return the pages of a site that are at some addresses."""

    def pages_of_answers(self, form: int, limit: int) -> list[tuple[str, PageLayout]]:
        """Return the newest pages of the answers of a form with their addresses and layouts."""

    def pages_of_records(self, form: int, limit: int) -> list[tuple[str, str, PageLayout]]:
        """Return the newest own pages of the records of a form: addresses, what the records are called, and layouts."""

    def keep(
        self,
        extractor: int,
        page: int,
        entries: Sequence[tuple[int, int | None, Attributes]],
        at: float,
        *,
        deviates: bool,
    ) -> bool:
        """Keep what a page says, as places, records and attributes; return whether that is not what it said before."""

    def attributes_on(self, extractor: int, page: int) -> list[Attributes]:
        """Return what a page said when its template was known, entry by entry."""

    def load_extracted(
        self, *, extractor: int | None = None, page: int | None = None, limit: int = -1
    ) -> Iterator[Extracted]:
        """Yield what was extracted, page by page; of each page the newest only."""

    def counts(self) -> dict[int, tuple[int, int]]:
        """Return how many pages and entries there are of each extractor."""

    def record_by_key(self, site: int, key: str) -> int | None:
        """Return the record of a site with a key."""

    def name_record(self, record: int, attributes: Attributes) -> None:
        """Give a record the attributes that a person named, before those it has."""

    def announce(self, page: int) -> None:
        """Let the index take in a page once more."""

    def note(
        self, extractor: int, kind: str, summary: str, at: float, detail: Mapping[str, Any] | None = None
    ) -> int:
        """Note what happened to the template of an extractor; return the number of the event."""

    def events(
        self, extractor: int | None = None, *, kinds: Sequence[str] = (), limit: int = -1
    ) -> list[TemplateEvent]:
        """Return what happened, the newest first."""
