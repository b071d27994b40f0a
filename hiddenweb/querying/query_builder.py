"""Choosing the next query to one form, and filling it in.

A form gets one query at a time: a page of an answer that is missing comes first, then a word that does not exist, if it is in doubt whether the
form searches at all, then the best query of its strategy. Of the ways to fill in the form, the first whose address may be fetched is used.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.frontier.scope import QUERIES
from hiddenweb.language.tokens import words_between_spaces
from hiddenweb.model import PlannedQuery, TaskSeed
from hiddenweb.querying.controls import choices_in, filling_of
from hiddenweb.querying.fillings import fillings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import Form, HttpQuery
    from hiddenweb.querying.conversation_settings import ConversationSettings
    from hiddenweb.querying.conversation_state import ConversationState, ConversationStates
    from hiddenweb.querying.conversation_store import ConversationStore, Stats
    from hiddenweb.querying.exchange import StepWriter
    from hiddenweb.querying.fillings import Filling
    from hiddenweb.querying.missing_pages import MissingPages
    from hiddenweb.querying.plan import QueryPlan
    from hiddenweb.querying.query import QueryProposal
    from hiddenweb.querying.search_doubts import SearchDoubts
    from hiddenweb.querying.site_pauses import SitePauses

MOST_MISSING = 2
"""Answers in a row that say "no such page", after which the form is ended: a limit of taste."""

MOST_TRIES = 20
"""Words tried for one query, if their addresses were fetched before, and ways to fill in each: a limit of taste."""

FEWEST_QUERIES = 5
"""Queries before a form is ended because it finds what others found: a limit of taste."""


class QueryBuilder:
    """Plans the next query to a form, or ends the form."""

    def __init__(
        self,
        store: ConversationStore,
        states: ConversationStates,
        steps: StepWriter,
        missing: MissingPages,
        pauses: SitePauses,
        doubts: SearchDoubts,
        settings: ConversationSettings,
        stats: Stats,
    ) -> None:
        self._store = store
        self._states = states
        self._steps = steps
        self._missing = missing
        self._pauses = pauses
        self._doubts = doubts
        self._most_queries = settings.queries
        self._stats = stats

    def plan_next(self, stored: StoredForm, *, is_answering: bool = True) -> bool:
        """Plan the next query to a form, or save why it gets none; is_answering: its site has just answered."""
        if is_answering and self._missing.retry_one(stored.id):
            return True
        if stored.state == "done":
            return False
        state = self._states.load(stored)
        if why := _reason_to_end(stored, state):
            self._store.end_form(stored.id, why)
            return False
        if stored.queries >= self._most_queries:
            return self._end(stored, f"queried {stored.queries} times", for_now=True)
        planned = self._states.plan_form(stored)
        if not planned.can_be_filled:
            self._store.end_form(stored.id, f"it cannot be filled in: {'; '.join(planned.obstacles)}")
            return False
        try:
            if self._plan_probe(stored, state, planned) or self._plan_best(stored, state, planned):
                return True
        except UnreadableForm as error:
            self._store.end_form(stored.id, str(error))
            return False
        return self._end(stored, state.strategy.why_not or "no query is left")

    def _end(self, stored: StoredForm, why: str, *, for_now: bool = False) -> bool:
        """Fetch a missing page of an answer again, if there is one; else save why the form gets no more queries for now."""
        if self._missing.retry_one(stored.id):
            return True
        if missing := self._missing.count_of(stored.id):
            why = f"{why}; {missing} {'page' if missing == 1 else 'pages'} of its answers did not come"
        self._store.end_form(stored.id, why, for_now=for_now or missing > 0)
        return False

    def _plan_probe(self, stored: StoredForm, state: ConversationState, planned: QueryPlan) -> bool:
        """Plan a query for a word that does not exist, if there is a doubt."""
        probe = state.decoy_test.next_probe
        if not probe or stored.verdict.query_box is None or self._missing.has_waiting(stored.id):
            return False  # the missing page may be the answer to the probe
        for filled in islice(fillings(planned, probe), 1):
            query = _fill_in(stored, probe, filled)
            if self._can_submit(stored, query):
                self._stats.inc_value("hiddenweb/queries/probes")
                self._plan(stored, query, f"in doubt: {state.decoy_test.why}")
                return True
        self._doubts.learn_silence(stored, probe)
        return False

    def _plan_best(self, stored: StoredForm, state: ConversationState, planned: QueryPlan) -> bool:
        """Plan the best query whose address may be fetched; most often it is the first."""
        for _ in range(MOST_TRIES):
            proposal = state.strategy.next()
            if proposal is None:
                return False
            for filled in self._list_fillings(stored, state, proposal, planned):
                word = self._spell(stored, state, proposal.words) or _describe_filling(stored.form, filled)
                query = _fill_in(stored, word, filled)
                state.strategy.note_query(proposal._replace(choices=choices_in(planned, query.values)))
                if proposal.continues:
                    if self._resume(stored, query):
                        return True
                    state.strategy.failed()
                elif self._can_submit(stored, query):
                    self._plan(stored, query, proposal.why)
                    return True
            state.strategy.failed()
        return False

    def _list_fillings(
        self, stored: StoredForm, state: ConversationState, proposal: QueryProposal, planned: QueryPlan
    ) -> Iterator[Filling]:
        """Yield the ways to fill in a query, the best first.

        If other controls must have a value and the query has none for them, their choices take turns: each hides the records of the others.
        """
        word = self._spell(stored, state, proposal.words)
        if proposal.choices or stored.verdict.query_box is None:
            yield filling_of(planned, (word,) if word else (), proposal.choices)
        elif ways := list(fillings(planned, word, most=MOST_TRIES)):
            turn = stored.queries % len(ways)
            yield from (*ways[turn:], *ways[:turn])

    def _spell(self, stored: StoredForm, state: ConversationState, terms: Sequence[str]) -> str:
        """Return words as a record of the form spells them, for sites that distinguish upper and lower case."""
        example = state.strategy.policy.example(terms)
        text = self._store.load_record_text(stored.site, example) if example is not None else ""
        spellings = dict(words_between_spaces(text))
        return " ".join(spellings.get(term, term) for term in terms)

    def _can_submit(self, stored: StoredForm, query: HttpQuery) -> bool:
        return self._store.can_submit(query) and not self._store.was_submitted(stored.id, query)

    def _plan(self, stored: StoredForm, query: HttpQuery, why: str) -> None:
        self._stats.inc_value("hiddenweb/queries/planned")
        not_before = self._pauses.next_query_at(stored.site)
        self._steps.plan_query(PlannedQuery(stored.id, query, reason=why, not_before=not_before))
        self._states.note_change(stored)

    def _resume(self, stored: StoredForm, query: HttpQuery) -> bool:
        """Resume the reading of an unfinished answer; say whether that is possible."""
        unfinished = self._store.find_unfinished(stored.id, query)
        if unfinished is None or not self._store.can_continue(unfinished.url, unfinished.submission):
            return False
        self._store.save_unfinished(unfinished.submission, None)
        self._states.note_change(stored)
        self._stats.inc_value("hiddenweb/answers/continued")
        self._steps.add_task(
            TaskSeed(
                unfinished.url,
                "paging",
                QUERIES,
                submission=unfinished.submission,
                page_number=unfinished.page,
            )
        )
        return True


def _reason_to_end(stored: StoredForm, state: ConversationState) -> str:
    """Return why a form gets no more queries, or nothing."""
    if state.decoy_test.stage == "decoy":
        return f"it does not search: {state.decoy_test.why}"
    if state.missing >= MOST_MISSING:
        return f"its last {state.missing} answers say that there is no such page"
    if state.is_superfluous and stored.queries >= FEWEST_QUERIES:
        return "it finds what other forms of its site found before"
    return ""


def _fill_in(stored: StoredForm, word: str, filled: Filling) -> HttpQuery:
    query = build_submission(stored.form, filled, submitter=stored.button)
    return replace(query, keyword=word, values=_list_pairs(filled))


def _list_pairs(filled: Filling) -> tuple[tuple[str, str], ...]:
    """Return a filling as pairs of names and values."""
    return tuple(
        (name, value)
        for name, values in filled.items()
        for value in ((values,) if isinstance(values, str) else values)
    )


def _describe_filling(form: Form, filled: Filling) -> str:
    """Return a query as people read it: the texts of choices, and the values of boxes."""
    texts = {
        (field.name, value): text
        for field in form.fields
        for value, text in (
            *((option.value, option.text) for option in field.options),
            *([(field.value, field.label)] if field.kind in ("radio", "checkbox") else []),
        )
    }
    return ", ".join(texts.get(pair) or pair[1] for pair in _list_pairs(filled))
