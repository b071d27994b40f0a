"""Cutting values out of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.extraction.value_cut import cut_around, cut_between

if TYPE_CHECKING:
    Record = dict[str, list[str]]


@pytest.mark.parametrize(
    ("pasted_in", "start", "end", "other", "value"),
    [
        ("Author: Jane Smith", 8, 18, "Author: Omar Diaz", ["Omar Diaz"]),
        ("Author: Jane Smith", 8, 18, "Authors: Omar Diaz", ["Omar Diaz"]),  # another label
        ("205 lbs", 0, 3, "198 lbs", ["198"]),
        ("205 lbs", 0, 3, "90 kg", ["90"]),
        ("Hardcover, 2008", 11, 15, "Paperback, 1999", ["1999"]),
        ("Jane Smith (born 1960)", 0, 10, "Omar Diaz (died 1990)", ["Omar Diaz"]),
        ("by Jane", 3, 7, "by Omar", ["Omar"]),
        ("Author: Jane", 8, 12, "Author: ", []),
        ("Jane", 0, 4, "Omar: a life", ["Omar: a life"]),  # nothing was cut, nothing is
    ],
)
def test_a_value_is_cut_out_of_its_text(
    pasted_in: str, start: int, end: int, other: str, value: list[str]
) -> None:
    assert cut_around(pasted_in, start, end).values_in(other) == value


def test_words_divide_values_only_between_spaces() -> None:
    cut = cut_between("Ann and Bob", [(0, 3), (8, 11)])

    assert cut.values_in("Andy and Sandy and Mia") == ["Andy", "Sandy", "Mia"]
