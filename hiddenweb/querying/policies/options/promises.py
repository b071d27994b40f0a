"""How many new records a query promises, and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
    from hiddenweb.querying.policies.options.submitted_queries import Query
    from hiddenweb.querying.search_behaviour import AnswerReach

LEAST_NEW_RECORDS = 0.002
"""New records that a query must promise to be considered; a limit of taste, it only excludes hopeless ones."""


class Promise(NamedTuple):
    """A query and what it promises."""

    rate: float  # new records for a page
    words: tuple[str, ...]
    choices: Choices
    new: float
    kind: str
    why: str
    continues: bool = False


class OptionPromises:
    """Estimates what queries with options promise."""

    def __init__(self, knowledge: OptionKnowledge, reach: AnswerReach, query_cost: float) -> None:
        self._knowledge, self._reach, self._query_cost = knowledge, reach, query_cost

    def promise(self, query: Query) -> Promise | None:
        """Return what a query with options promises; None if it cannot be submitted, or is not worth it."""
        words, choices = query
        knowledge = self._knowledge
        if query in knowledge.submitted or not knowledge.is_possible(words, choices):
            return None
        if knowledge.offers.list_missing(choices):
            return None
        if words:
            return self._promise_refinement(words, choices)
        return None if knowledge.empty_box.finds_nothing else self._promise_options(choices)

    def rate(
        self,
        words: tuple[str, ...],
        choices: Choices,
        new: float,
        kind: str,
        why: str,
        *,
        continues: bool = False,
    ) -> Promise:
        """Return a promise with its rate: new records for the cost of the query and the pages of its answer."""
        cost = (0.0 if continues else self._query_cost) + self._reach.pages(new)
        return Promise(new / cost, words, choices, new, kind, why, continues)

    def shown(self, found: float) -> float:
        """Return how many records of an answer are shown if so many are found."""
        if self._reach.refused is not None and found >= self._reach.refused:
            return 0.0
        return found if self._reach.most is None else min(found, self._reach.most)

    def _promise_options(self, choices: Choices) -> Promise | None:
        knowledge = self._knowledge
        found, hidden = knowledge.counts.found(choices), knowledge.counts.hidden(choices)
        if hidden < LEAST_NEW_RECORDS:
            return None
        kind = knowledge.kind((), choices)
        in_front = min(knowledge.known_front.count((), choices), found - hidden)
        new = max(self.shown(found) - in_front, 0.0) * hidden / max(found - in_front, 1.0)
        named = knowledge.offers.describe(choices)
        why = f"about {found:,.0f} records have {named}, {hidden:,.0f} of them are not known"
        return self.rate((), choices, new * knowledge.corrections.ratio(kind), kind, why)

    def _promise_refinement(self, words: tuple[str, ...], choices: Choices) -> Promise | None:
        """Return the best promise of an option that is added to a cut answer."""
        knowledge = self._knowledge
        best: Promise | None = None
        for choice in sorted(choices):
            cut = knowledge.word_answers.get(words, choices - {choice})
            if cut is None:
                continue
            found, hidden = knowledge.word_answers.estimate_refined(cut, choice)
            in_front = knowledge.known_front.shown(words, choices - {choice}) * knowledge.counts.share(choice)
            new = max(self.shown(found) - in_front, 0.0) * hidden * found / max(found - in_front, 1.0)
            if new < LEAST_NEW_RECORDS or (best is not None and best.new >= new):
                continue
            kind = knowledge.kind(words, choices)
            text, named = " ".join(words), knowledge.offers.describe(choices)
            why = f"{text!r} found more than was shown; with {named} about {found:,.0f} are found, {new:,.0f} of them new"
            best = self.rate(words, choices, new * knowledge.corrections.ratio(kind), kind, why)
        return best
