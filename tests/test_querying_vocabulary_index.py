"""What records say about their words: every count against counting anew."""

from __future__ import annotations

from math import log
from random import Random

import numpy as np
import pytest

from hiddenweb.querying.vocabulary_index import VocabularyIndex

RECORDS = {1: "red old house", 2: "red new car", 3: "blue house", 4: "red red house sea"}


@pytest.fixture
def seen() -> VocabularyIndex:
    seen = VocabularyIndex()
    for key, text in RECORDS.items():
        assert seen.add(key, text.split())
    return seen


def word(seen: VocabularyIndex, text: str) -> int:
    number = seen.find(text)
    assert number is not None
    return number


def test_a_record_is_new_once(seen: VocabularyIndex) -> None:
    assert not seen.add(1)
    assert len(seen) == 4
    assert seen.has_record(1)
    assert not seen.has_record(5)


def test_a_word_is_counted_once_in_a_record(seen: VocabularyIndex) -> None:
    assert seen.count[word(seen, "red")] == 3
    assert list(seen.places((word(seen, "red"),))) == [0, 1, 3]


def test_several_words_are_held_by_records_that_hold_each(seen: VocabularyIndex) -> None:
    assert set(seen.places((word(seen, "red"), word(seen, "house")))) == {0, 3}


def test_other_words_have_no_number(seen: VocabularyIndex) -> None:
    assert seen.find("green") is None
    assert not len(seen.places((seen.number("green"),)))


def test_the_most_frequent_words_come_first(seen: VocabularyIndex) -> None:
    assert {seen.words[number] for number in seen.most_frequent(2)} == {"red", "house"}


def test_lengths_are_compared_by_their_logarithms(seen: VocabularyIndex) -> None:
    sums = seen.sums_of(np.array(word(seen, "house")))
    lengths = [log(3), log(2), log(3)]  # "red red" is one word
    mean = sum(lengths) / 3
    assert sums.lengths / sums.records == pytest.approx(mean)


def test_answers_are_counted_that_showed_a_record_first(seen: VocabularyIndex) -> None:
    seen.begin_answer()
    seen.add(2)  # "red new car" again: it came in the first answer
    seen.add(5, ["red", "boat"])
    seen.add(6, ["red", "boat"])
    sums = seen.sums_of(np.array([word(seen, text) for text in ("red", "house", "boat")]))
    assert list(sums.answers) == [2, 1, 1]
    assert seen.sums_of_all().answers == 2


@pytest.mark.parametrize("seed", range(5))
def test_all_sums_equal_those_of_counting_again(seed: int) -> None:
    chance = Random(seed)
    seen, met = VocabularyIndex(), dict.fromkeys(range(40), 0)
    held = {key: {f"w{chance.randrange(12)}" for _ in range(chance.randrange(1, 8))} for key in met}
    first: dict[int, int] = {}
    for at in range(150):
        if at % 10 == 0:
            seen.begin_answer()
        key = chance.randrange(40)
        seen.add(key, held[key])
        met[key] += 1
        first.setdefault(key, at // 10)
    for text in {text for key, texts in held.items() if met[key] for text in texts}:
        number = word(seen, text)
        keys = [key for key in met if met[key] and text in held[key]]
        sums = seen.sums_of(np.array(number))
        assert sums.records == len(keys)
        assert sums.once == sum(met[key] == 1 for key in keys)
        assert sums.twice == sum(met[key] == 2 for key in keys)
        assert sums.times == pytest.approx(sum(log(met[key]) for key in keys))
        assert sums.answers == len({first[key] for key in keys})
        assert seen.sums_over(seen.places((number,))) == pytest.approx(sums)
    everything = seen.sums_of_all()
    assert everything == pytest.approx(seen.sums_over(np.arange(len(seen), dtype=np.uint32)))


def test_restored_records_count_as_before(seen: VocabularyIndex) -> None:
    again = VocabularyIndex()
    seen.add(2)
    seen.add(2)
    for key, text in RECORDS.items():
        again.restore(key, text.split(), 3 if key == 2 else 1)

    assert again.sums_of_all() == pytest.approx(seen.sums_of_all())
    assert again.sums_of(np.array(word(again, "red"))) == pytest.approx(
        seen.sums_of(np.array(word(seen, "red")))
    )


def test_restoring_a_record_twice_changes_nothing(seen: VocabularyIndex) -> None:
    before = seen.sums_of_all()
    place = len(seen)
    again = VocabularyIndex()
    for key, text in RECORDS.items():
        again.restore(key, text.split(), 1)
    assert (again.sums_of_all(), len(again)) == (before, place)
