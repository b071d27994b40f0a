"""What feature spaces learn of good links."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.language.terms import (
    host_terms,
    length,
    split_at_known,
)
from hiddenweb.learning import feature_space
from hiddenweb.learning.feature_space import TOP, FeatureSpace

TWICE = 1 + log(2)


WORDS = st.text("abcdefgh:äß漢", min_size=1, max_size=4)


BAGS = st.dictionaries(WORDS, st.integers(1, 9), max_size=6)


def test_abebooks_is_split_once_book_is_a_known_term() -> None:
    (token,) = host_terms("https://www.abebooks.com/")
    space = FeatureSpace(("anchor",))
    before = split_at_known(token, space.knows("anchor"))

    space.learn({"anchor": {"book": 1}})
    space.rebuild()

    assert before == ("abebook",)
    assert split_at_known(token, space.knows("anchor")) == ("abe", "book")


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


def test_rebuilding_returns_the_terms_whose_weights_changed() -> None:
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
    monkeypatch.setattr(feature_space, "MOST_TERMS", 10)
    space = FeatureSpace(("anchor",))
    space.learn({"anchor": {"once": 1, **{f"often{n}": 5 for n in range(5)}}})
    list(space.changes())

    space.learn({"anchor": {f"new{n}": 1 for n in range(5)}})

    assert set(space.taught["anchor"]) == {f"often{n}" for n in range(5)}
    assert dict(space.changes()) == {"anchor:once": None, **{f"anchor:new{n}": None for n in range(5)}}


def test_changes_are_reported_once() -> None:
    space = FeatureSpace(("path", "anchor"))
    space.learn({"anchor": {"book": 2, "a:b": 1}})
    first = dict(space.changes())

    space.learn({"anchor": {"book": 1}, "path": {"find": 1}})

    assert first == {"anchor:book": 2, "anchor:a:b": 1}
    assert dict(space.changes()) == {"anchor:book": 3, "path:find": 1}
    assert list(space.changes()) == []


@given(st.lists(st.fixed_dictionaries({"path": BAGS, "anchor": BAGS}), max_size=4))
@settings(max_examples=30)
def test_space_loaded_from_the_rows_of_another_equals_it(learnt: list[dict[str, dict[str, int]]]) -> None:
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


def test_rows_of_an_unknown_context_are_ignored() -> None:
    space = FeatureSpace(("anchor",))

    space.take([("anchor:book", 2), ("path:find", 3)])

    assert list(space.rows()) == [("anchor:book", 2)]
