"""Values of a label have weights that submissions change, and are saved in short rows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.querying.stored_label import USER, StoredLabel, StoredValue, ValueFate


@given(st.floats(0.01, 1), st.integers(0, 40), st.integers(0, 40))
def test_weights_stay_between_0_and_1(first: float, good: int, bad: int) -> None:
    value = StoredValue("Drama", first, "test", good, bad)

    assert 0 <= value.weight <= 1


@pytest.mark.parametrize(
    ("good", "bad", "weight"), [(0, 0, 0.6), (4, 0, 0.8), (0, 4, 0.3), (2, 2, 0.55), (400, 0, 0.996)]
)
def test_the_first_weight_counts_as_four_submissions(good: int, bad: int, weight: float) -> None:
    assert StoredValue("Drama", 0.6, "test", good, bad).weight == pytest.approx(weight, abs=1e-3)


def test_a_value_that_starts_at_0_stays_at_0() -> None:
    assert StoredValue("Drama", 0.0, USER, good=50).weight == 0


def test_a_value_is_added_once_and_its_first_weight_only_rises() -> None:
    label = StoredLabel("Genre")

    assert label.add("Drama", 0.5, "a")
    assert not label.add("DRAMA", 0.4, "b")
    assert label.add("drama", 0.8, "c")

    assert [(value.text, value.start, value.source) for value in label.values.values()] == [
        ("Drama", 0.8, "c")
    ]


def test_values_of_the_user_stay_even_those_of_weight_0() -> None:
    label = StoredLabel("Genre", values={"noir": StoredValue("Noir", 0.0, USER)})
    for text, weight in (("Drama", 0.5), ("Comedy", 0.9), ("Western", 0.7)):
        label.add(text, weight, "test")

    label.forget_least(2)

    assert set(label.values) == {"noir", "comedy"}


def test_a_row_names_each_source_once() -> None:
    label = StoredLabel("Genre")
    for number in range(50):
        label.add(f"v{number}", 0.5, "from a rather long source")

    row = label.to_json()

    assert json.loads(row)["sources"] == ["from a rather long source"]
    assert row.count("rather long") == 1


def test_a_label_is_restored_without_the_values_of_the_users_file() -> None:
    label = StoredLabel("Genre", "en")
    label.add("Drama", 0.5, "test")
    label.values["drama"].good = 3
    label.values["noir"] = StoredValue("Noir", 1.0, USER, good=1, bad=2)
    label.values["western"] = StoredValue("Western", 1.0, USER)

    again, fates = StoredLabel.from_json(json.loads(label.to_json()))

    assert again.values == {"drama": label.values["drama"]}
    assert (again.text, again.language) == ("Genre", "en")
    assert fates == {"noir": ValueFate(1, 2)}


def test_a_label_of_the_users_file_alone_is_not_saved() -> None:
    assert StoredLabel("Genre", values={"noir": StoredValue("Noir", 1.0, USER)}).to_json() == ""
