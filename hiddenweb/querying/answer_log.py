"""What every policy remembers of its answers: the records that were found, and the answer under way.

A crawl may end between two pages and continue in another process. What grows with the site, records and submissions,
is restored from the store; the rest is small and saved with every query.
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
"""Frequent words to look at, in addition to the submitted ones; a limit of taste, one of so many is plain."""

_LATELY = 10
"""Answers by which the ends of an estimate are checked; a limit of taste."""

_MOSTLY_KNOWN = 0.5
"""The share of new records from which these answers say little about the ends; a limit of taste."""

_MOST_PLACES = 50
"""Interrupted answers whose place is remembered; a limit of taste, it bounds the stored state."""

_SHORTEST = 3
"""Letters of a plain word; a limit of taste, many sites refuse shorter ones."""

NO_ANSWER = "a page was read, but no query is open: call note_query() before read() and end_answer()"


def is_plain(word: str, language: str) -> bool:
    """Say whether a word may describe a record: no stop word, no number, not very short."""
    if word in stop_words(language) or word.isdigit():
        return False
    return len(word) >= _SHORTEST or language in UNSPACED


class AnswerLog(ABC):
    """The records of one form's site, read page by page."""

    def __init__(self, language: str = "") -> None:
        self.language = language
        self.vocabulary = VocabularyIndex()
        self.reach = AnswerReach()
        self.latest = RecentNewness()
        self._highest_total = 0  # the most records of one answer, as the site says
        self._shown_whole = 0  # records in answers that were shown whole, known ones included
        self._shown_cut = 0  # the same in answers that were cut
        self._under_way: OpenAnswer | None = None
        self._places: dict[tuple[tuple[str, ...], tuple[Choice, ...]], int] = {}  # in interrupted answers

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        before = self._places.pop((tuple(words), tuple(choices)), 0) if continues else 0
        if continues and not before and not choices:
            before = self.count_read_before(words)
        self._under_way = OpenAnswer(tuple(words), tuple(choices), before)
        self.vocabulary.begin_answer()

    def count_read_before(self, words: Sequence[str]) -> int:  # noqa: ARG002
        """Return how many records of an unfinished answer were read."""
        return 0

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        new = sum(self.vocabulary.add(key, words) for key, words in records)
        self.under_way.note_beginning(key for key, _ in records)
        self.under_way.add_page(len(records), new, total)
        self._highest_total = max(self._highest_total, total or 0)
        self.reach.add_page(len(records))
        return new

    def is_worth_turning(self) -> bool:
        return True

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        if cut and answer.shown and not answer.choices:
            self.reach.note_cut_at(answer.shown)
        if not answer.choices:
            self.reach.end_answer(
                answer.shown,
                answer.total,
                had_more=had_more,
                known=len(self.vocabulary),
                begins=answer.begins,
            )
        if self.reach.is_cut(answer.shown, self.reach.learn_total(answer.total), had_more=had_more) or cut:
            self._shown_cut += answer.found
        else:
            self._shown_whole += answer.found
        self.latest.add(answer.found, answer.new, len(self.vocabulary) - answer.new)
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
        """Remember how much of an interrupted answer was read, to resume it later. The oldest are forgotten."""
        self._places[answer.words, answer.choices] = answer.shown
        while len(self._places) > _MOST_PLACES:
            del self._places[next(iter(self._places))]

    def estimate(self) -> Estimate | None:
        estimate = estimate_by_overlap(self.vocabulary.sums_of_all())
        return estimate and self.fit_to_facts(estimate, estimate_by_overlap=True)

    def fit_to_facts(self, estimate: Estimate, *, estimate_by_overlap: bool) -> Estimate:
        """Return an estimate that agrees with all totals of the site, and has no upper end if it rests on cut answers.

        Its interval also contains the size that follows if the share of hidden records is that of new ones in the last answers.
        """
        hidden = self.latest.share_of_new(_LATELY)
        if hidden is not None and hidden[1] < _MOSTLY_KNOWN:
            estimate = estimate.scale_to_share(*hidden)
        estimate = estimate.raise_least(self._highest_total)
        is_capped = self.reach.most is not None or self.reach.refused is not None
        if estimate_by_overlap and is_capped and self._shown_cut > self._shown_whole:
            return estimate.open_end()
        return estimate

    def common(self, excluded: Collection[str]) -> str | None:
        if self.reach.refused is not None:  # frequent words find too much here
            return None
        frequent = (
            self.vocabulary.words[number]
            for number in self.vocabulary.most_frequent(len(excluded) + _FREQUENT)
        )
        return next(
            (word for word in frequent if word not in excluded and is_plain(word, self.language)), None
        )

    def example(self, words: Iterable[str]) -> int | None:
        return self.vocabulary.example(words)

    @property
    def under_way(self) -> OpenAnswer:
        """Return the answer whose pages are being read."""
        if self._under_way is None:
            raise ValueError(NO_ANSWER)
        return self._under_way

    def to_json(self) -> str:
        return json.dumps(self.small_state(), ensure_ascii=False)

    def small_state(self) -> dict[str, object]:
        """Return what is neither in the records nor in the ledger."""
        under_way = self._under_way
        return {
            "reach": self.reach.to_json(),
            "latest": self.latest.to_json(),
            "most_told": self._highest_total,
            "shown": [self._shown_whole, self._shown_cut],
            "under_way": None if under_way is None else under_way.to_json(),
            "places": [[*key, count] for key, count in self._places.items()],
        }

    def restore(
        self, saved: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        state = json.loads(saved) if saved else {}
        if state:
            self.restore_small_state(state)
        lines = list(ledger)
        # Records come in the order in which they were found, so their numbers show where an answer ended.
        ends = set(accumulate(line.new for line in lines))
        for at, (key, words, times_found) in enumerate(records):
            if at in ends:
                self.vocabulary.begin_answer()
            self.vocabulary.restore(key, words, times_found)
        for line in lines:
            self.restore_line(line)
        for (words, choices), count in list(self._places.items()):
            self.set_aside(OpenAnswer(words, choices, count))

    def restore_small_state(self, state: dict[str, Any]) -> None:
        """Restore the saved state."""
        self.reach.restore(state["reach"])
        self.latest.restore(state["latest"])
        self._highest_total = state.get("most_told", 0)
        self._shown_whole, self._shown_cut = state.get("shown", (0, 0))
        for words, choices, count in state.get("places", ()):
            self._places[tuple(words), tuple((name, value) for name, value in choices)] = count
        under_way = state["under_way"]
        self._under_way = None if under_way is None else OpenAnswer.from_json(under_way)

    @abstractmethod
    def restore_line(self, line: LedgerEntry) -> None:
        """Restore a submission and its result."""
