"""How words of many languages are found in what a form says."""

from __future__ import annotations

import pytest

from hiddenweb.language.phrase_matcher import PhraseMatcher

WORDS = PhraseMatcher(
    {
        "joining": "join* sign_up mot*_cle* اشتراك 订阅 入会* หนังสือ ຄົ້ນຫາ ស្វែងរក",
        "leaving": "leave e-mail* Çıkış",
    }
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
        ("ປຸ່ມຄົ້ນຫາໜ້າ", ("joining", "ຄົ້ນຫາ")),
        ("ចុចស្វែងរកនៅទីនេះ", ("joining", "ស្វែងរក")),
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
    assert WORDS.find_words(text) == (found[1] if found else "")


def test_patterns_of_one_sign_stay_apart_and_none_is_lost_in_a_long_list() -> None:
    many = PhraseMatcher({"number": f"码 号 {' '.join(f'word{n}' for n in range(2_000))} last"})

    assert many.find_words("促销码") == "码"
    assert many.find_words("the last one") == "last"
