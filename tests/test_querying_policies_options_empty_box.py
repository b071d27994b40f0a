"""Where an empty box finds nothing, options are submitted with words only."""

from __future__ import annotations

from option_shop import SELECTS, WordsOnly, alike, begun

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.empty_box import EmptyBox
from hiddenweb.querying.policies.options.policy import OptionsPolicy


def test_choices_are_submitted_with_words_where_an_empty_box_finds_nothing() -> None:
    shop, policy = WordsOnly(alike(), cap=20), OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(shop, policy, "film")

    shop.surface(policy)

    assert sum(not words for words, _ in shop.submitted) <= 2
    assert len(shop.found_records) == 400


def test_an_empty_box_may_explain_an_empty_answer_until_it_has_found_something() -> None:
    box = EmptyBox(has_box=True)
    assert box.may_explain((), 0)
    assert not box.may_explain(("film",), 0)
    assert not box.may_explain((), 5)

    box.add(found=True)

    assert not box.may_explain((), 0)


def test_a_form_without_a_box_has_no_empty_one() -> None:
    box = EmptyBox(has_box=False)
    box.add(found=False)
    box.add(found=False)

    assert not box.finds_nothing
    assert not box.may_explain((), 0)


def test_the_counts_are_restored() -> None:
    box, restored = EmptyBox(has_box=True), EmptyBox(has_box=True)
    box.add(found=False)
    box.add(found=False)

    restored.restore(box.to_json())

    assert restored.finds_nothing
