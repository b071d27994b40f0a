from __future__ import annotations

from math import log, sqrt

import pytest

from hiddenweb.focused.exploring.link_candidate import ANCHOR, AROUND, PATH, LinkCandidate
from hiddenweb.focused.exploring.link_ranker import LinkLearner, LinkScore

SEARCH = LinkCandidate(
    "https://a.example/books/advanced-search", 1, "Advanced search", "look for rare books", language="en"
)


def learner(*leads: LinkCandidate) -> LinkLearner:
    made = LinkLearner()
    for lead in leads:
        made.learn(lead)
    made.rebuild()
    return made


def test_lead_says_something_by_its_path_its_anchor_and_the_text_around() -> None:
    assert SEARCH.terms(PATH) == ("book", "advanc", "search")
    assert SEARCH.terms(ANCHOR) == ("advanc", "search")
    assert SEARCH.terms(AROUND) == ("rare", "book")
    assert SEARCH.bags()[PATH] == {"book": 1, "advanc": 1, "search": 1}


def test_link_is_ranked_by_its_similarity_to_those_that_led_to_forms() -> None:
    taught = learner(
        SEARCH, LinkCandidate("https://b.example/search", 1, "Search", "films", language="en")
    )  # path: search twice, book and advanc once; anchor: search twice, advanc once

    score = taught.score(
        LinkCandidate("https://c.example/search", 2, "search books", "rare films", language="en")
    )

    twice = 1 + log(2)
    assert score.path == pytest.approx(twice / sqrt(twice**2 + 2))
    assert score.anchor == pytest.approx(twice / (sqrt(twice**2 + 1) * sqrt(2)))
    assert score.around == pytest.approx(2 / (sqrt(3) * sqrt(2)))
    assert score.total == pytest.approx(0.767495 + 0.608844 + 0.816497, abs=1e-5)


def test_rank_is_the_sum_of_three_similarities() -> None:
    assert LinkScore(path=0.5, anchor=0.25, around=1.0).total == 1.75
    assert learner(SEARCH).score(SEARCH).total == pytest.approx(3.0)


def test_nothing_is_ranked_before_anything_was_learnt() -> None:
    assert LinkLearner().score(SEARCH).total == 0


def test_ranks_do_not_move_with_every_page() -> None:
    made = LinkLearner()

    made.learn(SEARCH)
    before = made.score(SEARCH).total
    made.rebuild()

    assert before == 0
    assert made.score(SEARCH).total == pytest.approx(3.0)


def test_link_without_known_terms_has_no_rank() -> None:
    assert learner(SEARCH).score(LinkCandidate("https://a.example/imprint", 1, "Imprint")).total == 0


def test_each_context_is_compared_with_the_same_context_only() -> None:
    score = learner(SEARCH).score(LinkCandidate("https://a.example/rare", 1, "rare", "", language="en"))

    assert score == LinkScore(0.0, 0.0, 0.0)  # rare was found around a link, not in it


def test_only_the_most_frequent_terms_count() -> None:
    made = LinkLearner(top=1)
    for _ in range(2):
        made.learn(LinkCandidate("https://a.example/", 1, "search", language="en"))
    made.learn(LinkCandidate("https://a.example/", 1, "catalogue", language="en"))
    made.rebuild()

    assert made.score(LinkCandidate("https://a.example/", 1, "catalogue", language="en")).anchor == 0
    assert made.score(LinkCandidate("https://a.example/", 1, "search", language="en")).anchor == 1
