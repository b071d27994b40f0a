"""How an automaton learns by reward and penalty, compared with vectors computed by hand."""

from __future__ import annotations

from math import fsum, isfinite, log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.learning.automaton import Automaton, UnknownAction, entropy, reward_rate

UNEVEN = [("a", 0.5), ("b", 0.25), ("c", 0.25)]
STEPS = st.lists(
    st.tuples(st.sampled_from(["reward", "penalise", "add", "remove"]), st.sampled_from("abcdef")),
    max_size=60,
)


def vector(automaton: Automaton) -> dict[str, float]:
    return dict(automaton.rows())


def is_sound(automaton: Automaton) -> bool:
    probabilities = [probability for _, probability in automaton.rows()]
    return all(0 < p <= 1 for p in probabilities) and abs(fsum(probabilities) - 1) < 1e-9


# Reward and penalty


def test_actions_start_equal() -> None:
    assert vector(Automaton("abcd")) == {"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25}


def test_entropy_and_reward_rate_are_largest_for_an_even_chance_and_nothing_for_certainty() -> None:
    assert entropy(0.5) == pytest.approx(log(2))
    assert entropy(0.25) == entropy(0.75) == pytest.approx(0.5623351446)
    assert (entropy(0.0), entropy(1.0), reward_rate(0.0), reward_rate(1.0)) == (0, 0, 0, 0)
    assert 0 < reward_rate(1e-300) < reward_rate(0.01) < reward_rate(0.5) > reward_rate(0.99) > 0


# E = ln 2 = 0.6931472, a = E / (1 + E) = 0.4093838
# so a gets 0.5 + 0.4093838 * 0.5 = 0.7046919, b and c (1 - 0.4093838) * 0.25 = 0.1476540
REWARDED_HALF = {"a": 0.7046919, "b": 0.1476540, "c": 0.1476540}
# E = -(0.25 ln 0.25 + 0.75 ln 0.75) = 0.3465736 + 0.2157615 = 0.5623351, a = 0.5623351 / 1.5623351 = 0.3599325
# so b gets 0.25 + 0.3599325 * 0.75 = 0.5199494, a 0.6400675 * 0.5 = 0.3200337, c 0.6400675 * 0.25 = 0.1600169
REWARDED_QUARTER = {"a": 0.3200337, "b": 0.5199494, "c": 0.1600169}


@pytest.mark.parametrize(("action", "expected"), [("a", REWARDED_HALF), ("b", REWARDED_QUARTER)])
def test_reward_follows_equations_4_to_7(action: str, expected: dict[str, float]) -> None:
    automaton = Automaton.from_rows(UNEVEN)

    automaton.reward(action)

    assert vector(automaton) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        # The penalty is 0.1 and r = 3, so each other gets 0.1 / 2: a has 0.9 * 0.5, b and c 0.05 + 0.9 * 0.25.
        ("a", {"a": 0.45, "b": 0.275, "c": 0.275}),
        # Now b has 0.9 * 0.25, a 0.05 + 0.9 * 0.5, c 0.05 + 0.9 * 0.25.
        ("b", {"a": 0.5, "b": 0.225, "c": 0.275}),
    ],
)
def test_penalty_follows_equation_2(action: str, expected: dict[str, float]) -> None:
    automaton = Automaton.from_rows(UNEVEN, penalty=0.1)

    automaton.penalise(action)

    assert vector(automaton) == pytest.approx(expected, abs=1e-12)


def test_without_penalty_only_rewards_teach() -> None:
    automaton = Automaton.from_rows(UNEVEN, penalty=0.0)

    automaton.penalise("a")

    assert vector(automaton) == dict(UNEVEN)


def test_single_action_stays_certain() -> None:
    automaton = Automaton(["only"])

    automaton.penalise("only")
    automaton.reward("only")

    assert vector(automaton) == {"only": 1.0}


def test_action_that_was_right_for_long_is_unlearnt_when_it_turns_wrong() -> None:
    automaton = Automaton("ab")
    for _ in range(1_000):
        automaton.reward("a")
    before = automaton.probability("a")

    for _ in range(200):
        automaton.penalise("a")

    assert before > 0.99
    assert automaton.probability("a") < 0.5


def test_action_that_lost_for_long_is_not_lost() -> None:
    automaton = Automaton("abc")
    for turn in range(10_000):  # each takes about a third of what c has: after 2,000 it would be 0
        automaton.reward("ab"[turn % 2])
    before = automaton.probability("c")

    for _ in range(20):
        automaton.reward("c")

    assert 0 < before < 1e-8
    assert automaton.probability("c") > 0.5


@pytest.mark.parametrize("step", ["reward", "penalise"])
@pytest.mark.parametrize("action", ["sure", "lost"])
def test_vector_stays_sound_at_its_very_ends(step: str, action: str) -> None:
    automaton = Automaton.from_rows([("sure", 1.0), ("lost", 5e-324)])

    getattr(automaton, step)(action)

    assert is_sound(automaton)


# Adding and removing


def test_action_added_gets_the_mean_and_all_are_scaled() -> None:
    automaton = Automaton.from_rows([("a", 0.5), ("b", 0.3), ("c", 0.2)])

    automaton.add(["d", "a"])

    # The mean is 1/3, the sum then 4/3: every probability times 3/4.
    assert vector(automaton) == pytest.approx({"a": 0.375, "b": 0.225, "c": 0.15, "d": 0.25})


def test_of_too_many_actions_the_least_probable_are_dropped_and_of_equals_the_latest() -> None:
    even, uneven = Automaton("abc"), Automaton("abc")
    uneven.penalise("a")

    even.add("def", most=4)
    uneven.add("def", most=4)

    assert list(even) == ["a", "b", "c", "d"]
    assert list(uneven) == ["b", "c", "d", "e"]
    assert is_sound(even)
    assert is_sound(uneven)


def test_action_removed_leaves_its_probability_to_the_others_in_proportion() -> None:
    automaton = Automaton.from_rows([("a", 0.5), ("b", 0.3), ("c", 0.2)])

    automaton.remove("a")

    assert vector(automaton) == pytest.approx({"b": 0.6, "c": 0.4})


def test_action_removed_leaves_its_probability_to_its_heirs_in_equal_parts() -> None:
    automaton = Automaton.from_rows([("a", 0.5), ("b", 0.2), ("c", 0.2), ("d", 0.1)])

    automaton.remove("a", heirs=["c", "d", "stranger", "c", "a"])

    assert vector(automaton) == pytest.approx({"b": 0.2, "c": 0.45, "d": 0.35})


def test_certain_action_can_be_removed() -> None:
    automaton = Automaton.from_rows([("sure", 1.0), ("b", 1e-12), ("c", 3e-12)])

    automaton.remove("sure")

    assert is_sound(automaton)


def test_last_action_removed_leaves_nothing_to_choose() -> None:
    automaton = Automaton(["only"])

    automaton.remove("only")

    assert len(automaton) == 0
    assert automaton.choose(Random(1)) is None


def test_reward_for_an_action_that_is_then_removed_teaches_nothing() -> None:
    automaton = Automaton.from_rows([("a", 0.5), ("b", 0.3), ("c", 0.2)])

    automaton.reward("a")
    automaton.remove("a")

    assert vector(automaton) == pytest.approx({"b": 0.6, "c": 0.4})  # as if it had never been there


# Choosing


def test_actions_are_chosen_as_often_as_they_are_probable() -> None:
    automaton, chance = Automaton.from_rows([("a", 0.7), ("b", 0.1), ("c", 0.2)]), Random(7)

    chosen = [automaton.choose(chance) for _ in range(10_000)]

    # Three standard deviations are 140, 90 and 120.
    assert [chosen.count(action) for action in "abc"] == pytest.approx([7_000, 1_000, 2_000], abs=150)


def test_excluded_actions_are_not_chosen_and_others_keep_their_proportions() -> None:
    automaton, chance = Automaton.from_rows([("a", 0.7), ("b", 0.1), ("c", 0.2)]), Random(7)

    chosen = [automaton.choose(chance, excluded={"a"}) for _ in range(3_000)]

    assert [chosen.count(action) for action in "abc"] == pytest.approx([0, 1_000, 2_000], abs=80)
    assert automaton.choose(chance, excluded="abc") is None


def test_same_chance_chooses_the_same() -> None:
    def walked(seed: int) -> list[str | None]:
        automaton, chance = Automaton("abcdefgh"), Random(seed)
        chosen = []
        for _ in range(50):
            action = automaton.choose(chance)
            assert action is not None
            (automaton.reward if action in "ab" else automaton.penalise)(action)
            chosen.append(action)
        return [*chosen]

    assert walked(3) == walked(3) != walked(4)


# Hostile input


@pytest.mark.parametrize("what", ["reward", "penalise", "remove", "probability"])
def test_unknown_action_is_named(what: str) -> None:
    automaton = Automaton("ab")

    with pytest.raises(UnknownAction, match="'form:7:wine' among 2"):
        getattr(automaton, what)("form:7:wine")

    assert vector(automaton) == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("penalty", [-0.1, 1.0, float("nan")])
def test_penalty_outside_0_to_1_is_refused(penalty: float) -> None:
    with pytest.raises(ValueError, match="penalty"):
        Automaton("ab", penalty=penalty)


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([("a", 0.5), ("b", 0.4)], "sum to 0.9"),
        ([("a", 0.5), ("a", 0.5)], "twice"),
        ([("a", 1.0), ("b", 0.0)], "0.0 for 'b'"),  # could never be chosen
        ([("a", 1.5), ("b", -0.5)], "1.5 for 'a'"),
        ([("a", float("nan"))], "nan for 'a'"),
        ([("a", "1")], "'1' for 'a'"),
        ([(None, 1.0)], "None is no action"),
    ],
)
def test_invalid_vector_is_refused(rows: list[tuple[str, float]], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Automaton.from_rows(rows)


@given(STEPS, st.floats(0, 0.999))
@settings(max_examples=60)
def test_probabilities_always_sum_to_one(steps: list[tuple[str, str]], penalty: float) -> None:
    automaton = Automaton("abc", penalty=penalty)

    for step, action in steps:
        if step == "add":
            automaton.add([action])
        elif action in automaton and len(automaton) > 1:
            getattr(automaton, step)(action)
        assert is_sound(automaton)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcd")), max_size=30))
@settings(max_examples=60)
def test_reward_raises_an_action_and_penalty_lowers_it(steps: list[tuple[bool, str]]) -> None:
    automaton = Automaton("abcd")

    for is_good, action in steps:
        before = automaton.probability(action)
        (automaton.reward if is_good else automaton.penalise)(action)
        after = automaton.probability(action)
        assert after > before if is_good else after < before


def test_hundred_thousand_random_steps_leave_a_vector() -> None:
    automaton, chance, names = Automaton("abcdef", penalty=0.3), Random(11), "abcdefgh"

    for step in range(100_000):
        action, drawn = chance.choice(names), chance.random()
        if action not in automaton:
            automaton.add([action])
        elif drawn < 0.6:
            automaton.reward(action)
        elif drawn < 0.95 or len(automaton) == 1:
            automaton.penalise(action)
        else:
            automaton.remove(action)
        if step % 1_000 == 0:
            assert is_sound(automaton)

    assert all(isfinite(probability) for _, probability in automaton.rows())
    assert is_sound(automaton)
