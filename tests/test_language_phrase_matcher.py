"""How words of many languages are found in what a form says."""

from __future__ import annotations

import pytest

from hiddenweb.language.phrase_matcher import PhraseMatcher, folded, identifier_words

WORDS = PhraseMatcher(
    {"joining": "join* sign_up mot*_cle* اشتراك 订阅 入会* หนังสือ", "leaving": "leave e-mail* Çıkış"}
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please JOIN us", ("joining", "join")),
        ("joining", ("joining", "joining")),
        ("sign   up now", ("joining", "sign up")),
        ("Sign-Up", ("joining", "sign up")),
        ("Mots-clés", ("joining", "mots cles")),
        ("الاشتراك", ("joining", "الاشتراك")),
        ("立即订阅我们", ("joining", "订阅")),
        ("今すぐ入会する", ("joining", "入会")),
        ("ร้านหนังสือใหม่", ("joining", "หนังสือ")),
        ("E-Mails", ("leaving", "e mails")),
        ("çıkış", ("leaving", "cikis")),
        ("sign | up", None),  # two places, no phrase
        ("leaves", None),
        ("rejoin", None),
        ("sign", None),
        ("", None),
    ],
)
def test_words_beginnings_and_phrases_are_found_whatever_their_case_and_accents(
    text: str, found: tuple[str, str] | None
) -> None:
    assert WORDS.find(text) == found
    assert WORDS.word_in(text) == (found[1] if found else "")


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
    assert folded(text) == expected


def test_names_made_for_machines_are_cut_into_words() -> None:
    assert identifier_words("edit-searchBox_2") == "edit search Box"


def test_patterns_of_one_sign_stay_apart_and_none_is_lost_in_a_long_list() -> None:
    many = PhraseMatcher({"number": f"码 号 {' '.join(f'word{n}' for n in range(2_000))} last"})

    assert many.word_in("促销码") == "码"
    assert many.word_in("the last one") == "last"
