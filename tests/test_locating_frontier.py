from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.locating.candidates import Candidate, MemoryCandidates
from hiddenweb.locating.frontier import AT_ONCE, SiteFrontier

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_TRIES = 50
"""Candidates at most that are ranked again because they come first."""


class Ranks:
    """A ranker that a test teaches, and that counts how often it is asked."""

    def __init__(self, ranks: Mapping[str, float] | None = None) -> None:
        self.ranks = dict(ranks or {})
        self.asked = 0

    def __call__(self, candidate: Candidate) -> float:
        self.asked += 1
        return self.ranks[candidate.key]


def frontier(ranks: Ranks, high: str = "", low: str = "") -> SiteFrontier:
    made = SiteFrontier(MemoryCandidates(), ranks)
    for name in high:
        made.put(site(name), high=True)
    for name in low:
        made.put(site(name), high=False)
    return made


def site(name: str) -> Candidate:
    return Candidate(name, f"https://{name}.example/")


def taken(waiting: SiteFrontier, most: int = 1000) -> str:
    keys: list[str] = []
    while len(keys) < most and (found := waiting.next()):
        keys.append(found.key)
    return "".join(keys)


# Algorithm 2


def test_best_of_the_high_queue_comes_first() -> None:
    waiting = frontier(Ranks({"a": 0.2, "b": 0.9, "c": 0.5}), high="abc")

    assert len(waiting) == 3
    assert taken(waiting) == "bca"
    assert len(waiting) == 0


def test_high_comes_before_low_whatever_the_ranks() -> None:
    waiting = frontier(Ranks({"a": 0.1, "b": 0.2, "c": 0.9}), high="ab", low="c")

    assert taken(waiting) == "bac"


def test_low_queue_is_used_only_when_the_high_queue_is_empty() -> None:
    ranks = Ranks({"a": 0.1, "b": 0.9, "c": 0.0})
    waiting = frontier(ranks, high="a", low="b")

    first = taken(waiting, 1)
    waiting.put(site("c"), high=True)

    assert first == "a"
    assert taken(waiting) == "cb"


def test_all_of_the_low_queue_moves_up_at_once() -> None:
    ranks = Ranks({"a": 0.1, "b": 0.9, "c": 0.5, "d": 0.7, "e": 0.95})
    waiting = frontier(ranks, low="abc")

    first = taken(waiting, 1)
    waiting.put(site("d"), high=True)  # competes with those that moved up
    waiting.put(site("e"), high=False)  # waits for them

    assert first == "b"
    assert taken(waiting) == "dcae"


def test_candidate_of_the_high_queue_stays_there() -> None:
    waiting = frontier(Ranks({"a": 0.1, "b": 0.5}), high="ab")

    waiting.put(site("a"), high=False)
    taken(waiting, 1)
    waiting.put(site("b"), high=False)

    assert taken(waiting) == "ab"


def test_candidate_of_the_low_queue_can_be_lifted() -> None:
    waiting = frontier(Ranks({"a": 0.1, "b": 0.5, "c": 0.9}), high="b", low="ac")

    waiting.put(site("a"), high=True)

    assert taken(waiting) == "bac"
    assert len(waiting) == 0


def test_nothing_comes_of_nothing() -> None:
    waiting = frontier(Ranks())

    assert waiting.best() is None
    assert waiting.next() is None
    assert waiting.get("a") is None


def test_best_is_looked_at_and_stays() -> None:
    waiting = frontier(Ranks({"a": 0.1}), low="a")

    assert waiting.best() == (site("a"), 0.1)
    assert waiting.best() == (site("a"), 0.1)
    assert waiting.get("a") == site("a")
    assert len(waiting) == 1


# Ranking again


def test_candidate_of_which_something_new_is_known_is_ranked_again_where_it_waits() -> None:
    ranks = Ranks({"a": 0.1, "b": 0.5, "c": 0.3})
    waiting = frontier(ranks, high="ab", low="c")

    ranks.ranks.update(a=0.9, c=0.99)
    waiting.changed(site("a"))
    waiting.changed(site("c"))

    assert taken(waiting) == "abc"


def test_candidate_is_ranked_anew_before_it_is_chosen() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    ranks = Ranks({name: 100.0 - number for number, name in enumerate(names)})
    waiting = frontier(ranks, high=names)

    ranks.ranks["a"] = -1.0  # it was the best
    waiting.learnt()

    assert taken(waiting) == names[1:] + "a"


def test_candidate_is_ranked_anew_before_it_is_chosen_though_others_have_higher_ranks() -> None:
    low = "cdefghijklmnopqrstuvwxyz"
    ranks = Ranks({"a": 0.2, "b": 0.1, **dict.fromkeys(low, 1.0)})
    waiting = frontier(ranks, high="ab", low=low)

    ranks.ranks["a"] = 0.0
    waiting.learnt()

    assert taken(waiting, 2) == "ba"


def test_what_has_become_the_best_is_found_after_a_while() -> None:
    keys = [f"{number:04}" for number in range(400)]
    ranks = Ranks({key: 1.0 - number / 1000 for number, key in enumerate(keys)})
    waiting = SiteFrontier(MemoryCandidates(), ranks)
    for key in keys:
        waiting.put(site(key), high=True)

    ranks.ranks["0399"] = 5.0  # it was the last
    waiting.learnt()
    order = []
    while (found := waiting.next()) and found.key != "0399":
        order.append(found.key)

    assert order == keys[: len(order)]
    assert 0 < len(order) <= 400 / AT_ONCE


def test_nothing_is_ranked_again_when_nothing_was_learnt() -> None:
    ranks = Ranks({f"{number}": number / 100 for number in range(100)})
    waiting = SiteFrontier(MemoryCandidates(), ranks)
    for key in ranks.ranks:
        waiting.put(site(key), high=True)

    taken(waiting)

    assert waiting.ranked_again == 0
    assert ranks.asked == 100


@pytest.mark.parametrize("change", [0.0, 0.3, -0.3, -5.0])
def test_choice_among_five_thousand_ranks_a_handful(change: float) -> None:
    ranks = Ranks({f"{number}": number * 7919 % 5000 / 5000 for number in range(5000)})
    waiting = SiteFrontier(MemoryCandidates(), ranks)
    for key in ranks.ranks:
        waiting.put(site(key), high=True)
    ranks.asked = 0

    for number, key in enumerate(ranks.ranks):
        ranks.ranks[key] += change * (number % 3)
    waiting.learnt()
    ranked = []
    for _ in range(300):
        before = waiting.ranked_again
        waiting.next()
        ranked.append(waiting.ranked_again - before)

    assert max(ranked) <= AT_ONCE + MOST_TRIES
    assert sum(ranked) / len(ranked) <= 4 * AT_ONCE
    assert ranks.asked == waiting.ranked_again == sum(ranked)
    assert waiting.seconds > 0


def test_no_candidate_is_ranked_twice_by_the_same_knowledge() -> None:
    ranks = Ranks({f"{number}": number / 1000 for number in range(1000)})
    waiting = SiteFrontier(MemoryCandidates(), ranks)
    for key in ranks.ranks:
        waiting.put(site(key), high=True)

    waiting.learnt()
    taken(waiting)

    assert waiting.ranked_again == 1000


def test_looking_and_choosing_leave_nothing_stale_in_the_end() -> None:
    ranks = Ranks({f"{number}": number / 100 for number in range(100)})
    waiting = SiteFrontier(MemoryCandidates(), ranks)
    for key in ranks.ranks:
        waiting.put(site(key), high=True)
    waiting.learnt()

    for _ in range(100 // AT_ONCE + 2):
        waiting.best()
    settled = waiting.ranked_again
    waiting.best()

    assert settled == waiting.ranked_again == 100
    assert len(waiting) == 100


def test_nobody_looks_for_stale_candidates_when_there_are_none() -> None:
    class Counting(MemoryCandidates):
        asked = 0

        def stale(self, version: int, limit: int) -> list[Candidate]:
            self.asked += 1
            return super().stale(version, limit)

    candidates = Counting()
    waiting = SiteFrontier(candidates, Ranks({"a": 0.1}))
    waiting.put(site("a"), high=True)

    for _ in range(5):
        waiting.best()

    assert candidates.asked == 1
