"""How the language of a text is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.language import guess, lexicon
from hiddenweb.language.guess import guess_language
from hiddenweb.language.tokens import words

SENTENCES = {
    "en": "The quick brown fox jumps over the lazy dog and then it goes home to its family in the forest.",
    "de": "Der schnelle braune Fuchs springt über den faulen Hund und geht dann nach Hause zu seiner Familie im Wald.",
    "fr": "Le renard brun saute par-dessus le chien paresseux et rentre ensuite chez lui dans la forêt avec sa famille.",
    "ru": "Быстрая лиса прыгает через ленивую собаку, а потом идёт домой в лес к своей семье и своим детям.",
    "ar": "الثعلب البني السريع يقفز فوق الكلب الكسول ثم يعود إلى بيته في الغابة مع عائلته الكبيرة وأطفاله.",
    "ja": "素早い茶色の狐は、のろまな犬を飛び越えて森の家へ帰りました。",
    "zh": "敏捷的棕色狐狸跳过懒狗，然后回到森林里的家中与家人团聚。",
    "th": "สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจแล้วกลับบ้านในป่ากับครอบครัว",
    "el": "Η γρήγορη αλεπού πηδά πάνω από το τεμπέλικο σκυλί και γυρίζει σπίτι της στο δάσος.",
    "ko": "빠른 갈색 여우가 게으른 개를 뛰어넘어 숲속 집으로 돌아갑니다.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_language_is_recognised_without_being_declared(language: str) -> None:
    assert guess_language(SENTENCES[language]) == language


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("declared", SENTENCES)
def test_a_wrong_declaration_is_not_believed(language: str, declared: str) -> None:
    assert guess_language(SENTENCES[language] * 2, f"{declared}-XX") == language


@pytest.mark.parametrize(
    ("text", "declared", "expected"),
    [
        ("", "de-CH", "de"),
        ("Kurz", "de", "de"),
        ("", "", ""),
        ("short", "", ""),
        ("short", "nonsense", ""),
        ("short", "iw", "he"),
        ("A B C", "PT_br", "pt"),
    ],
)
def test_a_text_too_short_to_judge_is_in_the_language_it_declares(
    text: str, declared: str, expected: str
) -> None:
    assert guess_language(text, declared) == expected


SERBIAN = "Брза смеђа лисица прескаче лењог пса и затим одлази кући својој породици у шуму, где је чекају деца и стари пријатељи."


@pytest.mark.parametrize(
    "text",
    [
        SERBIAN * 3,
        "Brza smeđa lisica preskače lenjog psa i zatim odlazi kući u šumu, gde je čekaju deca. " * 3,
    ],
)
def test_a_language_of_two_scripts_is_believed_in_both(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guess, "_guess", lambda _: "not believed")

    assert guess_language(text, "sr-RS") == "sr"


def test_a_file_may_give_the_letters_of_a_script_that_no_language_had_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guess, "_scripts_of", lambda code: ["\u1200-\u137f"] if code == "am" else ["latin"])
    guess._letters_of.cache_clear()
    amharic = "ፈጣኑ ቡናማ ቀበሮ በሰነፉ ውሻ ላይ ዘሎ ወደ ቤቱ ሄደ"

    assert guess._is_plausible(amharic, "am")
    assert not guess._is_plausible(amharic, "de")
    guess._letters_of.cache_clear()


@pytest.mark.parametrize("declared", ["nb-NO", "nn", "no"])
def test_norwegian_has_one_code_which_is_that_of_its_file(declared: str) -> None:
    assert guess_language("Kort", declared) == "no"
    assert lexicon.read_in_language("writing.scripts", "no") == "latin"


def test_a_page_says_its_language_without_the_files_of_others_being_read() -> None:
    lexicon.read_language.cache_clear()

    guess_language(SENTENCES["de"] * 2, "de")

    assert lexicon.read_language.cache_info().currsize == 1


@given(st.text(max_size=100), st.sampled_from(["en", "zh", "th", ""]))
def test_any_text_has_words_and_a_language(text: str, language: str) -> None:
    assert all(word and not word.isspace() for word in words(text, language))
    assert len(guess_language(text, language)) in (0, 2)
