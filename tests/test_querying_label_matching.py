"""Labels that are nearly the same, found without comparing all of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.querying.label_matching import LabelIndex, edit_distance


def index_of(*labels: str) -> LabelIndex:
    index = LabelIndex()
    for label in labels:
        index.add(label)
    return index


def plain_distance(one: str, other: str) -> int | None:
    allowed = min(0 if len(text) < 5 else 1 if len(text) < 9 else 2 for text in (one, other))
    return edit_distance(one, other, allowed) if one != other else 0


def slow_distance(one: str, other: str) -> int:
    rows = [
        [max(at, place) if 0 in (at, place) else 0 for place in range(len(other) + 1)]
        for at in range(len(one) + 1)
    ]
    for at in range(1, len(one) + 1):
        for place in range(1, len(other) + 1):
            same = rows[at - 1][place - 1] + (one[at - 1] != other[place - 1])
            rows[at][place] = min(same, rows[at - 1][place] + 1, rows[at][place - 1] + 1)
    return rows[-1][-1]


@pytest.mark.parametrize(
    ("label", "text", "found"),
    [
        ("genre", "genre", ("genre", 0)),
        ("genre", "genrs", ("genre", 1)),
        ("genre", "gener", None),  # two edits are too many for five characters
        ("make", "mate", None),  # short words are all near each other
        ("make", "make", None),  # and not worth an index: they are found by their text
        ("manufacturer", "manufcturr", ("manufacturer", 2)),
        ("manufacturer", "manfcturr", None),
        ("country", "county", ("country", 1)),
        ("x" * 61, "x" * 61, None),  # too long for a label
    ],
)
def test_how_many_edits_a_label_may_differ_by_depends_on_its_length(
    label: str, text: str, found: tuple[str, int] | None
) -> None:
    assert index_of(label).nearest(text) == found


def test_the_nearest_of_several_labels_wins_and_among_equals_the_first_by_name() -> None:
    assert index_of("cataloguing", "catalogues").nearest("cataloques") == ("catalogues", 1)
    assert index_of("colours", "colourx").nearest("colour") == ("colours", 1)


def test_a_label_that_is_added_twice_is_there_once() -> None:
    assert index_of("genre", "genre").nearest("genre") == ("genre", 0)
    assert index_of().nearest("genre") is None


@given(st.data())
@settings(max_examples=150)
def test_near_labels_are_found_exactly_when_a_plain_search_finds_them(data: st.DataObject) -> None:
    words = st.text("abc", min_size=5, max_size=11)
    labels = data.draw(st.lists(words, min_size=1, max_size=12, unique=True))
    text = data.draw(words)

    found = index_of(*labels).nearest(text)

    nearest = min(
        (near for label in labels if (near := plain_distance(text, label)) is not None), default=None
    )
    assert (found[1] if found else None) == nearest


@given(st.text("abcd", max_size=9), st.text("abcd", max_size=9))
@settings(max_examples=200)
def test_edit_distance_keeps_to_its_definition(one: str, other: str) -> None:
    assert edit_distance(one, other, 20) == slow_distance(one, other)


def test_a_distance_that_is_too_large_is_none() -> None:
    assert edit_distance("genre", "gender", 1) is None
    assert edit_distance("genre", "gender", 2) == 2
    assert edit_distance("a" * 50, "a" * 10, 5) is None


def test_a_look_up_among_5000_labels_touches_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(4)
    syllables = [first + second for first in "bcdfglmnprst" for second in "aeiou"]
    labels = list({"".join(chance.choices(syllables, k=chance.randint(3, 6))): None for _ in range(5_500)})[
        :5_000
    ]
    index = index_of(*labels)
    compared: list[str] = []

    def counted(one: str, other: str, most: int) -> int | None:
        compared.append(other)
        return edit_distance(one, other, most)

    monkeypatch.setattr("hiddenweb.querying.label_matching.edit_distance", counted)
    text = [label[:4] + "x" + label[5:] for label in chance.sample(labels, 200)]
    found = [index.nearest(label) for label in text]

    assert len(labels) == 5_000
    assert sum(match is not None and match[1] == 1 for match in found) >= 195
    assert len(compared) / len(text) < 40
