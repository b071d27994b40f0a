"""A form gets fewer words in vain the more is known of it."""

from __future__ import annotations

import pytest

from hiddenweb.querying.coverage import Estimate
from hiddenweb.querying.query_patience import (
    FEWEST_ANSWERS,
    FIRST_WORDS,
    LAST_WORDS,
    MORE_WORDS,
    QueryPatience,
)


@pytest.mark.parametrize(
    ("known", "size", "answers", "limit"),
    [
        pytest.param(5, 6, FEWEST_ANSWERS, FIRST_WORDS, id="hardly a record is known"),
        pytest.param(95, 100, FEWEST_ANSWERS - 1, FIRST_WORDS, id="hardly an answer had records"),
        pytest.param(50, 100, FEWEST_ANSWERS, MORE_WORDS, id="half is hidden"),
        pytest.param(95, 100, FEWEST_ANSWERS, LAST_WORDS, id="nearly all is known"),
    ],
)
def test_patience_follows_what_is_known(known: int, size: float, answers: int, limit: int) -> None:
    patience = QueryPatience()
    patience.found = answers

    assert patience.limit(Estimate(known, size, size, size)) == limit


def test_patience_ends_with_words_in_a_row_that_bring_nothing() -> None:
    patience = QueryPatience()
    for _ in range(LAST_WORDS):
        assert not patience.is_low
        patience.count_word(brought_new=False)
    assert patience.is_low

    patience.count_word(brought_new=True)

    assert not patience.is_low
