"""What pages without records say."""

from __future__ import annotations

from hiddenweb.answers.answer_verdict import EarlierAnswers
from hiddenweb.answers.empty_pages import (
    find_pause_of_page,
    reason_blocked,
    reason_nothing_found,
    says_no_records,
    wording_of,
    words_for_nothing_found,
)
from hiddenweb.model import HttpQuery, Page

QUERY = HttpQuery((("q", "wine"),), "wine", url="http://a.example/find?q=wine")
NEW = EarlierAnswers()


def page(text: str) -> Page:
    return Page("http://a.example/find?q=wine", text=text)


def test_words_for_nothing_found_are_returned() -> None:
    assert words_for_nothing_found(page("No results for wine"), QUERY) == "No results"
    assert says_no_records(page("No results for wine"), QUERY, NEW)
    assert not says_no_records(page("Old Roads"), QUERY, NEW)


def test_a_page_that_says_what_an_empty_answer_said_found_nothing() -> None:
    known = EarlierAnswers(empty=frozenset({wording_of(page("Shelf 3 has no wine"), QUERY)}))

    assert reason_nothing_found(page("Shelf 4 has no wine"), QUERY, known)
    assert not reason_nothing_found(page("Old Roads"), QUERY, known)


def test_a_page_that_keeps_us_out_is_told_by_its_words() -> None:
    assert reason_blocked(page("Are you a robot?"), QUERY, NEW)


def test_a_page_without_records_may_ask_to_wait() -> None:
    wait = find_pause_of_page(page("Please wait 12 seconds before the next search"), (), QUERY, NEW)

    assert wait is not None
    assert wait.seconds == 12
