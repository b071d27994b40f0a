"""Choices that restrict a search are distinguished from those that do not, in many languages."""

from __future__ import annotations

import pytest

from hiddenweb.model import Field, Form, LabelHint, Option
from hiddenweb.querying.option_groups import (
    any_option,
    groups,
    label_of_group,
    largest_page,
    real_options,
    setting,
)


def select(*options: str | Option, label: str = "Thing", name: str = "thing", **more: object) -> Field:
    made = tuple(option if isinstance(option, Option) else Option(option, option) for option in options)
    return Field(name, "select", label, options=made, **more)  # type: ignore[arg-type]


def form(*fields: Field) -> Form:
    return Form("http://a.example/", "http://a.example/find", "GET", fields)


def group_of(*fields: Field):  # type: ignore[no-untyped-def]
    return next(groups(form(*fields)))


@pytest.mark.parametrize(
    "text",
    [
        "Any", "All", "All categories", "-- Select --", "Please choose", "No preference", "Doesn't matter", "---", "",
        "Alle", "Beliebig", "Egal", "Bitte wählen", "Keine Einschränkung", "Bitte treffen Sie eine Auswahl",
        "Tous", "Toutes les régions", "Indifférent", "Veuillez choisir", "Peu importe",
        "Todos", "Cualquiera", "Seleccione una opción", "Sin preferencia",
        "Tutti", "Qualsiasi", "Scegli un'opzione", "Nessuna preferenza",
        "Wszystkie", "Dowolne", "Proszę wybrać", "Bez znaczenia",
        "Tümü", "Fark etmez", "Lütfen seçiniz", "Herhangi biri",
        "Любой", "Все", "Не важно", "Выберите из списка", "Без ограничений",
        "الكل", "أي", "يرجى الاختيار", "غير محدد",
        "不限", "全部", "请选择", "任意", "すべて", "指定なし", "選択してください", "お選びください", "こだわらない",
        "ทั้งหมด", "กรุณาเลือก", "ไม่จำกัด", "อะไรก็ได้",
    ],
)  # fmt: skip
def test_no_restriction_is_recognised(text: str) -> None:
    group = group_of(select(Option("17", text), "red", "green"))

    assert [option.value for option in real_options(group)] == ["red", "green"]
    found = any_option(group)
    assert found is not None
    assert found.value == "17"


@pytest.mark.parametrize(
    "text", ["Allgäu", "Not yet published", "Alley", "Select works of Goethe and others", "選集"]
)
def test_real_choices_are_not_taken_for_no_restriction(text: str) -> None:
    group = group_of(select("red", "green", "blue", text, "white", "black"))

    assert text in [option.value for option in real_options(group)]


def test_a_choice_that_sends_nothing_restricts_nothing() -> None:
    group = group_of(select(Option("", "The lot"), "red"))

    assert [option.value for option in real_options(group)] == ["red"]


def test_a_first_choice_that_repeats_the_label_restricts_nothing() -> None:
    group = group_of(select("State or region", "Ohio", "Utah", label="State:"))

    assert [option.value for option in real_options(group)] == ["Ohio", "Utah"]


@pytest.mark.parametrize(
    "field",
    [
        select("relevance", "title", label="Sort by"),
        select("a", "b", label="Sortieren nach"),
        select("a", "b", label="並べ替え"),
        select("a", "b", name="sortby", label=""),
        select("rel", "new", name="order", label=""),
        select("Newest", "Oldest", "Price: low to high", label="Show", name="x"),
        select("10", "20", "50", label="Show", name="x"),
        select("a", "b", label="Treffer pro Seite"),
        select("5 miles", "10 miles", "50 miles", label="Where", name="x"),
        select("English", "Deutsch", "Français", "Español", label="", name="x"),
        select("en", "de", label="Language", name="x"),
        select("USD", "EUR", label="Currency", name="x"),
        select("All words", "Any word", "Exact phrase", label="Words", name="x"),
    ],
    ids=lambda field: f"{field.label} {field.name} {field.options[0].text}",
)
def test_settings_are_recognised(field: Field) -> None:
    assert setting(group_of(field)).startswith("it sets ")


@pytest.mark.parametrize(
    "field",
    [
        select(
            Option("", "Any"), "English", "German", "French", "Spanish", label="Language"
        ),  # an attribute of books
        select("Riesling", "Merlot", label="Sorte"),  # German for kind, and no sorting
        select("Arts and crafts", "Health and beauty", label="Category"),
        select("1 star", "2 stars", label="Order of merit"),
        select("English", "German", "French", "Spanish", label="Language", multiple=True),  # none chosen: any
    ],
    ids=lambda field: field.label,
)
def test_attributes_are_no_settings(field: Field) -> None:
    assert setting(group_of(field)) == ""


@pytest.mark.parametrize(
    ("field", "largest"),
    [
        (select("10", "20", "50", "100", label="", name="x"), "100"),
        (select("10 per page", "25 per page", label="Show", name="per_page"), "25 per page"),
        (select("10件", "50件", label="表示件数", name="n"), "50件"),
        (select("10", Option("25", "25", True), "50", label="Rows", name="rows"), "50"),
        (select("100", "500", "1000", label="Limit", name="limit"), "500"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_the_largest_page_is_found(field: Field, largest: str) -> None:
    found = largest_page(group_of(field))

    assert found is not None
    assert found.text == largest


@pytest.mark.parametrize(
    "field",
    [
        select("1", "2", "3", "4", "5", label="Rooms", name="num"),  # no pages are that short
        select("relevance", "title", label="Sort by"),
        select("10", "20", Option("50", "50", True), label="Rows", name="rows"),  # it stands on the most
        select(Option("", "All"), "10", "20", label="Rows", name="rows"),
        select("10", "20", "Map", label="Rows", name="rows"),
        select("10", "20", label="Rows", name="rows", multiple=True),
        select("10 miles", "20 miles", label="Within", name="x"),
        select("2010", "2020", label="Year", name="year"),
    ],
    ids=lambda field: f"{field.label} {len(field.options)}",
)
def test_other_numbers_are_no_pages_to_choose(field: Field) -> None:
    assert largest_page(group_of(field)) is None


def test_radio_buttons_of_one_name_are_one_group_with_the_label_of_their_legend() -> None:
    legend = (LabelHint("legend", "Fuel"),)
    found = list(
        groups(
            form(
                Field("fuel", "radio", "Petrol", "1", hints=legend),
                Field("q", "text"),
                Field("fuel", "radio", "Diesel", "2", checked=True, hints=legend),
            )
        )
    )

    assert [(group.places, label_of_group(group), group.default) for group in found] == [
        ((0, 2), "Fuel", ("2",))
    ]


def test_the_default_of_a_select_is_its_last_selected_or_first_enabled_option() -> None:
    chosen = group_of(select(Option("a", "a", selected=True), Option("b", "b", selected=True), "c"))
    first = group_of(select(Option("a", "a", disabled=True), "b"))
    none = group_of(select("a", "b", multiple=True))

    assert (chosen.default, first.default, none.default) == (("b",), ("b",), ())


def test_disabled_controls_are_no_choices() -> None:
    assert list(groups(form(select("a", disabled=True)))) == []


def test_radio_buttons_without_a_label_are_named_by_their_values() -> None:
    group = group_of(Field("fuel", "radio", "", "petrol"), Field("fuel", "radio", "", "diesel"))

    assert [option.text for option in real_options(group)] == ["petrol", "diesel"]


def test_only_some_options_of_a_huge_form_are_read() -> None:
    huge = [select(*(f"v{number}" for number in range(60)), name=f"s{at}") for at in range(300)]

    found = list(groups(form(*huge)))

    assert len(found) == 300
    assert {len(group.options) for group in found} == {40}
