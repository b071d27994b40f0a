"""The policy for a form with controls beside its box for words, or instead of one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.querying.coverage import Estimate, estimate_by_numbers
from hiddenweb.querying.option_counts import NOTHING
from hiddenweb.querying.policies.benefit.policy import QUERY_COST, BenefitPolicy
from hiddenweb.querying.policies.options.chooser import OptionChooser
from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
from hiddenweb.querying.policies.options.no_words import NoWordPolicy
from hiddenweb.querying.query import LedgerEntry, QueryProposal
from hiddenweb.querying.query_templates import INFORMATIVE, sign_records

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.policies.protocol import WordPolicy
    from hiddenweb.querying.query import Choice
    from hiddenweb.querying.query_control import ControlOption, QueryControl

_PAGES_BEFORE_DOUBT = 2
"""Pages of an answer that are read before its new records are compared with what other queries promise; a limit of taste."""

_LEAVE_BELOW = 0.5
"""The share of what the best other query promises, below which an answer is left; a limit of taste, promises are not better than that."""

NO_QUERY = "a page was read, but no query was submitted: call note_query() before read() and end_answer()"


@dataclass(slots=True)
class _CurrentAnswer:
    """The answer under way, as far as the policy for words does not know it."""

    words: tuple[str, ...]
    choices: Choices
    kind: str = ""
    predicted: float = 0.0
    elsewhere: float = 0.0  # new records for a page that the best query promises
    signature: int = 0
    goes_on: bool = False
    new_before_front: int | None = (
        None  # records that were new when pages began to be turned for what stands behind known ones
    )


class OptionsPolicy:
    """Knows the records of one form's site, what its controls do, and what to submit next."""

    def __init__(
        self, words: WordPolicy | None, controls: Iterable[QueryControl], *,
        language: str = "", query_cost: float = QUERY_COST, informative: float = INFORMATIVE,
    ) -> None:  # fmt: skip
        self._has_box = words is not None
        self.words: WordPolicy = words if words is not None else NoWordPolicy(language)
        self._knowledge = OptionKnowledge.of_form(
            controls, has_box=self._has_box, language=language, informative=informative
        )
        self._knowledge.counts.size_elsewhere = self._size_by_words
        is_advised = isinstance(words, BenefitPolicy)
        if isinstance(words, BenefitPolicy):
            words.advise(self)
        self._chooser = OptionChooser(self.words, self._knowledge, query_cost, is_advised=is_advised)
        self._answer: _CurrentAnswer | None = None

    # The protocol

    def next(self) -> QueryProposal | None:
        """Return the best query; None when every record was seen, or no query is left."""
        best = self._chooser.best()
        if best is None:
            return None
        choices = self._knowledge.offers.sort(best.choices)
        return QueryProposal(best.words, best.new, best.why, choices, best.goes_on)

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False
    ) -> None:
        """Take note that a query is submitted now, whoever chose it."""
        terms, chosen = tuple(words), frozenset(choices)
        answer = _CurrentAnswer(terms, chosen, goes_on=goes_on)
        best = self._chooser.take(terms, chosen)
        if best is not None:
            answer.kind, answer.predicted, answer.elsewhere = best.kind, best.new, best.rate
        self._answer = answer
        self._knowledge.submitted.add(terms, chosen)
        self.words.note_query(self._with_tokens(terms, self._knowledge.offers.sort(chosen)), goes_on=goes_on)

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Take in a page of the answer under way; return how many of its records are new."""
        answer = self._under_way
        answer.signature = sign_records((key for key, _ in records), answer.signature)
        read = self._knowledge.record_options.read
        return self.words.read([(key, read(words, answer.choices)) for key, words in records], total)

    def is_worth_turning(self) -> bool:
        """Say whether the next page of the answer under way is worth a request."""
        current, answer = self._under_way, self.words.under_way
        in_front = self._knowledge.known_front.count(current.words, current.choices, answer.total)
        if answer.found and answer.shown < in_front + self.words.reach.page_size:
            if current.new_before_front is None:
                current.new_before_front = answer.new
            return True
        if self._has_box:
            return self.words.is_worth_turning()
        if answer.pages < _PAGES_BEFORE_DOUBT:
            return True
        here = sum(new for _, new in answer.latest) / _PAGES_BEFORE_DOUBT
        return here > 0 and here >= current.elsewhere * _LEAVE_BELOW

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Take note that no more pages are read; had_more: another one was offered, and left; cut: there is more that cannot be had."""
        answer, read, known = self._under_way, self.words.under_way, self._knowledge
        self.words.end_answer(had_more=had_more, cut=cut)
        self._answer = None
        if not answer.words:
            known.empty_box.add(found=read.shown > 0)
        choices = known.offers.sort(answer.choices)
        self._learn(LedgerEntry(answer.words, choices, read.shown, read.new, read.total, had_more))
        if answer.kind and (self._has_box or not had_more):
            known.corrections.learn(answer.kind, answer.predicted, read.new)
        if answer.new_before_front is not None:
            known.known_front.learn(brought_new=read.new > answer.new_before_front)
        if not answer.goes_on and not known.empty_box.may_be_why(answer.words, read.shown or read.total):
            self._judge(answer, read.total)

    def failed(self) -> None:
        """Take note that the query got no answer: it is not submitted again, and others without words may get none either."""
        self.words.failed()
        if self._answer is not None and not self._answer.words:
            self._knowledge.empty_box.add(found=False)
        self._answer = None

    def interrupt_answer(self) -> None:
        """Take note that the host failed in the middle of the answer, or before its first page."""
        answer = self.words.under_way
        if answer.shown:
            self.end_answer(had_more=True)
            self.words.set_aside(answer)
        else:
            self.words.interrupt_answer()
            self._answer = None

    def offers(self, control: str, options: Iterable[ControlOption], *, given: Sequence[Choice] = ()) -> None:
        """Take note of what a control offers once something was chosen: the form came again, or says so itself."""
        if self._knowledge.offers.add(control, options, given):
            self._chooser.note_offer()

    def estimate(self) -> Estimate | None:
        """Return how many records there are.

        As many as the query without words and options found, if that was submitted; or what the options of a control add up to, if nearly all were.
        """
        counts = self._knowledge.counts
        said, by_words = counts.size_said, self.words.estimate()
        known = by_words.known if by_words is not None else counts.known
        if said:
            size = max(said, float(known))
            return Estimate(known, size, size, size)
        if by_words is None or not (by_options := counts.size_by_options):
            return by_words
        size = max(by_options, float(known))
        return estimate_by_numbers(known, size - known, len(self._knowledge.submitted))

    def common(self, but: Collection[str]) -> str | None:
        """Return the plain word that most known records hold, of those that are not excluded; None if there is none."""
        return self.words.common({*but, *self._knowledge.tokens}) if self._has_box else None

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""
        return self.words.example(words)

    def describe(self) -> Iterator[str]:
        """Yield a sentence for everything that was found out about controls."""
        yield from self._knowledge.templates.describe(list(self._knowledge.offers.controls))

    # What the policy for words is told

    def worth(self, words: Sequence[str]) -> float:
        """Return by what the policy for words has to multiply what it promises of words and of options among them."""
        known = self._knowledge
        plain, choices = known.tokens.split(words)
        if not choices or known.offers.list_missing(choices):
            return 1.0
        if not plain or (plain, choices) in known.submitted or not known.is_possible(plain, choices):
            return 0.0
        return known.corrections.ratio(known.kind(plain, choices))

    def are_seen(self, words: Sequence[str]) -> bool:
        """Say whether records tell the options among some words."""
        _, choices = self._knowledge.tokens.split(words)
        return all(self._knowledge.record_options.is_told_right(name) for name, _ in choices)

    def _size_by_words(self) -> float:
        estimate = self.words.estimate() if self._has_box else None
        return estimate.size if estimate is not None else 0.0

    def _with_tokens(self, words: tuple[str, ...], choices: Iterable[Choice]) -> tuple[str, ...]:
        return (*words, *map(self._knowledge.tokens.token_of, choices))

    # From one process to the next

    def to_json(self) -> str:
        answer = self._answer
        state = {
            "words": self.words.to_json(),
            **self._knowledge.to_json(),
            "explored": self._chooser.explorer.submitted,
            "under_way": None
            if answer is None
            else [
                answer.words, sorted(answer.choices), answer.kind, answer.predicted, answer.elsewhere,
                answer.signature, answer.goes_on,
            ],
        }  # fmt: skip
        return json.dumps(state, ensure_ascii=False)

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        """Resume where another process ended."""
        state = _parse_state(written)
        if "templates" in state:
            self._restore_small_state(state)
        lines = list(ledger)
        read = self._knowledge.record_options.read
        known = ((key, read(words, NOTHING), times) for key, words, times in records)
        by_words = (
            line._replace(words=self._with_tokens(line.words, line.choices), choices=()) for line in lines
        )
        self.words.restore(state.get("words", ""), known, by_words)
        for line in lines:
            self._knowledge.submitted.add(line.words, frozenset(line.choices))
            if line.answered:
                self._learn(line)

    def _restore_small_state(self, state: Mapping[str, Any]) -> None:
        self._knowledge.restore(state)
        self._chooser.explorer.submitted = state["explored"]
        if state["under_way"] is not None:
            words, choices, *rest = state["under_way"]
            chosen = frozenset((name, value) for name, value in choices)
            self._answer = _CurrentAnswer(tuple(words), chosen, *rest)
            self._knowledge.submitted.add(self._answer.words, chosen)
            self._with_tokens((), chosen)

    # Answers

    @property
    def _under_way(self) -> _CurrentAnswer:
        if self._answer is None:
            raise ValueError(NO_QUERY)
        return self._answer

    def _learn(self, line: LedgerEntry) -> None:
        if self._knowledge.learn(line, self.words.reach):
            self._chooser.candidates.expire()

    def _judge(self, answer: _CurrentAnswer, total: int | None) -> None:
        """Learn whether an answer differs from others of its template."""
        signature = sign_records((total or 0,), answer.signature) if answer.signature or total else 0
        self._knowledge.judge(answer.words, answer.choices, signature)


def _parse_state(written: str) -> dict[str, Any]:
    """Return what was written down; a form that insists on more than words was left to a policy for words before."""
    state = json.loads(written) if written else {}
    is_own = not state or (isinstance(state, dict) and "templates" in state)
    return state if is_own else {"words": written}
