"""Which options are worth a query, and what a control does is found out early."""

from __future__ import annotations

from option_shop import SELECTS, Shop, begun, films, reachable, select

from hiddenweb.querying.option_counts import NOTHING
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.candidates import CandidateQueries, ControlExplorer
from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.options.promises import OptionPromises
from hiddenweb.querying.search_behaviour import AnswerReach


def test_a_select_that_changes_nothing_is_left_after_five_queries() -> None:
    shop = Shop(films(), cap=100, ignores=["sort"])
    policy = OptionsPolicy(None, (select("sort", "abcdefghij"), *SELECTS))

    shop.surface(policy)

    assert sum("sort" in dict(choices) for _, choices in shop.submitted) <= 5
    assert not any("sort" in dict(choices) and len(choices) > 1 for _, choices in shop.submitted)
    assert set(shop.found_records) == reachable(shop)
    assert any(sentence.startswith("'sort': 0 different") for sentence in policy.describe())


def test_a_setting_beside_a_box_costs_a_few_queries() -> None:
    shop = Shop(films(1_000), cap=40, ignores=["sort"])
    policy = OptionsPolicy(BenefitPolicy("en"), (select("sort", "abcdefghij"), *SELECTS), language="en")
    begun(shop, policy, "film")

    shop.surface(policy, 100)

    assert sum(any(name == "sort" for name, _ in choices) for _, choices in shop.submitted) <= 5


def test_the_most_promising_queries_stay_until_it_is_time_to_compare_all_again() -> None:
    knowledge = OptionKnowledge.of_form(SELECTS, has_box=False)
    candidates = CandidateQueries(knowledge, OptionPromises(knowledge, AnswerReach(), 20.0))
    candidates.refresh()
    first = {promise.choices for promise in candidates.list_promises()}
    assert first == {NOTHING} | {
        frozenset([(control.name, option.value)]) for control in SELECTS for option in control.options
    }

    knowledge.submitted.add((), NOTHING)

    assert {promise.choices for promise in candidates.list_promises()} == first - {NOTHING}
    assert not candidates.expire_if_stale()


def test_one_query_in_three_tests_an_undecided_control() -> None:
    knowledge = OptionKnowledge.of_form(SELECTS, has_box=True)
    explorer = ControlExplorer(knowledge, OptionPromises(knowledge, AnswerReach(), 20.0))
    assert explorer.find() is None
    for word in ("a", "b", "c"):
        knowledge.submitted.add((word,), NOTHING)

    found = explorer.find()

    assert found is not None
    assert dict(found.choices).keys() == {"genre"}
    explorer.submitted += 1
    assert explorer.find() is None
