"""Stop words and stems of languages."""

from __future__ import annotations

from hiddenweb.language.stems import stem
from hiddenweb.language.stop_words import stop_words


def test_stop_words_and_stems_follow_the_language() -> None:
    assert "the" in stop_words("en")
    assert "der" in stop_words("de")
    assert stop_words("xx") == frozenset()
    assert stem("houses", "en") == stem("house", "en")
    assert stem("Häuser".lower(), "de") == "haus"
    assert stem("houses", "xx") == "houses"
