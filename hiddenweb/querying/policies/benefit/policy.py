"""The default policy for a box for words: it submits what is expected to bring the most new records for its cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenweb.querying.answer_log import AnswerLog, is_plain
from hiddenweb.querying.coverage import estimate_by_numbers
from hiddenweb.querying.policies.benefit.answer_learner import BenefitLearner, QueryUnderWay
from hiddenweb.querying.policies.benefit.candidates import CandidateFinder
from hiddenweb.querying.policies.benefit.unfinished_answers import (
    MOST_FRUITLESS_IF_LIMITED,
    UnfinishedAnswers,
    count_new_lately,
)
from hiddenweb.querying.policies.benefit.word_gains import WordGains
from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
from hiddenweb.querying.policies.expected_gain import ExpectedGain
from hiddenweb.querying.query import QueryProposal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.policies.benefit.candidates import QueryCandidate
    from hiddenweb.querying.policies.benefit.word_knowledge import WordAdviser
    from hiddenweb.querying.query import Choice, LedgerEntry, OpenAnswer

QUERY_COST = 20.0
"""The cost of a query in pages, in addition to those of its answer: searching is more work for a site than showing the next page. A limit of taste."""

MOST_WORDS = 3
"""Words of one query at most; a limit of taste, few cut answers need a fourth word."""

MOST_FRUITLESS_PAGES = 10
"""Pages of an answer in a row that may have nothing new, where answers have no limit; a limit of taste (docs/querying.md)."""

_LEAVE_BELOW = 0.5
"""The share of the best other rate below which an answer is left; a limit of taste, guesses are not that good."""

_PAGES_TO_JUDGE = 3
"""Pages of an answer before their results count more than the expectation; a limit of taste."""

_COMMON = 200
"""Frequent words to look at, in addition to the submitted ones; a limit of taste, one of so many is plain."""

_RAKING_STEPS = 10
"""Raking steps for records that come from the store; a limit of taste, raking changes little after that."""


class BenefitPolicy(AnswerLog):
    """Knows the records of one form's site, and chooses the next query."""

    def __init__(
        self, language: str = "", *, query_cost: float = QUERY_COST, most_words: int = MOST_WORDS
    ) -> None:
        super().__init__(language)
        self.knowledge = WordKnowledge(self.vocabulary, self.reach, self.latest, language)
        self._unfinished = UnfinishedAnswers(self.knowledge)
        self._learner = BenefitLearner(self.knowledge, self._unfinished, most_words)
        self._gains = WordGains(self.knowledge, query_cost)
        self.finder = CandidateFinder(self.knowledge, self._gains, self._unfinished, most_words)
        self._candidate: QueryCandidate | None = None  # to be submitted
        self._query = QueryUnderWay(found_again=set())

    def advise(self, adviser: WordAdviser) -> None:
        """Use an adviser, which knows more about the worth of words."""
        self.knowledge.adviser = adviser

    def next(self) -> QueryProposal | None:
        if not len(self.vocabulary):
            return None
        candidates = self.finder.find()
        if not candidates:
            self._candidate = None
            return None
        best, *others = candidates[:2]
        self._candidate = best
        self._query.other_rate = others[0].rate if others else 0.0
        return QueryProposal(
            self.knowledge.spell(best.words), best.new, self._explain(best), continues=best.continues
        )

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        super().note_query(words, choices, continues=continues)
        query = self._query
        query.known_before, query.found_again, query.expected = len(self.vocabulary), set(), None
        candidate, self._candidate = self._candidate, None
        if choices or not words:
            return
        submitted = self.vocabulary.numbers(words)
        self.knowledge.submitted.setdefault(submitted, None)
        self.knowledge.word_forms.note_query(words)
        if continues:
            return
        if candidate is not None and candidate.words == submitted:
            query.expected = candidate.expected
        else:
            query.other_rate = 0.0
            expected = self._gains.expect([submitted])
            query.expected = expected.of(0) if expected is not None else None

    def count_read_before(self, words: Sequence[str]) -> int:
        return self._unfinished.shown(self.vocabulary.numbers(words))

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        if self._query.found_again is not None:
            places = (self.vocabulary.place_of(key) for key, _ in records)
            self._query.found_again.update(place for place in places if place is not None)
        new = super().read(records, total)
        self.knowledge.gains.read()
        return new

    def is_worth_turning(self) -> bool:
        answer, has_limit = self.under_way, self.knowledge.gains.has_limit
        if not any(found for found, _ in answer.latest):
            return False
        if answer.barren >= (MOST_FRUITLESS_IF_LIMITED if has_limit else MOST_FRUITLESS_PAGES):
            return False
        if answer.choices or not answer.words or has_limit:
            return True
        return self._rate_here(answer) >= _LEAVE_BELOW * self._query.other_rate

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        super().end_answer(had_more=had_more, cut=cut)
        if not answer.choices and answer.words:
            self._learner.learn(answer, self._query, had_more=had_more)
        self._query.expected = None
        self.knowledge.gains.weights.settle()

    def failed(self) -> None:
        answer = self.under_way
        super().failed()
        if answer.words and not answer.choices:
            self._unfinished.discard(self.vocabulary.numbers(answer.words))

    def set_aside(self, answer: OpenAnswer) -> None:
        super().set_aside(answer)
        self._unfinished.discard(self.vocabulary.numbers(answer.words))

    def common(self, excluded: Collection[str]) -> str | None:
        if self.reach.refused is not None:  # frequent words find too much here
            return None
        frequent = self.vocabulary.most_frequent(len(excluded) + _COMMON)
        found = self.vocabulary.count[frequent] * self.knowledge.findable(frequent)
        for number in frequent[np.argsort(-found, kind="stable")].tolist():
            word: str = self.vocabulary.words[number]
            if word not in excluded and is_plain(word, self.language):
                return word
        return None

    def estimate(self) -> Estimate | None:
        known, gains = len(self.vocabulary), self.knowledge.gains
        if not gains.has_limit and known:
            hidden = gains.odds * known
        elif len(gains.weights):
            hidden = gains.weights.total - known
        else:
            return super().estimate()
        estimate = estimate_by_numbers(known, hidden, len(self.knowledge.submitted))
        return self.fit_to_facts(estimate, estimate_by_overlap=False)

    # From one process to the next

    def small_state(self) -> dict[str, object]:
        expected = self._query.expected
        return (
            super().small_state()
            | self.knowledge.to_json()
            | {
                "known_before": self._query.known_before,
                "elsewhere": self._query.other_rate,
                "expected": None if expected is None else [np.asarray(each).tolist() for each in expected],
            }
        )

    def restore_small_state(self, state: dict[str, Any]) -> None:
        super().restore_small_state(state)
        self.knowledge.restore(state)
        self._query = QueryUnderWay(state["known_before"], other_rate=state["elsewhere"])
        if self._under_way is not None and not self._under_way.choices:
            self.knowledge.submitted.setdefault(self.vocabulary.numbers(self._under_way.words), None)
            if state["expected"] is not None:
                expected = ExpectedGain(*map(np.array, state["expected"]))
                self._query.expected = self.knowledge.gains.resume(expected)

    def restore(
        self, saved: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        super().restore(saved, records, ledger)
        self.knowledge.gains.read()
        for _ in range(_RAKING_STEPS):
            self.knowledge.gains.weights.settle()

    def restore_line(self, line: LedgerEntry) -> None:
        self.knowledge.gains.read()
        if not line.words or line.choices:
            return
        self.knowledge.word_forms.note_query(line.words)
        if line.answered:
            self._learner.take_in(
                self.vocabulary.numbers(line.words), line.found, line.total, had_more=line.left
            )
        else:
            self.knowledge.submitted.setdefault(self.vocabulary.numbers(line.words), None)

    def _rate_here(self, answer: OpenAnswer) -> float:
        """Return how many new records the next page of the answer under way may have."""
        total: float | None = answer.total
        if total is None and self._query.expected is not None and answer.pages < _PAGES_TO_JUDGE:
            total = float(self._query.expected.found)
        rate = self._unfinished.rate_of_rest(self.vocabulary.numbers(answer.words), answer.shown, total)
        lately = count_new_lately(answer)
        if rate is None:
            return lately
        if answer.pages < _PAGES_TO_JUDGE:
            return rate
        # lists show less than searches read: known records may hold the words invisibly
        so_far = self.reach.page_size * (answer.new + 1) / (answer.found + 2)  # one more against chance
        return min(rate, max(lately, so_far))

    def _explain(self, best: QueryCandidate) -> str:
        known = len(self.vocabulary.places(best.words))
        terms = " and ".join(map(repr, self.knowledge.spell(best.words)))
        if best.expected is None:
            return f"{terms} has pages left; {best.new:,.0f} new records are expected on the next one"
        searched = round(float(best.expected.known))
        where = f", {searched:,} of them where it is searched for" if searched < known else ""
        return (
            f"{known:,} records hold {terms}{where}, about {float(best.expected.found):,.0f} in all; "
            f"{best.new:,.0f} new ones are expected"
        )
