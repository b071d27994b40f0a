"""Which button is pressed, and what it says."""

from __future__ import annotations

import pytest

from hiddenweb.forms.buttons import (
    button_to_press,
    find_objection,
    says_go,
    says_only_send,
    says_search,
    says_send_search,
    shows_results,
    speaks_of_own,
)
from hiddenweb.model import Field, Form


def button(label: str) -> Field:
    return Field("", "submit", label=label)


@pytest.mark.parametrize(
    "label",
    ["Search", "Suche starten", "Rechercher", "検索する", "Поиск", "Tìm", "Search events", "Filme suchen"],
)
def test_a_button_that_searches_is_pressed(label: str) -> None:
    assert says_search(button(label))
    assert not find_objection(button(label))


@pytest.mark.parametrize(
    "label", ["Search and register", "Find my account", "Buy now", "Search 5 for $ 3", "Suchen und bestellen"]
)
def test_a_button_that_does_more_is_not_pressed(label: str) -> None:
    assert find_objection(button(label))


def test_how_a_button_is_pressed_is_no_part_of_what_it_does() -> None:
    assert not find_objection(button("Click to search"))


@pytest.mark.parametrize(
    ("label", "language", "joins"), [("Szukaj i zamów", "pl", True), ("Sök i arkivet", "sv", False)]
)
def test_a_short_word_joins_only_in_its_own_language(label: str, language: str, joins: bool) -> None:
    assert bool(find_objection(button(label), language=language)) is joins


def test_of_several_buttons_the_one_that_says_least_beside_searching_is_pressed() -> None:
    buttons = (button("Reset"), button("Search the whole catalogue"), button("Search"))

    assert button_to_press(Form("http://a.example/", "http://a.example/f", "GET", buttons)) == buttons[2]


def test_what_buttons_say_is_told_apart() -> None:
    assert says_go(button("Go"))
    assert not says_go(button("Go shopping"))
    assert shows_results(button("Show results"))
    assert says_only_send(button("Submit"))
    assert not says_only_send(button("Submit search"))
    assert says_send_search(button("Submit search"))
    assert speaks_of_own("Your orders")
    assert not speaks_of_own("Orders")
