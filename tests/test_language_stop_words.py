"""Which words say nothing."""

from __future__ import annotations

from hiddenweb.language.stop_words import stop_words


def test_a_language_without_a_list_has_no_stop_words() -> None:
    assert "the" in stop_words("en")
    assert not stop_words("xx")
