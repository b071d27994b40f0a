"""How much of the answer under way was read, and how much of those that an outage interrupted."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.querying.query import Choice

MOST_INTERRUPTED = 50
"""Interrupted answers that are remembered; a limit of taste, it bounds the stored state."""

QueryKey = tuple[tuple[str, ...], tuple["Choice", ...]]
"""The words and options of a query."""


@dataclass(slots=True)
class AnswerProgress:
    """What the pages of an answer brought so far, and why its query was submitted. The stored state has the fields in this order."""

    new: int = 0
    shown: int = 0
    total: int | None = None  # as the site says
    promised: float = 0.0
    is_trying: bool = False  # the query is a word of the page, tried by chance
    wide: tuple[str, ...] | None = None  # the words of a query that may list everything
    known_before: int = 0  # records, when the query was submitted

    def begin(self, promised: float, known: int) -> None:
        """Note that a query is submitted; its purpose is already set."""
        self.new = self.shown = 0
        self.total = None
        self.promised, self.known_before = promised, known

    def add_page(self, shown: int, new: int, total: int | None) -> None:
        """Count a page."""
        self.new += new
        self.shown += shown
        self.total = self.total if total is None else total


class InterruptedAnswers:
    """Unfinished answers: their sites failed in the middle, and the rest may come later.

    >>> interrupted = InterruptedAnswers()
    >>> interrupted.add((("film",), ()), AnswerProgress(new=3, shown=5))
    >>> interrupted.pop((("film",), ())), interrupted.pop((("film",), ()))
    (AnswerProgress(new=3, shown=5, total=None, promised=0.0, is_trying=False, wide=None, known_before=0), None)
    """

    def __init__(self) -> None:
        self._answers: dict[QueryKey, AnswerProgress] = {}

    def add(self, query: QueryKey, progress: AnswerProgress) -> None:
        """Remember how much of an answer was read; the oldest are forgotten."""
        self._answers[query] = replace(progress)
        while len(self._answers) > MOST_INTERRUPTED:
            del self._answers[next(iter(self._answers))]

    def pop(self, query: QueryKey) -> AnswerProgress | None:
        """Return how much of an interrupted answer was read, and forget it: the answer is under way again."""
        return self._answers.pop(query, None)

    def to_json(self) -> list[list[Any]]:
        """Return the state to save."""
        return [[*query, *astuple(progress)] for query, progress in self._answers.items()]

    def restore(self, saved: Iterable[Sequence[Any]]) -> None:
        """Restore the saved state."""
        for words, choices, *fields in saved:
            progress = AnswerProgress(*fields)
            progress.wide = None if progress.wide is None else tuple(progress.wide)
            self._answers[tuple(words), tuple((name, value) for name, value in choices)] = progress
