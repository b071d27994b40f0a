"""Cut answers to words, and how many of their records a further option would find."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nlargest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hiddenweb.querying.option_counts import Choices, OptionCounts
    from hiddenweb.querying.policies.options.submitted_queries import Query
    from hiddenweb.querying.query import Choice, LedgerEntry

_SHARE_OF_UNKNOWN_WORD = 0.02
"""The share of all records for a word without any count; a limit of taste."""

_HIDDEN_WITHOUT_TOTAL = 0.5
"""The share of a cut answer that was not shown, if it has no total; a limit of taste."""

_MOST_COVERED = 0.999
"""The highest share of known records that is assumed: otherwise the others could never be found; a limit of taste."""


@dataclass(slots=True)
class CutWordAnswer:
    """A cut answer to words."""

    total: int | None
    hidden: float  # the share of it that was not shown
    covered: float  # the share of all records that was known at that time
    refined: dict[str, dict[str, int | None]] = field(default_factory=dict)  # by control: totals of options


class WordAnswers:
    """The answers to words, with or without options, that were cut."""

    def __init__(self, counts: OptionCounts, required: Collection[str]) -> None:
        self._counts, self._required = counts, required
        self._cut: dict[Query, CutWordAnswer] = {}

    def get(self, words: tuple[str, ...], choices: Choices) -> CutWordAnswer | None:
        """Return the cut answer to a query, if it was cut."""
        return self._cut.get((words, choices))

    def learn(self, line: LedgerEntry, found: int | None, *, is_cut: bool) -> None:
        """Learn from an answer to words; found: its total, None if it is unknown."""
        choices = frozenset(line.choices)
        for choice in sorted(choices):
            wider = self._cut.get((line.words, choices - {choice}))
            if wider is None and choice[0] in self._required:
                wider = self._cut[line.words, choices - {choice}] = CutWordAnswer(None, 1.0, self._covered)
            if wider is not None:
                wider.refined.setdefault(choice[0], {})[choice[1]] = found
        if is_cut:
            hidden = 1 - line.found / found if found else _HIDDEN_WITHOUT_TOTAL
            self._cut[line.words, choices] = CutWordAnswer(found, hidden, self._covered)

    def list_best(self, count: int) -> Iterator[Query]:
        """Yield the cut answers with the most hidden records."""
        best = nlargest(count, self._cut.items(), key=lambda each: self._hidden(each[1]))
        yield from (query for query, _ in best)

    def estimate_refined(self, cut: CutWordAnswer, choice: Choice) -> tuple[float, float]:
        """Return how many records an option finds of a cut answer, and the share of them that is hidden."""
        control, _ = choice
        submitted = cut.refined.get(control, {})
        shares = sum(self._counts.share((control, value)) for value in submitted)
        submitted_total = sum(total or 0 for total in submitted.values())
        share = self._counts.share(choice)
        if cut.total is None:
            whole = submitted_total / shares if shares else self._counts.size * _SHARE_OF_UNKNOWN_WORD
            return whole * share, 1 - self._covered
        remaining = max(cut.total - submitted_total, 0) * min(share / max(1 - shares, share, 1e-6), 1.0)
        return remaining, self._hidden(cut) / max(cut.total, 1)

    def _hidden(self, cut: CutWordAnswer) -> float:
        """Return how many records of an answer are still hidden, if as many of them as of all others were found since."""
        still_hidden = (1 - self._covered) / max(1 - cut.covered, 1e-3)
        return (cut.total or self._counts.size * _SHARE_OF_UNKNOWN_WORD) * cut.hidden * min(still_hidden, 1.0)

    @property
    def _covered(self) -> float:
        return min(self._counts.known / max(self._counts.size, 1.0), _MOST_COVERED)
