"""How many words in a row may bring nothing new before a form has had enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.querying.coverage import Estimate

LAST_WORDS = 3
"""Words in a row that are tried for luck and bring nothing new, after which nothing more is expected of them; a limit of taste (docs/querying.md)."""

MORE_WORDS = 8
"""The same, while many records are hidden by our estimate; a limit of taste."""

FIRST_WORDS = 20
"""The same, while nearly nothing is known; a limit of taste."""

MOST_KNOWN = 0.9
"""The share of the records that there are by our estimate, from which not many are hidden; a limit of taste."""

TELLING = 20
"""Records that must be known before anything can be expected of a query; a limit of taste."""

FEWEST_ANSWERS = 8
"""Answers that must have had records, likewise; a limit of taste."""


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
        if estimate is None or estimate.known < TELLING or self.found < FEWEST_ANSWERS:
            return FIRST_WORDS
        is_nearly_all = not estimate.is_bound and estimate.known >= MOST_KNOWN * estimate.size
        return LAST_WORDS if is_nearly_all else MORE_WORDS

    @property
    def is_low(self) -> bool:
        """Whether the last words brought nothing new."""
        return self.fruitless >= LAST_WORDS

    def count_word(self, *, brought_new: bool) -> None:
        """Take note of a word that was tried for luck."""
        self.fruitless = 0 if brought_new else self.fruitless + 1

    def renew(self) -> None:
        """Begin to count anew: something was found."""
        self.fruitless = 0
