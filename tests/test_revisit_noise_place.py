"""Where something may differ."""

from __future__ import annotations

import pytest

from hiddenweb.revisit.noise_place import TURNS, NoisePlace, PlaceKind
from hiddenweb.revisit.parts import ASIDE, ELSEWHERE, START


@pytest.mark.parametrize(
    ("kind", "words", "description"),
    [
        ("number", "viewed # times", 'the number in "viewed # times"'),
        ("money", "only #", 'the price in "only #"'),
        ("after", "1 advertisement", 'part 1 after "advertisement"'),
        ("before, alone", f"2 {START}", "part 2 before the start"),
        ("title", "", "the title"),
    ],
)
def test_a_place_is_described_in_words(kind: PlaceKind, words: str, description: str) -> None:
    assert str(NoisePlace(kind, words)) == description


def test_headlines_that_link_elsewhere_are_not_suspect_and_other_links_are() -> None:
    assert NoisePlace("link", f"html/body/p/a{ELSEWHERE}").is_suspect
    assert not NoisePlace("link", f"html/body/h2/a{ELSEWHERE}").is_suspect
    assert not NoisePlace("link", "html/body/p/a").is_suspect
    assert NoisePlace("path", f"html/body/div{ASIDE}").is_suspect


def test_a_place_without_words_means_something_else_on_each_template() -> None:
    assert VIEWS.is_general
    assert not NoisePlace("number", "#").is_general
    assert TURNS.words == ""


VIEWS = NoisePlace("number", "viewed # times")
