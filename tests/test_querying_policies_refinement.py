"""One more word for answers that were cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.policies.refinement import Refinements
from hiddenweb.querying.raking import RakingWeights
from hiddenweb.querying.vocabulary_index import VocabularyIndex

if TYPE_CHECKING:
    from hiddenweb.querying.vocabulary_index import Numbers


@pytest.fixture
def vocabulary() -> VocabularyIndex:
    """Two hundred records of red things; a fourth of them are boats, few are hats, and nearly all are old."""
    vocabulary = VocabularyIndex()
    for at in range(200):
        words = ["red", "old"] if at % 10 else ["red"]
        words += ["boat"] if at % 4 == 0 else ["house"]
        words += ["hat"] if at < 2 else []
        vocabulary.add(at, words)
    return vocabulary


def best(
    vocabulary: VocabularyIndex,
    total: int | None,
    submitted: tuple[Numbers, ...] = (),
    *,
    worth: float = 1.0,
    shown: int = 100,
) -> list[set[str]]:
    weights = RakingWeights(vocabulary)
    weights.add(1.0)
    refinements = Refinements(vocabulary, weights)
    refinements.add((vocabulary.number("red"),), total, shown)
    found = refinements.best(
        10, {(vocabulary.number("red"),), *submitted}, 1.0, 100.0, bool, worth=lambda _: worth
    )
    return [{vocabulary.words[word] for word in words} for words in found]


def test_the_next_word_is_one_that_divides_the_records(vocabulary: VocabularyIndex) -> None:
    """Nearly all records are old, which tells nothing; hats are too few to tell anything."""
    assert best(vocabulary, 900) == [{"red", "boat"}]
    assert best(vocabulary, None) == [{"red", "boat"}]


def test_no_query_is_resubmitted(vocabulary: VocabularyIndex) -> None:
    pair = tuple(sorted((vocabulary.number("red"), vocabulary.number("boat"))))
    assert best(vocabulary, 900, (pair,)) == []


def test_words_that_an_adviser_rejects_are_left_out(vocabulary: VocabularyIndex) -> None:
    assert best(vocabulary, 900, worth=0.0) == []


def test_records_that_the_cut_answer_showed_are_shown_first_again(vocabulary: VocabularyIndex) -> None:
    """Of 200 known records this answer showed 100, so it showed half of those that hold the next word."""
    red, boat = vocabulary.number("red"), vocabulary.number("boat")
    refinements = Refinements(vocabulary, RakingWeights(vocabulary))
    refinements._weights.add(1.0)
    refinements.add((red,), 900, 100)
    refinements.best(10, {(red,)}, 1.0, 100.0, bool)
    odds, first = refinements.of(tuple(sorted((red, boat))), 1.0)
    assert odds == pytest.approx(701 / 201)
    assert first == pytest.approx(0.5)
    assert refinements.of((boat,), 1.0) == (1.0, 0.0)


def test_an_answer_that_hides_little_is_left_alone(vocabulary: VocabularyIndex) -> None:
    assert best(vocabulary, 205) == []


def test_an_answer_that_was_shown_after_all_is_left_alone(vocabulary: VocabularyIndex) -> None:
    refinements = Refinements(vocabulary, RakingWeights(vocabulary))
    refinements.add((vocabulary.number("red"),), 900, 100)
    refinements.discard((vocabulary.number("red"),))
    assert refinements.best(10, set(), 1.0, 100.0, bool) == []
