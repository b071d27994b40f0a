"""The labelled answers: labels that follow from the database, and figures that count what they say."""

from __future__ import annotations

import pytest

from benchmarks._answer_pages import answers_of
from benchmarks.answers import (
    Judged,
    Reader,
    confusions,
    figures_of,
    judge_world,
    mistakes,
    shares,
    shortfalls,
)
from hiddenweb.answers.answer_verdict import AnswerVerdict
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
    lines = list(shortfalls(figures_of(judged[:10])))

    assert any("pages is 10" in line for line in lines)


def test_a_reader_remembers_what_an_answer_taught() -> None:
    reader = Reader()
    answers = answers_of(SEED, 8)
    answered = next(each for each in answers if len(each.truth.shown) > 1)

    first, again = reader.judged(answered), reader.judged(answered)

    assert (first.is_first, first.is_right) == (True, True)
    assert (again.is_first, again.said.case) == (False, "duplicate")
