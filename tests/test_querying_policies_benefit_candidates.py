"""Which words, groups of words and unfinished answers are candidates, and which is the best of them."""

from __future__ import annotations

import pytest

from hiddenweb.querying.policies.benefit.candidates import QueryCandidate, order_of_worth
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy


def test_no_word_with_a_whole_answer_is_submitted_with_others() -> None:
    policy = BenefitPolicy("en")
    texts = [
        (("red", "white")[at // 4 % 2], "wine", ("blue", "green", "bottle", "glass")[at % 4], f"number{at}")
        for at in range(80)
    ]
    policy.note_query(("wine",))
    policy.read(list(enumerate(texts)), 900)
    policy.end_answer(had_more=True)
    policy.note_query(("blue",))
    policy.read([(at, words) for at, words in enumerate(texts) if "blue" in words], 20)
    policy.end_answer()
    policy.note_query(("red",))
    policy.read([], 800)
    policy.end_answer(had_more=True, cut=True)

    policy.finder.refresh()

    words_with_red = {policy.vocabulary.words[word] for words in policy.finder.groups for word in words}
    assert "green" in words_with_red
    assert "blue" not in words_with_red


@pytest.mark.parametrize(
    ("promised", "first"),
    [
        pytest.param(3.0, "a word", id="a word promises a record"),
        pytest.param(0.9, "a page", id="no word promises one"),
    ],
)
def test_a_page_that_promises_hardly_a_record_waits_while_a_word_promises_one(
    promised: float, first: str
) -> None:
    page = QueryCandidate(0.4, (1,), None, 0.4, continues=True)
    word = QueryCandidate(promised / 30, (2,), None, promised)

    best = min([page, word], key=order_of_worth([page, word], has_limit=True))

    assert best == (word if first == "a word" else page)


def test_a_page_that_promises_records_comes_before_more_expensive_words() -> None:
    page = QueryCandidate(5.0, (1,), None, 5.0, continues=True)
    word = QueryCandidate(1.0, (2,), None, 30.0)

    assert min([word, page], key=order_of_worth([word, page], has_limit=True)) == page
