from __future__ import annotations

import pytest

from hiddenweb.index.analysis import alternatives, cells, count_weighted_terms, spread, terms_of
from hiddenweb.language.folding import fold_word


def terms(text: str, language: str) -> set[str]:
    return {term.decode() for term in count_weighted_terms("", text, language)}


@pytest.mark.parametrize(
    ("language", "word", "other"),
    [
        ("en", "castings", "Casting"),
        ("de", "Häuser", "HAUS"),
        ("de", "Straße", "strasse"),
        ("fr", "théâtres", "Theatre"),
        ("es", "canciones", "canción"),
        ("pl", "książki", "ksiazki"),
        ("tr", "İstanbul", "istanbul"),
        ("ru", "книгами", "книга"),
        ("ru", "ёлка", "елка"),
        ("ar", "كِتَاب", "كتاب"),  # with and without its vowels
        ("en", "cafe\u0301", "café"),  # a letter and its accent, apart and in one
        ("he", "שָׁלוֹם", "שלום"),
        ("", "Ångström", "angstrom"),
    ],
)
def test_forms_of_a_word_are_one_term(language: str, word: str, other: str) -> None:
    assert len(terms(word, language)) == 1
    assert terms(word, language) == terms(other, language)


@pytest.mark.parametrize(
    ("language", "word", "other"),
    [
        ("ru", "мой", "мои"),  # the accent of a letter of its own
        ("hi", "काम", "कम"),  # vowels that are marks
        ("en", "cast", "coast"),
        ("ja", "がく", "かく"),
    ],
)
def test_different_words_are_different_terms(language: str, word: str, other: str) -> None:
    assert terms(word, language) != terms(other, language)


def test_common_words_are_left_out_in_their_own_language_only() -> None:
    assert terms("die Sonne", "de") == {"sonn:de"}
    assert terms("to die", "en") == {"die:en"}


def test_a_word_of_the_title_counts_three_times() -> None:
    counts = count_weighted_terms("Bronze", "bronze and bronze, wax", "en")

    assert counts == {b"bronz:en": 5, b"wax:en": 1}


def test_unspaced_text_becomes_pairs_and_the_end_of_each_run() -> None:
    assert terms("北京大学，在", "zh") == {"北京", "京大", "大学", "学", "在"}
    assert terms("東京tower", "ja") == {"東京", "京", "tower:ja"}


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        ("ภาพพิมพ์", ["ภา", "พ", "พิ", "ม", "พ์"]),  # vowels above and after, a silenced letter
        ("เด็ก", ["เด็", "ก"]),  # a vowel in front
        ("서울", ["서", "울"]),
        ("ๆๆ", ["ๆ", "ๆ"]),  # marks alone
    ],
)
def test_cells_are_letters_with_their_vowels_and_marks(run: str, parts: list[str]) -> None:
    assert cells(run) == parts
    assert "".join(cells(run)) == run


def test_a_word_of_a_query_stands_for_its_stems_in_every_language() -> None:
    assert alternatives("Castings", ["", "de", "en", "fr"]) == [
        "cast:en",
        "casting:de",
        "casting:fr",
        "castings:",
    ]


def test_terms_are_forgotten_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiddenweb.index.analysis._MAX_CACHED", 10)
    known = terms_of("xx")

    for number in range(35):
        assert known[f"w{number}"] == f"w{number}:xx".encode()

    assert len(known) <= 10


@pytest.mark.parametrize("text", ["", " ", "_ - !", "\ud800", "\x00", "a" * 100_000, "́", "ัััั"])
def test_rubbish_is_no_error(text: str) -> None:
    assert all(weight > 0 for weight in count_weighted_terms(text, text, "en").values())
    assert isinstance(spread(text, "th"), str)


def test_no_term_is_longer_than_a_word_can_be() -> None:
    assert all(len(term) <= 64 + len(":en") for term in terms("x" * 5_000, "en"))


def test_a_phrase_is_found_across_signs_and_forms_but_not_across_words() -> None:
    text = spread("The lost-wax casting of bronzes.", "en")

    assert spread("lost wax castings", "en") in text
    assert spread("lost casting", "en") not in text
    assert spread("ost wax", "en") not in text


def test_folding_keeps_letters_that_are_not_accented() -> None:
    assert fold_word("йод") == "йод"
    assert fold_word("हिन्दी") == "हिन्दी"
    assert fold_word("한국") == "한국"
