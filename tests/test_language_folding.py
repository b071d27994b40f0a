"""How texts are folded for comparing."""

from __future__ import annotations

import pytest

from hiddenweb.language.folding import fold, fold_line, fold_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Straße", "strasse"),
        ("ŁÓDŹ", "lodz"),
        ("İLETİŞİM ılık", "iletisim ilik"),
        ("ё й", "е и"),
        ("ﬁnd", "find"),
        ("ค้นหา", "ค้นหา"),
    ],
)
def test_folding_takes_case_and_accents_away_and_leaves_vowel_signs(text: str, expected: str) -> None:
    assert fold(text) == expected


def test_a_line_is_folded_without_case_and_white_space_and_nothing_else() -> None:
    assert fold_line(" Été\u00a0\tSTRASSE “x” ") == "été strasse “x”"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jane’s  `BOOK`", "jane's 'book'"),
        ("1984–1989", "1984-1989"),
        ("soft\u00adhyphen", "softhyphen"),
        ("１２", "12"),
        ("Été", "été"),
    ],
)
def test_values_are_folded_without_what_people_type_differently(text: str, expected: str) -> None:
    assert fold_text(text) == expected
