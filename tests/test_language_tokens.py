"""How texts are cut into words."""

from __future__ import annotations

import pytest

from hiddenweb.language.tokens import words


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Hello, World_2 x2!", "en", ["hello", "world", "2", "x2"]),
        ("L'été À Paris", "fr", ["l", "été", "à", "paris"]),
        ("हिन्दी भाषा", "hi", ["हिन्दी", "भाषा"]),
        ("图书馆", "zh", ["图书", "书馆"]),
        ("書", "ja", ["書"]),
        ("東京タワーへ2回", "ja", ["東京", "タワー", "へ", "2", "回"]),
        ("ภาษาไทย", "th", ["ภาษ", "าษา", "ษาไ", "าไท", "ไทย"]),
        ("ISBN 图书馆", "en", ["isbn", "图书", "书馆"]),
        ("", "en", []),
    ],
)
def test_words_are_terms_in_lower_case_in_any_script(text: str, language: str, expected: list[str]) -> None:
    assert words(text, language) == expected
