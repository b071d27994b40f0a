"""Labels are found by all their names, and the least known are forgotten."""

from __future__ import annotations

import pytest

from hiddenweb.model import Field, LabelHint
from hiddenweb.querying.label_table import LabelTable, list_names
from hiddenweb.querying.stored_label import StoredLabel


def box(label: str) -> Field:
    return Field("f1", "text", label=label)


@pytest.fixture
def table() -> LabelTable:
    return LabelTable(most_labels=20)


@pytest.mark.parametrize(
    ("label", "distance"),
    [("Manufacturer", 0), ("Manufakturer", 1), ("Manufacterer", 1), ("Manufcturr", 2), ("Manfcturr", None)],
)
def test_misspelt_labels_match_within_two_edits(table: LabelTable, label: str, distance: int | None) -> None:
    table.add("manufacturer", "Manufacturer")

    match = table.match(box(label), "en")

    assert match.subject == ("" if distance is None else "manufacturer")
    if distance:
        assert match.distance == distance
        assert match.how.endswith(f"is {distance} edit{'s' if distance > 1 else ''} from 'Manufacturer'")


@pytest.mark.parametrize(("known", "label"), [("make", "Mate"), ("country", "County")])
def test_short_labels_and_words_of_another_meaning_do_not_match_by_edits(
    table: LabelTable, known: str, label: str
) -> None:
    table.add(known, known)

    assert table.match(box(label), "en").subject == ""


def test_the_nearest_of_several_labels_wins(table: LabelTable) -> None:
    table.add("cataloguing", "cataloguing")
    table.add("catalogues", "catalogues")

    assert table.match(box("cataloques"), "xx").subject == "catalogues"


def test_a_label_is_found_by_the_stems_of_its_words(table: LabelTable) -> None:
    table.add("used car", "Used car", "en")

    match = table.match(box("Used cars"), "en")

    assert match.subject == "used car"
    assert match.how == "its label 'Used cars' is a form of the label 'Used car'"


def test_an_alias_of_the_user_takes_over_the_values_of_a_label(table: LabelTable) -> None:
    table.restore("land", StoredLabel("Land"))
    table["land"].add("Atlantis", 0.5, "test")
    table.add("country", "Country")

    table.add_user_names("country", ["Land", "Nation"])

    assert table.find("land") == table.find("nation") == "country"
    assert [value.text for value in table["country"].values.values()] == ["Atlantis"]
    assert dict(table.list_changes())["land"] == ""


def test_the_least_weights_are_forgotten_but_no_label_of_the_user() -> None:
    table = LabelTable(most_labels=3)
    table.add("mine", "Mine")
    table.add_user_names("mine", [])
    for key, weight in {"alpha": 0.9, "bravo": 0.1, "delta": 0.5, "sierra": 0.7}.items():
        table[table.add(key, key.title())].add("x", weight, "test")

    table.forget_least()

    assert list(table) == ["mine", "alpha", "delta", "sierra"]
    assert table.match(box("Bravo"), "en").subject == ""
    assert table.match(box("Delta"), "en").subject == "delta"


def test_the_names_of_a_control_come_best_first_each_once() -> None:
    field = Field(
        "search[genre]", "text", label="Kind", hints=(LabelHint("cell before", "Kind"),), placeholder="Style"
    )

    assert list(list_names(field)) == [("label", "Kind"), ("placeholder", "Style"), ("name", "search genre")]
