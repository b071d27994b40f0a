"""The site frontier, on candidates in memory and in SQLite, whatever it holds."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.focused.locating import site_frontier as module
from hiddenweb.focused.locating.candidates import MemorySiteCandidates, SiteCandidate, SiteCandidates
from hiddenweb.focused.locating.site_frontier import CHOICES_BETWEEN_TURNS, HELD, TURN_SIZE, SiteFrontier
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

MOST_JOIN = 3
"""How often at most others join before one is chosen."""

TOPICS = count()
NAMES = "abcdefghijklmnopqrstuvwxyz"


class Ranks:
    """A judge that a test teaches, and that counts how often it ranks."""

    def __init__(self, ranks: Mapping[str, float] | None = None) -> None:
        self.ranks = dict(ranks or {})
        self.calls = 0

    def __call__(self, candidate: SiteCandidate) -> Callable[[], float]:
        def rank() -> float:
            self.calls += 1
            return self.ranks[candidate.key]

        return rank


@pytest.fixture(params=["memory", "sqlite"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], SiteCandidates]]:
    """A function that makes an empty store of candidates."""
    if request.param == "memory":
        yield MemorySiteCandidates
        return
    with Store(tmp_path) as state:
        yield lambda: SqliteCandidates(state, f"topic {next(TOPICS)}")


@pytest.fixture(params=[1, 2, 3, HELD])
def make(request: pytest.FixtureRequest, empty: Callable[[], SiteCandidates]) -> Callable[..., SiteFrontier]:
    """What makes a frontier that holds few or many, with candidates in both queues."""
    return lambda ranks, high="", low="": frontier(ranks, high, low, empty(), request.param)


def frontier(
    ranks: Ranks,
    high: Sequence[str] = "",
    low: Sequence[str] = "",
    waiting: SiteCandidates | None = None,
    held: int = HELD,
) -> SiteFrontier:
    made = SiteFrontier(waiting or MemorySiteCandidates(), ranks, held=held)
    for name in high:
        made.put(site(name), high=True)
    for name in low:
        made.put(site(name), high=False)
    return made


def site(name: str, **values: Any) -> SiteCandidate:
    return SiteCandidate(name, f"https://{name}.example/", **values)


def numbered(most: int, change: float = 1.0) -> dict[str, float]:
    """Return ranks for so many candidates, in no order, all different."""
    return {f"{number:05}": change * (number * 7919 % most) for number in range(most)}


def taken_keys(waiting: SiteFrontier, most: int = 100_000) -> list[str]:
    keys: list[str] = []
    while len(keys) < most and (found := waiting.next()):
        keys.append(found.key)
    return keys


def taken(waiting: SiteFrontier, most: int = 1000) -> str:
    return "".join(taken_keys(waiting, most))


def in_order(ranks: Mapping[str, float]) -> list[str]:
    return sorted(ranks, key=lambda key: (-ranks[key], key))


# Algorithm 2


def test_best_of_the_high_queue_comes_first(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 0.2, "b": 0.9, "c": 0.5}), high="abc")

    assert len(waiting) == 3
    assert taken(waiting) == "bca"
    assert len(waiting) == 0


def test_high_comes_before_low_whatever_the_ranks(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 0.1, "b": 0.2, "c": 0.9}), high="ab", low="c")

    assert taken(waiting) == "bac"


def test_low_queue_is_used_only_when_the_high_queue_is_empty(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 0.1, "b": 0.9, "c": 0.0}), high="a", low="b")

    first = taken(waiting, 1)
    waiting.put(site("c"), high=True)

    assert first == "a"
    assert taken(waiting) == "cb"


def test_all_of_the_low_queue_moves_up_at_once(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 0.1, "b": 0.9, "c": 0.5, "d": 0.7, "e": 0.95}), low="abc")

    first = taken(waiting, 1)
    waiting.put(site("d"), high=True)  # competes with those that moved up
    waiting.put(site("e"), high=False)  # waits for them

    assert first == "b"
    assert taken(waiting) == "dcae"


def test_queues_change_places_again_and_again(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks({name: float(number) for number, name in enumerate(NAMES)})
    waiting = make(ranks, low="acb")

    order = ""
    for high, low in (("d", "fe"), ("", "gh"), ("i", "z"), ("", "")):
        order += taken(waiting, 2)
        for name in high:
            waiting.put(site(name), high=True)
        for name in low:
            waiting.put(site(name), high=False)
    order += taken(waiting)

    assert order == "cb" + "da" + "hg" + "if" + "ez"


def test_candidate_of_the_high_queue_stays_there(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 0.1, "b": 0.5}), high="ab")

    waiting.put(site("a"), high=False)
    taken(waiting, 1)
    waiting.put(site("b"), high=False)

    assert taken(waiting) == "ab"


def test_candidate_of_the_low_queue_can_be_lifted(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 0.1, "b": 0.5, "c": 0.9}), high="b", low="ac")

    waiting.put(site("a"), high=True)

    assert taken(waiting) == "bac"
    assert len(waiting) == 0


def test_candidate_of_the_low_queue_can_be_lifted_while_others_are_held(
    make: Callable[..., SiteFrontier],
) -> None:
    waiting = make(Ranks({"a": 0.1, "b": 0.5, "c": 0.9, "d": 0.4}), high="bd", low="ac")
    waiting.best()

    waiting.put(site("c"), high=True)

    assert taken(waiting) == "cbda"


def test_nothing_is_chosen_from_nothing(make: Callable[..., SiteFrontier]) -> None:
    waiting = make(Ranks({"a": 1.0}))

    for _ in range(3):
        assert waiting.best() is None
        assert waiting.next() is None
    assert waiting.get("a") is None
    waiting.put(site("a"), high=True)
    assert taken(waiting) == "a"


@pytest.mark.parametrize("high", [True, False])
def test_best_stays_when_it_is_only_read(make: Callable[..., SiteFrontier], high: bool) -> None:
    waiting = make(Ranks({"a": 0.1}), **{"high" if high else "low": "a"})

    assert waiting.best() == (site("a"), 0.1)
    assert waiting.best() == (site("a"), 0.1)
    assert waiting.get("a") == site("a")
    assert len(waiting) == 1


def test_a_chosen_candidate_can_wait_again(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks({"a": 0.5, "b": 0.4, "c": 0.3})
    waiting = make(ranks, high="abc")
    taken(waiting, 1)

    ranks.ranks["a"] = 0.35
    waiting.put(site("a"), high=True)

    assert len(waiting) == 3
    assert taken(waiting) == "bac"


def test_of_equals_each_comes_once(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks(dict.fromkeys(NAMES, 0.0))
    waiting = make(ranks, high=NAMES[:20], low=NAMES[20:])

    waiting.mark_outdated()
    first = taken(waiting, 20)

    assert sorted(first) == list(NAMES[:20])
    assert sorted(taken(waiting)) == list(NAMES[20:])


# Candidates that change


def test_candidate_of_which_something_new_is_known_is_ranked_again_where_it_waits(
    make: Callable[..., SiteFrontier],
) -> None:
    ranks = Ranks({"a": 0.1, "b": 0.5, "c": 0.3})
    waiting = make(ranks, high="ab", low="c")

    ranks.ranks.update(a=0.9, c=0.99)
    waiting.put(site("a"), high=False)
    waiting.put(site("c"), high=False)

    assert taken(waiting) == "abc"


def test_candidate_that_is_held_is_ranked_again_when_something_new_is_known_of_it(
    make: Callable[..., SiteFrontier],
) -> None:
    ranks = Ranks({"a": 0.9, "b": 0.5, "c": 0.3})
    waiting = make(ranks, high="abc")
    waiting.best()

    ranks.ranks["a"] = 0.4
    waiting.put(site("a"), high=True)

    assert taken(waiting) == "bac"


def test_what_is_known_of_a_candidate_is_what_was_put_last(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks({"a": 0.9, "b": 0.5, "c": 0.3})
    waiting = make(ranks, high="abc")
    waiting.best()

    for name in "abc":
        waiting.put(site(name, deep_links=7), high=False)

    assert [found.deep_links for name in "abc" if (found := waiting.get(name))] == [7, 7, 7]
    assert [found.deep_links for _ in range(3) if (found := waiting.next())] == [7, 7, 7]


# Those that rest


def test_one_that_rests_competes_by_what_it_is_worth_with_what_all_others_have_in_common() -> None:
    common = [0.0]
    ranks = Ranks({"a": -1.0, "b": -2.0, "c": -3.0})
    waiting = SiteFrontier(MemorySiteCandidates(), ranks, common=lambda: common[0])
    for name in "abc":
        waiting.put(site(name), high=True)
    waiting.put(replace(site("r"), rested=-2.5), high=True)

    assert waiting.best() == (site("a"), -1.0)
    common[0] = -1.0
    assert waiting.best() == (site("a"), -2.0)
    common[0] = -1.75
    assert waiting.best() == (replace(site("r"), rested=-2.5), -2.5)
    assert taken(waiting) == "rabc"


def test_low_queue_waits_for_those_that_rest() -> None:
    waiting = frontier(Ranks({"a": 9.0}), low="a")
    waiting.put(replace(site("r"), rested=-5.0), high=True)

    assert len(waiting) == 2
    assert waiting.get("r") == replace(site("r"), rested=-5.0)
    assert taken(waiting) == "ra"


# Ranking again


def test_candidate_is_reranked_before_it_is_chosen(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)})
    waiting = make(ranks, high=NAMES)

    ranks.ranks["a"] = -1.0  # it was the best
    waiting.mark_outdated()

    assert taken(waiting) == NAMES[1:] + "a"


def test_held_candidate_is_reranked_before_it_is_chosen(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)})
    waiting = make(ranks, high=NAMES)
    waiting.best()

    ranks.ranks["a"] = -1.0  # it was the best
    waiting.mark_outdated()

    assert waiting.best() == (site("b"), 99.0)
    assert taken(waiting) == NAMES[1:] + "a"


def test_candidate_is_reranked_before_it_is_chosen_though_low_ones_have_higher_ranks(
    make: Callable[..., SiteFrontier],
) -> None:
    ranks = Ranks({"a": 0.2, "b": 0.1, **dict.fromkeys(NAMES[2:], 1.0)})
    waiting = make(ranks, high="ab", low=NAMES[2:])

    ranks.ranks["a"] = 0.0
    waiting.mark_outdated()

    assert taken(waiting, 2) == "ba"


def test_others_join_when_the_best_of_those_held_falls_behind_them(
    empty: Callable[[], SiteCandidates],
) -> None:
    ranks = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)})
    waiting = frontier(ranks, NAMES, waiting=empty(), held=3)
    waiting.best()

    for name in "abc":
        ranks.ranks[name] = 90.5  # behind all up to j
    waiting.mark_outdated()

    assert taken(waiting) == "defghij" + "abc" + "klmnopqrstuvwxyz"


def test_candidates_that_were_low_are_ranked_by_the_newest_knowledge_when_they_are_held(
    empty: Callable[[], SiteCandidates],
) -> None:
    ranks = Ranks({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4})
    waiting = frontier(ranks, "a", "bcd", empty(), held=4)
    waiting.best()

    ranks.ranks.update(b=0.9, d=0.0)
    waiting.mark_outdated()

    assert taken(waiting) == "abcd"


def test_candidate_that_is_put_joins_those_held_if_it_is_good_enough() -> None:
    ranks = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)})
    waiting = frontier(ranks, NAMES[1:], held=3)
    waiting.best()
    before = ranks.calls

    waiting.put(site("a"), high=True)

    assert taken(waiting, 2) == "ab"
    assert ranks.calls == before + 1


def test_what_has_become_the_best_is_found_after_a_while(empty: Callable[[], SiteCandidates]) -> None:
    keys = [f"{number:04}" for number in range(400)]
    ranks = Ranks({key: 1.0 - number / 1000 for number, key in enumerate(keys)})
    waiting = frontier(ranks, keys, waiting=empty(), held=3)
    waiting.best()

    ranks.ranks["0399"] = 5.0  # it was the last
    waiting.mark_outdated()
    order = []
    while (found := waiting.next()) and found.key != "0399":
        order.append(found.key)

    assert order == keys[: len(order)]
    assert 0 < len(order) <= CHOICES_BETWEEN_TURNS * ceil(400 / TURN_SIZE)


def test_what_has_become_the_best_is_found_after_a_while_though_it_was_low(
    empty: Callable[[], SiteCandidates],
) -> None:
    keys = [f"{number:04}" for number in range(500)]
    ranks = Ranks({key: 1.0 - number / 1000 for number, key in enumerate(keys)})
    waiting = frontier(ranks, keys[:150], keys[150:], empty(), held=3)

    ranks.ranks["0499"] = 5.0  # the last of the low ones
    waiting.mark_outdated()
    order = taken_keys(waiting)

    assert order[:150] == keys[:150]
    assert order.index("0499") <= 150 + CHOICES_BETWEEN_TURNS * ceil(350 / TURN_SIZE)


@pytest.mark.parametrize("held", [1, 7, 100])
def test_ranks_of_an_earlier_crawl_are_not_trusted(empty: Callable[[], SiteCandidates], held: int) -> None:
    ranks, candidates = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)}), empty()
    frontier(ranks, NAMES, waiting=candidates)

    ranks.ranks["a"] = -1.0
    waiting = SiteFrontier(candidates, ranks, held=held)

    assert taken(waiting) == NAMES[1:] + "a"


def test_rank_that_an_earlier_crawl_left_too_low_is_found_after_a_while(
    empty: Callable[[], SiteCandidates],
) -> None:
    keys, candidates = [f"{number:04}" for number in range(400)], empty()
    ranks = Ranks({key: 1.0 - number / 1000 for number, key in enumerate(keys)})
    frontier(ranks, keys, waiting=candidates)

    ranks.ranks["0399"] = 5.0
    waiting = SiteFrontier(candidates, ranks, held=3)
    waiting.mark_outdated()

    assert taken_keys(waiting).index("0399") <= CHOICES_BETWEEN_TURNS * ceil(400 / TURN_SIZE)


# How much is ranked


def test_all_are_ranked_twice_at_most_when_nothing_was_learnt(make: Callable[..., SiteFrontier]) -> None:
    ranks = Ranks(numbered(100))
    waiting = make(ranks, high=list(ranks.ranks))

    assert taken_keys(waiting) == in_order(ranks.ranks)
    assert waiting.reranked == 100  # when they were held
    assert ranks.calls == 200


def test_reading_the_best_reranks_nothing() -> None:
    ranks = Ranks(numbered(1000))
    waiting = frontier(ranks, list(ranks.ranks), held=10)
    waiting.mark_outdated()
    waiting.best()
    before = ranks.calls

    for _ in range(100):
        waiting.best()

    assert ranks.calls == before


@pytest.mark.parametrize("change", [0.0, 0.3, -0.3, -5.0])
def test_choice_among_five_thousand_ranks_a_handful(change: float) -> None:
    ranks = Ranks(numbered(5000, 1 / 5000))
    waiting = frontier(ranks, list(ranks.ranks))
    waiting.best()
    ranks.calls, held_at_first = 0, waiting.reranked

    for number, key in enumerate(ranks.ranks):
        ranks.ranks[key] += change * (number % 3)
    waiting.mark_outdated()
    ranked = []
    for _ in range(1000):
        before = waiting.reranked
        waiting.next()
        ranked.append(waiting.reranked - before)

    assert max(ranked) <= 2 * HELD + MOST_JOIN * HELD + TURN_SIZE
    assert sum(ranked) / len(ranked) <= 15
    assert ranks.calls == waiting.reranked - held_at_first == sum(ranked)
    assert waiting.seconds > 0


def test_choice_is_made_among_those_reranked_if_very_many_others_have_ranks_that_are_too_high() -> None:
    ranks = Ranks(numbered(5000, 1 / 5000))
    waiting = frontier(ranks, list(ranks.ranks), held=100)
    waiting.best()
    before = waiting.reranked

    ranks.ranks = {key: rank - 10 for key, rank in ranks.ranks.items()}
    waiting.mark_outdated()
    found = waiting.best()

    assert found is not None
    assert found[1] == max(each.rank for each in waiting._held.values()) < -9
    assert waiting.reranked - before == 100 + (MOST_JOIN - 1) * 100  # once they joined before


def test_those_held_are_not_judged_again_when_others_join() -> None:
    ranks = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)})
    waiting = frontier(ranks, NAMES, held=3)
    waiting.best()
    before = ranks.calls

    ranks.ranks["a"] = ranks.ranks["b"] = 96.5  # behind d, and before e
    waiting.mark_outdated()

    assert taken(waiting, 2) == "cd"
    assert ranks.calls - before == 3 + 1  # all that were held, and d


@pytest.mark.parametrize("drift", [0.02, -0.02, 0.5])
def test_choice_among_five_thousand_ranks_a_handful_while_the_ranker_learns(drift: float) -> None:
    rng = Random(1)
    ranks = Ranks(numbered(5000, 1 / 5000))
    waiting = frontier(ranks, list(ranks.ranks))
    waiting.best()

    before = waiting.reranked
    for choice in range(1000):
        if choice % 50 == 0:
            for key in ranks.ranks:
                ranks.ranks[key] += drift * rng.random()
            waiting.mark_outdated()
        waiting.next()

    # of those held a twentieth with every choice, twice as many at most; of the others a few in turn and those that join
    assert (waiting.reranked - before) / 1000 <= 2 * HELD / 50 + TURN_SIZE / CHOICES_BETWEEN_TURNS + 10


def test_each_is_ranked_once_by_the_same_knowledge_if_all_are_held() -> None:
    ranks = Ranks(numbered(400))
    waiting = frontier(ranks, list(ranks.ranks))
    waiting.best()
    before = waiting.reranked

    waiting.mark_outdated()
    taken(waiting)

    assert waiting.reranked - before == 400


def test_others_are_ranked_once_by_the_same_knowledge() -> None:
    ranks = Ranks(numbered(2000))
    waiting = frontier(ranks, list(ranks.ranks), held=10)
    waiting.best()
    before = waiting.reranked

    waiting.mark_outdated()
    taken_keys(waiting, 1000)  # enough for all to get their turn

    # in turn, and those that are chosen when they join
    assert waiting.reranked - before <= 2000 + 1000 + 2 * 10


def test_the_others_are_not_read_while_those_held_are_better() -> None:
    class Counting(MemorySiteCandidates):
        calls = 0

        def list_after(self, place: tuple[float, str], limit: int) -> list[tuple[SiteCandidate, float]]:
            self.calls += 1
            return super().list_after(place, limit)

    candidates = Counting()
    waiting = frontier(Ranks(numbered(1000)), list(numbered(1000)), waiting=candidates, held=40)

    for _ in range(30):
        waiting.best()
        waiting.next()

    assert candidates.calls == 1


# What is written


def test_ranks_of_those_held_are_written(empty: Callable[[], SiteCandidates]) -> None:
    ranks, candidates = Ranks({"a": 0.9, "b": 0.5, "c": 0.3, "d": 0.7}), empty()
    waiting = frontier(ranks, "abc", "d", candidates)
    waiting.best()

    ranks.ranks.update(a=0.1, c=0.8)
    waiting.mark_outdated()
    waiting.best()
    before = [(each.key, rank) for each, rank in candidates.best(9)]
    waiting.write()

    assert before == [("a", 0.9), ("b", 0.5), ("c", 0.3)]
    assert [(each.key, rank) for each, rank in candidates.best(9)] == [("c", 0.8), ("b", 0.5), ("a", 0.1)]


def test_what_is_written_is_what_changed() -> None:
    class Counting(MemorySiteCandidates):
        written: list[str]

        def rank(self, ranks: Sequence[tuple[str, float]]) -> None:
            self.written = [key for key, _ in ranks]
            super().rank(ranks)

    ranks, candidates = Ranks({"a": 0.9, "b": 0.5, "c": 0.3}), Counting()
    waiting = frontier(ranks, "abc", waiting=candidates)
    waiting.best()
    written = []
    for rank in (0.9, 0.8, 0.8, 0.7):
        ranks.ranks["a"] = rank
        waiting.mark_outdated()
        waiting.best()
        waiting.write()
        written.append("".join(candidates.written))
    waiting.write()

    assert written == ["", "a", "", "a"]
    assert candidates.written == []


def test_rank_that_changed_is_written_though_it_did_not_change_since(
    empty: Callable[[], SiteCandidates],
) -> None:
    ranks, candidates = Ranks({"a": 0.9, "b": 0.5}), empty()
    waiting = frontier(ranks, "ab", waiting=candidates)
    waiting.best()

    ranks.ranks["a"] = 0.7
    for _ in range(2):
        waiting.mark_outdated()
        waiting.best()
    waiting.write()

    assert [(each.key, rank) for each, rank in candidates.best(9)] == [("a", 0.7), ("b", 0.5)]


def test_those_held_no_longer_wait_with_the_ranks_they_had_last(empty: Callable[[], SiteCandidates]) -> None:
    ranks, candidates = Ranks({name: 100.0 - number for number, name in enumerate(NAMES)}), empty()
    waiting = frontier(ranks, NAMES[10:], waiting=candidates, held=3)
    waiting.best()

    ranks.ranks["k"] = 80.0  # held, and falls
    waiting.mark_outdated()
    waiting.best()
    for name in NAMES[:10]:  # better ones crowd it out
        waiting.put(site(name), high=True)
    found = {each.key: rank for each, rank in candidates.best(100)}

    assert found == ranks.ranks
    assert len(waiting._held) <= 2 * 3
    assert taken(waiting) == "".join(in_order(ranks.ranks))


@pytest.mark.parametrize("held", [1, 10, 50])
def test_what_is_held_is_bounded(held: int) -> None:
    rng = Random(2)
    ranks = Ranks(numbered(1000))
    waiting = frontier(ranks, held=held)

    sizes = []
    for number, key in enumerate(ranks.ranks):
        waiting.put(site(key), high=rng.random() < 0.8)
        if number % 50 == 49:
            ranks.ranks = {each: rank - 300 * rng.random() for each, rank in ranks.ranks.items()}
            waiting.mark_outdated()
        if number % 3 == 0:
            waiting.best()
        sizes.append(len(waiting._held))
        if number % 2:
            waiting.next()
        sizes.append(len(waiting._held))

    assert max(sizes) <= 2 * held


# Against a model


KEYS = st.sampled_from(NAMES[:12])
RANK = st.integers(-4, 4).map(float)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, RANK, st.booleans()),
        st.tuples(st.just("put"), KEYS, RANK, st.booleans()),
        st.tuples(st.just("learn"), st.dictionaries(KEYS, RANK)),
        st.tuples(st.just("best")),
        st.tuples(st.just("next")),
        st.tuples(st.just("next")),
        st.tuples(st.just("write")),
    ),
    max_size=60,
)
property_test = settings(max_examples=60)


class Model:
    """Two sets of names: what a frontier must do whose ranks are never out of date."""

    def __init__(self, ranks: dict[str, float]) -> None:
        self.ranks = ranks
        self.queues: dict[bool, set[str]] = {True: set(), False: set()}

    @property
    def waiting(self) -> set[str]:
        return self.queues[True] | self.queues[False]

    def put(self, name: str, *, high: bool) -> None:
        if high or name not in self.queues[True]:
            self.queues[high].add(name)
        if high:
            self.queues[False].discard(name)

    def best(self) -> str | None:
        if not self.queues[True]:
            self.queues = {True: self.queues[False], False: set()}
        return min(self.queues[True], key=lambda name: (-self.ranks[name], name), default=None)


@given(STEPS)
@property_test
def test_with_all_held_the_order_is_exact(
    empty: Callable[[], SiteCandidates], steps: list[tuple[Any, ...]]
) -> None:
    ranks = Ranks(dict.fromkeys(NAMES, 0.0))
    waiting, model = frontier(ranks, waiting=empty(), held=13), Model(ranks.ranks)

    for step in [*steps, *[("next",)] * 13]:
        match step:
            case ("put", name, rank, high):
                ranks.ranks[name] = rank
                waiting.put(site(name), high=high)
                model.put(name, high=high)
            case ("learn", changed):
                ranks.ranks.update(changed)
                waiting.mark_outdated()
            case ("best",):
                found, best = waiting.best(), model.best()
                assert (found and (found[0].key, found[1])) == (best and (best, ranks.ranks[best]))
            case ("next",):
                taken, best = waiting.next(), model.best()
                assert (taken and taken.key) == best
                model.queues[True].discard(best or "")
            case _:
                waiting.write()
        assert len(waiting) == len(model.waiting)
        assert {name for name in NAMES if waiting.get(name)} == model.waiting


@given(STEPS, st.integers(1, 4), st.integers(1, 3), st.integers(1, 5))
@property_test
def test_whatever_is_held_no_candidate_is_lost_or_comes_twice_and_the_best_held_comes_first(
    empty: Callable[[], SiteCandidates], steps: list[tuple[Any, ...]], held: int, pause: int, in_turn: int
) -> None:
    ranks = Ranks(dict.fromkeys(NAMES, 0.0))
    waiting, model = frontier(ranks, waiting=empty(), held=held), Model(ranks.ranks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHOICES_BETWEEN_TURNS", pause)
        patch.setattr(module, "TURN_SIZE", in_turn)
        for step in [*steps, *[("next",)] * 13]:
            match step:
                case ("put", name, rank, high):
                    ranks.ranks[name] = rank
                    waiting.put(site(name), high=high)
                    model.put(name, high=high)
                case ("learn", changed):
                    ranks.ranks.update(changed)
                    waiting.mark_outdated()
                case ("write",):
                    waiting.write()
                case _:
                    found = waiting.best()
                    model.best()
                    assert (found is None) == (not model.waiting)
                    if found is not None:
                        in_memory = {each.candidate.key: each.rank for each in waiting._held.values()}
                        assert in_memory == {name: ranks.ranks[name] for name in in_memory}
                        assert in_memory.keys() <= model.queues[True]
                        assert found[1] == ranks.ranks[found[0].key] == max(in_memory.values())
                    if found is not None and step == ("next",):
                        taken = waiting.next()
                        assert taken == found[0]
                        model.queues[True].remove(taken.key)
            assert len(waiting._held) <= 2 * held
            assert len(waiting) == len(model.waiting)
            assert {name for name in NAMES if waiting.get(name)} == model.waiting
    assert not model.waiting


@given(
    st.lists(st.tuples(RANK, st.lists(RANK, min_size=3, max_size=3)), min_size=1, max_size=60),
    st.integers(1, 5),
    st.booleans(),
)
@property_test
def test_order_is_exact_once_all_others_were_ranked_in_turn(
    empty: Callable[[], SiteCandidates], values: list[tuple[float, list[float]]], held: int, high: bool
) -> None:
    ranks = Ranks({f"{number:02}": first for number, (first, _) in enumerate(values)})
    names = list(ranks.ranks)
    waiting = frontier(ranks, names if high else (), () if high else names, empty(), held)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHOICES_BETWEEN_TURNS", 1)
        patch.setattr(module, "TURN_SIZE", 10)
        gone = set()
        for turn in range(3):
            ranks.ranks.update((f"{number:02}", later[turn]) for number, (_, later) in enumerate(values))
            waiting.mark_outdated()
            gone.update(taken_keys(waiting, 2))
        gone.update(taken_keys(waiting, 2 * ceil(len(names) / 10) + 1))  # one turn may be under way
        left = taken_keys(waiting)

    assert [ranks.ranks[name] for name in left] == sorted(
        (rank for name, rank in ranks.ranks.items() if name not in gone), reverse=True
    )
