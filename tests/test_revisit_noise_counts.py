"""Counts of the places of pages."""

from __future__ import annotations

from hiddenweb.revisit.noise_counts import (
    MOST_REMEMBERED,
    OwnCount,
    PlaceCounts,
    TemplateNoise,
    counts_from_json,
    counts_to_json,
    is_noise_of_page,
    update_own_counts,
)
from hiddenweb.revisit.noise_place import NoisePlace

VIEWS = NoisePlace("number", "viewed # times")
PRICE = NoisePlace("money", "only #")


def counts(pages: int, *, is_later: bool) -> PlaceCounts:
    place_counts = PlaceCounts(0.0)
    for page in range(pages):
        place_counts.count_change(page, 100 + page, is_later=is_later, is_return=False)
    return place_counts


def test_a_number_is_noise_when_it_changed_on_two_pages_and_in_a_later_interval() -> None:
    assert not counts(2, is_later=False).is_noise(VIEWS)
    assert counts(2, is_later=True).is_noise(VIEWS)
    assert counts(4, is_later=False).is_noise(VIEWS)  # to another number on each of them


def test_money_is_never_noise() -> None:
    assert not counts(20, is_later=True).is_noise(PRICE)
    assert not is_noise_of_page(OwnCount(PRICE, 9, 9), in_a_row=2)


def test_counts_go_through_json_and_remember_few_pages() -> None:
    many = counts(50, is_later=True)

    assert len(many.pages) == MOST_REMEMBERED
    assert counts_from_json(counts_to_json(many)) == many


def test_a_template_forgets_the_least_useful_places() -> None:
    template = TemplateNoise()
    template.counts(VIEWS, 5.0).count_change(1, 1, is_later=False, is_return=False)
    for number in range(400):
        template.counts(NoisePlace("text", f"text {number}"), 1.0)

    assert len(template.places) < 400
    assert VIEWS in template.places


def test_a_revisit_at_which_nothing_changed_counts_for_all_places_of_the_page() -> None:
    (own,) = update_own_counts([OwnCount(VIEWS, 2, 3)], ())

    assert own == OwnCount(VIEWS, 2, 4, unchanged=1)
