"""Words are expected to bring what the known records that hold them stand for."""

from __future__ import annotations

import numpy as np
import pytest

from hiddenweb.querying.policies.benefit.word_gains import WordGains
from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
from hiddenweb.querying.search_behaviour import AnswerReach, RecentNewness
from hiddenweb.querying.vocabulary_index import VocabularyIndex


@pytest.fixture
def knowledge() -> WordKnowledge:
    latest = RecentNewness()
    known = WordKnowledge(VocabularyIndex(), AnswerReach(), latest, "en")
    for key in range(40):
        known.vocabulary.add(key, ["film", *(["noir"] if key % 4 == 0 else []), f"rare{key}"])
    latest.add(40, 20, 20)
    known.gains.read()
    return known


def test_nothing_is_expected_of_words_that_no_known_record_holds(knowledge: WordKnowledge) -> None:
    gains = WordGains(knowledge, 20.0)

    assert gains.expect([]) is None
    assert gains.expect([knowledge.vocabulary.numbers(["western"])]) is None


def test_a_word_that_more_records_hold_promises_more_for_the_same_query(knowledge: WordKnowledge) -> None:
    gains = WordGains(knowledge, 20.0)
    words = [knowledge.vocabulary.numbers([word]) for word in ("film", "noir")]

    expected = gains.expect(words)

    assert expected is not None
    assert list(expected.known) == [40, 10]
    assert expected.new[0] > expected.new[1] > 0
    rates = gains.rates(expected)
    assert rates[0] > rates[1]
    assert list(WordGains(knowledge, 40.0).rates(expected)) < list(rates)


def test_the_best_words_come_first(knowledge: WordKnowledge) -> None:
    words = np.array(
        [knowledge.vocabulary.numbers([word])[0] for word in ("rare3", "film", "noir")], np.uint32
    )

    best = WordGains(knowledge, 20.0).best_of(2, words, np.ones(3))

    assert [knowledge.vocabulary.words[word] for word in best.tolist()] == ["film", "noir"]


def test_groups_of_words_are_expected_to_find_records_that_hold_all_of_them(knowledge: WordKnowledge) -> None:
    expected = WordGains(knowledge, 20.0).expect([knowledge.vocabulary.numbers(["film", "noir"])])

    assert expected is not None
    assert list(expected.known) == [10]
