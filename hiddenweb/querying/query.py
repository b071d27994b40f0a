"""Queries and their results, as policies, the crawl and the ledger share them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Choice = tuple[str, str]
"""The name of a control and the value it is given."""

_LATEST_PAGES = 2
"""The last pages of an answer whose counts are remembered; a limit of taste."""

_FEWEST_RECORDS = 3
"""The fewest records on a first page that identify an answer: fewer may be those of another one by chance; a limit of taste."""


class QueryProposal(NamedTuple):
    """A query that is worth submitting."""

    words: tuple[str, ...]  # as `hiddenweb.language.tokens.words` gives them; none for choices alone
    expected: float  # new records
    why: str  # for people
    choices: tuple[Choice, ...] = ()
    continues: bool = False  # it was submitted before; the next page of its answer is wanted


class LedgerEntry(NamedTuple):
    """A line of the ledger: a submission and its result. Pages that are read after it is resumed count in the same line."""

    words: tuple[str, ...]
    choices: tuple[Choice, ...]
    found: int  # records on the pages that were read
    new: int  # of them
    total: int | None  # as the site says
    left: bool  # it offers another page, which was not read
    answered: bool = True  # False: no page of its answer came


@dataclass(slots=True)
class OpenAnswer:
    """An answer of which some pages were read, and others may follow."""

    words: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    before: int = 0  # records on pages that were read before it was resumed
    pages: int = 0
    found: int = 0
    new: int = 0
    total: int | None = None
    latest: list[tuple[int, int]] = field(default_factory=list)  # found and new on the last pages
    barren: int = 0  # pages in a row that had nothing new
    begins: int | None = None  # a hash of its first records; None if there were few

    @property
    def shown(self) -> int:
        """Return how many records of the answer were read in all."""
        return self.before + self.found

    def note_beginning(self, records: Iterable[int]) -> None:
        """Note the records on the first page; a few may be those of another answer by chance."""
        if self.pages or self.before:
            return
        first = frozenset(records)
        self.begins = hash(first) if len(first) >= _FEWEST_RECORDS else None

    def add_page(self, found: int, new: int, total: int | None) -> None:
        """Count a page."""
        self.pages += 1
        self.found += found
        self.new += new
        self.total = self.total if total is None else total
        self.latest = [*self.latest, (found, new)][-_LATEST_PAGES:]
        self.barren = 0 if new else self.barren + 1

    def to_json(self) -> dict[str, object]:
        """Return the state to save."""
        return {
            "words": self.words, "choices": self.choices, "before": self.before, "pages": self.pages,
            "found": self.found, "new": self.new, "total": self.total, "latest": self.latest,
            "barren": self.barren, "begins": self.begins,
        }  # fmt: skip

    @classmethod
    def from_json(cls, saved: Mapping[str, object]) -> OpenAnswer:
        """Return the answer of a saved state."""
        answer = cls(**saved)  # type: ignore[arg-type]
        answer.words = tuple(answer.words)
        answer.choices = tuple((name, value) for name, value in answer.choices)
        answer.latest = [(found, new) for found, new in answer.latest]
        return answer
