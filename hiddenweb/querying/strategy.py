"""Which query a form gets next, and when it is exhausted.

A form first gets words of its own page (`SeedWords`). As soon as records are known, a policy chooses the queries. When it
expects too little of its best query, by the worth of its recent promises (`PromiseTrust`), a few more words of the page are tried: records
that share no words with others are only found by chance. If these words find nothing new either (`QueryPatience`), the form is exhausted. While only a few records
are known, expectations mean little, and while the estimate says that many are hidden, it pays to insist: then frequent words of records and words of the
page take turns. Queries that may list everything come early (`ListingSearch`).

An answer that an outage of the site interrupted is not over: what was read of it is remembered, and counted when the rest has come.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiddenweb.language.tokens import words_to_query
from hiddenweb.querying.answer_progress import AnswerProgress, InterruptedAnswers
from hiddenweb.querying.coverage import describe_coverage
from hiddenweb.querying.listing_search import ListingSearch
from hiddenweb.querying.promise_trust import PromiseTrust
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.query_patience import LAST_WORDS, QueryPatience

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.querying.answer_progress import QueryKey
    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.policies.protocol import QueryPolicy
    from hiddenweb.querying.query import Choice, LedgerEntry
    from hiddenweb.querying.seed_words import SeedWords

LEAST_NEW = 0.5
"""New records that a query must be expected to bring, one for every two queries; a limit of taste (HIDDENWEB_MIN_NEW_RECORDS)."""


class QueryStrategy:
    """Chooses the queries to one form."""

    def __init__(
        self,
        policy: QueryPolicy,
        starting: SeedWords | None = None,
        *,
        language: str = "",
        least_new: float = LEAST_NEW,
        wide: Sequence[str] = (),
    ) -> None:
        self.policy = policy
        self.language = language  # of the queries
        self.why_not = ""  # why the form gets no more queries
        self.patience = QueryPatience()
        self.trust = PromiseTrust(least_new)
        self._seed_words = starting
        self._least_new = least_new
        self._listing = ListingSearch(wide)
        self._progress = AnswerProgress()
        self._interrupted = InterruptedAnswers()
        self._submitted: set[str] = set()  # words
        self._under_way: QueryKey | None = None
        self._last: QueryProposal | None = None

    # Choosing

    def next(self) -> QueryProposal | None:
        """Return the next query; None if the form is exhausted, and `why_not` says why."""
        self._progress.wide = None
        if (first := self._listing.resume_first() or self._propose_wide()) is not None:
            self._progress.is_trying = False
            return first
        if self._listing.is_complete:
            return self._check_listing()
        proposal = self.policy.next() if self._can_choose else None
        self._progress.is_trying = False
        if (
            proposal is not None
            and proposal.expected >= self._least_new
            and self.trust.is_worth_it(proposal.expected)
        ):
            return proposal
        return self._try_words(proposal)

    def _try_words(self, proposal: QueryProposal | None) -> QueryProposal | None:
        """Return a word that is tried by chance, or the policy's proposal though it expects little; None if that was done often enough."""
        most = self.patience.limit(self.policy.estimate())
        if self.patience.fruitless >= most:
            self.why_not = self._explain_end(proposal)
            return None
        self._progress.is_trying = True
        insists = most > LAST_WORDS
        if insists and self.patience.fruitless % 2 == 0:
            common = self.policy.common(self._submitted)
            if common is not None:
                why = f"many records hold {common!r}, though little is expected of it"
                return QueryProposal((common,), 0.0, why)
            if proposal is not None:
                return proposal
        word = self._seed_words.next() if self._seed_words is not None else None
        if word is not None:
            return QueryProposal((word,), 0.0, f"{word!r} is a word of its page, or of a list")
        if proposal is None or not insists:
            self.why_not = self._explain_end(proposal)
            return None
        return proposal

    def _propose_wide(self) -> QueryProposal | None:
        proposal = self._listing.propose(self.patience)
        if proposal is not None:
            self._progress.wide = proposal.words
        return proposal

    def _check_listing(self) -> QueryProposal | None:
        """Return a word that may find what a complete listing lacks; None after several that found nothing."""
        if why := self._listing.explain_end(self.patience):
            self.why_not = why
            return None
        is_seeds_turn = self._seed_words is not None and self._listing.count_checks(self.patience) % 2
        word = self._seed_words.next() if self._seed_words is not None and is_seeds_turn else None
        word = word or self.policy.common(self._submitted)
        if word is None:
            self.why_not = f"a listing of all {self._listing.queries.listed:,} records"
            return None
        self._progress.is_trying = True
        return QueryProposal((word,), 0.0, f"to see whether the listing has all that hold {word!r}")

    @property
    def _can_choose(self) -> bool:
        """Say whether the policy may choose: a box gets some words of its page first."""
        if self._seed_words is None or self.patience.is_low:
            return True
        return self._known > 0

    def _explain_end(self, proposal: QueryProposal | None) -> str:
        estimate, fruitless = self.policy.estimate(), self.patience.fruitless
        if estimate is None or not estimate.known:
            return f"{fruitless} words found nothing" if fruitless else "no query is left"
        coverage = f"{describe_coverage(*estimate)} records"
        if proposal is None:
            return f"no query is left: {coverage}"
        return f"{coverage}; the best query would bring {proposal.expected * self.trust.share:.1f} more"

    # Answers

    def note_query(self, proposal: QueryProposal) -> None:
        """Note that a query is submitted."""
        self._progress.begin(proposal.expected, self._known)
        self._last = proposal
        terms = tuple(term for word in proposal.words for term in words_to_query(word, self.language))
        self._note_words(proposal.words)
        self._submitted.update(terms)
        self._under_way = terms, proposal.choices
        self.policy.note_query(terms, proposal.choices, continues=proposal.continues)
        if (interrupted := self._interrupted.pop(self._under_way)) is not None:
            self._progress = interrupted

    def begin_answer(
        self, terms: Sequence[str], choices: Sequence[Choice] = (), *, further_page: bool = False
    ) -> None:
        """Note the query whose answer comes now: it may be one from before a kill or an outage."""
        query = tuple(terms), tuple(choices)
        if self._under_way != query:
            self.failed()
            self.note_query(QueryProposal(query[0], 0.0, "", query[1], continues=further_page))

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Read a page of the answer; return how many of its records this form had not shown before."""
        new = self.policy.read(records, total)
        self._progress.add_page(len(records), new, total)
        self._listing.queries.note_total(total)
        return new

    def is_worth_turning(self, *, can_return: bool = False) -> bool:
        """Say whether the next page of the answer is worth a request; can_return: it can also be read later."""
        if self._listing.is_complete and not self._progress.new:
            return False
        if can_return and self._listing.set_aside(self._last, self._progress):
            return False
        return self.policy.is_worth_turning()

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Note that no more pages are read; had_more: the answer can be resumed later; cut: its other records cannot be reached."""
        # a site that found too much may show nothing of it, and no total
        is_hidden = cut and not self._progress.shown
        self.policy.end_answer(had_more=had_more or is_hidden, cut=cut)
        self._under_way = None
        if self._progress.wide is None:
            self._learn_words()
        else:
            self._learn_wide(to_the_end=not had_more and not cut)

    def failed(self) -> None:
        """Note that the query got no answer."""
        if self._under_way is not None:
            self.policy.failed()
        self._under_way = None
        self._progress.is_trying = False

    def interrupt_answer(self) -> None:
        """Note that the site failed in the middle of the answer, or before its first page: nothing is learnt from that."""
        if self._under_way is None:
            return
        self._interrupted.add(self._under_way, self._progress)
        self.policy.interrupt_answer()
        if self._progress.wide is not None and self._progress.shown:
            self._learn_wide(to_the_end=False)
        self._under_way = None
        self._progress.is_trying = False

    def suggest(self, word: str) -> None:
        """Note a word that the site suggests instead."""
        if self._seed_words is not None:
            self._seed_words.suggest(word)
            self.patience.renew()

    @property
    def is_fruitless(self) -> bool:
        """Whether its last words brought nothing new, so that other forms of its site may be tried first."""
        return self.patience.is_low

    def estimate(self) -> Estimate | None:
        """Return how many records the form has shown, and how many there are: those of a complete listing, if there is one."""
        return self._listing.estimate(self._known, self.policy.estimate)

    @property
    def _known(self) -> int:
        estimate = self.policy.estimate()
        return estimate.known if estimate is not None else 0

    def _note_words(self, words: Iterable[str]) -> None:
        if self._seed_words is not None:
            for word in words:
                self._seed_words.note_query(word)

    def _learn_words(self) -> None:
        """Learn from the answer to words."""
        progress = self._progress
        self._listing.learn_words(progress)
        self.patience.found += progress.shown > 0
        self.trust.add(progress.promised, progress.new)
        if progress.is_trying and self._listing.is_complete and not progress.shown:
            self._listing.queries.ignored_words += 1
        elif progress.is_trying:
            self.patience.count_word(brought_new=progress.new > 0)
        elif progress.new:
            self.patience.renew()
        if self._seed_words is not None:
            self._seed_words.learn_result(anything=progress.new > 0)
        progress.is_trying = False

    def _learn_wide(self, *, to_the_end: bool) -> None:
        """Learn from the answer to a wide query."""
        self._listing.learn_wide(self._progress, self._known, to_the_end=to_the_end)
        self._progress.wide = None
        if self._listing.queries.lists:
            self.patience.renew()

    # From one process to the next

    def to_json(self) -> list[Any]:
        """Return what is neither in the records nor in the ledger, of bounded size."""
        progress = self._progress
        return [
            json.loads(self.policy.to_json()),
            self._seed_words.to_json() if self._seed_words is not None else None,
            self.patience.fruitless, progress.is_trying, progress.new, self._under_way, progress.promised,
            self.trust.to_json(), *self._listing.to_json(progress), progress.known_before, self._interrupted.to_json(),
        ]  # fmt: skip

    def restore(
        self,
        saved: Sequence[Any] | None,
        records: Iterable[tuple[int, Iterable[str], int]],
        ledger: Iterable[LedgerEntry],
    ) -> None:
        """Resume where another process ended, or with the known records of the site; the words of the page come with the constructor."""
        policy = self._restore_small_state(saved) if saved is not None else ""
        lines = list(ledger)
        self.patience.found = sum(line.found > 0 for line in lines)
        self._submitted.update(word for line in lines for word in line.words)
        self._note_words(word for line in lines for word in line.words)
        self.policy.restore(policy, records, lines)

    def _restore_small_state(self, saved: Sequence[Any]) -> str:
        """Restore the saved state, and return that of the policy."""
        progress = self._progress
        policy, _, self.patience.fruitless, progress.is_trying, progress.new, under_way, *rest = saved
        progress.promised, promises, *listing = rest
        self.trust.restore(promises)
        if under_way is not None:
            self._under_way = tuple(under_way[0]), tuple((name, value) for name, value in under_way[1])
        if listing:  # an earlier version saved none
            wide, wide_words, waiting, progress.known_before, *interrupted = listing
            self._listing.restore(wide, waiting)
            progress.wide = None if wide_words is None else tuple(wide_words)
            for each in interrupted:
                self._interrupted.restore(each)
        return json.dumps(policy)
