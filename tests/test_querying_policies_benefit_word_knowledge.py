"""What is known of words decides whether they can find anything."""

from __future__ import annotations

import json

import pytest

from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
from hiddenweb.querying.search_behaviour import AnswerReach, RecentNewness
from hiddenweb.querying.vocabulary_index import VocabularyIndex

RECORDS = {1: "red old house", 2: "red new car", 3: "blue house", 4: "red house sea"}


@pytest.fixture
def knowledge() -> WordKnowledge:
    known = WordKnowledge(VocabularyIndex(), AnswerReach(), RecentNewness(), "en")
    for key, text in RECORDS.items():
        known.vocabulary.add(key, text.split())
    return known


def test_a_word_with_a_whole_answer_refines_nothing(knowledge: WordKnowledge) -> None:
    red, house = knowledge.vocabulary.numbers(["red"]), knowledge.vocabulary.numbers(["house"])
    both = tuple(sorted((*red, *house)))
    assert knowledge.can_refine(both)

    knowledge.whole[house] = 3

    assert not knowledge.can_refine(both)
    assert knowledge.can_find(both)


def test_a_word_that_no_known_record_holds_is_not_submitted(knowledge: WordKnowledge) -> None:
    assert not knowledge.can_find(knowledge.vocabulary.numbers(["green"]))


def test_short_words_are_not_submitted_once_one_found_nothing(knowledge: WordKnowledge) -> None:
    for key in range(5, 20):
        knowledge.vocabulary.add(key, ["ox", "elk"])
    assert knowledge.can_find(knowledge.vocabulary.numbers(["ox"]))

    knowledge.behaviour.learn_word("ox", held_by=15, share=0.5, found=0)

    assert not knowledge.can_find(knowledge.vocabulary.numbers(["ox"]))
    assert knowledge.can_find(knowledge.vocabulary.numbers(["elk"]))


def test_an_adviser_multiplies_what_words_promise(knowledge: WordKnowledge) -> None:
    class Half:
        def worth(self, words: object) -> float:
            assert words == ("red",)
            return 0.5

        def are_visible(self, words: object) -> bool:
            return words != ("red",)

    red = knowledge.vocabulary.numbers(["red"])
    assert knowledge.worth(red) == 1
    assert knowledge.are_visible(red)

    knowledge.adviser = Half()

    assert knowledge.worth(red) == 0.5
    assert not knowledge.are_visible(red)


def test_what_was_learnt_is_restored(knowledge: WordKnowledge) -> None:
    knowledge.behaviour.learn_word("ox", held_by=15, share=0.5, found=0)
    knowledge.parts.learn("title", 3, 4)
    restored = WordKnowledge(VocabularyIndex(), AnswerReach(), RecentNewness(), "en")

    restored.restore(json.loads(json.dumps(knowledge.to_json())))

    assert json.dumps(restored.to_json()) == json.dumps(knowledge.to_json())
