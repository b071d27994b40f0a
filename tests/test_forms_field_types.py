"""What a control wants is decided by what the page says about it, and what is personal is never mistaken for anything else."""

from __future__ import annotations

import pytest

from hiddenweb.forms.field_types import (
    date_format,
    is_required,
    label_words,
    range_end,
    reason_to_leave_empty,
    type_of,
)
from hiddenweb.model import Field, LabelHint


def box(label: str = "", kind: str = "text", **more: object) -> Field:
    return Field(name=str(more.pop("name", "f1")), kind=kind, label=label, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "wanted"),
    [
        (box("When", "date"), "date"),
        (box("", "month"), "month of a year"),
        (box("", "color"), "colour code"),
        (box("Level of something", "range"), "number"),
        (box("Baujahr", "number"), "year"),  # the words say more than the type
        (box("", autocomplete="country-name"), "country"),
        (box("", autocomplete="section-a shipping postal-code"), "zip"),
        (box("Seit", placeholder="TT.MM.JJJJ"), "date"),
        (box("Since (dd/mm/yyyy)"), "date"),
        (box("Since", placeholder="2020"), "year"),
        (box("Opens at", placeholder="hh:mm"), "time"),
        (box("Country"), "country"),
        (box("Land:"), "country"),
        (box("Bundesland"), "state"),
        (box("Pays de fabrication"), "country"),
        (box("País"), "country"),
        (box("Ülke"), "country"),
        (box("Страна"), "country"),
        (box("الدولة"), "country"),
        (box("国家"), "country"),
        (box("ประเทศ"), "country"),
        (box("Sprache des Buchs"), "language"),
        (box("言語"), "language"),
        (box("Währung"), "currency"),
        (box("Année"), "year"),
        (box("Año"), "year"),
        (box("ปี"), "year"),
        (box("発行年"), "year"),
        (box("Código postal"), "zip"),
        (box("CAP"), "zip"),
        (box("郵便番号"), "zip"),
        (box("ISBN-13"), "isbn"),
        (box("Höchstpreis"), "price"),
        (box("Цена до"), "price"),
        (box("Farbe"), "colour"),
        (box("Miasto"), "city"),
        (box("Address, city or zip"), "city"),  # where, and not where somebody lives
        (box("Mileage"), "number"),
        (box("", name="search[country]"), "country"),
        (box("", name="txtZipCode"), "zip"),
        (box("", hints=(LabelHint("cell before", "Release date"),)), "date"),
        (box("", pattern="[0-9]{5}"), "zip"),
        (box("Words"), ""),
        (box("Product", name="name"), ""),
        (box("Title"), ""),
        (box("Band"), ""),
        (box("Land area"), ""),
        (box("", name="data[search]"), ""),  # English and a name: not the Italian word for date
    ],
)
def test_a_type_is_recognised(field: Field, wanted: str) -> None:
    found = type_of(field)

    assert found.name == wanted, found
    assert not found.personal
    assert found.why


@pytest.mark.parametrize(
    "field",
    [
        box("", "email"),
        box("", "tel"),
        box("", "password"),
        box("", "file"),
        box("", autocomplete="given-name"),
        box("", autocomplete="billing cc-number"),
        box("", autocomplete="bday-year"),
        box("E-Mail"),
        box("Your e-mail address"),
        box("Name"),
        box("Your name:"),
        box("Vorname"),
        box("Nom de famille"),
        box("Apellidos"),
        box("Cognome"),
        box("Imię i nazwisko"),
        box("Soyadınız"),
        box("Фамилия"),
        box("البريد الإلكتروني"),
        box("邮箱"),
        box("メールアドレス"),
        box("อีเมล"),
        box("Telefonnummer"),
        box("手机号码"),
        box("Mot de passe"),
        box("Straße und Hausnummer"),
        box("Credit card number"),
        box("Date of birth", "date"),  # a date, but somebody's
        box("Geburtsjahr"),
        box("Order number"),
        box("Gutscheincode"),
        box("验证码"),
        box("Comments"),
        box("Matkapuhelin", name="mobile"),
        box("Words", name="user_email"),  # the label is harmless, the name is not
        box("Country", hints=(LabelHint("aria", "Country of your passport number"),)),
    ],
)
def test_personal_controls_are_recognised_before_any_type(field: Field) -> None:
    found = type_of(field)

    assert found.personal, found
    assert found.why


def test_a_neighbour_that_speaks_of_people_does_not_make_a_control_personal() -> None:
    field = box("Country", hints=(LabelHint("label", "Country"), LabelHint("text before", "Your e-mail")))

    assert not type_of(field).personal


@pytest.mark.parametrize(("language", "wanted"), [("it", "date"), ("pl", "date"), ("en", "")])
def test_some_words_mean_a_type_in_one_language_only(language: str, wanted: str) -> None:
    assert type_of(box("Data"), language).name == wanted


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("dd/mm/yyyy", "%d/%m/%Y"),
        ("MM/DD/YYYY", "%m/%d/%Y"),
        ("JJ/MM/AAAA", "%d/%m/%Y"),
        ("gg.aa.yyyy", "%d.%m.%Y"),  # Turkish
        ("дд.мм.гггг", "%d.%m.%Y"),
        ("rrrr-mm-dd", "%Y-%m-%d"),
        ("like 31.12.2020", "%d.%m.%Y"),
        ("12/31/2020", "%m/%d/%Y"),
        ("YYYY年MM月DD日", "%Y年%m月%d日"),
        ("mm/yyyy", "%m/%Y"),
        ("99/99/9999", ""),
        ("mad/mad/mad", ""),
        ("10.0.0.1", ""),
    ],
)
def test_the_form_of_a_date_is_read_from_what_is_shown(text: str, form: str) -> None:
    assert date_format(text) == form


@pytest.mark.parametrize(
    ("language", "form"), [("de", "%d.%m.%Y"), ("fr", "%d/%m/%Y"), ("en", "%Y-%m-%d"), ("", "%Y-%m-%d")]
)
def test_without_anything_shown_a_date_is_written_as_the_language_writes_it(language: str, form: str) -> None:
    assert type_of(box("Date"), language).format == form


@pytest.mark.parametrize(
    ("label", "name", "end"),
    [
        ("Year from", "y", "from"),
        ("Jahr bis", "y", "to"),
        ("Année de", "y", "from"),
        ("Année à", "y", "to"),
        ("Rok do", "y", "to"),
        ("Год с", "y", "from"),
        ("السعر من", "y", "from"),
        ("開始年", "y", "from"),
        ("終了年", "y", "to"),
        ("ราคาสูงสุด", "y", "to"),
        ("最低价", "y", "from"),
        ("Minimum price", "y", "from"),
        ("", "price_max", "to"),
        ("Price", "price", ""),
        ("Nom de la ville", "y", ""),  # "de" in the middle says nothing
    ],
)
def test_the_ends_of_ranges_are_told_apart(label: str, name: str, end: str) -> None:
    assert range_end(box(label, name=name)) == end


@pytest.mark.parametrize(
    "field",
    [
        box("Website", unseen=True),
        box("Leave this field empty"),
        box("Bitte nicht ausfüllen"),
        box("Ne pas remplir"),
        box("この欄には入力しないでください"),
        box("", name="url2"),
        box("", name="my_honeypot"),
        box("", hints=(LabelHint("aria", "do not fill this in"),)),
    ],
)
def test_traps_for_programs_are_recognised(field: Field) -> None:
    assert reason_to_leave_empty(field)


@pytest.mark.parametrize(
    "field", [box("Website", name="website"), box("Empty houses"), box("", name="hpage")]
)
def test_ordinary_boxes_are_no_traps(field: Field) -> None:
    assert reason_to_leave_empty(field) == ""


def test_a_star_at_a_label_means_required() -> None:
    assert is_required(box("Country *")) == "its label has a star"
    assert is_required(box("Rating: 5* hotels")) == ""
    assert is_required(box("Country", required=True)) == "the page requires it"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Country", "Please choose your country *:"),
        ("Année", "ANNÉE de"),
        ("Genre", "genre:"),
        ("f author", "Author"),
        ("ปี", "ปี :"),
    ],
)
def test_labels_are_equal_without_what_surrounds_them(one: str, other: str) -> None:
    assert label_words(one) == label_words(other)
