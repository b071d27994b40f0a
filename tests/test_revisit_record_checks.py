"""Checks of records that left an answer."""

from __future__ import annotations

import asyncio

import pytest
from memory_answers import HOME, TASK, MemoryAnswers, PreparedPages, fetched, reading, record, stored

from hiddenweb.revisit.answer_walk import AnswerWalks
from hiddenweb.revisit.change import Change
from hiddenweb.revisit.record_checks import RecordCheck, RecordChecks

OWN = "http://a.example/lamp"
PAGES = PreparedPages(
    there=reading(text="A lamp of brass, with a shade of green glass"),
    other=reading(text="Welcome to our shop"),
    nothing=reading(text="Sorry, nothing was found"),
)
CHECK = RecordCheck(Change("record removed", HOME, 50.0, key="lamp"), stored(), TASK, is_whole=False)


def checks(store: MemoryAnswers, *, budget: bool = True) -> RecordChecks:
    store.records["lamp"] = record("lamp", "A lamp of brass, with a shade of green glass")
    return RecordChecks(store, lambda: budget, PAGES.read, AnswerWalks(store, lambda: budget, PAGES.read, 1))


@pytest.mark.parametrize(
    ("body", "status", "is_gone"),
    [
        ("", 404, True),
        ("there", 200, False),
        ("nothing", 200, True),
        ("other", 200, False),  # it says nothing of the record, nor that there is none
        ("", 503, False),
    ],
)
def test_the_own_page_of_a_record_says_whether_it_is_gone(body: str, status: int, is_gone: bool) -> None:
    store = MemoryAnswers()

    assert asyncio.run(checks(store).end(CHECK, fetched(body, status=status, url=OWN))) == is_gone
    assert ("lamp" in store.gone) == is_gone


def test_a_check_is_planned_once_and_only_where_there_is_a_page_and_a_request_left() -> None:
    store = MemoryAnswers()
    assert not checks(store).begin(CHECK)

    store.pages["lamp"] = OWN
    assert not checks(store, budget=False).begin(CHECK)
    record_checks = checks(store)
    assert record_checks.begin(CHECK)

    assert record_checks.pop(store.planned[OWN]) is CHECK
    assert record_checks.pop(store.planned[OWN]) is None
