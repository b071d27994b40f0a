"""What is learnt from answers."""

from __future__ import annotations

from hiddenweb.answers.answer_verdict import AnswerVerdict, EarlierAnswers
from hiddenweb.answers.earlier_answers import begin_with_page, learn_from_answer
from hiddenweb.model import Link, Page, Record

BOOK = Record("http://a.example/book/1", "Old Roads", "Old Roads", "http://a.example/book/1")


def test_the_page_of_a_form_is_remembered_by_its_links() -> None:
    known = begin_with_page(Page("http://a.example/", links=(Link("http://a.example/about"),)))

    assert known.page_links == {"http://a.example/about"}


def test_records_of_an_answer_are_remembered_with_its_signature() -> None:
    known = learn_from_answer(EarlierAnswers(), Page(""), AnswerVerdict("all", "", (BOOK,), signature=7))

    assert known.keys == {BOOK.key}
    assert known.answers == {7}


def test_an_error_teaches_nothing() -> None:
    known = EarlierAnswers(answers=frozenset({1}))

    assert learn_from_answer(known, Page(""), AnswerVerdict("error", "")) == known


def test_how_an_empty_answer_is_worded_is_remembered() -> None:
    known = learn_from_answer(
        EarlierAnswers(), Page("", structure=5), AnswerVerdict("nothing_found", "", wording=9)
    )

    assert known.empty == {5, 9}
