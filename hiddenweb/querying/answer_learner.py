"""Reading a page of an answer, and learning from it: what it is, which of its records are new, whether the form is a mirror of another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.answers.cases import judge_answer
from hiddenweb.answers.earlier_answers import learn_from_answer
from hiddenweb.model import Fetched
from hiddenweb.querying.decoy_test import is_nonsense
from hiddenweb.querying.fillings import list_used_values
from hiddenweb.querying.mirrors import shows_again, titles_to_compare
from hiddenweb.querying.record_words import RecordWords
from hiddenweb.querying.stored_values import save_values
from hiddenweb.querying.wide_queries import asks_for_words
from hiddenweb.records.records import list_addresses, records_in
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.model import Page
    from hiddenweb.querying.conversation_state import ConversationState, ConversationStates
    from hiddenweb.querying.conversation_store import ConversationStore
    from hiddenweb.querying.exchange import Exchange
    from hiddenweb.querying.labelled_values import LabelledValueSet
    from hiddenweb.querying.search_doubts import SearchDoubts


class AnswerLearner:
    """Judges the pages of answers, and learns from them."""

    def __init__(
        self,
        store: ConversationStore,
        states: ConversationStates,
        values: LabelledValueSet,
        doubts: SearchDoubts,
    ) -> None:
        self._store = store
        self._states = states
        self._values = values
        self._doubts = doubts

    def judge(self, exchange: Exchange, page: Page, status: int) -> AnswerVerdict:
        """Say what a page of an answer is."""
        addresses = list_addresses(page, exchange.submission.query)
        keys = list(dict.fromkeys([*(record.key for record in records_in(page)), *addresses]))
        known_keys = self._store.find_records(exchange.task.site, keys)
        state = self._states.load(exchange.form)
        earlier = state.earlier_without(exchange.task.link)
        own = state.pages_read if state.answering == exchange.submission.id else None
        return judge_answer(
            page, status, form=exchange.form.form, query=exchange.submission.query,
            earlier=replace(earlier, keys=frozenset(known_keys), of_this_answer=own), number=exchange.task.page_number,
            is_decoy=is_nonsense(exchange.submission.query.keyword),
        )  # fmt: skip

    def find_known_keys(self, exchange: Exchange, answer: AnswerVerdict) -> set[str]:
        """Return the keys of those records of an answer that the site had shown earlier."""
        return self._store.find_records(exchange.task.site, [record.key for record in answer.records])

    def find_mirrored(self, exchange: Exchange, answer: AnswerVerdict, known_keys: set[str]) -> int | None:
        """Return the form of which this one is a mirror, by its first answer; None if it is none."""
        stored = exchange.form
        if (
            self._states.load(stored).records_shown
            or not exchange.is_first
            or stored.verdict.by_hand == "allow"
        ):
            return None
        new = [record for record in answer.records if record.key not in known_keys]
        titles = titles_to_compare(new)
        if len(new) < len(answer.records) / 2 or not titles:
            return None
        others = self._store.list_records_of_others(stored.site, stored.id, titles)
        return next((form for form, records in others.items() if shows_again(new, records)), None)

    def learn(self, exchange: Exchange, page: Page, answer: AnswerVerdict, known_keys: set[str]) -> None:
        """Learn from a page of an answer about its form, its query and the values that were filled in."""
        stored, query = exchange.form, exchange.submission.query
        state = self._states.load(stored)
        is_wide = stored.verdict.query_box is not None and not asks_for_words(
            stored.form, stored.verdict.query_box, query.values
        )
        if exchange.is_first and not is_wide:  # only answers to words show whether a form searches
            self._doubts.learn(stored, query.keyword, answer)
            state.missing = state.missing + 1 if answer.missing else 0
        if not is_nonsense(query.keyword):
            parsed = self._states.parse_query(stored, query.keyword, query.values)
            state.strategy.begin_answer(*parsed, further_page=not exchange.is_first)
            _learn_records(state, answer, known_keys)
        if exchange.is_first and answer.suggestion:
            state.strategy.suggest(answer.suggestion)
        self._learn_values(exchange, answer)
        state.earlier = replace(learn_from_answer(state.earlier, page, answer), keys=frozenset())
        state.note_page(exchange.submission.id, answer.signature, is_first=exchange.is_first)
        if answer.has_records:
            state.remember_answer(answer.signature, exchange.task.link)

    def _learn_values(self, exchange: Exchange, answer: AnswerVerdict) -> None:
        """Update the labelled values: which filled-in ones succeeded, and what records say about themselves."""
        stored = exchange.form
        pairs = (pair for record in answer.records for pair in record.pairs)
        self._values.learn_pairs(pairs, stored.domain, language=stored.form.language)
        if exchange.is_first:
            planned = self._states.plan_form(stored)
            for label, value in list_used_values(planned, dict(exchange.submission.query.values)):
                (self._values.succeeded if answer.records else self._values.failed)(label, value)
        save_values(self._store, self._values)

    def end_broken(self, exchange: Exchange) -> None:
        """Note that a page of an answer is missing: without its first page a query got no answer."""
        if is_nonsense(exchange.submission.query.keyword):
            return
        strategy = self._states.load(exchange.form).strategy
        if not isinstance(exchange.item, Fetched) and not exchange.item.refused:
            strategy.interrupt_answer()
        elif exchange.is_first:
            strategy.failed()
        else:
            strategy.end_answer(cut=True)

    def save_coverage(self, exchange: Exchange) -> None:
        """Save how much of its database a form has shown."""
        estimate = self._states.load(exchange.form).strategy.estimate()
        if estimate is not None:
            self._store.save_coverage(exchange.form.id, estimate.to_json())


def _learn_records(state: ConversationState, answer: AnswerVerdict, known_keys: set[str]) -> None:
    language = state.strategy.language
    records = [
        (
            text_hash(record.key),
            RecordWords(record.title, record.text, record.attributes, language=language),
        )
        for record in answer.records
    ]
    state.records_shown += state.strategy.read(records, answer.total)
    state.new_to_site += sum(record.key not in known_keys for record in answer.records)
