"""What the policy for words proposes, with the options that the form requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.querying.policies.options.corrections import WORDS_ALONE

if TYPE_CHECKING:
    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
    from hiddenweb.querying.policies.options.promises import OptionPromises, Promise
    from hiddenweb.querying.policies.protocol import WordPolicy
    from hiddenweb.querying.query import QueryProposal

_MOST_TRIES = 30
"""The most proposals of the policy for words that are rejected before a query; a limit of taste."""

_BELIEVED = 0.7
"""The correction from which words with options need not be compared with words alone; a limit of taste."""


class WordCandidates:
    """Takes proposals of the policy for words until one can be submitted."""

    def __init__(
        self, words: WordPolicy, knowledge: OptionKnowledge, promises: OptionPromises, *, is_advised: bool
    ) -> None:
        self._words, self._knowledge, self._promises = words, knowledge, promises
        self._is_advised = is_advised  # the policy for words itself multiplies promises by their worth

    def find(self) -> Promise | None:
        """Return the best proposal of the policy for words that the form accepts.

        Words with options promise more than they bring; after correction they are compared with the best proposal without options.
        """
        best: Promise | None = None
        for _ in range(_MOST_TRIES):
            proposal = self._words.next()
            if proposal is None:
                return best
            words, choices = self._knowledge.tokens.split(proposal.words)
            promise = self._promise(words, choices, proposal) if words or proposal.continues else None
            if promise is not None and (best is None or promise.rate > best.rate):
                best = promise
            if promise is not None and self._is_believed(promise, choices):
                return best
            self._words.note_query(
                proposal.words
            )  # a rejected proposal gets no answer, and does not come again
            self._words.failed()
        return best

    def _is_believed(self, promise: Promise, choices: Choices) -> bool:
        if promise.continues or not choices or self._is_advised:
            return True
        return self._knowledge.corrections.ratio(promise.kind) > _BELIEVED

    def _promise(self, words: tuple[str, ...], choices: Choices, proposal: QueryProposal) -> Promise | None:
        """Return the promise of a proposal, with the option of each missing required control that has the most records."""
        knowledge, why = self._knowledge, self._knowledge.tokens.explain(proposal.why)
        if proposal.continues:
            return self._promises.rate(words, choices, proposal.expected, WORDS_ALONE, why, continues=True)
        if not knowledge.is_possible(words, choices):
            return None
        if not knowledge.offers.list_missing(choices):
            kind = knowledge.kind(words, choices) if choices else WORDS_ALONE
            new = proposal.expected * knowledge.corrections.ratio(kind)
            return self._promises.rate(words, choices, new, kind, why)
        if any((words, each) in knowledge.submitted for each in knowledge.offers.complete(choices)):
            return None  # the other options follow as refinements
        best = max(knowledge.offers.complete(choices), key=knowledge.counts.found, default=None)
        if best is None:
            return None
        share = min(knowledge.counts.found(best - choices) / max(knowledge.counts.size, 1.0), 1.0)
        return self._promises.rate(words, best, proposal.expected * share, WORDS_ALONE, why)
