"""For how many records of the database those stand that were met."""

from __future__ import annotations

from random import Random

import pytest

from hiddenweb.querying.raking import RakingWeights
from hiddenweb.querying.vocabulary_index import VocabularyIndex


def sample(records: list[set[str]], chance: Random, shares: dict[str, float]) -> VocabularyIndex:
    """Meet each record with a chance that depends on a word it holds."""
    seen = VocabularyIndex()
    for key, words in enumerate(records):
        if chance.random() < min(shares.get(word, 1.0) for word in words):
            seen.meet(key, sorted(words))
    return seen


def world(chance: Random, size: int = 4_000) -> list[set[str]]:
    """Records of two corners, which hold different words."""
    return [
        {"north" if at % 4 else "south", f"{'n' if at % 4 else 's'}{chance.randrange(40)}", f"any{chance.randrange(10)}"}
        for at in range(size)
    ]  # fmt: skip


def settled(seen: VocabularyIndex, records: list[set[str]], told: list[str]) -> RakingWeights:
    stand_ins = RakingWeights(seen)
    stand_ins.add(1.0)
    for word in told:
        stand_ins.learn_total((seen.number(word),), sum(word in words for words in records))
    for _ in range(30):
        stand_ins.settle()
    return stand_ins


def test_without_numbers_every_record_stands_for_what_it_is_given() -> None:
    seen = VocabularyIndex()
    seen.meet(1, ["a"])
    seen.meet(2, ["a", "b"])
    stand_ins = RakingWeights(seen)
    stand_ins.add(2.0)
    assert stand_ins.total == 6.0
    assert stand_ins.hidden_at(seen.places((seen.number("b"),))) == 2.0


def test_records_add_up_to_the_numbers_a_site_says() -> None:
    chance = Random(1)
    records = world(chance)
    seen = sample(records, chance, {"north": 0.1, "south": 0.8})
    stand_ins = settled(seen, records, ["north", "south"])

    assert stand_ins.total == pytest.approx(4_000, rel=0.03)
    for word in ("north", "south"):
        number = seen.number(word)
        held = len(seen.places((number,)))
        truth = sum(word in words for words in records)
        assert held + stand_ins.hidden_at(seen.places((number,))) == pytest.approx(truth, rel=0.05)


def test_words_that_nobody_asked_for_are_known_by_their_corner() -> None:
    chance = Random(2)
    records = world(chance)
    seen = sample(records, chance, {"north": 0.1, "south": 0.8})
    stand_ins = settled(seen, records, ["north", "south"])

    def odds(word: str) -> float:
        number = seen.number(word)
        return stand_ins.hidden_at(seen.places((number,))) / len(seen.places((number,)))

    # one record in ten of the north was met: nine are hidden for each; of the south one for four
    assert sum(odds(f"n{at}") for at in range(40)) / 40 == pytest.approx(9, rel=0.2)
    assert sum(odds(f"s{at}") for at in range(40)) / 40 == pytest.approx(0.25, rel=0.3)


def test_no_record_stands_for_less_than_itself_or_for_half_the_world() -> None:
    seen = VocabularyIndex()
    for key in range(50):
        seen.meet(key, ["a", f"b{key % 5}"])
    stand_ins = RakingWeights(seen)
    stand_ins.add(1.0)
    stand_ins.learn_total((seen.number("a"),), 50)
    for _ in range(100):
        stand_ins.learn_total((seen.number("b0"),), 10**9)
    assert 0.0 <= stand_ins.hidden_at(seen.places((seen.number("b1"),))) < 20
    assert stand_ins.hidden_at(seen.places((seen.number("b0"),))) <= 99 * 10


def test_records_that_hold_a_word_of_which_all_was_shown_stand_for_themselves() -> None:
    seen = VocabularyIndex()
    for key in range(40):
        seen.meet(key, ["a" if key % 4 else "b", "c"])
    stand_ins = RakingWeights(seen)
    stand_ins.add(1.0)
    stand_ins.close((seen.number("a"),))
    assert stand_ins.total == 30 + 10 * 2.0
    stand_ins.learn_total((seen.number("c"),), 100)
    for _ in range(50):
        stand_ins.settle()
    assert stand_ins.total == pytest.approx(100, abs=3)
    assert stand_ins.hidden_at(seen.places((seen.number("a"),))) == 0.0

    seen.meet(40, ["b"])  # one in four is open, so each of these stands for four times as many
    stand_ins.add(0.5)
    assert stand_ins.weights[40] == pytest.approx(1 + 0.5 * 40 / 10)
