"""What a query policy promises: it chooses queries, one at a time, and takes in their answers page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.query import Choice, LedgerEntry, OpenAnswer, QueryProposal
    from hiddenweb.querying.search_behaviour import AnswerReach


class QueryPolicy(Protocol):
    """Chooses questions, one at a time, and is given their answers page by page."""

    def next(self) -> QueryProposal | None:
        """Return the best question, or None when there is none left."""

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False
    ) -> None:
        """Take note that this is asked now, whoever chose it; its pages follow. goes_on: those after the last one that was read."""

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Take in a page of the answer under way: keys of records and their words, which are only read of new ones; return how many are new."""

    def is_worth_turning(self) -> bool:
        """Say whether the next page of the answer under way is worth a request."""

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Take note that no more pages are read; had_more: another one was offered, and left; cut: there is more that cannot be had."""

    def failed(self) -> None:
        """Take note that the question got no answer: nothing is learnt from it, and it is not asked again."""

    def interrupt_answer(self) -> None:
        """Take note that the host failed in the middle of the answer, or before its first page: what is left of it may come later."""

    def estimate(self) -> Estimate | None:
        """Return how many records there are, if anything can be said."""

    def common(self, but: Collection[str]) -> str | None:
        """Return the plain word that most known records hold, of those that are not to be asked; None if there is none."""

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""

    def to_json(self) -> str:
        """Return what ledger and records do not tell, the answer under way included; its size is bounded."""

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        """Go on where another process ended, with the keys and words of records and how often each was met; the ledger without the question under way."""


class WordPolicy(QueryPolicy, Protocol):
    """A policy for words that says how far answers reach; whoever is a `AnswerLog` does."""

    @property
    def reach(self) -> AnswerReach:
        """Return how many records of an answer can be had."""

    @property
    def under_way(self) -> OpenAnswer:
        """Return the answer whose pages are read."""

    def set_aside(self, answer: OpenAnswer) -> None:
        """Remember how much of an interrupted answer was read."""
