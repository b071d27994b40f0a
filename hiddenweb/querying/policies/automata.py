"""Choosing keywords by a learning automaton, behind the protocol of all policies.

The actions of the automaton (`hiddenweb.querying.policies.keyword_automaton`) are the most frequent words of the known records, submitted by
their probabilities; also numbers, since a year finds much that words do not. An answer rewards its word if enough of its records were new; the word's probability then goes to words of these
records, its heirs. Without heirs this is the policy of the paper, which learns little, as that module explains.

Only the probabilities are saved: the records are in the store, the submissions in the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.learning.automaton import PENALTY
from hiddenweb.querying.answer_log import AnswerLog, is_plain
from hiddenweb.querying.policies.keyword_automaton import LEAST_NEW, MOST_WORDS, KeywordAutomaton
from hiddenweb.querying.query import QueryProposal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from hiddenweb.querying.query import Choice, LedgerEntry

_PAGES = 2
"""The last pages of an answer that decide whether the next is worth a request; a limit of taste."""

_MOST_HEIRS = 1_000
"""The most words of the new records of one answer that become actions; a limit of taste, it bounds the work."""


class AutomataPolicy(AnswerLog):
    """Submits one word at a time, by its probability.

    language: whose stop words are left out; heirs: whether words of new records inherit the probability of the rewarded word.
    """

    def __init__(
        self,
        chance: Random,
        language: str = "",
        *,
        heirs: bool = True,
        penalty: float = PENALTY,
        least_new: float = LEAST_NEW,
        most_words: int = MOST_WORDS,
    ) -> None:
        super().__init__(language)
        self.automata = KeywordAutomaton(chance, penalty=penalty, least_new=least_new, most_words=most_words)
        self._has_heirs = heirs
        self._least_new = least_new
        self._heirs: dict[str, None] = {}

    def next(self) -> QueryProposal | None:
        word = self.automata.choose()
        if word is None:
            return None
        holding = self.automata.count_records(word)
        why = f"{holding:,} records hold {word!r}; it was chosen by its probability"
        return QueryProposal((word,), holding * self.latest.odds, why)

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        super().note_query(words, choices, continues=continues)
        self._heirs = {}
        if words and not continues:
            self.automata.note_query(_as_one(words))

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        return super().read([(key, self._count_new(key, words)) for key, words in records], total)

    def is_worth_turning(self) -> bool:
        answer = self.under_way
        found = sum(found for found, _ in answer.latest[-_PAGES:])
        new = sum(new for _, new in answer.latest[-_PAGES:])
        return answer.pages < _PAGES or (found > 0 and new / found >= self._least_new)

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        super().end_answer(had_more=had_more, cut=cut)
        self._judge(answer.words, answer.new, answer.found - answer.new)

    def failed(self) -> None:
        words = self._under_way.words if self._under_way is not None else ()
        super().failed()
        self._judge(words, 0, 0)

    def interrupt_answer(self) -> None:
        """A word without a page of its answer is not penalised."""
        if self.under_way.shown:
            super().interrupt_answer()
        else:
            self._under_way = None

    def small_state(self) -> dict[str, object]:
        return super().small_state() | {"automata": self.automata.to_rows(), "heirs": list(self._heirs)}

    def restore_small_state(self, state: dict[str, Any]) -> None:
        super().restore_small_state(state)
        self.automata.restore(state["automata"])
        self._heirs = dict.fromkeys(state["heirs"])

    def restore(
        self, saved: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        lines = list(ledger)
        for line in lines:
            if line.words:
                self.automata.note_past_query(_as_one(line.words))
        super().restore(saved, ((key, self._count(words), times) for key, words, times in records), lines)

    def restore_line(self, line: LedgerEntry) -> None:
        """Do nothing: submissions are noted before the words of records are counted."""

    def _judge(self, words: tuple[str, ...], new: int, known: int) -> None:
        word = _as_one(words)
        if self.automata.is_waiting(word):
            self.automata.learn_answer(word, new, known, heirs=self._heirs if self._has_heirs else ())

    def _count_new(self, key: int, words: Iterable[str]) -> Iterable[str]:
        """Count the words of a record if it is new, and return them."""
        if self.vocabulary.has_record(key):
            return ()
        counted = self._count(words)
        room = _MOST_HEIRS - len(self._heirs)
        self._heirs.update(dict.fromkeys([word for word in counted if self._is_action(word)][: max(room, 0)]))
        return counted

    def _count(self, words: Iterable[str]) -> list[str]:
        counted = list(words)
        self.automata.add(word for word in counted if self._is_action(word))
        return counted

    def _is_action(self, word: str) -> bool:
        """Say whether a word is an action: plain ones are, and numbers."""
        return word.isdigit() or is_plain(word, self.language)


def _as_one(words: Iterable[str]) -> str:
    """Return several words of one query as one action."""
    return " ".join(words)
