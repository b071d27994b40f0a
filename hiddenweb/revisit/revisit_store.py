"""What a revisit finds in the store, and the protocol of the store for the records of answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import CrawlTask, Record
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.comparison import ComparisonState
    from hiddenweb.revisit.revisit import FetchedBody, StoredBody

Miss = Literal["gone", "known to be gone", "shown elsewhere", "not proved"]
"""What follows for a record that an answer no longer shows."""


@dataclass(frozen=True, slots=True)
class StoredReading:
    """What the store has for the next revisit of a page."""

    page: int
    site: int
    known: ComparisonState | None  # None: it was never compared, and its stored body must be read
    body: StoredBody | None  # of the newest version, if it must be read
    version: int | None  # number of the newest version
    at: float  # of the last revisit, or of the first reading
    odds: bytes
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class StoredAnswerPage:
    """A further page of an answer, as it was stored."""

    url: str
    number: int
    body: FetchedBody


@dataclass(frozen=True, slots=True)
class AnswerRevisit:
    """What became of the records of an answer at one revisit."""

    submission: int
    at: float
    pages: int
    whole: bool
    why: str = ""
    added: int = 0
    removed: int = 0
    changed: int = 0
    not_seen: int = 0


class AnswerRecordStore(Protocol):
    """Stores which pages an answer has, which records it shows, and what became of them."""

    def load_further_pages(self, submission: int) -> list[StoredAnswerPage]:
        """Return the further pages of an answer as they were read, in their order."""

    def find_cap(self, form: int) -> int:
        """Return the round number of records beyond which no answer of a form goes; 0: there is none."""

    def plan_page(self, task: CrawlTask, url: str, number: int) -> int | None:
        """Plan the revisit of a further page of an answer, before all others; return its link, None if it is out of scope."""

    def end_page(self, link: int) -> bool:
        """End the revisit of a further page; return whether nothing else was planned for it."""

    def plan_detail_page(self, task: CrawlTask, url: str) -> int | None:
        """Plan the revisit of the own page of a record that left an answer, before all others; return its link."""

    def find_record(self, site: int, key: str) -> tuple[int, bool] | None:
        """Return the number of a record, and whether it is known to be gone; None if it was never seen."""

    def load_record(self, site: int, key: str) -> tuple[str, str]:
        """Return the title and the text of a stored record."""

    def find_detail_page(self, site: int, key: str) -> str | None:
        """Return the address of the own page of a record; None if it has none that we may fetch."""

    def mark_shown(self, submission: int, site: int, records: Iterable[Record]) -> None:
        """Note the records that an answer shows now."""

    def mark_missing(self, submission: int, site: int, key: str, at: float, *, is_proof: bool) -> Miss:
        """Note that an answer no longer shows a record; return what follows from that."""

    def mark_gone(self, site: int, key: str, at: float) -> None:
        """Note that a record is gone."""

    def update_record(self, site: int, record: Record) -> None:
        """Save the new content of a record."""

    def is_reported(self, site: int, change: Change, since: float) -> bool:
        """Return whether another answer has reported the same change of a record since a time."""

    def save_revisit(self, revisit: AnswerRevisit) -> None:
        """Save what became of the records of an answer."""
