"""What words are expected to bring, by hand and by experience."""

from __future__ import annotations

import json
from math import log
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hiddenweb.querying.policies.expected_gain import GainEstimator, WordFacts
from hiddenweb.querying.search_behaviour import AnswerReach, RecentNewness
from hiddenweb.querying.vocabulary_index import VocabularyIndex

if TYPE_CHECKING:
    from hiddenweb.querying.policies.expected_gain import ExpectedGain


@pytest.fixture
def vocabulary() -> VocabularyIndex:
    """A hundred records: all hold "all", half of them "half", one in ten "tenth", and each a word of its own."""
    vocabulary = VocabularyIndex()
    for at in range(100):
        words = ["all", f"own{at}"]
        words += ["half"] if at % 2 else []
        words += ["tenth"] if at % 10 == 0 else []
        vocabulary.add(at, words)
    return vocabulary


def new_estimator(vocabulary: VocabularyIndex, reach: AnswerReach) -> GainEstimator:
    latest = RecentNewness()
    latest.add(200, 100, 50)  # every second match was new
    estimator = GainEstimator(vocabulary, reach, latest)
    estimator.read()
    return estimator


def expect(
    estimator: GainEstimator, vocabulary: VocabularyIndex, word: str, first: float = 0.0
) -> ExpectedGain:
    numbers = np.array([vocabulary.number(word)], np.uint32)
    digits, letters = vocabulary.kinds_of(numbers)
    hidden = np.array([estimator.hidden_at(vocabulary.places((int(numbers[0]),)))])
    words = WordFacts(
        vocabulary.sums_of(numbers),
        digits,
        letters,
        np.zeros(1),
        np.full(1, estimator.odds),
        np.full(1, first),
    )
    return estimator.expect(words, hidden).of(0)


def capped(most: int) -> AnswerReach:
    reach = AnswerReach()
    reach.end_answer(most, 10 * most, had_more=False)
    return reach


def test_more_is_expected_of_words_that_more_records_hold(vocabulary: VocabularyIndex) -> None:
    estimator = new_estimator(vocabulary, capped(1_000))
    news = [float(expect(estimator, vocabulary, word).new) for word in ("own1", "tenth", "half", "all")]
    assert news == sorted(news)
    assert news[0] < 1.5 < news[2]


def test_more_is_expected_of_a_word_that_many_answers_showed() -> None:
    vocabulary = VocabularyIndex()
    for answer in range(10):
        vocabulary.begin_answer()
        for at in range(10):
            vocabulary.add(10 * answer + at, ["anywhere" if at == 0 else "other", f"within{answer}"])
    estimator = new_estimator(vocabulary, capped(1_000))
    spread, together = (expect(estimator, vocabulary, word) for word in ("anywhere", "within5"))
    assert spread.known == together.known == 10
    assert spread.new > 2 * together.new


def test_expectations_by_other_features_are_dropped(vocabulary: VocabularyIndex) -> None:
    estimator = new_estimator(vocabulary, capped(30))
    expected = expect(estimator, vocabulary, "half")
    assert estimator.resume(expected) is expected
    assert estimator.resume(expected._replace(features=expected.features[1:])) is None


def test_no_more_can_be_new_than_is_shown(vocabulary: VocabularyIndex) -> None:
    expected = expect(new_estimator(vocabulary, capped(30)), vocabulary, "all")
    assert expected.found > 100
    assert expected.new < expected.shown <= 30.001


def test_known_records_that_are_shown_first_leave_fewer_new_ones(vocabulary: VocabularyIndex) -> None:
    """Of 50 records that hold the word all are shown first, of the 30 that are shown at all: nothing new can come."""
    estimator = new_estimator(vocabulary, capped(30))
    assert expect(estimator, vocabulary, "half", first=1.0).new < 0.5
    assert expect(estimator, vocabulary, "half", first=0.3).new < expect(estimator, vocabulary, "half").new


def test_nothing_is_expected_of_answers_that_are_too_long_for_the_site(vocabulary: VocabularyIndex) -> None:
    reach = AnswerReach()
    reach.end_answer(0, 60, had_more=True)
    estimator = new_estimator(vocabulary, reach)
    assert expect(estimator, vocabulary, "all").new < 1
    assert expect(estimator, vocabulary, "tenth").new > expect(estimator, vocabulary, "all").new


def test_results_correct_expectations(vocabulary: VocabularyIndex) -> None:
    estimator = new_estimator(vocabulary, capped(1_000))
    before = expect(estimator, vocabulary, "half")
    for _ in range(60):
        estimator.learn(expect(estimator, vocabulary, "half"), found=300, shown=300, new=250)
    after = expect(estimator, vocabulary, "half")
    assert abs(log(after.found / 300)) < abs(log(before.found / 300))
    assert after.found == pytest.approx(300, rel=0.3)
    assert after.new == pytest.approx(250, rel=0.3)


def test_what_was_learnt_is_saved_and_restored(vocabulary: VocabularyIndex) -> None:
    estimator = new_estimator(vocabulary, capped(1_000))
    for _ in range(5):
        estimator.learn(expect(estimator, vocabulary, "half"), found=300, shown=300, new=250)
    again = new_estimator(vocabulary, capped(1_000))
    again.restore(json.loads(json.dumps(estimator.to_json())))
    assert expect(again, vocabulary, "tenth").new == pytest.approx(
        expect(estimator, vocabulary, "tenth").new, rel=1e-3
    )
