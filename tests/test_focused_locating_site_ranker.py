from __future__ import annotations

from math import log, sqrt

import pytest

from hiddenweb.focused.locating.candidates import SiteCandidate, candidate_site
from hiddenweb.focused.locating.site_ranker import ALPHA, SiteLearner, SiteScore, cut_tokens


def site(url: str, anchor: str = "", around: str = "", **values: int) -> SiteCandidate:
    found = candidate_site(url)
    if anchor or around:
        found.add_link(anchor, around, "en")
    for name, value in values.items():
        setattr(found, name, value)
    return found


def learner(*sites: SiteCandidate, alpha: float = ALPHA) -> SiteLearner:
    made = SiteLearner(alpha=alpha)
    for each in sites:
        made.learn(each)
    made.rebuild()
    return made


@pytest.mark.parametrize(
    ("similarity", "deep_links", "rank"),
    [
        (0.0, 0, 0.0),  # ln(1 + 0) = 0
        (1.0, 0, 0.7),
        (0.0, 1, 0.20794415),  # 0.3 * ln 2
        (0.0, 9, 0.69077553),  # 0.3 * ln 10
        (1.5, 3, 1.46588831),  # 1.05 + 0.3 * ln 4
        (3.0, 99, 3.48155106),  # 2.1 + 0.3 * ln 100
    ],
)
def test_rank_weighs_similarity_and_frequency(similarity: float, deep_links: int, rank: float) -> None:
    score = SiteScore(similarity / 3, similarity / 3, similarity / 3, deep_links)

    assert score.similarity == pytest.approx(similarity)
    assert score.total == pytest.approx(rank)


def test_similarity_of_a_site_is_that_of_its_address_its_anchors_and_the_texts_around() -> None:
    taught = learner(
        site("https://book-shop.example/", "rare books", "search our catalogue"),
        site("https://book-fair.example/", "books", "catalogue"),
    )

    score = taught.score(site("https://the-book.example/", "old books", "catalogue of stamps", deep_links=2))

    twice = 1 + log(2)  # book, in each context; the others were found once
    assert score.url == pytest.approx(twice / (sqrt(twice**2 + 2) * sqrt(2)))
    assert score.anchor == pytest.approx(twice / sqrt(twice**2 + 1))  # old is a stop word
    assert score.around == pytest.approx(twice / (sqrt(twice**2 + 1) * sqrt(2)))
    assert score.total == pytest.approx(
        0.7 * (score.url + score.anchor + score.around) + 0.3 * log(1 + score.deep_links)
    )
    assert score.total == pytest.approx(0.7 * (0.542701 + 0.861035 + 0.608844) + 0.329584, abs=1e-5)


def test_alpha_can_be_chosen() -> None:
    taught = learner(site("https://book.example/"), alpha=0.2)

    score = taught.score(site("https://book.example/", deep_links=4))

    assert score.total == pytest.approx(0.2 * 1.0 + 0.8 * log(5))


def test_seeds_come_before_all_others() -> None:
    perfect = site("https://books.example/", "books", "books", deep_links=1_000_000)
    taught = learner(perfect)
    seed = candidate_site("https://unknown.example/", seed=True)

    assert taught.score(seed).total > taught.score(perfect).total
    assert taught.score(seed).similarity == 0


def test_seeds_are_ranked_among_themselves() -> None:
    taught = learner(site("https://books.example/"))

    seeds = [candidate_site(f"https://{name}.example/", seed=True) for name in ("films", "books")]

    assert taught.score(seeds[1]).total > taught.score(seeds[0]).total


def test_ranks_do_not_move_with_every_site() -> None:
    made = SiteLearner()

    made.learn(site("https://books.example/"))
    before = made.score(site("https://books.example/")).total
    made.rebuild()

    assert before == 0
    assert made.score(site("https://books.example/")).total == pytest.approx(0.7)


def test_address_that_runs_words_together_is_cut_at_terms_that_are_known() -> None:
    abebooks = site("https://www.abebooks.com/")

    taught = learner(site("https://rare-book.example/"))

    assert SiteLearner().score(abebooks).url == 0
    assert taught.score(abebooks).url == pytest.approx(1 / 2)  # rare, book and abe, book


@pytest.mark.parametrize(
    "learnt_site",
    [site("https://book.example/"), site("https://x.example/", "books")],
    ids=["address", "anchor"],
)
def test_what_is_learnt_from_an_address_is_cut_as_well(learnt_site: SiteCandidate) -> None:
    taught = learner(learnt_site)
    before = taught.space.taught["url"].copy()

    taught.learn(site("https://www.abebooks.com/"))

    assert taught.space.taught["url"] - before == {"abe": 1, "book": 1}


def test_cutting_keeps_the_counts_of_tokens() -> None:
    assert cut_tokens({"abebook": 2, "book": 1, "film": 3}, {"book"}) == {"abe": 2, "book": 3, "film": 3}
