"""What extraction stores between crawls, and the protocol of its store."""

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

MOST_OTHER_PAGES = 300
"""Pages of a site that are searched for similar ones: a few seconds of reading."""


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
    extractor: Extractor | None  # None: nothing was learnt yet, or it cannot be read any more
    last: tuple[tuple[int, bool], ...] = ()  # the last pages of the watch, and whether they deviate


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was extracted from a page as one record."""

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
    """An event in the life of the template of an extractor."""

    number: int
    extractor: int
    at: float
    kind: str
    summary: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The own page of a record."""

    url: str
    title: str  # of the record
    stated: Sequence[tuple[str, str]]  # labels and values that the page states of it
    layout: PageLayout


class ExtractionStore(Protocol):
    """Stores extractors, what they extracted, and the events of their templates."""

    def all(self, *, domain: str = "", name: str = "", form: int | None = None) -> list[StoredExtractor]:
        """Return all extractors, those of a site, of a form, or the one with a name; the oldest first."""

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
        """Save an extractor under the name of its example, in place of one with the same name; return its number."""

    def remove(self, name: str) -> bool:
        """Remove an extractor and all that it extracted; False if there is none."""

    def save_learnt(self, number: int, extractor: Extractor, why: str = "") -> None:
        """Save what an extractor learnt, with an empty memory of the last pages."""

    def save_watch(self, number: int, extractor: Extractor, last: Iterable[tuple[int, bool]]) -> None:
        """Save what the watch of an extractor remembers of the last pages."""

    def set_state(self, number: int, state: str, why: str = "") -> None:
        """Set the state of an extractor, and why."""

    def call_before_commit(self, write: Callable[[], None]) -> None:
        """Register a function that is called before each commit."""

    def layouts(self, pages: Iterable[int]) -> Iterator[tuple[int, str, PageLayout]]:
        """Yield numbers, addresses and layouts of stored pages; those without a version are left out."""

    def earlier_layouts(self, url: str, most: int) -> Iterator[PageLayout]:
        """Yield the layouts of the last versions of a page, the newest first."""

    def layout_at(self, url: str) -> tuple[int, PageLayout] | None:
        """Return the number and the layout of the page at an address."""

    def other_pages(self, url: str, limit: int = MOST_OTHER_PAGES) -> list[tuple[str, PageLayout]]:
        """Return pages of the site of an address with their layouts; those at similar addresses first."""

    def pages_at(self, domain: str, addresses: UrlPatterns) -> list[int]:
        """Return the pages of a site at addresses of these patterns."""

    def pages_of_answers(self, form: int, limit: int) -> list[tuple[str, PageLayout]]:
        """Return the newest pages of the answers of a form with their addresses and layouts."""

    def pages_of_records(self, form: int, limit: int) -> list[RecordPage]:
        """Return the newest own pages of the records of a form."""

    def save_entries(
        self,
        extractor: int,
        page: int,
        entries: Sequence[tuple[int, int | None, Attributes]],
        at: float,
        *,
        deviates: bool,
    ) -> bool:
        """Save the entries of a page, as places, records and attributes; return whether they differ from the stored ones."""

    def attributes_on(self, extractor: int, page: int) -> list[Attributes]:
        """Return the entries of a page from when its template was known."""

    def load_extracted(
        self, *, extractor: int | None = None, page: int | None = None, limit: int = -1
    ) -> Iterator[Extracted]:
        """Yield what was extracted, page by page; only the newest of each page."""

    def counts(self) -> dict[int, tuple[int, int]]:
        """Return how many pages and entries there are of each extractor."""

    def record_by_key(self, site: int, key: str) -> int | None:
        """Return the record of a site with a key."""

    def name_record(self, record: int, attributes: Attributes) -> None:
        """Add attributes that a person named to a record, before its own ones."""

    def announce(self, page: int) -> None:
        """Have the index read a page again."""

    def note(
        self, extractor: int, kind: str, summary: str, at: float, detail: Mapping[str, Any] | None = None
    ) -> int:
        """Save an event of the template of an extractor; return its number."""

    def events(
        self, extractor: int | None = None, *, kinds: Sequence[str] = (), limit: int = -1
    ) -> list[TemplateEvent]:
        """Return events, the newest first."""
