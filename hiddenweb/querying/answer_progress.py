"""How far the answer under way has come, and how far those had come that an outage of their site interrupted."""

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
    """What the pages of an answer have brought so far, and what its query was for. The order of the fields is that of the stored state."""

    new: int = 0
    shown: int = 0
    total: int | None = None  # as the site says
    promised: float = 0.0
    is_trying: bool = False  # a word of the page, tried for luck
    wide: tuple[str, ...] | None = None  # a query that may list everything
    known_before: int = 0  # records, when the query was submitted

    def begin(self, promised: float, known: int) -> None:
        """Take note that a query is submitted; what it is for was decided before."""
        self.new = self.shown = 0
        self.total = None
        self.promised, self.known_before = promised, known

    def add_page(self, shown: int, new: int, total: int | None) -> None:
        """Take note of a page."""
        self.new += new
        self.shown += shown
        self.total = self.total if total is None else total


class InterruptedAnswers:
    """Answers that are not over: their sites failed in the middle, and the rest may come.

    >>> interrupted = InterruptedAnswers()
    >>> interrupted.add((("film",), ()), AnswerProgress(new=3, shown=5))
    >>> interrupted.pop((("film",), ())), interrupted.pop((("film",), ()))
    (AnswerProgress(new=3, shown=5, total=None, promised=0.0, is_trying=False, wide=None, known_before=0), None)
    """

    def __init__(self) -> None:
        self._answers: dict[QueryKey, AnswerProgress] = {}

    def add(self, query: QueryKey, progress: AnswerProgress) -> None:
        """Remember how far an answer had come; the oldest are forgotten."""
        self._answers[query] = replace(progress)
        while len(self._answers) > MOST_INTERRUPTED:
            del self._answers[next(iter(self._answers))]

    def pop(self, query: QueryKey) -> AnswerProgress | None:
        """Return how far an answer had come, if it was interrupted; it is under way again."""
        return self._answers.pop(query, None)

    def to_json(self) -> list[list[Any]]:
        """Return what is remembered."""
        return [[*query, *astuple(progress)] for query, progress in self._answers.items()]

    def restore(self, written: Iterable[Sequence[Any]]) -> None:
        """Resume from what was written down."""
        for words, choices, *before in written:
            progress = AnswerProgress(*before)
            progress.wide = None if progress.wide is None else tuple(progress.wide)
            self._answers[tuple(words), tuple((name, value) for name, value in choices)] = progress
