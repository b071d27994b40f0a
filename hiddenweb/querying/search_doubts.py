"""Whether a form searches at all: runs the decoy test of each form on its answers, and counts the results."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenweb.forms.verdict import judge_form
from hiddenweb.querying.decoy_test import hash_texts

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
        # a form that comes again because it found too much does search: it only needs another word
        case = (
            "nothing_found"
            if answer.case == "form_again" and (answer.total or answer.too_many)
            else answer.case
        )
        if answer.form is not None and judge_form(answer.form, post_hosts=self._post_hosts).may_submit:
            case = "nothing_found"  # a first step has no records, but does search
        with self._count_outcome(stored) as test:
            if stored.verdict.query_box is None:
                test.learn_choice(word, case, keys)
            else:
                text_hash = hash_texts(word, (record.text for record in answer.records))
                test.learn_answer(
                    word, case, keys, answer.holding, signature=answer.signature, text_hash=text_hash
                )

    def learn_silence(self, stored: StoredForm, word: str) -> None:
        """Note that a query got no answer: if it was a probe, another one is needed."""
        with self._count_outcome(stored) as test:
            test.learn_silence(word)

    @contextmanager
    def _count_outcome(self, stored: StoredForm) -> Iterator[DecoyTest]:
        """Yield the test of a form, and count its new result; a form that is confirmed twice counts once."""
        test = self._states.load(stored).decoy_test
        stage, had_word, insisted = test.stage, test.has_word, test.insists
        yield test
        if test.insists and not insisted:
            self._states.replan(stored)
        if test.stage == stage:
            return
        if test.stage == "confirmed" and not had_word:
            self._stats.inc_value("hiddenweb/forms/confirmed")
        elif test.stage == "decoy":
            self._stats.inc_value("hiddenweb/forms/decoy")
