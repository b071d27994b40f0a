"""The labelled answers: labels that follow from the database, and figures that count what they say."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks._answer_pages import answers_of
from benchmarks._answer_reader import AnswerReader
from benchmarks._led_answers import PAGES, QUERIES, lead_conversations
from benchmarks.answers import (
    Judged,
    confusions,
    figures_of,
    judge_answers,
    judge_led,
    judge_world,
    mistakes,
    shares,
    shortfalls,
)
from hiddenweb.answers.answer_verdict import AnswerVerdict
from hiddenweb.forms.stored_form import form_hash
from simweb.forms import STYLES

SEED, SITES = 5, 40


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    return judge_world(SEED, SITES)


def test_every_style_and_every_case_is_among_the_answers(judged: list[Judged]) -> None:
    styles = {each.truth.site.plan.database.style for each in judged if each.truth.site.plan.database}
    labels = {each.truth.truth.label for each in judged}

    assert styles == set(STYLES)
    assert labels >= {
        "all", "paged", "with_form", "another_form", "error", "form_again", "duplicate", "nothing_found", "blocked",
        "soft_404",
    }  # fmt: skip


def test_answers_are_read_for_what_they_are(judged: list[Judged]) -> None:
    figures = figures_of(judged)

    assert figures["pages"] == len(judged) > 300
    assert float(str(figures["answer_accuracy"])) >= 0.97
    assert float(str(figures["record_recall"])) >= 0.97
    assert float(str(figures["next_page_accuracy"])) >= 0.99


def test_labels_do_not_depend_on_what_is_said_of_them() -> None:
    first = [(each.page.url, each.role, each.truth) for each in answers_of(SEED, 8)]
    again = [(each.page.url, each.role, each.truth) for each in answers_of(SEED, 8)]

    assert first == again
    assert len({url for url, _, _ in first}) > 20


def test_a_wrong_number_of_records_is_wrong(judged: list[Judged]) -> None:
    right = next(each for each in judged if each.is_right and len(each.truth.truth.shown) > 1)
    fewer = AnswerVerdict(right.said.case, "so", right.said.records[1:])
    wrong = Judged(right.truth, fewer, right.is_first, found=1, leads_on=True)

    assert (wrong.case_is_right, wrong.is_right) == (True, False)
    assert figures_of([right, wrong])["answer_accuracy"] == 0.5
    assert "1" in confusions([wrong])
    assert right.truth.site.plan.host in mistakes([wrong])
    assert "0.5" in shares("host", [right, wrong], lambda each: each.truth.site.plan.host)


def test_what_is_missed_is_said(judged: list[Judged]) -> None:
    lines = list(shortfalls(figures_of(judged[:10]) | {"led_accuracy": 0.5}))

    assert any("pages is 10" in line for line in lines)
    assert any("led_accuracy is 0.5" in line for line in lines)


def test_a_question_that_comes_again_is_read_with_what_its_answer_taught() -> None:
    answers = answers_of(SEED, 8)
    answered = next(each for each in answers if len(each.truth.shown) > 1)

    first, again = judge_answers([answered, answered])

    assert (first.is_first, first.is_right) == (True, True)
    assert (again.is_first, again.said.case) == (False, "duplicate")


def test_a_further_page_is_read_as_one_of_the_answer_before() -> None:
    answers = list(answers_of(SEED, SITES))
    second = next(each for each in answers if each.number == 2)
    first = next(each for each in answers if each.query is second.query)
    reader = AnswerReader(first)
    assert not reader.knows(first.form)

    said = [reader.read(each) for each in (first, second)]

    assert reader.knows(first.form)
    assert [verdict.case for verdict in said] == [first.truth.label, second.truth.label]
    assert {record.key for record in said[0].records}.isdisjoint(record.key for record in said[1].records)


@pytest.fixture(scope="module")
def led() -> list[Judged]:
    return judge_led(SEED, SITES)


def test_conversations_ask_what_they_want_and_read_what_comes(led: list[Judged]) -> None:
    figures = figures_of(led)

    assert {"paged", "with_form", "nothing_found", "another_form"} <= {each.truth.truth.label for each in led}
    assert len(led) > 300
    assert float(str(figures["answer_accuracy"])) >= 0.97
    assert float(str(figures["next_page_accuracy"])) >= 0.99


def test_conversations_ask_no_more_than_they_may(led: list[Judged]) -> None:
    asked = {(each.truth.form.page_url, form_hash(each.truth.form), each.truth.query) for each in led}
    by_form = Counter((page, form) for page, form, _ in asked)

    assert QUERIES / 2 < max(by_form.values()) <= QUERIES
    assert max(each.truth.number for each in led) > PAGES  # an answer that was left is resumed


def test_a_conversation_is_led_the_same_way_twice() -> None:
    first, again = (
        [(each.page.url, each.truth, said.case) for each, said in lead_conversations(SEED, 8)]
        for _ in range(2)
    )

    assert first == again
