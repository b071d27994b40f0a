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
def seen() -> VocabularyIndex:
    """Two hundred records of red things; a fourth of them are boats, few are hats, and nearly all are old."""
    seen = VocabularyIndex()
    for at in range(200):
        words = ["red", "old"] if at % 10 else ["red"]
        words += ["boat"] if at % 4 == 0 else ["house"]
        words += ["hat"] if at < 2 else []
        seen.meet(at, words)
    return seen


def best(
    seen: VocabularyIndex,
    total: int | None,
    asked: tuple[Numbers, ...] = (),
    *,
    worth: float = 1.0,
    shown: int = 100,
) -> list[set[str]]:
    stand_ins = RakingWeights(seen)
    stand_ins.add(1.0)
    refinements = Refinements(seen, stand_ins)
    refinements.add((seen.number("red"),), total, shown)
    found = refinements.best(10, {(seen.number("red"),), *asked}, 1.0, 100.0, bool, worth=lambda _: worth)
    return [{seen.words[word] for word in words} for words in found]


def test_the_next_word_is_one_that_tells(seen: VocabularyIndex) -> None:
    """Nearly all records are old, which tells nothing; hats are too few to tell anything."""
    assert best(seen, 900) == [{"red", "boat"}]
    assert best(seen, None) == [{"red", "boat"}]


def test_what_was_asked_is_not_asked_again(seen: VocabularyIndex) -> None:
    pair = tuple(sorted((seen.number("red"), seen.number("boat"))))
    assert best(seen, 900, (pair,)) == []


def test_what_somebody_knows_to_be_worth_nothing_is_left(seen: VocabularyIndex) -> None:
    assert best(seen, 900, worth=0.0) == []


def test_records_that_the_cut_answer_showed_are_shown_first_again(seen: VocabularyIndex) -> None:
    """Of 200 known records this answer showed 100, so it showed half of those that hold the next word."""
    red, boat = seen.number("red"), seen.number("boat")
    refinements = Refinements(seen, RakingWeights(seen))
    refinements._stand_ins.add(1.0)
    refinements.add((red,), 900, 100)
    refinements.best(10, {(red,)}, 1.0, 100.0, bool)
    odds, first = refinements.of(tuple(sorted((red, boat))), 1.0)
    assert odds == pytest.approx(701 / 201)
    assert first == pytest.approx(0.5)
    assert refinements.of((boat,), 1.0) == (1.0, 0.0)


def test_an_answer_that_hides_little_is_left_alone(seen: VocabularyIndex) -> None:
    assert best(seen, 205) == []


def test_an_answer_that_was_shown_after_all_is_left_alone(seen: VocabularyIndex) -> None:
    refinements = Refinements(seen, RakingWeights(seen))
    refinements.add((seen.number("red"),), 900, 100)
    refinements.discard((seen.number("red"),))
    assert refinements.best(10, set(), 1.0, 100.0, bool) == []
