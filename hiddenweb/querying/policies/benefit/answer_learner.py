"""What the answer to words teaches: how many records hold them, how the search treats words, and how good the promise was."""

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
"""Known records that are looked at to see which of their parts are searched; a limit of taste, it bounds the work."""

_CONTRADICTED = 0.5
"""The share of the known records holding a word that its answer must have, or the word teaches nothing; a limit of taste."""

_BY_CHANCE = 4
"""Records that are added to those shown of an answer which was not read to its end; a limit of taste, a few records tell little."""


@dataclass(slots=True)
class QueryUnderWay:
    """What was known when the query under way was submitted."""

    known_before: int = 0  # records
    expected: ExpectedGain | None = None
    elsewhere: float = 0.0  # the rate of the best other query
    met_again: set[int] | None = (
        None  # places of records that the answer showed again; None: a kill lost them
    )


class BenefitLearner:
    """Learns from answers to words."""

    def __init__(self, knowledge: WordKnowledge, unfinished: UnfinishedAnswers, most_words: int) -> None:
        self._knowledge, self._unfinished, self._most_words = knowledge, unfinished, most_words

    def learn(self, answer: OpenAnswer, query: QueryUnderWay, *, had_more: bool) -> None:
        """Learn from an answer whose last page was read."""
        known, reach = self._knowledge, self._knowledge.reach
        asked = known.seen.numbers(answer.words)
        places = known.seen.places(asked)
        before = places[: np.searchsorted(places, query.known_before)]
        answer.total = reach.learn_total(answer.total)
        if had_more and not answer.shown and answer.total is None and len(places):
            reach.refuses(len(places) * (1 + known.gains.odds))
        found = max(answer.shown, answer.total or 0)
        if len(asked) == 1 and not answer.before and (found or not had_more):
            self._learn_word(asked[0], before, answer, query, found=found, had_more=had_more)
        if found < _CONTRADICTED * len(before) and not answer.before and not had_more:
            self.take_in(asked, answer.shown, answer.total, had_more=had_more)
            return
        if answer.total is not None and not answer.before and known.adviser.are_seen(answer.words):
            held = self._count_held(before, answer, query)
            known.gains.learn_total(answer.total, held, query.known_before)
        self._learn_promise(answer, query, before, had_more=had_more)
        self._unfinished.note_end(asked, answer)
        self.take_in(asked, answer.shown, answer.total, had_more=had_more)

    def take_in(self, asked: Numbers, shown: int, total: int | None, *, had_more: bool) -> None:
        """Take note of how many records hold some words, and whether all were shown."""
        known = self._knowledge
        self._unfinished.update(asked, shown, had_more=had_more)
        if not known.reach.is_cut(shown, total, had_more=had_more):
            known.submitted[asked] = known.whole[asked] = shown
            known.refinements.discard(asked)
            known.gains.stand_ins.close(asked)
            return
        known.submitted[asked] = total
        known.whole.pop(asked, None)
        if total is not None and known.are_seen(asked):
            known.gains.stand_ins.learn_total(asked, total)
            if len(asked) > 1:
                self._learn_habits(asked, total)
        if len(asked) < self._most_words and (not had_more or not shown):
            known.refinements.add(asked, total, shown)

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
        known, text = self._knowledge, answer.words[0]
        searched = int(len(before) * float(known.findable(np.array((word,)))[0]) + 0.5)
        is_cut = known.reach.is_cut(answer.shown, answer.total, had_more=had_more)
        share = len(before) / max(query.known_before, 1)
        known.habits.found(text, held_by=searched, share=share, found=found, or_more=is_cut)
        if not is_cut and query.met_again is not None and is_plain(text, known.language):
            self._learn_parts(word, before, query.met_again)
        known.word_forms.found(text, answer.begins)

    def _learn_parts(self, word: int, before: Places, met_again: set[int]) -> None:
        """See which of the known records that hold a word were found by it, and in which of their parts these hold it."""
        by_part: dict[str, list[bool]] = {}
        for place in before[:_MOST_LOOKED_UP].tolist():
            by_part.setdefault(self._knowledge.seen.part_at(place, word), []).append(place in met_again)
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
        if len(self._knowledge.seen.parts) > 1:
            held = self._count_held_where_searched(before, query)
            hidden = expected.found - expected.met
            expected = expected._replace(met=np.array(float(held)), found=held + hidden)
        if total is None and expected.found < answer.shown:  # it found more than that, nobody knows how much
            total = answer.shown
        self._knowledge.gains.learn(expected, found=total, shown=answer.found, new=answer.new)

    def _count_held(self, before: Places, answer: OpenAnswer, query: QueryUnderWay) -> int:
        """Return how many known records were among all that an answer found: those that hold the words, or more by what it showed.

        Lists show less of a record than searches read, so that a word may find known records which are not seen to hold it.
        """
        by_text = self._count_held_where_searched(before, query)
        again, total = answer.found - answer.new, answer.total or answer.shown
        by_chance = 0 if answer.shown >= total else _BY_CHANCE
        return max(by_text, round(total * again / max(answer.found + by_chance, 1)))

    def _count_held_where_searched(self, before: Places, query: QueryUnderWay) -> int:
        """Return how many of the known records that hold the words were found again, where a search may read less than these show."""
        if len(self._knowledge.seen.parts) == 1 or not query.met_again:
            return len(before)
        return sum(place in query.met_again for place in before.tolist())

    def _learn_habits(self, asked: Numbers, total: int) -> None:
        """See what several words do together, by what they found with one word less."""
        for word in asked:
            fewer = self._knowledge.submitted.get(tuple(other for other in asked if other != word))
            if fewer == total:
                self._knowledge.habits.ignores(self._knowledge.seen.words[word])
            elif fewer is not None:
                self._knowledge.habits.learn_together(total, fewer)
