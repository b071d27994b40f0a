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
def seen() -> VocabularyIndex:
    """A hundred records: all hold "all", half of them "half", one in ten "tenth", and each a word of its own."""
    seen = VocabularyIndex()
    for at in range(100):
        words = ["all", f"own{at}"]
        words += ["half"] if at % 2 else []
        words += ["tenth"] if at % 10 == 0 else []
        seen.meet(at, words)
    return seen


def expecting(seen: VocabularyIndex, reach: AnswerReach) -> GainEstimator:
    latest = RecentNewness()
    latest.add(200, 100, 50)  # every second match was new
    known = GainEstimator(seen, reach, latest)
    known.read()
    return known


def expect(known: GainEstimator, seen: VocabularyIndex, word: str, first: float = 0.0) -> ExpectedGain:
    numbers = np.array([seen.number(word)], np.uint32)
    digits, letters = seen.kinds_of(numbers)
    hidden = np.array([known.hidden_at(seen.places((int(numbers[0]),)))])
    words = WordFacts(
        seen.sums_of(numbers), digits, letters, np.zeros(1), np.full(1, known.odds), np.full(1, first)
    )
    return known.expect(words, hidden).of(0)


def capped(most: int) -> AnswerReach:
    reach = AnswerReach()
    reach.end_answer(most, 10 * most, had_more=False)
    return reach


def test_more_is_expected_of_words_that_more_records_hold(seen: VocabularyIndex) -> None:
    known = expecting(seen, capped(1_000))
    news = [float(expect(known, seen, word).new) for word in ("own1", "tenth", "half", "all")]
    assert news == sorted(news)
    assert news[0] < 1.5 < news[2]


def test_more_is_expected_of_a_word_that_many_answers_showed() -> None:
    seen = VocabularyIndex()
    for answer in range(10):
        seen.turn_to_next_answer()
        for at in range(10):
            seen.meet(10 * answer + at, ["anywhere" if at == 0 else "other", f"within{answer}"])
    known = expecting(seen, capped(1_000))
    spread, together = (expect(known, seen, word) for word in ("anywhere", "within5"))
    assert spread.met == together.met == 10
    assert spread.new > 2 * together.new


def test_what_was_expected_by_other_features_is_of_no_use(seen: VocabularyIndex) -> None:
    known = expecting(seen, capped(30))
    expected = expect(known, seen, "half")
    assert known.resume(expected) is expected
    assert known.resume(expected._replace(features=expected.features[1:])) is None


def test_no_more_can_be_new_than_is_shown(seen: VocabularyIndex) -> None:
    expected = expect(expecting(seen, capped(30)), seen, "all")
    assert expected.found > 100
    assert expected.new < expected.shown <= 30.001


def test_what_is_known_to_be_shown_first_leaves_less_that_is_new(seen: VocabularyIndex) -> None:
    """Of 50 records that hold the word all are shown first, of the 30 that are shown at all: nothing new can come."""
    known = expecting(seen, capped(30))
    assert expect(known, seen, "half", first=1.0).new < 0.5
    assert expect(known, seen, "half", first=0.3).new < expect(known, seen, "half").new


def test_nothing_comes_of_what_is_too_much_for_the_site(seen: VocabularyIndex) -> None:
    reach = AnswerReach()
    reach.end_answer(0, 60, had_more=True)
    known = expecting(seen, reach)
    assert expect(known, seen, "all").new < 1
    assert expect(known, seen, "tenth").new > expect(known, seen, "all").new


def test_experience_corrects_what_is_expected(seen: VocabularyIndex) -> None:
    known = expecting(seen, capped(1_000))
    before = expect(known, seen, "half")
    for _ in range(60):
        known.learn(expect(known, seen, "half"), found=300, shown=300, new=250)
    after = expect(known, seen, "half")
    assert abs(log(after.found / 300)) < abs(log(before.found / 300))
    assert after.found == pytest.approx(300, rel=0.3)
    assert after.new == pytest.approx(250, rel=0.3)


def test_what_was_learnt_survives_being_written_down(seen: VocabularyIndex) -> None:
    known = expecting(seen, capped(1_000))
    for _ in range(5):
        known.learn(expect(known, seen, "half"), found=300, shown=300, new=250)
    again = expecting(seen, capped(1_000))
    again.restore(json.loads(json.dumps(known.to_json())))
    assert expect(again, seen, "tenth").new == pytest.approx(expect(known, seen, "tenth").new, rel=1e-3)
