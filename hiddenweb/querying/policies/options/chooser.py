"""The best next query to a form with controls, of all possible ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.querying.policies.options.candidates import CandidateQueries, ControlExplorer
from hiddenweb.querying.policies.options.no_words import NoWordPolicy
from hiddenweb.querying.policies.options.promises import LEAST_NEW_RECORDS, OptionPromises
from hiddenweb.querying.policies.options.word_candidates import WordCandidates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
    from hiddenweb.querying.policies.options.promises import Promise
    from hiddenweb.querying.policies.protocol import WordPolicy

UNFINISHED = "going on"
"""The kind of a query that resumes an unfinished answer, as the stored state names it."""


class OptionChooser:
    """Compares what queries promise, and chooses the best."""

    def __init__(
        self, words: WordPolicy, knowledge: OptionKnowledge, query_cost: float, *, is_advised: bool
    ) -> None:
        self._words, self._knowledge = words, knowledge
        self._promises = OptionPromises(knowledge, words.reach, query_cost)
        self._word_candidates = WordCandidates(words, knowledge, self._promises, is_advised=is_advised)
        self.candidates = CandidateQueries(knowledge, self._promises)
        self.explorer = ControlExplorer(knowledge, self._promises)
        self._best: Promise | None = None
        self._explores = False  # the best query tests a control

    def best(self) -> Promise | None:
        """Return the best query; the same one until it is submitted, or a control offers something new."""
        if self._best is None:
            self._best = self._choose()
        return self._best

    def take(self, words: tuple[str, ...], choices: frozenset[tuple[str, str]]) -> Promise | None:
        """Note that a query is submitted; return its promise if it was the best one."""
        best, self._best = self._best, None
        if best is None or (best.words, best.choices) != (words, choices):
            return None
        self.explorer.submitted += self._explores
        return best

    def note_offer(self) -> None:
        """Note that a control offers something new."""
        self.candidates.expire()
        self._best = None

    def _choose(self) -> Promise | None:
        self._knowledge.option_answers.doubt_the_longest(self._words.reach)
        if self._knowledge.is_all_known():
            return None
        self.candidates.refresh()
        best = self.explorer.find()
        self._explores = best is not None
        if best is not None:
            return best
        by_words = self._word_candidates.find()
        promises = (
            *(() if by_words is None else (by_words,)),
            *self.candidates.list_promises(),
            *self._list_unfinished(),
        )
        best = max(promises, key=lambda promise: promise.rate, default=None)
        return self._choose() if best is None and self.candidates.expire_if_stale() else best

    def _list_unfinished(self) -> Iterator[Promise]:
        """Yield the unfinished answers of a form without a box, if their next pages may bring new records."""
        if not isinstance(self._words, NoWordPolicy):
            return
        knowledge = self._knowledge
        for tokens, records_read in self._words.unfinished.items():
            _, choices = knowledge.tokens.split(tokens)
            found = knowledge.counts.found(choices)
            unread = self._promises.shown(found) - records_read
            hidden = knowledge.counts.hidden(choices)
            new = unread * hidden / max(found, 1.0) * knowledge.corrections.ratio(UNFINISHED)
            if new >= LEAST_NEW_RECORDS:
                why = f"{knowledge.offers.describe(choices)} has about {found:,.0f} records, of which {records_read:,} were read"
                yield self._promises.rate((), choices, new, UNFINISHED, why, continues=True)
