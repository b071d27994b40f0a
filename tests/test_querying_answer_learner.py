"""Reading a page of an answer, and learning from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from conversation_parts import FORM, NOW, OTHER_FORM, SUBJECTS, Parts, answer_page

from hiddenweb.model import Fetched, FetchFailure, Field
from hiddenweb.querying.decoy_test import nonsense
from hiddenweb.querying.exchange import load_exchange
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.querying.exchange import Exchange


def bridges(path: str) -> str:
    """Return the source of an answer with twelve bridges, at addresses of a folder."""
    items = "".join(
        f"<li class=hit><a href=/{path}/{n}>Bridge {n}</a> an old bridge of stone over the river number {n}</li>"
        for n in range(12)
    )
    return f"<title>Results</title><h1>Results</h1><ul>{items}</ul>"


def learn(parts: Parts, stored: StoredForm, word: str, source: str = "") -> tuple[Exchange, AnswerVerdict]:
    """Let a query be answered, and learn from it as a conversation does."""
    source = source or answer_page()
    exchange, page = parts.answer(stored, word, source)
    parts.states.load(stored)
    answer = parts.learner.judge(exchange, page, 200)
    parts.learner.learn(exchange, page, answer, parts.learner.find_known_keys(exchange, answer))
    fetched = Fetched(
        exchange.task, exchange.task.url, 200, NOW, page=page, outcome=answer.case, records=answer.records
    )
    parts.store.finish(fetched)
    return exchange, answer


def test_a_page_with_records_is_an_answer_and_what_it_shows_is_learnt() -> None:
    parts = Parts()
    stored = parts.save_form()

    exchange, answer = learn(parts, stored, "novel")

    state = parts.states.load(stored)
    assert (answer.case, len(answer.records)) == ("all", len(SUBJECTS))
    assert (state.records_shown, state.new_to_site, state.missing) == (5, 5, 0)
    assert list(state.links.values()) == [exchange.task.link]
    assert state.earlier.keys == frozenset()  # they are in the store
    assert state.decoy_test.stage == "confirmed"


def test_the_same_answer_to_another_word_is_a_duplicate_but_not_to_a_page_that_is_read_twice() -> None:
    parts = Parts()
    stored = parts.save_form()
    first, _ = learn(parts, stored, "novel")
    _, second = learn(parts, stored, "story")

    page = parts.answer(stored, "sea", answer_page())[1]
    again = parts.learner.judge(first, page, 200)

    assert second.case == "duplicate"
    assert again.case == "all"
    state = parts.states.load(stored)
    assert state.new_to_site == 5


def test_answers_that_say_that_there_is_no_such_page_are_counted_in_a_row() -> None:
    parts = Parts()
    stored = parts.save_form()
    gone = "<title>404 Not Found</title><h1>Page not found</h1><p>The page you are looking for does not exist.</p>"

    missing = []
    for word, source in (("sea", gone), ("moon", gone), ("road", answer_page())):
        learn(parts, stored, word, source)
        missing.append(parts.states.load(stored).missing)

    assert missing == [1, 2, 0]


def test_a_word_that_does_not_exist_teaches_the_decoy_test_and_nothing_about_words() -> None:
    parts = Parts()
    stored = parts.save_form()
    before = parts.states.load(stored).strategy.to_json()

    learn(parts, stored, nonsense(stored.id), "<title>Results</title><p>Nothing found.</p>")

    assert parts.states.load(stored).strategy.to_json() == before
    assert parts.states.load(stored).records_shown == 0


def test_filled_in_values_get_their_weights_from_the_answer() -> None:
    parts = Parts()
    author = Field("author", "text", "Author")
    stored = parts.save_form(replace(FORM, fields=(*FORM.fields, author)))
    parts.values.learn_values("Author", ["Jane Austen", "Mark Twain"], "test", weight=0.5)
    exchange, page = parts.answer(stored, "novel", answer_page())
    query = replace(exchange.submission.query, values=(("q", "novel"), ("author", "Mark Twain")))
    exchange = replace(exchange, submission=replace(exchange.submission, query=query))
    before = {value.text: value.weight for value in parts.values.lookup(author).values}

    parts.learner.learn(exchange, page, parts.learner.judge(exchange, page, 200), set())

    after = {value.text: value.weight for value in parts.values.lookup(author).values}
    assert after["Mark Twain"] > before["Mark Twain"]
    assert after["Jane Austen"] == before["Jane Austen"]
    assert parts.store.list_knowledge("values")  # it is kept at once


# Mirrors


def test_a_form_whose_first_answer_shows_the_records_of_another_is_its_mirror() -> None:
    parts = Parts()
    first, second = parts.save_form(), parts.save_form(OTHER_FORM)
    learn(parts, first, "bridge", bridges("old"))
    exchange, page = parts.answer(second, "bridge", bridges("new"))
    answer = parts.learner.judge(exchange, page, 200)

    assert parts.learner.find_mirrored(exchange, answer, set()) == first.id

    second_page = replace(exchange, item=replace(exchange.item, task=replace(exchange.task, page_number=2)))
    by_hand = replace(exchange, form=replace(second, verdict=replace(second.verdict, by_hand="allow")))
    known = {record.key for record in answer.records}
    assert parts.learner.find_mirrored(second_page, answer, set()) is None
    assert parts.learner.find_mirrored(by_hand, answer, set()) is None
    assert (
        parts.learner.find_mirrored(exchange, answer, known) is None
    )  # it shows them under their own addresses


def test_a_form_with_records_of_its_own_is_no_mirror() -> None:
    parts = Parts()
    first, second = parts.save_form(), parts.save_form(OTHER_FORM)
    learn(parts, first, "novel")
    exchange, page = parts.answer(second, "bridge", bridges("new"))
    answer = parts.learner.judge(exchange, page, 200)

    assert parts.learner.find_known_keys(exchange, answer) == set()
    assert parts.learner.find_mirrored(exchange, answer, set()) is None


def test_records_that_the_site_showed_earlier_are_known() -> None:
    parts = Parts()
    stored = parts.save_form()
    _, answer = learn(parts, stored, "novel")
    exchange, page = parts.answer(stored, "story", answer_page())

    known = parts.learner.find_known_keys(exchange, parts.learner.judge(exchange, page, 200))

    assert known == {record.key for record in answer.records}
    assert {each.number for each in parts.store.list_records(stored.id)} == {text_hash(key) for key in known}


# What does not come


@pytest.mark.parametrize("refused", [True, False])
def test_a_query_interrupted_by_an_outage_differs_from_one_without_an_answer(
    refused: bool,
) -> None:
    parts = Parts()
    stored = parts.save_form()
    strategy = parts.states.load(stored).strategy
    strategy.note_query(strategy.next() or pytest.fail("there is no query"))
    under_way = strategy.to_json()
    task = parts.submit(stored, "sea")

    failure = FetchFailure(task, "no connection", NOW, refused=refused)
    parts.learner.end_broken(load_exchange(parts.store, failure))

    interrupted = strategy.to_json()[-1]
    assert bool(interrupted) is not refused
    assert strategy.to_json() != under_way


def test_coverage_is_saved_once_it_can_be_estimated() -> None:
    parts = Parts()
    stored = parts.save_form()
    exchange, _ = learn(parts, stored, "novel")
    parts.states.load(stored).strategy.end_answer()

    parts.learner.save_coverage(exchange)

    estimate = parts.states.load(stored).strategy.estimate()
    assert parts.load_form(stored).coverage == (estimate.to_json() if estimate else "")
