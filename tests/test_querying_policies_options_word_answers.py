"""Cut answers to words are refined by options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from option_shop import SELECTS, Shop, alike, begun

from hiddenweb.querying.option_counts import NOTHING, OptionCounts
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.options.word_answers import WordAnswers
from hiddenweb.querying.query import LedgerEntry

if TYPE_CHECKING:
    from hiddenweb.querying.query import Choice


def test_choices_reach_records_that_words_cannot_distinguish() -> None:
    alone, shop = Shop(alike(), cap=20), Shop(alike(), cap=20)
    words, policy = BenefitPolicy("en"), OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(alone, words, "film")
    begun(shop, policy, "film")

    alone.surface(words)
    shop.surface(policy)

    assert len(alone.found_records) == 20
    assert len(shop.found_records) == 400


def counts_of(size: int) -> OptionCounts:
    counts = OptionCounts({"genre": 4}, exclusive=["genre"])
    counts.learn_answer(NOTHING, found=size, shown=10)
    return counts


def line(choices: tuple[Choice, ...], found: int, total: int | None) -> LedgerEntry:
    return LedgerEntry(("film",), choices, found, found, total, left=False)


def test_an_option_finds_its_share_of_the_records_that_other_options_left_of_a_cut_answer() -> None:
    answers = WordAnswers(counts_of(400), ())
    answers.learn(line((), 20, 200), 200, is_cut=True)
    answers.learn(line((("genre", "noir"),), 20, 20), 20, is_cut=False)
    cut = answers.get(("film",), NOTHING)
    assert cut is not None

    found, hidden = answers.estimate_refined(cut, ("genre", "drama"))

    assert found == pytest.approx(60)  # a third of 180
    assert hidden == pytest.approx(0.9)


def test_an_answer_with_a_required_option_counts_as_a_part_of_the_answer_without_it() -> None:
    answers = WordAnswers(counts_of(400), ("genre",))

    answers.learn(line((("genre", "noir"),), 20, 20), 20, is_cut=False)

    cut = answers.get(("film",), NOTHING)
    assert cut is not None
    assert cut.total is None
    assert cut.refined == {"genre": {"noir": 20}}
    assert list(answers.list_best(3)) == [(("film",), NOTHING)]
