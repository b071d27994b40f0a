"""Which combinations of options may be worth a query: those that promise most now, and those that test what a control does."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING

from hiddenweb.querying.option_counts import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
    from hiddenweb.querying.policies.options.promises import OptionPromises, Promise
    from hiddenweb.querying.policies.options.submitted_queries import Query
    from hiddenweb.querying.query import Choice

_CUT_ANSWERS = 60
"""The most cut answers that are refined, those with the most hidden records; a limit of taste, it bounds the work."""

_PROMISING = 40
"""The most queries that are remembered until all are compared again; a limit of taste."""

_MOST_BETWEEN = 10
"""Queries between two comparisons of all, at most; a limit of taste, most promises change little by one answer."""

_QUERIES_PER_WAIT = 20
"""After so many submitted queries the interval between two comparisons grows by one: with many answers each changes less; a limit of taste."""

_LEAST_NEW_OF_TEST = 1.0
"""New records that a query must promise to be submitted as a test of a control; a limit of taste."""

_TEST_INTERVAL = 3
"""One query in so many may test a control; a limit of taste."""


class CandidateQueries:
    """The most promising queries with options, compared with all others now and then."""

    def __init__(self, knowledge: OptionKnowledge, promises: OptionPromises) -> None:
        self._knowledge, self._promises = knowledge, promises
        self._promising: list[Query] = []
        self._wait = 0  # queries until all are compared again

    def expire(self) -> None:
        """Note that the possible queries have changed."""
        self._wait = 0

    def refresh(self) -> None:
        """Compare all queries again if it is time; this call counts as one query."""
        if self._wait <= 0:
            self._wait = self._longest_wait
            queries = dict.fromkeys(self._list_queries())
            promises = [promise for promise in map(self._promises.promise, queries) if promise]
            best = nlargest(_PROMISING, promises, key=lambda promise: promise.rate)
            self._promising = [(promise.words, promise.choices) for promise in best]
        self._wait -= 1

    def list_promises(self) -> Iterator[Promise]:
        """Yield the current promises of the most promising queries."""
        yield from filter(None, map(self._promises.promise, self._promising))

    def expire_if_stale(self) -> bool:
        """Say whether a query may have been overlooked since all were compared; if so, they are compared again."""
        wait, self._wait = self._wait, 0
        return wait < self._longest_wait - 1

    @property
    def _longest_wait(self) -> int:
        return min(_MOST_BETWEEN, 1 + len(self._knowledge.submitted) // _QUERIES_PER_WAIT)

    def _list_queries(self) -> Iterator[Query]:
        """Yield the possible next queries: options, and refinements of cut answers."""
        yield from (((), choices) for choices in self._list_first())
        yield from (((), choices) for choices in self._list_refinements())
        offers = self._knowledge.offers
        for words, choices in self._knowledge.word_answers.list_best(_CUT_ANSWERS):
            for name in offers.controls:
                if name not in dict(choices) and not self._is_left_to_words(name):
                    yield from ((words, choices | {choice}) for choice in offers.list_options(name, choices))

    def _list_first(self) -> Iterator[frozenset[Choice]]:
        """Yield the required options alone, or every option alone where none is required."""
        offers = self._knowledge.offers
        for choices in offers.complete(NOTHING):
            if choices or not self._knowledge.has_box:
                yield choices
        if not offers.required:
            for name in offers.controls:
                yield from (frozenset((choice,)) for choice in offers.list_options(name, NOTHING))

    def _list_refinements(self) -> Iterator[frozenset[Choice]]:
        """Yield the options of cut answers with one option more, or with a half of a window."""
        offers = self._knowledge.offers
        for cut in self._knowledge.option_answers.list_cut(_CUT_ANSWERS):
            for name in offers.controls:
                if name not in dict(cut):
                    yield from (cut | {choice} for choice in offers.list_options(name, cut))
            yield from self._knowledge.option_answers.list_halves(cut)

    def _is_left_to_words(self, name: str) -> bool:
        """Say whether the policy for words combines the options of a control by itself."""
        return (
            name not in self._knowledge.offers.required
            and self._knowledge.record_options.is_guessed_often(name)
        )


class ControlExplorer:
    """Finds queries that test what a control does, as long as that is undecided."""

    def __init__(self, knowledge: OptionKnowledge, promises: OptionPromises) -> None:
        self._knowledge, self._promises = knowledge, promises
        self.submitted = 0  # queries of this kind

    def find(self) -> Promise | None:
        """Return the best query with an undecided control, if it is time for one and it promises anything."""
        knowledge = self._knowledge
        if not knowledge.has_box or (self.submitted + 1) * _TEST_INTERVAL > len(knowledge.submitted):
            return None
        undecided = [
            control
            for name, control in knowledge.offers.controls.items()
            if not control.must
            and control.informative > 0
            and knowledge.templates.is_undecided((name, *knowledge.offers.required))
        ]
        for control in sorted(undecided, key=lambda control: -control.informative):
            best = self._best_of(control.name)
            if best is not None and best.new >= _LEAST_NEW_OF_TEST:
                return best
        return None

    def _best_of(self, name: str) -> Promise | None:
        offers = self._knowledge.offers
        singles = order_from_middle(list(offers.list_options(name, NOTHING)))
        promises = (
            self._promises.promise(((), choices))
            for single in singles
            for choices in offers.complete(frozenset((single,)))
        )
        return max(filter(None, promises), key=lambda promise: promise.rate, default=None)


def order_from_middle(options: Sequence[Choice]) -> list[Choice]:
    """Return options from the middle of a list outwards: rare ones are often at its ends.

    >>> order_from_middle([("year", str(year)) for year in range(5)])
    [('year', '2'), ('year', '1'), ('year', '3'), ('year', '0'), ('year', '4')]
    """
    middle = (len(options) - 1) / 2
    return sorted(options, key=lambda option: abs(options.index(option) - middle))
