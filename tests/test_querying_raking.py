"""For how many records of the database those stand that were met."""

from __future__ import annotations

from random import Random

import pytest

from hiddenweb.querying.raking import RakingWeights
from hiddenweb.querying.vocabulary_index import VocabularyIndex


def sample(records: list[set[str]], chance: Random, shares: dict[str, float]) -> VocabularyIndex:
    """Meet each record with a chance that depends on a word it holds."""
    vocabulary = VocabularyIndex()
    for key, words in enumerate(records):
        if chance.random() < min(shares.get(word, 1.0) for word in words):
            vocabulary.add(key, sorted(words))
    return vocabulary


def world(chance: Random, size: int = 4_000) -> list[set[str]]:
    """Records of two corners, which hold different words."""
    return [
        {"north" if at % 4 else "south", f"{'n' if at % 4 else 's'}{chance.randrange(40)}", f"any{chance.randrange(10)}"}
        for at in range(size)
    ]  # fmt: skip


def settle_weights(
    vocabulary: VocabularyIndex, records: list[set[str]], submitted: list[str]
) -> RakingWeights:
    weights = RakingWeights(vocabulary)
    weights.add(1.0)
    for word in submitted:
        weights.learn_total((vocabulary.number(word),), sum(word in words for words in records))
    for _ in range(30):
        weights.settle()
    return weights


def test_without_totals_every_record_keeps_its_first_weight() -> None:
    vocabulary = VocabularyIndex()
    vocabulary.add(1, ["a"])
    vocabulary.add(2, ["a", "b"])
    weights = RakingWeights(vocabulary)
    weights.add(2.0)
    assert weights.total == 6.0
    assert weights.hidden_at(vocabulary.places((vocabulary.number("b"),))) == 2.0


def test_weights_add_up_to_the_totals_of_a_site() -> None:
    chance = Random(1)
    records = world(chance)
    vocabulary = sample(records, chance, {"north": 0.1, "south": 0.8})
    weights = settle_weights(vocabulary, records, ["north", "south"])

    assert weights.total == pytest.approx(4_000, rel=0.03)
    for word in ("north", "south"):
        number = vocabulary.number(word)
        held = len(vocabulary.places((number,)))
        truth = sum(word in words for words in records)
        assert held + weights.hidden_at(vocabulary.places((number,))) == pytest.approx(truth, rel=0.05)


def test_totals_of_other_words_follow_from_those_of_submitted_ones() -> None:
    chance = Random(2)
    records = world(chance)
    vocabulary = sample(records, chance, {"north": 0.1, "south": 0.8})
    weights = settle_weights(vocabulary, records, ["north", "south"])

    def odds(word: str) -> float:
        number = vocabulary.number(word)
        return weights.hidden_at(vocabulary.places((number,))) / len(vocabulary.places((number,)))

    # one record in ten of the north was met: nine are hidden for each; of the south one for four
    assert sum(odds(f"n{at}") for at in range(40)) / 40 == pytest.approx(9, rel=0.2)
    assert sum(odds(f"s{at}") for at in range(40)) / 40 == pytest.approx(0.25, rel=0.3)


def test_weights_are_at_least_one_and_have_an_upper_limit() -> None:
    vocabulary = VocabularyIndex()
    for key in range(50):
        vocabulary.add(key, ["a", f"b{key % 5}"])
    weights = RakingWeights(vocabulary)
    weights.add(1.0)
    weights.learn_total((vocabulary.number("a"),), 50)
    for _ in range(100):
        weights.learn_total((vocabulary.number("b0"),), 10**9)
    assert 0.0 <= weights.hidden_at(vocabulary.places((vocabulary.number("b1"),))) < 20
    assert weights.hidden_at(vocabulary.places((vocabulary.number("b0"),))) <= 99 * 10


def test_records_of_a_word_whose_records_were_all_shown_weigh_one() -> None:
    vocabulary = VocabularyIndex()
    for key in range(40):
        vocabulary.add(key, ["a" if key % 4 else "b", "c"])
    weights = RakingWeights(vocabulary)
    weights.add(1.0)
    weights.close((vocabulary.number("a"),))
    assert weights.total == 30 + 10 * 2.0
    weights.learn_total((vocabulary.number("c"),), 100)
    for _ in range(50):
        weights.settle()
    assert weights.total == pytest.approx(100, abs=3)
    assert weights.hidden_at(vocabulary.places((vocabulary.number("a"),))) == 0.0

    vocabulary.add(40, ["b"])  # one in four is open, so each of these stands for four times as many
    weights.add(0.5)
    assert weights.weights[40] == pytest.approx(1 + 0.5 * 40 / 10)
