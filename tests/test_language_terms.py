from __future__ import annotations

from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.language import terms as terms_module
from hiddenweb.language.terms import (
    TOP,
    FeatureSpace,
    cosine,
    host_terms,
    length,
    path_terms,
    split_at_known,
    terms,
    terms_of,
    url_terms,
    weights,
)
from hiddenweb.urls import normalise_url

TWICE = 1 + log(2)
WORDS = st.text("abcdefgh:äß漢", min_size=1, max_size=4)
BAGS = st.dictionaries(WORDS, st.integers(1, 9), max_size=6)


# Terms


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Rare BOOKS", "en", ("rare", "book")),
        ("the books of a library", "en", ("book", "librari")),  # stop words say nothing
        ("books 1999 2nd x", "en", ("book", "2nd")),  # nor do numbers and single letters
        ("Suche nach Büchern", "de", ("buch",)),  # each language has its own stop words and stems
        ("rare editions", "", ("rare", "editions")),  # a language that cannot be told has neither
        ("", "en", ()),
    ],
)
def test_terms_are_the_stemmed_words_that_say_something(
    text: str, language: str, found: tuple[str, ...]
) -> None:
    assert tuple(terms([text], language)) == found
    assert terms_of(text, language) == found


def test_terms_of_several_texts_come_one_after_the_other() -> None:
    assert list(terms(["rare books", "rare films"], "en")) == ["rare", "book", "rare", "film"]


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("https://www.rare-books.co.uk/", ("rare", "book"), ()),  # without the public suffix
        ("https://books.bigshop.com:8080/films", ("book", "bigshop"), ("film",)),
        ("https://a.example/cgi-bin/index.php", (), ()),  # what stands in every address
        ("https://a.example/list?author=Smith&title=", (), ("list", "author", "titl")),  # names, not values
        ("https://a.example/books/2024/07", (), ("book",)),
    ],
)
def test_addresses_are_split_into_terms(url: str, host: tuple[str, ...], path: tuple[str, ...]) -> None:
    assert host_terms(url) == host
    assert path_terms(url) == path
    assert url_terms(url) == host + path


@pytest.mark.parametrize(
    ("token", "known", "parts"),
    [
        ("abebook", {"book"}, ("abe", "book")),
        ("abebook", set(), ("abebook",)),
        ("abebook", {"abebook", "book"}, ("abebook",)),  # it is a term itself
        ("bookfinder", {"book"}, ("book", "finder")),
        ("thebookshop", {"book"}, ("the", "book", "shop")),
        ("ebook", {"book"}, ("book",)),  # a single letter says nothing
        ("bookstore", {"book", "bookstor"}, ("bookstor",)),  # the longest first
        ("department", {"art"}, ("department",)),  # too short to be meant
        ("book", {"book"}, ("book",)),
    ],
)
def test_token_is_cut_around_a_known_term_that_is_a_part_of_it(
    token: str, known: set[str], parts: tuple[str, ...]
) -> None:
    assert split_at_known(token, known) == parts


def test_abebooks_is_about_books_once_book_is_known() -> None:
    (token,) = host_terms("https://www.abebooks.com/")
    space = FeatureSpace(("anchor",))
    before = split_at_known(token, space.knows("anchor"))

    space.learn({"anchor": {"book": 1}})
    space.rebuild()

    assert before == ("abebook",)
    assert split_at_known(token, space.knows("anchor")) == ("abe", "book")


# Weights


def test_term_weighs_one_and_the_logarithm_of_its_frequency() -> None:
    found = weights(["book", "film", "book", "book", "film", "year"])

    assert found == pytest.approx({"book": 2.0986122887, "film": 1.6931471806, "year": 1.0})


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ({"a": 1.0, "b": 2.0}, {"b": 2.0, "c": 1.0}, 4 / 5),  # 2 * 2 / (sqrt 5 * sqrt 5)
        ({"a": 1.0, "b": 2.0, "c": 2.0}, {"a": 3.0, "b": 4.0}, 11 / 15),  # (3 + 8) / (3 * 5)
        ({"a": 2.0, "b": 1.5}, {"a": 4.0, "b": 3.0}, 1.0),  # length does not count
        ({"a": 1.0}, {"b": 1.0}, 0.0),
        ({}, {"a": 1.0}, 0.0),
        ({"a": 1.0}, {}, 0.0),
        ({}, {}, 0.0),
    ],
)
def test_vectors_are_as_alike_as_the_cosine_between_them(
    first: dict[str, float], second: dict[str, float], alike: float
) -> None:
    assert cosine(first, second) == pytest.approx(alike)
    assert cosine(second, first) == pytest.approx(alike)


@given(BAGS, BAGS)
@settings(max_examples=30)
def test_no_two_vectors_are_more_alike_than_one(first: dict[str, int], second: dict[str, int]) -> None:
    one, other = weights(Counter(first).elements()), weights(Counter(second).elements())

    assert 0 <= cosine(one, other) <= 1
    assert cosine(one, one) == pytest.approx(1.0 if one else 0.0)


# Feature spaces


def test_space_is_as_it_was_until_it_is_rebuilt() -> None:
    space = FeatureSpace(("anchor",))

    space.learn({"anchor": {"book": 1}})
    before = space.similarity("anchor", {"book": 1}), space.version
    space.rebuild()

    assert before == (0.0, 0)
    assert (space.similarity("anchor", {"book": 1}), space.version) == (1.0, 1)


def test_similarity_is_the_cosine_of_weights() -> None:
    space = FeatureSpace(("anchor",))
    space.learn({"anchor": {"book": 1, "search": 1}})
    space.learn({"anchor": {"book": 1}})
    space.rebuild()

    alike = space.similarity("anchor", {"book": 1, "film": 2})

    # learnt: book 1.6931, search 1; the bag: book 1, film 1.6931
    assert alike == pytest.approx(TWICE / (sqrt(TWICE**2 + 1) * sqrt(1 + TWICE**2)))
    assert alike == pytest.approx(0.4378738)


def test_contexts_do_not_mix() -> None:
    space = FeatureSpace(("path", "anchor"))
    space.learn({"path": {"find": 1}, "anchor": {"book": 1}, "other": {"film": 1}})
    space.rebuild()

    assert space.similarity("path", {"book": 1, "film": 1}) == 0
    assert space.similarity("anchor", {"book": 1}) == 1


def test_counts_add_up_over_rebuilds() -> None:
    space = FeatureSpace(("anchor",))
    for _ in range(3):
        space.learn({"anchor": {"book": 2}})
        space.rebuild()

    assert space.vectors["anchor"] == pytest.approx({"book": 1 + log(6)})


def test_only_the_most_frequent_terms_make_the_vector() -> None:
    space = FeatureSpace(("anchor",), top=3)
    space.learn({"anchor": {"zoo": 5, "bee": 1, "ant": 1, "cat": 1, "yak": 2}})
    space.rebuild()

    assert list(space.knows("anchor")) == ["zoo", "yak", "ant"]  # of equals the first in the alphabet
    assert length(space.vectors["anchor"]) == pytest.approx(sqrt((1 + log(5)) ** 2 + TWICE**2 + 1))
    assert TOP == 50


def test_rebuilding_names_the_terms_that_weigh_something_else_now() -> None:
    space = FeatureSpace(("anchor", "around"), top=2)
    space.learn({"anchor": {"book": 3, "film": 2}, "around": {"year": 1}})
    first = space.rebuild()

    space.learn({"anchor": {"game": 4}})

    assert first == {"book", "film", "year"}
    assert space.rebuild() == {"game", "film"}  # film is not among the two any more
    assert space.rebuild() == set()


def test_shares_explain_a_similarity() -> None:
    space = FeatureSpace(("anchor",))
    space.learn({"anchor": {"book": 4, "search": 1, "rare": 2}})
    space.rebuild()
    bag = {"search": 1, "book": 1, "film": 3}

    shares = space.shares("anchor", bag)

    assert list(shares) == ["book", "search"]
    assert sum(shares.values()) == pytest.approx(space.similarity("anchor", bag))
    assert space.shares("anchor", {}) == {}


def test_rarest_terms_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms_module, "MOST_TERMS", 10)
    space = FeatureSpace(("anchor",))
    space.learn({"anchor": {"once": 1, **{f"often{n}": 5 for n in range(5)}}})
    list(space.changes())

    space.learn({"anchor": {f"new{n}": 1 for n in range(5)}})

    assert set(space.taught["anchor"]) == {f"often{n}" for n in range(5)}
    assert dict(space.changes()) == {"anchor:once": None, **{f"anchor:new{n}": None for n in range(5)}}


# Keeping


def test_changes_are_told_once() -> None:
    space = FeatureSpace(("path", "anchor"))
    space.learn({"anchor": {"book": 2, "a:b": 1}})
    first = dict(space.changes())

    space.learn({"anchor": {"book": 1}, "path": {"find": 1}})

    assert first == {"anchor:book": 2, "anchor:a:b": 1}
    assert dict(space.changes()) == {"anchor:book": 3, "path:find": 1}
    assert list(space.changes()) == []


@given(st.lists(st.fixed_dictionaries({"path": BAGS, "anchor": BAGS}), max_size=4))
@settings(max_examples=30)
def test_space_that_takes_the_rows_of_another_is_its_equal(learnt: list[dict[str, dict[str, int]]]) -> None:
    one, other = FeatureSpace(("path", "anchor")), FeatureSpace(("path", "anchor"))
    kept: dict[str, int] = {}
    for bags in learnt:
        one.learn(bags)
        kept.update((term, count) for term, count in one.changes() if count is not None)
    one.rebuild()

    other.take(one.rows())

    assert kept == dict(one.rows())
    assert sorted(other.rows()) == sorted(one.rows())
    assert other.vectors == one.vectors
    assert list(other.changes()) == []  # nothing new was learnt
    for bags in learnt:
        assert other.similarity("path", bags["path"]) == one.similarity("path", bags["path"])


def test_rows_of_a_context_that_is_not_known_are_left_alone() -> None:
    space = FeatureSpace(("anchor",))

    space.take([("anchor:book", 2), ("path:find", 3)])

    assert list(space.rows()) == [("anchor:book", 2)]


def test_addresses_have_terms_in_any_script() -> None:
    url = normalise_url("https://bücher.example/größe/книги")

    assert url is not None
    assert host_terms(url) == ("bücher",)
    assert path_terms(url) == ("größe", "книги")
