from __future__ import annotations

from math import pi, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.learning import probit as odds_module
from hiddenweb.learning.probit import FACT, WORD, BayesianProbit, RewardTrail, logistic

FEATURES = st.lists(st.sampled_from("abcdefgh"), max_size=5, unique=True)
OUTCOMES = st.lists(st.tuples(FEATURES, st.booleans(), st.floats(0, 1)), max_size=30)


def test_before_learning_the_first_weights_decide() -> None:
    odds = BayesianProbit({"": -1.0, "centre": 2.0})

    assert BayesianProbit().probability(["book"]) == pytest.approx(0.5)
    assert odds.probability(["book"]) < 0.5 < odds.probability(["centre"])
    assert odds.probability(["centre", "book"]) > 0.5
    assert (odds.weight("centre"), odds.weight("book")) == (2.0, 0.0)


def test_each_weight_moves_by_its_share_of_the_uncertainty() -> None:
    odds = BayesianProbit()

    odds.learn(["a:book"], True)

    # M = 0 and S^2 = 1 + FACT + WORD, so t = 0, f = phi(0) / Phi(0) = sqrt(2 / pi) and g = f * f
    square = 1 + FACT + WORD
    for feature, unknown in (("a:book", WORD), ("", FACT)):
        mean, variance = unknown * sqrt(2 / pi) / sqrt(square), unknown * (1 - unknown * 2 / pi / square)
        assert dict(odds.rows())[feature] == pytest.approx([mean, variance], abs=1e-6)
    assert odds.weight("a:film") == 0


def test_good_outcome_raises_and_bad_outcome_lowers() -> None:
    odds = BayesianProbit({"centre": 1.0})

    odds.learn(["book"], True)
    odds.learn(["casino", "centre"], False)

    assert odds.weight("book") > 0 > odds.weight("casino")
    assert odds.weight("centre") < 1.0
    assert odds.probability(["book"]) > odds.probability(["film"]) > odds.probability(["casino"])


def test_surprise_teaches_more_than_what_was_expected() -> None:
    sure, doubtful = BayesianProbit({"": 2.0}), BayesianProbit({"": -2.0})

    sure.learn(["book"], True)
    doubtful.learn(["book"], True)

    assert doubtful.weight("book") > 2 * sure.weight("book") > 0


def test_outcome_that_counts_for_less_moves_less() -> None:
    moved = []
    for share in (0.0, 0.4, 1.0):
        odds = BayesianProbit()
        odds.learn(["book"], True, share)
        moved.append(odds.weight("book"))

    assert moved[0] == 0
    assert moved == sorted(moved)
    assert moved[1] < 0.7 * moved[2]


def test_frequent_features_settle_and_new_ones_learn_fast() -> None:
    odds = BayesianProbit()
    for turn in range(200):
        odds.learn(["old"], turn % 2 == 0)
    before = odds.weight("old")

    odds.learn(["old", "new"], True)

    assert abs(odds.weight("old") - before) < odds.weight("new") / 3


def test_features_that_pay_are_distinguished_from_those_that_do_not() -> None:
    odds = BayesianProbit()

    for _ in range(200):
        odds.learn(["link", "search"], True)
        odds.learn(["link", "imprint"], False)

    assert odds.probability(["link", "search"]) > 0.9
    assert odds.probability(["link", "imprint"]) < 0.1
    assert 0.3 < odds.probability(["link"]) < 0.7  # what both share says nothing
    assert odds.learnt == 400


@pytest.mark.parametrize("often", [0.1, 0.5, 0.8])
def test_probability_is_how_often_it_paid(often: float) -> None:
    odds = BayesianProbit()

    for turn in range(1000):
        odds.learn(["link"], turn % 10 < 10 * often)

    assert odds.probability(["link"]) == pytest.approx(often, abs=0.08)


def test_reasons_come_with_the_strongest_first() -> None:
    odds = BayesianProbit({"a": 0.5, "b": -2.0, "c": 1.0})

    assert odds.reasons(["a", "b", "c", "d"]) == [("b", -2.0), ("c", 1.0), ("a", 0.5), ("d", 0.0)]


@given(OUTCOMES, FEATURES)
@settings(max_examples=30)
def test_probability_is_never_certain(
    outcomes: list[tuple[list[str], bool, float]], asked: list[str]
) -> None:
    odds = BayesianProbit({"a": 1e6, "b": -1e6, "c": 5.0})

    for features, outcome, share in outcomes:
        odds.learn(features, outcome, share)

    assert 0 < odds.probability(asked) < 1
    assert logistic(odds.log_odds(asked)) == pytest.approx(odds.probability(asked))


@given(FEATURES, st.booleans(), st.floats(0.01, 1))
@settings(max_examples=30)
def test_learning_moves_towards_the_outcome(features: list[str], outcome: bool, share: float) -> None:
    odds = BayesianProbit({"a": 3.0, "b": -2.0})
    before = odds.sum(["", *features])

    odds.learn(features, outcome, share)

    assert (odds.sum(["", *features]) > before) == outcome


@pytest.mark.parametrize("log_odds", [-1e308, -800.0, 800.0, 1e308])
def test_odds_beyond_all_measure_are_still_a_probability(log_odds: float) -> None:
    assert 0 < logistic(log_odds) < 1


# Keeping


@given(OUTCOMES, FEATURES)
@settings(max_examples=30)
def test_odds_loaded_from_the_rows_of_others_equal_them(
    outcomes: list[tuple[list[str], bool, float]], asked: list[str]
) -> None:
    first = {"": -1.0, "a": 0.5}
    one, other, again = BayesianProbit(first), BayesianProbit(first), BayesianProbit(first)
    kept: dict[str, list[float] | None] = {}
    for features, outcome, share in outcomes:
        one.learn(features, outcome, share)
        kept.update(one.changes())

    other.take(one.rows())
    again.take(other.rows())

    assert kept == dict(one.rows())
    assert dict(other.rows()) == dict(one.rows())
    assert dict(again.rows()) == dict(other.rows())
    assert other.probability(asked) == pytest.approx(one.probability(asked), abs=1e-4)
    assert list(other.changes()) == []


def test_loaded_odds_continue_to_learn_at_their_pace() -> None:
    one, other = BayesianProbit(), BayesianProbit()
    for _ in range(50):
        one.learn(["book"], True)
    other.take(one.rows())

    one.learn(["book"], False)
    other.learn(["book"], False)

    assert other.weight("book") == pytest.approx(one.weight("book"), abs=1e-4)


def test_changes_are_reported_once() -> None:
    odds = BayesianProbit()
    odds.learn(["book"], True)
    first = {feature for feature, _ in odds.changes()}

    odds.learn(["film"], True)

    assert first == {"", "book"}
    assert {feature for feature, _ in odds.changes()} == {"", "film"}
    assert list(odds.changes()) == []


def test_features_with_the_smallest_weights_are_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(odds_module, "MOST", 10)
    odds = BayesianProbit()
    for _ in range(5):
        odds.learn([f"good{n}" for n in range(4)], True)
    list(odds.changes())

    odds.learn([f"idle{n}" for n in range(8)], True, 0.01)

    assert {feature for feature, _ in odds.rows()} >= {"", *(f"good{n}" for n in range(4))}
    assert len(list(odds.rows())) <= 6
    assert dict(odds.changes())["idle3"] is None
    assert odds.weight("idle3") == 0


# The trail


def visit_pages(trail: RewardTrail, odds: BayesianProbit, *names: str) -> None:
    """Visit pages, each of which led to the next."""
    for before, name in zip(("", *names), names, strict=False):
        trail.step(name, odds, (name,), before)


def test_reward_reaches_all_pages_that_led_to_it_discounted_by_distance() -> None:
    odds, trail = BayesianProbit(), RewardTrail(0.5)
    visit_pages(trail, odds, "home", "catalogue", "search")

    trail.learn_outcome("search", reward=True)

    assert odds.weight("search") > odds.weight("catalogue") > odds.weight("home") > 0


def test_visit_without_reward_teaches_nothing_about_the_pages_before_it() -> None:
    odds, trail = BayesianProbit(), RewardTrail(0.5)
    visit_pages(trail, odds, "home", "imprint")

    trail.learn_outcome("imprint", reward=False)

    assert odds.weight("imprint") < 0
    assert odds.weight("home") == 0


def test_reward_of_a_page_teaches_the_odds_its_site_was_chosen_by() -> None:
    links, sites, trail = BayesianProbit(), BayesianProbit(), RewardTrail(0.5)
    trail.step("home", sites, ("name",), "")
    trail.step("search", links, ("anchor",), "home")

    trail.learn_outcome("search", reward=True)

    assert links.weight("anchor") > 0
    assert sites.weight("name") > 0
    assert sites.weight("anchor") == links.weight("name") == 0


def test_pages_that_lead_to_each_other_cause_no_endless_loop() -> None:
    odds, trail = BayesianProbit(), RewardTrail(0.9)
    trail.step("one", odds, ("one",), "other")
    trail.step("other", odds, ("other",), "one")

    trail.learn_outcome("one", reward=True)

    assert odds.learnt < 100


def test_trail_forgets_old_visits() -> None:
    odds, trail = BayesianProbit(), RewardTrail(0.5, most=3)
    visit_pages(trail, odds, "a", "b", "c", "d")

    trail.learn_outcome("a", reward=True)

    assert odds.learnt == 0
    assert [name in trail for name in "abcd"] == [False, True, True, True]


def test_visit_may_get_only_a_share_of_a_later_reward() -> None:
    links, sites, whole, trail = BayesianProbit(), BayesianProbit(), BayesianProbit(), RewardTrail(0.5)
    for odds, share in ((sites, 0.5), (whole, 1.0)):
        trail.step("home", odds, ("name",), "", share)
        trail.step("search", links, ("anchor",), "home")

        trail.learn_outcome("search", reward=True)

    once = BayesianProbit()
    once.learn(("name",), True, 0.25)
    assert sites.weight("name") == once.weight("name")
    assert whole.weight("name") > sites.weight("name") > 0
