"""The input and the outcome of the extraction from one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hiddenweb.extraction.extractor import ExtractedEntry
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.model import Record


@dataclass(frozen=True, slots=True)
class PageInput:
    """A page that extractors may extract from."""

    url: str
    page: int  # its number in the store
    site: int
    at: float
    layout: PageLayout
    title: str = ""
    form: int | None = None  # whose answer the page is
    record_of: int | None = None  # the form whose answers led to it, if it is the page of a record
    records: tuple[Record, ...] = ()  # of an answer


@dataclass(frozen=True, slots=True)
class ExtractedValues:
    """What one extractor found on a page."""

    extractor: str  # its name
    origin: str
    entries: tuple[ExtractedEntry, ...]
    is_list: bool
    is_new: bool  # the values differ from those stored before


@dataclass(frozen=True, slots=True)
class ExtractionChange:
    """A change on a page: of an attribute of its record, or of its template."""

    kind: Literal["record changed", "template"]
    key: str  # of the record, or the name of the extractor
    attribute: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What was extracted from a page, and what changed."""

    extracted: tuple[ExtractedValues, ...] = ()
    changes: tuple[ExtractionChange, ...] = ()
    deviates: bool = False

    @property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """Names and values that were extracted from a page about one record."""
        return tuple(
            dict.fromkeys(
                (name, value)
                for each in self.extracted
                if not each.is_list
                for entry in each.entries
                for name, values in entry.values.items()
                for value in values
            )
        )
