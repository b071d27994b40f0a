"""Which words are submitted before answers say more, and how they are saved and restored."""

from __future__ import annotations

import json

from hiddenweb.querying.seed_words import MOST_SUGGESTED, MOST_WORDS, SeedWords, dictionary


def take_words(words: SeedWords, count: int) -> list[str | None]:
    return [words.next() for _ in range(count)]


def test_the_most_frequent_word_of_the_forms_page_comes_first_and_stop_words_never() -> None:
    seed_words = SeedWords("en")

    seed_words.learn("The old wine. The red wine and the cheese. The wine of the valley, and cheese.")

    assert take_words(seed_words, 2) == ["wine", "cheese"]
    assert "the" not in {word.lower() for word in take_words(seed_words, 30) if word}


def test_equal_words_come_in_a_fixed_order() -> None:
    first, second = SeedWords("xx"), SeedWords("xx")
    first.learn("pear apple\nplum")
    second.learn("plum\napple pear")

    assert take_words(first, 4) == take_words(second, 4) == ["apple", "pear", "plum", None]


def test_one_long_passage_does_not_decide_alone() -> None:
    seed_words = SeedWords("xx")

    seed_words.learn("spam spam spam spam spam\nwine here\nwine there")

    assert seed_words.next() == "wine"


def test_only_one_form_of_a_word_is_submitted() -> None:
    seed_words = SeedWords("en")

    seed_words.learn("Gardens, garden.\nGardens, garden.\nA roof.")

    assert take_words(seed_words, 2) == ["gardens", "roof"]


def test_a_word_has_its_most_frequent_spelling() -> None:
    seed_words = SeedWords("tr")

    seed_words.learn("Bu İstanbul güzel\nHep İstanbul\nve istanbul")

    assert seed_words.next() == "İstanbul"


def test_names_and_words_from_elsewhere_take_turns_when_the_first_words_of_the_page_find_nothing() -> None:
    seed_words = SeedWords("en", repository=("wine", "cheese"))
    seed_words.learn(
        "Rivers and maps. Rivers and maps. Rivers of the Riffian coast. Mountains near Gaborone."
    )
    for _ in take_words(seed_words, 2):
        seed_words.learn_result(anything=False)

    assert set(map(str, take_words(seed_words, 6))) == {
        "Gaborone",
        "Riffian",
        "mountains",
        "coast",
        "wine",
        "cheese",
    }


def test_numbers_and_short_words_are_never_submitted() -> None:
    seed_words = SeedWords("xx")

    seed_words.learn("1984 ox brazil")

    assert take_words(seed_words, 2) == ["brazil", None]


def test_scripts_without_spaces_are_submitted_in_their_own_units() -> None:
    seed_words = SeedWords("zh")

    seed_words.learn("红楼梦\n红楼")

    assert seed_words.next() == "红楼"


def test_a_page_without_words_falls_back_to_earlier_words_and_then_to_the_dictionary() -> None:
    seed_words = SeedWords("de", repository=("wein", "käse"))

    assert take_words(seed_words, 3) == ["wein", "käse", dictionary("de")[0]]


def test_suggestions_of_the_site_come_first() -> None:
    seed_words = SeedWords("en")
    seed_words.learn("Wine and cheese.")

    seed_words.suggest("bread")

    assert take_words(seed_words, 2) == ["bread", "cheese"]


def test_words_submitted_elsewhere_are_not_resubmitted_in_another_case() -> None:
    seed_words = SeedWords("en", repository=("Wine", "cheese"))

    seed_words.note_query("WINE")

    assert seed_words.next() == "cheese"


def test_restored_words_continue_as_before() -> None:
    seed_words = SeedWords("en", repository=("last",))
    seed_words.learn("Some page about rivers. Some words about Gaborone and Riffian hills.")
    seed_words.suggest("harbour")
    take_words(seed_words, 2)
    seed_words.learn_result(anything=False)
    seed_words.learn_result(anything=False)

    saved = json.loads(json.dumps(seed_words.to_json()))
    other = SeedWords.from_json(saved, repository=("last",))

    assert take_words(other, 30) == take_words(seed_words, 30)


def test_the_saved_state_is_limited() -> None:
    seed_words = SeedWords("en")
    seed_words.learn(
        "\n".join(f"frequent word{'abcdefghij'[n % 10]}{n}q other" for n in range(3 * MOST_WORDS))
    )
    seed_words.learn(
        "\n".join(f"{chr(97 + n // 676)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}" for n in range(5_000))
    )
    for n in range(100):
        seed_words.suggest(f"suggested{n}")
        seed_words.note_query(f"anything{n}")

    _, of_page, suggested, submitted_before, *_ = seed_words.to_json()

    assert len(of_page) <= 2 * MOST_WORDS
    assert len(suggested) == MOST_SUGGESTED
    assert submitted_before == []


def test_words_of_other_languages_come_after_those_of_the_page_found_nothing() -> None:
    seed_words = SeedWords("en")
    seed_words.learn("Welcome here. Suchen")
    found: list[str | None] = []
    for _ in range(9):
        found.append(seed_words.next())
        seed_words.learn_result(anything=False)

    assert not {"der", "de", "и"} & set(found[:6])
    assert found[6:] == ["der", "history", "de"]

    seed_words.learn_result(anything=True)
    for _ in range(7):
        seed_words.learn_result(anything=False)
    again = SeedWords.from_json(json.loads(json.dumps(seed_words.to_json())))

    assert seed_words.next() == again.next() in dictionary("en")
