"""What records say about their words: every count is compared with counting again."""

from __future__ import annotations

from math import log
from random import Random

import numpy as np
import pytest

from hiddenweb.querying.vocabulary_index import VocabularyIndex

RECORDS = {1: "red old house", 2: "red new car", 3: "blue house", 4: "red red house sea"}


@pytest.fixture
def vocabulary() -> VocabularyIndex:
    vocabulary = VocabularyIndex()
    for key, text in RECORDS.items():
        assert vocabulary.add(key, text.split())
    return vocabulary


def word(vocabulary: VocabularyIndex, text: str) -> int:
    number = vocabulary.find(text)
    assert number is not None
    return number


def test_a_record_is_new_once(vocabulary: VocabularyIndex) -> None:
    assert not vocabulary.add(1)
    assert len(vocabulary) == 4
    assert vocabulary.has_record(1)
    assert not vocabulary.has_record(5)


def test_a_word_is_counted_once_in_a_record(vocabulary: VocabularyIndex) -> None:
    assert vocabulary.count[word(vocabulary, "red")] == 3
    assert list(vocabulary.places((word(vocabulary, "red"),))) == [0, 1, 3]


def test_several_words_are_held_by_records_that_hold_each(vocabulary: VocabularyIndex) -> None:
    assert set(vocabulary.places((word(vocabulary, "red"), word(vocabulary, "house")))) == {0, 3}


def test_other_words_have_no_number(vocabulary: VocabularyIndex) -> None:
    assert vocabulary.find("green") is None
    assert not len(vocabulary.places((vocabulary.number("green"),)))


def test_the_most_frequent_words_come_first(vocabulary: VocabularyIndex) -> None:
    assert {vocabulary.words[number] for number in vocabulary.most_frequent(2)} == {"red", "house"}


def test_lengths_are_compared_by_their_logarithms(vocabulary: VocabularyIndex) -> None:
    sums = vocabulary.sums_of(np.array(word(vocabulary, "house")))
    lengths = [log(3), log(2), log(3)]  # "red red" is one word
    mean = sum(lengths) / 3
    assert sums.lengths / sums.records == pytest.approx(mean)


def test_answers_are_counted_that_showed_a_record_first(vocabulary: VocabularyIndex) -> None:
    vocabulary.begin_answer()
    vocabulary.add(2)  # "red new car" again: it came in the first answer
    vocabulary.add(5, ["red", "boat"])
    vocabulary.add(6, ["red", "boat"])
    sums = vocabulary.sums_of(np.array([word(vocabulary, text) for text in ("red", "house", "boat")]))
    assert list(sums.answers) == [2, 1, 1]
    assert vocabulary.sums_of_all().answers == 2


@pytest.mark.parametrize("seed", range(5))
def test_all_sums_equal_those_of_counting_again(seed: int) -> None:
    chance = Random(seed)
    vocabulary, met = VocabularyIndex(), dict.fromkeys(range(40), 0)
    held = {key: {f"w{chance.randrange(12)}" for _ in range(chance.randrange(1, 8))} for key in met}
    first: dict[int, int] = {}
    for at in range(150):
        if at % 10 == 0:
            vocabulary.begin_answer()
        key = chance.randrange(40)
        vocabulary.add(key, held[key])
        met[key] += 1
        first.setdefault(key, at // 10)
    for text in {text for key, texts in held.items() if met[key] for text in texts}:
        number = word(vocabulary, text)
        keys = [key for key in met if met[key] and text in held[key]]
        sums = vocabulary.sums_of(np.array(number))
        assert sums.records == len(keys)
        assert sums.once == sum(met[key] == 1 for key in keys)
        assert sums.twice == sum(met[key] == 2 for key in keys)
        assert sums.times == pytest.approx(sum(log(met[key]) for key in keys))
        assert sums.answers == len({first[key] for key in keys})
        assert vocabulary.sums_over(vocabulary.places((number,))) == pytest.approx(sums)
    everything = vocabulary.sums_of_all()
    assert everything == pytest.approx(vocabulary.sums_over(np.arange(len(vocabulary), dtype=np.uint32)))


def test_restored_records_count_as_before(vocabulary: VocabularyIndex) -> None:
    again = VocabularyIndex()
    vocabulary.add(2)
    vocabulary.add(2)
    for key, text in RECORDS.items():
        again.restore(key, text.split(), 3 if key == 2 else 1)

    assert again.sums_of_all() == pytest.approx(vocabulary.sums_of_all())
    assert again.sums_of(np.array(word(again, "red"))) == pytest.approx(
        vocabulary.sums_of(np.array(word(vocabulary, "red")))
    )


def test_restoring_a_record_twice_changes_nothing(vocabulary: VocabularyIndex) -> None:
    before = vocabulary.sums_of_all()
    place = len(vocabulary)
    again = VocabularyIndex()
    for key, text in RECORDS.items():
        again.restore(key, text.split(), 1)
    assert (again.sums_of_all(), len(again)) == (before, place)
