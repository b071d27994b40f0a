"""Terms of texts and addresses."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.language.terms import (
    cosine,
    host_terms,
    path_terms,
    split_at_known,
    terms,
    terms_of,
    url_terms,
    weights,
)
from hiddenweb.urls import normalise_url

WORDS = st.text("abcdefgh:äß漢", min_size=1, max_size=4)


BAGS = st.dictionaries(WORDS, st.integers(1, 9), max_size=6)


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


def test_addresses_have_terms_in_any_script() -> None:
    url = normalise_url("https://bücher.example/größe/книги")

    assert url is not None
    assert host_terms(url) == ("bücher",)
    assert path_terms(url) == ("größe", "книги")
