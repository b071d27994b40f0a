"""Candidates in memory and in SQLite: one protocol, one suite."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hiddenweb.locating.candidates import (
    ANCHOR,
    AROUND,
    MOST_TERMS,
    URL,
    Candidate,
    Candidates,
    MemoryCandidates,
    candidate_site,
)
from hiddenweb.storage.sqlite import State
from hiddenweb.storage.stages import SqliteCandidates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TOPICS = count()


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Candidates]]:
    """What makes candidates that nobody has put anything into."""
    if request.param == "memory":
        yield MemoryCandidates
        return
    with State(tmp_path) as state:
        yield lambda: SqliteCandidates(state, f"topic {next(TOPICS)}")


@pytest.fixture
def waiting(make: Callable[[], Candidates]) -> Candidates:
    return make()


def site(name: str, **known: Any) -> Candidate:
    return Candidate(f"{name}.example", f"https://{name}.example/", **known)


def fill(waiting: Candidates, *, high: bool = True, version: int = 1, **ranks: float) -> None:
    for name, rank in ranks.items():
        waiting.put(site(name), rank, version, high=high)


def best(waiting: Candidates, *, high: bool = True) -> str | None:
    found = waiting.best(high=high)
    return found[0].key.removesuffix(".example") if found else None


def taken(waiting: Candidates, *, high: bool = True) -> list[str]:
    """Take out the best of a queue until it is empty."""
    names = []
    while found := waiting.best(high=high):
        waiting.remove(found[0].key)
        names.append(found[0].key.removesuffix(".example"))
    return names


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

    found.meet("Rare books", "a shop with rare books", "en")
    found.meet("books", "", "en")

    assert found.links == 2
    assert found.bags[ANCHOR] == {"rare": 1, "book": 2}
    assert found.bags[AROUND] == {"shop": 1, "rare": 1, "book": 1}


def test_what_is_kept_of_a_candidate_is_bounded() -> None:
    found = site("a")
    found.meet("books", "", "en")

    found.meet(" ".join(f"word{n}" for n in range(200)), "", "en")
    found.meet("books", "", "en")

    assert len(found.bags[ANCHOR]) == MOST_TERMS
    assert found.bags[ANCHOR]["book"] == 2  # what is known goes on counting


def test_candidates_do_not_share_their_bags() -> None:
    one, other = site("a"), site("b")

    one.meet("books", "", "en")

    assert other.bags == {URL: {}, ANCHOR: {}, AROUND: {}}


# Waiting


def test_nothing_waits_at_first(waiting: Candidates) -> None:
    assert waiting.count() == 0
    assert waiting.best(high=True) is None
    assert waiting.best(high=False) is None
    assert waiting.get("a.example") is None
    assert waiting.stale(1, 10) == []
    assert not waiting.raise_low()


def test_candidate_comes_back_with_all_that_is_known_of_it(waiting: Candidates) -> None:
    known = candidate_site("https://bücher.example/", via="https://a.example/Übersicht?x=1&y='2'")
    known.meet("Bücher & 漢字", "„alte“ Bücher", "de")
    known.centre, known.seed, known.rested, known.order = True, True, -2.5, 7
    known.deep_links, known.source = 3, 2

    waiting.put(known, 0.125, 4, high=True)

    assert waiting.get(known.key) == known
    assert waiting.best(high=True) == (known, 0.125, 4)


def test_page_waits_under_its_address(waiting: Candidates) -> None:
    page = Candidate("https://a.example/links", "https://a.example/links", kind="centre")

    waiting.put(page, 1.0, 1, high=True)

    assert waiting.get("https://a.example/links") == page
    assert waiting.get("a.example") is None


def test_highest_rank_comes_first(waiting: Candidates) -> None:
    fill(waiting, a=0.5, b=-3.0, c=1000.2, d=0.25, e=0.0)

    assert taken(waiting) == ["c", "a", "d", "e", "b"]
    assert waiting.count() == 0


def test_queues_are_apart(waiting: Candidates) -> None:
    fill(waiting, a=0.1, b=0.2)
    fill(waiting, c=0.9, d=0.8, high=False)

    assert (best(waiting), best(waiting, high=False)) == ("b", "c")
    assert [waiting.is_high(f"{name}.example") for name in "abcd"] == [True, True, False, False]
    assert waiting.count() == 4


def test_best_stays_until_it_is_removed(waiting: Candidates) -> None:
    fill(waiting, a=1.0)

    assert (best(waiting), best(waiting)) == ("a", "a")
    waiting.remove("a.example")
    waiting.remove("a.example")

    assert best(waiting) is None
    assert waiting.count() == 0


@pytest.mark.parametrize("rank", [0.1, 0.7, 3.0], ids=["lower", "between", "higher"])
def test_rank_that_changed_is_the_one_that_counts(waiting: Candidates, rank: float) -> None:
    fill(waiting, a=1.0, b=0.5)

    waiting.put(site("a"), rank, 2, high=True)

    assert waiting.count() == 2
    assert waiting.best(high=True) == ((site("b"), 0.5, 1) if rank < 0.5 else (site("a"), rank, 2))


def test_rank_that_changed_back_is_the_one_that_counts(waiting: Candidates) -> None:
    fill(waiting, a=1.0, b=0.5)
    waiting.put(site("a"), 0.1, 2, high=True)
    assert best(waiting) == "b"

    waiting.put(site("a"), 1.0, 3, high=True)

    assert taken(waiting) == ["a", "b"]


def test_candidate_moves_from_one_queue_to_the_other(waiting: Candidates) -> None:
    fill(waiting, a=1.0, b=0.5, high=False)

    waiting.put(site("a"), 1.0, 1, high=True)

    assert (best(waiting), best(waiting, high=False)) == ("a", "b")
    assert waiting.is_high("a.example")
    assert waiting.count() == 2


def test_candidate_that_was_removed_can_wait_again(waiting: Candidates) -> None:
    fill(waiting, a=1.0)
    waiting.remove("a.example")

    fill(waiting, a=1.0, high=False)

    assert best(waiting) is None
    assert best(waiting, high=False) == "a"


# The low queue moves up


def test_all_of_the_low_queue_moves_into_the_high_one(waiting: Candidates) -> None:
    fill(waiting, a=0.3, b=0.9, c=0.5, high=False)

    assert waiting.raise_low()

    assert best(waiting, high=False) is None
    assert waiting.is_high("a.example")
    assert taken(waiting) == ["b", "c", "a"]


def test_queues_can_change_places_again_and_again(waiting: Candidates) -> None:
    for turn in range(1, 5):
        fill(waiting, a=turn, high=False)
        fill(waiting, b=turn + 1, high=False)
        assert waiting.raise_low()
        fill(waiting, c=turn + 2.5)
        fill(waiting, d=turn, high=False)

        assert taken(waiting) == ["c", "b", "a"]
        assert taken(waiting, high=False) == ["d"]


def test_nothing_is_raised_when_the_low_queue_is_empty(waiting: Candidates) -> None:
    fill(waiting, a=1.0, high=False)
    waiting.remove("a.example")

    raised = [waiting.raise_low() and best(waiting) is not None for _ in range(3)]

    assert raised == [False, False, False]
    fill(waiting, b=1.0)
    assert best(waiting) == "b"


# Versions


def test_candidates_ranked_by_an_earlier_version_are_found_best_first(waiting: Candidates) -> None:
    fill(waiting, a=0.2, b=0.8, version=1)
    fill(waiting, c=0.5, version=1, high=False)
    fill(waiting, d=0.9, version=2)

    assert [each.key for each in waiting.stale(2, 2)] == ["b.example", "c.example"]


def test_candidates_that_were_ranked_again_are_stale_no_more(waiting: Candidates) -> None:
    fill(waiting, a=0.2, b=0.8, c=0.5)

    found = []
    while stale := waiting.stale(2, 2):
        for each in stale:
            found.append(each.key)
            waiting.put(each, 0.1, 2, high=True)

    assert found == ["b.example", "c.example", "a.example"]
    assert len(waiting.stale(3, 10)) == 3


def test_candidate_that_was_ranked_for_another_reason_is_stale_no_more(waiting: Candidates) -> None:
    fill(waiting, a=0.2, b=0.8, c=0.5)
    (first,) = waiting.stale(2, 1)
    waiting.put(first, 0.8, 2, high=True)

    fill(waiting, c=0.5, version=2)

    assert [each.key for each in waiting.stale(2, 5)] == ["a.example"]


def test_candidates_that_were_removed_are_not_stale(waiting: Candidates) -> None:
    fill(waiting, a=0.2, b=0.8)
    waiting.remove("b.example")

    assert [each.key for each in waiting.stale(2, 5)] == ["a.example"]


# Against a model

KEYS = st.sampled_from("abcdef")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, st.booleans()),
        st.tuples(st.just("remove"), KEYS, st.just(True)),
        st.tuples(st.just("take"), st.just(""), st.booleans()),
    ),
    max_size=40,
)


@given(STEPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_candidates_wait_as_in_two_sorted_lists(
    make: Callable[[], Candidates], steps: list[tuple[str, str, bool]]
) -> None:
    waiting = make()
    model: dict[str, tuple[float, bool]] = {}  # by name: rank, and whether it waits in the high queue

    def first(*, high: bool) -> str | None:
        return max((name for name in model if model[name][1] == high), key=model.__getitem__, default=None)

    for number, (what, name, high) in enumerate(steps):
        if what == "put":
            model[name] = (number * 7 % 41 / 10, high)
            waiting.put(site(name), model[name][0], 1, high=high)
        elif what == "remove":
            model.pop(name, None)
            waiting.remove(f"{name}.example")
        elif (found := first(high=high)) is not None:
            assert best(waiting, high=high) == found
            del model[found]
            waiting.remove(f"{found}.example")
        if first(high=True) is None and first(high=False) is not None:
            assert waiting.best(high=True) is None
            assert waiting.raise_low()
            model = {each: (rank, True) for each, (rank, _) in model.items()}
        assert waiting.count() == len(model)
        assert (best(waiting), best(waiting, high=False)) == (first(high=True), first(high=False))
        assert all(waiting.is_high(f"{each}.example") == model[each][1] for each in model)


def test_change_to_a_candidate_counts_when_it_is_put(waiting: Candidates) -> None:
    waiting.put(site("a"), 1.0, 1, high=True)

    waiting.put(replace(site("a"), deep_links=2), 1.5, 1, high=True)

    found = waiting.get("a.example")
    assert found is not None
    assert found.deep_links == 2
