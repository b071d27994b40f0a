"""Choosing the next query to one form, and filling it in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from conversation_parts import FORM, FORM_PAGE, HOME, Parts, read

from hiddenweb.answers.answer_verdict import AnswerVerdict
from hiddenweb.answers.notices import RequestedPause
from hiddenweb.model import (
    CrawlTask,
    Fetched,
    FetchFailure,
    Field,
    Option,
    PlannedQuery,
    RetriedTask,
    TaskSeed,
)
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.decoy_test import is_nonsense
from hiddenweb.querying.query_builder import FEWEST_QUERIES, MOST_MISSING

if TYPE_CHECKING:
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.querying.conversation_state import ConversationState


class Talk:
    """A form whose conversation has begun."""

    def __init__(self, settings: ConversationSettings | None = None, *fields: Field) -> None:
        self.parts = Parts(settings)
        form = replace(FORM, fields=fields) if fields else FORM
        self.stored: StoredForm = self.parts.save_form(form)
        self.state: ConversationState = self.parts.states.begin(self.stored, read(FORM_PAGE))

    def plan(self, *, is_answering: bool = True) -> list[object]:
        """Plan the next query; return the steps that were planned."""
        is_planned = self.parts.builder.plan_next(
            self.parts.load_form(self.stored), is_answering=is_answering
        )
        steps = self.parts.steps.end_turn(None).steps
        assert is_planned is bool(steps)
        return list(steps)

    def plan_query(self) -> PlannedQuery:
        [planned] = self.plan()
        assert isinstance(planned, PlannedQuery)
        return planned

    @property
    def ending(self) -> tuple[str, str]:
        """The state of the form, and why it is in it."""
        stored = self.parts.load_form(self.stored)
        return stored.state, stored.why

    def miss_page(self, word: str) -> int:
        """Let a page of an answer be missing; return its link."""
        exchange = self.parts.fail(self.stored, word)
        assert isinstance(exchange.item, FetchFailure)
        self.parts.missing.add(exchange.item, exchange, was_sent=False)
        return exchange.task.link


def test_the_best_query_is_planned_with_its_reason() -> None:
    talk = Talk()

    planned = talk.plan_query()

    assert planned.form == talk.stored.id
    assert planned.query.values == (("q", planned.query.keyword),)
    assert planned.query.url == f"{HOME}find?q={planned.query.keyword}"
    assert planned.reason
    assert planned.not_before == 0.0
    assert talk.parts.stats.values == {"hiddenweb/queries/planned": 1}
    assert talk.ending[0] == "querying"


def test_the_state_of_a_conversation_is_written_when_a_query_is_planned() -> None:
    talk = Talk()

    talk.plan()
    talk.parts.states.save()

    assert talk.parts.load_form(talk.stored).conversation_state == talk.state.to_json()


def test_a_site_that_wants_time_between_queries_gets_the_next_one_later() -> None:
    talk = Talk()
    hasty = AnswerVerdict("error", "too soon", wait=RequestedPause(10.0, 30.0))
    task = CrawlTask(1, talk.parts.site, 1, HOME, "answer")
    talk.parts.pauses.postpone(Fetched(task, HOME, 200, 100.0), hasty)
    talk.parts.pauses.note_query(talk.parts.site, 100.0)

    assert talk.plan_query().not_before == 131.0


def test_an_address_that_was_read_as_an_answer_is_not_submitted_to() -> None:
    first = Talk().plan_query()
    talk = Talk()
    talk.parts.store.add_task(TaskSeed(first.query.url, "paging", submission=1))

    planned = talk.plan_query()

    assert planned.query.keyword != first.query.keyword


def test_a_page_that_is_missing_comes_first_if_the_site_answers() -> None:
    talk = Talk()
    link = talk.miss_page("sea")

    assert isinstance(talk.plan(is_answering=False)[0], PlannedQuery)
    assert talk.plan() == [RetriedTask(link)]


def test_a_doubt_is_settled_by_a_word_that_does_not_exist() -> None:
    talk = Talk()
    talk.state.decoy_test.learn_answer("sea", "all", ("a", "b", "c"), 0.0)

    planned = talk.plan_query()

    assert is_nonsense(planned.query.keyword)
    assert planned.reason.startswith("in doubt: ")
    assert talk.parts.stats.values["hiddenweb/queries/probes"] == 1


def test_no_doubt_is_settled_while_a_page_is_missing_that_may_be_the_answer_to_it() -> None:
    talk = Talk()
    talk.miss_page("sea")
    talk.state.decoy_test.learn_answer("moon", "all", ("a", "b", "c"), 0.0)

    [planned] = talk.plan(is_answering=False)

    assert isinstance(planned, PlannedQuery)
    assert not is_nonsense(planned.query.keyword)


def test_words_are_spelt_as_a_record_has_them() -> None:
    talk = Talk()
    planned = talk.plan_query()

    assert planned.query.keyword == planned.query.keyword.strip() != ""
    assert talk.parts.builder._spell(talk.stored, talk.state, ("sea",)) == "sea"


def test_an_unfinished_answer_is_resumed_once() -> None:
    talk = Talk()
    query = talk.plan_query().query
    talk.parts.store.save_unfinished(1, (f"{query.url}&page=2", 2))

    assert talk.parts.builder._resume(talk.stored, query)
    assert not talk.parts.builder._resume(talk.stored, query)

    [seed] = talk.parts.steps.end_turn(None).steps
    assert isinstance(seed, TaskSeed)
    assert (seed.url, seed.kind, seed.page_number, seed.submission) == (f"{query.url}&page=2", "paging", 2, 1)


# Ends


def end_as_decoy(talk: Talk) -> None:
    talk.state.decoy_test.stage, talk.state.decoy_test.why = "decoy", "always the same"


def end_as_missing(talk: Talk) -> None:
    talk.state.missing = MOST_MISSING


def end_as_superfluous(talk: Talk) -> None:
    talk.state.records_shown, talk.state.new_to_site = 100, 1
    for number in range(FEWEST_QUERIES):
        talk.parts.submit(talk.stored, f"word{number}")


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (end_as_decoy, "it does not search: always the same"),
        (end_as_missing, f"its last {MOST_MISSING} answers say that there is no such page"),
        (end_as_superfluous, "it finds what other forms of its site found before"),
    ],
)
def test_a_form_that_leads_nowhere_is_done(end: object, why: str) -> None:
    talk = Talk()

    end(talk)  # type: ignore[operator]

    assert talk.plan() == []
    assert talk.ending == ("done", why)
    assert talk.plan() == []


def test_a_form_that_had_its_queries_is_open_for_more() -> None:
    talk = Talk(ConversationSettings(queries=2))

    assert [len(talk.plan()) for _ in range(3)] == [1, 1, 0]
    assert talk.ending == ("queried", "queried 2 times")


def test_a_form_is_not_done_while_pages_of_its_answers_are_missing() -> None:
    talk = Talk(ConversationSettings(queries=2))
    links = [talk.miss_page(word) for word in ("sea", "moon")]

    assert [talk.plan(is_answering=False) for _ in links] == [[RetriedTask(link)] for link in links]
    assert talk.plan() == []
    assert talk.ending == ("queried", "queried 2 times; 2 pages of its answers did not come")


def test_a_form_that_cannot_be_filled_in_is_done() -> None:
    talk = Talk(None, FORM.fields[0], Field("plate", "text", "Frobnication", required=True))

    assert talk.plan() == []
    state, why = talk.ending
    assert state == "done"
    assert why.startswith("it cannot be filled in: ")


def test_choices_alone_are_described_by_their_texts() -> None:
    options = (Option("", "Any"), *(Option(str(number), f"Genre {number}") for number in range(1, 4)))
    talk = Talk(None, Field("genre", "select", "Genre", options=options))

    keywords = {talk.plan_query().query.keyword for _ in options}

    assert keywords - {""} == {"Genre 1", "Genre 2", "Genre 3"}
