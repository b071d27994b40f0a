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
"""Proposals of the policy for words that are turned down before a query; a limit of taste."""

_BELIEVED = 0.7
"""The ratio of got to promised from which words with options need not be compared with words alone; a limit of taste."""


class WordCandidates:
    """Takes proposals of the policy for words until one can be submitted."""

    def __init__(
        self, words: WordPolicy, knowledge: OptionKnowledge, promises: OptionPromises, *, is_advised: bool
    ) -> None:
        self._words, self._knowledge, self._promises = words, knowledge, promises
        self._is_advised = is_advised  # it multiplies promises of options by their worth itself

    def find(self) -> Promise | None:
        """Return what the policy for words wants, if the form takes that.

        Words with options promise more than they bring; corrected, they have to stand up to the best that follows without options.
        """
        best: Promise | None = None
        for _ in range(_MOST_TRIES):
            wanted = self._words.next()
            if wanted is None:
                return best
            words, choices = self._knowledge.tokens.split(wanted.words)
            promise = self._promise(words, choices, wanted) if words or wanted.goes_on else None
            if promise is not None and (best is None or promise.rate > best.rate):
                best = promise
            if promise is not None and self._is_believed(promise, choices):
                return best
            self._words.note_query(
                wanted.words
            )  # what is never submitted has no answer, and does not come again
            self._words.failed()
        return best

    def _is_believed(self, promise: Promise, choices: Choices) -> bool:
        if promise.goes_on or not choices or self._is_advised:
            return True
        return self._knowledge.corrections.ratio(promise.kind) > _BELIEVED

    def _promise(self, words: tuple[str, ...], choices: Choices, wanted: QueryProposal) -> Promise | None:
        """Return what a proposal promises, with an option of what is required besides: the one with the most records."""
        known, why = self._knowledge, self._knowledge.tokens.explain(wanted.why)
        if wanted.goes_on:
            return self._promises.rate(words, choices, wanted.expected, WORDS_ALONE, why, goes_on=True)
        if not known.is_possible(words, choices):
            return None
        if not known.offers.list_missing(choices):
            kind = known.kind(words, choices) if choices else WORDS_ALONE
            new = wanted.expected * known.corrections.ratio(kind)
            return self._promises.rate(words, choices, new, kind, why)
        if any((words, each) in known.submitted for each in known.offers.complete(choices)):
            return None  # the other options follow as refinements
        best = max(known.offers.complete(choices), key=known.counts.found, default=None)
        if best is None:
            return None
        share = min(known.counts.found(best - choices) / max(known.counts.size, 1.0), 1.0)
        return self._promises.rate(words, best, wanted.expected * share, WORDS_ALONE, why)
