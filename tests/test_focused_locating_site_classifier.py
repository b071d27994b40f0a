"""Judging homepages: on the topic, off it, or uncertain."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import within

from hiddenweb.focused.locating.site_classifier import NOT_KNOWN, UNCERTAIN, SiteClassifier
from hiddenweb.focused.topic import Topic, list_built_in_topics, load_built_in_topic, read_topic
from hiddenweb.html.reader import read_page
from simweb.messages import Request
from simweb.world import World

if TYPE_CHECKING:
    from hiddenweb.model import Page

HOMEPAGES = {
    "books": "Used and new books at low prices. Find an author or a title. Our booksellers ship paperbacks and hardcovers.",
    "cars": "Cheap second-hand cars near you. Every vehicle with photos, mileage and engine. Ask the dealer for a test drive.",
    "flights": "Low fares to Asia. Compare airlines, choose your airport and date of departure, print your boarding pass.",
    "routes": "Bus and train timetables, a map of all lines, and live traffic. Plan your trip from station to station.",
    "apartments": "Flats to let in the city. Two bedrooms, a kitchen and a balcony; contact the landlord for the deposit.",
    "hotels": "Small hotels by the sea: suites, pool and sauna. See the rates per night, make a reservation, greet our guests.",
    "jobs": "The job board for nurses. Employers post vacancies, candidates upload a resume and hear about the salary.",
    "movies": "What is on at the cinema? Films, trailers, showtimes and reviews; actors and directors from A to Z.",
    "music": "Albums and songs by independent artists. Listen to the band, buy vinyl, see the dates of concerts.",
    "people": "Who was he? Biographies of scientists and politicians, with birthplace, portrait and descendants.",
    "products": "Headphones, laptops and cameras from all brands. Free shipping, fair prices, put it in your cart.",
    "rentals": "Hire a van or a scooter by the day. Pick-up at the depot, one deposit, rental rates without surprises.",
}

GERMAN_BOOKS = (
    "Bücher, Hörbücher und Romane. Unsere Buchhandlung liefert jedes Buch. Autoren, Verlage, Bestseller."
)
GERMAN_FLATS = (
    "Wohnungen zur Miete und Häuser zum Kauf. Vermieter und Makler bieten Immobilien mit Balkon an."
)
POLISH = "Krzesła, stoły i szafy do każdego mieszkania. Zobacz naszą ofertę mebli i zamów już dziś z dostawą do domu."
NOTHING = "zxqv wvut qqrs mnop"


def classifier(name: str = "books", *, uncertain_is_on_topic: bool = True) -> SiteClassifier:
    return SiteClassifier(read_topic(name), uncertain_is_on_topic=uncertain_is_on_topic)


# Judging


@pytest.mark.parametrize("name", list_built_in_topics())
def test_a_homepage_is_on_its_topic_and_on_hardly_any_other(name: str) -> None:
    judged = {page: classifier(name).judge(text, language="en") for page, text in HOMEPAGES.items()}

    assert judged[name].on_topic
    assert judged[name].probability == max(verdict.probability for verdict in judged.values())
    assert sum(verdict.on_topic for verdict in judged.values()) <= 2


def test_the_strongest_terms_are_given_as_reasons_both_ways() -> None:
    verdict = classifier("books").judge(f"{HOMEPAGES['books']} {HOMEPAGES['hotels']}", language="en")

    for_it = [term for term, share in verdict.why if share > 0]
    against_it = [term for term, share in verdict.why if share < 0]
    assert {"book", "author"} <= set(for_it)
    assert "night" in against_it or "suit" in against_it
    assert len(for_it) == len(against_it) == 5
    assert all(first >= second for (_, first), (_, second) in pairwise(verdict.why[:5]))


def test_the_title_says_more_than_the_text() -> None:
    text = "Opening hours and directions. Novels, maps, tickets, rooms."

    plain = classifier("books").judge(text, "Welcome", "en").probability
    titled = classifier("books").judge(text, "Books and authors", "en").probability

    assert titled > plain


def test_probabilities_are_not_all_nought_or_one() -> None:
    mixed = f"{HOMEPAGES['books']} {HOMEPAGES['products']} {HOMEPAGES['music']} {HOMEPAGES['routes']}"

    assert 0.1 < classifier("books").judge(mixed, language="en").probability < 0.99
    assert 0.001 < classifier("books").judge(HOMEPAGES["hotels"], language="en").probability < 0.3


def test_a_long_page_is_no_surer_than_a_short_one() -> None:
    once = classifier("books").judge(HOMEPAGES["books"], language="en").probability
    often = classifier("books").judge(HOMEPAGES["books"] * 50, language="en").probability

    assert often < 1 - (1 - once) ** 4


def test_words_of_other_languages_are_known_if_the_topic_has_them() -> None:
    books = classifier("books")

    assert books.judge(GERMAN_BOOKS, language="de").probability > 0.8
    assert not books.judge(GERMAN_FLATS, language="de").on_topic
    assert classifier("apartments").judge(GERMAN_FLATS, language="de").probability > 0.8


@pytest.mark.parametrize(
    ("text", "language"),
    [(NOTHING, "en"), ("", "en"), (POLISH, "pl"), ("书店 文学 小说", "zh"), (NOTHING, ""), (NOTHING, "zz")],
    ids=["unknown words", "nothing", "another language", "another script", "no language", "no such language"],
)
def test_a_page_of_unknown_words_is_uncertain_and_that_is_said(text: str, language: str) -> None:
    permissive = classifier().judge(text, language=language)
    strict = classifier(uncertain_is_on_topic=False).judge(text, language=language)

    assert permissive.on_topic
    assert not strict.on_topic
    assert permissive.probability == pytest.approx(0.5, abs=0.17)
    assert permissive.why[0] == (NOT_KNOWN, 0.0)


def test_languages_that_pages_make_up_take_no_memory() -> None:
    books = classifier()
    for first in "qxz":
        for second in "qxz":
            books.judge(HOMEPAGES["books"], language=first + second)

    assert len(books._models) == 1


def test_the_same_page_gets_the_same_verdict_every_time() -> None:
    verdicts = {
        classifier("jobs").judge(text, name, "en") for name, text in HOMEPAGES.items() for _ in range(2)
    }

    assert len(verdicts) == len(HOMEPAGES)


def test_a_word_of_the_topic_never_speaks_against_it() -> None:
    topic = Topic(
        "paintings", "Paintings", words=("book", "painting"),
        on_topic=("Oil on canvas, brushes, portraits, frames and easels.",) * 20,
        off_topic=("A book by an author.",) * 500,
    )  # fmt: skip

    verdict = SiteClassifier(topic).judge("A book and an author, a canvas and a portrait", language="en")

    shares = dict(verdict.why)
    assert shares["author"] < 0
    assert shares.get("book", 0.0) == 0


@given(text=st.text(), title=st.text(), language=st.sampled_from(["", "en", "de", "zh", "th"]))
@settings(max_examples=50)
def test_any_text_can_be_judged(text: str, title: str, language: str) -> None:
    assert 0 <= classifier().judge(text, title, language).probability <= 1


# A name alone


@pytest.mark.parametrize("page", HOMEPAGES)
def test_a_mere_name_rejects_no_site(page: str) -> None:
    verdict = classifier("lost wax casting").judge(HOMEPAGES[page], language="en")

    assert verdict.on_topic
    assert 0.4 < verdict.probability < 0.6


def test_a_mere_name_recognises_its_own_words() -> None:
    casting = classifier("lost wax casting")
    foundry = "We cast bronze statues in lost wax. Visit our foundry and see how wax becomes metal. Prices and contact."

    assert casting.judge(foundry, language="en").probability > 0.75


def test_what_is_about_the_same_is_not_off_the_topic() -> None:
    page = "Tenants and landlords: bedrooms, deposit, lease, kitchen."
    against = {name: dict(classifier(name).judge(page, language="en").why) for name in ("flats", "castles")}

    assert against["castles"]["landlord"] < 0
    assert "landlord" not in against["flats"]


def test_a_topic_without_examples_against_has_the_others_for_that() -> None:
    topic = replace(load_built_in_topic("books"), name="volumes", off_topic=())
    mine = Topic("stamps", "Stamps", words=("stamp", "stamps", "philately"), on_topic=(
        "Stamps of all countries with catalogue numbers, perforation and watermark.",
        "Philately for beginners: how to wash, sort and value your stamps.",
        "Auction of rare stamps, covers and postmarks. Bid online.",
        "Stamp albums, tweezers and catalogues for the philatelist.",
    ))  # fmt: skip

    assert SiteClassifier(topic).judge(HOMEPAGES["books"], language="en").on_topic
    assert SiteClassifier(mine).judge(HOMEPAGES["hotels"], language="en").probability < 0.49
    assert (
        SiteClassifier(mine).judge("Rare stamps and postmarks for collectors", language="en").probability
        > 0.8
    )


# Worlds of pages

IN_SIMWEB = {
    "books": "books",
    "films": "movies",
    "jobs": "jobs",
    "cars": "cars",
    "music": "music",
    "hotels": "hotels",
    "homes": "apartments",
}


@pytest.fixture(scope="module")
def homepages() -> list[tuple[str, Page]]:
    """English homepages of a small web that keep to their topic."""
    world = World(seed=11, sites=150)
    found = []
    for number in range(150):
        plan = world.plan(number)
        answer = world.respond(Request("GET", plan.host, "/"))
        if answer is not None and answer.status == 200 and plan.language == "en" and plan.focus >= 80:
            found.append((plan.topic, read_page(answer.body, f"http://{plan.host}/")))
    world.close()
    return found


def test_nine_in_ten_homepages_of_a_small_web_are_judged_right(homepages: list[tuple[str, Page]]) -> None:
    right = total = 0
    for theirs, ours in IN_SIMWEB.items():
        judge = classifier(ours).judge
        for topic, page in homepages:
            right += judge(page.text, page.title, page.language).on_topic == (topic == theirs)
            total += 1

    assert total > 200
    assert right / total > 0.9


def test_a_homepage_is_judged_in_a_moment(homepages: list[tuple[str, Page]]) -> None:
    books = classifier("books")
    texts = [" ".join(page.text.split()[:500]) for _, page in homepages]
    for text in texts:
        books.judge(text, language="en")

    # A fifth of it on a machine that does nothing else.
    within(0.01 * len(texts), lambda: [books.judge(text, language="en") for text in texts])


def test_the_limit_of_doubt_is_below_one_half() -> None:
    assert 0 < UNCERTAIN < 0.5
