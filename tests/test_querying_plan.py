"""Plans give each control what it needs and nothing more, and say why; questions follow from them."""

from __future__ import annotations

from contextlib import closing
from datetime import date, datetime
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.forms.field_types import type_of
from hiddenweb.forms.submission import build_submission
from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, Form, LabelHint, Option
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import Filling, QueryPlan, fillings, plan, planned_of, questions, uses
from simweb.messages import Request
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simweb.messages import Response

TODAY = date(2026, 11, 16)


def box(label: str = "", kind: str = "text", **more: object) -> Field:
    return Field(name=str(more.pop("name", "f1")), kind=kind, label=label, **more)  # type: ignore[arg-type]


def select(label: str, *options: str | Option, **more: object) -> Field:
    name = str(more.pop("name", label.lower()))
    made = tuple(
        option if isinstance(option, Option) else Option(option.lower(), option) for option in options
    )
    return Field(name, "select", label, options=made, **more)  # type: ignore[arg-type]


def planned(
    *fields: Field, query_box: int | None = None, language: str = "en", values: LabelledValueSet | None = None
) -> QueryPlan:
    form = Form("http://a.example/", "http://a.example/find", "GET", fields, language=language)
    return plan(form, query_box, values or LabelledValueSet(TODAY))


def asked(made: QueryPlan, most: int = 200) -> list[Filling]:
    return list(questions(made, most=most))


QUERY = box("Search", name="q", kind="search")
ANY = Option("", "Any")


# Forms with a query box


def test_the_query_box_gets_the_keyword_and_all_else_stays_as_it_stands() -> None:
    made = planned(
        QUERY,
        select("Genre", ANY, "Drama", "Comedy"),
        select("Sort by", "Relevance", "Newest", name="sort"),
        box("Year from", name="y1"),
        box("", "hidden", name="token", value="abc"),
        Field("new", "checkbox", "New only", "1"),
        query_box=0,
    )

    assert list(fillings(made, "wine")) == [{"q": "wine"}]
    assert [control.role for control in made.controls] == [
        "keyword box",
        "fixed",
        "fixed",
        "empty",
        "fixed",
        "fixed",
    ]
    assert all(control.why for control in made.controls)


def test_a_required_select_on_please_choose_gets_its_choices_in_turn() -> None:
    made = planned(
        QUERY, select("Genre", Option("", "Please choose"), "Drama", "Comedy", required=True), query_box=0
    )

    assert list(fillings(made, "wine")) == [{"q": "wine", "genre": "drama"}, {"q": "wine", "genre": "comedy"}]


def test_a_required_select_is_set_to_any_where_that_is_sent() -> None:
    chosen = select("Genre", ANY, "Drama", Option("all", "All genres"), required=True)
    made = planned(QUERY, chosen, query_box=0)

    assert list(fillings(made, "wine")) == [{"q": "wine", "genre": "all"}]
    genre = planned_of(made, 1)
    assert genre is not None
    assert "no restriction" in genre.why


def test_a_required_select_that_stands_on_a_value_stays_there() -> None:
    made = planned(QUERY, select("Genre", "Drama", "Comedy", required=True), query_box=0)

    assert list(fillings(made, "wine")) == [{"q": "wine"}]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (box("Country", required=True), "United States"),
        (box("Land *", required=False), "United States"),
        (box("Year", required=True), "2026"),
        (box("Day", "date", required=True), "2026-11-16"),
        (box("Date", required=True, placeholder="dd/mm/yyyy"), "16/11/2026"),
        (box("ZIP code", required=True), "10001"),
        (box("Rooms", "number", required=True, minimum="2", maximum="5"), "2"),
    ],
)
def test_a_required_box_gets_a_value_of_its_type(field: Field, value: str) -> None:
    made = planned(QUERY, field, query_box=0)

    assert list(fillings(made, "wine")) == [{"q": "wine", "f1": value}]


def test_a_required_box_gets_what_was_learnt_for_its_label() -> None:
    values = LabelledValueSet(TODAY)
    values.learn_values("Make", ["Volvo"], "test")

    made = planned(QUERY, box("Make", required=True), query_box=0, values=values)

    filled = next(fillings(made, "wine"))
    assert filled == {"q": "wine", "f1": "Volvo"}
    assert list(uses(made, filled)) == [("Make", "Volvo")]


def test_the_same_name_twice_gets_a_value_each() -> None:
    made = planned(box("Words", name="q"), box("", name="q", value="kept"), query_box=0)

    assert list(fillings(made, "wine")) == [{"q": ("wine", "kept")}]


# What is never filled in


@pytest.mark.parametrize(
    "field",
    [
        box("E-mail", required=True),
        box("", "password", required=True),
        box("Your name *"),
        box("Order number", required=True),
        box("Message", "textarea", required=True),
        Field("terms", "checkbox", "I accept the terms", "1", required=True),
    ],
    ids=["e-mail", "password", "name", "order number", "text area", "consent"],
)
def test_a_form_that_requires_what_is_never_filled_in_cannot_be_filled(field: Field) -> None:
    made = planned(QUERY, field, query_box=0)

    assert not made.can_be_filled
    assert list(fillings(made, "wine")) == []
    assert field.label in made.obstacles[0] or field.name in made.obstacles[0]


@pytest.mark.parametrize(
    "field",
    [
        box("Website", unseen=True, required=True),
        box("Leave this field blank", required=True),
        box("", name="url2"),
        box("E-mail"),
        box("Year", disabled=True, required=True),
        Field("", "text", "Year", required=True),
    ],
    ids=["unseen", "leave blank", "trap name", "optional e-mail", "disabled", "nameless"],
)
def test_traps_and_what_is_not_sent_stay_empty_and_stop_nothing(field: Field) -> None:
    made = planned(QUERY, field, query_box=0)

    assert made.can_be_filled
    assert list(fillings(made, "wine")) == [{"q": "wine"}]
    other = planned_of(made, 1)
    assert other is not None
    assert other.role == "never"


def test_a_query_box_made_for_an_e_mail_address_gets_no_keyword() -> None:
    made = planned(box("Search", "email", name="q"), query_box=0)

    assert list(fillings(made, "wine")) == []
    assert "query box" in made.obstacles[0]


@pytest.mark.parametrize("label", ["Search by name", "Name", "Szukane hasło", "Search for a phone number"])
def test_a_query_box_may_search_by_what_would_be_personal_elsewhere(label: str) -> None:
    made = planned(box(label, name="q"), query_box=0)

    assert list(fillings(made, "wine")) == [{"q": "wine"}]


def test_a_required_box_without_any_value_is_an_obstacle_with_a_reason() -> None:
    made = planned(QUERY, box("Frobnication", required=True), query_box=0)

    [obstacle] = made.obstacles
    assert obstacle.startswith(
        "'Frobnication' is required and gets no value: the page requires it; no known label"
    )


# Ranges


@pytest.mark.parametrize(
    ("low", "high", "widest"),
    [
        (
            box("Year from", name="a", required=True),
            box("Year to", name="b", required=True),
            ("1900", "2026"),
        ),
        (
            box("Von", name="a", required=True, placeholder="TT.MM.JJJJ"),
            box("Bis", name="b", required=True, placeholder="TT.MM.JJJJ"),
            ("01.01.1900", "31.12.2026"),
        ),
        (
            box("From", "number", name="a", required=True, minimum="10", maximum="90"),
            box("To", "number", name="b", required=True, minimum="10", maximum="90"),
            ("10", "90"),
        ),
        (box("Price from", name="a", required=True), box("to", name="b", required=True), ("0", "1000000")),
        (
            box("Posted from", "date", name="a", required=True, minimum="2020-01-01"),
            box("Posted to", "date", name="b", required=True, maximum="2026-11-16"),
            ("2020-01-01", "2026-11-16"),
        ),
        (
            box("Year from", "number", name="a", required=True, minimum="1990", maximum="2020"),
            box("Year to", "number", name="b", required=True, minimum="1990", maximum="2020"),
            ("1990", "2020"),
        ),
    ],
    ids=[
        "years",
        "dates with a form",
        "numbers with limits",
        "type of one end",
        "dates with limits",
        "years with limits",
    ],
)
def test_a_required_range_gets_its_widest_extent(low: Field, high: Field, widest: tuple[str, str]) -> None:
    made = planned(QUERY, low, high, query_box=0)

    assert list(fillings(made, "wine")) == [{"q": "wine", "a": widest[0], "b": widest[1]}]


def test_an_optional_range_stays_open_beside_a_query_box() -> None:
    made = planned(QUERY, box("Year from", name="a"), box("Year to", name="b"), query_box=0)

    assert list(fillings(made, "wine")) == [{"q": "wine"}]


@pytest.mark.parametrize(
    "ends",
    [
        (box("Year from", name="a"), box("Year to", name="b")),
        (box("Preis von", name="a"), box("Preis bis", name="b")),
        (
            box("From", "number", name="a", minimum="0", maximum="100", step="10"),
            box("To", "number", name="b", minimum="0", maximum="100", step="10"),
        ),
        (box("", "date", name="date_from"), box("", "date", name="date_to")),
    ],
    ids=["years", "prices", "steps", "dates"],
)
def test_windows_of_a_range_are_in_order_and_do_not_overlap(ends: tuple[Field, Field]) -> None:
    made = planned(*ends)

    windows = [
        (in_order(filled[ends[0].name]), in_order(filled[ends[1].name])) for filled in asked(made) if filled
    ]

    assert len(windows) >= 3
    assert all(low <= high for low, high in windows)
    windows.sort()
    assert all(before[1] < after[0] for before, after in pairwise(windows))


def in_order(text: str | tuple[str, ...]) -> float:
    assert isinstance(text, str)
    return datetime.fromisoformat(text).timestamp() if text.count("-") == 2 else float(text)


def test_from_and_to_of_a_journey_are_no_range() -> None:
    made = planned(box("From", name="a"), box("To", name="b"))

    assert made.ranges == ()


# Forms without a query box


def test_a_finder_asks_each_choice_of_its_most_informative_select_first() -> None:
    cities = [f"City {number}" for number in range(12)]
    made = planned(
        select("Offer", ANY, "Rent", "Buy"),
        select("City", ANY, *cities),
        select("Sort by", "Price", "Date"),
        select("Language", "English", "German", name="lang"),
    )

    order = asked(made)

    assert order[:12] == [{"city": city.lower()} for city in cities]
    assert order[12:14] == [{"offer": "rent"}, {"offer": "buy"}]
    assert order[14] == {}
    assert order[15] == {"city": "city 0", "offer": "rent"}
    assert len(order) == 12 + 2 + 1 + 24
    assert not any({"sort by", "lang"} & filled.keys() for filled in order)


def test_questions_are_bounded_and_never_repeated() -> None:
    made = planned(*(select(f"Thing {at}", ANY, *(f"v{number}" for number in range(40))) for at in range(4)))

    order = asked(made, most=150)

    assert len(order) == 150
    assert len({tuple(sorted(filled.items())) for filled in order}) == 150


def test_a_select_that_must_be_chosen_is_asked_even_if_others_have_more_choices() -> None:
    made = planned(
        select("City", ANY, *(f"C{number}" for number in range(10))),
        select("Offer", Option("", "Please choose"), "Rent", "Buy", required=True),
    )

    order = asked(made)

    assert order[:2] == [{"offer": "rent"}, {"offer": "buy"}]
    assert all("offer" in filled for filled in order)


def test_radio_buttons_and_checkboxes_are_asked_by_value() -> None:
    legend = (LabelHint("legend", "Fuel"),)
    made = planned(
        Field("fuel", "radio", "Any", "", checked=True, hints=legend),
        Field("fuel", "radio", "Petrol", "p", hints=legend),
        Field("fuel", "radio", "Diesel", "d", hints=legend),
        Field("body", "checkbox", "Estate", "e"),
        Field("body", "checkbox", "Coupé", "c"),
    )

    order = asked(made)

    assert order[:5] == [{"fuel": "p"}, {"fuel": "d"}, {"body": ("e",)}, {"body": ("c",)}, {}]


def test_a_postcode_finder_asks_postcodes() -> None:
    made = planned(box("ZIP code", name="zip"), select("Radius", "10 miles", "50 miles"))

    assert [filled["zip"] for filled in asked(made)[:3]] == ["10001", "90210", "60601"]
    assert all("radius" not in filled for filled in asked(made))


def test_chance_that_is_handed_in_orders_the_choices_and_gives_the_same_twice() -> None:
    made = planned(select("City", ANY, *(f"C{number}" for number in range(20))))

    first, second = (list(questions(made, chance=Random(5))) for _ in range(2))

    assert first == second
    assert first != asked(made)
    assert sorted(map(str, first)) == sorted(map(str, asked(made)))


def test_a_form_of_settings_alone_is_not_worth_asking() -> None:
    made = planned(select("Sort by", "Price", "Date"), select("Per page", "10", "20"))

    assert asked(made) == []
    assert made.obstacles == ("it has neither a query box nor a control that is worth asking by",)


def test_a_form_with_a_query_box_has_no_questions_of_its_own_and_the_other_way_round() -> None:
    assert asked(planned(QUERY, select("Genre", ANY, "Drama", "Noir"), query_box=0)) == []
    assert list(fillings(planned(select("Genre", ANY, "Drama", "Noir")), "wine")) == []


# Forms of a small web


def test_finders_give_most_of_their_records_and_settings_are_never_asked() -> None:
    records = found = finders = 0
    with closing(World(23, 60, pages_per_site=20, largest_database=150, text_bytes=500)) as world:
        truth = Truth(world)
        for site in truth.sites(databases=True):
            if site.plan.database is None or site.plan.database.style not in ("finder", "dependent"):
                continue
            placed = next(one for one in truth.forms(site.plan.host) if one.form.is_search)
            page = read_page(answered(world, placed.page).body, placed.page)
            form = next(form for form in page.forms if urlsplit(form.action).path == placed.form.action)
            meanings = {field.name: field.meaning for field in placed.form.fields}
            brought: set[int] = set()
            for filled in questions(plan(form, None, LabelledValueSet(TODAY)), most=60):
                assert {meanings[name] for name in filled} <= {"choice"}
                brought.update(answered(world, build_submission(form, filled).url).records)
            finders += 1
            records += sum(1 for _ in truth.records(site.plan.host))
            found += len(brought)

    assert finders >= 4
    assert found >= 0.75 * records


def answered(world: World, url: str) -> Response:
    parts = urlsplit(url)
    response = world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
    assert response is not None
    location = dict(response.headers).get("Location")
    return answered(world, urljoin(url, location)) if location else response


# Any form


KINDS = ("text", "search", "hidden", "select", "radio", "checkbox", "number", "date", "email", "password", "textarea", "file",
         "submit", "range", "tel", "month", "")  # fmt: skip
LABELS = ("Year from", "Year to", "Country", "E-mail", "Name", "Genre", "Price min", "Price max", "Leave blank", "", "Sort by",
          "Datum von", "bis", "色", "Password", "Search")  # fmt: skip
OPTIONS = st.lists(
    st.builds(
        Option,
        st.sampled_from(("", "a", "b", "all")),
        st.sampled_from(("Any", "A", "B", "")),
        st.booleans(),
        st.booleans(),
    ),
    max_size=4,
)
FIELDS = st.builds(
    Field,
    name=st.sampled_from(("", "a", "b", "c", "d", "url2", "email")),
    kind=st.sampled_from(KINDS),
    label=st.sampled_from(LABELS),
    value=st.sampled_from(("", "x", "5", "2020-01-01")),
    options=OPTIONS.map(tuple),
    placeholder=st.sampled_from(("", "dd/mm/yyyy", "yyyy")),
    required=st.booleans(),
    disabled=st.booleans(),
    readonly=st.booleans(),
    multiple=st.booleans(),
    checked=st.booleans(),
    unseen=st.booleans(),
    max_length=st.sampled_from((None, 0, 3, -1)),
    minimum=st.sampled_from(("", "0", "1990", "x", "1e400", "2020-01-01", "-1e14")),
    maximum=st.sampled_from(("", "5", "2000", "-1", "nan", "1e14")),
    step=st.sampled_from(("", "any", "0", "0.1", "-3", "1e-320")),
    pattern=st.sampled_from(("", "[0-9]+", "(", "[a-z]{2}")),
)


@given(st.lists(FIELDS, max_size=7), st.integers(-1, 6))
@settings(max_examples=400)
def test_whatever_a_form_has_its_plan_fills_only_what_may_be_filled(fields: Sequence[Field], at: int) -> None:
    query_box = at if 0 <= at < len(fields) and fields[at].kind in ("text", "search", "") else None
    made = planned(*fields, query_box=query_box)
    order = [*list(fillings(made, "wine"))[:20], *asked(made, most=30)]

    names = {field.name for field in fields if field.name and not field.disabled}
    for filled in order:
        assert filled.keys() <= names
    for place, field in enumerate(fields):
        if place != query_box and (
            field.kind in ("email", "password", "tel", "file") or type_of(field, "en").personal
        ):
            control = planned_of(made, place)
            assert control is None or control.value is None or field.kind in ("select", "radio", "checkbox")
    for pair in made.ranges:
        for low, high in (*pair.windows, pair.widest):
            if low.isdecimal() and high.isdecimal():
                assert int(low) <= int(high)
    assert made.can_be_filled or order == []
    assert sorted(place for control in made.controls for place in control.places) == [
        place for place, field in enumerate(fields) if field.kind != "submit"
    ]


def test_a_form_that_insists_gets_a_choice_wherever_it_stands_on_nothing() -> None:
    fields = (QUERY, select("Genre", ANY, "Jazz", "Blues"), select("Sort", "Title", "Year"))
    form = Form("http://a.example/", "http://a.example/find", "GET", fields, language="en")

    lenient = plan(form, 0, LabelledValueSet(TODAY))
    insisting = plan(form, 0, LabelledValueSet(TODAY), insists=True)

    assert list(fillings(lenient, "tea")) == [{"q": "tea"}]
    assert list(fillings(insisting, "tea")) == [{"q": "tea", "genre": "jazz"}, {"q": "tea", "genre": "blues"}]
    assert "came again" in insisting.controls[1].why
