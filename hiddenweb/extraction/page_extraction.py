"""What goes into the extraction from one page, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hiddenweb.extraction.extractor_store import PERSON

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    form: int | None = None  # whose answer it is
    record_of: int | None = None  # the form whose answers led to it, if it is the page of a record
    records: tuple[Record, ...] = ()  # of an answer


@dataclass(frozen=True, slots=True)
class ExtractedValues:
    """What one extractor found on a page."""

    extractor: str  # its name
    origin: str
    entries: tuple[ExtractedEntry, ...]
    typed: tuple[Mapping[str, list[object]], ...]  # of each entry: what values say that are more than texts
    is_list: bool
    is_new: bool  # it is not what the page said before

    @property
    def is_reported(self) -> bool:
        """Whether feeds get it: the records of answers were reported by whoever read the answer."""
        return self.is_new and (self.origin == PERSON or not self.is_list)


@dataclass(frozen=True, slots=True)
class ExtractionChange:
    """Something that a page shows to be another than before: an attribute of its record, or its template."""

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
        """Names and values of what was extracted from a page that is about one record."""
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
