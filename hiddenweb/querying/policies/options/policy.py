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
"""The share of the best other promise below which an answer is left; a limit of taste, promises are not better than that."""

NO_QUERY = "a page was read, but no query was submitted: call note_query() before read() and end_answer()"


@dataclass(slots=True)
class _CurrentAnswer:
    """What the policy for words does not know about the answer under way."""

    words: tuple[str, ...]
    choices: Choices
    kind: str = ""
    predicted: float = 0.0
    other_rate: float = 0.0  # the promised rate of the query
    signature: int = 0
    continues: bool = False
    new_before_front: int | None = None  # new records when pages began to be turned to get behind known ones


class OptionsPolicy:
    """Knows the records of one form's site and what its controls do, and chooses the next query."""

    def __init__(
        self, words: WordPolicy | None, controls: Iterable[QueryControl], *,
        language: str = "", query_cost: float = QUERY_COST, informative: float = INFORMATIVE,
    ) -> None:  # fmt: skip
        self._has_box = words is not None
        self.words: WordPolicy = words if words is not None else NoWordPolicy(language)
        self._knowledge = OptionKnowledge.of_form(
            controls, has_box=self._has_box, language=language, informative=informative
        )
        self._knowledge.counts.size_by_words = self._size_by_words
        is_advised = isinstance(words, BenefitPolicy)
        if isinstance(words, BenefitPolicy):
            words.advise(self)
        self._chooser = OptionChooser(self.words, self._knowledge, query_cost, is_advised=is_advised)
        self._answer: _CurrentAnswer | None = None

    # The protocol

    def next(self) -> QueryProposal | None:
        """Return the best query; None if every record is known, or no query is left."""
        best = self._chooser.best()
        if best is None:
            return None
        choices = self._knowledge.offers.sort(best.choices)
        return QueryProposal(best.words, best.new, best.why, choices, best.continues)

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        """Note that a query is submitted now, whoever chose it."""
        terms, options = tuple(words), frozenset(choices)
        answer = _CurrentAnswer(terms, options, continues=continues)
        best = self._chooser.take(terms, options)
        if best is not None:
            answer.kind, answer.predicted, answer.other_rate = best.kind, best.new, best.rate
        self._answer = answer
        self._knowledge.submitted.add(terms, options)
        self.words.note_query(
            self._with_tokens(terms, self._knowledge.offers.sort(options)), continues=continues
        )

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Read a page of the answer under way; return how many of its records are new."""
        answer = self._under_way
        answer.signature = sign_records((key for key, _ in records), answer.signature)
        read = self._knowledge.record_options.read
        return self.words.read([(key, read(words, answer.choices)) for key, words in records], total)

    def is_worth_turning(self) -> bool:
        """Say whether the next page of the answer under way is worth a request."""
        current, answer = self._under_way, self.words.under_way
        known_in_front = self._knowledge.known_front.count(current.words, current.choices, answer.total)
        if answer.found and answer.shown < known_in_front + self.words.reach.page_size:
            if current.new_before_front is None:
                current.new_before_front = answer.new
            return True
        if self._has_box:
            return self.words.is_worth_turning()
        if answer.pages < _PAGES_BEFORE_DOUBT:
            return True
        rate = sum(new for _, new in answer.latest) / _PAGES_BEFORE_DOUBT
        return rate > 0 and rate >= current.other_rate * _LEAVE_BELOW

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Note that no more pages are read; had_more: another one was offered, and not read; cut: there are more records that cannot be reached."""
        answer, progress, knowledge = self._under_way, self.words.under_way, self._knowledge
        self.words.end_answer(had_more=had_more, cut=cut)
        self._answer = None
        if not answer.words:
            knowledge.empty_box.add(found=progress.shown > 0)
        choices = knowledge.offers.sort(answer.choices)
        self._learn(
            LedgerEntry(answer.words, choices, progress.shown, progress.new, progress.total, had_more)
        )
        if answer.kind and (self._has_box or not had_more):
            knowledge.corrections.learn(answer.kind, answer.predicted, progress.new)
        if answer.new_before_front is not None:
            knowledge.known_front.learn(brought_new=progress.new > answer.new_before_front)
        if not answer.continues and not knowledge.empty_box.may_explain(
            answer.words, progress.shown or progress.total
        ):
            self._judge(answer, progress.total)

    def failed(self) -> None:
        """Note that the query got no answer: it is not submitted again, and others without words may get none either."""
        self.words.failed()
        if self._answer is not None and not self._answer.words:
            self._knowledge.empty_box.add(found=False)
        self._answer = None

    def interrupt_answer(self) -> None:
        """Note that the host failed in the middle of the answer, or before its first page."""
        answer = self.words.under_way
        if answer.shown:
            self.end_answer(had_more=True)
            self.words.set_aside(answer)
        else:
            self.words.interrupt_answer()
            self._answer = None

    def offers(self, control: str, options: Iterable[ControlOption], *, given: Sequence[Choice] = ()) -> None:
        """Note what a control offers after some choices: the form came again, or says so itself."""
        if self._knowledge.offers.add(control, options, given):
            self._chooser.note_offer()

    def estimate(self) -> Estimate | None:
        """Return how many records there are.

        The total of the query without words and options, if it was submitted; or the sum over the options of a control, if nearly all were.
        """
        counts = self._knowledge.counts
        total, by_words = counts.reported_size, self.words.estimate()
        known = by_words.known if by_words is not None else counts.known
        if total:
            size = max(total, float(known))
            return Estimate(known, size, size, size)
        if by_words is None or not (by_options := counts.size_by_options):
            return by_words
        size = max(by_options, float(known))
        return estimate_by_numbers(known, size - known, len(self._knowledge.submitted))

    def common(self, excluded: Collection[str]) -> str | None:
        """Return the plain word that most known records hold, except the excluded ones; None if there is none."""
        return self.words.common({*excluded, *self._knowledge.tokens}) if self._has_box else None

    def example(self, words: Iterable[str]) -> int | None:
        """Return the key of a record that holds all of some words; None if none is known."""
        return self.words.example(words)

    def describe(self) -> Iterator[str]:
        """Yield a sentence for everything that was learnt about controls."""
        yield from self._knowledge.templates.describe(list(self._knowledge.offers.controls))

    # Advice for the policy for words

    def worth(self, words: Sequence[str]) -> float:
        """Return the factor for a promise of the policy for words, with options among the words."""
        knowledge = self._knowledge
        plain, choices = knowledge.tokens.split(words)
        if not choices or knowledge.offers.list_missing(choices):
            return 1.0
        if not plain or (plain, choices) in knowledge.submitted or not knowledge.is_possible(plain, choices):
            return 0.0
        return knowledge.corrections.ratio(knowledge.kind(plain, choices))

    def are_visible(self, words: Sequence[str]) -> bool:
        """Say whether the options among some words can be guessed from records."""
        _, choices = self._knowledge.tokens.split(words)
        return all(self._knowledge.record_options.is_guessed_right(name) for name, _ in choices)

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
                answer.words, sorted(answer.choices), answer.kind, answer.predicted, answer.other_rate,
                answer.signature, answer.continues,
            ],
        }  # fmt: skip
        return json.dumps(state, ensure_ascii=False)

    def restore(
        self, saved: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        """Resume where another process ended."""
        state = _parse_state(saved)
        if "templates" in state:
            self._restore_small_state(state)
        lines = list(ledger)
        read = self._knowledge.record_options.read
        records_with_options = ((key, read(words, NOTHING), times) for key, words, times in records)
        by_words = (
            line._replace(words=self._with_tokens(line.words, line.choices), choices=()) for line in lines
        )
        self.words.restore(state.get("words", ""), records_with_options, by_words)
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


def _parse_state(saved: str) -> dict[str, Any]:
    """Return a saved state; that of a form that insists on more than words may be from a policy for words."""
    state = json.loads(saved) if saved else {}
    is_complete = not state or (isinstance(state, dict) and "templates" in state)
    return state if is_complete else {"words": saved}
