"""What answers to words teach."""

from __future__ import annotations

import pytest

from hiddenweb.querying.policies.benefit.answer_learner import BenefitLearner, QueryUnderWay
from hiddenweb.querying.policies.benefit.unfinished_answers import UnfinishedAnswers
from hiddenweb.querying.policies.benefit.word_knowledge import WordKnowledge
from hiddenweb.querying.query import OpenAnswer
from hiddenweb.querying.search_behaviour import AnswerReach, RecentNewness
from hiddenweb.querying.vocabulary_index import VocabularyIndex


@pytest.fixture
def knowledge() -> WordKnowledge:
    known = WordKnowledge(VocabularyIndex(), AnswerReach(), RecentNewness(), "en")
    for key in range(20):
        known.vocabulary.add(key, ["film", *(["noir"] if key % 2 else [])])
    known.gains.read()
    return known


def learner(knowledge: WordKnowledge) -> BenefitLearner:
    return BenefitLearner(knowledge, UnfinishedAnswers(knowledge), most_words=3)


def answer(*words: str, shown: int, total: int | None) -> OpenAnswer:
    opened = OpenAnswer(words)
    opened.add_page(shown, 0, total)
    return opened


def test_an_answer_that_was_read_to_its_end_is_whole(knowledge: WordKnowledge) -> None:
    noir = knowledge.vocabulary.numbers(["noir"])

    learner(knowledge).learn(answer("noir", shown=12, total=12), QueryUnderWay(20), had_more=False)

    assert knowledge.submitted[noir] == knowledge.whole[noir] == 12


def test_a_cut_answer_says_how_many_records_hold_the_words(knowledge: WordKnowledge) -> None:
    film = knowledge.vocabulary.numbers(["film"])
    learning = learner(knowledge)
    learning.learn(answer("film", shown=20, total=300), QueryUnderWay(20), had_more=True)

    assert knowledge.submitted[film] == 300
    assert film not in knowledge.whole


def test_a_word_that_finds_nothing_though_known_records_hold_it_is_refused(knowledge: WordKnowledge) -> None:
    for key in range(100, 110):
        knowledge.vocabulary.add(key, ["ox"])
    assert knowledge.can_find(knowledge.vocabulary.numbers(["ox"]))

    learner(knowledge).learn(answer("ox", shown=0, total=0), QueryUnderWay(30), had_more=False)

    assert not knowledge.can_find(knowledge.vocabulary.numbers(["ox"]))


def test_a_search_that_finds_more_for_two_words_than_for_one_finds_any_of_them(
    knowledge: WordKnowledge,
) -> None:
    learning = learner(knowledge)
    film, noir = knowledge.vocabulary.numbers(["film"]), knowledge.vocabulary.numbers(["noir"])
    for words, total in ((film, 300), (noir, 200), (tuple(sorted((*film, *noir))), 420)):
        learning.take_in(words, 20, total, had_more=True)

    assert knowledge.behaviour.finds_any
