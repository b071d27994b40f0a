"""The options of records, by how they were found or by their words."""

from __future__ import annotations

import json

import pytest
from option_shop import SELECTS, Shop, begun, films

from hiddenweb.querying.option_counts import OptionCounts
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.options.record_options import RecordOptions
from hiddenweb.querying.policies.options.tokens import OptionTokens
from hiddenweb.querying.record_words import RecordWords


@pytest.mark.parametrize(
    "shown", [True, False], ids=["records show their choices", "records do not show them"]
)
def test_words_and_choices_refine_each_other(shown: bool) -> None:
    shop = Shop(films(2_000, shown=shown), cap=40)
    policy = OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(shop, policy, "film", "w1")

    shop.surface(policy, 120)

    kinds = {(bool(words), len(choices)) for words, choices in shop.submitted}
    assert {(True, 0), (True, 1), (False, 1)} <= kinds
    assert len(shop.found_records) > 1_200


def reader(*, has_box: bool = True) -> RecordOptions:
    counts = OptionCounts({"genre": 4}, exclusive=["genre"])
    tokens = OptionTokens(lambda choice: choice[1])
    return RecordOptions(SELECTS[:1], counts, tokens, has_box=has_box, language="en")


def test_a_record_has_the_options_it_was_found_by_and_those_its_words_indicate() -> None:
    options = reader()

    assert list(options.list_words(["sea"], frozenset([("genre", "noir")]))) == ["sea", "genre = noir"]
    assert list(options.list_words(["drama", "sea"], frozenset())) == ["drama", "sea", "genre = drama"]
    assert list(options.list_words(["sea"], frozenset())) == ["sea"]


def test_without_a_box_words_are_read_but_not_passed_on() -> None:
    assert list(reader(has_box=False).list_words(["drama"], frozenset())) == ["genre = drama"]


def test_a_record_is_learnt_from_once_however_often_it_is_read() -> None:
    options = reader()
    record = options.read(RecordWords("Red fox", "Red fox runs"), frozenset([("genre", "noir")]))

    assert list(record) == list(record)
    assert record.parts()["genre = noir"] == "choice"
    assert record.parts()["fox"] == "title"
    once = reader()
    list(once.list_words(RecordWords("Red fox", "Red fox runs"), frozenset([("genre", "noir")])))
    assert options.to_json() == once.to_json()


def test_options_are_guessed_once_most_records_indicate_them_and_that_is_restored() -> None:
    options, restored = reader(), reader()
    assert not options.is_guessed_often("genre")
    for _ in range(200):
        list(options.list_words(["noir"], frozenset()))
        list(options.list_words(["drama"], frozenset([("genre", "drama")])))

    restored.restore(json.loads(json.dumps(options.to_json())))

    assert options.is_guessed_often("genre")
    assert options.is_guessed_right("genre")
    assert restored.is_guessed_often("genre")
    assert not options.is_guessed_often("year")
