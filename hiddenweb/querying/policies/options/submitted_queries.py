"""Which queries were submitted, with signatures of their answers: two answers with one signature show the same records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.querying.option_counts import Choices

Query = tuple[tuple[str, ...], "Choices"]
"""The words and options of a query."""


class SubmittedQueries:
    """The queries of one form that were submitted.

    >>> submitted, drama = SubmittedQueries(), frozenset([("genre", "drama")])
    >>> submitted.sign((), frozenset(), 7), sorted(submitted.sign((), drama, 8))
    (set(), [7])
    >>> ((), drama) in submitted, len(submitted)
    (True, 2)
    """

    def __init__(self) -> None:
        self._signatures: dict[Query, int | None] = {}

    def __contains__(self, query: Query) -> bool:
        return query in self._signatures

    def __len__(self) -> int:
        return len(self._signatures)

    def add(self, words: tuple[str, ...], choices: Choices) -> None:
        """Note a query that is submitted."""
        self._signatures.setdefault((words, choices), None)

    def sign(self, words: tuple[str, ...], choices: Choices, signature: int) -> set[int]:
        """Remember the signature of an answer; return those of the same query with one option less, or without words."""
        self._signatures[words, choices] = signature
        wider = [(words, choices - {choice}) for choice in choices]
        if words:
            wider.append(((), choices))
        signatures = map(self._signatures.get, wider)
        return {each for each in signatures if each is not None}
