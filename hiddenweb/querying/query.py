"""What is asked of a form and what came of it: the values that policies, the crawl and the ledger have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Choice = tuple[str, str]
"""The name of a control and the value it is given."""

_PAGES_KEPT = 2
"""The last pages of an answer of which it is known what each had; a limit of taste."""

_TELLING = 3
"""Records on the first page of an answer from which it is recognised: fewer may be those of another by chance; a limit of taste."""


class QueryProposal(NamedTuple):
    """A question that is worth asking."""

    words: tuple[str, ...]  # as `hiddenweb.language.tokens.words` gives them; none for choices alone
    expected: float  # new records
    why: str  # for people
    choices: tuple[Choice, ...] = ()
    goes_on: bool = False  # it was asked before and left; its next page is wanted


class LedgerEntry(NamedTuple):
    """A line of the ledger: what was asked, and what came of it. What is read when it is taken up again counts in the same line."""

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
    before: int = 0  # records on pages that were read before it was left and taken up again
    pages: int = 0
    found: int = 0
    new: int = 0
    total: int | None = None
    latest: list[tuple[int, int]] = field(default_factory=list)  # found and new on the last pages
    barren: int = 0  # pages in a row that had nothing new
    begins: int | None = None  # with these records, as one number; None if few of them were read

    @property
    def shown(self) -> int:
        """Return how many records of the answer were read, at whatever time."""
        return self.before + self.found

    def has_same_beginning(self, records: Iterable[int]) -> None:
        """Take note of the records on the first page; a few may be those of another answer by chance."""
        if self.pages or self.before:
            return
        first = frozenset(records)
        self.begins = hash(first) if len(first) >= _TELLING else None

    def add_page(self, found: int, new: int, total: int | None) -> None:
        """Take note of a page."""
        self.pages += 1
        self.found += found
        self.new += new
        self.total = self.total if total is None else total
        self.latest = [*self.latest, (found, new)][-_PAGES_KEPT:]
        self.barren = 0 if new else self.barren + 1

    def to_json(self) -> dict[str, object]:
        """Return what is known of it."""
        return {
            "words": self.words, "choices": self.choices, "before": self.before, "pages": self.pages,
            "found": self.found, "new": self.new, "total": self.total, "latest": self.latest,
            "barren": self.barren, "begins": self.begins,
        }  # fmt: skip

    @classmethod
    def from_json(cls, written: Mapping[str, object]) -> OpenAnswer:
        """Return what was written down."""
        known = cls(**written)  # type: ignore[arg-type]
        known.words = tuple(known.words)
        known.choices = tuple((name, value) for name, value in known.choices)
        known.latest = [(found, new) for found, new in known.latest]
        return known
