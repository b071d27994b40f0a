"""Candidates in memory and in SQLite: one protocol, one suite."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.focused.locating.candidates import (
    ANCHOR,
    AROUND,
    MAX_TERMS,
    URL,
    MemorySiteCandidates,
    SiteCandidate,
    SiteCandidates,
    candidate_site,
)
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

TOPICS = count()


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], SiteCandidates]]:
    """A function that makes an empty store of candidates."""
    if request.param == "memory":
        yield MemorySiteCandidates
        return
    with Store(tmp_path) as state:
        yield lambda: SqliteCandidates(state, f"topic {next(TOPICS)}")


@pytest.fixture
def waiting(make: Callable[[], SiteCandidates]) -> SiteCandidates:
    return make()


def site(name: str, **values: Any) -> SiteCandidate:
    return SiteCandidate(f"{name}.example", f"https://{name}.example/", **values)


def fill(waiting: SiteCandidates, *, high: bool = True, **ranks: float) -> None:
    for name, rank in ranks.items():
        waiting.put(site(name), rank, high=high)


def names(found: Iterable[tuple[SiteCandidate, float]]) -> list[str]:
    return [candidate.key.removesuffix(".example") for candidate, _ in found]


def high(waiting: SiteCandidates) -> list[str]:
    """Return who waits in the high queue, the best first."""
    return names(waiting.best(100))


def low(waiting: SiteCandidates, among: str = "abcdefgh") -> list[str]:
    """Return who waits in the low queue, as they are called."""
    return [name for name in among if waiting.get(f"{name}.example") and name not in high(waiting)]


# A candidate


def test_site_is_known_by_its_domain_and_visited_at_its_homepage() -> None:
    found = candidate_site("https://www.rare-books.co.uk/shelf/7?page=2", via="https://a.example/links")

    assert (found.key, found.url, found.kind) == (
        "rare-books.co.uk",
        "https://www.rare-books.co.uk/",
        "site",
    )
    assert found.bags[URL] == {"rare": 1, "book": 1}
    assert (found.seed, found.via) == (False, "https://a.example/links")


def test_seed_is_visited_where_it_was_named() -> None:
    found = candidate_site("https://www.rare-books.co.uk/shelf/7?page=2", seed=True)

    assert (found.key, found.url) == ("rare-books.co.uk", "https://www.rare-books.co.uk/shelf/7?page=2")
    assert found.seed


def test_each_link_to_a_candidate_adds_what_it_says() -> None:
    found = site("a")

    found.add_link("Rare books", "a shop with rare books", "en")
    found.add_link("books", "", "en")

    assert found.links == 2
    assert found.bags[ANCHOR] == {"rare": 1, "book": 2}
    assert found.bags[AROUND] == {"shop": 1, "rare": 1, "book": 1}


def test_terms_of_a_candidate_are_bounded() -> None:
    found = site("a")
    found.add_link("books", "", "en")

    found.add_link(" ".join(f"word{n}" for n in range(200)), "", "en")
    found.add_link("books", "", "en")

    assert len(found.bags[ANCHOR]) == MAX_TERMS
    assert found.bags[ANCHOR]["book"] == 2  # known terms still count


def test_candidates_do_not_share_their_bags() -> None:
    one, other = site("a"), site("b")

    one.add_link("books", "", "en")

    assert other.bags == {URL: {}, ANCHOR: {}, AROUND: {}}


# Waiting


def test_nothing_waits_at_first(waiting: SiteCandidates) -> None:
    assert waiting.count() == 0
    assert waiting.best(10) == []
    assert waiting.list_after((1.0, "a.example"), 10) == []
    assert waiting.get("a.example") is None
    assert not waiting.raise_low()


def test_candidate_is_loaded_with_all_that_is_known_of_it(waiting: SiteCandidates) -> None:
    candidate = candidate_site("https://bücher.example/", via="https://a.example/Übersicht?x=1&y='2'")
    candidate.add_link("Bücher & 漢字", "„alte“ Bücher", "de")
    candidate.centre, candidate.seed, candidate.order = True, True, 7
    candidate.deep_links, candidate.source, candidate.names, candidate.place = 3, 2, 4, 5

    waiting.put(candidate, 0.125, high=True)

    assert waiting.get(candidate.key) == candidate
    assert waiting.best(1) == [(candidate, 0.125)]


def test_those_that_rest_are_in_no_queue(waiting: SiteCandidates) -> None:
    fill(waiting, a=0.5)
    fill(waiting, b=0.25, high=False)

    assert waiting.best_rested() is None
    assert [waiting.put(site(name, rested=-rank), -rank, high=True) for rank, name in enumerate("cd", 1)] == [
        False,
        False,
    ]

    assert waiting.count() == 4
    assert waiting.get("c.example") == site("c", rested=-1)
    assert waiting.best(10) == [(site("a"), 0.5)]
    assert waiting.best_rested() == (site("c", rested=-1), -1)
    waiting.remove("a.example")
    waiting.remove("c.example")
    assert waiting.raise_low()
    assert waiting.best(10) == [(site("b"), 0.25)]
    assert waiting.best_rested() == (site("d", rested=-2), -2)


def test_one_that_rests_again_is_worth_what_it_was_worth_last(waiting: SiteCandidates) -> None:
    for value in (-1.0, -3.0):
        waiting.put(site("a", rested=value), value, high=True)
    waiting.put(site("b", rested=-2.0), -2.0, high=True)

    assert waiting.best_rested() == (site("b", rested=-2.0), -2.0)
    waiting.remove("b.example")
    assert waiting.best_rested() == (site("a", rested=-3.0), -3.0)
    waiting.remove("a.example")
    assert waiting.best_rested() is None


def test_page_waits_under_its_address(waiting: SiteCandidates) -> None:
    page = SiteCandidate("https://a.example/links", "https://a.example/links", kind="centre", place=3)

    waiting.put(page, 1.0, high=True)

    assert waiting.get("https://a.example/links") == page
    assert waiting.get("a.example") is None


def test_highest_rank_comes_first(waiting: SiteCandidates) -> None:
    fill(waiting, a=0.5, b=-3.0, c=1000.2, d=0.25, e=0.0)

    assert high(waiting) == ["c", "a", "d", "e", "b"]


def test_of_equals_the_first_by_name_comes_first(waiting: SiteCandidates) -> None:
    fill(waiting, c=0.5, a=0.5, d=0.7, b=0.5)

    assert high(waiting) == ["d", "a", "b", "c"]


@pytest.mark.parametrize("limit", [0, 1, 2, 5, 9])
def test_no_more_are_returned_than_requested(waiting: SiteCandidates, limit: int) -> None:
    fill(waiting, a=0.5, b=-3.0, c=1000.2, d=0.25, e=0.0)

    assert names(waiting.best(limit)) == ["c", "a", "d", "e", "b"][:limit]


def test_queues_are_separate(waiting: SiteCandidates) -> None:
    fill(waiting, a=0.1, b=0.2)
    fill(waiting, c=0.9, d=0.8, high=False)

    assert (high(waiting), low(waiting)) == (["b", "a"], ["c", "d"])
    assert names(waiting.list_after((0.15, ""), 10)) == ["a"]
    assert waiting.count() == 4


def test_best_stays_until_it_is_removed(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0)

    assert (high(waiting), high(waiting)) == (["a"], ["a"])
    waiting.remove("a.example")
    waiting.remove("a.example")

    assert high(waiting) == []
    assert waiting.count() == 0


def test_candidate_of_the_low_queue_can_be_removed(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0, b=0.5, high=False)

    waiting.remove("a.example")

    assert low(waiting) == ["b"]
    assert waiting.count() == 1


@pytest.mark.parametrize("rank", [0.1, 0.7, 3.0], ids=["lower", "between", "higher"])
@pytest.mark.parametrize("queue", [True, False], ids=["high", "low"])
def test_rank_that_changed_is_the_one_that_counts(waiting: SiteCandidates, rank: float, queue: bool) -> None:
    fill(waiting, a=1.0, b=0.5)

    assert waiting.put(site("a"), rank, high=queue)

    assert waiting.count() == 2
    assert waiting.best(1) == [(site("b"), 0.5) if rank < 0.5 else (site("a"), rank)]


def test_change_to_a_candidate_counts_when_it_is_put(waiting: SiteCandidates) -> None:
    waiting.put(site("a"), 1.0, high=True)

    waiting.put(replace(site("a"), deep_links=2), 1.5, high=True)

    found = waiting.get("a.example")
    assert found is not None
    assert found.deep_links == 2


@pytest.mark.parametrize(
    ("first", "then", "is_high"),
    [(None, True, True), (None, False, False), (True, True, True), (True, False, True), (False, True, True),
     (False, False, False)],
)  # fmt: skip
def test_putting_a_candidate_returns_whether_it_waits_in_the_high_queue(
    waiting: SiteCandidates, first: bool | None, then: bool, is_high: bool
) -> None:
    if first is not None:
        waiting.put(site("a"), 0.5, high=first)

    assert waiting.put(site("a"), 0.7, high=then) == is_high

    assert (high(waiting), low(waiting)) == ((["a"], []) if is_high else ([], ["a"]))
    assert waiting.count() == 1


def test_candidate_of_the_low_queue_that_is_put_high_leaves_it(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0, b=0.5, high=False)

    waiting.put(site("a"), 1.0, high=True)

    assert (high(waiting), low(waiting)) == (["a"], ["b"])
    assert waiting.count() == 2


def test_candidate_that_was_removed_can_wait_again(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0)
    waiting.remove("a.example")

    fill(waiting, a=1.0, high=False)

    assert (high(waiting), low(waiting)) == ([], ["a"])


# Ranks that change


def test_ranks_change_and_nothing_else_does(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0, b=0.5, c=0.2)
    fill(waiting, d=0.1, e=0.9, high=False)

    waiting.rank([("a.example", 0.3), ("c.example", 7.0), ("d.example", 2.0)])

    assert waiting.best(10) == [(site("c"), 7.0), (site("b"), 0.5), (site("a"), 0.3)]
    assert low(waiting) == ["d", "e"]
    assert waiting.count() == 5
    waiting.rank([])
    for name in "abc":
        waiting.remove(f"{name}.example")
    assert waiting.raise_low()
    assert waiting.best(10) == [(site("d"), 2.0), (site("e"), 0.9)]


def test_rank_that_changed_back_is_the_one_that_counts(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0, b=0.5)
    waiting.rank([("a.example", 0.1)])
    assert high(waiting) == ["b", "a"]

    waiting.rank([("a.example", 1.0)])

    assert high(waiting) == ["a", "b"]


# One part after the other


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_all_are_listed_once_when_each_part_begins_where_the_last_one_ended(
    waiting: SiteCandidates, step: int
) -> None:
    fill(waiting, a=0.5, b=0.5, c=0.5, d=-1.0, e=0.5, f=2.0, g=-1.0)
    fill(waiting, h=0.5, high=False)

    listed, place = [], (inf, "")
    while found := waiting.list_after(place, step):
        listed += names(found)
        place = (found[-1][1], found[-1][0].key)

    assert listed == ["f", "a", "b", "c", "e", "d", "g"]


def test_place_need_not_be_that_of_a_candidate_any_more(waiting: SiteCandidates) -> None:
    fill(waiting, a=0.5, b=0.5, c=0.5, d=0.1)
    waiting.remove("b.example")

    assert names(waiting.list_after((0.5, "b.example"), 5)) == ["c", "d"]
    assert names(waiting.list_after((0.3, "x.example"), 5)) == ["d"]
    assert names(waiting.list_after((0.6, "x.example"), 5)) == ["a", "c", "d"]
    assert names(waiting.list_after((-1.0, ""), 5)) == []


# The low queue moves up


def test_all_of_the_low_queue_moves_into_the_high_one(waiting: SiteCandidates) -> None:
    fill(waiting, a=0.3, b=0.9, c=0.5, high=False)

    assert waiting.raise_low()

    assert (high(waiting), low(waiting)) == (["b", "c", "a"], [])
    assert waiting.put(site("a"), 0.3, high=False)


def test_queues_can_change_places_again_and_again(waiting: SiteCandidates) -> None:
    for turn in range(1, 5):
        fill(waiting, a=turn, b=turn + 1, high=False)
        assert waiting.raise_low()
        fill(waiting, c=turn + 2.5)
        fill(waiting, d=turn, high=False)

        assert (high(waiting), low(waiting)) == (["c", "b", "a"], ["d"])
        for name in "abcd":
            waiting.remove(f"{name}.example")


def test_nothing_is_raised_when_the_low_queue_is_empty(waiting: SiteCandidates) -> None:
    fill(waiting, a=1.0, high=False)
    waiting.remove("a.example")

    assert [waiting.raise_low() for _ in range(3)] == [False, False, False]
    fill(waiting, b=1.0)
    assert high(waiting) == ["b"]


# Against a model

KEYS = st.sampled_from("abcdef")
RANK = st.integers(-3, 3).map(float)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, RANK, st.booleans()),
        st.tuples(st.just("put"), KEYS, RANK, st.booleans()),
        st.tuples(st.just("rank"), st.dictionaries(KEYS, RANK)),
        st.tuples(st.just("remove"), KEYS),
    ),
    max_size=40,
)


@given(STEPS)
@settings(max_examples=50)
def test_candidates_wait_as_in_two_sorted_lists(
    make: Callable[[], SiteCandidates], steps: list[tuple[Any, ...]]
) -> None:
    waiting = make()
    queues: dict[bool, dict[str, float]] = {True: {}, False: {}}  # by whether it is high: ranks

    for step in steps:
        match step:
            case ("put", name, rank, is_high):
                is_high = is_high or name in queues[True]
                queues[False].pop(name, None)
                queues[is_high][name] = rank
                assert waiting.put(site(name), rank, high=step[3]) == is_high
            case ("rank", changed):
                waiting_ranks = {
                    name: rank for name, rank in changed.items() if waiting.get(f"{name}.example")
                }
                waiting.rank([(f"{name}.example", rank) for name, rank in waiting_ranks.items()])
                for name, rank in waiting_ranks.items():
                    queues[name in queues[True]][name] = rank
            case (_, name):
                waiting.remove(f"{name}.example")
                for queue in queues.values():
                    queue.pop(name, None)
        if not queues[True]:
            assert waiting.raise_low() == bool(queues[False])
            queues = {True: queues[False], False: {}}
        ordered = sorted(queues[True].items(), key=lambda each: (-each[1], each[0]))
        assert [(found.key[0], rank) for found, rank in waiting.best(10)] == ordered
        for place in range(len(ordered)):
            after = (ordered[place][1], f"{ordered[place][0]}.example")
            assert names(waiting.list_after(after, 2)) == [name for name, _ in ordered[place + 1 : place + 3]]
        assert waiting.count() == len(queues[True]) + len(queues[False])
        assert low(waiting) == sorted(queues[False])
