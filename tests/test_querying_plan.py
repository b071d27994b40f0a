"""Plans give each control what it needs and nothing more, and say why; queries follow from them."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.forms.field_types import type_of
from hiddenweb.forms.submission import build_submission
from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, Form, Option
from hiddenweb.querying.fillings import Filling, fillings, fillings_without_box, list_used_values
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import QueryPlan, plan, planned_of
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
    query_plan = tuple(
        option if isinstance(option, Option) else Option(option.lower(), option) for option in options
    )
    return Field(name, "select", label, options=query_plan, **more)  # type: ignore[arg-type]


def planned(
    *fields: Field, query_box: int | None = None, language: str = "en", values: LabelledValueSet | None = None
) -> QueryPlan:
    form = Form("http://a.example/", "http://a.example/find", "GET", fields, language=language)
    return plan(form, query_box, values or LabelledValueSet(TODAY))


def list_fillings(query_plan: QueryPlan, most: int = 200) -> list[Filling]:
    return list(fillings_without_box(query_plan, most=most))


QUERY = box("Search", name="q", kind="search")
ANY = Option("", "Any")


# Forms with a query box


def test_the_query_box_gets_the_keyword_and_other_controls_keep_their_values() -> None:
    query_plan = planned(
        QUERY,
        select("Genre", ANY, "Drama", "Comedy"),
        select("Sort by", "Relevance", "Newest", name="sort"),
        box("Year from", name="y1"),
        box("", "hidden", name="token", value="abc"),
        Field("new", "checkbox", "New only", "1"),
        query_box=0,
    )

    assert list(fillings(query_plan, "wine")) == [{"q": "wine"}]
    assert [control.role for control in query_plan.controls] == [
        "keyword box",
        "fixed",
        "fixed",
        "empty",
        "fixed",
        "fixed",
    ]
    assert all(control.why for control in query_plan.controls)


def test_a_required_select_on_please_choose_gets_its_choices_in_turn() -> None:
    query_plan = planned(
        QUERY, select("Genre", Option("", "Please choose"), "Drama", "Comedy", required=True), query_box=0
    )

    assert list(fillings(query_plan, "wine")) == [
        {"q": "wine", "genre": "drama"},
        {"q": "wine", "genre": "comedy"},
    ]


def test_a_required_select_is_set_to_any_where_that_is_sent() -> None:
    chosen = select("Genre", ANY, "Drama", Option("all", "All genres"), required=True)
    query_plan = planned(QUERY, chosen, query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": "wine", "genre": "all"}]
    genre = planned_of(query_plan, 1)
    assert genre is not None
    assert "no restriction" in genre.why


def test_a_required_select_with_a_default_keeps_it() -> None:
    query_plan = planned(QUERY, select("Genre", "Drama", "Comedy", required=True), query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": "wine"}]


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
    query_plan = planned(QUERY, field, query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": "wine", "f1": value}]


def test_a_required_box_gets_what_was_learnt_for_its_label() -> None:
    values = LabelledValueSet(TODAY)
    values.learn_values("Make", ["Volvo"], "test")

    query_plan = planned(QUERY, box("Make", required=True), query_box=0, values=values)

    filled = next(fillings(query_plan, "wine"))
    assert filled == {"q": "wine", "f1": "Volvo"}
    assert list(list_used_values(query_plan, filled)) == [("Make", "Volvo")]


def test_the_same_name_twice_gets_a_value_each() -> None:
    query_plan = planned(box("Words", name="q"), box("", name="q", value="kept"), query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": ("wine", "kept")}]


# Forms of a small web


def test_finders_show_most_of_their_records_and_settings_are_never_submitted() -> None:
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
            for filled in fillings_without_box(plan(form, None, LabelledValueSet(TODAY)), most=60):
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
def test_a_plan_fills_in_only_controls_that_may_be_filled_in(fields: Sequence[Field], at: int) -> None:
    query_box = at if 0 <= at < len(fields) and fields[at].kind in ("text", "search", "") else None
    query_plan = planned(*fields, query_box=query_box)
    order = [*list(fillings(query_plan, "wine"))[:20], *list_fillings(query_plan, most=30)]

    names = {field.name for field in fields if field.name and not field.disabled}
    for filled in order:
        assert filled.keys() <= names
    for place, field in enumerate(fields):
        if place != query_box and (
            field.kind in ("email", "password", "tel", "file") or type_of(field, "en").personal
        ):
            control = planned_of(query_plan, place)
            assert control is None or control.value is None or field.kind in ("select", "radio", "checkbox")
    for pair in query_plan.ranges:
        for low, high in (*pair.windows, pair.widest):
            if low.isdecimal() and high.isdecimal():
                assert int(low) <= int(high)
    assert query_plan.can_be_filled or order == []
    assert sorted(place for control in query_plan.controls for place in control.places) == [
        place for place, field in enumerate(fields) if field.kind != "submit"
    ]


def test_a_form_that_insists_gets_a_choice_wherever_it_has_none() -> None:
    fields = (QUERY, select("Genre", ANY, "Jazz", "Blues"), select("Sort", "Title", "Year"))
    form = Form("http://a.example/", "http://a.example/find", "GET", fields, language="en")

    lenient = plan(form, 0, LabelledValueSet(TODAY))
    insisting = plan(form, 0, LabelledValueSet(TODAY), insists=True)

    assert list(fillings(lenient, "tea")) == [{"q": "tea"}]
    assert list(fillings(insisting, "tea")) == [{"q": "tea", "genre": "jazz"}, {"q": "tea", "genre": "blues"}]
    assert "came again" in insisting.controls[1].why
