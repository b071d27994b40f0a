"""The protocol of query policies: they choose queries, one at a time, and read their answers page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.query import Choice, LedgerEntry, OpenAnswer, QueryProposal
    from hiddenweb.querying.search_behaviour import AnswerReach


class QueryPolicy(Protocol):
    """Chooses queries, one at a time, and reads their answers page by page."""

    def next(self) -> QueryProposal | None:
        """Return the best query, or None if there is none left."""

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        """Note that a query is submitted now, whoever chose it; its pages follow. continues: an earlier answer is resumed after its last page that was read."""

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Read a page of the answer under way: keys of records and their words, which are only read for new records; return how many are new."""

    def is_worth_turning(self) -> bool:
        """Say whether the next page of the answer under way is worth a request."""

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Note that no more pages are read; had_more: another one was offered, and not read; cut: there are more records that cannot be reached."""

    def failed(self) -> None:
        """Note that the query got no answer: nothing is learnt from it, and it is not submitted again."""

    def interrupt_answer(self) -> None:
        """Note that the host failed in the middle of the answer, or before its first page: the rest may come later."""

    def estimate(self) -> Estimate | None:
        """Return how many records there are, if that can be estimated."""

    def common(self, excluded: Collection[str]) -> str | None:
        """Return the plain word that most known records hold, except the excluded ones; None if there is none."""

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""

    def to_json(self) -> str:
        """Return what is neither in the ledger nor in the records, including the answer under way; its size is bounded."""

    def restore(
        self, saved: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        """Resume where another process ended, with the keys and words of records and how often each was found; the ledger without the query under way."""


class WordPolicy(QueryPolicy, Protocol):
    """A policy for words that knows how far answers reach, such as every `AnswerLog`."""

    @property
    def reach(self) -> AnswerReach:
        """Return how many records of an answer can be reached."""

    @property
    def under_way(self) -> OpenAnswer:
        """Return the answer whose pages are being read."""

    def set_aside(self, answer: OpenAnswer) -> None:
        """Remember how much of an interrupted answer was read."""
