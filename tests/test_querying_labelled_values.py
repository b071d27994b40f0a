"""The labelled value set: what is filled in where, how it is learnt, forgotten and kept."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from timing import within

from hiddenweb.model import Field, Form, LabelHint, Option
from hiddenweb.querying.builtin_values import ISBNS, isbn10
from hiddenweb.querying.labelled_values import LabelledValueSet, ValueMatches
from hiddenweb.querying.stored_label import USER

if TYPE_CHECKING:
    from pathlib import Path

TODAY = date(2026, 11, 16)


def box(label: str = "", kind: str = "text", **more: object) -> Field:
    return Field(name=str(more.pop("name", "f1")), kind=kind, label=label, **more)  # type: ignore[arg-type]


def select(label: str, *options: str, **more: object) -> Field:
    name = str(more.pop("name", "s1"))
    return Field(name, "select", label, options=tuple(Option(text, text) for text in options), **more)  # type: ignore[arg-type]


def form(*fields: Field, language: str = "en") -> Form:
    return Form("http://a.example/", "http://a.example/find", "GET", fields, language=language)


def texts(found: ValueMatches) -> list[str]:
    return [value.text for value in found.values]


@pytest.fixture
def values() -> LabelledValueSet:
    return LabelledValueSet(TODAY)


def write_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "field",
    [
        box("Genre"),
        box("GENRE:"),
        box("Please choose your genre *"),
        box("Genres"),  # the same stem
        box("", name="search[genre]"),
        box("", placeholder="Genre"),
        box("", hints=(LabelHint("cell before", "Genre"),)),
    ],
    ids=["exact", "case", "politeness", "stem", "name", "placeholder", "hint"],
)
def test_a_box_gets_the_values_of_its_label(values: LabelledValueSet, field: Field) -> None:
    values.learn_values("Genre", ["Drama"], "test")

    found = values.lookup(field, language="en")

    assert texts(found) == ["Drama"]
    assert (found.label, found.distance) == ("Genre", 0)
    assert "'Genre'" in found.why


def test_an_unknown_label_gets_nothing_and_says_so(values: LabelledValueSet) -> None:
    found = values.lookup(box("Frobnication"))

    assert found.values == ()
    assert "no known label" in found.why


@pytest.mark.parametrize(
    ("label", "language", "expected"),
    [
        ("Country", "en", "Germany"),
        ("Land", "de", "Deutschland"),
        ("Pays", "fr", "Allemagne"),
        ("国家", "zh", "德国"),
        ("Страна", "ru", "Германия"),
        ("Sprache", "de", "Französisch"),
        ("Month", "en", "January"),
        ("Wochentag", "de", "Montag"),
        ("Currency", "en", "EUR"),
        ("Year", "en", "2026"),
        ("Code postal", "fr", "75001"),
        ("Farbe", "de", "schwarz"),
        ("Bundesland", "de", "Bayern"),
        ("Ville", "fr", "Lyon"),
        ("ISBN", "en", "9780141439518"),
    ],
)
def test_typed_boxes_get_built_in_values_in_the_language_of_the_page(
    values: LabelledValueSet, label: str, language: str, expected: str
) -> None:
    found = values.lookup(box(label), language=language)

    assert expected in texts(found)
    assert {value.source for value in found.values} == {"built in"}
    assert all(0.3 <= value.weight <= 0.5 for value in found.values)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (box("From", "date"), "2026-11-16"),
        (box("Seit", placeholder="TT.MM.JJJJ"), "16.11.2026"),
        (box("Since", placeholder="mm/dd/yyyy"), "11/16/2026"),
        (box("", "month"), "2026-11"),
        (box("", "week"), "2026-W47"),
        (box("", "datetime-local"), "2026-11-16T12:00"),
    ],
)
def test_dates_are_written_as_the_control_wants_them(
    values: LabelledValueSet, field: Field, expected: str
) -> None:
    assert texts(values.lookup(field))[0] == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (box("Level", "number", minimum="1", maximum="4"), {"1", "2", "3", "4"}),
        (box("Level", "number", minimum="0", maximum="1", step="0.5"), {"0", "0.5", "1"}),
        (box("Level", "range", minimum="10", maximum="30", step="10"), {"10", "20", "30"}),
        (box("Year", "number", minimum="2024", maximum="2025"), {"2024", "2025"}),
        (box("Day", "date", minimum="2026-11-10", maximum="2026-11-15"), {"2026-11-15"}),
        (box("ISBN", max_length=10), {isbn10(isbn) for isbn in ISBNS}),
        (box("Postcode", pattern=r"[0-9]{4}"), {"2000"}),
        (box("Currency", max_length=3, pattern="[A-E][A-Z]{2}"), None),
    ],
)
def test_only_values_that_the_control_takes_are_offered(
    values: LabelledValueSet, field: Field, expected: set[str] | None
) -> None:
    found = texts(values.lookup(field, language="en"))

    if expected is None:
        assert found
        assert all(re.fullmatch("[A-E][A-Z]{2}", text) for text in found)
    else:
        assert set(found) == expected


def test_a_hundred_boxes_with_slow_patterns_take_little_time() -> None:
    suggested = tuple("a" * 99 + str(number) for number in range(50))
    boxes = [box("", pattern=f"(a|a){{14}}{number}", suggestions=suggested) for number in range(100)]
    values = LabelledValueSet(TODAY)
    values.lookup(boxes[0])

    within(1, lambda: [values.lookup(each) for each in boxes])


@pytest.mark.parametrize("label", ["E-mail", "Your name", "Telefon", "Mot de passe", "Order number"])
def test_personal_boxes_never_get_a_value(values: LabelledValueSet, label: str) -> None:
    values.learn_values(label, ["someone"], "test")
    values.succeeded(label, "someone")

    found = values.lookup(box(label, suggestions=("someone",)))

    assert found.values == ()
    assert found.why.startswith("never filled in")
    assert len(values) == 0


def test_values_that_look_personal_are_not_learnt(values: LabelledValueSet) -> None:
    values.learn_values("Seller", ["a.b@c.example", "+49 30 1234567", "ACME"], "test")

    assert texts(values.lookup(box("Seller"))) == ["ACME"]


def test_the_options_of_a_select_teach_the_text_box_with_the_same_label(values: LabelledValueSet) -> None:
    taught = values.learn_form(form(select("Genre", "Any", "Drama", "Comedy")), "a.example")

    found = values.lookup(box("Genre:"))

    assert taught == 2
    assert texts(found) == ["Drama", "Comedy"]
    assert {value.source for value in found.values} == {"from the select 'Genre' of a.example"}


def test_counts_and_marks_of_levels_are_no_part_of_a_value(values: LabelledValueSet) -> None:
    values.learn_form(form(select("Genre", "Drama (1,204)", "-- Comedy [7]", "Area 51")), "a.example")

    assert texts(values.lookup(box("Genre"))) == ["Drama", "Comedy", "Area 51"]


def test_an_option_of_nothing_but_space_costs_no_time(values: LabelledValueSet) -> None:
    spaces = form(select("Genre", "\xa0" * 100_000 + "x", "Drama (7)"))

    within(0.05, lambda: values.learn_form(spaces, "a.example"))


def test_radio_buttons_checkboxes_and_suggestions_teach_too(values: LabelledValueSet) -> None:
    legend = (LabelHint("legend", "Fuel"),)
    values.learn_form(
        form(
            Field("f", "radio", "Petrol", "1", hints=legend),
            Field("f", "radio", "Diesel", "2", hints=legend),
            Field("body", "checkbox", "Estate", "1"),
            Field("body", "checkbox", "Coupé", "2"),
            box("Make", suggestions=("Volvo", "Fiat")),
        ),
        "a.example",
    )

    assert texts(values.lookup(box("Fuel"))) == ["Petrol", "Diesel"]
    assert texts(values.lookup(box("Body"))) == ["Estate", "Coupé"]
    assert texts(values.lookup(box("Make"))) == ["Volvo", "Fiat"]


@pytest.mark.parametrize(
    "field",
    [
        select("Sort by", "Relevance", "Title"),
        select("Results per page", "10", "20"),
        select("Your name", "Mr", "Mrs"),
        Field("terms", "checkbox", "I agree", "1"),
    ],
    ids=["order", "page size", "personal", "one checkbox"],
)
def test_settings_and_personal_lists_teach_nothing(values: LabelledValueSet, field: Field) -> None:
    assert values.learn_form(form(field), "a.example") == 0
    assert len(values) == 0


def test_a_list_without_a_label_teaches_the_category_its_values_belong_to(values: LabelledValueSet) -> None:
    values.learn_form(form(select("", "France", "Italy", "Spain", "Freedonia", name="x1")), "a.example")

    assert "Freedonia" in texts(values.lookup(box("Country"), language="en"))


def test_attributes_of_records_are_learnt(values: LabelledValueSet) -> None:
    values.learn_pairs([("Author", "Jane Austen"), ("Author", "Mark Twain"), ("E-mail", "x")], "a.example")

    found = values.lookup(box("Author"))

    assert texts(found) == ["Jane Austen", "Mark Twain"]
    assert found.values[0].source == "from answers of a.example"
    assert len(values) == 1


def test_learning_a_page_twice_changes_nothing(values: LabelledValueSet) -> None:
    page = form(select("Genre", "Drama", "Comedy"))
    values.learn_form(page, "a.example")
    before = list(values.rows())
    list(values.changes())

    assert values.learn_form(page, "a.example") == 0
    assert list(values.rows()) == before
    assert list(values.changes()) == []


def test_the_larger_weight_counts_where_two_places_teach_one_value(values: LabelledValueSet) -> None:
    values.learn_pairs([("Genre", "drama")], "a.example")
    values.learn_form(form(select("Genre", "Drama", "Comedy")), "b.example")
    values.learn_pairs([("Genre", "Drama")], "c.example")

    weights = {value.text: value.weight for value in values.lookup(box("Genre")).values}

    assert weights == {"drama": 0.8, "Comedy": 0.8}


def test_weights_follow_the_results_of_submissions(values: LabelledValueSet) -> None:
    values.learn_values("Genre", ["Drama", "Comedy", "Noir"], "test", weight=0.6)

    for _ in range(2):
        values.succeeded("Genre", "Comedy")
        values.failed("Genre:", "drama")

    weights = {value.text: value.weight for value in values.lookup(box("Genre")).values}
    assert weights == {
        "Comedy": pytest.approx((4 * 0.6 + 2) / 6, abs=1e-4),
        "Noir": 0.6,
        "Drama": pytest.approx(4 * 0.6 / 6, abs=1e-4),
    }
    assert list(weights) == ["Comedy", "Noir", "Drama"]


def test_built_in_values_that_fail_fall_behind(values: LabelledValueSet) -> None:
    first = texts(values.lookup(box("Country"), language="en"))[0]

    for _ in range(3):
        values.failed("Country", first)

    after = values.lookup(box("Country"), language="en")
    assert texts(after)[0] != first
    assert texts(after).count(first) <= 1


def test_failures_outweigh_the_list_of_the_box_itself(values: LabelledValueSet) -> None:
    field = box("Make", suggestions=("Volvo", "Fiat"))
    values.learn_form(form(field), "a.example")
    values.failed("Make", "Volvo")

    assert texts(values.lookup(field)) == ["Fiat", "Volvo"]


def test_the_number_of_values_is_limited_and_the_least_weights_go_first() -> None:
    values = LabelledValueSet(TODAY, most_values=3)
    values.learn_values("Genre", ["a1", "a2", "a3"], "test", weight=0.5)
    values.succeeded("Genre", "a3")
    values.learn_values("Genre", ["b1", "b2"], "test", weight=0.8)

    assert set(texts(values.lookup(box("Genre")))) == {"b1", "b2", "a3"}


def test_the_number_of_labels_is_limited_and_the_least_weights_go_first() -> None:
    values = LabelledValueSet(TODAY, most_labels=20)
    for number in range(20):
        values.learn_values(f"{chr(97 + number) * 4}", ["x"], "test", weight=0.5 if number else 0.9)
    list(values.changes())

    values.learn_values("another", ["x"], "test", weight=0.9)

    assert len(values) <= 20
    assert "aaaa" in values
    assert "another" in values
    gone = [subject for subject, row in values.changes() if not row]
    assert len(gone) == 21 - len(values)
    assert texts(values.lookup(box(gone[0], name=""), language="xx")) == []


def test_a_set_is_restored_as_it_was_saved(values: LabelledValueSet) -> None:
    values.learn_form(form(select("Genre", "Drama", "Comedy"), language="en"), "a.example")
    values.learn_pairs([("Författare", "Selma Lagerlöf")], "b.example", language="sv")
    values.failed("Genre", "Drama")
    values.succeeded("Country", "France")

    again = LabelledValueSet.from_rows(values.rows(), TODAY)

    assert list(again.rows()) == list(values.rows())
    for field in (box("Genres"), box("Forfattare"), box("Country")):
        assert again.lookup(field, language="en") == values.lookup(field, language="en")


def test_only_changes_are_saved_again(values: LabelledValueSet) -> None:
    kept: dict[str, str] = {}
    values.learn_values("Genre", ["Drama"], "test")
    values.learn_values("Make", ["Volvo"], "test")
    kept.update(values.changes())
    assert set(kept) == {"genre", "make"}

    values.failed("Make", "Volvo")
    changed = dict(values.changes())
    kept.update(changed)

    assert set(changed) == {"make"}
    assert list(values.changes()) == []
    assert list(LabelledValueSet.from_rows(kept.items(), TODAY).rows()) == list(values.rows())


def test_a_forgotten_label_is_an_empty_row_and_does_not_return() -> None:
    again = LabelledValueSet.from_rows([("genre", "")], TODAY)

    assert len(again) == 0


def test_the_users_values_come_first_under_all_their_names(values: LabelledValueSet, tmp_path: Path) -> None:
    values.learn_values("Land", ["Atlantis"], "test")
    path = write_file(
        tmp_path / "values.toml",
        """
        "Release year" = [1999, "2001"]
        [Country]
        aliases = ["Land", "Pays"]
        values = { "Freedonia" = 1.0, "Sylvania" = 0.9, "Germany" = 0 }
        """,
    )

    assert values.load_user_file(path) == 5

    found = values.lookup(box("Pays"), language="en")
    assert texts(found)[:3] == ["Freedonia", "Sylvania", "Atlantis"]
    assert found.values[0].source == USER
    assert "Germany" not in texts(found)  # built in, but the user says never
    assert texts(values.lookup(box("Release year")))[:2] == ["1999", "2001"]


def test_values_removed_from_the_users_file_disappear_but_their_results_are_remembered(
    values: LabelledValueSet, tmp_path: Path
) -> None:
    path = write_file(tmp_path / "values.toml", 'Genre = ["Noir", "Drama"]')
    values.load_user_file(path)
    values.failed("Genre", "Noir")
    kept = dict(values.changes())

    without = LabelledValueSet.from_rows(kept.items(), TODAY)
    again = LabelledValueSet.from_rows(kept.items(), TODAY)
    again.load_user_file(path)

    assert texts(without.lookup(box("Genre"))) == []
    assert [(value.text, value.weight) for value in again.lookup(box("Genre")).values] == [
        ("Drama", 1.0),
        ("Noir", 0.8),
    ]


def test_values_that_the_user_forbids_are_not_forgotten_for_other_labels(tmp_path: Path) -> None:
    values = LabelledValueSet(TODAY, most_labels=20)
    values.load_user_file(write_file(tmp_path / "values.toml", "[Genre]\nvalues = { Noir = 0 }"))
    for number in range(30):
        values.learn_values(f"{chr(97 + number) * 4}", ["x"], "test")

    values.learn_pairs([("Genre", "Noir"), ("Genre", "Drama")], "a.example")

    assert texts(values.lookup(box("Genre"))) == ["Drama"]
    assert len(values) <= 21


def test_values_that_the_user_forbids_are_not_forgotten_for_other_values(tmp_path: Path) -> None:
    values = LabelledValueSet(TODAY, most_values=3)
    values.load_user_file(
        write_file(tmp_path / "values.toml", "[Genre]\nvalues = { a1 = 0, a2 = 0, a3 = 0, a4 = 1 }")
    )

    values.learn_values("Genre", ["b1", "b2", "b3", "b4"], "test", weight=1.0)
    values.learn_values("Genre", ["a1", "a2", "a3"], "test", weight=1.0)

    assert texts(values.lookup(box("Genre"))) == ["a4"]


def test_the_listing_shows_labels_values_weights_and_sources(values: LabelledValueSet) -> None:
    values.learn_values("Genre", ["Drama"], "test")
    values.succeeded("Genre", "Drama")

    listed = dict(values.listing("de"))

    assert [(value.text, value.weight, value.source) for value in listed["Genre"]] == [
        ("Drama", 0.68, "test")
    ]
    assert listed["country"][1].text == "Deutschland"
