"""What the matchers of forms' words find."""

from __future__ import annotations

import pytest

from hiddenweb.language.phrases import (
    GO,
    SEARCH,
    find_change_in_name,
    purposes_of_parts,
    searches_in_little_known_words,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [("Rechercher", "rechercher"), ("Tìm kiếm", "tim kiem"), ("検索する", "検索"), ("Weiter", "")],
)
def test_words_for_searching_are_found_in_every_language(text: str, words: str) -> None:
    assert SEARCH.find_words(text) == words


def test_the_longest_words_for_going_on_are_taken() -> None:
    assert GO.find_longest("Los geht's") == "los geht s"


def test_a_text_of_a_little_known_language_is_distinguished_from_one_that_is_well_known() -> None:
    assert searches_in_little_known_words("Vyhledat")
    assert not searches_in_little_known_words("Suchen")


def test_parts_of_names_written_together_have_purposes() -> None:
    assert purposes_of_parts("sitesearchloginform") == ("search", "login")
    assert find_change_in_name("signupform") == "signup"
    assert not find_change_in_name("registers")
