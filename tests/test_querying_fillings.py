"""Forms without a query box are queried by their controls, the most informative first."""

from __future__ import annotations

from random import Random

from test_querying_plan import ANY, QUERY, box, list_fillings, planned, select

from hiddenweb.model import Field, LabelHint, Option
from hiddenweb.querying.fillings import fillings, fillings_without_box


def test_a_finder_submits_each_choice_of_its_most_informative_select_first() -> None:
    cities = [f"City {number}" for number in range(12)]
    query_plan = planned(
        select("Offer", ANY, "Rent", "Buy"),
        select("City", ANY, *cities),
        select("Sort by", "Price", "Date"),
        select("Language", "English", "German", name="lang"),
    )

    order = list_fillings(query_plan)

    assert order[:12] == [{"city": city.lower()} for city in cities]
    assert order[12:14] == [{"offer": "rent"}, {"offer": "buy"}]
    assert order[14] == {}
    assert order[15] == {"city": "city 0", "offer": "rent"}
    assert len(order) == 12 + 2 + 1 + 24
    assert not any({"sort by", "lang"} & filled.keys() for filled in order)


def test_queries_are_bounded_and_never_repeated() -> None:
    query_plan = planned(
        *(select(f"Thing {at}", ANY, *(f"v{number}" for number in range(40))) for at in range(4))
    )

    order = list_fillings(query_plan, most=150)

    assert len(order) == 150
    assert len({tuple(sorted(filled.items())) for filled in order}) == 150


def test_a_required_select_is_submitted_even_if_others_have_more_choices() -> None:
    query_plan = planned(
        select("City", ANY, *(f"C{number}" for number in range(10))),
        select("Offer", Option("", "Please choose"), "Rent", "Buy", required=True),
    )

    order = list_fillings(query_plan)

    assert order[:2] == [{"offer": "rent"}, {"offer": "buy"}]
    assert all("offer" in filled for filled in order)


def test_radio_buttons_and_checkboxes_are_submitted_by_value() -> None:
    legend = (LabelHint("legend", "Fuel"),)
    query_plan = planned(
        Field("fuel", "radio", "Any", "", checked=True, hints=legend),
        Field("fuel", "radio", "Petrol", "p", hints=legend),
        Field("fuel", "radio", "Diesel", "d", hints=legend),
        Field("body", "checkbox", "Estate", "e"),
        Field("body", "checkbox", "Coupé", "c"),
    )

    order = list_fillings(query_plan)

    assert order[:5] == [{"fuel": "p"}, {"fuel": "d"}, {"body": ("e",)}, {"body": ("c",)}, {}]


def test_a_postcode_finder_gets_postcodes() -> None:
    query_plan = planned(box("ZIP code", name="zip"), select("Radius", "10 miles", "50 miles"))

    assert [filled["zip"] for filled in list_fillings(query_plan)[:3]] == ["10001", "90210", "60601"]
    assert all("radius" not in filled for filled in list_fillings(query_plan))


def test_given_chance_orders_the_choices_and_repeats_itself() -> None:
    query_plan = planned(select("City", ANY, *(f"C{number}" for number in range(20))))

    first, second = (list(fillings_without_box(query_plan, chance=Random(5))) for _ in range(2))

    assert first == second
    assert first != list_fillings(query_plan)
    assert sorted(map(str, first)) == sorted(map(str, list_fillings(query_plan)))


def test_a_form_of_settings_alone_is_not_worth_querying() -> None:
    query_plan = planned(select("Sort by", "Price", "Date"), select("Per page", "10", "20"))

    assert list_fillings(query_plan) == []
    assert query_plan.obstacles == ("it has neither a query box nor a control that is worth querying",)


def test_a_form_with_a_query_box_has_only_fillings_with_words_and_vice_versa() -> None:
    assert list_fillings(planned(QUERY, select("Genre", ANY, "Drama", "Noir"), query_box=0)) == []
    assert list(fillings(planned(select("Genre", ANY, "Drama", "Noir")), "wine")) == []
