"""How automata walk through a site, and go on where they were written down."""

from __future__ import annotations

import json
from random import Random

import pytest

from benchmarks.baselines.hwdla import (
    LONGEST_NAME,
    AutomataNetwork,
    NetworkParameters,
    WalkCase,
    WalkEnd,
)

# The network


def network_at(
    page: str, *actions: str, hidden: bool = False, rules: NetworkParameters | None = None
) -> AutomataNetwork:
    """Return a network whose walk stands at a page with actions."""
    network = AutomataNetwork(
        page if not hidden else "home", Random(1), rules or NetworkParameters(penalty=0.1)
    )
    if hidden:
        network.add("home", ["to " + page])
        network.next()
        network.led_to(page, hidden=True)
    network.add(page, actions)
    return network


def step(network: AutomataNetwork, page: str | None, *, hidden: bool = False) -> WalkCase:
    """Take whatever action the walk chooses, which leads to a page."""
    assert network.next() is not None
    return network.led_to(page, hidden=hidden)


@pytest.mark.parametrize(
    ("from_hidden", "page", "hidden", "case", "rewarded"),
    [
        (False, "answer", True, WalkCase.FROM_PUBLIC, True),
        (True, "record", True, WalkCase.FROM_HIDDEN, True),
        (False, "imprint", False, WalkCase.LINKED, False),
        (True, "imprint", False, WalkCase.LINKED, False),  # no case of the paper
        (False, None, False, WalkCase.NOTHING, False),
        (True, None, False, WalkCase.NOTHING, False),
        (True, "page", True, WalkCase.KNOWN, False),  # back to where it is
    ],
)
def test_action_is_rewarded_in_cases_i_and_ii_only(
    from_hidden: bool, page: str | None, hidden: bool, case: WalkCase, rewarded: bool
) -> None:
    network = network_at("page", "x", "y", hidden=from_hidden)
    action = network.next()

    assert network.led_to(page, hidden=hidden) is case

    # x and y were even: a reward raises by a = 0.4093838 of the missing half, a penalty of 0.1 lowers by a tenth.
    expected = 0.7046919 if rewarded else 0.45
    assert network.probabilities("page")[str(action)] == pytest.approx(expected, abs=1e-7)
    assert network.cases[case] == 1
    assert network.at == (page or "page")


def test_hidden_page_is_rewarded_once() -> None:
    network = network_at("home", "x", "y")

    cases = []
    for _ in range(3):
        cases.append(step(network, "answer", hidden=True))
        network.begin()

    assert cases == [WalkCase.FROM_PUBLIC, WalkCase.KNOWN, WalkCase.KNOWN]
    assert network.found == 1


def test_hidden_page_that_the_caller_knows_is_not_rewarded() -> None:
    network = network_at("home", "x", "y")
    network.next()

    assert network.led_to("answer", hidden=True, known=True) is WalkCase.KNOWN


def test_page_that_was_only_read_is_new_to_the_walk() -> None:
    network = network_at("home", "x", "y")
    network.add("answer", ["z"], hidden=True)

    assert step(network, "answer", hidden=True) is WalkCase.FROM_PUBLIC


def test_page_that_links_reached_is_public_whatever_else_leads_there() -> None:
    network = network_at("home", "x", "y")
    step(network, "about", hidden=False)
    network.add("about", ["z"])
    network.begin()

    assert step(network, "about", hidden=True) is WalkCase.LINKED
    assert step(network, "answer", hidden=True) is WalkCase.FROM_PUBLIC  # from about


def test_start_is_never_hidden() -> None:
    network = network_at("home", "x", "y")

    assert step(network, "home", hidden=True) is WalkCase.LINKED
    assert step(network, "answer", hidden=True) is WalkCase.FROM_PUBLIC


def test_hidden_page_found_linked_is_public_from_then_on() -> None:
    network = network_at("home", "x", "y")
    step(network, "answer", hidden=True)
    network.add("answer", ["z"])
    network.begin()
    step(network, "answer", hidden=False)

    assert step(network, "record", hidden=True) is WalkCase.FROM_PUBLIC


def test_walk_ends_after_its_steps_and_another_begins_at_the_start() -> None:
    network = network_at("home", "x", "y", rules=NetworkParameters(most_steps=2))

    ended = []
    for _ in range(2):
        step(network, None)
        ended.append(network.ended)
    offered = network.next()
    network.begin()

    assert (ended, offered) == ([None, WalkEnd.STEPS], None)
    assert (network.steps, network.at) == (0, "home")
    assert network.next() is not None


def test_walk_ends_when_a_probability_passes_the_threshold() -> None:
    network = network_at(
        "home", "x", "y", rules=NetworkParameters(sure=0.7)
    )  # 0.7046919 after one reward, as above

    step(network, "answer", hidden=True)

    assert network.ended is WalkEnd.SURE
    assert network.next() is None


def test_walk_goes_on_when_no_probability_passes_the_threshold() -> None:
    network = network_at("home", "x", "y", rules=NetworkParameters(sure=0.71))

    step(network, "answer", hidden=True)

    assert network.ended is None


def test_single_action_is_no_sure_one() -> None:
    network = network_at("home", "only")

    step(network, "answer", hidden=True)

    assert network.ended is None


def test_walk_ends_at_a_page_without_actions() -> None:
    network = network_at("home", "x")
    step(network, "leaf")

    assert network.next() is None
    assert network.ended is WalkEnd.DEAD_END


def test_value_of_a_walk_is_the_discounted_sum_of_its_rewards() -> None:
    network = network_at("home", "x", "y", rules=NetworkParameters(discount=0.5, sure=1.0))
    for page, actions in (("answer", "z"), ("more", "z"), ("record", "z")):
        network.add(page, actions)

    step(network, "answer", hidden=True)  # 1
    step(network, None)  # 0
    step(network, "more", hidden=True)  # 0.5 ** 2
    step(network, "record", hidden=True)  # 0.5 ** 3

    assert network.value == pytest.approx(1 + 0.25 + 0.125)
    network.begin()
    step(network, "record", hidden=True)  # known: 0
    assert (network.value, network.walks) == (0, 2)
    assert network.mean_value == pytest.approx(1.375 / 2)


def test_walk_without_a_step_is_no_walk() -> None:
    network = network_at("home", "x")

    network.begin()
    network.begin()

    assert (network.walks, network.mean_value) == (0, 0)


def test_same_action_is_told_until_its_outcome_is() -> None:
    network = network_at("home", *"abcdefgh")

    first = network.next()

    assert [network.next() for _ in range(10)] == [first] * 10


def test_outcome_without_an_action_is_refused() -> None:
    network = network_at("home", "x", "y")

    with pytest.raises(ValueError, match="'home'"):
        network.led_to("answer", hidden=True)


def test_where_an_action_led_is_remembered_so_that_nobody_asks_twice() -> None:
    network = network_at("home", "x")
    assert network.leads_to("home", "x") is None

    step(network, None)
    nowhere = network.leads_to("home", "x")
    step(network, "answer", hidden=True)

    assert nowhere == ""
    assert network.leads_to("home", "x") == "answer"
    assert network.leads_to("never met", "x") is None


def test_action_that_is_used_up_is_neither_taken_nor_added_again() -> None:
    network = network_at("home", "x", "y")
    used = network.next()
    network.led_to("answer", hidden=True, used_up=True)

    network.add("home", ["x", "y", "z"])

    assert set(network.probabilities("home")) == {"x", "y", "z"} - {used}
    assert network.leads_to("home", str(used)) == "answer"


def test_action_dropped_to_make_room_may_come_back() -> None:
    network = network_at("home", "x", "y", rules=NetworkParameters(penalty=0.1, most_actions=2))
    taken = str(network.next())
    step(network, None)

    network.add("home", ["z"])  # gets the mean, which is more than what was penalised has
    dropped = taken not in network.probabilities("home")
    remembered = network.leads_to("home", taken)
    network.add("home", [taken])

    assert dropped
    assert remembered is None
    assert taken in network.probabilities("home")


def test_outcome_of_an_action_dropped_meanwhile_is_counted() -> None:
    network = AutomataNetwork(
        "home", Random(2), NetworkParameters(penalty=0.1, most_actions=2)
    )  # this chance takes y twice
    network.add("home", ["x", "y"])
    step(network, None)
    taken = network.next()
    network.add("home", ["z"])
    before = network.probabilities("home")

    case = network.led_to("answer", hidden=True)

    assert (taken, list(before)) == ("y", ["x", "z"])
    assert (case, network.steps, network.at) == (WalkCase.FROM_PUBLIC, 2, "answer")
    assert network.probabilities("home") == before
    assert network.leads_to("home", "y") is None


def test_action_dropped_meanwhile_and_used_up_is_not_added_again() -> None:
    network = AutomataNetwork(
        "home", Random(2), NetworkParameters(penalty=0.1, most_actions=2)
    )  # this chance takes y twice
    network.add("home", ["x", "y"])
    step(network, None)
    taken = network.next()
    network.add("home", ["z"])

    network.led_to("answer", hidden=True, used_up=True)
    network.add("home", ["y"])

    assert taken == "y"
    assert list(network.probabilities("home")) == ["x", "z"]


def test_site_with_a_form_is_learnt() -> None:
    rules = NetworkParameters(most_steps=6)
    network = AutomataNetwork("home", Random(5), rules)
    network.add("home", ["link:about", "link:news", "form:1:title"])

    for walk in range(60):
        network.begin()
        while (action := network.next()) is not None:
            if action == "form:1:title":
                network.led_to(f"answer {walk} {network.steps}", hidden=True)
            else:
                network.led_to(action.removeprefix("link:"))

    learnt = network.probabilities("home")
    assert learnt["form:1:title"] > 0.8
    assert network.found == network.cases[WalkCase.FROM_PUBLIC] > 40


# Memory


def test_pages_that_earned_least_are_forgotten_first_and_of_equals_those_not_met_for_longest() -> None:
    network = network_at("home", "x", rules=NetworkParameters(most_states=4, sure=1.0))
    step(network, "useful", hidden=True)
    network.add("useful", ["y"])
    step(network, "old", hidden=True)  # a reward for useful
    network.begin()

    network.add("new", ["z"])
    before = [page in network for page in ("home", "useful", "old", "new")]
    network.add("newer", ["z"])

    assert before == [True] * 4
    assert [page in network for page in ("home", "useful", "old", "new", "newer")] == [
        True, True, False, True, True,
    ]  # fmt: skip
    assert network.probabilities("old") == {}


def test_page_that_is_met_again_is_kept_before_those_that_are_not() -> None:
    network = network_at("home", "x", rules=NetworkParameters(most_states=3))
    network.add("old", ["y"])
    network.add("new", ["y"])

    network.add("old", ["z"])
    network.add("newer", ["y"])

    assert [page in network for page in ("old", "new", "newer")] == [True, False, True]


def test_start_and_the_page_of_the_walk_are_never_forgotten() -> None:
    network = network_at("home", "x", rules=NetworkParameters(most_states=3))
    step(network, "here")
    network.add("here", ["y"])

    for number in range(50):
        network.add(f"page {number}", ["z"])

    assert len(network) == 3
    assert "home" in network
    assert network.next() == "y"


def test_actions_of_a_page_are_limited() -> None:
    network = network_at("home", rules=NetworkParameters(most_actions=5))

    network.add("home", (f"link:{number}" for number in range(10_000)))
    network.add("home", ["x" * (LONGEST_NAME + 1)])

    assert list(network.probabilities("home")) == [f"link:{number}" for number in range(5)]
    assert network.ignored == 1


@pytest.mark.parametrize("page", ["", "x" * (LONGEST_NAME + 1)])
def test_page_needs_a_name_of_limited_length(page: str) -> None:
    network = network_at("home", "x")

    with pytest.raises(ValueError, match="1 to 500 characters"):
        network.add(page, ["y"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"penalty": 1.0},
        {"penalty": -0.1},
        {"discount": 1.0},
        {"most_steps": 0},
        {"most_actions": 0},
        {"most_states": 2},
        {"sure": 0.0},
    ],
)
def test_rules_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=str(next(iter(wrong.values())))):
        NetworkParameters(**wrong)  # type: ignore[arg-type]


# Keeping a network


def crawled(network: AutomataNetwork, steps: int) -> list[tuple[str | None, str]]:
    """Walk through an endless site for some steps; return what was done where."""
    done = []
    for _ in range(steps):
        action = network.next()
        done.append((action, network.at))
        if action is None:
            network.begin()
            continue
        number = sum(map(ord, network.at + action)) % 37
        hidden = action.startswith("form")
        page = f"{'answer' if hidden else 'page'} {number}"
        network.led_to(None if number % 5 == 0 else page, hidden=hidden, used_up=number % 7 == 0)
        network.add(
            network.at, [f"link:{number % 4}", f"link:{number % 3}", f"form:{number}:wine", "form:1:red"]
        )
    return done


SMALL = NetworkParameters(most_states=12, most_actions=5, most_steps=20)


@pytest.mark.parametrize("steps", [0, 1, 7, 100, 301])
def test_network_that_was_written_down_goes_on_as_if_nothing_had_happened(steps: int) -> None:
    chance = Random(2)
    network = AutomataNetwork("home", chance, SMALL)
    network.add("home", ["link:1", "link:2", "form:1:wine"])
    crawled(network, steps)
    pending = network.next()
    again = Random()
    again.setstate(chance.getstate())

    other = AutomataNetwork.from_json(network.to_json(), again, SMALL)

    assert other.to_json() == network.to_json()
    assert other.next() == pending
    assert crawled(other, 200) == crawled(network, 200)
    assert other.to_json() == network.to_json()
    assert (other.cases, other.mean_value) == (network.cases, network.mean_value)


def test_different_chance_walks_differently() -> None:
    one, other = AutomataNetwork("home", Random(1), SMALL), AutomataNetwork("home", Random(2), SMALL)
    for network in (one, other):
        network.add("home", ["link:1", "link:2", "form:1:wine"])

    assert crawled(one, 50) != crawled(other, 50)


def test_what_is_written_down_of_a_network_is_limited() -> None:
    network = AutomataNetwork(
        "home", Random(3), NetworkParameters(most_states=10, most_actions=4, most_steps=5)
    )
    for number in range(300):
        page = f"{number:0{LONGEST_NAME}}"
        network.begin()
        network.add("home", [f"question {number}".rjust(LONGEST_NAME)])
        network.add(page, [f"{number}{action}".rjust(LONGEST_NAME) for action in range(20)])
        network.next()
        network.led_to(page, hidden=True, used_up=True)

    written = network.to_json()

    # Ten pages with four actions, forty questions of the start that are used up with where they led, and a few numbers.
    assert len(network) <= 10
    assert len(written) < (10 + 10 * 4 + 2 * 40) * LONGEST_NAME + 10_000
    assert len(written) > 40 * LONGEST_NAME


def test_network_with_letters_that_are_none_can_be_written_down() -> None:
    network = network_at("home", "form:1:\ud800", "form:1:ночь")

    written = network.to_json().encode("utf-8").decode("utf-8")

    assert AutomataNetwork.from_json(written, Random(1)).probabilities("home") == network.probabilities(
        "home"
    )


def test_network_read_under_smaller_limits_fits_them() -> None:
    network = AutomataNetwork("home", Random(2))
    network.add("home", [f"link:{number}" for number in range(6)])
    for number in range(20):
        network.begin()
        step(network, f"page {number}")
        network.add(f"page {number}", [f"link:{action}" for action in range(9)])
    taken = [action for action in network.probabilities("home") if network.leads_to("home", action)]

    small = AutomataNetwork.from_json(
        network.to_json(), Random(2), NetworkParameters(most_states=5, most_actions=3)
    )

    assert len(small) == 5
    assert {"home", small.at} <= {page for page in ("home", "page 19") if page in small}
    assert len(small.probabilities("home")) == 3
    dropped = set(taken) - set(small.probabilities("home"))
    assert dropped
    assert all(small.leads_to("home", action) is None for action in dropped)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"version": 99}, "version 99"),
        ({"version": None}, "version None"),
        ({"at": "gone"}, "where its walk starts"),
        ({"states": []}, "where its walk starts"),
    ],
)
def test_network_that_cannot_be_read_is_refused(changes: dict[str, object], wrong: str) -> None:
    state = json.loads(network_at("home", "x").to_json()) | changes

    with pytest.raises(ValueError, match=wrong):
        AutomataNetwork.from_json(json.dumps(state), Random(1))


def test_text_that_is_no_network_is_refused() -> None:
    with pytest.raises(ValueError, match="a network of version None"):
        AutomataNetwork.from_json("[]", Random(1))
