"""How texts are folded for comparing."""

from __future__ import annotations

import pytest

from hiddenweb.language.folding import fold


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
