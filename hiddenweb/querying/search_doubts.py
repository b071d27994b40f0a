"""Whether a form searches at all: the decoy test of each form, fed with its answers and counted."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenweb.forms.verdict import judge_form
from hiddenweb.querying.decoy_test import count_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.querying.conversation_state import ConversationStates
    from hiddenweb.querying.conversation_store import Stats
    from hiddenweb.querying.decoy_test import DecoyTest


class SearchDoubts:
    """Learns from the first pages of answers whether forms search."""

    def __init__(self, states: ConversationStates, stats: Stats, post_hosts: frozenset[str]) -> None:
        self._states = states
        self._stats = stats
        self._post_hosts = post_hosts

    def learn(self, stored: StoredForm, word: str, answer: AnswerVerdict) -> None:
        """Learn from the first page of an answer to a word, or to a choice."""
        keys = [record.key for record in answer.records]
        # a form that comes again because it found too much searches, and wants no more than another word
        case = (
            "nothing_found"
            if answer.case == "form_again" and (answer.total or answer.too_many)
            else answer.case
        )
        if answer.form is not None and judge_form(answer.form, post_hosts=self._post_hosts).may_submit:
            case = "nothing_found"  # a first step has no records, and searches all the same
        with self._count_outcome(stored) as test:
            if stored.verdict.query_box is None:
                test.learn_choice(word, case, keys)
            else:
                said = count_mentions(word, (record.text for record in answer.records))
                test.learn_answer(word, case, keys, answer.holding, signature=answer.signature, said=said)

    def learn_silence(self, stored: StoredForm, word: str) -> None:
        """Note that a query got no answer: if it was to settle a doubt, something else has to."""
        with self._count_outcome(stored) as test:
            test.learn_silence(word)

    @contextmanager
    def _count_outcome(self, stored: StoredForm) -> Iterator[DecoyTest]:
        """Give the test of a form to learn from, and count what came of it; a form that is confirmed twice counts once."""
        test = self._states.load(stored).decoy_test
        before, held, insisted = test.stage, test.held, test.insists
        yield test
        if test.insists and not insisted:
            self._states.replan(stored)
        if test.stage == before:
            return
        if test.stage == "confirmed" and not held:
            self._stats.inc_value("hiddenweb/forms/confirmed")
        elif test.stage == "decoy":
            self._stats.inc_value("hiddenweb/forms/decoy")
