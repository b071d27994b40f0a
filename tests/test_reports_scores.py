"""What sites and links score, part by part and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from topic_states import B, read_one_site

from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.learning.probit import log_odds_of, normal
from hiddenweb.reports.known_sites import find_sightings, load_visited_links
from hiddenweb.reports.scores import (
    LEAST,
    learners,
    link_feature_in_words,
    rank_of_link,
    rank_of_site,
    site_feature_in_words,
    value_of_link,
    value_of_site,
)
from hiddenweb.store.database import Store
from hiddenweb.store.topic_knowledge import load_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.focused.adaptive import AdaptiveCrawler
    from hiddenweb.focused.locating.candidates import SiteCandidate

LINK = LinkCandidate("https://a.example/find/7", 1, "Find rare books", "our shop", "html/body/ul/li", "en")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        read_one_site(store)
        yield store


def learn(store: Store, site: str) -> tuple[AdaptiveCrawler, SiteCandidate]:
    """Return stages that have learnt what the state has, and a site of it."""
    [sighting] = find_sightings(store, site)
    visited = load_visited_links(store, sighting) if sighting.visited else ()
    stages = learners(["book"], FocusedLimits(), load_terms(store, "books"), sighting, visited)
    return stages, sighting.candidate


def test_the_value_of_a_site_is_the_sum_of_its_reasons(store: Store) -> None:
    stages, candidate = learn(store, "b.example")

    value = value_of_site(stages, candidate)

    total = value.start + sum(reason.adds for reason in value.reasons)
    assert value.log_odds == pytest.approx(log_odds_of(normal(total)), abs=LEAST * 20)
    assert value.probability == pytest.approx(normal(total), abs=LEAST * 20)
    assert [abs(reason.adds) for reason in value.reasons] == sorted(
        (abs(reason.adds) for reason in value.reasons), reverse=True
    )


def test_the_rank_of_a_site_is_made_of_its_similarities_and_of_the_sites_that_link_to_it(
    store: Store,
) -> None:
    stages, candidate = learn(store, "b.example")

    rank = rank_of_site(stages, candidate)

    assert set(rank.similarity) == {"url", "anchor", "around"}
    assert rank.alpha is not None
    assert rank.deep_links == 1
    assert candidate.url == B


def test_the_rank_of_a_link_has_no_part_for_sites(store: Store) -> None:
    stages, _ = learn(store, "a.example")

    rank = rank_of_link(stages, LINK)

    assert (rank.alpha, rank.deep_links) == (None, None)
    assert set(rank.similarity) == {"path", "anchor", "around"}


def test_the_value_of_a_link_needs_its_site_to_be_open(store: Store) -> None:
    stages, candidate = learn(store, "a.example")

    value = value_of_link(stages, candidate.key, LINK)

    assert 0 < value.probability < 1
    with pytest.raises(KeyError):
        value_of_link(stages, "b.example", LINK)


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        ("a:book", "the word 'book' in the anchors of links to it"),
        ("tu:3", "3 or more words of the topic in its name"),
        ("tu:1", "1 word of the topic in its name"),
        ("links:0", "no link to it"),
        ("deep:1", "1 site with forms on the topic links to it"),
        ("deep:3", "3 or more sites with forms on the topic link to it"),
        ("from:2", "the best site that links to it has forms on the topic"),
        ("centre", "a page that names several good sites names it"),
        ("unheard:of", "unheard:of"),
    ],
)
def test_features_of_sites_are_said_in_words(feature: str, words: str) -> None:
    assert site_feature_in_words(feature, "rare-books.example") == words


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        ("a:book", "the word 'books' in its anchor"),
        ("p:find", "the word 'find' in its path"),
        ("at:", "its place in the page is not known"),
        ("depth:2", "its depth, 2"),
        ("tried:1", "1 link like it was tried"),
        ("tried:3", "3 or more links like it were tried"),
        ("gave:0/2", "of 2 links like it, none gave a form on the topic"),
        ("on:1", "the homepage of its site is on topic"),
        ("forms:0", "its site has given no form on the topic"),
        ("since:1/2", "2 pages of its site since the last form on the topic"),
        ("since:0/2", "2 pages of its site and none had a form on the topic"),
        ("unheard:of", "unheard:of"),
    ],
)
def test_features_of_links_are_said_in_words(feature: str, words: str) -> None:
    assert link_feature_in_words(feature, LINK) == words
