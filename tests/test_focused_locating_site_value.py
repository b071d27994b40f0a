from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused.head_start import initial_probit
from hiddenweb.focused.locating.candidates import SiteCandidate, candidate_site
from hiddenweb.focused.locating.site_value import features, page_features

if TYPE_CHECKING:
    from hiddenweb.learning.probit import BayesianProbit

TOPIC = frozenset(("book", "librari", "author"))


def site(url: str, anchor: str = "", around: str = "") -> SiteCandidate:
    found = candidate_site(url)
    found.add_link(anchor, around, "en")
    return found


def value(odds: BayesianProbit, candidate: SiteCandidate) -> float:
    return odds.probability(features(candidate, TOPIC))


PLAIN = site("https://x1.example/", "Weather", "sun and rain")


@pytest.mark.parametrize(
    "better",
    [
        site("https://book-shop.example/", "Weather", "sun and rain"),
        site("https://abebooks.example/", "Weather", "sun and rain"),
        site("https://x1.example/", "Books", "sun and rain"),
        site("https://x1.example/", "Weather", "a library and its authors"),
        replace(PLAIN, centre=True),
        replace(PLAIN, source=1),
        replace(PLAIN, source=2),
    ],
    ids=["name", "part of its name", "anchor", "text around", "centre page", "on topic", "with forms"],
)
def test_before_anything_is_learnt_a_site_near_the_topic_is_worth_more(better: SiteCandidate) -> None:
    assert value(initial_probit("site"), better) > value(initial_probit("site"), PLAIN)


def test_sites_of_deep_sites_are_worth_more_than_those_of_others_on_topic() -> None:
    assert value(initial_probit("site"), replace(PLAIN, source=2)) > value(
        initial_probit("site"), replace(PLAIN, source=1)
    )


def test_most_sites_are_not_expected_to_pay() -> None:
    assert value(initial_probit("site"), PLAIN) < 0.5


def test_site_like_those_that_gave_forms_is_worth_more_and_like_those_that_gave_none_less() -> None:
    odds = initial_probit("site")
    good, bad = (
        site("https://antiques.example/", "Antique maps"),
        site("https://casino.example/", "Poker game"),
    )
    for _ in range(20):
        odds.learn(features(good, TOPIC), True)
        odds.learn(features(bad, TOPIC), False)

    like_good = value(odds, site("https://x2.example/", "Antique maps of Europe"))
    like_bad = value(odds, site("https://x3.example/", "Poker game online"))

    assert like_good > value(odds, PLAIN) > like_bad


def test_what_good_and_bad_sites_share_says_nothing() -> None:
    odds = initial_probit("site")
    for _ in range(50):
        odds.learn(features(site("https://x1.example/", "Antique shop"), TOPIC), True)
        odds.learn(features(site("https://x1.example/", "Poker shop"), TOPIC), False)

    assert abs(odds.weight("a:shop")) < abs(odds.weight("a:antiqu")) / 2
    assert abs(odds.weight("a:shop")) < abs(odds.weight("a:poker")) / 2


def test_features_are_few_whatever_a_site_is_called() -> None:
    words = " ".join(f"word{n}" for n in range(500))
    loud = replace(site("https://a.example/", words, words), links=10**6, deep_links=10**6)

    found = features(loud, TOPIC)

    assert len(found) < 60
    assert len(set(found)) == len(found)


def test_frequent_terms_are_those_that_count() -> None:
    found = site("https://a.example/", " ".join(f"word{n}" for n in range(30)))
    for _ in range(3):
        found.add_link("zebra", "", "en")

    assert "a:zebra" in features(found, TOPIC)


@pytest.mark.parametrize("count", ["links", "deep_links"])
def test_large_and_small_counts_give_different_features(count: str) -> None:
    few, many = replace(PLAIN, **{count: 1}), replace(PLAIN, **{count: 10})  # type: ignore[arg-type]

    assert features(few, TOPIC) != features(many, TOPIC)
    assert features(few, TOPIC) != features(replace(PLAIN, **{count: 0}), TOPIC)  # type: ignore[arg-type]


def test_features_do_not_depend_on_how_a_site_was_found() -> None:
    assert features(PLAIN, TOPIC) == features(replace(PLAIN, order=9, via="https://b.example/"), TOPIC)


# Pages that may name sites

PAGE = SiteCandidate("https://a.example/links", "https://a.example/links", kind="centre", links=1)


def test_page_is_judged_by_how_far_down_it_stood_and_for_how_many_sites() -> None:
    assert page_features(PAGE) == ("page:1", "place:0")
    assert page_features(replace(PAGE, links=3, place=5)) == ("page:3", "place:4")
    assert page_features(replace(PAGE, links=10**6, place=10**6)) == ("page:4", "place:20")


def test_page_is_not_judged_by_what_links_to_it_as_sites_are() -> None:
    other = replace(PAGE, source=2, deep_links=7, names=3, centre=True, order=9, via="https://b.example/")

    assert page_features(other) == page_features(PAGE)


def test_site_is_not_judged_by_a_place() -> None:
    assert features(replace(PLAIN, place=9), TOPIC) == features(PLAIN, TOPIC)


def test_pages_that_stand_where_pages_named_sites_are_worth_more() -> None:
    odds = initial_probit("page")
    for _ in range(20):
        odds.learn(page_features(replace(PAGE, place=0)), True)
        odds.learn(page_features(replace(PAGE, place=30)), False)

    values = [odds.probability(page_features(replace(PAGE, place=place))) for place in (0, 5, 40)]

    assert values == sorted(values, reverse=True)
    assert values[0] > 2 * values[2]
