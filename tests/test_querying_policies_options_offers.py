"""What controls offer, alone or once something else was chosen, and what people read at it."""

from __future__ import annotations

import json
from itertools import product

from option_shop import DECADES, GENRES, SELECTS, Record, Shop, films, select

from hiddenweb.querying.policies.options.offers import MOST_OFFERED, OfferedOptions
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.query_control import ControlOption, QueryControl


def test_every_query_has_a_value_for_required_controls() -> None:
    shop = Shop(films(), cap=60)
    shop.surface(OptionsPolicy(None, (select("genre", GENRES, must=True), SELECTS[1])))

    assert all("genre" in dict(choices) for _, choices in shop.submitted)
    assert set(shop.found_records) >= {
        number
        for genre, decade in product(GENRES, DECADES)
        for number in shop.found((), [("genre", genre), ("decade", decade)])[:60]
    }


def test_options_that_depend_on_another_control_are_submitted_with_it() -> None:
    cities = {"fr": ("paris", "lyon"), "it": ("rome", "milan", "turin")}
    records = [
        Record((f"n{at}",), {"country": country, "city": city})
        for at, (country, city) in enumerate(
            (country, city) for country, of in cities.items() for city in of for _ in range(40)
        )
    ]
    shop = Shop(records, cap=45)
    policy = OptionsPolicy(None, (select("country", ("fr", "it")), select("city", ())))
    while proposal := policy.next():
        shop.answer(policy, proposal)
        for country, of in cities.items():
            if proposal.choices == (("country", country),):
                policy.offers(
                    "city", [ControlOption(city, city.title()) for city in of], given=proposal.choices
                )

    assert len(shop.found_records) == len(records)
    together = {choices for _, choices in shop.submitted if len(choices) == 2}
    assert all(dict(choices)["city"] in cities[dict(choices)["country"]] for choices in together)
    assert not any(dict(choices).keys() == {"city"} for _, choices in shop.submitted)


CITY = QueryControl("city", "select", (), "City")
COUNTRY = select("country", ("fr", "it"))


def test_options_that_depend_on_others_are_offered_beside_them_only() -> None:
    offers = OfferedOptions([COUNTRY, CITY])
    france = frozenset([("country", "fr")])

    assert offers.add(
        "city", [ControlOption("75", "Paris"), ControlOption("75", "Paris")], [("country", "fr")]
    )
    assert not offers.add("street", [ControlOption("1")])

    assert list(offers.list_options("city", france)) == [("city", "75")]
    assert not offers.is_offered(("city", "75"), frozenset())
    assert offers.is_offered(("city", "75"), france)
    assert not offers.has_options(frozenset(["city"]))
    assert offers.has_options(frozenset(["city", "country"]))


def test_options_are_described_by_their_texts_in_the_order_of_the_form() -> None:
    offers = OfferedOptions([COUNTRY, CITY])
    offers.add("city", [ControlOption("75", "Paris")], [("country", "fr")])
    choices = frozenset([("city", "75"), ("country", "fr")])

    assert offers.sort(choices) == (("country", "fr"), ("city", "75"))
    assert offers.describe(choices) == "country = fr and City = Paris"
    assert offers.describe(frozenset()) == "anything"


def test_required_controls_are_filled_in_with_all_combinations() -> None:
    offers = OfferedOptions([select("genre", ("a", "b"), must=True), select("decade", ("c", "d"), must=True)])

    ways = [dict(choices) for choices in offers.complete(frozenset([("genre", "a")]))]

    assert ways == [{"genre": "a", "decade": "c"}, {"genre": "a", "decade": "d"}]
    assert offers.list_missing(frozenset([("genre", "a")])) == ["decade"]
    assert offers.count_combinations(["genre", "decade", ""]) == 4


def test_dependent_options_are_restored_and_limited() -> None:
    offers, restored = OfferedOptions([COUNTRY, CITY]), OfferedOptions([COUNTRY, CITY])
    options = [ControlOption(str(at)) for at in range(MOST_OFFERED + 1)]
    assert offers.add("city", options, [("country", "fr")])

    restored.restore(json.loads(json.dumps(offers.to_json())))

    assert json.dumps(restored.to_json()) == json.dumps(offers.to_json())
    assert not restored.add("city", [ControlOption("more")], [("country", "it")])
