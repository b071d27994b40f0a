"""Learning from answers to words: how many records hold them, how the search treats words, and how good the promise was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiddenweb.querying.answer_log import is_plain

if TYPE_CHECKING:
    from hiddenweb.querying.policies.benefit.unfinished_answers import UnfinishedAnswers
    from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
    from hiddenweb.querying.policies.expected_gain import ExpectedGain
    from hiddenweb.querying.query import OpenAnswer
    from hiddenweb.querying.vocabulary_index import Numbers, Places

_MOST_LOOKED_UP = 200
"""The most known records that are read to learn which of their parts are searched; a limit of taste, it bounds the work."""

_CONTRADICTED = 0.5
"""The share of the known records holding a word that its answer must have, or the word teaches nothing; a limit of taste."""

_BY_CHANCE = 4
"""Records that are added to those shown of an unfinished answer; a limit of taste, a few records say little."""


@dataclass(slots=True)
class QueryUnderWay:
    """What was known when the query under way was submitted."""

    known_before: int = 0  # records
    expected: ExpectedGain | None = None
    other_rate: float = 0.0  # the rate of the best other query
    found_again: set[int] | None = None  # places of known records in the answer; None: lost by a kill


class BenefitLearner:
    """Learns from answers to words."""

    def __init__(self, knowledge: WordKnowledge, unfinished: UnfinishedAnswers, most_words: int) -> None:
        self._knowledge, self._unfinished, self._most_words = knowledge, unfinished, most_words

    def learn(self, answer: OpenAnswer, query: QueryUnderWay, *, had_more: bool) -> None:
        """Learn from an answer whose last page was read."""
        knowledge, reach = self._knowledge, self._knowledge.reach
        words = knowledge.vocabulary.numbers(answer.words)
        places = knowledge.vocabulary.places(words)
        before = places[: np.searchsorted(places, query.known_before)]
        answer.total = reach.learn_total(answer.total)
        if had_more and not answer.shown and answer.total is None and len(places):
            reach.note_refusal(len(places) * (1 + knowledge.gains.odds))
        found = max(answer.shown, answer.total or 0)
        if len(words) == 1 and not answer.before and (found or not had_more):
            self._learn_word(words[0], before, answer, query, found=found, had_more=had_more)
        if found < _CONTRADICTED * len(before) and not answer.before and not had_more:
            self.take_in(words, answer.shown, answer.total, had_more=had_more)
            return
        if answer.total is not None and not answer.before and knowledge.adviser.are_visible(answer.words):
            held = self._count_held(before, answer, query)
            knowledge.gains.learn_total(answer.total, held, query.known_before)
        self._learn_promise(answer, query, before, had_more=had_more)
        self._unfinished.note_end(words, answer)
        self.take_in(words, answer.shown, answer.total, had_more=had_more)

    def take_in(self, words: Numbers, shown: int, total: int | None, *, had_more: bool) -> None:
        """Note how many records hold some words, and whether all were shown."""
        knowledge = self._knowledge
        self._unfinished.update(words, shown, had_more=had_more)
        if not knowledge.reach.is_cut(shown, total, had_more=had_more):
            knowledge.submitted[words] = knowledge.whole[words] = shown
            knowledge.refinements.discard(words)
            knowledge.gains.weights.close(words)
            return
        knowledge.submitted[words] = total
        knowledge.whole.pop(words, None)
        if total is not None and knowledge.are_visible(words):
            knowledge.gains.weights.learn_total(words, total)
            if len(words) > 1:
                self._learn_behaviour(words, total)
        if len(words) < self._most_words and (not had_more or not shown):
            knowledge.refinements.add(words, total, shown)

    def _learn_word(
        self,
        word: int,
        before: Places,
        answer: OpenAnswer,
        query: QueryUnderWay,
        *,
        found: int,
        had_more: bool,
    ) -> None:
        """Learn how the search treats a single word, and in which parts of records it looks for it."""
        knowledge, text = self._knowledge, answer.words[0]
        searched = int(len(before) * float(knowledge.findable(np.array((word,)))[0]) + 0.5)
        is_cut = knowledge.reach.is_cut(answer.shown, answer.total, had_more=had_more)
        share = len(before) / max(query.known_before, 1)
        knowledge.behaviour.learn_word(text, held_by=searched, share=share, found=found, or_more=is_cut)
        if not is_cut and query.found_again is not None and is_plain(text, knowledge.language):
            self._learn_parts(word, before, query.found_again)
        knowledge.word_forms.learn_word(text, answer.begins)

    def _learn_parts(self, word: int, before: Places, found_again: set[int]) -> None:
        """Learn which parts are searched: those in which found records hold the word."""
        by_part: dict[str, list[bool]] = {}
        for place in before[:_MOST_LOOKED_UP].tolist():
            by_part.setdefault(self._knowledge.vocabulary.part_at(place, word), []).append(
                place in found_again
            )
        for part, found in by_part.items():
            self._knowledge.parts.learn(part, sum(found), len(found))

    def _learn_promise(
        self, answer: OpenAnswer, query: QueryUnderWay, before: Places, *, had_more: bool
    ) -> None:
        """Learn by how much the promise of a query was off."""
        expected = query.expected
        if expected is None:
            return
        is_cut = self._knowledge.reach.is_cut(answer.shown, answer.total, had_more=had_more)
        total = answer.total if answer.total is not None else None if is_cut else answer.shown
        if len(self._knowledge.vocabulary.parts) > 1:
            held = self._count_held_where_searched(before, query)
            hidden = expected.found - expected.known
            expected = expected._replace(known=np.array(float(held)), found=held + hidden)
        if (
            total is None and expected.found < answer.shown
        ):  # it found more than expected, at least the shown records
            total = answer.shown
        self._knowledge.gains.learn(expected, found=total, shown=answer.found, new=answer.new)

    def _count_held(self, before: Places, answer: OpenAnswer, query: QueryUnderWay) -> int:
        """Return how many known records are in the total of an answer: those that hold the words, or more if its pages showed more.

        Lists show less of a record than searches read, so a word may find known records that do not seem to hold it.
        """
        by_text = self._count_held_where_searched(before, query)
        known_shown, total = answer.found - answer.new, answer.total or answer.shown
        by_chance = 0 if answer.shown >= total else _BY_CHANCE
        return max(by_text, round(total * known_shown / max(answer.found + by_chance, 1)))

    def _count_held_where_searched(self, before: Places, query: QueryUnderWay) -> int:
        """Return how many of the known records with the words were found; the search may not read all their parts."""
        if len(self._knowledge.vocabulary.parts) == 1 or not query.found_again:
            return len(before)
        return sum(place in query.found_again for place in before.tolist())

    def _learn_behaviour(self, words: Numbers, total: int) -> None:
        """Learn how several words act together, by what they found with one word less."""
        for word in words:
            fewer = self._knowledge.submitted.get(tuple(other for other in words if other != word))
            if fewer == total:
                self._knowledge.behaviour.note_ignored(self._knowledge.vocabulary.words[word])
            elif fewer is not None:
                self._knowledge.behaviour.learn_together(total, fewer)
