"""Answers to options without words: which were shown whole, which were cut, and which windows of a range were split."""

from __future__ import annotations

from heapq import nlargest
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiddenweb.querying.option_counts import Choices, OptionCounts
    from hiddenweb.querying.query import Choice
    from hiddenweb.querying.query_control import QueryControl
    from hiddenweb.querying.search_behaviour import AnswerReach


class OptionAnswers:
    """The answers to options without words."""

    def __init__(self, counts: OptionCounts, controls: Mapping[str, QueryControl]) -> None:
        self._counts, self._controls = counts, controls
        self._whole: set[Choices] = set()  # all of whose records were shown
        self._cut: dict[Choices, None] = {}  # in their order
        self._silent: dict[Choices, int] = {}  # records shown by answers without totals
        self._halves: dict[Choice, tuple[Choice, Choice]] = {}

    def learn(
        self, choices: Choices, *, found: int | None, shown: int, is_cut: bool, is_silent: bool
    ) -> None:
        """Learn from an answer; is_silent: it has no total and no further page."""
        if is_silent:
            self._silent[choices] = shown
        self._note_end(choices, found, shown, is_cut=is_cut)

    def doubt_the_longest(self, reach: AnswerReach) -> None:
        """Treat the longest answers without totals as cut: their real ends are unknown."""
        longest = max(self._silent.values(), default=0)
        for choices, shown in self._silent.items():
            is_cut = shown > 0 and (shown >= longest or reach.is_cut(shown, None, had_more=False))
            if is_cut != (choices in self._cut):
                self._note_end(choices, None if is_cut else shown, shown, is_cut=is_cut)

    def is_whole(self, choices: Choices) -> bool:
        """Say whether all records with exactly these choices were shown."""
        return choices in self._whole

    def is_covered(self, choices: Choices) -> bool:
        """Say whether all records with some choices were shown by a query with fewer."""
        sizes = range(len(choices) + 1)
        return any(self.is_whole(frozenset(part)) for size in sizes for part in combinations(choices, size))

    def list_cut(self, count: int) -> list[Choices]:
        """Return the cut answers with the most hidden records."""
        return nlargest(count, self._cut, key=self._counts.hidden)

    def list_halves(self, choices: Choices) -> Iterator[Choices]:
        """Yield choices with a half of one of their windows instead of the window."""
        for choice in sorted(choices):
            yield from (choices - {choice} | {half} for half in self._halves.get(choice, ()))

    def _note_end(self, choices: Choices, found: int | None, shown: int, *, is_cut: bool) -> None:
        self._counts.learn_answer(choices, found=found, shown=shown)
        if is_cut:
            self._cut[choices] = None
            self._whole.discard(choices)
            for choice in sorted(choices):
                self._split(choice)
        else:
            self._cut.pop(choices, None)
            self._whole.add(choices)

    def _split(self, choice: Choice) -> None:
        """Split a window whose answer was cut."""
        name, window = choice
        split = self._controls[name].split if name in self._controls else None
        halves = split(window) if split is not None and choice not in self._halves else None
        if halves is not None:
            self._halves[choice] = ((name, halves[0]), (name, halves[1]))
            self._counts.note_halves(choice, self._halves[choice])
