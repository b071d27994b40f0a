"""What every policy keeps of the answers it is given, whatever it asks: the records that were met, and the answer under way.

A crawl may end between two pages and go on in another process. What grows with the site, the records and what was asked,
comes back from the store; the rest is small and written down with every question.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.tokens import UNSPACED
from hiddenweb.querying.coverage import estimate_by_overlap
from hiddenweb.querying.query import OpenAnswer
from hiddenweb.querying.search_behaviour import AnswerReach, RecentNewness
from hiddenweb.querying.vocabulary_index import VocabularyIndex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.query import Choice, LedgerEntry

_FREQUENT = 200
"""Frequent words that are looked at besides those that were submitted; a limit of taste, one of so many is plain."""

_LATELY = 10
"""Answers by which the ends of an estimate are checked; a limit of taste."""

_MOSTLY_KNOWN = 0.5
"""The share of new records in these answers from which they say little about the ends; a limit of taste."""

_MOST_PLACES = 50
"""Interrupted answers whose place is remembered; a limit of taste, it bounds the stored state."""

_SHORTEST = 3
"""Letters of a plain word; a limit of taste, many sites refuse shorter ones."""

NO_ANSWER = "a page was read, but no query is open: call note_query() before read() and end_answer()"


def is_plain(word: str, language: str) -> bool:
    """Say whether a word may say what a record is about: no stop word, no number, nothing very short."""
    if word in stop_words(language) or word.isdigit():
        return False
    return len(word) >= _SHORTEST or language in UNSPACED


class AnswerLog(ABC):
    """The records of one form's site, read page by page."""

    def __init__(self, language: str = "") -> None:
        self.language = language
        self.seen = VocabularyIndex()
        self.reach = AnswerReach()
        self.latest = RecentNewness()
        self._most_told = 0  # records that one question found, as the site says
        self._shown_whole = 0  # records in answers that were shown as a whole, with those shown before
        self._shown_cut = 0  # and in those that were not
        self._under_way: OpenAnswer | None = None
        self._places: dict[tuple[tuple[str, ...], tuple[Choice, ...]], int] = {}  # in interrupted answers

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False
    ) -> None:
        before = self._places.pop((tuple(words), tuple(choices)), 0) if goes_on else 0
        if goes_on and not before and not choices:
            before = self.read_before(words)
        self._under_way = OpenAnswer(tuple(words), tuple(choices), before)
        self.seen.turn_to_next_answer()

    def read_before(self, words: Sequence[str]) -> int:  # noqa: ARG002
        """Return how many records of an answer were read before it was left."""
        return 0

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        new = sum(self.seen.meet(key, words) for key, words in records)
        self.under_way.has_same_beginning(key for key, _ in records)
        self.under_way.add_page(len(records), new, total)
        self._most_told = max(self._most_told, total or 0)
        self.reach.add_page(len(records))
        return new

    def is_worth_turning(self) -> bool:
        return True

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        if cut and answer.shown and not answer.choices:
            self.reach.ends_at(answer.shown)
        if not answer.choices:
            self.reach.end_answer(
                answer.shown, answer.total, had_more=had_more, known=len(self.seen), begins=answer.begins
            )
        if self.reach.is_cut(answer.shown, self.reach.learn_total(answer.total), had_more=had_more) or cut:
            self._shown_cut += answer.found
        else:
            self._shown_whole += answer.found
        self.latest.add(answer.found, answer.new, len(self.seen) - answer.new)
        self._under_way = None

    def failed(self) -> None:
        self._under_way = None

    def interrupt_answer(self) -> None:
        answer = self.under_way
        if answer.shown:
            self.end_answer(had_more=True)
            self.set_aside(answer)
        else:
            self.failed()

    def set_aside(self, answer: OpenAnswer) -> None:
        """Remember how much of an interrupted answer was read: it goes on when the site does. The oldest are forgotten."""
        self._places[answer.words, answer.choices] = answer.shown
        while len(self._places) > _MOST_PLACES:
            del self._places[next(iter(self._places))]

    def estimate(self) -> Estimate | None:
        estimate = estimate_by_overlap(self.seen.sums_of_all())
        return estimate and self.held_to_facts(estimate, estimate_by_overlap=True)

    def held_to_facts(self, estimate: Estimate, *, estimate_by_overlap: bool) -> Estimate:
        """Return an estimate that holds what the site said of any question, and has no upper end if it rests on answers that were cut.

        Its ends hold as well what follows if as much of all records is hidden as was new of what the last answers showed.
        """
        hidden = self.latest.share_of_new(_LATELY)
        if hidden is not None and hidden[1] < _MOSTLY_KNOWN:
            estimate = estimate.scale_to_share(*hidden)
        estimate = estimate.raise_least(self._most_told)
        is_capped = self.reach.most is not None or self.reach.refused is not None
        if estimate_by_overlap and is_capped and self._shown_cut > self._shown_whole:
            return estimate.open_end()
        return estimate

    def common(self, but: Collection[str]) -> str | None:
        if self.reach.refused is not None:  # what is frequent finds too much here
            return None
        frequent = (self.seen.words[number] for number in self.seen.most_frequent(len(but) + _FREQUENT))
        return next((word for word in frequent if word not in but and is_plain(word, self.language)), None)

    def example(self, words: Iterable[str]) -> int | None:
        return self.seen.example(words)

    @property
    def under_way(self) -> OpenAnswer:
        """Return the answer whose pages are read."""
        if self._under_way is None:
            raise ValueError(NO_ANSWER)
        return self._under_way

    def to_json(self) -> str:
        return json.dumps(self.small_state(), ensure_ascii=False)

    def small_state(self) -> dict[str, object]:
        """Return what neither records nor ledger tell."""
        under_way = self._under_way
        return {
            "reach": self.reach.to_json(),
            "latest": self.latest.to_json(),
            "most_told": self._most_told,
            "shown": [self._shown_whole, self._shown_cut],
            "under_way": None if under_way is None else under_way.to_json(),
            "places": [[*key, shown] for key, shown in self._places.items()],
        }

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        state = json.loads(written) if written else {}
        if state:
            self.restore_small_state(state)
        lines = list(ledger)
        # Records come in the order in which they were met, so their numbers tell where an answer ended.
        ends = set(accumulate(line.new for line in lines))
        for at, (key, words, times) in enumerate(records):
            if at in ends:
                self.seen.turn_to_next_answer()
            self.seen.restore(key, words, times)
        for line in lines:
            self.restore_line(line)
        for (words, choices), shown in list(self._places.items()):
            self.set_aside(OpenAnswer(words, choices, shown))

    def restore_small_state(self, state: dict[str, Any]) -> None:
        """Go on from what was written down."""
        self.reach.restore(state["reach"])
        self.latest.restore(state["latest"])
        self._most_told = state.get("most_told", 0)
        self._shown_whole, self._shown_cut = state.get("shown", (0, 0))
        for words, choices, shown in state.get("places", ()):
            self._places[tuple(words), tuple((name, value) for name, value in choices)] = shown
        under_way = state["under_way"]
        self._under_way = None if under_way is None else OpenAnswer.from_json(under_way)

    @abstractmethod
    def restore_line(self, line: LedgerEntry) -> None:
        """Take note of what was asked before, and what came of it."""
