"""Judging homepages: on the topic, off it, or uncertain; and learning from sites that were explored."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.locating import classifier as module
from hiddenweb.locating.classifier import NOT_KNOWN, UNCERTAIN, SiteClassifier, bag_of
from hiddenweb.locating.topic import Topic, built_in_topic, built_in_topics, read_topic
from hiddenweb.page import read_page
from simweb.messages import Request
from simweb.world import World

if TYPE_CHECKING:
    from hiddenweb.items import Page

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


@pytest.mark.parametrize("name", built_in_topics())
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

    assert len(books._known) == 1


def test_the_same_page_gets_the_same_verdict_every_time() -> None:
    verdicts = {
        classifier("jobs").judge(text, name, "en") for name, text in HOMEPAGES.items() for _ in range(2)
    }

    assert len(verdicts) == len(HOMEPAGES)


@given(
    text=st.text(),
    title=st.text(),
    language=st.sampled_from(["", "en", "de", "zh", "th"]),
    good=st.booleans(),
)
@settings(max_examples=50, deadline=None)
def test_any_text_can_be_judged_and_learnt(text: str, title: str, language: str, good: bool) -> None:
    books = classifier()
    books.learn(text, title, language, on_topic=good)

    assert 0 <= books.judge(text, title, language).probability <= 1


# A name alone


@pytest.mark.parametrize("page", HOMEPAGES)
def test_a_mere_name_damns_nobody(page: str) -> None:
    verdict = classifier("lost wax casting").judge(HOMEPAGES[page], language="en")

    assert verdict.on_topic
    assert 0.4 < verdict.probability < 0.6


def test_a_mere_name_knows_its_own_words() -> None:
    casting = classifier("lost wax casting")
    foundry = "We cast bronze statues in lost wax. Visit our foundry and see how wax becomes metal. Prices and contact."

    assert casting.judge(foundry, language="en").probability > 0.75


def test_what_is_about_the_same_is_not_off_the_topic() -> None:
    flats = classifier("flats")
    flats.learn(HOMEPAGES["apartments"], language="en", on_topic=True)

    verdict = flats.judge("Tenants and landlords: bedrooms, deposit, lease, kitchen.", language="en")

    assert verdict.probability >= 0.5


def test_a_topic_without_examples_against_has_the_others_for_that() -> None:
    topic = replace(built_in_topic("books"), name="volumes", off_topic=())
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


# Learning


def test_sites_with_forms_teach_new_words() -> None:
    chess = classifier("chess")
    page = "Openings, endgames and tactics. Grandmaster games with comments, puzzles, rating list."
    before = chess.judge(page, language="en").probability

    for _ in range(3):
        chess.learn("Grandmaster games, openings, endgames, rating list", "Chess", "en", on_topic=True)

    assert before == pytest.approx(0.5, abs=0.05)
    assert chess.judge(page, language="en").probability > 0.8


def test_sites_without_forms_teach_what_is_off_the_topic_once_others_had_some() -> None:
    chess = classifier("chess")
    forum = "Threads, smileys, moderators and private messages of our forum."
    for _ in range(20):
        chess.learn(
            "Grandmaster games, openings, endgames, puzzles, rating list", "Chess", "en", on_topic=True
        )
    before = chess.judge(forum, language="en").probability

    for _ in range(80):
        chess.learn("Forum threads, smileys, moderators, messages, avatars", language="en", on_topic=False)

    assert before >= UNCERTAIN
    assert chess.judge(forum, language="en").probability < 0.2


def test_failures_alone_do_not_turn_a_crawl_against_its_topic() -> None:
    books = classifier("books")
    before = books.judge(HOMEPAGES["books"], language="en").probability

    for _ in range(500):
        books.learn(HOMEPAGES["books"], language="en", on_topic=False)

    assert books.judge(HOMEPAGES["books"], language="en").probability == pytest.approx(before, abs=0.02)


def test_a_word_of_the_topic_never_speaks_against_it() -> None:
    books = classifier("books")
    books.learn("paintings and sculptures", language="en", on_topic=True)
    for _ in range(200):
        books.learn("book book book author author", language="en", on_topic=False)

    verdict = books.judge("book author painting", language="en")

    assert all(share >= 0 for _, share in verdict.why)


def test_one_site_weighs_no_more_than_an_example() -> None:
    books = classifier("books")
    endless = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(5_000))

    books.learn(endless, language="en", on_topic=True)

    assert sum(books.to_json()["en"]["on"].values()) == pytest.approx(50, abs=0.1)


def test_what_is_learnt_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TERMS", 200)
    monkeypatch.setattr(module, "MOST_LEARNT", 300.0)
    books = classifier("books")

    for number in range(100):
        letters = [f"{chr(97 + number % 26)}{chr(97 + n)}{chr(97 + number // 26)}x" for n in range(26)]
        books.learn(" ".join(letters), language="en", on_topic=True)

    learnt = books.to_json()["en"]["on"]
    assert len(learnt) <= 200
    assert sum(learnt.values()) <= 300


def test_languages_are_learnt_apart() -> None:
    chess = classifier("chess")
    chess.learn("Schachfiguren, Turniere und Eröffnungen", language="de", on_topic=True)

    assert chess.to_json().keys() == {"de"}
    assert chess.judge("Turniere", language="en").probability == 0.5


def test_what_was_learnt_survives_as_json() -> None:
    chess = classifier("chess")
    chess.learn("Grandmaster games, openings", "Chess", "en", on_topic=True)
    chess.learn("Threads, posts, smileys", language="en", on_topic=False)
    page = "Openings, games, threads and clubs"

    kept = json.loads(json.dumps(chess.to_json()))
    again = SiteClassifier.from_json(chess.topic, kept)

    assert again.to_json() == chess.to_json()
    assert again.judge(page, language="en").probability == pytest.approx(
        chess.judge(page, language="en").probability, abs=1e-3
    )


def test_only_what_goes_beyond_the_topic_is_kept() -> None:
    books = classifier("books")
    books.judge(HOMEPAGES["books"], language="en")

    assert books.to_json() == {}


def test_counts_that_are_none_are_not_taken_over() -> None:
    kept = {"en": {"on": {"good": 2.0, "bad": float("nan"), "worse": -1.0, "endless": float("inf")}}}

    assert SiteClassifier.from_json(read_topic("chess"), kept).to_json() == {
        "en": {"on": {"good": 2.0}, "off": {}}
    }


def test_terms_can_be_learnt_without_the_text() -> None:
    with_text, with_terms = classifier("chess"), classifier("chess")

    with_text.learn("Grandmaster games", "Chess", "en", on_topic=True)
    with_terms.learn_terms(bag_of("Grandmaster games", "Chess", "en"), "en", on_topic=True)

    assert with_text.to_json() == with_terms.to_json()


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

    start = process_time()
    for text in texts:
        books.judge(text, language="en")

    assert (process_time() - start) / len(texts) < 0.01  # 0.002 on a machine that does nothing else


def test_the_limit_of_doubt_is_below_one_half() -> None:
    assert 0 < UNCERTAIN < 0.5
