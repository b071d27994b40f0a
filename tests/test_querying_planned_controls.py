"""What is never filled in, and what that does to a form."""

from __future__ import annotations

import pytest
from test_querying_plan import QUERY, box, planned

from hiddenweb.model import Field
from hiddenweb.querying.fillings import fillings
from hiddenweb.querying.plan import planned_of


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
    query_plan = planned(QUERY, field, query_box=0)

    assert not query_plan.can_be_filled
    assert list(fillings(query_plan, "wine")) == []
    assert field.label in query_plan.obstacles[0] or field.name in query_plan.obstacles[0]


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
def test_traps_and_unsent_controls_stay_empty_and_are_no_obstacles(field: Field) -> None:
    query_plan = planned(QUERY, field, query_box=0)

    assert query_plan.can_be_filled
    assert list(fillings(query_plan, "wine")) == [{"q": "wine"}]
    other = planned_of(query_plan, 1)
    assert other is not None
    assert other.role == "never"


def test_a_query_box_made_for_an_e_mail_address_gets_no_keyword() -> None:
    query_plan = planned(box("Search", "email", name="q"), query_box=0)

    assert list(fillings(query_plan, "wine")) == []
    assert "query box" in query_plan.obstacles[0]


@pytest.mark.parametrize("label", ["Search by name", "Name", "Szukane hasło", "Search for a phone number"])
def test_a_query_box_may_search_by_what_would_be_personal_elsewhere(label: str) -> None:
    query_plan = planned(box(label, name="q"), query_box=0)

    assert list(fillings(query_plan, "wine")) == [{"q": "wine"}]


def test_a_required_box_without_any_value_is_an_obstacle_with_a_reason() -> None:
    query_plan = planned(QUERY, box("Frobnication", required=True), query_box=0)

    [obstacle] = query_plan.obstacles
    assert obstacle.startswith(
        "'Frobnication' is required and gets no value: the page requires it; no known label"
    )
