"""How many words in a row may bring nothing new before a form is exhausted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.querying.coverage import Estimate

LAST_WORDS = 3
"""Words in a row that are tried by chance and bring nothing new, after which no other is tried; a limit of taste (docs/querying.md)."""

MORE_WORDS = 8
"""The same, while the estimate says that many records are hidden; a limit of taste."""

FIRST_WORDS = 20
"""The same, while nearly nothing is known; a limit of taste."""

MOST_KNOWN = 0.9
"""The share of known records, by the estimate, from which few are hidden; a limit of taste."""

FEWEST_RECORDS = 20
"""The fewest known records for which a query can be expected to find anything; a limit of taste."""

FEWEST_ANSWERS = 8
"""The same, for answers with records; a limit of taste."""


class QueryPatience:
    """Counts words that brought nothing new, and answers that had records."""

    def __init__(self) -> None:
        self.fruitless = 0  # words of the page in a row that brought nothing new
        self.found = 0  # answers that had records

    def limit(self, estimate: Estimate | None) -> int:
        """Return how many words in a row may bring nothing new.

        >>> QueryPatience().limit(None)
        20
        """
        if estimate is None or estimate.known < FEWEST_RECORDS or self.found < FEWEST_ANSWERS:
            return FIRST_WORDS
        is_nearly_all = not estimate.is_bound and estimate.known >= MOST_KNOWN * estimate.size
        return LAST_WORDS if is_nearly_all else MORE_WORDS

    @property
    def is_low(self) -> bool:
        """Whether the last words brought nothing new."""
        return self.fruitless >= LAST_WORDS

    def count_word(self, *, brought_new: bool) -> None:
        """Count a word that was tried by chance."""
        self.fruitless = 0 if brought_new else self.fruitless + 1

    def renew(self) -> None:
        """Start counting again: something was found."""
        self.fruitless = 0
