"""What is read of a state to explain it: sites, links, and what was learnt about topics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from topic_states import NOW, A, read_one_site

from hiddenweb.focused.locating.candidates import candidate_site
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.model import FetchFailure, TaskSeed
from hiddenweb.reports.known_sites import (
    LinkingSite,
    TopicFit,
    begin_snapshot,
    find_link,
    find_linking_sites,
    find_sightings,
    find_site,
    has_run_under_way,
    load_topic_fits,
    load_visited_links,
)
from hiddenweb.reports.topics import (
    list_sites_with_forms,
)
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        yield store


def test_an_opened_site_is_known_with_its_results(store: Store) -> None:
    read_one_site(store)

    [found] = find_sightings(store, "a.example")

    assert (found.topic, found.waiting) == ("books", None)
    assert found.visited is not None
    assert (found.visited.kind, found.visited.seed, found.visited.forms, found.visited.ended) == (
        2, True, 1, None,
    )  # fmt: skip
    assert found.visited.progress == [[0, 1, 1, 0]]
    assert found.visited.verdict["why"] == [["book", 2.0], ["hotel", -1.0]]
    assert load_topic_fits(store, "books", 1) == {1: TopicFit(0.3, True)}
    assert list_sites_with_forms(store, "books") == [A]


def test_a_candidate_is_found_with_its_place_in_the_queue_and_linking_sites(store: Store) -> None:
    read_one_site(store)

    [found] = find_sightings(store, "b.example")

    assert found.visited is None
    assert found.waiting is not None
    assert (found.waiting.queue, found.waiting.place, found.waiting.of, found.waiting.before) == (
        "high",
        1,
        1,
        0,
    )
    assert found.candidate.via == A
    assert find_linking_sites(store, "b.example", "books", 5) == (1, [LinkingSite("a.example", A, 2)])


def test_candidates_of_the_low_queue_come_after_all_of_the_high_one(store: Store) -> None:
    queues = SqliteCandidates(store, "books")
    for number, rank in enumerate((0.1, 0.5, 0.9)):
        queues.put(candidate_site(f"https://high{number}.example/"), rank, high=True)
        queues.put(candidate_site(f"https://low{number}.example/"), rank, high=False)

    places = {
        name: find_sightings(store, f"{name}.example")[0].waiting
        for name in ("high0", "high2", "low0", "low2")
    }

    assert {name: (place.queue, place.place, place.before) for name, place in places.items() if place} == {
        "high0": ("high", 3, 2), "high2": ("high", 1, 0), "low0": ("low", 3, 5), "low2": ("low", 1, 3),
    }  # fmt: skip
    assert [place.rank for place in places.values() if place] == [0.1, 0.9, 0.1, 0.9]


def test_the_rank_of_a_candidate_is_the_last_one_written(store: Store) -> None:
    stages = read_one_site(store).stages
    [before] = find_sightings(store, "b.example")
    assert not isinstance(stages, SmartCrawler)
    stages.site_probit.learn(("a:book",), True)
    stages.frontier.mark_outdated()
    ranked = stages.frontier.best()
    [unwritten] = find_sightings(store, "b.example")

    store.commit()
    [written] = find_sightings(store, "b.example")

    assert ranked is not None
    assert before.waiting is not None
    assert unwritten.waiting == before.waiting
    assert written.waiting == replace(before.waiting, rank=ranked[1] - stages.site_probit.weight(""))
    assert written.waiting.rank > before.waiting.rank


def test_a_link_is_found_by_its_address_in_any_spelling(store: Store) -> None:
    read_one_site(store)

    found = find_link(store, f"{A}find/7?utm_source=x#there")

    assert found is not None
    assert (found.url, found.domain, found.state, found.depth, found.parent) == (
        f"{A}find/7", "a.example", "pending", 1, A,
    )  # fmt: skip
    assert (found.anchor, found.around, found.page, found.shape) == ("Find books", "our shop", None, "")
    assert find_link(store, f"{A}elsewhere") is None


def test_a_link_says_what_was_read_and_whether_its_shape_is_followed(store: Store) -> None:
    read_one_site(store)
    store.sites.close_shape(1, f"{A}find/0")

    home, other = find_link(store, A), find_link(store, f"{A}find/7")

    assert home is not None
    assert home.page is not None
    assert (home.state, home.page.title, home.page.first_seen) == ("done", "Books", NOW)
    assert other is not None
    assert other.shape == f"{A}find/0"


def test_the_links_of_a_site_count_by_state_and_pauses_that_are_over_do_not(store: Store) -> None:
    read_one_site(store)
    host = store.sites.find_host(A)
    assert host is not None
    store.sites.pause_host(host, NOW + 60, "status 503")
    [task], _ = store.frontier.lease(host, 1, NOW)
    store.frontier.fail(FetchFailure(task, "status 500", NOW))

    found = find_site(store, "a.example", NOW)

    assert found is not None
    assert found.links == {"pending": 0, "leased": 0, "done": 1, "missed": 1, "refused": 0}
    assert [pause.why for pause in found.pauses] == ["status 503"]
    later = find_site(store, "a.example", NOW + 61)
    assert later is not None
    assert later.pauses == []
    assert find_site(store, "b.example", NOW) is None


def test_visited_links_say_whether_they_led_to_a_form_on_the_topic(store: Store) -> None:
    read_one_site(store)

    [(lead, gave)] = load_visited_links(store, find_sightings(store, "a.example")[0])

    assert (lead.url, lead.depth, lead.language, gave) == (A, 0, "en", True)


def test_a_reader_sees_one_moment_of_a_running_crawl(store: Store) -> None:
    read_one_site(store)
    with Store(store.folder, write=False) as reader:
        begin_snapshot(reader)
        before = find_site(reader, "a.example", NOW)
        store.frontier.add([TaskSeed(f"{A}new")])
        store.commit()

        assert has_run_under_way(reader)
        assert find_site(reader, "a.example", NOW) == before
        assert find_link(reader, f"{A}new") is None
