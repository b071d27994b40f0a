"""Choosing between the links and forms of a page by what pages of its kind taught."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from hiddenweb.focused.exploring.link_automata import MEAN_BUCKET, PageKindAutomata, VisitGain

ACTIONS = ("menu", "list", "form search")


def test_actions_of_an_unknown_page_are_chosen_with_the_same_probability() -> None:
    kinds, chance = PageKindAutomata(), Random(1)
    chosen = Counter(kinds.choose("home", ACTIONS, chance) for _ in range(3_000))

    assert all(900 < chosen[action] < 1_100 for action in ACTIONS)


@pytest.mark.parametrize("brought", list(VisitGain))
def test_hidden_pages_and_new_forms_reward_and_all_else_penalises(brought: VisitGain) -> None:
    kinds = PageKindAutomata()
    kinds.add("home", ACTIONS)
    kinds.learn("home", "list", brought)

    learnt = kinds.probabilities("home")
    assert (learnt["list"] > 1 / 3) is (brought in {VisitGain.HIDDEN, VisitGain.FORM})
    assert sum(learnt.values()) == pytest.approx(1.0)


def test_what_one_page_taught_holds_for_others_of_its_kind_and_no_other_kind() -> None:
    kinds, chance = PageKindAutomata(), Random(1)
    for kind in ("answer", "article"):
        kinds.add(kind, ACTIONS)
    for _ in range(10):
        kinds.learn("answer", "list", VisitGain.HIDDEN)

    chosen = Counter(kinds.choose("answer", ACTIONS, chance) for _ in range(100))
    assert chosen["list"] > 90
    assert set(kinds.probabilities("article").values()) == {1 / 3}


def test_only_what_a_page_offers_now_is_chosen() -> None:
    kinds, chance = PageKindAutomata(), Random(1)
    for _ in range(10):
        kinds.learn("answer", "list", VisitGain.HIDDEN)

    assert {kinds.choose("answer", ("menu", "next"), chance) for _ in range(50)} == {"menu", "next"}
    assert kinds.choose("answer", (), chance) is None


def test_links_of_a_group_are_first_as_often_as_it_is_probable() -> None:
    kinds, chance = PageKindAutomata(), Random(2)
    kinds.add("home", ("menu", "list"))
    for _ in range(2):
        kinds.learn("home", "list", VisitGain.HIDDEN)
    probability = kinds.probabilities("home")["list"]

    races = [
        [kinds.bucket("home", action, chance, first=-100, last=100) for action in ("menu", "list")]
        for _ in range(4_000)
    ]
    won = sum((listed < menu) + (listed == menu) * probability for menu, listed in races)
    assert won / len(races) == pytest.approx(probability, abs=0.06)  # buckets are coarse


def test_better_groups_come_earlier_on_average_and_buckets_stay_within_their_limits() -> None:
    kinds, chance = PageKindAutomata(), Random(3)
    kinds.add("list", ("good", "bad", "new"))
    for _ in range(20):
        kinds.learn("list", "good", VisitGain.HIDDEN)
        kinds.learn("list", "bad", VisitGain.LINKED)

    drawn = {
        action: [kinds.bucket("list", action, chance, first=2, last=15) for _ in range(500)]
        for action in ("good", "bad")
    }
    assert sum(drawn["good"]) + 500 < sum(drawn["bad"])
    assert {min(drawn["good"]), max(drawn["bad"])} <= set(range(2, 16))


def test_without_anything_learnt_the_mean_bucket_is_in_the_middle() -> None:
    kinds, chance = PageKindAutomata(), Random(4)
    drawn = sorted(kinds.bucket("list", "any", chance, first=1, last=15) for _ in range(1_001))

    assert abs(drawn[500] - MEAN_BUCKET) <= 1


def test_an_action_without_room_comes_last_and_teaches_nothing() -> None:
    kinds = PageKindAutomata(most_actions=2)
    kinds.add("home", ("a", "b"))

    assert kinds.bucket("home", "c", Random(1), first=1, last=15) == 15
    kinds.learn("home", "c", VisitGain.HIDDEN)
    assert kinds.probabilities("home") == {"a": 0.5, "b": 0.5}
    assert kinds.choose("home", ("c",), Random(1)) == "c"


def test_the_kind_seen_least_recently_makes_room() -> None:
    kinds = PageKindAutomata(most_kinds=2)
    for kind in ("first", "second", "first", "third"):
        kinds.add(kind, ACTIONS)

    assert len(kinds) == 2
    assert kinds.probabilities("second") == {}
    assert kinds.probabilities("first")


def test_automata_that_were_written_down_choose_as_before() -> None:
    kinds = PageKindAutomata()
    for number, action in enumerate(ACTIONS * 3):
        kinds.learn(f"kind {number % 2}", action, list(VisitGain)[number % 4])
    again = PageKindAutomata.from_json(kinds.to_json())

    assert again.to_json() == kinds.to_json()
    assert [again.choose("kind 1", ACTIONS, Random(7)) for _ in range(9)] == [
        kinds.choose("kind 1", ACTIONS, Random(7)) for _ in range(9)
    ]


def test_written_automata_are_limited_also_when_they_are_read_under_smaller_limits() -> None:
    kinds = PageKindAutomata()
    for number in range(1_000):
        kinds.add(f"kind {number}", (f"{number}" * 1_000, "other", "third"))
    smaller = PageKindAutomata.from_json(kinds.to_json(), most_kinds=3, most_actions=2)

    assert len(kinds.to_json()) < 100_000
    assert len(smaller) == 3
    assert len(smaller.probabilities("kind 999")) == 2


@pytest.mark.parametrize("state", ["[]", json.dumps({"version": 0, "kinds": []})])
def test_what_another_version_wrote_is_refused(state: str) -> None:
    with pytest.raises(ValueError, match="kinds of pages of version"):
        PageKindAutomata.from_json(state)


def test_limits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="wanted at least 1 of each"):
        PageKindAutomata(most_actions=0)
